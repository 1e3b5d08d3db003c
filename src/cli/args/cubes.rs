//! Flags of the commands that take cubes.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::{Configuration, examples};
use crate::api::types::{Knowledge, SearchMetric};
use superflip_cube::Form;
use superflip_cube::metric::Metric;
use superflip_solver::search::MAX_SOLUTIONS;
use superflip_solver::tables::optimal::Size;

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
        solved or the command was stopped, 2 a line is invalid, 3 a solution is not proven shortest."
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
    pub target: TargetCube,
    /// Stop at the first solution of at most this length [default: 20; in another metric its usual length; with --faces or --moves 0]
    #[arg(long, value_name = "MOVES")]
    pub target_length: Option<u32>,
    /// Fail rather than return a longer solution
    #[arg(long, value_name = "MOVES")]
    pub max_length: Option<u32>,
    /// Count all lengths in this metric: htm, qtm, stm, axht or axqt [default: htm]
    ///
    /// qtm counts a half turn as two. stm counts a turn of a slice, made of turns of two opposite faces, as one. axht and axqt are for
    /// robots that turn opposite faces at once: axht counts such turns as one, axqt counts only the quarter turns of the face that turns most.
    /// Tables of the metric are built on first use: 130 MB, with --profile standard up to 1.2 GB.
    #[arg(long, value_name = "METRIC", value_parser = metric_of_name)]
    pub metric: Option<SearchMetric>,
    /// Turn these faces only, such as URFDL
    ///
    /// Five faces reach every cube. A cube that fewer faces do not reach is refused. Without --target-length, the search uses its whole time limit.
    #[arg(long, value_name = "FACES", conflicts_with = "optimal")]
    pub faces: Option<String>,
    /// Use these moves only, such as "U U' R R' F F' D D' L L' B B'"
    ///
    /// The inverse of each move must be listed too. The moves must generate all cubes, the subgroup of phase 2 along an axis, or the group of half turns.
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["optimal", "faces"])]
    pub moves: Option<String>,
    /// Return the best solution found after this time [default: 1000; with --optimal none]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// Search until the solution is proven shortest
    ///
    /// With --time-limit-ms the solution may be unproven: standard error says so, and the exit code is 3. In a batch each thread proves
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
    /// the order of moves of opposite faces count as one. A batch needs --json as well.
    #[arg(long, requires = "optimal")]
    pub all_solutions: bool,
    /// Number of distinct solutions to find, shortest first, one on a line [default: 1; with --all-solutions 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_SOLUTIONS as i64),
        conflicts_with = "batch")]
    pub solutions: Option<u16>,
    /// The machine that executes the moves.
    #[command(flatten)]
    pub machine: MachineFile,
    /// Number of search threads [default: 1; with --batch or --optimal one per core]
    ///
    /// All threads search one cube together. In a batch each thread searches its own cubes. Without one, it
    /// helps with the proofs of the others.
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

/// Flags of the cube that the moves must lead to.
#[derive(Args, Clone, Debug, Default)]
pub struct TargetCube {
    /// Lead to this cube, in any form, instead of the solved one
    #[arg(long, value_name = "CUBE", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new())]
    pub target: Option<String>,
    /// Form of --target, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, requires = "target")]
    pub target_format: Option<Form>,
    /// Lead to --target in any of the 24 holdings: the same pattern on other faces
    #[arg(long, requires = "target")]
    pub target_up_to_rotation: bool,
    /// Face of --target whose turn is open: U, R, F, D, L or B
    #[arg(long, value_name = "FACE", requires = "target")]
    pub target_up_to_turn: Option<String>,
}

/// Flags of the machine that executes the moves.
#[derive(Args, Clone, Debug, Default)]
pub struct MachineFile {
    /// Return the cheapest solution by these costs: a file, or JSON such as {"U": 1, "U2": 1.5, ...}
    ///
    /// Every turn of one face that the answer may have needs a cost. A pair of turns of opposite faces, such as "U D'", costs the sum of
    /// both, unless the pair has a smaller cost of its own.
    #[arg(long, value_name = "FILE|JSON", conflicts_with = "machine")]
    pub costs: Option<String>,
    /// Return the cheapest solution on this machine: a file, or JSON, with its states and actions, as in docs/machines.md
    #[arg(long, value_name = "FILE|JSON")]
    pub machine: Option<String>,
    /// With --costs or --machine: number of solutions to find and compare, 1 to 1000 [default: 100]
    #[arg(long, value_name = "N")]
    pub candidates: Option<u32>,
}

/// Flags of a scan.
#[derive(Args, Clone, Debug, Default)]
pub struct ScanFile {
    /// File with 54 colour samples as JSON, as in the field `colors` of POST /solve; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "cube")]
    pub colors: Option<PathBuf>,
    /// The channels of each sample are blue, green, red
    // A conflict of `colors` lifts the requirement, so the conflict is named here too.
    #[arg(long, requires = "colors", conflicts_with = "cube")]
    pub bgr: bool,
    /// Whether each face may be scanned in any rotation: known or unknown; for 54 symbols in the order U R F D L B, and for --colors
    #[arg(long, value_name = "KNOWN", value_parser = knowledge_of_name)]
    pub face_rotations: Option<Knowledge>,
    /// Whether the faces may be in any order: known or unknown; for 54 symbols, and for --colors
    #[arg(long, value_name = "KNOWN", value_parser = knowledge_of_name)]
    pub face_order: Option<Knowledge>,
}

fn knowledge_of_name(name: &str) -> Result<Knowledge, String> {
    match name {
        "known" => Ok(Knowledge::Known),
        "unknown" => Ok(Knowledge::Unknown),
        _ => Err("expected known or unknown".to_owned()),
    }
}

/// Reads the name of a form.
///
/// # Errors
/// Lists the names of the forms.
pub fn format_of_name(name: &str) -> Result<Form, String> {
    let known = Form::ALL.map(Form::name).join(", ");
    Form::from_name(name).ok_or_else(|| format!("expected one of {known}"))
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

/// Returns the metric of this name.
///
/// # Errors
/// Lists the names of the metrics.
pub fn metric_of_name(name: &str) -> Result<SearchMetric, String> {
    let of_name = |metric: &SearchMetric| Metric::from(*metric).name() == name;
    SearchMetric::ALL.into_iter().find(of_name).ok_or_else(|| "expected htm, qtm, stm, axht or axqt".to_owned())
}
