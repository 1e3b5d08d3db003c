//! The shell: subcommands with the engine and the wire types of the service.

pub mod args;
pub mod batch;
pub mod coords;
pub mod explain;
pub mod healthcheck;
mod input;
pub mod key;
mod load;
mod meant;
pub mod serve;
pub mod show_config;
pub mod solve;
pub mod tables;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use crate::api::problem::Problem;
use crate::http::contract;
use crate::service::config::kubernetes;
use crate::service::config::load::{Flag, Loaded};
use crate::service::config::{Config, LogFormat};
use crate::service::tables::progress;
use crate::service::telemetry;

pub use args::{Cli, Command};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command failed: exit code 1.
    #[error("{0}")]
    Runtime(String),
    /// The input is invalid: exit code 2, as for flags that clap rejects.
    #[error("{0}")]
    Input(String),
    /// The command has reported the failure itself.
    #[error("failed with exit code {0}")]
    Reported(u8),
}

impl Failure {
    fn runtime(error: impl std::fmt::Display) -> Self {
        Self::Runtime(error.to_string())
    }
}

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
            // Standard error may be closed; the exit code reports the failure too.
            let _ = writeln!(std::io::stderr(), "superflip: {failure}");
            ExitCode::from(if matches!(failure, Failure::Input(_)) { 2 } else { 1 })
        }
    }
}

/// Loads the configuration from the flags, the environment and the file.
fn configure(args: &args::Configuration, more: Vec<Flag>) -> Result<Config, Failure> {
    configure_with_sources(args, more).map(|loaded| loaded.config)
}

/// Loads the configuration with the source of each value.
fn configure_with_sources(args: &args::Configuration, more: Vec<Flag>) -> Result<Loaded, Failure> {
    let flags = [more, args.flags()].concat();
    let environment = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
    let loaded = crate::service::config::load::load_with_sources(args.config.as_deref(), environment, &flags);
    loaded.map_err(|error| Failure::Input(error.to_string()))
}

/// Starts the log of a command: warnings and the progress of tables, unless a filter is configured.
fn log_for_people(config: &Config) {
    let mut log = config.log.clone();
    if log.filter == "info" {
        log.filter = format!("warn,{}=info", progress::TARGET);
    }
    if log.format == LogFormat::Auto {
        log.format = LogFormat::Pretty;
    }
    telemetry::init(&log);
    kubernetes::warn_of_ignored(config);
}

/// Runs `work` on a thread that may block. The first signal calls `stop`, after which the work should end soon; the second ends the
/// process.
fn interruptible(
    stop: impl FnOnce(),
    work: impl FnOnce() -> Result<(), Failure> + Send + 'static,
) -> Result<(), Failure> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    // The solver threads of a batch are blocking threads, at most 1024.
    let runtime = runtime.enable_all().max_blocking_threads(2048).build().map_err(Failure::runtime)?;
    runtime.block_on(async {
        let signal = serve::signal().map_err(Failure::runtime)?;
        let mut work = tokio::task::spawn_blocking(work);
        let finished = tokio::select! {
            finished = &mut work => finished,
            () = signal => {
                stop();
                tokio::spawn(serve::exit_on_second_signal());
                work.await
            }
        };
        finished.map_err(Failure::runtime)?
    })
}

/// Writes to standard output. A closed pipe is not a failure.
fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::runtime(error)),
        _ => Ok(()),
    }
}

/// Writes a JSON document and a newline.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&(serde_json::to_string_pretty(value).map_err(Failure::runtime)? + "\n"))
}

/// Reports a problem: with `json` as the service would, otherwise as a sentence.
fn refuse(json: bool, problem: &Problem, code: u8) -> Failure {
    if json {
        return match print_json(problem.document()) {
            Ok(()) => Failure::Reported(code),
            Err(failure) => failure,
        };
    }
    let detail = problem.document().detail.clone();
    if code == 2 { Failure::Input(detail) } else { Failure::Runtime(detail) }
}
