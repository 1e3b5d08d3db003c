//! `/scramble` and `superflip scramble`: random-state scrambles.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use clap::builder::TypedValueParser as _;
use clap::{ArgAction, Args};
use serde::{Deserialize, Deserializer, Serialize};

use crate::api::problem::{Code, Problem};
use crate::api::request::options::{in_range, turns_of_faces};
use crate::api::types::fields::fields;
use crate::api::types::strict::{Value, integer_of_range, values};
use crate::api::types::{CubeAndTarget, CubeRequest, CubeValue, TargetOptions};
use crate::cli::args::{Configuration, examples, format_of_name};
use crate::cli::input::text_of;
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, solver_for_one};
use crate::contract::{self, ToSchema};
use crate::http::extract::{QueryString, prefers};
use crate::http::json::Json;
use crate::http::{AppState, operation};
use crate::service::pool::{Deadline, has_answer};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Face, Form, TurnSet};
use superflip_solver::Control;
use superflip_solver::search::scramble::{
    self, Cross, DEFAULT_MAX_LENGTH, DEFAULT_MAX_LENGTH_OF_FACES, DEFAULT_MIN_LENGTH, GENERATOR, MAX_CROSS_LENGTH,
    MAX_MAX_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES, MIN_MAX_LENGTH, NameError, ScrambleError, ScrambleKind,
    ScrambleRequest, Subset, generate_with,
};
use superflip_solver::tables::metric::StepSet;

/// Use of the scrambles, as every response states it.
const NOTE: &str =
    "For training. Official competitions must use the official scramble program of the WCA (regulation 4f).";

/// Name of the generator without a seed.
const OPERATING_SYSTEM: &str = "operating system";

/// Source of a given cube.
const REQUEST: &str = "request";

