//! `/coords/{name}` and below: one coordinate, one of its values, and where maneuvers and symmetries take it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use crate::api::problem::{Code, Problem};
use crate::api::request::coords::{checked, turn_not_valid};
use crate::api::request::field_error::short;
use crate::api::types::{
    ApplyBody, ApplyQuery, CoordinateBody, SymmetriesBody, SymmetryProductBody, TransformBody, TransformQuery,
    ValueBody,
};
use crate::cube::Symmetry;
use crate::cube::input::parse_turns;
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{PathParts, QueryString};
use crate::service::spaces::SpacesError;
use crate::space::expression::{self, Plan};
use crate::space::{Space, SpaceState};

/// Named spaces of up to so many raw values are built in a tenth of a second.
const SOON_BUILT: u64 = 1 << 21;
/// The most turns that are walked for one request.
const MOST_TURNS: usize = 1000;

/// One coordinate
///
/// A name, an alias or an expression, with the distribution of distances. What is not tabulated yet is counted now.
#[contract::path(get, path = "/coords/{name}", tag = "coordinates", operation_id = "coordinate",
    params(("name" = String, Path, description = "A name, an alias, or an expression such as comp(twist,slice)",
        example = "twist")),
    responses((status = 200, description = "The coordinate", body = CoordinateBody), contract::SpaceProblems))]
pub(crate) async fn one(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
) -> Result<Json<CoordinateBody>, Problem> {
    let space = space_of(&state, plan_of(&name)?).await?;
    Ok(Json((&*space).into()))
}

/// One value of a coordinate
///
/// A cube with that value, its class and self-symmetries, its distance from solved, and where each turn leads.
#[contract::path(get, path = "/coords/{name}/{value}", tag = "coordinates", operation_id = "coordinate_value",
    params(("name" = String, Path, description = "A name, an alias, or an expression", example = "twist"),
        ("value" = u64, Path, description = "From 0 to one less than its size", example = 1236)),
    responses((status = 200, description = "The value from all sides", body = ValueBody), contract::ValueProblems))]
pub(crate) async fn value(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
) -> Result<Json<ValueBody>, Problem> {
    let (space, at) = located(&state, &name, &value).await?;
    Ok(Json(ValueBody::new(&space, at)))
}

/// Apply a maneuver to a value
///
/// The value after every turn; for coordinates of classes with the offset and each look-up of the rule.
#[contract::path(get, path = "/coords/{name}/{value}/apply", tag = "coordinates", operation_id = "coordinate_apply",
    params(("name" = String, Path, description = "A name, an alias, or an expression", example = "flip_slice_class"),
        ("value" = u64, Path, description = "From 0 to one less than its size", example = 0), ApplyQuery),
    responses((status = 200, description = "The value after every turn", body = ApplyBody), contract::ApplyProblems))]
pub(crate) async fn apply(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    QueryString(ApplyQuery { moves }): QueryString<ApplyQuery>,
) -> Result<Json<ApplyBody>, Problem> {
    let moves = parse_turns(&moves).map_err(|error| Problem::from(error).within("moves"))?;
    if moves.len() > MOST_TURNS {
        let detail = format!("`moves` has {} turns when written out; {MOST_TURNS} are the most.", moves.len());
        return Err(Problem::new(Code::OptionOutOfRange, detail).with(|document| document.field = Some("moves".into())));
    }
    let (space, at) = located(&state, &name, &value).await?;
    ApplyBody::new(&space, at, &moves).map(Json).map_err(|number| turn_not_valid(&space, moves[number].name(), number))
}

/// See a value through a symmetry
///
/// The value of s x s^-1, where the symmetry acts on the coordinate.
#[contract::path(get, path = "/coords/{name}/{value}/transform", tag = "coordinates",
    operation_id = "coordinate_transform",
    params(("name" = String, Path, description = "A name, an alias, or an expression", example = "slice"),
        ("value" = u64, Path, description = "From 0 to one less than its size", example = 33), TransformQuery),
    responses((status = 200, description = "The value as seen through the symmetry", body = TransformBody),
        contract::TransformProblems))]
