//! The program `superflip`: parses the command line and runs the command.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    superflip::operations::run(&superflip::operations::Cli::parse())
}