fields! {
    /// The scrambles to generate.
    #[derive(Args)]
    pub struct Query in Query {
        /// `333` (default), `333oh` (one-handed, the same as `333`), `333ni` (no inspection: up to two wide moves at the end, for
        /// blindfolded solving) or `333fm` (fewest moves: begins and ends with `R' U' F`).
        #[schema(example = "333")]
        #[arg(long, value_name = "KIND", help = "Kind: 333, 333oh (one-handed), 333ni (no inspection) or 333fm (fewest moves) [default: 333]")]
        pub kind: Option<String>,
        /// Number of scrambles (default: 1). Their cubes are distinct; with `cube` or `target` the scrambles are.
        #[schema(minimum = 1, maximum = 100)]
        #[arg(long, value_name = "N", help = "Number of scrambles, 1 to 100 [default: 1]")]
        pub count: Option<u32>,
        /// Maximum number of moves (default: 21, with `faces` 25). Wide moves of `333ni` and the six fixed moves of `333fm` do not count.
        #[schema(value_type = Option<u32>, minimum = 20, maximum = 30)]
        #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).map(MaxLength),
            help = "Maximum number of moves, 20 to 30 [default: 21, with --faces 25]",
            long_help = "Maximum number of moves, 20 to 30 [default: 21, with --faces 25]\n\n\
                The wide moves of 333ni and the six fixed moves of 333fm do not count.")]
        pub max_length: Option<MaxLength>,
        /// Cubes with a shorter solution are rejected (default: 2). Up to 11, it is proven that a cube has no shorter solution. Above 11, the
        /// scramble has at least this number of moves, without those that do not count for `max_length`.
        #[schema(minimum = 0, maximum = 20)]
        #[arg(long, value_name = "MOVES", help = "Reject cubes that have a shorter solution, 0 to 20 [default: 2]",
            long_help = "Reject cubes that have a shorter solution, 0 to 20 [default: 2]\n\n\
                Up to 11, the check is a proof. Above 11, only the scramble has at least this number of moves.")]
        pub min_length: Option<u32>,
        /// Cube that the scrambles lead to, as text in any form, instead of random ones. Not with `min_length`, `subset`, `cross_length`, `seed`
        /// or the kind `333ni`.
        #[arg(long, value_name = "CUBE", help = "Scramble to this cube, in any form, instead of random ones; `-` reads standard input")]
        pub cube: Option<String>,
        /// Form of the text in `cube`; without it, the form is recognised.
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        #[arg(long, value_name = "FORM", value_parser = format_of_name, help = "Form of --cube; without it, the form is recognised")]
        pub cube_format: Option<Form>,
        /// Case that the scrambles lead to, as text in any form. Stickers may be `?`: the scrambles lead to up to 1000 cubes that have the other
        /// stickers, in random order, and equally often. Not with `cube`, nor with what excludes `cube`.
        #[arg(long, value_name = "CUBE", help = "Scramble to this case, in any form: stickers may be `?`",
            long_help = "Scramble to this case, in any form: stickers may be `?`\n\n\
                The scrambles lead to up to 1000 cubes of the case, in random order, and equally often.")]
        pub target: Option<String>,
        /// Form of the text in `target`; without it, the form is recognised.
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        #[arg(long, value_name = "FORM", value_parser = format_of_name, help = "Form of --target; without it, the form is recognised")]
        pub target_format: Option<Form>,
        /// Whether the case may be in any of the 24 holdings: the same pattern on other faces, in their colours (default: false).
        #[arg(long, action = ArgAction::SetTrue, help = "Allow --target in any of the 24 holdings: the same pattern on other faces")]
        pub target_up_to_rotation: Option<bool>,
        /// Face of the case whose turn is open: U, R, F, D, L or B.
        #[arg(long, value_name = "FACE", help = "Face of --target whose turn is open: U, R, F, D, L or B")]
        pub target_up_to_turn: Option<String>,
        /// Cubes to draw from (default: `all`): `edges`, `corners`, `after_cross` (the cross on D is solved), `last_slot` (the U layer, DFR and
        /// FR), `last_layer`, `zbll` (last layer with oriented edges), `pll` (oriented last layer), `eo`, `eo_ud`, `eo_rl`, `eo_fb`, `dr`, `dr_ud`, `dr_rl`,
        /// `dr_fb`, `htr`, or the names of the pieces to scramble, such as `UF UB URF`.
        #[schema(example = "all")]
        #[arg(long, value_name = "SUBSET", help = "Cubes to draw from: a name, or pieces such as \"UF UB URF\" [default: all]",
            long_help = "Cubes to draw from: a name, or pieces such as \"UF UB URF\" [default: all]\n\n\
                The names are all, edges, corners, `after_cross`, `last_slot`, `last_layer`, zbll, pll, eo, dr, htr, and eo and dr of one axis, such as `eo_ud` or `dr_fb`.")]
        pub subset: Option<String>,
        /// Faces that the scrambles may turn, such as `RU` (default: all). Each cube that these faces reach has the same probability. Not with
        /// `subset`, `cross_length` or the kinds `333ni` and `333fm`.
        #[arg(long, value_name = "FACES", help = "Faces that the scrambles may turn, such as RU [default: all]",
            long_help = "Faces that the scrambles may turn, such as RU [default: all]\n\nThe cubes are all that these faces reach.")]
        pub faces: Option<String>,
        /// Least number of moves that solve the cross on `cross_face`. Each such cube has the same probability. Not with `subset` or `faces`.
        #[schema(minimum = 1, maximum = 8)]
        #[arg(long, value_name = "MOVES", help = "Draw cubes whose cross can be solved in this many moves and no fewer, 1 to 8")]
        pub cross_length: Option<u32>,
        /// Face of the cross, as the cube is held before the scramble (default: `D`).
        #[arg(long, value_name = "FACE", help = "Face of the cross [default: D]")]
        pub cross_face: Option<String>,
        /// Seed of 1 to 200 bytes. The same seed, kind, subset, faces, cross and `min_length` give the same cubes; without a seed the cubes are random.
        #[schema(min_length = 1, max_length = 200)]
        #[arg(long, value_name = "TEXT", help = "Seed: the same seed, kind, subset, faces, cross and --min-length give the same cubes")]
        pub seed: Option<String>,
        /// `json` or `text`, which has one scramble on each line (default: `text` if `Accept` prefers `text/plain`, otherwise `json`).
        #[schema(inline)]
        #[arg(skip)]
        pub format: Option<ScrambleFormat>,
    }
}

