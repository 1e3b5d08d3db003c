//! `/coords/{name}/{value}`: one value of a coordinate, and its images under moves and symmetries.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::coordinate::UNTABLED;
#[cfg(feature = "contract")]
use super::{ApplyProblems, TransformProblems, ValueProblems};
use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use crate::api::types::{self, Cubies, same_fields};
use crate::contract::{self, IntoParams, ToSchema};
use crate::http::AppState;
use crate::http::extract::{NoQuery, PathParts, QueryString};
use crate::http::json::Json;
use superflip_coords::space::{ClassOf, Frame, Space, SpaceError, SpaceState, expression, rule};
use superflip_cube::{Move, Moves, Symmetry};
use superflip_solver::coord::INDEX_TWIST;

/// Change of the distance from solved by a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DistanceChange {
    /// One less.
    Nearer,
    /// Unchanged.
    Level,
    /// One more.
    Farther,
}

/// Value after one move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Neighbour {
    /// Move that leads to the neighbour.
    #[serde(rename = "move")]
    pub mv: &'static str,
    /// Value after the move; null if the coordinate is undefined there.
    pub value: Option<u64>,
    /// Distance from solved.
    pub distance: Option<u32>,
    /// Change of the distance.
    pub leads: Option<DistanceChange>,
}

/// Value of a coordinate.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CoordinateValue {
    /// Name of the coordinate.
    pub name: String,
    /// Value; the smallest of those that mean the same, which is the one that `GET /coords` returns for a cube.
    pub value: u64,
    /// All packed values that mean the same raw value, including the requested one; null for other coordinates.
    pub equivalent: Option<Vec<u64>>,
    /// Offset: 0 (the identity), because the value stands for its representative. Null if the value includes its symmetry or has none.
    pub offset: Option<usize>,
    /// Explanation of `offset`; null without one.
    pub offset_note: Option<&'static str>,
    /// Raw value that moves act on; of the first part if the coordinate is composed of two.
    pub raw: u32,
    /// Raw value of the second part; null if there is none.
    pub raw_second: Option<u32>,
    /// Cube with this value, as 54 letters URFDLB.
    pub facelets: String,
    /// The same cube as Kociemba's arrays.
    pub cubies: Cubies,
    /// Class of the raw value; null if no group reduces the coordinate.
    pub class: Option<Class>,
    /// Exact number of moves to solved; null if the coordinate has no table.
    pub distance: Option<u32>,
    /// Shortest sequence of moves to solved; null if the coordinate has no table.
    pub to_solved: Option<String>,
    /// Reason why there is no distance; null if there is one.
    pub distance_reason: Option<&'static str>,
    /// Value after each of the 18 moves.
    pub neighbours: Vec<Neighbour>,
}

/// Returns the raw value of the second part, if there is one.
fn raw_second(space: &Space, state: SpaceState) -> Option<u32> {
    (!space.plan().rest.is_empty()).then_some(state.rest)
}

/// Explanation of the offset.
const OFFSET_NOTE: &str = "the value does not include the offset (the symmetry S for which S x S^-1 is the representative). This \
                           answer uses the representative itself, with offset 0";

/// Returns the offset: the symmetry of the frame, if the value does not include it.
fn offset(space: &Space, frame: Option<Frame>) -> Option<usize> {
    frame.filter(|_| !space.plan().packed).map(|frame| frame.symmetry.index())
}

impl CoordinateValue {
    /// Describes a value that occurs.
    pub fn new(space: &Space, state: SpaceState) -> Self {
        let (cube, value) = (space.cube(state), space.value(state));
        let distance = space.distance(state);
        let neighbours = Move::ALL.iter().map(|&mv| {
            let after = space.after(state, mv);
            let there = after.and_then(|after| space.distance(after));
            let leads = there.zip(distance).map(|(there, here)| match there.cmp(&here) {
                std::cmp::Ordering::Less => DistanceChange::Nearer,
                std::cmp::Ordering::Equal => DistanceChange::Level,
                std::cmp::Ordering::Greater => DistanceChange::Farther,
            });
            let value = after.map(|after| space.value(after));
            Neighbour { mv: mv.name(), value, distance: there, leads }
        });
        let offset = offset(space, space.frame(value));
        Self {
            name: space.plan().label.clone(),
            value,
            equivalent: space.equivalent(state),
            offset,
            offset_note: offset.map(|_| OFFSET_NOTE),
            raw: state.base,
            raw_second: raw_second(space, state),
            facelets: cube.to_string(),
            cubies: (&cube).into(),
            class: space.class_of(state).map(Into::into),
            distance,
            to_solved: space.to_solved(state).map(|maneuver| Moves::from(&maneuver).to_string()),
            distance_reason: distance.is_none().then_some(UNTABLED),
            neighbours: neighbours.collect(),
        }
    }
}

