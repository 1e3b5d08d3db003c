//! Subcommands and flags, and the help that teaches them.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand};

use crate::search::options::MOST_SOLUTIONS;
use crate::service::config::api_keys::is_key_name;
use crate::service::config::load::Flag;
use crate::tables::optimal::Size;

const EXIT_CODES: &str = "Exit codes: 0 it worked, 1 it failed, 2 a flag or argument is invalid.";

/// The layout of the help of a command with examples. `clap` wraps its text to the terminal width, which would break example commands.
/// Text in the template is not wrapped.
macro_rules! examples {
    ($text:literal) => {
        concat!(
            "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}\n\nExamples:",
            $text,
            "{after-help}"
        )
    };
}

/// Solves Rubik's cubes: short, checked solutions, over HTTP or right here.
#[derive(Parser, Debug)]
#[command(name = "superflip", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
// A doc comment of a variant would hide the long help of its arguments.
#[allow(missing_docs)]
#[derive(Subcommand, Debug)]
pub enum Command {
    Serve(Serve),
    Solve(Solve),
    Explain(Explain),
    Coords(Coords),
    Tables(Tables),
    Key(Key),
    Healthcheck(Healthcheck),
    Config(ShowConfig),
    /// Print the contract, openapi.yaml
    #[command(hide = true)]
    Openapi,
}

