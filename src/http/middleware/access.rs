//! One log line and two metrics for each request, and the span that everything else is logged in.
//!
//! The line is written when the answer has been handed over, to its last byte, or when it is clear that it will not be; so it
//! knows how a stream or a batch went, and whether the client was still there. At `info` no line tells what cubes callers have:
//! paths are written as routes, and what a problem says to its caller, which may quote him, is written only at `debug`.

use std::convert::Infallible;
use std::time::Instant;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, Method};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::request_id::RequestId;
use tracing::field::Empty;
use tracing::{Instrument, Level, Span};

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::middleware::account::{Account, Facts};
use crate::http::middleware::body::{Companion, Piece, accompanied};
use crate::service::pool::cancel_reason::Departure;
use crate::service::telemetry::spans;
use crate::service::telemetry::trace::{TraceId, TraceParent};

/// The caller's trace, and its span in it.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// What tracing systems on the way added.
pub(crate) const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
/// Longer states may be forgotten.
const LONGEST_STATE: usize = 512;

/// The request's id, for what is written after the head of the answer.
pub struct RequestName(pub String);

impl<S: Sync> FromRequestParts<S> for RequestName {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(id_in(&parts.extensions)))
    }
}

fn id_in(extensions: &Extensions) -> String {
    let id = extensions.get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    id.unwrap_or_default().to_owned()
}

/// The request's id, or an empty text where none was set.
pub fn request_id(request: &Request) -> String {
    id_in(request.extensions())
}

/// Measures, counts and logs the request.
pub async fn observe(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = label(request.method());
    // Only matched routes become labels: paths are the caller's to choose, and each would be a series for ever.
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let id = request_id(&request);
    let caller = Caller::of(request.headers());
    // What is recorded later makes the log read and write again what it has of the span.
    let known = spans::known(caller.parent.as_ref());
    let span = tracing::info_span!(
        "request",
        request_id = id,
        trace_id = known.map(tracing::field::display),
        method,
        route,
        otel.name = Empty,
        otel.kind = Empty,
        otel.status_code = Empty
    );
    spans::name_request(&span, method, &route);
    let trace_id = spans::join(&span, known, caller.parent.as_ref(), caller.state.as_deref());
    if known.is_none() {
        span.record("trace_id", tracing::field::display(trace_id));
    }
    let account = Account::default();
    request.extensions_mut().insert(account.clone());
    let departure = request.extensions().get::<Departure>().cloned().unwrap_or_default();
    let mut line = Line {
        state,
        start,
        span: span.clone(),
        id,
        trace_id,
        method,
        route,
        account,
        departure,
        answer: None,
        left: None,
        is_whole: false,
    };
    let response = line.departure.clone().scope(next.run(request)).instrument(span).await;
    line.answered(&response);
    response.map(|body| accompanied(body, line))
}

/// What a caller tells of his trace.
struct Caller {
    parent: Option<TraceParent>,
    state: Option<String>,
}

impl Caller {
    fn of(headers: &HeaderMap) -> Self {
        let mut parents = headers.get_all(TRACEPARENT).iter();
        let parent = parents.next().and_then(|value| TraceParent::parse(value.to_str().ok()?));
        let parent = parent.filter(|_| parents.next().is_none());
        let states: Vec<_> = headers.get_all(TRACESTATE).iter().filter_map(|value| value.to_str().ok()).collect();
        let state = states.join(",");
        Self { parent, state: (1..=LONGEST_STATE).contains(&state.len()).then_some(state) }
    }
}

/// The line of one request, written when this is dropped.
struct Line {
    state: AppState,
    start: Instant,
    span: Span,
    id: String,
    trace_id: TraceId,
    method: &'static str,
    route: String,
    account: Account,
    departure: Departure,
    /// The head of the answer: its status, and what went wrong on the server's side, in words.
    answer: Option<(u16, Option<String>)>,
    /// Bytes of the answer that were not handed over, where its head tells how many there are.
    left: Option<u64>,
    /// Whether all of the answer was handed over.
    is_whole: bool,
}

