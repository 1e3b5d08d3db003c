//! `/explain`: what a solution does, turn by turn.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;

use crate::api::cube::Task;
use crate::api::problem::{Code, Problem};
use crate::api::types::{ExplainBody, ExplainQuery, ExplainRequest};
use crate::cube::input::{parse_turns, to_facelets};
use crate::cube::{Cube, Move, Symmetry, invert, join};
use crate::http::AppState;
use crate::http::contract::openapi::{ExplainBodyProblems, ExplainQueryProblems};
use crate::http::extract::{JsonBody, QueryString};
use crate::http::middleware::account::Account;
use crate::search::explain::explain;
use crate::search::stop::Halt;
use crate::service::config::Config;
use crate::service::pool::{Deadline, Refused};
use crate::space::group;
use crate::tables::Tables;

/// The most turns of a solution that are explained.
const MOST_TURNS: usize = 200;

/// Explain a solution
///
/// Of a cube and its solution, or of a cube alone, which is then solved: the coordinates and bounds after every turn, where phase 2
/// begins, turns that could be merged, where it ceased to be the shortest way, the symmetry of the cube, lengths in every metric.
#[utoipa::path(post, path = "/explain", tag = "solve", operation_id = "explain",
    request_body(content = ExplainRequest, examples(
        ("solution" = (summary = "A wasteful solution",
            value = json!({"scramble": "R U R' U'", "solution": "U R2 R' U D D' U2 R'"}))),
        ("cube" = (summary = "A cube alone", value = json!({"scramble": "R U F2 L'"})))
    )),
    responses((status = 200, description = "The explanation", body = ExplainBody), ExplainBodyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    account: Account,
    JsonBody(request): JsonBody<ExplainRequest>,
) -> Result<Json<ExplainBody>, Problem> {
    answer(&state, &account, request).await.map(Json)
}

/// Explain a solution, from a browser
#[utoipa::path(get, path = "/explain", tag = "solve", operation_id = "explain_query", params(ExplainQuery),
    responses((status = 200, description = "As POST /explain", body = ExplainBody), ExplainQueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    account: Account,
    QueryString(query): QueryString<ExplainQuery>,
) -> Result<Json<ExplainBody>, Problem> {
    answer(&state, &account, query.into()).await.map(Json)
}

/// What is to be explained, every value checked.
pub struct Asked {
    /// The cube and the limits of the search.
    pub task: Task,
    /// The solution that was given.
    pub solution: Option<Vec<Move>>,
}

impl Asked {
    /// Checks a request.
    ///
    /// # Errors
    /// What [`Task::new`] refuses, a solution that cannot be read or does not solve, options of a search that is not made.
    pub fn new(request: ExplainRequest, config: &Config) -> Result<Self, Problem> {
        let (solution, request) = request.split();
        let given = [("target_length", request.target_length), ("max_length", request.max_length)];
        if let (Some(_), Some((name, _))) = (&solution, given.iter().find(|(_, value)| value.is_some())) {
            let detail =
                format!("`{name}` says how to search, and with a `solution` there is no search. Leave one out.");
            return Err(
                Problem::new(Code::OptionOutOfRange, detail).with(|document| document.field = Some((*name).into()))
            );
        }
        let task = Task::new(request, config)?;
        let solution = solution.map(|text| parse_turns(&text)).transpose();
        let solution = solution.map_err(|error| Problem::from(error).within("solution"))?;
        if let Some(moves) = &solution {
            check(&task.cube, moves)?;
        }
        Ok(Self { task, solution })
    }
}

/// Refuses what does not solve the cube, and says what it does instead.
fn check(cube: &Cube, moves: &[Move]) -> Result<(), Problem> {
    if moves.len() > MOST_TURNS {
        let detail = format!("`solution` has {} turns when written out; {MOST_TURNS} are the most.", moves.len());
        return Err(
            Problem::new(Code::OptionOutOfRange, detail).with(|document| document.field = Some("solution".into()))
        );
    }
    let end = cube.after(moves);
    if end.is_solved() {
        return Ok(());
    }
    let solves = |moves: &[Move]| cube.after(moves).is_solved();
    let early = (0..moves.len()).find(|&turns| solves(&moves[..turns]));
    let seen = |s: Symmetry| moves.iter().map(|&turn| s.conjugate_move(turn)).collect::<Vec<_>>();
    let held = Symmetry::all().skip(1).find(|&s| solves(&seen(s)));
    let hint = if let Some(turns) = early {
        format!(" After {turns} turns the cube is solved, and the rest of them undoes that.")
    } else if solves(&invert(moves)) {
        " Its inverse solves the cube: was it written for the scramble?".to_owned()
    } else if let Some(s) = held {
        format!(" Seen another way it does: {} ({}).", join(&seen(s)), group::describe(s))
    } else {
        String::new()
    };
    let detail = format!("These turns do not solve the cube; they end at {}.{hint}", to_facelets(&end));
    Err(Problem::new(Code::NotASolution, detail).with(|document| document.field = Some("solution".into())))
}

async fn answer(state: &AppState, account: &Account, request: ExplainRequest) -> Result<ExplainBody, Problem> {
    let Asked { task, solution } = Asked::new(request, &state.config)?;
    let tables = state.tables_for_work()?;
    let engine = tables.clone().into();
    state.while_sound(&engine, explained(state, account, tables, task, solution)).await
}

async fn explained(
    state: &AppState,
    account: &Account,
    tables: Arc<Tables>,
    task: Task,
    solution: Option<Vec<Move>>,
) -> Result<ExplainBody, Problem> {
    let searched = solution.is_none();
    let moves = if let Some(moves) = solution {
        moves
    } else {
        let (engine, hear) = (tables.clone().into(), account.listener());
        state.solver.solve_watched(engine, task.cube, task.options(), task.time_limit, hear).await?.outcome.moves
    };
    // The proofs get as long as the search, or a search that used all its time would leave none.
    let deadline = Instant::now() + task.time_limit;
    let cube = task.cube;
    let finished = state.solver.pool().run(Deadline::OfTheEnd(deadline), move |stop| {
        let explained = explain(&tables, &cube, &moves, Some(deadline), stop)?;
        Ok::<_, Halt>(explained.map(|explanation| ExplainBody::new(&cube, &moves, searched, &explanation)))
    });
    match finished.await?.value {
        // What was given was checked, and what was found was replayed.
        Ok(body) => body.ok_or_else(Problem::internal),
        Err(_) => Err(Refused::ShuttingDown.into()),
    }
}
