//! The binary: parse, then run.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // Help is written too.
    superflip::service::telemetry::process_metrics::survive_file_limit();
    superflip::cli::run(superflip::cli::Cli::parse())
}
