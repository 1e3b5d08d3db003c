//! `POST /solve/batch`: lines with cubes in, lines with answers out, both at once; see [`batch`](crate::api::batch).
//!
//! A batch is many jobs of the background lane, one after another: each solves the lines that have arrived, so a batch that waits for lines
//! holds no thread. When other jobs wait for a thread, a job starts no search after `JOB_TIME`, and the batch queues its next job. Between
//! two jobs it waits for the tables of a metric or of turns that a line needs, which holds no thread either. Dropping
//! the response body aborts the batch, which stops its searches.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, stream};
use prometheus::IntCounter;
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument as _;

#[cfg(feature = "contract")]
use super::BatchProblems;
use crate::api::batch::answers::Answers;
use crate::api::batch::line::Column;
use crate::api::batch::line::parse_row;
use crate::api::batch::lines::{Lines, Reader, connect};
use crate::api::batch::read_ahead::{Limits, read_ahead};
use crate::api::batch::search::Searches;
use crate::api::batch::window::Window;
use crate::api::batch::{Adapter, Parsed, SolvedLine, Unsolved, Writer};
use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::{BatchAnswer, BatchProblem, BatchQuery, CubeRequest, LineId, SolveRequest};
use crate::contract;
use crate::http::AppState;
use crate::http::events::UNBUFFERED;
use crate::http::extract::{QueryString, check_encoding, essence, quality};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::service::millis;
use crate::service::pool::{Deadline, Refused};
use crate::service::telemetry::metrics::{LineOutcome, line_meters};
use superflip_solver::{Control, Profile, Solution, SolveError, Solver, TableSet, Tables};

/// Maximum number of lines of one batch in memory.
///
/// With answers in order, a slow line holds back the answers after it. Meanwhile the thread solves the other lines of the window: 1024
/// lines of 0.5 ms are half a second of work.
pub const WINDOW: usize = 1024;
/// Number of searches of one batch that are interleaved on its thread.
const SEARCHES_IN_FLIGHT: usize = 8;
/// Time after which a job of a batch starts no further search if other jobs wait. The overhead of a job is some tens of microseconds.
const JOB_TIME: Duration = Duration::from_millis(100);

/// Media types of JSON lines.
const LINES: [&str; 6] = [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonlines",
    "application/json-lines",
    "application/x-jsonlines",
    "application/jsonl",
];
/// Media type for clients that know JSON and plain text only, such as generated ones.
const TEXT: &str = "text/plain";

/// Returns whether the client prefers plain text to every type of JSON lines.
fn accepts_text_first(headers: &HeaderMap) -> bool {
    let of_lines = LINES.iter().filter_map(|lines| quality(headers, header::ACCEPT, lines)).fold(0.0, f32::max);
    quality(headers, header::ACCEPT, TEXT).is_some_and(|text| text > of_lines)
}

/// The example request in the contract.
#[cfg(feature = "contract")]
const EXAMPLE_LINES: &str = "{\"id\": \"first\", \"scramble\": \"R U R' U'\"}\nF2 B2\n";