/// Maximum number of moves of a scramble. Errors of other values name its range, which differs from that of solutions.
#[derive(Clone, Copy, Debug)]
pub struct MaxLength(pub u32);

impl Value for MaxLength {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        integer_of_range::<_, MIN_MAX_LENGTH, MAX_MAX_LENGTH>(deserializer).map(Self)
    }
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

values! { words ScrambleFormat }

/// Scrambles to distinct cubes, or distinct scrambles to the given cubes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Scrambles {
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

impl Scrambles {
    /// Creates the response to a request.
    pub fn new(request: &ScrambleRequest, found: scramble::Scrambles) -> Self {
        let scramble::Scrambles { scrambles, random, seed } = found;
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

/// Returns the cubes that the scrambles must lead to ([`CubeAndTarget::destinations`]), if they are given.
fn given_cubes(query: &Query) -> Option<CubeAndTarget> {
    let cube = query.cube.clone().map(CubeValue::Text);
    let cube = CubeRequest { cube, format: query.cube_format, ..CubeRequest::default() };
    let target = TargetOptions {
        target: query.target.clone().map(CubeValue::Text),
        target_format: query.target_format,
        target_up_to_rotation: query.target_up_to_rotation,
        target_up_to_turn: query.target_up_to_turn.clone(),
    };
    let describes_target =
        target.target_format.is_some() || target.target_up_to_rotation.is_some() || target.target_up_to_turn.is_some();
    let is_given = cube.cube.is_some() || target.target.is_some() || describes_target;
    is_given.then_some(CubeAndTarget { cube, target })
}

/// Names the parameter that says the form of the cube: in other requests it is `format`.
fn with_cube_format(problem: Problem) -> Problem {
    problem.with(|document| document.detail = document.detail.replace("`format", "`cube_format"))
}

/// Returns the checked request, without the cubes of `given_cubes`.
///
/// # Errors
/// Returns an error for the first parameter that is out of range or has no effect, and if the subset has too few cubes.
pub fn checked(query: Query) -> Result<ScrambleRequest, Problem> {
    check_given(&query)?;
    let (has_cube, has_target) = (query.cube.is_some(), query.target.is_some());
    let cross = cross(&query)?;
    let Query { kind, count, max_length, min_length, subset, faces, seed, .. } = query;
    let turns = faces.map_or(Ok(TurnSet::ALL), |faces| turns_of_faces(&faces))?;
    let count = in_range("count", count.unwrap_or(1), 1..=MAX_SCRAMBLES as u64, "")?;
    let default_length = if turns.is_all() { DEFAULT_MAX_LENGTH } else { DEFAULT_MAX_LENGTH_OF_FACES };
    let max_length = max_length.map_or(default_length.into(), |MaxLength(length)| length);
    let lengths = MIN_MAX_LENGTH.into()..=MAX_MAX_LENGTH.into();
    let max_length = in_range("max_length", max_length, lengths, ", because some cubes need 20 moves")?;
    let min_length = min_length.unwrap_or(DEFAULT_MIN_LENGTH.into());
    let lengths = 0..=MAX_MIN_LENGTH.into();
    let min_length = in_range("min_length", min_length, lengths, ", because no cube needs more moves")?;
    let kind =
        kind.map_or(Ok(ScrambleKind::default()), |name| name.parse()).map_err(|error| unknown("kind", &error))?;
    let subset =
        subset.map_or(Ok(Subset::default()), |name| name.parse()).map_err(|error| unknown("subset", &error))?;
    let request =
        ScrambleRequest { kind, count, max_length, min_length, subset, turns, cross, seed, cubes: Vec::new() };
    // The cubes are read later; a target may have enough of them.
    let cubes = if has_target { count } else { usize::from(has_cube) };
    ScrambleRequest { cubes: vec![Cube::SOLVED; cubes], ..request.clone() }.check()?;
    Ok(request)
}

/// Reads the cross that the cubes must have.
fn cross(query: &Query) -> Result<Option<Cross>, Problem> {
    let refused = |detail: String| Err(Problem::new(Code::OptionOutOfRange, detail).in_field("cross_face"));
    match (query.cross_length, query.cross_face.as_deref()) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            refused("`cross_face` is the face of the cross; give `cross_length`, or remove `cross_face`.".to_owned())
        }
        (Some(length), face) => {
            let lengths = 1..=MAX_CROSS_LENGTH.into();
            let why = ", because no cross needs more moves; the subset `after_cross` has cubes with a solved cross";
            let length = in_range("cross_length", length, lengths, why)?;
            let mut letters = face.unwrap_or("D").chars();
            match (letters.next().and_then(Face::from_letter), letters.next()) {
                (Some(face), None) => Ok(Some(Cross { face, length })),
                _ => refused("`cross_face` must be one of the letters U, R, F, D, L and B.".to_owned()),
            }
        }
    }
}

