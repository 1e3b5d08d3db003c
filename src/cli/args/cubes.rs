//! Flags of the commands that work on cubes: `solve`, `explain` and `coords`.

use std::path::PathBuf;

use clap::Args;

use super::{Configuration, EXIT_CODES, examples};
use crate::search::options::MOST_SOLUTIONS;
use crate::tables::optimal::Size;

/// Solve one cube, or a file of cubes
///
/// CUBE is either 54 symbols or a scramble; - reads one of the two from standard input. The symbols list the faces in the order
/// U R F D L B, each row by row, with or without spaces. Any six symbols will do: the centres show which face each stands for. The
/// solution is written to standard output. The tables are built on first use.
///
/// With --batch each line holds a cube: facelets, a scramble, or a JSON object as for POST /solve. Options in the object override the
/// flags. Empty lines and lines that begin with # are skipped. Answers are written in the order of the lines while the input is
/// still being read, so the input may have any length. A line without a valid cube, or without a solution within its limits, is
/// answered by an empty line and a message on standard error.
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
    after_long_help = "Exit codes: 0 solved, 1 it failed or found no solution within the limits, 2 the cube or a flag is invalid. \
        With --batch: 0 every line was solved, 1 a cube was not solved or the command was stopped, 2 a line is invalid."
)]
pub struct Solve {
    /// Facelets, a scramble, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present = "batch")]
    pub cube: Option<String>,
    /// Solve every line of a file, or of standard input for -
    #[arg(long, value_name = "FILE", conflicts_with = "cube")]
    pub batch: Option<PathBuf>,
    /// Stop at the first solution of at most this many turns [default: 20]
    #[arg(long, value_name = "TURNS")]
    pub target_length: Option<u32>,
    /// Fail rather than return a longer solution
    #[arg(long, value_name = "TURNS")]
    pub max_length: Option<u32>,
    /// Return the best solution found after this time [default: 1000; with --optimal none]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// Search until the solution is proven shortest
    ///
    /// With --time-limit-ms the solution may be unproven; --json shows whether it is, and the lower bound. In a batch each thread proves
    /// one cube at a time; a line may turn the proof off with "optimal": false.
    #[arg(long, conflicts_with = "target_length")]
    pub optimal: bool,
    /// Table for --optimal: s (41 MB), m (438 MB), l (2.6 GB) or xl (7.5 GB) [default: optimal.table of the configuration, else s]
    ///
    /// A larger table proves faster. It is built on first use.
    #[arg(long, value_name = "SIZE", value_parser = size_of_name, requires = "optimal")]
    pub optimal_table: Option<Size>,
    /// With --optimal: find all shortest solutions
    ///
    /// They are written one on a line, up to --solutions; if there are more, standard error shows the number. Solutions that differ only in
    /// the order of turns of opposite faces count as one. A batch needs --json as well.
    #[arg(long, requires = "optimal")]
    pub all_solutions: bool,
    /// Number of distinct solutions to find, shortest first, one on a line [default: 1; with --all-solutions 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_SOLUTIONS as i64),
        conflicts_with = "batch")]
    pub solutions: Option<u16>,
    /// Number of search threads [default: 1; with --batch or --optimal one per core]
    ///
    /// All threads search one cube together. In a batch each thread searches its own cubes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
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

/// Explain a solution
///
/// Shows the effect of each turn: coordinates and bounds, where phase 2 begins, turns that can be merged, and where a shorter solution
/// exists. Also shows the symmetry of the cube and the length in every metric. Without --solution the cube is solved first.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip explain \"R U F2 L'\"
  superflip explain \"R U R' U'\" --solution \"U R2 R' U D D' U2 R'\"
  superflip explain UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB --time-limit-ms 5000 --json"),
    after_long_help = "Exit codes: 0 it worked, 1 it failed or found no solution within the limits, 2 the cube, the solution or a flag is \
        invalid."
)]
pub struct Explain {
    /// Facelets, a scramble, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Face turns that solve the cube
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["target_length", "max_length"])]
    pub solution: Option<String>,
    /// Stop the search at the first solution of at most this many turns [default: 20]
    #[arg(long, value_name = "TURNS")]
    pub target_length: Option<u32>,
    /// Fail rather than find a longer solution
    #[arg(long, value_name = "TURNS")]
    pub max_length: Option<u32>,
    /// Time limit of the search, and again of the proofs [default: 1000]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// Write JSON as POST /explain does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Show coordinates
///
/// Without arguments: lists all coordinates. With a cube (54 facelets, a scramble, or - for standard input): shows its value in each of
/// them. With the name of a coordinate, or an expression: shows its distribution. With a value as well: shows a cube with this value,
/// its class, its distance from solved and its neighbours.
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
    after_long_help = EXIT_CODES
)]
pub struct Coords {
    /// A cube, the name of a coordinate, or an expression
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE|NAME", allow_hyphen_values = true)]
    pub what: Option<String>,
    /// A value of the coordinate
    #[arg(value_name = "VALUE")]
    pub value: Option<String>,
    /// With a cube: show these coordinates only, separated by commas
    #[arg(long, value_name = "NAMES", conflicts_with = "value", requires = "what")]
    pub names: Option<String>,
    /// With a value: show the values after each of these turns
    #[arg(long, value_name = "MOVES", requires = "value", conflicts_with = "transform")]
    pub apply: Option<String>,
    /// With a value: show the value of the cube transformed by this symmetry, 0 to 47
    #[arg(long, value_name = "SYMMETRY", requires = "value")]
    pub transform: Option<u32>,
    /// Write JSON as GET /coords does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

fn size_of_name(name: &str) -> Result<Size, String> {
    let found = Size::ALL.into_iter().find(|size| size.name() == name);
    found.ok_or_else(|| format!("expected one of {}", Size::ALL.map(Size::name).join(", ")))
}
