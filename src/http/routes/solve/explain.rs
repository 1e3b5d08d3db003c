//! `/explain`: explains a solution, move by move.

use std::time::Instant;

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::explain::{ExplainTask, check_options};
use crate::api::types::{ExplainBody, ExplainQuery, ExplainRequest, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::service::pool::{Deadline, Refused};
use superflip_coords::explain::explain;
use superflip_solver::{Cancelled, Solver};

/// Explain a solution
///
/// Explains the given solution, or solves the cube first if none is given. Returns the coordinates and bounds after every move, the split
/// into two phases, moves that can be merged, the optimal part of the solution, the symmetry of the cube, and lengths in every metric.
#[contract::path(post, path = "/explain", tag = "solve", operation_id = "explain",
    request_body(content = ExplainRequest, examples(
        ("solution" = (summary = "A wasteful solution",
            value = json!({"scramble": "R U R' U'", "solution": "U R2 R' U D D' U2 R'"}))),
        ("cube" = (summary = "A cube alone", value = json!({"scramble": "R U F2 L'"})))
    )),
    responses((status = 200, description = "The explanation", body = ExplainBody), contract::ExplainBodyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(mut request): JsonBody<ExplainRequest>,
) -> Result<Json<ExplainBody>, Problem> {
    answer(&state, &facts, request.take_solve(), request.solution).await.map(Json)
}

/// Explain a solution, as a query
#[contract::path(get, path = "/explain", tag = "solve", operation_id = "explain_query", params(ExplainQuery),
    responses((status = 200, description = "As POST /explain", body = ExplainBody), contract::ExplainQueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    QueryString(mut query): QueryString<ExplainQuery>,
) -> Result<Json<ExplainBody>, Problem> {
    answer(&state, &facts, query.take_solve(), query.solution).await.map(Json)
}

async fn answer(
    state: &AppState,
    facts: &RequestFacts,
    request: SolveRequest,
    solution: Option<String>,
) -> Result<ExplainBody, Problem> {
    check_options(solution.as_deref(), &request)?;
    let ExplainTask { task, solution } = ExplainTask::of_task(state.task(request).await?, solution)?;
    let tables = state.tables_for_work()?;
    let searched = solution.is_none();
    let moves = if let Some(moves) = solution {
        moves
    } else {
        let (solver, notify) = (Solver::new(tables.clone(), None), facts.listener());
        state.lanes.solve_watched(solver, task.cube, task.goal, task.time_limit, notify).await?.outcome.moves
    };
    // Give the proofs a separate time limit, because the search may have used all of its time.
    let deadline = Instant::now() + task.time_limit;
    let cube = task.cube;
    let finished = state.lanes.quick().run(Deadline::EndBy(deadline), move |control| {
        let explained = explain(&tables, &cube, &moves, &control.until(deadline))?;
        Ok::<_, Cancelled>(explained.map(|explanation| ExplainBody::new(&cube, &moves, searched, &explanation)))
    });
    match finished.await? {
        // Not reached: a given solution was checked, and a found one was verified.
        Ok(body) => body.ok_or_else(Problem::internal),
        Err(_) => Err(Refused::ShuttingDown.into()),
    }
}