/// Print the configuration
///
/// Prints every key with its default and what it is for. With --effective, and the same flags, variables and file as for `serve`, it prints
/// every value in force with its source: the defaults, the file, a variable or a flag. Either output is a valid --config file, except that
/// --effective masks digests of API keys; a file with a masked digest is refused.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip config > superflip.toml
  superflip config --effective
  superflip config --effective --config superflip.toml --listen localhost:9000"),
    after_long_help = EXIT_CODES
)]
pub struct ShowConfig {
    /// Print every value in force and where it comes from
    #[arg(long)]
    pub effective: bool,
    /// The flags of the service.
    #[command(flatten)]
    pub service: Service,
    /// The rest of the configuration.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Where the configuration comes from, and the flags that every command with tables has.
#[derive(Args, Clone, Debug, Default)]
pub struct Configuration {
    /// Configuration file (TOML); `superflip config` prints one with every key
    ///
    /// Each key can also be set by a variable: server.listen by `SUPERFLIP_SERVER__LISTEN`. Flags override variables, variables
    /// override the file.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub config: Option<PathBuf>,
    /// Folder of the tables [default: the platform's cache folder]
    #[arg(long, value_name = "DIR", help_heading = "Configuration", value_parser = NonEmptyStringValueParser::new())]
    pub tables_dir: Option<String>,
    /// standard (about 640 MB, fastest) or small (about 50 MB, built in seconds)
    #[arg(long, value_name = "PROFILE", help_heading = "Configuration")]
    pub profile: Option<String>,
    /// pretty, json or auto
    #[arg(long, value_name = "FORMAT", help_heading = "Configuration")]
    pub log_format: Option<String>,
    /// What is logged: a level, or target=level pairs, such as debug or superflip=trace,warn
    #[arg(long, value_name = "FILTER", help_heading = "Configuration")]
    pub log_filter: Option<String>,
}

impl Configuration {
    /// The flags that were given, as values of their keys.
    pub fn flags(&self) -> Vec<Flag> {
        flags(&[
            ("tables.dir", "--tables-dir", &self.tables_dir),
            ("tables.profile", "--profile", &self.profile),
            ("log.format", "--log-format", &self.log_format),
            ("log.filter", "--log-filter", &self.log_filter),
        ])
    }
}

/// Those of the flags that were given.
pub(crate) fn flags(all: &[(&'static str, &'static str, &Option<String>)]) -> Vec<Flag> {
    let given = all.iter().filter_map(|(key, flag, value)| Some((*key, *flag, (*value).clone()?)));
    given.map(|(key, flag, value)| Flag { key, flag, value }).collect()
}

/// Serve HTTP
///
/// Listens at once; the tables are opened, or built on the first start, in the background. GET /readyz tells when they are there.
/// SIGTERM, SIGINT and SIGHUP finish the open requests and stop; a second signal stops at once.
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

/// Flags of a service, which stand for keys of the configuration.
#[derive(Args, Debug, Default)]
pub struct Service {
    /// Address or host name, and port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// Searches that run at once; 0 means one per core [default: 0]
    #[arg(long, value_name = "N")]
    pub threads: Option<String>,
    /// Table for requests with `optimal`: off, s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: off]
    ///
    /// It is opened, or built on the first start, once the service is ready without it. The larger, the faster the proofs.
    #[arg(long, value_name = "SIZE")]
    pub optimal_table: Option<String>,
}

impl Service {
    /// The flags that were given, as values of their keys.
    pub fn flags(&self) -> Vec<Flag> {
        flags(&[
            ("server.listen", "--listen", &self.listen),
            ("search.threads", "--threads", &self.threads),
            ("optimal.table", "--optimal-table", &self.optimal_table),
        ])
    }
}

/// Solve one cube, or a file of cubes
///
/// The cube is either 54 symbols, with or without spaces, faces in the order U R F D L B and each row by row (any six symbols: the
/// centres say which face each stands for), or else a scramble, or - to read one of the two from standard input. The solution alone is
/// written to standard output. The tables are built on first use.
///
/// With --batch each line holds a cube, in either form or as a JSON object as for POST /solve, whose own options go before the flags;
/// lines that are empty or begin with # are left out. Answers are written in the order of the lines while the input is still being
/// read, so it may be as long as it likes. A line that holds no cube, or a cube without a solution within the limits, is answered by
/// an empty line and a message on standard error.
#[derive(Args, Clone, Debug)]
#[command(
    help_template = examples!("
  superflip solve \"R U R' U'\"
  superflip solve UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB --time-limit-ms 5000
  echo \"F2 L' D\" | superflip solve - --json
  superflip solve --optimal \"R U2 F' L D2 B R' U\"
  superflip solve --optimal --optimal-table m --time-limit-ms 60000 --json - < cube.txt
  superflip solve --optimal --all-solutions \"U2 D2 F2\"
  superflip solve --optimal --optimal-table l --batch cubes.txt --json > proofs.jsonl
  superflip solve --batch cubes.txt > solutions.txt
  generate-cubes | superflip solve --batch - --json --target-length 19 --threads 4 | jq .length"),
    after_long_help = "Exit codes: 0 solved, 1 it failed or nothing short enough was found, 2 no such cube. With --batch: 0 every line was \
        solved, 1 a cube was not or it was stopped, 2 a line holds no cube."
)]
pub struct Solve {
    /// Facelets, a scramble, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present = "batch")]
    pub cube: Option<String>,
    /// Solve every line of a file, or of standard input for -
    #[arg(long, value_name = "FILE", conflicts_with = "cube")]
    pub batch: Option<PathBuf>,
    /// Stop at the first solution this short [default: 20]
    #[arg(long, value_name = "TURNS")]
    pub target_length: Option<u32>,
    /// Never answer longer
    #[arg(long, value_name = "TURNS")]
    pub max_length: Option<u32>,
    /// Answer the best solution found after this time [default: 1000; with --optimal none]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// Answer a solution that is proven shortest; without --time-limit-ms however long that takes
    ///
    /// With a time limit the answer may be one that is not proven; --json tells, with the lower bound that was reached. Of a batch each
    /// thread proves one cube at a time; a line may say "optimal": false.
    #[arg(long, conflicts_with = "target_length")]
    pub optimal: bool,
    /// Table for --optimal, built on first use: s has 41 MB, m 438 MB, l 2.6 GB, xl 7.5 GB; the larger, the faster [default: optimal.table of the
    /// configuration, else s]
    #[arg(long, value_name = "SIZE", value_parser = size_of_name, requires = "optimal")]
    pub optimal_table: Option<Size>,
    /// With --optimal: find all shortest solutions; order among turns of opposite faces makes no other one
    ///
    /// One on a line, up to --solutions; when there are more than that, standard error tells how many. A batch needs --json for it.
    #[arg(long, requires = "optimal")]
    pub all_solutions: bool,
    /// How many distinct solutions to find, the shortest first, one on a line [default: 1; with --all-solutions 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_SOLUTIONS as i64),
        conflicts_with = "batch")]
    pub solutions: Option<u16>,
    /// Threads that search [default: 1; with --batch or --optimal one per core]
    ///
    /// One cube is searched by all of them; of many cubes each is searched by one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Cubes of a batch that each thread searches in turns, while the memory answers for the others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "cube",
        default_value_t = super::batch::IN_FLIGHT)]
    pub in_flight: u16,
    /// Answer as POST /solve does, refusals too; with --batch on one line each, with its number as `line`
    #[arg(long)]
    pub json: bool,
    /// Where the tables are.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Explain a solution
