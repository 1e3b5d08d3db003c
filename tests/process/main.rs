//! Tests that start the program: the command line, signals, logs, and files of other versions.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod cli;
mod logs;
mod running;
mod secrets;
mod versions;
