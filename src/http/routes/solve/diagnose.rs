//! `/diagnose`: finds which moves were missed, doubled, reversed or half made.

use std::time::Instant;

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::judge::{SentMoves, share_of};
use crate::api::request::options::Task;
use crate::api::types::{DiagnoseRequest, Diagnosis, ScanDetails};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;

/// Find which moves went wrong
///
/// A slip is a move that was missed, reversed, doubled (a quarter turn became a half turn) or half made (a half turn became a quarter turn).
/// The stickers after the moves are compared with all cubes after at most two slips. `explanations` lists the cubes that have the known
/// stickers, those after the fewest slips first. Each has a solution, the number of ways that lead to it, and the first ten of them. With 0
/// slips, all moves were made as sent. If no such cube has the stickers, the list is empty. If exactly one legal cube has them then, `now` is
/// this cube with a solution. The searches share the time limit. A cube whose search has no solution, or is refused, has a `problem` instead.
#[contract::path(post, path = "/diagnose", tag = "solve", operation_id = "diagnose",
    request_body(content = DiagnoseRequest, examples(
        ("half" = (summary = "A half turn that became a quarter turn", value = json!({"scramble": "F2 L D", "moves": "R U2 F'",
            "seen": "BBBDUUDFFLBDFRRFRRLUULFRDURFLUDDBDDBUFFLLFBBRLLLUBDURR"}))),
        ("unknown" = (summary = "Only three faces are seen", value = json!({"scramble": "", "moves": "R U R' U'",
            "seen": "UULUUFUUFRRUBRRURRFFDFFUFFF????D????????L????????B????"})))
    )),
    responses((status = 200, description = "The explanations", body = Diagnosis), contract::DiagnoseProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    RequestIdText(id): RequestIdText,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(mut request): JsonBody<DiagnoseRequest>,
) -> Result<Json<Diagnosis>, Problem> {
    let sent = SentMoves::new(&request.moves.text(), &request.seen, request.max_explanations)?;
    let mut task = state.task(request.take_solve()).await?;
    let before = task.cube;
    let explained = state.work(move || Ok(sent.explain(&before))).await?;
    let (cubes, solver) = (explained.cubes(), state.solver_for(&mut task, &facts).await);
    let deadline = Instant::now() + task.time_limit;
    let mut solutions = Vec::with_capacity(cubes.len());
    for (number, cube) in (0..).zip(&cubes) {
        let time_limit = share_of(deadline, cubes.len() - number);
        let (goal, scan, max_values) = (task.goal.clone(), ScanDetails::default(), task.max_values);
        let next = Task { cube: *cube, goal, time_limit, scan, target: None, max_values, waited: task.waited };
        let solved = match &solver {
            Ok(solver) => state.search(solver.clone(), &next, facts.listener()).await,
            Err(problem) => Err(problem.clone()),
        };
        solutions.push(solved.map(|solved| solved.outcome).map_err(|problem| Box::new(problem.in_request(&id))));
    }
    Ok(Json(explained.answer(solutions)))
}