/// Checks that no parameter contradicts `cube` or `target`, or describes a cube that is not given.
fn check_given(query: &Query) -> Result<(), Problem> {
    let refused = |field: &str, detail: &str| Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field));
    if query.cube.is_none() && query.cube_format.is_some() {
        return refused("cube_format", "`cube_format` is the form of `cube`; give `cube`, or remove `cube_format`.");
    }
    let given = match (&query.cube, &query.target) {
        (None, None) => return Ok(()),
        (Some(_), None) => "cube",
        (None, Some(_)) => "target",
        (Some(_), Some(_)) => {
            return refused("target", "`cube` and `target` both say where the scrambles lead; remove one of them.");
        }
    };
    let drawing = [
        ("min_length", query.min_length.is_some()),
        ("subset", query.subset.is_some()),
        ("cross_length", query.cross_length.is_some()),
        ("cross_face", query.cross_face.is_some()),
        ("seed", query.seed.is_some()),
    ];
    if let Some((field, _)) = drawing.into_iter().find(|(_, is_given)| *is_given) {
        let detail =
            format!("`{field}` is for random cubes, but `{given}` gives the cube; remove `{field}` or `{given}`.");
        return refused(field, &detail);
    }
    if query.kind.as_deref() == Some(ScrambleKind::NoInspection.name()) {
        let detail = format!(
            "A scramble of kind `333ni` ends in a random holding, so it does not lead to `{given}` as it is given; use the kind `333`."
        );
        return refused("kind", &detail);
    }
    Ok(())
}

/// Returns the problem for a name that is not one of those known.
fn unknown(field: &str, error: &NameError) -> Problem {
    Problem::new(Code::OptionOutOfRange, format!("{error}.")).within(field)
}

/// Generate scrambles
///
/// Draws each cube with equal probability from all cubes of the subset that need at least `min_length` moves, and returns a maneuver to
/// it (random-state scrambles, WCA regulation 4b3). With `faces`, the cubes are those that these faces reach, and the scrambles turn no others. Above 11, `min_length` limits the scramble, not the shortest solution. The scrambles are for training: official competitions must use the official scramble
/// program (4f). With a seed, the cubes are the same in every release; the moves may differ between releases and table profiles. With
/// `cube` or `target`, the scrambles lead to this cube or case.
#[contract::path(get, path = "/scramble", tag = "scrambles", operation_id = "scramble", params(Query),
    responses((status = 200, description = "The scrambles; as text, one on each line", content(
        (Scrambles = "application/json"), (String = "text/plain"))), Problems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<Query>,
) -> Result<Response, Problem> {
    let vary = [(header::VARY, "accept")];
    let is_text = query.format.map_or_else(|| prefers(&headers, "text/plain"), |format| format == ScrambleFormat::Text);
    let given = given_cubes(&query);
    let request = checked(query)?;
    let cubes = match given {
        Some(given) => state.read(given, CubeAndTarget::destinations).await.map_err(with_cube_format)?,
        None => Vec::new(),
    };
    let request = ScrambleRequest { cubes, ..request };
    let found = scrambles(&state, request.clone()).await?;
    let body = Scrambles::new(&request, found);
    Ok(if is_text { (vary, body.text()).into_response() } else { (vary, Json(body)).into_response() })
}

