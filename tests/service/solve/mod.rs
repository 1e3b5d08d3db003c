//! Solving over HTTP: one cube, several solutions, batches, streams, proofs and explanations.

mod batch;
mod explain;
mod optimal;
mod several;
mod stream;
