//! `/solve`: solves one cube.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::request::options::Task;
#[cfg(feature = "contract")]
use crate::api::types::SolveResponse;
use crate::api::types::{SolveOptions, SolveQuery, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, PathParts, QueryString};
use crate::http::middleware::request_facts::RequestFacts;

/// Solve a cube
///
/// Searches until a solution of at most `target_length` moves is found, the time limit passes, or the best solution is proven optimal, and
/// returns the best solution. With `optimal` it searches until the solution is proven optimal. If the time limit passes first, it returns
/// the best solution with the `lower_bound` reached, and `proven_optimal` is false. Cubes at most ten moves from solved need no table for
/// a proof; for others, a server without a table for optimal solutions returns 501 or 503.
#[contract::path(post, path = "/solve", tag = "solve", operation_id = "solve",
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
                "proven_optimal": true, "stopped_by": "proven_optimal", "nodes": 40, "elapsed_us": 12, "queue_us": 3,
                "facelets": "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB"})),
        contract::BodyProblems
    ))]
pub(crate) async fn post(
    State(state): State<AppState>,
    facts: RequestFacts,
    JsonBody(request): JsonBody<SolveRequest>,
) -> Result<Response, Problem> {
    solve(&state, &facts, request).await
}

/// Solve a cube, as a query
#[contract::path(get, path = "/solve", tag = "solve", operation_id = "solve_query", params(SolveQuery),
    responses((status = 200, description = "As POST /solve", body = SolveResponse), contract::QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    QueryString(mut query): QueryString<SolveQuery>,
) -> Result<Response, Problem> {
    solve(&state, &facts, query.take_solve()).await
}

/// Solve the cube in the path
#[contract::path(get, path = "/solve/{facelets}", tag = "solve", operation_id = "solve_path",
    params(("facelets" = String, Path, description = "54 symbols in the order U R F D L B",
        example = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"), SolveOptions),
    responses((status = 200, description = "As POST /solve", body = SolveResponse), contract::QueryProblems))]
pub(crate) async fn get_path(
    State(state): State<AppState>,
    facts: RequestFacts,
    PathParts(facelets): PathParts<String>,
    QueryString(mut options): QueryString<SolveOptions>,
) -> Result<Response, Problem> {
    solve(&state, &facts, SolveRequest { facelets: Some(facelets), ..options.take_solve() }).await
}

async fn solve(state: &AppState, facts: &RequestFacts, request: SolveRequest) -> Result<Response, Problem> {
    // Check the input first: the check takes microseconds and needs no tables.
    let task = Task::new(request, &state.config)?;
    let engine = state.engine_for(&task)?;
    let solved = state.search(&engine, &task, facts.listener()).await?;
    let answer = task.answer(&solved.outcome, solved.queued);
    facts.solved(&answer);
    Ok(Json(answer).into_response())
}