/// Maximum number of scrambles that are a quick job. Each takes about a millisecond.
const QUICK_COUNT: usize = 10;
/// Time after its deadline in which a job may end. It reads the clock between cubes.
const LAST_CUBE: Duration = Duration::from_secs(1);

/// Generates scrambles on a worker thread, within the time limit of the longest search.
///
/// # Errors
/// Returns an error if the tables are not ready, the job is refused, or the time limit passes.
pub(crate) async fn scrambles(state: &AppState, request: ScrambleRequest) -> Result<scramble::Scrambles, Problem> {
    let tables = state.tables_for_work()?;
    let deadline = Instant::now() + Duration::from_millis(state.config.search.max_time_limit_ms);
    let sets = state.tables_of_turns(request.turns, deadline).await?;
    // Cubes of a subset take up to 0.1 s each, and short maneuvers and those of some faces some milliseconds.
    let is_all = request.subset == Subset::ALL && request.turns.is_all() && request.cross.is_none();
    let is_quick = request.count <= QUICK_COUNT && is_all && request.max_length >= DEFAULT_MAX_LENGTH;
    let lane = if is_quick { state.lanes.quick() } else { state.lanes.long() };
    let job = move |control: &Control| {
        // Many scrambles are as a batch: they leave the cores to other work.
        if request.count > QUICK_COUNT {
            has_answer();
        }
        generate_with(&tables, &sets, &request, &control.until(deadline))
    };
    Ok(lane.run_for_answer(Deadline::EndBy(deadline + LAST_CUBE), job).await??)
}

operation! {
    routes {
        "/scramble": get get;
    }
    links {
        GET "/scramble" "A random-state scramble";
    }
    problems {
        /// Problems of `GET /scramble`.
        Problems: QUERY CUBE SEARCH TABLES METRIC [OutOfReach TargetTooOpen];
    }
}

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
pub struct Flags {
    /// The scrambles to generate.
    #[command(flatten)]
    pub query: Query,
    /// Write JSON as GET /scramble does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Writes scrambles.
///
/// # Errors
/// Returns an error if an option is invalid, the tables are not available, or the time limit passes.
pub fn run(args: &Flags) -> Result<(), Failure> {
    let config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    let mut query = args.query.clone();
    for text in [&mut query.cube, &mut query.target].into_iter().flatten() {
        *text = text_of(text)?;
    }
    // An absent flag is false.
    query.target_up_to_rotation = query.target_up_to_rotation.filter(|is_given| *is_given);
    let given = given_cubes(&query);
    let request = checked(query).map_err(|problem| refuse(args.json, &problem, 2))?;
    let cubes = given.map_or_else(|| Ok(Vec::new()), CubeAndTarget::destinations);
    let cubes = cubes.map_err(|problem| refuse(args.json, &with_cube_format(problem), 2))?;
    let control = Control::new();
    let steps = StepSet { metric: Metric::Htm, turns: request.turns };
    let solver = solver_for_one(&args.configuration, &config, steps, None, &control)?;
    let deadline = Instant::now() + Duration::from_millis(config.search.max_time_limit_ms);
    let request = ScrambleRequest { cubes, ..request };
    let found = generate_with(solver.tables(), solver.sets(), &request, &control.until(deadline));
    let found = found.map_err(|error| match error {
        ScrambleError::NoRandomness { .. } | ScrambleError::Cancelled => Failure::runtime(error),
        error => refuse(args.json, &Problem::from(error), 1),
    })?;
    let body = Scrambles::new(&request, found);
    if args.json { print_json(&body) } else { print(&body.text()) }
}
