//! The operations: what clients ask for, over HTTP or in the shell, and the one list of them.
//!
//! Each operation has a file or a folder of its own. In this order, it has the request, the answer, the checks, the handlers, what it adds to
//! the routes, the index and the contract (the macro `operation!`), and the flags and the text of its subcommand.
//! From the list, the macro `operations` makes the routes, the index, the contract and the subcommands.

pub(crate) mod check_solution;
pub(crate) mod convert;
pub mod coords;
pub(crate) mod diagnose;
pub(crate) mod explain;
pub mod image;
pub(crate) mod index;
pub(crate) mod moves;
pub mod other_servers;
pub(crate) mod repair;
pub mod scramble;
pub mod solve;
pub mod steps;
pub(crate) mod symmetries;

use std::io::Write;
use std::process::ExitCode;

use axum::Router;
use axum::routing::MethodRouter;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::api::types::Link;
use crate::cli::args::{Completions, Healthcheck, Key, Man, Mcp, Serve, ShowConfig, Tables, with_names_of_flags};
use crate::cli::{Failure, create_key, healthcheck, mcp, print, serve, show_config, tables};
use crate::http::routes::{self as others, pages};
use crate::http::{AppState, contract, middleware};
use crate::service::telemetry::log_queue::{LAST_LINES, within};
use crate::service::version_and_commit;
use other_servers::{kociemba, tnoodle, twips};

/// Lists the operations: the module, and the name of its subcommand if it has one. Routes, links of the index and subcommands have the order
/// of the list.
macro_rules! operations {
    ($($module:ident $(: $command:ident)?,)+) => {
        /// Returns every route of the API: its path, and a handler for each of its methods.
        pub fn routes() -> Vec<(&'static str, MethodRouter<AppState>)> {
            [$($module::routes(),)+ others::routes()].into_iter().flatten().collect()
        }

        /// Returns the links of the index, with an example for each route.
        fn links() -> Vec<Link> {
            [$($module::LINKS,)+ others::LINKS].concat()
        }

        /// Generates the contract as YAML and as JSON, in this order.
        ///
        /// # Errors
        /// Returns an error if the document cannot be written, or if something that operations share has no name.
        #[cfg(feature = "contract")]
        pub fn generate_contract() -> Result<(String, String), Box<dyn std::error::Error>> {
            use utoipa::OpenApi as _;
            contract::generate::generate(vec![$($module::Contract::openapi(),)+ others::Contract::openapi()])
        }

        /// The subcommands of the operations.
        // The variants have no doc comments: these would hide the long help of the arguments.
        #[allow(missing_docs)]
        #[derive(Subcommand, Debug)]
        pub enum Operation {
            $($($command($module::Flags),)?)+
        }

        impl Operation {
            fn run(&self) -> Result<(), Failure> {
                match self {
                    $($(Self::$command(flags) => $module::run(flags),)?)+
                }
            }
        }
    };
}

operations! {
    solve: Solve,
    explain: Explain,
    check_solution: CheckSolution,
    diagnose: Diagnose,
    steps: Steps,
    coords: Coords,
    symmetries,
    convert: Convert,
    repair: Repair,
    scramble: Scramble,
    image,
    moves,
    kociemba,
    twips,
    tnoodle,
    index,
}

/// Builds the router of the whole service.
pub fn app(state: AppState) -> Router {
    let all = routes().into_iter().chain(pages::all());
    let router = all.fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    let router = router.fallback(pages::not_found).method_not_allowed_fallback(pages::method_not_allowed);
    middleware::around(router, &state).with_state(state)
}

/// Solves Rubik's cubes: short, checked solutions, over HTTP or in the shell.
#[derive(Parser, Debug)]
#[command(name = "superflip", version = version_and_commit(), arg_required_else_help = true,
    after_help = "Exit codes: 0 it worked, 1 it failed, 2 a flag or argument is invalid, 3 a solution of `superflip solve --optimal` is not \
        proven shortest.",
    mut_subcommands(with_names_of_flags))]
pub struct Cli {
    /// Command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[allow(missing_docs, clippy::large_enum_variant)] // as with `Operation`; there is one value
#[derive(Subcommand, Debug)]
pub enum Command {
    Serve(Serve),
    #[command(flatten)]
    Operation(Operation),
    Tables(Tables),
    Mcp(Mcp),
    Key(Key),
    Healthcheck(Healthcheck),
    Config(ShowConfig),
    Completions(Completions),
    Man(Man),
    /// Print the contract, openapi.yaml
    #[command(hide = true)]
    Openapi,
}

/// Returns the completion script for a shell.
fn completions(args: &Completions) -> String {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "superflip", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes the manual pages.
fn write_manual(args: &Man) -> Result<(), Failure> {
    let failed = |error| Failure::Runtime(format!("cannot write manual pages to {}: {error}", args.folder.display()));
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), &args.folder).map_err(failed)
}

/// Runs a command, and returns its exit code.
pub fn run(cli: &Cli) -> ExitCode {
    let result = match &cli.command {
        Command::Serve(args) => serve::run(args, app),
        Command::Operation(operation) => operation.run(),
        Command::Tables(args) => tables::run(args),
        Command::Mcp(args) => mcp::run(args, app),
        Command::Key(args) => create_key(args),
        Command::Healthcheck(args) => healthcheck::run(args),
        Command::Config(args) => show_config(args),
        Command::Completions(args) => print(&completions(args)),
        Command::Man(args) => write_manual(args),
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
            if matches!(cli.command, Command::Serve(_)) {
                within(LAST_LINES, report);
            } else {
                report();
            }
            ExitCode::from(code)
        }
    }
}
