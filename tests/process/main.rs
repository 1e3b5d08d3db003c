//! Tests that start the program: the command line, signals, faults of disks, and the examples of the README.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod cli;
mod faults;
mod first_start;
mod logs;
#[cfg(feature = "otlp")]
mod otlp;
mod readme;
mod restarts;
mod running;
mod secrets;
mod soak;
mod versions;