/// Symmetry to transform a value by.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TransformQuery {
    /// Index of the symmetry, 0 to 47, as in `GET /symmetries`.
    #[param(minimum = 0, maximum = 47, example = 2)]
    pub symmetry: u32,
}

/// Value transformed by a symmetry.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TransformedValue {
    /// Name of the coordinate.
    pub name: String,
    /// Requested value; the smallest of those that mean the same.
    pub value: u64,
    /// Symmetry.
    pub symmetry: types::Symmetry,
    /// Value of s x s^-1.
    pub transformed: u64,
    /// Raw value of s x s^-1.
    pub raw: u32,
    /// Raw value of its second part; null if there is none.
    pub raw_second: Option<u32>,
    /// Distance from solved.
    pub distance: Option<u32>,
    /// Cube with that value.
    pub facelets: String,
}

impl TransformedValue {
    /// Transforms `from` by `s`.
    ///
    /// # Errors
    /// Returns an error if the symmetry does not act on the coordinate.
    pub fn new(space: &Space, from: SpaceState, s: Symmetry) -> Result<Self, SpaceError> {
        let state = space.transform(from, s)?;
        Ok(Self {
            name: space.plan().label.clone(),
            value: space.value(from),
            symmetry: s.into(),
            transformed: space.value(state),
            raw: state.base,
            raw_second: raw_second(space, state),
            distance: space.distance(state),
            facelets: space.cube(state).to_string(),
        })
    }
}

/// Class of a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Class {
    /// Group under which classes are formed.
    pub group: &'static str,
    /// Number of the class; null if classes are not numbered.
    pub class: Option<u32>,
    /// Symmetry S for which S x S^-1 is the representative.
    #[schema(value_type = usize)]
    pub symmetry: Symmetry,
    /// Raw value of the representative, the smallest of the class.
    pub representative: u32,
    /// Number of raw values in the class.
    pub orbit: usize,
    /// Symmetries of the group that keep the value.
    #[schema(value_type = Vec<usize>)]
    pub self_symmetries: Vec<Symmetry>,
    /// Symmetries of the group that keep the representative.
    #[schema(value_type = Vec<usize>)]
    pub representative_self_symmetries: Vec<Symmetry>,
}

same_fields! {
    ClassOf => Class { group, class, symmetry, representative, orbit, self_symmetries, representative_self_symmetries }
    rule::SymMoveLookup => SymMoveLookup { i, m, m1 }
    rule::MoveTableLookup => MoveTableLookup { j, m1, j1, i1 }
    rule::SecondLookup => SecondLookup { c, m1, moved, i1, transformed }
    rule::SymMultLookup => SymMultLookup { i1, i, product }
    rule::CanonicalLookup => CanonicalLookup { t, product, symmetry, second }
}

/// Value after one more move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ManeuverStep {
    /// Move that was applied.
    #[serde(rename = "move")]
    pub mv: &'static str,
    /// Value after the move.
    pub value: u64,
    /// Offset after the move: the symmetry S for which S x S^-1 is the representative; null if the value includes it.
    pub offset: Option<usize>,
    /// Raw value after the move, of the cube itself, not of its representative.
    pub raw: u32,
    /// Raw value of the second part, of the cube itself; null if there is none.
    pub raw_second: Option<u32>,
    /// Distance from solved after the move.
    pub distance: Option<u32>,
    /// Look-ups of a sym-coordinate; null for other coordinates.
    pub rule: Option<SymMoveRule>,
}

/// Moves applied to a value.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppliedManeuver {
    /// Name of the coordinate.
    pub name: String,
    /// Value before the first move; the smallest of those that mean the same.
    pub value: u64,
    /// All packed values that mean the same raw value; null for other coordinates.
    pub equivalent: Option<Vec<u64>>,
    /// Offset before the first move: 0 (the identity); null if the value includes its symmetry.
    pub offset: Option<usize>,
    /// Explanation of `offset`; null without one.
    pub offset_note: Option<&'static str>,
    /// Distance from solved.
    pub distance: Option<u32>,
    /// Moves, expanded.
    pub moves: String,
    /// Value after each move.
    pub steps: Vec<ManeuverStep>,
    /// Value after the last move.
    pub end: u64,
}

