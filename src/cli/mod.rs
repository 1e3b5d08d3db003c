//! The command line: subcommands that use the engine and the wire types of the service.

pub mod args;
pub mod cubes;
pub mod healthcheck;
mod output;
pub mod scramble;
pub mod serve;
pub mod settings;
mod setup;
pub mod tables;

use std::io::Write;
use std::process::ExitCode;

use crate::http::contract;
use crate::service::telemetry::log_queue::{LAST_LINES, within};

pub use args::{Cli, Command};
pub(crate) use output::unsolved;
pub use output::{Failure, document, print, print_json, refuse};
pub(crate) use setup::{
    check_memory, configure_with_sources, interruptible, load_five_faces, load_turns, tables_for_one,
};
pub use setup::{configure, exit_on_second_signal, load_metric, load_optimal, load_tables, log_for_people, signal};

/// Runs a command, and returns its exit code.
pub fn run(cli: Cli) -> ExitCode {
    let is_service = matches!(cli.command, Command::Serve(_));
    let result = match cli.command {
        Command::Serve(args) => serve::run(&args),
        Command::Solve(args) => match &args.batch {
            None => cubes::solve::run(&args),
            Some(path) => cubes::batch::run(&args, path),
        },
        Command::Explain(args) => cubes::explain::run(&args),
        Command::CheckSolution(args) => cubes::check_solution::run(&args),
        Command::Diagnose(args) => cubes::diagnose::run(&args),
        Command::Steps(args) => cubes::steps::run(&args),
        Command::Coords(args) => cubes::coords::run(&args),
        Command::Convert(args) => cubes::convert::run(&args),
        Command::Repair(args) => cubes::repair::run(&args),
        Command::Scramble(args) => scramble::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Key(args) => settings::create_key(&args),
        Command::Healthcheck(args) => healthcheck::run(&args),
        Command::Config(args) => settings::show(&args),
        Command::Openapi => print(contract::YAML),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Reported(code)) => ExitCode::from(code),
        Err(failure) => {
            let code = failure.exit_code();
            // Ignore a closed standard error: the exit code reports the failure too.
            let report = move || drop(writeln!(std::io::stderr(), "superflip: {failure}"));
            // A supervisor restarts a service only if it ends, also when the reader of standard error stalls.
            if is_service {
                within(LAST_LINES, report);
            } else {
                report();
            }
            ExitCode::from(code)
        }
    }
}
