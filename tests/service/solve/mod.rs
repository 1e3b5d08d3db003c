//! Solving over HTTP: one cube, several solutions, batches, streams, proofs, explanations, checks and diagnoses.

mod batch;
mod batch_ahead;
mod batch_flow;
mod check;
mod diagnose;
mod explain;
mod machine_slips;
mod machines;
mod metrics;
mod optimal;
mod optimal_table;
mod several;
mod steps;
mod stream;
mod target;
mod turns;
