//! Flags of `scramble`.

use clap::Args;

use super::cubes::format_of_name;
use super::{Configuration, examples};
use superflip_cube::Form;

/// Write scrambles
///
/// Each scramble leads to a cube that is drawn at random from all cubes, or from those of --subset, --faces or --cross-length. It is written
/// on a line of its own. With --cube or --target, the scrambles lead to that cube or case.
/// The scrambles are for training: official competitions must use the official scramble program of the WCA. The command uses the
/// tables that exist, or computes tiny ones in memory; with --profile, it builds missing tables.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip scramble
  superflip scramble --kind 333fm --count 5
  superflip scramble --subset last_layer --seed \"lesson 3\" --count 10
  superflip scramble --subset \"UF UB UL UR\" --json
  superflip scramble --faces RU
  superflip scramble --cross-length 6 --cross-face U
  superflip scramble --cube \"R U F\" --count 3
  superflip scramble --target \"R U R' U' R' F R2 U' R' U' R U R' F'\" --target-up-to-turn U --count 4"),
    after_long_help = "Exit codes: 0 it worked, 1 it failed or the time limit passed, 2 a flag is invalid."
)]
pub struct Scramble {
    /// Kind: 333, 333oh (one-handed), 333ni (no inspection) or 333fm (fewest moves) [default: 333]
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Number of scrambles, 1 to 100 [default: 1]
    #[arg(long, value_name = "N")]
    pub count: Option<u32>,
    /// Maximum number of moves, 20 to 30 [default: 21, with --faces 25]
    ///
    /// The wide moves of 333ni and the six fixed moves of 333fm do not count.
    #[arg(long, value_name = "MOVES")]
    pub max_length: Option<u32>,
    /// Reject cubes that have a shorter solution, 0 to 20 [default: 2]
    ///
    /// Up to 11, the check is a proof. Above 11, only the scramble has at least this number of moves.
    #[arg(long, value_name = "MOVES")]
    pub min_length: Option<u32>,
    /// Scramble to this cube, in any form, instead of random ones; `-` reads standard input
    #[arg(long, value_name = "CUBE")]
    pub cube: Option<String>,
    /// Form of --cube; without it, the form is recognised
    #[arg(long, value_name = "FORM", value_parser = format_of_name)]
    pub cube_format: Option<Form>,
    /// Scramble to this case, in any form: stickers may be `?`
    ///
    /// The scrambles lead to up to 1000 cubes of the case, in random order, and equally often.
    #[arg(long, value_name = "CUBE")]
    pub target: Option<String>,
    /// Form of --target; without it, the form is recognised
    #[arg(long, value_name = "FORM", value_parser = format_of_name)]
    pub target_format: Option<Form>,
    /// Allow --target in any of the 24 holdings: the same pattern on other faces
    #[arg(long)]
    pub target_up_to_rotation: bool,
    /// Face of --target whose turn is open: U, R, F, D, L or B
    #[arg(long, value_name = "FACE")]
    pub target_up_to_turn: Option<String>,
    /// Cubes to draw from: a name, or pieces such as "UF UB URF" [default: all]
    ///
    /// The names are all, edges, corners, `after_cross`, `last_slot`, `last_layer`, zbll, pll, eo, dr, htr, and eo and dr of one axis, such as `eo_ud` or `dr_fb`.
    #[arg(long, value_name = "SUBSET")]
    pub subset: Option<String>,
    /// Faces that the scrambles may turn, such as RU [default: all]
    ///
    /// The cubes are all that these faces reach.
    #[arg(long, value_name = "FACES")]
    pub faces: Option<String>,
    /// Draw cubes whose cross can be solved in this many moves and no fewer, 1 to 8
    #[arg(long, value_name = "MOVES")]
    pub cross_length: Option<u32>,
    /// Face of the cross [default: D]
    #[arg(long, value_name = "FACE")]
    pub cross_face: Option<String>,
    /// Seed: the same seed, kind, subset, faces, cross and --min-length give the same cubes
    #[arg(long, value_name = "TEXT")]
    pub seed: Option<String>,
    /// Write JSON as GET /scramble does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}
