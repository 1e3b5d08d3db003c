//! The command line: each command, its help, and its exit codes.

mod batch;
mod commands;
mod convert;
mod help;
mod judge;
mod machines;
mod optimal;
mod scramble;
mod steps;
mod turns;
