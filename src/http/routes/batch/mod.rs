//! `/solve/batch`: lines with cubes in, lines with answers out, both at once.
//!
//! ```text
//!   body --feed: split, read, check--> solver thread --> answers: order, write --> body
//!                   |__________ lines that are wrong _______^
//! ```
//!
//! Each line has a place in the [`Window`] of its batch from when it is read until hyper takes its answer, which it does as
//! the caller reads; so a batch of any length takes bounded memory, and a caller who reads slowly is read slowly. Dropping
//! the answer drops all of it: the task that feeds is aborted, and with it the job on the solver thread is stopped.

mod answers;
mod feed;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument as _;

use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::{BatchQuery, LineId, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{QueryString, check_encoding, essence};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::http::routes::pages::quality;
use crate::http::routes::stream::UNBUFFERED;
use crate::search::{Outcome, SearchError};
use crate::service::batch::{Place, Spent, Window, Work, channel, solve_all};
use crate::service::pool::Refused;
use crate::service::pool::cancel_reason::Departure;
use crate::tables::Tables;
use answers::Answers;
use feed::Feeder;
#[cfg(fuzzing)]
pub use feed::fuzzing;

/// What lines of JSON are called.
const LINES: [&str; 6] = [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonlines",
    "application/json-lines",
    "application/x-jsonlines",
    "application/jsonl",
];
/// The same for clients that know JSON and plain text alone, as generated ones do.
const TEXT: &str = "text/plain";

/// Whether the client names plain text among the types it accepts, before any type of lines.
fn accepts_text_first(headers: &HeaderMap) -> bool {
    let of_lines = LINES.iter().filter_map(|lines| quality(headers, lines)).fold(0.0, f32::max);
    quality(headers, TEXT).is_some_and(|text| text > of_lines)
}

/// What the contract shows of a request.
#[cfg(feature = "contract")]
const EXAMPLE_LINES: &str = "{\"id\": \"first\", \"scramble\": \"R U R' U'\"}\n{\"scramble\": \"F2 B2\"}\n";

/// A line on its way.
struct Line {
    /// How many came before it, blank ones not counted.
    ordinal: u64,
    /// Its number in the body, from 1.
    number: usize,
    id: Option<LineId>,
    place: Place,
}

/// A line with its answer.
struct Answered {
    line: Line,
    answer: Result<Solution, Unsolved>,
}

/// A line without a solution.
struct Unsolved {
    problem: Problem,
    /// If there was a search: the positions it expanded, and its time.
    effort: Option<(u64, Spent)>,
}

impl From<Problem> for Unsolved {
    fn from(problem: Problem) -> Self {
        Self { problem, effort: None }
    }
}

/// A solved cube.
struct Solution {
    task: Box<Task>,
    outcome: Outcome,
    queued: Duration,
}

/// Solve many cubes
///
/// One request as for `POST /solve` on each line, with an optional `id`; one answer on each line, with the `line` it is for (from 1)
/// and its `id`. A line that is wrong gets a `problem` and harms no other; blank lines are skipped. Answers leave while lines still
/// arrive, in the order of the lines, or with `order=any` as searches end; one that is ready waits up to 20 ms for others to leave with, while
/// there are searches under way. A batch may have any number of lines; it is read no faster
/// than its answers are taken, and runs on one thread. Should it end early, because it stood still or the server shuts down, the last
/// line is a `problem` without `line`. Closing the connection stops it.
///
/// Both bodies are text. A line of the request is a `BatchLine`, a line of the answer a `BatchAnswer`. The answer is `text/plain` if `Accept`
/// prefers that to `application/x-ndjson`; the text is the same.
#[contract::path(post, path = "/solve/batch", tag = "solve", operation_id = "solve_batch", params(BatchQuery),
    request_body(description = "One `BatchLine` as JSON on each line", content(
        (String = "application/x-ndjson", example = json!(EXAMPLE_LINES)),
        (String = "text/plain", example = json!(EXAMPLE_LINES)))),
    responses((status = 200, description = "One `BatchAnswer` as JSON on each line", content(
        (String = "application/x-ndjson"), (String = "text/plain"))), contract::BatchProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    RequestIdText(id): RequestIdText,
    facts: RequestFacts,
    QueryString(defaults): QueryString<BatchQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let declared = essence(&headers);
    if declared != TEXT && !LINES.contains(&declared.as_str()) {
        let detail = "The body must be one JSON object a line: send the header `Content-Type: application/x-ndjson`, or `text/plain`.";
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    }
    check_encoding(&headers)?;
    // What is wrong with the defaults is wrong with the request, not with each of a million lines.
    let solved_cube = SolveRequest { scramble: Some(String::new()), ..defaults.options() };
    let of_all = Task::new(solved_cube, &state.config)?;
    let tables = state.engine_for(&of_all)?.tables;

    let window = Window::default();
    let (feed, work) = channel(&window);
    let (answered, answers) = mpsc::unbounded_channel();
    let feeder = Feeder::new(body, &state, defaults, window.clone(), feed, answered.clone());
    let (begun, has_begun) = oneshot::channel();
    let batch = run(state, tables, window.clone(), work, feeder, answered, begun);
    let mut batch = AbortOnDropHandle::new(tokio::spawn(Departure::current().scope(batch.in_current_span())));
    tokio::select! {
        biased;
        Ok(()) = has_begun => {}
        refused = &mut batch => return Err(refused.ok().and_then(Result::err).unwrap_or_else(Problem::internal)),
    }
    facts.batch();
    let lines = Answers::new(answers, defaults.order.unwrap_or_default(), window, batch, id, facts).into_body();
    let kind = if accepts_text_first(&headers) { "text/plain; charset=utf-8" } else { LINES[0] };
    Ok((UNBUFFERED, [(header::CONTENT_TYPE, kind)], lines).into_response())
}

/// The batch from its turn to its end: why it ended early, if it did.
async fn run(
    state: AppState,
    tables: Arc<Tables>,
    window: Window,
    work: Work<(Line, Box<Task>)>,
    feeder: Feeder,
    answered: mpsc::UnboundedSender<Answered>,
    begun: oneshot::Sender<()>,
) -> Result<(), Problem> {
    let start = Instant::now();
    // As with other jobs that wait for long ones, half of what a request may take.
    let deadline = start + state.config.server.request_timeout() / 2;
    let (turn, is_its_turn) = oneshot::channel();
    let lead = move || {
        let _ = turn.send(());
    };
    let answering = state.clone();
    let done = move |(line, task): (Line, Box<Task>), answer: Result<Outcome, SearchError>, spent: Spent| {
        let answer = match answer {
            Ok(outcome) => match answering.check_integrity() {
                Ok(()) => Ok(Solution { task, outcome, queued: spent.queued }),
                Err(problem) => Err(problem.into()),
            },
            // Only a batch that ends is cancelled, and its last line says why.
            Err(SearchError::Cancelled { .. }) => return,
            Err(error) => {
                let effort = Some((error.nodes(), spent));
                Err(Unsolved { problem: answering.unanswered(error), effort })
            }
        };
        // Without a reader the batch is about to be stopped.
        let _ = answered.send(Answered { line, answer });
    };
    let feeding = async {
        // Nothing is read before there is a thread for it; without a turn the refusal is told by the other half.
        if is_its_turn.await.is_err() {
            return std::future::pending().await;
        }
        let _ = begun.send(());
        tokio::select! {
            biased;
            () = state.solver.batches().stopped() => Err(Refused::ShuttingDown.into()),
            fed = feeder.run() => fed,
        }
    };
    let solving = solve_all(&state.solver, tables, deadline, work, lead, done);
    // A body that breaks off is most often a caller who has gone, and so stops what is left of the batch.
    let ended = async { tokio::try_join!(feeding, async { Ok::<_, Problem>(solving.await?) }) };
    let ended = state.with_integrity(ended).await;
    tracing::debug!(elapsed_ms = start.elapsed().as_millis() as u64, "a batch ended");
    ended?;
    // Searches that were stopped have no answers.
    if window.is_searching() { Err(Refused::ShuttingDown.into()) } else { Ok(()) }
}
