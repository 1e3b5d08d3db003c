//! Subcommands and flags, with their help.

pub use crate::api::types::format_of_name;

use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, StyledStr};
use clap::{Args, Command, Subcommand};

use crate::api::request::machine::MachineOptions;
use crate::api::request::options::{LimitOptions, ProofOptions, SearchOptions, ThreadOptions};
use crate::api::types::{FaceKnowledge, SearchMetric, TargetOptions, metric_of_name};
use crate::service::config::api_keys::is_key_name;
use crate::service::config::load::Flag;
use superflip_cube::Form;
use superflip_solver::tables::optimal::Size;

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

pub(crate) use examples;

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
    /// [default: standard; commands that answer once take the largest set that is built, else tiny]
    #[arg(long, value_name = "PROFILE", help_heading = "Configuration")]
    pub profile: Option<String>,
    /// Format of log lines: pretty, json, or auto (json for serve without a terminal, else pretty) [default: auto]
    #[arg(long, value_name = "FORMAT", help_heading = "Configuration")]
    pub log_format: Option<String>,
    /// Filter of log lines, in the syntax of `RUST_LOG`, such as debug or superflip=trace [default: info; for other commands than
    /// serve, warnings and the progress of tables]
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

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(help_template = examples!("
  superflip completions bash > ~/.local/share/bash-completion/completions/superflip
  superflip completions fish > ~/.config/fish/completions/superflip.fish"))]
pub struct Completions {
    /// Shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Write manual pages
///
/// Writes one page for the program, and one for each command.
#[derive(Args, Debug)]
#[command(help_template = examples!("
  superflip man ~/.local/share/man/man1"))]
pub struct Man {
    /// Folder of the pages; it is created if it is missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
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

/// Solve one cube, or a file of cubes
///
/// CUBE is 54 symbols, a scramble or any other form that `superflip convert` reads; - reads it from standard input. The symbols list the
/// faces in the order U R F D L B, each row by row, with or without spaces. Any six symbols will do: the centres show which face each
/// stands for. The solution is written to standard output. For one cube, the command uses the tables that exist, or computes tiny ones in memory. With
/// --profile or --batch, it builds missing tables.
///
/// With --batch each line holds a cube: a text of any form, or a JSON object as for POST /solve. Options in the object override the
/// flags. Empty lines and lines that begin with # are skipped. Answers are written in the order of the lines while the input is
/// still being read, so the input may have any length. A line without a valid cube, or without a solution within its limits, is
/// answered by an empty line and a message on standard error. A solved cube is answered by an empty line without a message.
#[derive(Args, Clone, Debug)]
#[command(
    help_template = examples!("
  superflip solve \"R U R' U'\"
  superflip solve UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB --time-limit-ms 5000
  echo \"F2 L' D\" | superflip solve - --json
  superflip solve \"R U F\" --target \"M2 E2 S2\"
  superflip solve \"R U F\" --machine examples/machines/cubotino.json --json
  superflip solve --optimal \"R U2 F' L D2 B R' U\"
  superflip solve --optimal --optimal-table m --time-limit-ms 60000 --json - < cube.txt
  superflip solve --optimal --all-solutions \"U2 D2 F2\"
  superflip solve --optimal --optimal-table l --batch cubes.txt --json > proofs.jsonl
  superflip solve --batch cubes.txt > solutions.txt
  generate-cubes | superflip solve --batch - --json --target-length 19 --threads 4 | jq .length"),
    after_long_help = "Exit codes: 0 solved, 1 it failed or found no solution within the limits, 2 the cube or a flag is invalid, \
        3 with --optimal: solved, but not proven shortest within --time-limit-ms. With --batch: 0 every line was solved, 1 a cube was not \
        solved or the command was stopped, 2 a line is invalid, 3 a solution is not proven shortest.",
    mut_arg("optimal", |arg| arg.conflicts_with_all(["faces", "moves"])),
    mut_arg("solutions", |arg| arg.conflicts_with("batch"))
)]
pub struct Solve {
    /// Facelets, a scramble, another form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present_any = ["batch", "colors"])]
    pub cube: Option<String>,
    /// Solve every line of a file, or of standard input for -
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cube", "colors", "face_rotations", "face_order"])]
    pub batch: Option<PathBuf>,
    /// With --batch: read a table, and its cubes in this column of the header, such as Scramble
    #[arg(long, value_name = "NAME", requires = "batch", conflicts_with_all = ["cube", "colors"])]
    pub column: Option<String>,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// A scan instead of CUBE.
    #[command(flatten)]
    pub scan: ScanFile,
    /// The cube that the moves must lead to.
    #[command(flatten)]
    pub target: TargetOptions,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// The turns and the number of solutions.
    #[command(flatten)]
    pub search: SearchOptions,
    /// Proofs.
    #[command(flatten)]
    pub proofs: ProofOptions,
    /// Table for --optimal: s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: optimal.table of the configuration, else s]
    ///
    /// A larger table proves faster. It is built on first use.
    #[arg(long, value_name = "SIZE", value_parser = size_of_name, requires = "optimal")]
    pub optimal_table: Option<Size>,
    /// The machine that executes the moves.
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Threads.
    #[command(flatten)]
    pub threads: ThreadOptions,
    /// Number of cubes of a batch that each thread searches alternately, to hide memory latency
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "cube",
        default_value_t = 8)]
    pub in_flight: u16,
    /// Write JSON as POST /solve does, errors too; with --batch one object on a line, with its number as `line`
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of a scan.
#[derive(Args, Clone, Debug, Default)]
pub struct ScanFile {
    /// File with 54 colour samples as JSON, as in the field colors of POST /solve; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "cube")]
    pub colors: Option<PathBuf>,
    /// The channels of each sample are blue, green, red
    // A conflict of `colors` lifts the requirement, so the conflict is named here too.
    #[arg(long, requires = "colors", conflicts_with = "cube")]
    pub bgr: bool,
    /// Whether each face may be scanned in any rotation: known or unknown; for 54 symbols in the order U R F D L B, and for --colors
    #[arg(long, value_name = "KNOWN", value_parser = knowledge_of_name)]
    pub face_rotations: Option<FaceKnowledge>,
    /// Whether the faces may be in any order: known or unknown; for 54 symbols, and for --colors
    #[arg(long, value_name = "KNOWN", value_parser = knowledge_of_name)]
    pub face_order: Option<FaceKnowledge>,
}

fn knowledge_of_name(name: &str) -> Result<FaceKnowledge, String> {
    match name {
        "known" => Ok(FaceKnowledge::Known),
        "unknown" => Ok(FaceKnowledge::Unknown),
        _ => Err("expected known or unknown".to_owned()),
    }
}

/// Returns the help of `--format`, with the list of forms.
pub(crate) fn forms_help() -> String {
    let forms = Form::ALL.map(|form| format!("\n- {form}: {}", form.title())).concat();
    format!("Form of the cube, if its text has several meanings [default: it is recognised]:{forms}")
}

/// Reads the size of a coset table.
///
/// # Errors
/// Lists the names of the sizes.
pub fn size_of_name(name: &str) -> Result<Size, String> {
    let found = Size::ALL.into_iter().find(|size| size.name() == name);
    found.ok_or_else(|| format!("expected one of {}", Size::ALL.map(Size::name).join(", ")))
}

/// Build, check, list or remove the precomputed tables
///
/// The service builds missing tables at the start, and answers with tiny ones until then. These commands build them in advance, for example for an image, and check them.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables build --profile small --tables-dir ./tables
  superflip tables list --json
  superflip tables prune --dry-run
  superflip tables verify"),
)]
pub struct Tables {
    /// The action.
    #[command(subcommand)]
    pub command: TablesCommand,
}