/// Solve many cubes
///
/// Each line of the body is a JSON object as for `POST /solve` with an optional `id`, or a `KPattern` or cubies object, or a cube as text in
/// any form. Each line of the response is an answer, with the number of its `line` (from 1) and its `id`. An invalid line is answered by a
/// `problem` and affects no other line. Blank lines, and lines that begin with `#`, are skipped.
///
/// Answers are sent while lines still arrive, in the order of the lines, or with `order=any` as searches end. While searches run, an
/// answer waits up to 20 ms so that several are sent together. A batch may have any number of lines. It runs on one thread. All lines may
/// be sent before an answer is read, up to a limit of the server (128 MiB by default). Beyond it, the server stops reading until answers are
/// taken. If the batch ends early, because it is idle, no answer is taken at that limit, or the server shuts down, the last line is a
/// `problem` without `line`. Closing the connection stops the batch.
///
/// Both bodies are text: an object in the request is a `BatchLine`, a line of the response a `BatchAnswer`. The response is `text/plain` if
/// `Accept` prefers that to `application/x-ndjson`; the text is the same.
#[contract::path(post, path = "/solve/batch", tag = "solve", operation_id = "solve_batch", params(BatchQuery, crate::api::types::WaitHeader),
    request_body(description = "One cube on each line: a `BatchLine` or a cube object as JSON, or text", content(
        (String = "application/x-ndjson", example = json!(EXAMPLE_LINES)),
        (String = "text/plain", example = json!(EXAMPLE_LINES)))),
    responses((status = 200, description = "One `BatchAnswer` as JSON on each line", content(
        (String = "application/x-ndjson"), (String = "text/plain"))), BatchProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    RequestIdText(id): RequestIdText,
    facts: RequestFacts,
    QueryString(mut defaults): QueryString<BatchQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let declared = essence(&headers);
    if declared != TEXT && !LINES.contains(&declared.as_str()) {
        let detail = "The body must have one cube on each line, as JSON or as text; send the header `Content-Type: application/x-ndjson` or `text/plain`.";
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    }
    check_encoding(&headers)?;
    // An invalid default is an error of the request, not of each line.
    let (order, column) = (defaults.order.unwrap_or_default(), defaults.column.take().map(Column::new));
    let defaults = SolveRequest::from(defaults);
    let solved_cube = SolveRequest { cube: CubeRequest::of_scramble(String::new()), ..defaults.clone() };
    let mut of_all = Task::new(solved_cube, &state.config)?;
    let tables = Arc::clone(state.solver_for(&mut of_all, &facts).await?.tables());

    let window = Window::new(WINDOW);
    let server = &state.config.server;
    let idle = Duration::from_millis(server.batch_idle_timeout_ms);
    // The client gets the error of a full spool before the other timeouts end its connection.
    let full = idle.min(Duration::from_millis(server.write_timeout_ms)) / 2;
    let limits = Limits { full, idle, discard: server.request_timeout() };
    let chunks = body.into_data_stream().map(chunk);
    let (chunks, reading_ahead) = read_ahead(chunks, state.spool.clone(), window.clone(), limits);
    let lines = Lines::new(chunks, server.body_limit_bytes);
    let adapter = JsonLines { state: state.clone(), column, defaults, profile: tables.profile(), wait: facts.wait() };
    let (reader, searches, answered) = connect(lines, adapter, window.clone(), idle);
    let (begun, has_begun) = oneshot::channel();
    let batch = run(state, tables, of_all, window.clone(), (reader, reading_ahead), searches, begun);
    let mut batch = AbortOnDropHandle::new(tokio::spawn(batch.in_current_span()));
    tokio::select! {
        biased;
        Ok(()) = has_begun => {}
        refused = &mut batch => return Err(refused.ok().and_then(Result::err).unwrap_or_else(Problem::internal)),
    }
    facts.batch();
    let answers = Answers::new(answered, order, window, batch, JsonWriter::new(id, facts));
    let answers = stream::unfold(answers, |mut answers| async {
        let chunk = answers.next_chunk().await?;
        Some((Ok::<_, Infallible>(Bytes::from(chunk)), answers))
    });
    let kind = if accepts_text_first(&headers) { "text/plain; charset=utf-8" } else { LINES[0] };
    Ok((UNBUFFERED, [(header::CONTENT_TYPE, kind)], Body::from_stream(answers)).into_response())
}

/// Waits for its turn, then runs the batch. Returns an error if it ends early. `of_all` has the options of lines without their own.
async fn run(
    state: AppState,
    tables: Arc<Tables>,
    of_all: Task,
    window: Window,
    (reader, reading_ahead): (
        Reader<impl Stream<Item = Result<Bytes, Problem>> + Unpin, JsonLines>,
        impl Future<Output = ()>,
    ),
    searches: Searches<JsonLines>,
    begun: oneshot::Sender<()>,
) -> Result<(), Problem> {
    let (start, lane) = (Instant::now(), state.lanes.background());
    // Maximum wait for the first thread: half the request timeout, as for table checks. Lines are read after that.
    lane.run(Deadline::StartBy(start + state.config.server.request_timeout() / 2), |_| ()).await?;
    let _ = begun.send(());
    // Tables of other turns and metrics are held by jobs only, so that a batch that waits for lines holds none that are not used any more.
    let own = state.shelf.get(state.shelf.phases(of_all.goal.metric, of_all.goal.turns));
    let reading = async {
        tokio::select! {
            biased;
            () = state.lanes.stopping().cancelled() => Err(Refused::ShuttingDown.into()),
            read = reader.run() => read,
            // Ends after the last line was passed on.
            () = async { reading_ahead.await; std::future::pending().await } => Ok(()),
        }
    };
    let solving = async {
        while searches.arrived().await {
            // The lines after it wait too, so a batch asks for one set of tables after another.
            let of_line = match searches.take_read() {
                None => Vec::new(),
                Some(mut first) => match searches.adapter().prepare(&mut first.task).await {
                    Ok(tables) => {
                        searches.put_prepared(first);
                        tables
                    }
                    Err(problem) => {
                        searches.refuse(first, problem);
                        continue;
                    }
                },
            };
            let (searches, state, span) = (searches.clone(), state.clone(), tracing::Span::current());
            let solver = state.with_proofs(Arc::clone(&tables), &of_all).with(own.clone()).with(of_line);
            let job = move |control: &Control| {
                let begun = Instant::now();
                let must_end = || begun.elapsed() >= JOB_TIME && state.lanes.background().queued() > 0;
                let profile = solver.tables().profile().name();
                let _entered = tracing::debug_span!(parent: &span, "batch", profile).entered();
                searches.run_arrived(&must_end, &solver, SEARCHES_IN_FLIGHT, &state.in_memory(control));
            };
            lane.run(Deadline::Admitted, job).await?;
        }
        Ok::<_, Problem>(())
    };
    // An incomplete body usually means that the client disconnected, so it ends the batch.
    let ended = tokio::try_join!(reading, solving);
    tracing::debug!(elapsed_ms = millis(start.elapsed()), "a batch ended");
    ended?;
    // `window` still counts a cancelled search: the batch is then incomplete.
    if window.is_searching() { Err(Refused::ShuttingDown.into()) } else { Ok(()) }
}

