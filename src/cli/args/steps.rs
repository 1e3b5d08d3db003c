//! Flags of `superflip steps`.

use clap::Args;

use super::cubes::{format_of_name, forms_help};
use super::{Configuration, examples};
use superflip_cube::Form;

/// The chain without `--steps`.
const USUAL: &str = "EO > DR > HTR > FIN";

/// Solve a cube in steps
///
/// Searches the steps together for the shortest total. CHAIN is a list of goals separated by `>`, each with options in brackets: axes (ud, fb,
/// rl), min, max, limit (solutions of the step for each branch), `over_best`, `one_ending` (true: list only one of the solutions that differ in
/// the direction of their last turn), subsets, and niss (always, before or none: moves on the inverse cube). Names of nissy (eofb, drud-eofb)
/// and of cubelib (EO, DR, HTR, FIN) are accepted. CHAIN may also be a JSON list of steps as in POST /steps. In the answer, moves on the
/// inverse cube stand in parentheses.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip steps \"R' U' F L2 D' B2 U R2 F' D2 L B' R U2\"
  superflip steps \"R U F2 D\" --steps \"eo[ud;max=5] > dr > htr > finish\" --time-limit-ms 5000
  superflip steps \"R U F2 D\" --steps \"eo[one_ending=true]\" --solutions 5
  superflip steps --goals"),
    after_long_help = "Exit codes: 0 solved, 1 no solution was found, or it failed, 2 the cube, the steps or a flag is invalid."
)]
pub struct Steps {
    /// Facelets, a scramble, another form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present = "goals")]
    pub cube: Option<String>,
    /// Steps, separated by `>`, or a JSON list
    #[arg(long, value_name = "CHAIN", default_value = USUAL)]
    pub steps: String,
    /// Number of distinct solutions to print, shortest first, 1 to 100 [default: 1]
    #[arg(long, value_name = "N")]
    pub solutions: Option<u32>,
    /// Time limit in milliseconds [default: 1000]
    #[arg(long, value_name = "MS")]
    pub time_limit_ms: Option<u64>,
    /// List the goals that a step may have
    #[arg(long, conflicts_with_all = ["cube", "solutions", "time_limit_ms", "format"])]
    pub goals: bool,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// Write JSON as POST /steps does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}