/// The actions on tables.
#[derive(Subcommand, Debug)]
pub enum TablesCommand {
    /// Build missing and unusable tables, and list all
    #[command(help_template = examples!("
  superflip tables build
  superflip tables build --profile small --tables-dir ./tables
  superflip tables build --optimal-table l
  superflip tables build --metric qtm,axht"))]
    Build(TablesAll),
    /// Check tables; exit code 1 when one is wrong
    ///
    /// Every table is checked against the checksum of its entries, and against published counts where they exist. All but the three
    /// largest are computed again and compared. `phase_one_*` and `phase_two` are checked by counting their entries, and by computing a
    /// fixed sample from the cubies; `phase_one_residues` is computed again as well. Tables for --optimal are checked by counting, by a
    /// search around the solved cube, and by a sample with its neighbours. SIGINT stops the check.
    Verify(TablesVerify),
    /// List every table file in the folder, and the missing tables; builds nothing
    ///
    /// The state of a file is one of: `current`; `other_version`; `partial` (from a build that runs or was killed); `unusable`, with the
    /// reason; `missing`. `in use` means that a process holds a lock on the file. Current files are read and checked.
    #[command(help_template = examples!("
  superflip tables list
  superflip tables list --profile small --tables-dir ./tables
  superflip tables list --optimal-table l --json"))]
    List(TablesAll),
    /// Remove table files that this version does not need and no process uses
    ///
    /// The current tables of every profile, and of every size for --optimal, are kept, whatever is configured. A file that a process
    /// uses is kept. Other files are never removed.
    Prune(TablesPrune),
}

/// Flags of `tables prune`.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables prune --dry-run
  superflip tables prune --tables-dir /var/lib/superflip --json"),
    after_long_help =
        "Exit codes: 0 every unneeded file was removed or is in use, 1 a file could not be removed, 2 a flag or argument \
         is invalid."
)]
pub struct TablesPrune {
    /// Show what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of `tables build` and `tables list`.
#[derive(Args, Debug)]
pub struct TablesAll {
    /// Include the table for --optimal: off, s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: optimal.table]
    #[arg(long, value_name = "SIZE")]
    pub optimal_table: Option<String>,
    /// Include the tables of a metric: qtm, stm, axht or axqt; several are separated by commas [default: search.metrics]
    #[arg(long = "metric", value_name = "METRIC", value_delimiter = ',', value_parser = metric_of_name)]
    pub metrics: Vec<SearchMetric>,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of `tables verify`.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables verify
  superflip tables verify phase_one_masked --json
  superflip tables verify optimal_l"),
    after_long_help = "Exit codes: 0 all tables are sound, 1 one is wrong or the check was stopped, 2 a flag or argument is invalid."
)]
pub struct TablesVerify {
    /// Check these tables only, such as `twist_move` or `optimal_s`; `superflip tables list` shows the names
    #[arg(value_name = "TABLE")]
    pub names: Vec<String>,
    /// The tables and the form of the output.
    #[command(flatten)]
    pub all: TablesAll,
}
