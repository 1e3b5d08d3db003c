//! Tests that start the program: the command line, signals, logs, and files of other versions.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

/// The command line: each command, its help, and its exit codes.
mod cli {
    mod batch;
    mod commands;
    mod convert;
    mod help;
    mod judge;
    mod machines;
    mod mcp;
    mod optimal;
    mod scramble;
    mod steps;
}

mod logs;
mod running;
mod secrets;
mod versions;
