//! Solving over HTTP: one cube, several solutions, batches, streams, proofs and explanations.

mod batch;
mod batch_flow;
mod explain;
mod optimal;
mod optimal_table;
mod several;
mod stream;
