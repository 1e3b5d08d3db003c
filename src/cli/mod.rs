//! The command line: subcommands that use the engine and the wire types of the service.

pub mod args;
pub mod batch;
pub mod coords;
pub mod explain;
pub mod healthcheck;
mod input;
pub mod key;
mod load;
mod output;
pub mod serve;
mod setup;
pub mod show_config;
pub mod solve;
pub mod tables;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use crate::http::contract;

pub use args::{Cli, Command};
pub use output::Failure;
pub(crate) use output::{print, print_json, refuse};
pub(crate) use setup::{configure, configure_with_sources, interruptible, log_for_people};

/// Runs a command, and returns its exit code.
pub fn run(cli: Cli) -> ExitCode {
    let result = match cli.command {
        Command::Serve(args) => serve::run(&args),
        Command::Solve(args) => match (&args.cube, &args.batch) {
            (Some(cube), None) => solve::run(&args, cube),
            (_, path) => batch::run(&args, path.as_deref().unwrap_or(Path::new("-"))),
        },
        Command::Explain(args) => explain::run(&args),
        Command::Coords(args) => coords::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Key(args) => key::run(&args),
        Command::Healthcheck(args) => healthcheck::run(&args),
        Command::Config(args) => show_config::run(&args),
        Command::Openapi => print(contract::YAML),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Reported(code)) => ExitCode::from(code),
        Err(failure) => {
            // Ignore a closed standard error: the exit code reports the failure too.
            let _ = writeln!(std::io::stderr(), "superflip: {failure}");
            ExitCode::from(if matches!(failure, Failure::Input(_)) { 2 } else { 1 })
        }
    }
}
