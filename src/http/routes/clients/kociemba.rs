//! `/{facelets}`: solves the cube in the path as Kociemba's server does.

use axum::extract::State;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::request::clients::kociemba::{TARGET_LENGTH, TIME_LIMIT_MS, answer, is_meant, page, read};
use crate::api::request::options::Task;
use crate::api::types::{Cubies, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::PathParts;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::routes::pages::unknown::{method_not_allowed, not_found};

/// Solve the cube in the path, as Kociemba's server does
///
/// For the clients of Kociemba's Python server (RubiksCube-TwophaseSolver). Searches for at most 20 moves, for at most 3 seconds. An
/// invalid cube of 53 to 55 letters gets that server's message, also with status 200. Any other path is 404.
#[contract::path(get, path = "/{facelets}", tag = "clients", operation_id = "solve_kociemba",
    params(("facelets" = String, Path, description = "54 letters URFDLB, upper or lower case",
        example = "DUUBULDBFRBFRRULLLBRDFFFBLURDBFDFDRFRULBLUFDURRBLBDUDL")),
    responses((status = 200, description = "A page with the moves, such as `U1 R3 F2 (3f)`, or with a message that begins with `Error:`",
        content_type = "text/html", body = String), contract::KociembaProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    uri: Uri,
    PathParts(letters): PathParts<String>,
) -> Result<Response, Problem> {
    if !is_meant(&letters) {
        return Err(not_found(uri).await);
    }
    let cube = match read(&letters) {
        Ok(cube) => cube,
        Err(message) => return Ok(Html(page(&message)).into_response()),
    };
    let request = SolveRequest {
        cubies: Some(Cubies::from(&cube)),
        target_length: Some(TARGET_LENGTH),
        time_limit_ms: Some(TIME_LIMIT_MS.min(state.config.search.max_time_limit_ms)),
        ..SolveRequest::default()
    };
    let mut task = Task::new(request, &state.config)?;
    let solver = state.solver_for(&mut task, &facts).await?;
    let solved = state.search(solver, &task, facts.listener()).await?;
    facts.solved(&task.answer(&solved.outcome, solved.queued));
    Ok(Html(page(&answer(&solved.outcome.moves))).into_response())
}

/// Answers other methods. A path that is no cube does not exist.
pub(crate) async fn other_method(method: Method, uri: Uri) -> Response {
    if !is_meant(uri.path().trim_start_matches('/')) {
        return not_found(uri).await.into_response();
    }
    let mut response = method_not_allowed(method, uri).await.into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
    response
}
