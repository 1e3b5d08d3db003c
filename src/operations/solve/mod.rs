//! `/solve` and `superflip solve`: solves one cube. `/solve/stream`: with progress events. `/solve/batch` and `--batch`: many cubes.

pub mod batch;
mod batch_file;
pub(crate) mod stream;

use std::io::Write;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::request::options::Task;
#[cfg(feature = "contract")]
use crate::api::types::SolveResult;
use crate::api::types::fields::InQuery;
use crate::api::types::{CubeRequest, PathForm, SolveOptions, SolveRequest};
pub use crate::cli::args::Solve as Flags;
use crate::cli::input::{cube_of, lift_caps, optimal_table, request};
use crate::cli::{Failure, configure, load, log_for_people, print, print_json, refuse, solver_for_one, unsolved};
use crate::contract;
use crate::http::extract::{JsonBody, NoQuery, PathParts, QueryString};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::routes::pages::stickers_in_query;
use crate::http::{AppState, operation};
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::{Form, FormError, Moves};
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Goal, Solution, SolveError, Solver};

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
        (status = 200, description = "A solution, verified on the cube", body = SolveResult,
            example = json!({"solution": "U R U' R'", "moves": ["U", "R", "U'", "R'"], "length": 4,
                "phases": {"method": "near", "axis": null, "inverse": false, "lengths": [4]}, "lower_bound": 4,
                "proven_optimal": true, "stopped_by": "proven_optimal", "profile": "standard", "nodes": 40, "elapsed_us": 12, "queue_us": 3,
                "facelets": "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB"})),
        Problems
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
#[contract::path(get, path = "/solve", tag = "solve", operation_id = "solve_query", params(SolveRequest, crate::api::types::WaitHeader),
    responses((status = 200, description = "As POST /solve", body = SolveResult), QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    QueryString(InQuery(request)): QueryString<InQuery<SolveRequest>>,
) -> Result<Response, Problem> {
    solve(&state, &facts, request).await
}

/// Solve the cube in the path
#[contract::path(get, path = "/solve/{cube}", tag = "solve", operation_id = "solve_path",
    params(("cube" = String, Path, description = "Cube as text in any form; of several orders of stickers, U R F D L B comes first",
        example = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"), SolveOptions, crate::api::types::WaitHeader),
    responses((status = 200, description = "As POST /solve", body = SolveResult), QueryProblems))]
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
    let QueryString(SolveOptions { form, target, limits, search, threads, proofs }) = query?;
    let PathForm { format, face_rotations, face_order } = form;
    let is_put_together = face_rotations.is_some() || face_order.is_some();
    let cube = if is_put_together || (format.is_none() && is_first_in_order(&cube)) {
        CubeRequest { facelets: Some(cube), ..CubeRequest::default() }
    } else {
        CubeRequest::of_text(cube)
    };
    let cube = CubeRequest { format, face_rotations, face_order, ..cube };
    let request = SolveRequest { cube, target, limits, search, threads, proofs, ..SolveRequest::default() };
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

operation! {
    routes {
        "/solve": post post, get get;
        "/solve/stream": post stream::post, get stream::get;
        "/solve/batch": post batch::post;
        "/solve/{cube}": get get_path;
    }
    links {
        POST "/solve" "Solve a cube";
        GET "/solve?scramble=R%20U%20R'%20U'" "Solve a scramble";
        GET "/solve/UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB" "Solve facelets";
        POST "/solve/stream" "Solve a cube, with progress events";
        POST "/solve/batch" "Solve many cubes, one per line";
    }
    problems {
        /// Problems of `POST /solve` and `POST /solve/stream`.
        Problems: BODY QUERY CUBE TARGET SEARCH MACHINE TABLES OPTIMAL [];
        /// Problems of `GET /solve` and `GET /solve/stream`.
        QueryProblems: QUERY CUBE TARGET SEARCH TABLES OPTIMAL [InvalidPath];
        /// Problems of `POST /solve/batch`, before its first line.
        BatchProblems: QUERY TABLES OPTIMAL [UnsupportedMediaType OptionOutOfRange Overloaded DeadlineUnreachable ShuttingDown];
    }
}

/// Solves one cube, or those of a file.
///
/// # Errors
/// Returns an error if the cube or an option is invalid, the tables are not available, there is no solution within the limits, or a
/// requested proof is not finished in time.
pub fn run(args: &Flags) -> Result<(), Failure> {
    if let Some(path) = &args.batch {
        return batch_file::run(args, path);
    }
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let cube = cube_of(args.cube.as_deref(), &args.scan)?;
    let task = Task::new(request(args, cube), &config).map_err(|problem| refuse(args.json, &problem, 2))?;

    let (proofs, control) = (optimal_table(args, &config), Control::new());
    let steps = StepSet { metric: task.goal.metric, turns: task.goal.turns };
    let mut solver = solver_for_one(&args.configuration, &config, steps, proofs, &control)?;
    let solve =
        |solver: &Solver, goal: &Goal| solver.search(&task.cube, goal).until(Instant::now() + task.time_limit).finish();
    let outcome = match (solve(&solver, &task.goal), proofs) {
        // In HTM, only a cube far from solved needs the table, so open it only now.
        (Err(SolveError::Unproven { .. } | SolveError::Metric { is_proof: true, .. }), Some(key)) => {
            solver = solver.with([load(&config, key, &control)?]);
            let threads = args.threads.threads.map_or_else(|| config.search.threads(), |count| count as usize);
            solve(&solver, &task.goal.clone().threads(threads))
        }
        (outcome, _) => outcome,
    };
    match outcome {
        Ok(outcome) => {
            print_solutions(args, &task, &outcome)?;
            if !args.proofs.is_optimal() || outcome.is_optimal() {
                return Ok(());
            }
            Err(Failure::Unproven(format!(
                "time limit reached before the proof; the lower bound is {} moves. Raise --time-limit-ms.",
                outcome.lower_bound
            )))
        }
        Err(error) => Err(unsolved(args.json, error)),
    }
}

/// Prints the solutions, and on standard error whether some are missing.
fn print_solutions(args: &Flags, task: &Task, outcome: &Solution) -> Result<(), Failure> {
    if args.json {
        return print_json(&task.answer(outcome, Duration::ZERO));
    }
    if let Some(machine) = &task.goal.machine
        && let Some(cost) = machine.cost(&outcome.moves)
    {
        let bound = machine.lower_bound(outcome.metric, outcome.lower_bound.into());
        // Ignore a closed standard error: the result is on standard output.
        let _ = writeln!(
            std::io::stderr(),
            "superflip: cost {cost}; no solution costs less than {bound}. `superflip explain` and --json show the schedule."
        );
    }
    let listed = 1 + outcome.others.len() as u64;
    let missing = match outcome.optimal_solutions {
        Some(count) if count > listed => format!("{count} shortest solutions; the first {listed} are listed"),
        None if args.proofs.lists_all() && outcome.is_optimal() => {
            "time limit reached before all shortest solutions were found. Raise --time-limit-ms.".to_owned()
        }
        _ => String::new(),
    };
    if !missing.is_empty() {
        // Ignore a closed standard error: the result is on standard output.
        let _ = writeln!(std::io::stderr(), "superflip: {missing}");
    }
    print(&outcome.all().map(|moves| Moves::from(moves).to_string() + "\n").collect::<String>())
}
