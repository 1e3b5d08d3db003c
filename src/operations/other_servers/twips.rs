//! `/v0/solve/pattern`: solves a pattern as `twips serve` does.
//!
//! Supported is the 3x3x3 of cubing.js. Solutions have face moves, and rotations at the end if the centres of the two patterns differ.
//! Unknown members of a request are ignored, as twips does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::strict::{integers, objects};
use crate::api::types::{CubeRequest, Cubies, Pattern, SolveRequest};
use crate::contract::{self, ToSchema};
use crate::http::extract::JsonBody;
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::{AppState, operation};
use crate::service::config::limits::MAX_LENGTH;
use superflip_cube::forms::{KPattern, Orbit};
use superflip_cube::{Cube, Face, Holding, Move, Moves};

/// A pattern to solve, and the puzzle it belongs to.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsRequest {
    /// Puzzle: the 3x3x3 of cubing.js.
    pub definition: TwipsDefinition,
    /// Pattern to solve, as `KPattern` data.
    #[schema(value_type = Object)]
    pub pattern: Pattern,
    /// Pattern after the solution (default: the default pattern of the puzzle).
    #[schema(value_type = Option<Object>)]
    pub start_pattern: Option<Pattern>,
    /// Options of the search.
    pub search_args: Option<TwipsSearchArgs>,
}

/// A puzzle, as a `KPuzzle` definition. Its face moves must be those of the 3x3x3 of cubing.js.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsDefinition {
    /// Kinds of pieces: `EDGES`, `CORNERS` and perhaps `CENTERS`.
    pub orbits: Vec<TwipsOrbit>,
    /// Solved pattern.
    #[schema(value_type = Object)]
    pub default_pattern: Pattern,
    /// Moves by name; of each, the effect on each orbit by name.
    pub moves: BTreeMap<String, BTreeMap<String, TwipsTransformation>>,
}

/// Pieces of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsOrbit {
    /// Name, such as `EDGES`.
    pub orbit_name: String,
    /// Number of pieces.
    #[serde(deserialize_with = "integers")]
    pub num_pieces: u32,
    /// Number of orientations of each piece.
    #[serde(deserialize_with = "integers")]
    pub num_orientations: u32,
}

/// Effect of a move on one orbit.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsTransformation {
    /// Slot from which the piece in each slot comes.
    #[serde(deserialize_with = "integers")]
    pub permutation: Vec<u32>,
    /// Orientation that is added to the piece in each slot.
    #[serde(deserialize_with = "integers")]
    pub orientation_delta: Vec<u32>,
}

/// Options of the search. `checkBeforeSolve`, `randomStart` and `startPruneDepth` are accepted and change nothing.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsSearchArgs {
    /// Least number of moves; only 0 is supported.
    #[serde(default, deserialize_with = "integers")]
    pub min_depth: Option<u32>,
    /// Number of moves that every solution must stay below.
    #[serde(default, deserialize_with = "integers")]
    pub max_depth: Option<u32>,
    /// Count quarter turns; only false is supported.
    pub quantum_metric: Option<bool>,
    /// Moves of the solution; the six faces must be among them.
    pub generator_moves: Option<Vec<String>>,
}

objects! { TwipsRequest TwipsDefinition TwipsOrbit TwipsTransformation TwipsSearchArgs }

/// A solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TwipsSolution {
    /// Moves, separated by one space.
    #[schema(example = "U R2 F'")]
    pub alg: String,
}

/// Orbits of the 3x3x3 with the numbers of their pieces and orientations. The last one may be absent.
const ORBITS: [(&str, u32, u32); 3] = [("EDGES", 12, 2), ("CORNERS", 8, 3), ("CENTERS", 6, 4)];

/// A checked request.
#[derive(Debug)]
pub struct TwipsTask {
    /// Cube whose solution leads from the pattern to the target, but for rotations.
    pub cube: Cube,
    /// Maximum number of moves. `None` for no limit.
    pub max_length: Option<u8>,
    /// Rotations behind the face moves.
    rotations: Rotations,
}

