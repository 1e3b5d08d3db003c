//! Subcommands and flags, with their help.

mod cubes;
mod tables;

use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, StyledStr};
use clap::{Args, Command, Subcommand};

use crate::service::config::api_keys::is_key_name;
use crate::service::config::load::Flag;

/// The exit codes of most commands.
pub const EXIT_CODES: &str = "Exit codes: 0 it worked, 1 it failed, 2 a flag or argument is invalid.";

/// The layout of the help of a command with examples. `clap` wraps its text to the terminal width, which would break example commands.
/// Text in the template is not wrapped.
#[doc(hidden)]
#[macro_export]
macro_rules! examples {
    ($text:literal) => {
        concat!(
            "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}\n\nExamples:",
            $text,
            "{after-help}"
        )
    };
}

pub(crate) use cubes::forms_help;
pub(crate) use examples;

pub use crate::api::types::format_of_name;
pub use cubes::{ScanFile, Solve, size_of_name};
pub use tables::{Tables, TablesAll, TablesCommand, TablesPrune, TablesVerify};

/// Writes `` `max_length` `` as `--max-length` in the help of each flag, whose text the contract has too.
#[must_use]
pub fn with_names_of_flags(command: Command) -> Command {
    let names = command
        .get_arguments()
        .filter_map(|arg| Some((format!("`{}`", arg.get_id()), format!("--{}", arg.get_long()?))));
    let names: Vec<(String, String)> = names.collect();
    let written =
        |text: &StyledStr| names.iter().fold(text.to_string(), |text, (field, flag)| text.replace(field, flag));
    let command = command.mut_args(|arg| {
        let (help, long_help) = (arg.get_help().map(written), arg.get_long_help().map(written));
        let arg = if let Some(help) = help { arg.help(help) } else { arg };
        if let Some(help) = long_help { arg.long_help(help) } else { arg }
    });
    command.mut_subcommands(with_names_of_flags)
}

