//! The command line: subcommands that use the engine and the wire types of the service.

pub mod args;
pub mod batch_lines;
pub mod healthcheck;
pub mod input;
pub mod mcp;
pub(crate) mod output;
pub mod serve;
pub mod settings;
mod setup;
pub mod tables;

pub(crate) use output::unsolved;
pub use output::{Failure, document, print, print_json, refuse};
pub use setup::{configure, exit_on_second_signal, load, load_solver, log_for_people, signal};
pub(crate) use setup::{configure_with_sources, interruptible, solver_for_one};