impl TwipsTask {
    /// Checks a request. Returns `None` if no solution is short enough.
    ///
    /// # Errors
    /// Returns a text that says what is not supported, or why a pattern is no cube.
    pub fn new(request: &TwipsRequest) -> Result<Option<Self>, String> {
        let TwipsRequest { definition, pattern, start_pattern, search_args } = request;
        check_definition(definition)?;
        let Pattern(target) = start_pattern.as_ref().unwrap_or(&definition.default_pattern);
        check_centres(definition, target)?;
        let defaults = TwipsSearchArgs::default();
        let args = search_args.as_ref().unwrap_or(&defaults);
        let moves = check_arguments(args)?;
        let (from, held) = cube_of("pattern", &pattern.0)?;
        let (to, end) = cube_of(if start_pattern.is_some() { "startPattern" } else { "defaultPattern" }, target)?;
        let Some(rotations) = rotations_between(held, end, moves.as_ref()) else {
            return Err("the centres of pattern differ from those of the target, so the solution needs a rotation; add x, y and z, \
                or M, E and S, to searchArgs.generatorMoves"
                .to_owned());
        };
        // The target as it is before the rotations.
        let to = held.from_home(&end.to_home(&to));
        let longest = args.max_depth.map(|depth| depth.checked_sub(1 + rotations.moves()));
        let max_length = match longest {
            Some(None) => return Ok(None),
            Some(Some(length)) => Some(u8::try_from(length).unwrap_or(MAX_LENGTH).min(MAX_LENGTH)),
            None => None,
        };
        Ok(Some(Self { cube: to.inverse().then(&from), max_length, rotations }))
    }

