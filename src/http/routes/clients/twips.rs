//! `/v0/solve/pattern`: solves a pattern as `twips serve` does.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api::problem::{Code, Problem};
use crate::api::request::clients::twips::TwipsTask;
use crate::api::request::options::Task;
use crate::api::types::{Cubies, SolveRequest, TwipsRequest, TwipsSolution};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::JsonBody;
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;

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
        contract::TwipsProblems))]
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
    let max_length = asked.max_length.map(u32::from);
    let request = SolveRequest { cubies: Some(Cubies::from(&asked.cube)), max_length, ..SolveRequest::default() };
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
