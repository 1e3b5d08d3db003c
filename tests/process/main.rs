//! Tests that start the program: the command line, signals, faults of disks, and the examples of the README.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

#[path = "../common/mod.rs"]
mod common;

mod batch_cli;
mod cli;
mod convert_cli;
mod faults;
mod help;
mod logs;
mod metrics;
mod optimal_cli;
#[cfg(feature = "otlp")]
mod otlp;
mod priorities;
mod readme;
mod restarts;
mod scramble_cli;
mod secrets;
mod soak;
mod versions;