impl AppliedManeuver {
    /// Applies the moves.
    ///
    /// # Errors
    /// Returns an error for the first move after which the coordinate is undefined.
    pub fn new(space: &Space, state: SpaceState, moves: &[Move]) -> Result<Self, Problem> {
        let value = space.value(state);
        let start = space.frame(value);
        let (mut frame, mut here, mut steps) = (start, state, Vec::with_capacity(moves.len()));
        for (number, &mv) in moves.iter().enumerate() {
            let (rule, after) = frame.and_then(|frame| space.sym_rule(frame, mv)).unzip();
            here = space.after(here, mv).ok_or_else(|| move_not_valid(space, mv.name(), number))?;
            frame = after;
            steps.push(ManeuverStep {
                mv: mv.name(),
                value: space.value(here),
                offset: offset(space, frame),
                raw: here.base,
                raw_second: raw_second(space, here),
                distance: space.distance(here),
                rule: rule.map(Into::into),
            });
        }
        let offset = offset(space, start);
        Ok(Self {
            name: space.plan().label.clone(),
            value,
            equivalent: space.equivalent(state),
            offset,
            offset_note: offset.map(|_| OFFSET_NOTE),
            distance: space.distance(state),
            moves: Moves::from(moves).to_string(),
            steps,
            end: space.value(here),
        })
    }
}

/// Moves to apply.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ApplyQuery {
    /// Moves, such as `R U R' U'`; groups, commutators and conjugates are expanded.
    #[param(example = "R U R' U'")]
    pub moves: String,
}

/// Look-ups for one move of a sym-coordinate: Kociemba's three, and Nissy's for a second part.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SymMoveRule {
    /// `SymMove[i, M]`: the move M as seen from the representative.
    pub sym_move: SymMoveLookup,
    /// `MoveTable[j, M1]`: the class, and the symmetry that leads to its representative.
    pub move_table: MoveTableLookup,
    /// Look-ups for the second part; null if there is none.
    pub second: Option<SecondLookup>,
    /// `SymMult[i1, i]`: the product of the two symmetries.
    pub sym_mult: SymMultLookup,
    /// Choice of the smallest product, if symmetries keep the representative of the new class and several products lead to it.
    pub canonical: CanonicalLookup,
}

impl From<rule::SymRule> for SymMoveRule {
    fn from(from: rule::SymRule) -> Self {
        let rule::SymRule { sym_move, move_table, second, sym_mult, canonical } = from;
        Self {
            sym_move: sym_move.into(),
            move_table: move_table.into(),
            second: second.map(Into::into),
            sym_mult: sym_mult.into(),
            canonical: canonical.into(),
        }
    }
}

/// First look-up: the move as seen from the representative.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SymMoveLookup {
    /// Symmetry of the value, or the offset if the value does not include it.
    pub i: usize,
    /// Move M that is applied to the value.
    pub m: &'static str,
    /// Move as seen from the representative: S(i) M S(i)^-1.
    pub m1: &'static str,
}

/// Second look-up: the class after the move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveTableLookup {
    /// Class of the value.
    pub j: u32,
    /// Move as seen from the representative.
    pub m1: &'static str,
    /// Class after the move.
    pub j1: u32,
    /// Symmetry that leads to the representative of that class.
    pub i1: usize,
}

/// Look-ups for the second part, which is stored as seen from the representative of the first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SecondLookup {
    /// Value of the second part before the move.
    pub c: u32,
    /// Move as seen from the representative.
    pub m1: &'static str,
    /// Value of the second part after the move `m1`: the entry of its move table in row `c` and column `m1`.
    pub moved: u32,
    /// Symmetry that leads to the representative of the new class.
    pub i1: usize,
    /// The value `moved` as seen from the representative of the new class: that of S(i1) x S(i1)^-1, where x has the value `moved`.
    pub transformed: u32,
}

/// Third look-up: the product of the two symmetries.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SymMultLookup {
    /// Symmetry found by the second look-up.
    pub i1: usize,
    /// Symmetry of the value, or the offset if the value does not include it.
    pub i: usize,
    /// Product S(i1) S(i).
    pub product: usize,
}

/// Choice among the symmetries that lead to the same representative.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CanonicalLookup {
    /// Symmetry that keeps the representative of the new class; 0 if the product is unchanged.
    pub t: usize,
    /// Product of the third look-up.
    pub product: usize,
    /// S(t) S(product), the smallest possible: the symmetry of the value after the move, or the offset after it.
    pub symmetry: usize,
    /// Value of S(t) x S(t)^-1, where x has the value `transformed`; null if there is no second part.
    pub second: Option<u32>,
}

/// Returns the state of a value.
///
/// # Errors
/// Returns an error for a value out of range, and for a value that no cube has.
pub(super) fn checked(space: &Space, value: u64) -> Result<SpaceState, Problem> {
    let label = &space.plan().label;
    if value >= space.size() {
        return Err(value_out_of_range(space, &value.to_string()));
    }
    space.state(value).ok_or_else(|| {
        let reason = match space.plan().entry {
            Some(entry) if entry.descriptor == &INDEX_TWIST => {
                "the twists of its corners would not add up to a multiple of 3"
            }
            Some(_) => "an odd number of edges would be flipped",
            None => "its parts contradict each other",
        };
        Problem::new(Code::NoSuchValue, format!("No cube has the value {value} of `{label}`: {reason}."))
    })
}