pub(crate) async fn transform(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    QueryString(TransformQuery { symmetry }): QueryString<TransformQuery>,
) -> Result<Json<TransformBody>, Problem> {
    let s = Symmetry::try_from_index(symmetry as usize).ok_or_else(|| {
        let detail = format!("`symmetry` is {symmetry}; there are 48, from 0 to 47. GET /symmetries lists them.");
        Problem::new(Code::OptionOutOfRange, detail).with(|document| document.field = Some("symmetry".into()))
    })?;
    let (space, at) = located(&state, &name, &value).await?;
    let seen = space.transform(at, s).map_err(SpacesError::from)?;
    Ok(Json(TransformBody::new(&space, at, s, seen)))
}

/// The 48 symmetries
///
/// Every symmetry, and the table of their products.
#[contract::path(get, path = "/symmetries", tag = "coordinates", operation_id = "symmetries",
    responses((status = 200, description = "Every symmetry, what it does to turns, its groups, and all products",
        body = SymmetriesBody), contract::CommonProblems))]
pub(crate) async fn symmetries() -> Json<SymmetriesBody> {
    Json(SymmetriesBody::new())
}

/// The product of two symmetries
///
/// One entry of Kociemba's `SymMult`: first i, then j. Conjugation by the product is conjugation by j, then by i.
#[contract::path(get, path = "/symmetries/{i}/{j}", tag = "coordinates", operation_id = "symmetry_product",
    params(("i" = u32, Path, description = "The symmetry that comes first, 0 to 47", minimum = 0, maximum = 47, example = 16),
        ("j" = u32, Path, description = "The symmetry that comes second, 0 to 47", minimum = 0, maximum = 47, example = 2)),
    responses((status = 200, description = "The product", body = SymmetryProductBody), contract::SymmetryProblems))]
pub(crate) async fn symmetry_product(
    PathParts((i, j)): PathParts<(String, String)>,
) -> Result<Json<SymmetryProductBody>, Problem> {
    Ok(Json(SymmetryProductBody::new(symmetry_in_path(&i)?, symmetry_in_path(&j)?)))
}

/// The symmetry that a part of the path numbers.
fn symmetry_in_path(text: &str) -> Result<Symmetry, Problem> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let symmetry = text.parse().ok().filter(|_| is_number).and_then(Symmetry::try_from_index);
    symmetry.ok_or_else(|| {
        let code = if is_number { Code::ValueOutOfRange } else { Code::InvalidPath };
        let text = short(text);
        let detail = format!(
            "`{text}` in the path is not a symmetry; expected an integer from 0 to 47. GET /symmetries lists them."
        );
        Problem::new(code, detail)
    })
}

/// Reads the name of a coordinate.
///
/// # Errors
/// When it cannot be read, or names what is not there.
pub fn plan_of(text: &str) -> Result<Plan, Problem> {
    expression::plan(text).map_err(Into::into)
}

/// The coordinate, built.
///
/// # Errors
/// Before the tables are there, when the long lane is full, when it cannot be built.
pub async fn space_of(state: &AppState, plan: Plan) -> Result<Arc<Space>, Problem> {
    let tables = state.tables_for_work()?;
    let time_limit = state.config.server.request_timeout();
    // They need not wait behind what others compose.
    let is_short = plan.entry.is_some_and(|entry| entry.is_untabled() || plan.base_size() <= SOON_BUILT);
    let lane = if is_short { state.solver.pool() } else { state.solver.long() };
    let engine = tables.clone().into();
    state.while_sound(&engine, state.spaces.get(plan, tables, lane, time_limit)).await
}

/// A value of a coordinate, checked.
async fn located(state: &AppState, name: &str, value: &str) -> Result<(Arc<Space>, SpaceState), Problem> {
    let plan = plan_of(name)?;
    let value: u64 = value.parse().map_err(|_| {
        let detail =
            format!("`{}` in the path is no value of a coordinate: write a whole number from 0 on.", short(value));
        Problem::new(Code::InvalidPath, detail)
    })?;
    let space = space_of(state, plan).await?;
    let at = checked(&space, value)?;
    Ok((space, at))
}
