//! `/diagnose`: finds which moves were missed, doubled, reversed or half made.

use std::time::Instant;

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::diagnose::{Sent, share_of};
use crate::api::request::options::Task;
use crate::api::types::{DiagnoseRequest, Diagnosis, ScanDetails, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use superflip_solver::Control;

/// Find which moves went wrong
///
/// A slip is a move that was missed, reversed, doubled (a quarter turn became a half turn) or half made (a half turn became a quarter turn).
/// With `schedule`, it is an action of a machine: a turn, or a rotation of the whole cube. The stickers after the moves are compared with all
/// cubes after at most two slips. `explanations` lists the cubes that have the known stickers, those after the fewest slips first. Each has a
/// solution, the number of ways that lead to it, and the first ten of them. With 0 slips, all moves were made as sent. If no such cube has the
/// stickers, the list has the cubes that differ in one sticker, which is `misread`. If exactly one legal cube has the stickers then, `now` is
/// this cube with a solution. With `costs` or `machine`, each solution has a schedule that starts in the state after the given one. The searches
/// share the time limit. A cube whose search has no solution, or is refused, has a `problem` instead.
#[contract::path(post, path = "/diagnose", tag = "solve", operation_id = "diagnose", params(crate::api::types::WaitHeader),
    request_body(content = DiagnoseRequest, examples(
        ("half" = (summary = "A half turn that became a quarter turn", value = json!({"scramble": "F2 L D", "moves": "R U2 F'",
            "seen": "BBBDUUDFFLBDFRRFRRLUULFRDURFLUDDBDDBUFFLLFBBRLLLUBDURR"}))),
        ("flip" = (summary = "A flip that a robot missed", value = json!({"scramble": "D' F'",
            "schedule": ["flip", "D", "flip", "flip", "flip", "D"],
            "seen": "UUUUUURRRDRRDRRFFFFFFFFFLLUDDLDDLDDLLLULLUBBBBBBBBBDRR", "machine": {"start": "ready", "states": ["ready"], "actions": [
                {"turn": "D", "cost": 0.8}, {"turn": "D'", "cost": 0.8}, {"turn": "D2", "cost": 1.6},
                {"name": "flip", "rotates": "x'", "cost": 0.6},
                {"name": "spin", "rotates": "y", "cost": 0.7}, {"name": "spin back", "rotates": "y'", "cost": 0.7}]}}))),
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
    let sent = Sent::take(&mut request)?;
    let faces = request.faces.take();
    let mut task = state.task(SolveRequest { faces, ..request.take_solve() }).await?;
    let explain = move |control: &Control| Ok((sent.explain(&mut task, control)?, task));
    let (explained, mut task) = state.work_under(explain).await?;
    let (cubes, solver) = (explained.cubes(), state.solver_for(&mut task, &facts).await);
    let deadline = Instant::now() + task.time_limit;
    let mut solutions = Vec::with_capacity(cubes.len());
    for (number, cube) in (0..).zip(&cubes) {
        let time_limit = share_of(deadline, cubes.len() - number);
        let (goal, scan, max_values) = (task.goal.clone(), ScanDetails::default(), task.max_values);
        let (target, waited, tables_field) = (None, task.waited, task.tables_field);
        let next = Task { cube: *cube, goal, time_limit, scan, target, max_values, waited, tables_field };
        let solved = match &solver {
            Ok(solver) => state.search(solver.clone(), &next, facts.listener()).await,
            Err(problem) => Err(problem.clone()),
        };
        let answer = solved.map(|solved| next.answer(&solved.outcome, solved.queued));
        solutions.push(answer.map_err(|problem| Box::new(problem.in_request(&id))));
    }
    Ok(Json(explained.answer(solutions)))
}