/// Returns the problem for a value that is too large, also for its type.
fn value_out_of_range(space: &Space, value: &str) -> Problem {
    let (label, most) = (&space.plan().label, space.size() - 1);
    let detail = format!("Value {} of `{label}` is out of range; expected an integer from 0 to {most}.", short(value));
    Problem::new(Code::ValueOutOfRange, detail)
}

/// Returns the problem for a move after which the coordinate is undefined. `number` counts from 0.
fn move_not_valid(space: &Space, mv: &str, number: usize) -> Problem {
    let valid = space.moves().iter().map(|mv| mv.name()).collect::<Vec<_>>().join(" ");
    let label = &space.plan().label;
    let detail = format!(
        "Move {} of `moves`, {mv}, leaves phase 2, and `{label}` is undefined outside phase 2. Use only these moves: {valid}.",
        number + 1
    );
    Problem::new(Code::MoveNotValid, detail).in_field("moves")
}

/// Maximum number of moves to apply in one request.
const MAX_MOVES: usize = 1000;

/// Get a value of a coordinate
///
/// Returns a cube with the value, its class and self-symmetries, its distance from solved, and the value after each move.
#[contract::path(get, path = "/coords/{name}/{value}", tag = "coordinates", operation_id = "coordinate_value",
    params(("name" = String, Path, description = "Name, alias or expression", example = "twist"),
        ("value" = u64, Path, description = "Value, from 0 to `size - 1`", example = 1236)),
    responses((status = 200, description = "The value", body = CoordinateValue), ValueProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    _: NoQuery,
) -> Result<Json<CoordinateValue>, Problem> {
    let (space, at) = located(&state, &name, &value).await?;
    Ok(Json(CoordinateValue::new(&space, at)))
}

/// Apply moves to a value
///
/// Returns the value after every move; for sym-coordinates with the offset and each table look-up.
#[contract::path(get, path = "/coords/{name}/{value}/apply", tag = "coordinates", operation_id = "coordinate_apply",
    params(("name" = String, Path, description = "Name, alias or expression", example = "flip_slice_class"),
        ("value" = u64, Path, description = "Value, from 0 to `size - 1`", example = 0), ApplyQuery),
    responses((status = 200, description = "The value after every move", body = AppliedManeuver), ApplyProblems))]
pub(crate) async fn apply(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    QueryString(ApplyQuery { moves }): QueryString<ApplyQuery>,
) -> Result<Json<AppliedManeuver>, Problem> {
    let moves = moves.parse::<Moves>().map_err(|error| Problem::from(error).within("moves"))?;
    if moves.len() > MAX_MOVES {
        let detail = format!("`moves` has {} moves when expanded; it must have at most {MAX_MOVES}.", moves.len());
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("moves"));
    }
    let (space, at) = located(&state, &name, &value).await?;
    AppliedManeuver::new(&space, at, &moves).map(Json)
}

/// Transform a value by a symmetry
///
/// Returns the value of s x s^-1. The symmetry must act on the coordinate.
#[contract::path(get, path = "/coords/{name}/{value}/transform", tag = "coordinates",
    operation_id = "coordinate_transform",
    params(("name" = String, Path, description = "Name, alias or expression", example = "slice"),
        ("value" = u64, Path, description = "Value, from 0 to `size - 1`", example = 33), TransformQuery),
    responses((status = 200, description = "The transformed value", body = TransformedValue),
        TransformProblems))]
pub(crate) async fn transform(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    QueryString(TransformQuery { symmetry }): QueryString<TransformQuery>,
) -> Result<Json<TransformedValue>, Problem> {
    let s = Symmetry::try_from_index(symmetry as usize).ok_or_else(|| {
        let detail = format!("`symmetry` is {symmetry}; there are 48, from 0 to 47. GET /symmetries lists them.");
        Problem::new(Code::OptionOutOfRange, detail).in_field("symmetry")
    })?;
    let (space, at) = located(&state, &name, &value).await?;
    Ok(Json(TransformedValue::new(&space, at, s)?))
}

/// Finds the state of a value in the path.
async fn located(state: &AppState, name: &str, value: &str) -> Result<(Arc<Space>, SpaceState), Problem> {
    let plan = expression::plan(name)?;
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        let detail = format!("`{}` in the path is not a value; expected an integer from 0 up.", short(value));
        return Err(Problem::new(Code::InvalidPath, detail));
    }
    let space = state.space(plan).await?;
    let value = value.parse().map_err(|_| value_out_of_range(&space, value))?;
    let at = checked(&space, value)?;
    Ok((space, at))
}
