//! `/scramble`: random-state scrambles.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::request::scramble::{checked, given_cubes, with_cube_format};
use crate::api::types::{CubeRequest, ScrambleFormat, ScrambleQuery, ScramblesBody};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{QueryString, prefers};
use crate::http::json::Json;
use crate::service::pool::Deadline;
use superflip_solver::search::scramble::{DEFAULT_MAX_LENGTH, ScrambleRequest, Scrambles, Subset, generate_with};

/// Generate scrambles
///
/// Draws each cube with equal probability from all cubes of the subset that need at least `min_length` moves, and returns a maneuver to
/// it (random-state scrambles, WCA regulation 4b3). With `faces`, the cubes are those that these faces reach, and the scrambles turn no others. Above 11, `min_length` limits the scramble, not the shortest solution. The scrambles are for training: official competitions must use the official scramble
/// program (4f). With a seed, the cubes are the same in every release; the moves may differ between releases and table profiles. With
/// `cube` or `target`, the scrambles lead to this cube or case.
#[contract::path(get, path = "/scramble", tag = "scrambles", operation_id = "scramble", params(ScrambleQuery),
    responses((status = 200, description = "The scrambles; as text, one on each line", content(
        (ScramblesBody = "application/json"), (String = "text/plain"))), contract::ScrambleProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<ScrambleQuery>,
) -> Result<Response, Problem> {
    let vary = [(header::VARY, "accept")];
    let is_text = query.format.map_or_else(|| prefers(&headers, "text/plain"), |format| format == ScrambleFormat::Text);
    let given = given_cubes(&query);
    let request = checked(query)?;
    let cubes = match given {
        Some(given) => state.read(given, CubeRequest::destinations).await.map_err(with_cube_format)?,
        None => Vec::new(),
    };
    let request = ScrambleRequest { cubes, ..request };
    let found = scrambles(&state, request.clone()).await?;
    let body = ScramblesBody::new(&request, found);
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
pub(crate) async fn scrambles(state: &AppState, request: ScrambleRequest) -> Result<Scrambles, Problem> {
    let tables = state.tables_for_work()?;
    let deadline = Instant::now() + Duration::from_millis(state.config.search.max_time_limit_ms);
    let metrics = state.tables_of_turns(request.turns, deadline).await?;
    // Cubes of a subset take up to 0.1 s each, and short maneuvers and those of some faces some milliseconds.
    let is_all = request.subset == Subset::ALL && request.turns.is_all() && request.cross.is_none();
    let is_quick = request.count <= QUICK_COUNT && is_all && request.max_length >= DEFAULT_MAX_LENGTH;
    let lane = if is_quick { state.lanes.quick() } else { state.lanes.long() };
    let job = lane.run(Deadline::EndBy(deadline + LAST_CUBE), move |control| {
        generate_with(&tables, &metrics, &request, &control.until(deadline))
    });
    Ok(job.await??)
}