    /// Writes the solution with its rotations.
    pub fn alg(&self, moves: &[Move]) -> String {
        let parts = [Moves::from(moves).to_string(), self.rotations.to_string()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

fn cube_of(name: &str, pattern: &KPattern) -> Result<(Cube, Holding), String> {
    pattern.to_cube().map_err(|error| format!("{name}: {error}"))
}

/// Checks the orbits and the six face moves.
fn check_definition(definition: &TwipsDefinition) -> Result<(), String> {
    let orbits = &definition.orbits;
    let is_known = |orbit: &TwipsOrbit| {
        ORBITS.iter().any(|&(name, pieces, orientations)| {
            let any_orientation = name == "CENTERS" && orbit.num_orientations == 1;
            orbit.orbit_name == name
                && orbit.num_pieces == pieces
                && (orbit.num_orientations == orientations || any_orientation)
        })
    };
    let has = |name: &str| orbits.iter().filter(|orbit| orbit.orbit_name == name).count() == 1;
    if !(orbits.iter().all(is_known) && has("EDGES") && has("CORNERS")) {
        return Err("definition.orbits are not those of the 3x3x3 (12 EDGES, 8 CORNERS, 6 CENTERS); this server solves the 3x3x3 only"
            .to_owned());
    }
    let wrong = Face::ALL.into_iter().find(|face| !has_move(definition, *face));
    wrong.map_or(Ok(()), |face| {
        Err(format!("definition.moves.{face} is not the move {face} of the 3x3x3 of cubing.js; this server solves that puzzle only"))
    })
}

/// Returns whether the definition has the clockwise quarter turn of this face as cubing.js has it.
fn has_move(definition: &TwipsDefinition, face: Face) -> bool {
    let (Some(given), Some(mv)) = (definition.moves.get(face.name()), Move::of(face, 1)) else { return false };
    // The pattern after a move from solved is the transformation of the move.
    let moved = KPattern::of(mv.cube(), Holding::HOME).pattern_data;
    let is = |name: &str, orbit: &Orbit| {
        given.get(name).is_some_and(|TwipsTransformation { permutation, orientation_delta }| {
            (permutation, orientation_delta) == (&orbit.pieces, &orbit.orientation)
        })
    };
    let centres_stay = given.get("CENTERS").is_none_or(|centres| centres.permutation.iter().copied().eq(0..6));
    is("EDGES", &moved.edges) && is("CORNERS", &moved.corners) && centres_stay
}

/// Refuses a target in which the orientations of the centres count.
fn check_centres(definition: &TwipsDefinition, target: &KPattern) -> Result<(), String> {
    let have_orientations =
        definition.orbits.iter().any(|orbit| orbit.orbit_name == "CENTERS" && orbit.num_orientations > 1);
    let count = |centres: &Orbit| {
        centres.orientation_mod.as_ref().is_none_or(|divisors| divisors.iter().any(|divisor| *divisor != 1))
    };
    if have_orientations && target.pattern_data.centers.as_ref().is_some_and(count) {
        return Err("the target has exact orientations of CENTERS, which this server does not solve; set orientationMod of CENTERS to 1"
            .to_owned());
    }
    Ok(())
}

/// Checks the options. Returns the permitted moves, if they are given.
fn check_arguments(args: &TwipsSearchArgs) -> Result<Option<BTreeSet<String>>, String> {
    if let Some(depth) = args.min_depth.filter(|depth| *depth > 0) {
        return Err(format!(
            "searchArgs.minDepth is {depth}, but this server has no least length; set it to 0 or leave it out"
        ));
    }
    if args.quantum_metric == Some(true) {
        return Err(
            "searchArgs.quantumMetric is not supported: this server counts moves; set it to false or leave it out"
                .to_owned(),
        );
    }
    // A quarter turn in either direction generates all moves of its face.
    let plain = |name: &String| name.trim_end_matches('\'').to_owned();
    let moves: Option<BTreeSet<String>> = args.generator_moves.as_ref().map(|moves| moves.iter().map(plain).collect());
    let missing = |moves: &BTreeSet<String>| Face::ALL.into_iter().find(|face| !moves.contains(face.name()));
    if let Some(face) = moves.as_ref().and_then(missing) {
        return Err(format!(
            "searchArgs.generatorMoves does not contain {face}, but this server needs all six faces U L F R B D; add it or leave \
             generatorMoves out"
        ));
    }
    Ok(moves)
}

/// Solve a pattern, as `twips serve` does
///
/// For clients of `twips serve`, such as the pages of cubing.js. Solves the 3x3x3 of cubing.js; any other definition, and options that
/// this server does not have, are refused as text. The solution has at most 20 moves unless the time limit passes; it need not
/// be shortest.
#[contract::path(post, path = "/v0/solve/pattern", tag = "clients", operation_id = "solve_twips",
    request_body(content = TwipsRequest),
    responses((status = 200, description = "A solution", body = TwipsSolution),
        (status = 400, description = "What is wrong, or not supported", content_type = "text/plain", body = String),
        (status = 404, description = "`No solution found`: none is shorter than `maxDepth`, or none was found in time",
            content_type = "text/plain", body = String),
        (status = 408, description = "The body arrived too slowly", content_type = "text/plain", body = String),
        (status = 413, description = "The body is too large", content_type = "text/plain", body = String),
        (status = 415, description = "The body is not declared as JSON", content_type = "text/plain", body = String),
        Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    facts: RequestFacts,
    body: Result<JsonBody<TwipsRequest>, Problem>,
) -> Result<Response, Problem> {
    let refused = |status: StatusCode, text: String| Ok((status, text).into_response());
    let request = match body {
        Ok(JsonBody(request)) => request,
        Err(problem) if problem.code().status() < 500 => {
            // As of `twips serve`, a body that cannot be used gets one status.
            let status = match problem.code().status() {
                422 => StatusCode::BAD_REQUEST,
                other => StatusCode::from_u16(other).unwrap_or(StatusCode::BAD_REQUEST),
            };
            return refused(status, problem.document().detail.clone());
        }
        Err(problem) => return Err(problem),
    };
    let none = || refused(StatusCode::NOT_FOUND, "No solution found".to_owned());
    let asked = match TwipsTask::new(&request) {
        Ok(Some(asked)) => asked,
        Ok(None) => return none(),
        Err(text) => return refused(StatusCode::BAD_REQUEST, text),
    };
    let cubies = Some(Cubies::from(&asked.cube));
    let mut request = SolveRequest::of_cube(CubeRequest { cubies, ..CubeRequest::default() });
    request.limits.max_length = asked.max_length.map(u32::from);
    let mut task = Task::new(request, &state.config)?;
    let solver = state.solver_for(&mut task, &facts).await?;
    match state.search(solver, &task, facts.listener()).await {
        Ok(solved) => {
            facts.solved(&task.answer(&solved.outcome, solved.queued));
            Ok(Json(TwipsSolution { alg: asked.alg(&solved.outcome.moves) }).into_response())
        }
        Err(problem) if problem.code() == Code::NoSolutionWithinLimits => none(),
        Err(problem) => Err(problem),
    }
}

operation! {
    routes {
        "/v0/solve/pattern": post post;
    }
    links {}
    problems {
        /// Problems of `POST /v0/solve/pattern` that are no text.
        Problems: TABLES [Overloaded DeadlineUnreachable ShuttingDown];
    }
}

/// A rotation by quarter turns: its name, the face it follows, the places whose centres it moves in a cycle, and the face moves
/// and the slice move that it equals.
struct Axis {
    name: &'static str,
    /// The centre of each place moves to the next one.
    cycle: [Face; 4],
    /// The first and last have the direction of the rotation; the slice and the last face are inverted where `true`.
    parts: [(&'static str, bool); 3],
}

/// `x`, `y` and `z`. The parts are those that cubing.js publishes in the tests of its 3x3x3: `x` is `R M' L'`.
const AXES: [Axis; 3] = [
    Axis { name: "x", cycle: [Face::F, Face::U, Face::B, Face::D], parts: [("R", false), ("M", true), ("L", true)] },
    Axis { name: "y", cycle: [Face::R, Face::F, Face::L, Face::B], parts: [("U", false), ("E", true), ("D", true)] },
    Axis { name: "z", cycle: [Face::U, Face::R, Face::D, Face::L], parts: [("F", false), ("S", false), ("B", true)] },
];

/// At most two rotations, as moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Rotations(Vec<String>);

impl Rotations {
    /// Returns the number of moves.
    fn moves(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Rotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Returns the fewest rotations that lead from one holding to another, written with the permitted moves (default: all). A rotation
/// that is not permitted is written as moves of two faces and a slice. Returns `None` if the slice is not permitted either.
fn rotations_between(from: Holding, to: Holding, permitted: Option<&BTreeSet<String>>) -> Option<Rotations> {
    let rotations = || AXES.iter().flat_map(|axis| (1..4).map(move |quarters| (axis, quarters)));
    let single = rotations().map(|rotation| vec![rotation]);
    let pairs = rotations().flat_map(|first| rotations().map(move |second| vec![first, second]));
    let all = std::iter::once(Vec::new()).chain(single).chain(pairs);
    let leading = all.filter(|path| path.iter().fold(from.centres(), turned) == to.centres());
    leading.map(|path| written(&path, permitted)).find_map(|rotations| rotations)
}

/// Returns the centre at each place after a rotation.
fn turned(mut centres: [Face; Face::COUNT], &(axis, quarters): &(&Axis, usize)) -> [Face; Face::COUNT] {
    let before = centres;
    for (at, place) in axis.cycle.iter().enumerate() {
        centres[axis.cycle[(at + quarters) % 4].index()] = before[place.index()];
    }
    centres
}

fn written(path: &[(&Axis, usize)], permitted: Option<&BTreeSet<String>>) -> Option<Rotations> {
    let is_permitted = |name: &str| permitted.is_none_or(|moves| moves.contains(name));
    let mut moves = Vec::new();
    for (axis, quarters) in path {
        let amount = |is_inverted: bool| match (quarters, is_inverted) {
            (2, _) => "2",
            (1, false) | (3, true) => "",
            _ => "'",
        };
        if is_permitted(axis.name) {
            moves.push(format!("{}{}", axis.name, amount(false)));
        } else if is_permitted(axis.parts[1].0) {
            moves.extend(axis.parts.iter().map(|(name, is_inverted)| format!("{name}{}", amount(*is_inverted))));
        } else {
            return None;
        }
    }
    Some(Rotations(moves))
}
