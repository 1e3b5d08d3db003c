//! `/solve/stream`: solves one cube and streams the progress as Server-Sent Events.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderName;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream;
use tokio::sync::mpsc;

use crate::api::problem::Problem;
use crate::api::request::options::Task;
use crate::api::types::{LowerBoundEvent, SolutionEvent, SolveEvent, SolveQuery, SolveRequest, SolveResponse};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, QueryString};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::search::{self, Proof};
use crate::service::solver::SearchNotice;

/// Interval of heartbeat comments.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Response header that disables buffering in nginx, and in proxies that support the same header.
pub(crate) const UNBUFFERED: [(HeaderName, &str); 1] = [(HeaderName::from_static("x-accel-buffering"), "no")];

/// Solve a cube, with progress events
///
/// Takes the request of `POST /solve`, but `target_length` defaults to 0: the search continues until the time limit passes or the solution
/// is proven optimal. With `optimal`, `lower_bound` rises with each exhausted length. The response is a stream of Server-Sent Events:
/// `solution` for each solution shorter than all before, `lower_bound` as it rises, then one `result` (the response of `POST /solve`) or
/// `problem`. A comment is sent every second as a heartbeat. A request that is refused before the search starts gets a problem with its
/// own status. Closing the connection stops the search.
#[contract::path(post, path = "/solve/stream", tag = "solve", operation_id = "solve_stream",
    request_body(content = SolveRequest, examples(
        ("superflip" = (summary = "The superflip, with a time limit of half a second",
            value = json!({"facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB", "time_limit_ms": 500}))),
        ("near" = (summary = "A cube that is solved optimally at once", value = json!({"scramble": "R U R' U'"})))
    )),
    responses((status = 200, description = "Events", body = SolveEvent, content_type = "text/event-stream"), contract::BodyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    name: RequestIdText,
    facts: RequestFacts,
    JsonBody(request): JsonBody<SolveRequest>,
) -> Result<Response, Problem> {
    watch(state, name, facts, request).await
}

/// Solve a cube, with progress events, as a query
///
/// As POST /solve/stream, with the same default of `target_length`. `EventSource` reconnects when a stream ends; close it on `result` or
/// `problem`.
#[contract::path(get, path = "/solve/stream", tag = "solve", operation_id = "solve_stream_query", params(SolveQuery),
    responses((status = 200, description = "As POST /solve/stream", body = SolveEvent, content_type = "text/event-stream"),
        contract::QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    name: RequestIdText,
    facts: RequestFacts,
    QueryString(mut query): QueryString<SolveQuery>,
) -> Result<Response, Problem> {
    watch(state, name, facts, query.take_solve()).await
}

async fn watch(
    state: AppState,
    RequestIdText(id): RequestIdText,
    facts: RequestFacts,
    request: SolveRequest,
) -> Result<Response, Problem> {
    // Continue after the first solution, so that there is progress to stream.
    let is_optimal = request.optimal == Some(true);
    let target_length = if is_optimal { request.target_length } else { request.target_length.or(Some(0)) };
    let task = Task::new(SolveRequest { target_length, ..request }, &state.config)?;
    let engine = state.engine_for(&task)?;
    // Each event shortens the solution or raises the bound, so there are at most some tens of events. The channel needs no
    // capacity limit.
    let (sender, received) = mpsc::unbounded_channel();
    let mut record = facts.listener();
    let search = Box::pin(async move {
        let is_near = matches!(engine.proof, Some(Proof::Near));
        let notify = move |notice: SearchNotice<'_>| {
            record(notice);
            let is_forwarded = match notice {
                // The near search is fast and may refuse the cube with an error status, so do not start the event stream yet.
                SearchNotice::Begun { .. } => !is_near,
                SearchNotice::Event { .. } => true,
                // The response itself reports the end.
                SearchNotice::Ended { .. } => false,
            };
            if is_forwarded {
                // Sending fails only after the client has disconnected; the search then stops.
                let _ = sender.send(event_of(notice));
            }
        };
        let solved = state.search(&engine, &task, notify).await?;
        Ok(task.answer(&solved.outcome, solved.queued))
    });
    let events = Events { search: Some(search), received, first: None, id, facts }.begin().await?;
    let keep_alive = KeepAlive::new().interval(HEARTBEAT).text("searching");
    let events = Sse::new(stream::unfold(events, Events::event)).keep_alive(keep_alive);
    Ok((UNBUFFERED, events).into_response())
}

/// Converts a notice to an event of the stream; `None` for the start and end of the search.
fn event_of(notice: SearchNotice<'_>) -> Option<SolveEvent> {
    match notice {
        SearchNotice::Begun { .. } | SearchNotice::Ended { .. } => None,
        SearchNotice::Event { event: search::SearchEvent::Solution(found), nodes, elapsed } => {
            Some(SolveEvent::Solution(SolutionEvent::new(found, nodes, elapsed)))
        }
        SearchNotice::Event { event: search::SearchEvent::LowerBound(lower_bound), nodes, elapsed } => {
            let elapsed_us = elapsed.as_micros() as u64;
            Some(SolveEvent::LowerBound(LowerBoundEvent { lower_bound, nodes, elapsed_us }))
        }
    }
}

/// A running search and its events; dropping it stops the search.
struct Events {
    search: Option<BoxFuture<'static, Result<SolveResponse, Problem>>>,
    /// Events of the search. `None` announces its start.
    received: mpsc::UnboundedReceiver<Option<SolveEvent>>,
    /// An event that was received before the response began.
    first: Option<SolveEvent>,
    id: String,
    facts: RequestFacts,
}

impl Events {
    /// Waits until the search has started. A refusal before that is returned with its own status.
    async fn begin(mut self) -> Result<Self, Problem> {
        let Some(mut search) = self.search.take() else { return Ok(self) };
        let ended = tokio::select! {
            biased;
            Some(first) = self.received.recv() => {
                self.first = first;
                None
            }
            answer = &mut search => Some(answer),
        };
        self.search = Some(match ended {
            None => search,
            Some(answer) => {
                // A short search may start and end within one poll.
                match self.received.try_recv() {
                    Ok(first) => self.first = first,
                    Err(_) => drop(answer.as_ref().map_err(Problem::clone)?),
                }
                Box::pin(std::future::ready(answer))
            }
        });
        Ok(self)
    }

    /// Returns the next event.
    async fn event(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        let search = self.search.as_mut()?;
        let event = tokio::select! {
            biased;
            Some(event) = std::future::ready(self.first.take()) => event,
            // Poll events before the result, so that no event follows it.
            Some(Some(event)) = self.received.recv() => event,
            answer = search => {
                // The search may send events while it is polled.
                if let Ok(Some(event)) = self.received.try_recv() {
                    self.search = Some(Box::pin(std::future::ready(answer)));
                    event
                } else {
                    self.search = None;
                    match answer {
                        Ok(answer) => {
                            self.facts.solved(&answer);
                            SolveEvent::Result(answer)
                        }
                        Err(problem) => {
                            self.facts.problem(&problem);
                            SolveEvent::Problem(problem.in_request(&self.id))
                        }
                    }
                }
            }
        };
        // Serialization of these types cannot fail.
        Some((Ok(Event::default().event(event.name()).json_data(&event).unwrap_or_default()), self))
    }
}
