//! `/coords/{name}` and below: one coordinate, its values, and the action of moves and symmetries on them.

use std::sync::Arc;

use axum::extract::State;
use tracing::Instrument as _;

use crate::api::problem::{Code, Problem};
use crate::api::request::coords::{checked, value_out_of_range};
use crate::api::request::read::short;
use crate::api::types::{
    ApplyBody, ApplyQuery, CoordinateBody, SymmetriesBody, SymmetryProductBody, TransformBody, TransformQuery,
    ValueBody,
};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{NoQuery, PathParts, QueryString};
use crate::http::json::Json;
use crate::service::telemetry::metrics::count_rejected;
use superflip_coords::space::expression::{self, Plan};
use superflip_coords::space::reduced::is_phase_one;
use superflip_coords::space::{Space, SpaceState};
use superflip_cube::{Moves, Symmetry};

/// Maximum number of raw values of a named space that is built on the quick lane. Such a build takes some tens of milliseconds.
const SOON_BUILT: u64 = 1 << 16;
/// Maximum number of moves to apply in one request.
const MAX_MOVES: usize = 1000;

/// Get a coordinate
///
/// Returns the coordinate with the distribution of its distances. The distances are computed on first use, which may take seconds.
#[contract::path(get, path = "/coords/{name}", tag = "coordinates", operation_id = "coordinate",
    params(("name" = String, Path, description = "Name, alias, or expression such as comp(twist,slice)",
        example = "twist")),
    responses((status = 200, description = "The coordinate", body = CoordinateBody), contract::SpaceProblems))]
pub(crate) async fn one(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    _: NoQuery,
) -> Result<Json<CoordinateBody>, Problem> {
    let space = space_of(&state, expression::plan(&name)?).await?;
    Ok(Json((&*space).into()))
}

/// Get a value of a coordinate
///
/// Returns a cube with the value, its class and self-symmetries, its distance from solved, and the value after each move.
#[contract::path(get, path = "/coords/{name}/{value}", tag = "coordinates", operation_id = "coordinate_value",
    params(("name" = String, Path, description = "Name, alias or expression", example = "twist"),
        ("value" = u64, Path, description = "Value, from 0 to `size - 1`", example = 1236)),
    responses((status = 200, description = "The value", body = ValueBody), contract::ValueProblems))]
pub(crate) async fn value(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    _: NoQuery,
) -> Result<Json<ValueBody>, Problem> {
    let (space, at) = located(&state, &name, &value).await?;
    Ok(Json(ValueBody::new(&space, at)))
}

/// Apply moves to a value
///
/// Returns the value after every move; for sym-coordinates with the offset and each table look-up.
#[contract::path(get, path = "/coords/{name}/{value}/apply", tag = "coordinates", operation_id = "coordinate_apply",
    params(("name" = String, Path, description = "Name, alias or expression", example = "flip_slice_class"),
        ("value" = u64, Path, description = "Value, from 0 to `size - 1`", example = 0), ApplyQuery),
    responses((status = 200, description = "The value after every move", body = ApplyBody), contract::ApplyProblems))]
pub(crate) async fn apply(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    QueryString(ApplyQuery { moves }): QueryString<ApplyQuery>,
) -> Result<Json<ApplyBody>, Problem> {
    let moves = moves.parse::<Moves>().map_err(|error| Problem::from(error).within("moves"))?;
    if moves.len() > MAX_MOVES {
        let detail = format!("`moves` has {} moves when expanded; it must have at most {MAX_MOVES}.", moves.len());
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("moves"));
    }
    let (space, at) = located(&state, &name, &value).await?;
    ApplyBody::new(&space, at, &moves).map(Json)
}

/// Transform a value by a symmetry
///
/// Returns the value of s x s^-1. The symmetry must act on the coordinate.
#[contract::path(get, path = "/coords/{name}/{value}/transform", tag = "coordinates",
    operation_id = "coordinate_transform",
    params(("name" = String, Path, description = "Name, alias or expression", example = "slice"),
        ("value" = u64, Path, description = "Value, from 0 to `size - 1`", example = 33), TransformQuery),
    responses((status = 200, description = "The transformed value", body = TransformBody),
        contract::TransformProblems))]
