//! `/solve`: solves one cube. Below it: progress events, batches, explanations, checks of written solutions, and diagnoses.

pub mod batch;
pub mod stream;

use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
#[cfg(feature = "contract")]
use crate::api::types::SolveResponse;
use crate::api::types::{CubeValue, SolveOptions, SolveQuery, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, PathParts, QueryString};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::routes::pages::unknown::stickers_in_query;
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::{Form, FormError};

/// Solve a cube
///
/// Searches until a solution of at most `target_length` moves is found, the time limit passes, or the best solution is proven optimal, and
/// returns the best solution. With `optimal` it searches until the solution is proven optimal. If the time limit passes first, it returns
/// the best solution with the `lower_bound` reached, and `proven_optimal` is false. Cubes at most ten moves from solved need no table for
/// a proof; for others, a server without a table for optimal solutions returns 501 or 503.
#[contract::path(post, path = "/solve", tag = "solve", operation_id = "solve", params(crate::api::types::WaitHeader),
    request_body(content = SolveRequest, examples(
        ("facelets" = (summary = "The superflip, as facelets",
            value = json!({"facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB", "target_length": 22}))),
        ("scramble" = (summary = "A scramble", value = json!({"scramble": "R U R' U'"}))),
        ("colours" = (summary = "Colour letters, white above and green in front", value = json!(
            {"facelets": "WWOWWGWWGRRWBRRWRRGGYGGWGGGYYRYYYYYYBOOOOOOOOBRRBBBBBB"}))),
        ("cubies" = (summary = "The superflip, as cubies, with limits", value = json!({"cubies": {
            "cp": [0, 1, 2, 3, 4, 5, 6, 7], "co": [0, 0, 0, 0, 0, 0, 0, 0],
            "ep": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "eo": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]},
            "target_length": 22, "max_length": 24, "time_limit_ms": 2000})))
    )),
    responses(
        (status = 200, description = "A solution, verified on the cube", body = SolveResponse,
            example = json!({"solution": "U R U' R'", "moves": ["U", "R", "U'", "R'"], "length": 4,
                "phases": {"method": "near", "axis": null, "inverse": false, "lengths": [4]}, "lower_bound": 4,
                "proven_optimal": true, "stopped_by": "proven_optimal", "profile": "standard", "nodes": 40, "elapsed_us": 12, "queue_us": 3,
                "facelets": "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB"})),
        contract::BodyProblems
    ))]
pub(crate) async fn post(
    State(state): State<AppState>,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(request): JsonBody<SolveRequest>,
) -> Result<Response, Problem> {
    solve(&state, &facts, request).await
}

/// Solve a cube, as a query
#[contract::path(get, path = "/solve", tag = "solve", operation_id = "solve_query", params(SolveQuery, crate::api::types::WaitHeader),
    responses((status = 200, description = "As POST /solve", body = SolveResponse), contract::QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    QueryString(mut query): QueryString<SolveQuery>,
) -> Result<Response, Problem> {
    solve(&state, &facts, query.take_solve()).await
}

/// Solve the cube in the path
#[contract::path(get, path = "/solve/{cube}", tag = "solve", operation_id = "solve_path",
    params(("cube" = String, Path, description = "Cube as text in any form; of several orders of stickers, U R F D L B comes first",
        example = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"), SolveOptions, crate::api::types::WaitHeader),
    responses((status = 200, description = "As POST /solve", body = SolveResponse), contract::QueryProblems))]
pub(crate) async fn get_path(
    State(state): State<AppState>,
    facts: RequestFacts,
    PathParts(cube): PathParts<String>,
    uri: Uri,
    query: Result<QueryString<SolveOptions>, Problem>,
) -> Result<Response, Problem> {
    if let Some(problem) = stickers_in_query(&uri, &cube) {
        return Err(problem);
    }
    let QueryString(mut options) = query?;
    let options = options.take_solve();
    let is_put_together = options.face_rotations.is_some() || options.face_order.is_some();
    let request = if is_put_together || (options.format.is_none() && is_first_in_order(&cube)) {
        SolveRequest { facelets: Some(cube), ..options }
    } else {
        SolveRequest { cube: Some(CubeValue::Text(cube)), ..options }
    };
    solve(&state, &facts, request).await
}

/// Returns whether a text is a different cube in several forms, and one of them is the order U R F D L B. In the path, this order comes
/// first.
fn is_first_in_order(cube: &str) -> bool {
    let read = Read::of(cube, None, Buffers::default());
    matches!(read, Err(FormError::Ambiguous(readings)) if readings.iter().any(|reading| reading.format == Form::Facelets))
}

async fn solve(state: &AppState, facts: &RequestFacts, request: SolveRequest) -> Result<Response, Problem> {
    // Check the input first: the check needs no tables.
    let mut task = state.task(request).await?;
    let solver = state.solver_for(&mut task, facts).await?;
    let solved = state.search(solver, &task, facts.listener()).await?;
    let answer = task.answer(&solved.outcome, solved.queued);
    facts.solved(&answer);
    Ok(Json(answer).into_response())
}
