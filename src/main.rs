//! The binary: parse, then run.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    superflip::cli::run(superflip::cli::Cli::parse())
}
