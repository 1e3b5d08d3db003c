//! Flags of the commands that take cubes.

use std::path::PathBuf;

use clap::Args;

use super::{Configuration, examples};
use crate::api::request::machine::MachineOptions;
use crate::api::request::options::{LimitOptions, ProofOptions, SearchOptions, ThreadOptions};
use crate::api::types::{Knowledge, TargetOptions, format_of_name};
use superflip_cube::Form;
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
