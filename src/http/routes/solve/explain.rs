//! `/explain`: explains a solution, move by move.

use std::time::Instant;

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::explain::{ExplainTask, Given};
use crate::api::types::{ExplainBody, ExplainQuery, ExplainRequest, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::service::pool::Deadline;
use superflip_cube::Moves;
use superflip_solver::Control;

/// Explain a solution
///
/// Explains the given solution, or solves the cube first if none is given. Returns the coordinates and bounds after every move, the split
/// into two phases, moves that can be merged, the optimal part of the solution, the symmetry of the cube, and lengths in every metric. With
/// `metric`, distances and bounds count in it, and are known only where the tables of the metric prove them.
#[contract::path(post, path = "/explain", tag = "solve", operation_id = "explain", params(crate::api::types::WaitHeader),
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
#[contract::path(get, path = "/explain", tag = "solve", operation_id = "explain_query", params(ExplainQuery, crate::api::types::WaitHeader),
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
    let take = |mut request, control: &Control| Ok((Given::take(solution, &mut request, control)?, request));
    let (given, request) = state.with_machine(request, take).await?;
    let mut asked = state.task_started(request, |task, start| ExplainTask::of_start(task, start, given)).await?;
    let solver = state.solver_for(&mut asked.task, facts).await?;
    let (tables, metric) =
        (solver.tables().clone(), state.metrics.loaded(asked.task.goal.metric, asked.task.goal.turns));
    let found = if asked.solution.is_none() {
        state.search(solver, &asked.task, facts.listener()).await?.outcome.moves
    } else {
        Moves::default()
    };
    // Give the proofs a separate time limit, because the search may have used all of its time.
    let deadline = Instant::now() + asked.task.time_limit;
    let job = move |control: &Control| asked.answer(&found, &tables, metric.as_deref(), &control.until(deadline));
    state.lanes.quick().run(Deadline::EndBy(deadline), job).await?
}