pub(crate) async fn transform(
    State(state): State<AppState>,
    PathParts((name, value)): PathParts<(String, String)>,
    QueryString(TransformQuery { symmetry }): QueryString<TransformQuery>,
) -> Result<Json<TransformBody>, Problem> {
    let s = Symmetry::try_from_index(symmetry as usize).ok_or_else(|| {
        let detail = format!("`symmetry` is {symmetry}; there are 48, from 0 to 47. GET /symmetries lists them.");
        Problem::new(Code::OptionOutOfRange, detail).in_field("symmetry")
    })?;
    let (space, at) = located(&state, &name, &value).await?;
    Ok(Json(TransformBody::new(&space, at, s)?))
}

/// List the 48 symmetries
///
/// Returns all symmetries and the table of their products.
#[contract::path(get, path = "/symmetries", tag = "coordinates", operation_id = "symmetries",
    responses((status = 200, description = "All symmetries, with their action on moves and their groups, and all products",
        body = SymmetriesBody), contract::ListProblems))]
pub(crate) async fn symmetries(_: NoQuery) -> Json<SymmetriesBody> {
    Json(SymmetriesBody::new())
}

/// Multiply two symmetries
///
/// Returns one entry of Kociemba's `SymMult`: first i, then j. Conjugation by the product is conjugation by j, then by i.
#[contract::path(get, path = "/symmetries/{i}/{j}", tag = "coordinates", operation_id = "symmetry_product",
    params(("i" = u32, Path, description = "First symmetry, 0 to 47", minimum = 0, maximum = 47, example = 16),
        ("j" = u32, Path, description = "Second symmetry, 0 to 47", minimum = 0, maximum = 47, example = 2)),
    responses((status = 200, description = "The product", body = SymmetryProductBody), contract::SymmetryProblems))]
pub(crate) async fn symmetry_product(
    PathParts((i, j)): PathParts<(String, String)>,
    _: NoQuery,
) -> Result<Json<SymmetryProductBody>, Problem> {
    Ok(Json(SymmetryProductBody::new(symmetry_in_path(&i)?, symmetry_in_path(&j)?)))
}

/// Reads the index of a symmetry in the path.
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

/// Returns the space of a coordinate, and builds it if necessary.
///
/// # Errors
/// Returns an error if the tables are not ready, the queue is full, or the space cannot be built.
pub async fn space_of(state: &AppState, plan: Plan) -> Result<Arc<Space>, Problem> {
    // Its distances are in a table of the configured profile.
    let tables = if is_phase_one(&plan) { state.tables_of_profile() } else { state.tables() };
    let tables = tables.inspect_err(|problem| count_rejected(problem.code().name()))?;
    let time_limit = state.config.server.request_timeout();
    // Use the quick lane for small named spaces, so that they do not wait behind large composed ones.
    let is_quick = plan.entry.is_some_and(|entry| entry.is_untabled() || plan.base_size() <= SOON_BUILT);
    if is_quick {
        return Ok(state.spaces.get(plan, tables, state.lanes.quick(), time_limit).await?);
    }
    if plan.entry.is_none() {
        return Ok(state.spaces.get(plan, tables, state.lanes.long(), time_limit).await?);
    }
    // There are few named spaces. Each is built once, even if the request that asked first has ended.
    let builder = state.clone();
    let build = async move { builder.spaces.get(plan, tables, builder.lanes.spaces(), time_limit).await };
    match tokio::spawn(build.in_current_span()).await {
        Ok(space) => Ok(space?),
        Err(_) => Err(Problem::internal()),
    }
}

/// Finds the state of a value in the path.
async fn located(state: &AppState, name: &str, value: &str) -> Result<(Arc<Space>, SpaceState), Problem> {
    let plan = expression::plan(name)?;
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        let detail = format!("`{}` in the path is not a value; expected an integer from 0 up.", short(value));
        return Err(Problem::new(Code::InvalidPath, detail));
    }
    let space = space_of(state, plan).await?;
    let value = value.parse().map_err(|_| value_out_of_range(&space, value))?;
    let at = checked(&space, value)?;
    Ok((space, at))
}
