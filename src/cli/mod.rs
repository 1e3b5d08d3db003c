//! The command line: subcommands that use the engine and the wire types of the service.
//! Here are those that write text for the configuration file: `superflip config` and `superflip key`.

pub mod args;
pub mod batch_lines;
pub(crate) mod healthcheck;
pub mod in_process;
pub mod input;
pub mod mcp;
pub(crate) mod output;
pub mod serve;
mod setup;
pub mod tables;

pub(crate) use output::unsolved;
pub use output::{Failure, document, print, print_json, refuse};
pub use setup::{configure, exit_on_second_signal, load, load_solver, log_for_people, signal};
pub(crate) use setup::{configure_with_sources, interruptible, solver_for_one};

use std::io::{Write as _, stderr};

use crate::service::access::keys::{KeyDigest, new_key};
use crate::service::config::load::DEFAULTS;
use args::{Key, KeyCommand, ShowConfig};

/// Prints the documented defaults, or the values in force.
///
/// # Errors
/// Returns an error for an invalid configuration, and for flags that have no effect on the defaults.
pub(crate) fn show_config(args: &ShowConfig) -> Result<(), Failure> {
    let flags = args.service.flags();
    if args.effective {
        return print(&configure_with_sources(&args.configuration, flags)?.to_toml());
    }
    let given = [flags, args.configuration.flags()].concat();
    let flag = given.first().map(|flag| flag.flag).or(args.configuration.config.is_some().then_some("--config"));
    match flag {
        None => print(DEFAULTS),
        Some(flag) => Err(Failure::Input(format!(
            "{flag} has no effect here, because `superflip config` prints the defaults; add --effective to print the values in force"
        ))),
    }
}

/// Creates a key. Prints it on standard error, and its entry for the configuration file on standard output: so `>>` does not write the key
/// into the file. The key is stored nowhere.
///
/// # Errors
/// Returns an error if the operating system returns no random bytes, or if the key or its entry cannot be printed.
pub(crate) fn create_key(args: &Key) -> Result<(), Failure> {
    let KeyCommand::New(args) = &args.command;
    let key = new_key().map_err(Failure::runtime)?;
    let (name, sha256) = (&args.name, KeyDigest::of(key.as_bytes()).to_hex());
    // First the key: an entry without a known key is of no use.
    writeln!(stderr(), "{key}").map_err(|error| Failure::Runtime(format!("cannot print the key: {error}")))?;
    // The blank line ends an unfinished last line of the file.
    print(&format!("\n[[access.keys]]\nname = \"{name}\"\nsha256 = \"{sha256}\"\n"))
}