///
/// What each turn does: coordinates and bounds, where phase 2 begins, turns that could be merged, where the solution ceased to be the
/// shortest way, the symmetry of the cube, lengths in every metric. Without --solution the cube is solved first.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip explain \"R U F2 L'\"
  superflip explain \"R U R' U'\" --solution \"U R2 R' U D D' U2 R'\"
  superflip explain UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB --time-limit-ms 5000 --json"),
    after_long_help = "Exit codes: 0 it worked, 1 it failed or nothing short enough was found, 2 no such cube or no solution of it."
)]
pub struct Explain {
    /// Facelets, a scramble, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Face turns that solve it
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["target_length", "max_length"])]
    pub solution: Option<String>,
    /// Stop the search at the first solution this short [default: 20]
    #[arg(long, value_name = "TURNS")]
    pub target_length: Option<u32>,
    /// Never find a longer one
    #[arg(long, value_name = "TURNS")]
    pub max_length: Option<u32>,
    /// Time for the search, and as much for the proofs [default: 1000]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// Answer as POST /explain does, refusals too
    #[arg(long)]
    pub json: bool,
    /// Where the tables are.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Look at coordinates
///
/// Without arguments the list of all. With a cube (54 facelets, a scramble, or - for standard input) its value in each of them.
/// With the name of a coordinate, or an expression, its distribution; with a value as well, a cube that has it, its class, its
/// distance and its neighbours.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip coords
  superflip coords \"R U F\"
  superflip coords \"R U F\" --names \"twist,comp(twist,slice)\" --json
  superflip coords flip_slice
  superflip coords twist 1236
  superflip coords flip_slice_class 0 --apply \"F R\"
  superflip coords slice 33 --transform 2
  superflip coords \"symcomp(sym(corner_perm,UD16),twist)\""),
    after_long_help = "Exit codes: 0 it worked, 1 it failed, 2 a flag or argument is invalid."
)]
pub struct Coords {
    /// A cube, or the name of a coordinate, or an expression
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE|NAME", allow_hyphen_values = true)]
    pub what: Option<String>,
    /// A value of the coordinate
    #[arg(value_name = "VALUE")]
    pub value: Option<String>,
    /// Of a cube: only these coordinates, with commas between them
    #[arg(long, value_name = "NAMES", conflicts_with = "value", requires = "what")]
    pub names: Option<String>,
    /// Of a value: where these turns take it
    #[arg(long, value_name = "MOVES", requires = "value", conflicts_with = "transform")]
    pub apply: Option<String>,
    /// Of a value: what it is seen through this symmetry, 0 to 47
    #[arg(long, value_name = "SYMMETRY", requires = "value")]
    pub transform: Option<u32>,
    /// Answer as GET /coords does, refusals too
    #[arg(long)]
    pub json: bool,
    /// Where the tables are.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Build, check, list or remove the precomputed tables
///
/// They are built by themselves on the first start; these commands are for images and for doubts.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip tables build --profile small --tables-dir ./tables
  superflip tables list --json
  superflip tables prune --dry-run
  superflip tables verify"),
)]
pub struct Tables {
    /// What to do with them.
    #[command(subcommand)]
    pub command: TablesCommand,
}

