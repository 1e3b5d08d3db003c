//! Flags of the commands that judge moves.

use clap::Args;

use super::cubes::{MachineFile, format_of_name, forms_help, metric_of_name};
use super::{Configuration, examples};
use crate::api::types::SearchMetric;
use superflip_cube::Form;

/// Check a written solution of fewest moves
///
/// Applies the WCA regulations of January 2024: the solution must solve the cube in any holding, and contain only face moves (R, R', R2), outer
/// block moves (Rw or 2Rw) and rotations (x y z). Prints the length in the outer block turn metric, or each broken rule with the number of the
/// first wrong symbol, counted from 1. It needs no tables.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip check-solution \"R U F\" \"x U' B' R'\"
  superflip check-solution \"R2 U F\" \"F' U' R2'\"
  superflip check-solution - \"F' U' R'\" --json < scramble.txt
  superflip check-solution \"R U F\" - < solution.txt"),
    after_long_help = "Exit codes: 0 the solution is valid, 1 it is not, 2 the cube or a flag is invalid."
)]
pub struct CheckSolution {
    /// Scramble, another form of the cube, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Solution as it is written, or - for standard input
    #[arg(value_name = "SOLUTION", allow_hyphen_values = true)]
    pub solution: String,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// Write JSON as POST /check-solution does, errors too
    #[arg(long)]
    pub json: bool,
}

/// Find which moves went wrong
///
/// CUBE is the cube before the moves. Compares the stickers seen after the moves with the cubes after up to two slips: moves that were missed,
/// reversed, doubled (a quarter turn became a half turn) or half made (a half turn became a quarter turn). Prints the cubes that have these
/// stickers, those after the fewest slips first, and a solution of each.
///
/// With --schedule, slips are slips of the actions of a machine. The cube is then named by places in the machine after them, and the solution
/// has a schedule from the state there.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip diagnose \"F2 L D\" --moves \"R U2 F'\" --seen BBBDUUDFFLBDFRRFRRLUULFRDURFLUDDBDDBUFFLLFBBRLLLUBDURR
  superflip diagnose - --moves \"R U R' U'\" --seen UULUUFUUFRRUBRRURRFFDFFUFFF????D????????L????????B???? < before.txt
  superflip diagnose \"D' F'\" --machine examples/machines/cubotino.json --schedule schedule.json --seen UUUUUURRRDRRDRRFFFFFFFFFLLUDDLDDLDDLLLULLUBBBBBBBBBDRR"),
    after_long_help = "Exit codes: 0 explained, 1 no explanation, or it failed, 2 the cube, what was sent, the stickers or a flag is invalid."
)]
pub struct Diagnose {
    /// Cube before the moves: facelets, a scramble, another form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Face moves that were sent
    #[arg(long, value_name = "MOVES", required_unless_present = "schedule", conflicts_with = "schedule")]
    pub moves: Option<String>,
    /// Actions that the machine of --machine or --costs executed: a file, or JSON, with a list of their names
    ///
    /// Instead of a name, the list may have a step as in `schedule` of superflip solve --json, which tells actions of the same name apart.
    #[arg(long, value_name = "FILE|JSON")]
    pub schedule: Option<String>,
    /// Stickers after the moves: 54 symbols in the order U R F D L B; ? is an unknown sticker
    ///
    /// After --moves, the cube is held as before them. After --schedule, it is held as the machine holds it.
    #[arg(long, value_name = "STICKERS")]
    pub seen: String,
    /// Maximum number of explanations, 1 to 10 [default: 3]
    #[arg(long, value_name = "N")]
    pub max_explanations: Option<u32>,
    /// Form of CUBE, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// The machine that executed the schedule, and executes the solutions.
    #[command(flatten)]
    pub machine: MachineFile,
    /// Turn these faces only in the solutions, such as URFDL [default: all]
    #[arg(long, value_name = "FACES")]
    pub faces: Option<String>,
    /// Stop a search at the first solution of at most this length [default: 20; in another metric its usual length; with --faces 0]
    #[arg(long, value_name = "MOVES")]
    pub target_length: Option<u32>,
    /// Fail rather than find a longer solution
    #[arg(long, value_name = "MOVES")]
    pub max_length: Option<u32>,
    /// Time limit of all searches together in milliseconds [default: 1000]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// Count all lengths in this metric: htm, qtm, stm, axht or axqt [default: htm]
    #[arg(long, value_name = "METRIC", value_parser = metric_of_name)]
    pub metric: Option<SearchMetric>,
    /// Write JSON as POST /diagnose does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}
