//! `/solve/stream`: solves one cube and streams the progress as Server-Sent Events.

use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use tokio::sync::mpsc;

#[cfg(feature = "contract")]
use super::{Problems, QueryProblems};
use crate::api::problem::{Document, Problem};
use crate::api::types::fields::InQuery;
use crate::api::types::{Solution, SolveRequest, SolveResult};
use crate::contract::{self, ToSchema};
use crate::http::AppState;
use crate::http::events::{Message, SearchEvent, Work};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::service::lanes::SearchNotice;
use crate::service::micros;
use superflip_cube::metric::Metric;
use superflip_solver::{Event, Found};

/// Data of the event `solution`: a solution shorter than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SolutionEvent {
    /// Solution that was found.
    #[serde(flatten)]
    pub solution: Solution,
    /// Number of nodes expanded so far.
    pub nodes: u64,
    /// Microseconds since the search started.
    pub elapsed_us: u64,
}

impl SolutionEvent {
    /// Creates the event from an event of the search in a metric.
    pub(crate) fn new(found: &Found, metric: Metric, nodes: u64, elapsed: Duration) -> Self {
        let solution = Solution::new(&found.moves, found.phases, metric);
        Self { solution, nodes, elapsed_us: micros(elapsed) }
    }
}

/// Data of the event `lower_bound`: a bound higher than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LowerBoundEvent {
    /// Lower bound on the length of every solution.
    pub lower_bound: u8,
    /// Number of nodes expanded so far.
    pub nodes: u64,
    /// Microseconds since the search started.
    pub elapsed_us: u64,
}

/// Data of one event. The events are any number of `solution` and `lower_bound`, then one `result` or `problem`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // a search has some tens of events
pub(crate) enum SolveEvent {
    /// Data of the event `solution`.
    Solution(SolutionEvent),
    /// Data of the event `lower_bound`.
    LowerBound(LowerBoundEvent),
    /// Data of the event `result`: the response of `POST /solve`.
    Result(SolveResult),
    /// Data of the event `problem`.
    Problem(Document),
}

impl SearchEvent for SolveEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Solution(_) => "solution",
            Self::LowerBound(_) => "lower_bound",
            Self::Result(_) => "result",
            Self::Problem(_) => "problem",
        }
    }

    fn of_problem(problem: Document) -> Self {
        Self::Problem(problem)
    }
}

/// Solve a cube, with progress events
///
/// Takes the request of `POST /solve`, but `target_length` defaults to 0: the search continues until the time limit passes or the solution
/// is proven optimal. With `optimal`, `lower_bound` rises with each exhausted length. The response is a stream of Server-Sent Events:
/// `solution` for each solution shorter than all before, `lower_bound` as it rises, then one `result` (the response of `POST /solve`) or
/// `problem`. A comment is sent every second as a heartbeat. A request that is refused before the search starts gets a problem with its
/// own status. Closing the connection stops the search.
#[contract::path(post, path = "/solve/stream", tag = "solve", operation_id = "solve_stream", params(crate::api::types::WaitHeader),
    request_body(content = SolveRequest, examples(
        ("superflip" = (summary = "The superflip, with a time limit of half a second",
            value = json!({"facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB", "time_limit_ms": 500}))),
        ("near" = (summary = "A cube that is solved optimally at once", value = json!({"scramble": "R U R' U'"})))
    )),
    responses((status = 200, description = "Events", body = SolveEvent, content_type = "text/event-stream"), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    name: RequestIdText,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(request): JsonBody<SolveRequest>,
) -> Result<Response, Problem> {
    watch(state, name, facts, request).await
}

/// Solve a cube, with progress events, as a query
///
/// As POST /solve/stream, with the same default of `target_length`. `EventSource` reconnects when a stream ends; close it on `result` and on
/// `problem`. With `Accept: text/event-stream`, as `EventSource` sends, every problem is an event `problem` with status 200.
#[contract::path(get, path = "/solve/stream", tag = "solve", operation_id = "solve_stream_query", params(SolveRequest, crate::api::types::WaitHeader),
    responses((status = 200, description = "As POST /solve/stream", body = SolveEvent, content_type = "text/event-stream"),
        QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    name: RequestIdText,
    facts: RequestFacts,
    QueryString(InQuery(request)): QueryString<InQuery<SolveRequest>>,
) -> Result<Response, Problem> {
    watch(state, name, facts, request).await
}

async fn watch(
    state: AppState,
    name: RequestIdText,
    facts: RequestFacts,
    mut request: SolveRequest,
) -> Result<Response, Problem> {
    // Continue after the first solution, so that there is progress to stream.
    if !request.proofs.is_optimal() {
        request.limits.target_length.get_or_insert(0);
    }
    let mut task = state.task(request).await?;
    let solver = state.solver_for(&mut task, &facts).await?;
    // Each event shortens the solution or raises the bound, so there are at most some tens of events. The channel needs no
    // capacity limit.
    let channel = mpsc::unbounded_channel();
    let (sender, mut record) = (channel.0.clone(), facts.listener());
    let search = async move {
        let is_near = task.goal.is_proof && solver.proving(task.goal.metric).is_none();
        let metric = task.goal.metric;
        let notify = move |notice: SearchNotice<'_>| {
            record(notice);
            if let Some(message) = message_of(notice, is_near, metric) {
                // Sending fails only after the client has disconnected; the search then stops.
                let _ = sender.send(message);
            }
        };
        let solved = state.search(solver, &task, notify).await?;
        Ok(SolveEvent::Result(task.answer(&solved.outcome, solved.queued)))
    };
    let record = |facts: &RequestFacts, event: &SolveEvent| {
        if let SolveEvent::Result(answer) = event {
            facts.solved(answer);
        }
    };
    Work::new(channel, search).response(name, facts, record).await
}

/// Converts a notice to a message for the stream.
fn message_of(notice: SearchNotice<'_>, is_near: bool, metric: Metric) -> Option<Message<SolveEvent>> {
    match notice {
        // The near search is fast and may refuse the cube with an error status, so do not start the event stream yet.
        SearchNotice::Begun { .. } => (!is_near).then_some(Message::Started),
        SearchNotice::Event { event: Event::Solution(found), nodes, elapsed } => {
            Some(Message::Event(SolveEvent::Solution(SolutionEvent::new(found, metric, nodes, elapsed))))
        }
        SearchNotice::Event { event: Event::LowerBound(lower_bound), nodes, elapsed } => {
            let elapsed_us = micros(elapsed);
            Some(Message::Event(SolveEvent::LowerBound(LowerBoundEvent {
                lower_bound: *lower_bound,
                nodes,
                elapsed_us,
            })))
        }
        // The result of the search contains the iterations of a proof, and reports the end.
        SearchNotice::Event { event: Event::Proof(_), .. } | SearchNotice::Waiting | SearchNotice::Ended { .. } => None,
    }
}
