//! The program `superflip`: parses the command line and runs the command.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // Before parsing, because `--help` writes too.
    superflip::service::process_limits::survive_file_limit();
    superflip::cli::run(superflip::cli::Cli::parse())
}
