//! The program `superflip`: parses the command line and runs the command.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    superflip::cli::run(superflip::cli::Cli::parse())
}