/// Print the configuration
///
/// Prints every key with its default and its meaning. With --effective it takes the flags, variables and file of `serve`, and prints every value
/// in force with its source. Either output is a valid --config file, except that --effective masks the digests of API keys; a file with a
/// masked digest is refused.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip config > superflip.toml
  superflip config --effective
  superflip config --effective --config superflip.toml --listen localhost:9000"),
    after_long_help = EXIT_CODES
)]
pub struct ShowConfig {
    /// Print every value in force with its source
    #[arg(long)]
    pub effective: bool,
    /// The flags of the service.
    #[command(flatten)]
    pub service: Service,
    /// The rest of the configuration.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of every command that has a configuration.
#[derive(Args, Clone, Debug, Default)]
pub struct Configuration {
    /// Configuration file (TOML); `superflip config` prints one with every key
    ///
    /// An environment variable can set each key too, such as `SUPERFLIP_SERVER__LISTEN` for server.listen. Flags override variables, and
    /// variables override the file.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub config: Option<PathBuf>,
    /// Folder of the tables [default: the platform's cache folder]
    #[arg(long, value_name = "DIR", help_heading = "Configuration", value_parser = NonEmptyStringValueParser::new())]
    pub tables_dir: Option<String>,
    /// Set of tables: standard (about 640 MB, fastest), small (about 50 MB, built in seconds) or tiny (4 MB, computed in memory)
    #[arg(long, value_name = "PROFILE", help_heading = "Configuration")]
    pub profile: Option<String>,
    /// Format of log lines: pretty, json, or auto (pretty on a terminal)
    #[arg(long, value_name = "FORMAT", help_heading = "Configuration")]
    pub log_format: Option<String>,
    /// Filter of log lines, in the syntax of `RUST_LOG`, such as debug or superflip=trace
    #[arg(long, value_name = "FILTER", help_heading = "Configuration")]
    pub log_filter: Option<String>,
}

impl Configuration {
    /// Returns the given flags as values of their configuration keys.
    pub fn flags(&self) -> Vec<Flag> {
        flags(&[
            ("tables.dir", "--tables-dir", &self.tables_dir),
            ("tables.profile", "--profile", &self.profile),
            ("log.format", "--log-format", &self.log_format),
            ("log.filter", "--log-filter", &self.log_filter),
        ])
    }
}

/// Returns the flags that have a value.
pub(crate) fn flags(all: &[(&'static str, &'static str, &Option<String>)]) -> Vec<Flag> {
    let given = all.iter().filter_map(|(key, flag, value)| Some((*key, *flag, (*value).clone()?)));
    given.map(|(key, flag, value)| Flag { key, flag, value }).collect()
}

/// Serve tools for language models (MCP)
///
/// Speaks the Model Context Protocol on standard input and output: a client starts this command, and its language model can solve, check,
/// explain, scramble and draw cubes. docs/mcp.md shows how to add it to a client.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip mcp
  superflip mcp --profile tiny"),
    after_long_help = EXIT_CODES
)]
pub struct Mcp {
    /// The configuration.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Serve HTTP
///
/// Answers at once with the profile tiny, until the tables of the configured profile are opened or built. GET /readyz reports their progress.
/// SIGTERM and SIGINT finish the open requests and stop; a second signal stops at once.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip serve
  superflip serve --listen 0.0.0.0:8080 --tables-dir /var/lib/superflip --profile small
  superflip serve --optimal-table m
  SUPERFLIP_SEARCH__THREADS=4 superflip serve --config superflip.toml

Then:
  curl 'http://127.0.0.1:8080/solve?scramble=R%20U%20F'
  curl http://127.0.0.1:8080/solve -H 'content-type: application/json' -d '{\"scramble\": \"R U F\"}'"),
)]
pub struct Serve {
    /// The flags of the service.
    #[command(flatten)]
    pub service: Service,
    /// The rest of the configuration.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of the service; each sets a configuration key.
#[derive(Args, Debug, Default)]
pub struct Service {
    /// Address or host name, and port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// Number of searches that run at once; 0 for one per core [default: 0]
    #[arg(long, value_name = "N")]
    pub threads: Option<String>,
    /// Table for requests with `optimal`: off, s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: off]
    ///
    /// A larger table proves faster. The table is opened, or built on the first start, after the service is ready without it.
    #[arg(long, value_name = "SIZE")]
    pub optimal_table: Option<String>,
}

impl Service {
    /// Returns the given flags as values of their configuration keys.
    pub fn flags(&self) -> Vec<Flag> {
        flags(&[
            ("server.listen", "--listen", &self.listen),
            ("search.threads", "--threads", &self.threads),
            ("optimal.table", "--optimal-table", &self.optimal_table),
        ])
    }
}

/// Check whether a running service is ready
///
/// Sends GET /readyz to the configured address, for the health check of a container. For an unspecified address, such as 0.0.0.0, it uses
/// the loopback address.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip healthcheck
  superflip healthcheck --listen 127.0.0.1:9000"),
    after_long_help = "Exit codes: 0 the service is ready, 1 it is not, 2 a flag or argument is invalid."
)]
pub struct Healthcheck {
    /// Time limit for the answer
    #[arg(long, value_name = "MS", default_value_t = 3000)]
    pub timeout_ms: u64,
    /// Address or host name, and port, of the service [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// The configuration that names the address.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Create API keys
#[derive(Args, Debug)]
#[command(help_template = examples!("
  superflip key new --name ci"))]
pub struct Key {
    /// Action on keys.
    #[command(subcommand)]
    pub command: KeyCommand,
}

/// The actions on keys.
// The variants have no doc comments: these would hide the long help of the arguments.
#[allow(missing_docs)]
#[derive(Subcommand, Debug)]
pub enum KeyCommand {
    New(NewKey),
}

/// Create a key
///
/// Prints the key on standard error. It is stored nowhere, so give it to its user now. Prints the lines for the configuration file on standard
/// output. They hold the SHA-256 digest of the key, from which the key cannot be recovered.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip key new --name ci >> superflip.toml

Then:
  curl 'http://127.0.0.1:8080/solve?scramble=R%20U%20F' -H \"authorization: Bearer $KEY\""),
)]
pub struct NewKey {
    /// Name of the key in logs: 1 to 40 letters, digits or -_.
    #[arg(long, default_value = "caller", value_parser = key_name)]
    pub name: String,
}

fn key_name(text: &str) -> Result<String, String> {
    if is_key_name(text) { Ok(text.to_owned()) } else { Err("it must be 1 to 40 letters, digits or -_.".to_owned()) }
}
