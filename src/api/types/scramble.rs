//! The query and the response of `/scramble`.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use super::strict::integer_of_range;
use superflip_cube::Form;
use superflip_solver::search::scramble::{GENERATOR, MAX_MAX_LENGTH, MIN_MAX_LENGTH, ScrambleRequest, Scrambles};

/// Use of the scrambles, as every response states it.
const NOTE: &str =
    "For training. Official competitions must use the official scramble program of the WCA (regulation 4f).";

/// Name of the generator without a seed.
const OPERATING_SYSTEM: &str = "operating system";

/// Source of a given cube.
const REQUEST: &str = "request";

/// The scrambles to generate.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ScrambleQuery {
    /// `333` (default), `333oh` (one-handed, the same as `333`), `333ni` (no inspection: up to two wide moves at the end, for
    /// blindfolded solving) or `333fm` (fewest moves: begins and ends with `R' U' F`).
    #[param(example = "333")]
    pub kind: Option<String>,
    /// Number of scrambles (default: 1). Their cubes are distinct; with `cube` or `target` the scrambles are.
    #[param(minimum = 1, maximum = 100)]
    pub count: Option<u32>,
    /// Maximum number of moves (default: 21, with `faces` 25). Wide moves of `333ni` and the six fixed moves of `333fm` do not count.
    #[serde(default, deserialize_with = "integer_of_range::<_, MIN_MAX_LENGTH, MAX_MAX_LENGTH>")]
    #[param(minimum = 20, maximum = 30)]
    pub max_length: Option<u32>,
    /// Cubes with a shorter solution are rejected (default: 2). Up to 11, it is proven that a cube has no shorter solution. Above 11, the
    /// scramble has at least this number of moves, without those that do not count for `max_length`.
    #[param(minimum = 0, maximum = 20)]
    pub min_length: Option<u32>,
    /// Cube that the scrambles lead to, as text in any form, instead of random ones. Not with `min_length`, `subset`, `cross_length`, `seed`
    /// or the kind `333ni`.
    pub cube: Option<String>,
    /// Form of the text in `cube`; without it, the form is recognised.
    #[param(value_type = Option<crate::api::types::described::CubeForm>)]
    pub cube_format: Option<Form>,
    /// Case that the scrambles lead to, as text in any form. Stickers may be `?`: the scrambles lead to up to 1000 cubes that have the other
    /// stickers, in random order, and equally often. Not with `cube`, nor with what excludes `cube`.
    pub target: Option<String>,
    /// Form of the text in `target`; without it, the form is recognised.
    #[param(value_type = Option<crate::api::types::described::CubeForm>)]
    pub target_format: Option<Form>,
    /// Whether the case may be in any of the 24 holdings: the same pattern on other faces, in their colours (default: false).
    pub target_up_to_rotation: Option<bool>,
    /// Face of the case whose turn is open: U, R, F, D, L or B.
    pub target_up_to_turn: Option<String>,
    /// Cubes to draw from (default: `all`): `edges`, `corners`, `after_cross` (the cross on D is solved), `last_slot` (the U layer, DFR and
    /// FR), `last_layer`, `zbll` (last layer with oriented edges), `pll` (oriented last layer), `eo`, `eo_ud`, `eo_rl`, `eo_fb`, `dr`, `dr_ud`, `dr_rl`,
    /// `dr_fb`, `htr`, or the names of the pieces to scramble, such as `UF UB URF`.
    #[param(example = "all")]
    pub subset: Option<String>,
    /// Faces that the scrambles may turn, such as `RU` (default: all). Each cube that these faces reach has the same probability. Not with
    /// `subset`, `cross_length` or the kinds `333ni` and `333fm`.
    pub faces: Option<String>,
    /// Least number of moves that solve the cross on `cross_face`. Each such cube has the same probability. Not with `subset` or `faces`.
    #[param(minimum = 1, maximum = 8)]
    pub cross_length: Option<u32>,
    /// Face of the cross, as the cube is held before the scramble (default: `D`).
    pub cross_face: Option<String>,
    /// Seed of 1 to 200 bytes. The same seed, kind, subset, faces, cross and `min_length` give the same cubes; without a seed the cubes are random.
    #[param(min_length = 1, max_length = 200)]
    pub seed: Option<String>,
    /// `json` or `text`, which has one scramble on each line (default: `text` if `Accept` prefers `text/plain`, otherwise `json`).
    #[param(inline)]
    pub format: Option<ScrambleFormat>,
}

/// Format of the scrambles in a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScrambleFormat {
    /// One JSON document.
    Json,
    /// One scramble on each line.
    Text,
}

/// Scrambles to distinct cubes, or distinct scrambles to the given cubes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Scrambles)]
pub struct ScramblesBody {
    /// Kind of the scrambles.
    #[schema(example = "333")]
    pub kind: &'static str,
    /// Cubes that they were drawn from: a name, or the names of pieces. Null if `cube`, `target` or `faces` was given.
    #[schema(example = "all")]
    pub subset: Option<String>,
    /// Faces that the scrambles may turn; null if all may turn.
    pub faces: Option<String>,
    /// Scrambles in WCA notation.
    pub scrambles: Vec<String>,
    /// Cube after each scramble, as it is then held: 54 letters URFDLB.
    pub facelets: Vec<String>,
    /// Whether the cubes are random. False with a seed, `cube`, or a `target` that is one cube, which determine them.
    pub random: bool,
    /// Seed, if one was given.
    pub seed: Option<String>,
    /// Source of the cubes: `operating system`; with a seed the name and version of the generator; `request` if one cube was given.
    #[schema(example = "operating system")]
    pub generator: &'static str,
    /// Permitted use of the scrambles.
    pub note: &'static str,
}

impl ScramblesBody {
    /// Creates the response to a request.
    pub fn new(request: &ScrambleRequest, found: Scrambles) -> Self {
        let Scrambles { scrambles, random, seed } = found;
        Self {
            kind: request.kind.name(),
            subset: (request.cubes.is_empty() && request.turns.is_all()).then(|| request.subset.to_string()),
            faces: (!request.turns.is_all()).then(|| request.turns.to_string()),
            facelets: scrambles.iter().map(|scramble| scramble.held().to_string()).collect(),
            scrambles: scrambles.into_iter().map(|scramble| scramble.text).collect(),
            random,
            seed,
            generator: match request.cubes.len() {
                _ if random => OPERATING_SYSTEM,
                0 => GENERATOR,
                _ => REQUEST,
            },
            note: NOTE,
        }
    }

    /// Returns the scrambles as lines.
    pub fn text(&self) -> String {
        self.scrambles.iter().flat_map(|scramble| [scramble, "\n"]).collect()
    }
}