/// Parses the lines of a request, and counts the results.
struct JsonLines {
    state: AppState,
    /// The column of cubes, if the lines are a table.
    column: Option<Column>,
    /// Default options of lines.
    defaults: SolveRequest,
    /// Profile of the tables of all lines.
    profile: Profile,
    /// Time that each line may wait for tables, beside its time limit.
    wait: Duration,
}

impl JsonLines {
    /// Waits for the tables of a line, as for those of a request of its own. The time is a part of its time in the queue.
    async fn prepare(&self, task: &mut Task) -> Result<Vec<TableSet>, Problem> {
        let tables = self.state.tables_of_goal(task, self.wait).await;
        task.waited = Duration::ZERO;
        tables
    }
}

impl Adapter for JsonLines {
    fn parse(&self, number: usize, text: &str) -> Option<Parsed> {
        parse_row(self.column.as_ref(), number, text, &self.defaults, &self.state.config)
    }

    fn prover(&self, task: &Task, solver: &Solver) -> Solver {
        self.state.with_proofs(Arc::clone(solver.tables()), task)
    }

    fn check(&self, task: &Task, result: Result<Solution, SolveError>) -> Result<Solution, Problem> {
        self.state.lanes.metrics().count(result.as_ref(), self.profile, task.goal.is_proof);
        result.map_err(|error| self.state.unanswered(task, error))
    }
}

/// Writes answers, and counts them in the metrics and in the log of the request.
struct JsonWriter {
    request_id: String,
    facts: RequestFacts,
    /// Counters of lines, by [`LineOutcome`].
    meters: [IntCounter; 3],
}

impl JsonWriter {
    fn new(request_id: String, facts: RequestFacts) -> Self {
        Self { request_id, facts, meters: line_meters() }
    }
}

impl Writer for JsonWriter {
    fn answer(&mut self, line: usize, id: Option<LineId>, result: Result<SolvedLine, Unsolved>, text: &mut Vec<u8>) {
        let (outcome, effort) = match &result {
            Ok(SolvedLine { effort, .. }) => (LineOutcome::Solved, Some(*effort)),
            Err(Unsolved { effort: Some(effort), .. }) => (LineOutcome::Unsolved, Some(*effort)),
            Err(Unsolved { effort: None, .. }) => (LineOutcome::Refused, None),
        };
        self.meters[outcome as usize].inc();
        self.facts.line(outcome, effort);
        push(&BatchAnswer::of_line(line, id, result, &self.request_id), text);
    }

    fn failed(&mut self, problem: Problem, text: &mut Vec<u8>) {
        self.facts.problem(&problem);
        let problem = problem.in_request(&self.request_id);
        push(&BatchAnswer::Problem(BatchProblem { line: None, id: None, problem }), text);
    }
}

fn push(answer: &BatchAnswer, text: &mut Vec<u8>) {
    // Writing these types as JSON into memory cannot fail.
    if serde_json::to_writer(&mut *text, answer).is_ok() {
        text.push(b'\n');
    }
}

/// Maps an incomplete body to a problem.
fn chunk(read: Result<Bytes, axum::Error>) -> Result<Bytes, Problem> {
    read.map_err(|error| {
        Problem::new(Code::IncompleteBody, format!("The body is incomplete: {error}; send all of it."))
    })
}

/// Line parsing, exported to the fuzz target only.
#[cfg(feature = "fuzzing")]
pub mod fuzzing {
    use futures_util::{FutureExt as _, stream};
    use superflip_solver::Control;

    use super::{Lines, Problem, SolveRequest};
    use crate::api::batch::LineTask;
    use crate::api::batch::line::parse_line;
    use crate::api::batch::lines::NumberedLine;
    use crate::service::config::Config;

    /// Returns the lines of a body that arrives in `chunks`.
    pub fn lines(chunks: Vec<Vec<u8>>, limit: usize) -> Vec<NumberedLine> {
        let mut lines = Lines::new(stream::iter(chunks.into_iter().map(Ok)), limit);
        // Every chunk is available, so the next line is ready or the body has ended.
        std::iter::from_fn(|| lines.next().now_or_never().flatten()?.ok()).collect()
    }

    /// Parses and checks line `number`.
    ///
    /// # Errors
    /// Returns the problem with which the line is answered.
    pub fn request(number: usize, text: &str, config: &Config) -> Result<(), Problem> {
        let Some(parsed) = parse_line(number, text, &SolveRequest::default(), config) else { return Ok(()) };
        match parsed.task {
            LineTask::Ready(task) => task.map(drop),
            LineTask::Unread(unread) => unread.read(&Control::new()).map(drop),
        }
    }
}