impl Line {
    fn answered(&mut self, response: &Response) {
        let status = response.status().as_u16();
        self.state.requests.count(&self.route, self.method, status, self.start.elapsed());
        spans::answered(&self.span, status);
        let mut detail = None;
        if let Some(problem) = response.extensions().get::<Problem>() {
            self.account.problem(problem);
            let text = &problem.document().detail;
            self.span.in_scope(|| tracing::debug!(detail = text, "refused"));
            detail = (status >= 500).then(|| text.clone());
        }
        self.answer = Some((status, detail));
        let length = response.headers().get(CONTENT_LENGTH);
        self.left = length.and_then(|length| length.to_str().ok()?.parse().ok());
        // The answer to HEAD has no body, which axum sees to after this.
        self.is_whole = self.method == "HEAD";
    }

    fn write(&self) {
        let facts = self.account.facts();
        let (search_us, queue_us) = (facts.search_us(), facts.queue_us());
        let Facts { key, stopped_by, length, lower_bound, nodes, problem, lines, .. } = facts;
        let client_gone = !self.is_whole;
        // What was given up may still have been told of it.
        let is_told = problem.is_some_and(|problem| matches!(problem, Code::ShuttingDown | Code::TimedOut));
        let given_up = self.departure.written().filter(|_| is_told);
        let outcome = match problem {
            _ if client_gone => self.departure.reason().name(),
            _ if let Some(reason) = given_up => reason.name(),
            Some(problem) if is_failure(problem) => "failed",
            Some(_) => "refused",
            None if stopped_by.is_some() => "solved",
            None => "answered",
        };
        let (status, detail) =
            self.answer.as_ref().map_or((None, None), |(status, detail)| (Some(*status), detail.as_deref()));
        let problem_code = problem.map(Code::name);
        let (search_ms, queue_ms) = (search_us.map(milliseconds), queue_us.map(milliseconds));
        let total_ms = milliseconds(self.start.elapsed().as_micros() as u64);
        let [solved, unsolved, refused] =
            lines.map_or([None; 3], |lines| [Some(lines.solved), Some(lines.unsolved), Some(lines.refused)]);
        let Self { id: request_id, trace_id, method, route, .. } = self;
        // Macros fix the level when they are compiled. The ids are in the line itself, so it needs no span around it.
        macro_rules! write_at {
            ($level:expr) => {
                tracing::event!(
                    parent: None, $level, request_id, %trace_id, key, method, route, status, outcome, problem = problem_code,
                    detail, client_gone, stopped_by, length, lower_bound, nodes, queue_ms, search_ms, total_ms,
                    lines_solved = solved, lines_unsolved = unsolved, lines_refused = refused, "request"
                )
            };
        }
        match problem.map_or(Level::INFO, Code::level) {
            Level::ERROR => write_at!(Level::ERROR),
            Level::WARN => write_at!(Level::WARN),
            _ => write_at!(Level::INFO),
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.write();
    }
}

fn is_failure(problem: Code) -> bool {
    problem.level() == Level::ERROR
}

#[allow(clippy::cast_precision_loss)] // nothing takes 2^53 microseconds
fn milliseconds(us: u64) -> f64 {
    us as f64 / 1000.0
}

/// The line is written with the end of the answer.
impl Companion for Line {
    fn asked(&mut self, answer: Piece) {
        match answer {
            Piece::Given(bytes) => {
                self.left = self.left.map(|left| left.saturating_sub(bytes));
                // hyper asks for nothing after the last byte that it expects.
                self.is_whole |= self.left == Some(0);
            }
            Piece::Pending => {}
            Piece::End => self.is_whole = true,
        }
    }

    fn dropped(&mut self, is_whole: bool) {
        self.is_whole |= is_whole;
    }
}

fn label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}