/// What to do with the tables.
#[derive(Subcommand, Debug)]
pub enum TablesCommand {
    /// Build what is missing or unusable, and say what is there
    #[command(help_template = examples!("
  superflip tables build
  superflip tables build --profile small --tables-dir ./tables
  superflip tables build --optimal-table l"))]
    Build(TablesAll),
    /// Check tables; exit code 1 when one is wrong
    ///
    /// Each one by the checksum of its entries; all but the three largest by making them anew; `phase_one_*` and `phase_two` by
    /// counting their entries and by judging a fixed sample of them from the cubies (`phase_one_residues` is made anew as well);
    /// those for optimal answers by counting, by a search around solved, and by a sample and its neighbours;
    /// and all by published counts where there are any. SIGINT stops it.
    Verify(TablesVerify),
    /// List every table file of the folder, and what is missing; builds nothing
    ///
    /// With the state of each file: `current`; `old_name` (current, and renamed at the next start); `duplicate` (current, beside one
    /// under its right name); `other_version`; `partial` (of a build that goes on or was killed); `unusable`, with the reason;
    /// `missing`. `in use` means that a process holds a lock on the file. Current files are read and checked.
    #[command(help_template = examples!("
  superflip tables list
  superflip tables list --profile small --tables-dir ./tables
  superflip tables list --optimal-table l --json"))]
    List(TablesAll),
    /// Remove table files that this version does not need and no process uses
    ///
    /// Needed are the current tables of both profiles and of every size for optimal answers, whatever is configured. A file that a
    /// process uses is kept. Earlier versions, which name files `<table>.tbl`, hold no locks: stop them first. Files that are no
    /// tables are never removed.
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
    /// Only tell what would be removed
    #[arg(long)]
    pub dry_run: bool,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// Where the tables are.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Flags of `tables build` and `tables list`.
#[derive(Args, Debug)]
pub struct TablesAll {
    /// And the table for optimal answers: off, s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: optimal.table]
    #[arg(long, value_name = "SIZE")]
    pub optimal_table: Option<String>,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// Where the tables are.
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
    after_long_help = "Exit codes: 0 all are sound, 1 one is wrong or it was stopped, 2 a flag or argument is invalid."
)]
pub struct TablesVerify {
    /// Only these; `superflip tables list` tells their names. Those for optimal answers, such as `optimal_s`, can be checked too
    #[arg(value_name = "TABLE")]
    pub names: Vec<String>,
    /// And the table for optimal answers: off, s, m, l or xl [default: optimal.table]
    #[arg(long, value_name = "SIZE")]
    pub optimal_table: Option<String>,
    /// Write one JSON document
    #[arg(long)]
    pub json: bool,
    /// Where the tables are.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Ask a running service whether it can solve
///
/// Asks GET /readyz at the configured address (an unspecified one by way of loopback), as a container's health check does.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip healthcheck
  superflip healthcheck --url http://127.0.0.1:9000/livez"),
    after_long_help = "Exit codes: 0 it is ready, 1 it is not, 2 a flag or argument is invalid."
)]
pub struct Healthcheck {
    /// What to ask instead, such as `http://127.0.0.1:8080/livez` [default: http://<server.listen>/readyz]
    #[arg(long)]
    pub url: Option<String>,
    /// How long to wait for the answer
    #[arg(long, value_name = "MS", default_value_t = 3000)]
    pub timeout_ms: u64,
    /// Address or host name, and port, of the service [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<String>,
    /// The configuration that names the address.
    #[command(flatten)]
    pub configuration: Configuration,
}

fn size_of_name(name: &str) -> Result<Size, String> {
    let found = Size::ALL.into_iter().find(|size| size.name() == name);
    found.ok_or_else(|| format!("there are {}", Size::ALL.map(Size::name).join(", ")))
}

/// Make API keys
#[derive(Args, Debug)]
#[command(help_template = examples!("
  superflip key new --name ci"))]
pub struct Key {
    /// What to do.
    #[command(subcommand)]
    pub command: KeyCommand,
}

/// What to do with keys.
#[allow(missing_docs)] // as with `Command`
#[derive(Subcommand, Debug)]
pub enum KeyCommand {
    New(NewKey),
}

/// Make a key
///
/// The first line is the key: give it to whoever is to use it, for it is kept nowhere. The lines after it belong into the
/// configuration file; they hold the SHA-256 of the key, from which nobody can find it.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip key new --name ci

Then:
  curl 'http://127.0.0.1:8080/solve?scramble=R%20U%20F' -H \"authorization: Bearer $KEY\""),
)]
pub struct NewKey {
    /// What logs call the key: letters, digits and -_.
    #[arg(long, default_value = "caller", value_parser = key_name)]
    pub name: String,
}

fn key_name(text: &str) -> Result<String, String> {
    if is_key_name(text) { Ok(text.to_owned()) } else { Err("it must be 1 to 40 letters, digits or -_.".to_owned()) }
}
