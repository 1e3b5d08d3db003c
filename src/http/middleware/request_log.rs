//! Request log: one log entry, metrics and a span for each request.
//!
//! The entry is written when the response has been sent to its last byte, or when its body is dropped. It therefore includes the outcome of
//! a stream or a batch, and whether the client disconnected. Entries at `info` contain no cube: paths are logged as routes, and details
//! of problems, which may quote the request, are logged at `debug`.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderName, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::field::Empty;
use tracing::{Instrument, Level, Span};

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::middleware::body_observer::{BodyEvent, BodyObserver, observed};
use crate::http::middleware::request_facts::{Facts, RequestFacts};
use crate::http::middleware::request_id::request_id;
use crate::service::pool::cancel_reason::Departure;
use crate::service::telemetry::spans;
use crate::service::telemetry::trace::{TraceId, TraceParent};

/// Trace id and parent span of the client (W3C Trace Context).
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Vendor-specific trace data (W3C Trace Context).
pub(crate) const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
/// Maximum length of `tracestate`; a longer one is dropped, as the specification allows.
const MAX_TRACE_STATE: usize = 512;

/// Middleware: measures, counts and logs each request.
pub async fn log_requests(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = label(request.method());
    // Use only matched routes as labels. Clients choose paths, and each path would become a time series.
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let id = request_id(&request);
    let context = TraceContext::of(request.headers());
    // Record fields here if they are known: recording a field later makes the formatter rewrite all fields of the span.
    let known = spans::known(context.parent.as_ref());
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
    let trace_id = spans::join(&span, known, context.parent.as_ref(), context.state.as_deref());
    if known.is_none() {
        span.record("trace_id", tracing::field::display(trace_id));
    }
    let facts = RequestFacts::default();
    request.extensions_mut().insert(facts.clone());
    let departure = request.extensions().get::<Departure>().cloned().unwrap_or_default();
    let mut entry = LogEntry {
        state,
        start,
        span: span.clone(),
        id,
        trace_id,
        method,
        route,
        facts,
        departure,
        head: None,
        remaining: None,
        is_complete: false,
    };
    let response = entry.departure.clone().scope(next.run(request)).instrument(span).await;
    entry.head_sent(&response);
    response.map(|body| observed(body, entry))
}

/// Trace context sent by the client.
struct TraceContext {
    parent: Option<TraceParent>,
    state: Option<String>,
}

impl TraceContext {
    fn of(headers: &HeaderMap) -> Self {
        let mut parents = headers.get_all(TRACEPARENT).iter();
        let parent = parents.next().and_then(|value| TraceParent::parse(value.to_str().ok()?));
        let parent = parent.filter(|_| parents.next().is_none());
        let states: Vec<_> = headers.get_all(TRACESTATE).iter().filter_map(|value| value.to_str().ok()).collect();
        let state = states.join(",");
        Self { parent, state: (1..=MAX_TRACE_STATE).contains(&state.len()).then_some(state) }
    }
}

/// Log entry of one request. Dropping it writes it.
struct LogEntry {
    state: AppState,
    start: Instant,
    span: Span,
    id: String,
    trace_id: TraceId,
    method: &'static str,
    route: String,
    facts: RequestFacts,
    departure: Departure,
    /// Status of the response, and the detail of a server error.
    head: Option<(u16, Option<String>)>,
    /// Number of bytes of the body that are not sent yet, if the response has a `Content-Length`.
    remaining: Option<u64>,
    /// Whether the whole response was sent.
    is_complete: bool,
}

impl LogEntry {
    /// Records the head of the response.
    fn head_sent(&mut self, response: &Response) {
        let status = response.status().as_u16();
        self.state.requests.count(&self.route, self.method, status, self.start.elapsed());
        spans::answered(&self.span, status);
        let mut detail = None;
        if let Some(problem) = response.extensions().get::<Problem>() {
            self.facts.problem(problem);
            let text = &problem.document().detail;
            self.span.in_scope(|| tracing::debug!(detail = text, "refused"));
            detail = (status >= 500).then(|| text.clone());
        }
        self.head = Some((status, detail));
        let length = response.headers().get(CONTENT_LENGTH);
        self.remaining = length.and_then(|length| length.to_str().ok()?.parse().ok());
        // Expect no body for HEAD: axum removes it after this.
        self.is_complete = self.method == "HEAD";
    }

    fn write(&self) {
        let facts = self.facts.get();
        let (search_us, queue_us) = (facts.search_us(), facts.queue_us());
        let Facts { key, stopped_by, length, lower_bound, nodes, problem, lines, .. } = facts;
        let client_gone = !self.is_complete;
        // Log the problem: an abandoned request may still have received its error.
        let has_error = problem.is_some_and(|problem| matches!(problem, Code::ShuttingDown | Code::TimedOut));
        let abandoned = self.departure.written().filter(|_| has_error);
        let outcome = match problem {
            _ if client_gone => self.departure.reason().name(),
            _ if let Some(reason) = abandoned => reason.name(),
            Some(problem) if is_failure(problem) => "failed",
            Some(_) => "refused",
            None if stopped_by.is_some() => "solved",
            None => "answered",
        };
        let (status, detail) =
            self.head.as_ref().map_or((None, None), |(status, detail)| (Some(*status), detail.as_deref()));
        let problem_code = problem.map(Code::name);
        let (search_ms, queue_ms) = (search_us.map(milliseconds), queue_us.map(milliseconds));
        let total_ms = milliseconds(self.start.elapsed().as_micros() as u64);
        let [solved, unsolved, refused] =
            lines.map_or([None; 3], |lines| [Some(lines.solved), Some(lines.unsolved), Some(lines.refused)]);
        let Self { id: request_id, trace_id, method, route, .. } = self;
        // The level of an event is fixed at compile time, so there is one event per level. The entry contains the ids itself and needs no
        // parent span.
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

impl Drop for LogEntry {
    fn drop(&mut self) {
        self.write();
    }
}

fn is_failure(problem: Code) -> bool {
    problem.level() == Level::ERROR
}

#[allow(clippy::cast_precision_loss)] // durations are below 2^53 microseconds
fn milliseconds(us: u64) -> f64 {
    us as f64 / 1000.0
}

impl BodyObserver for LogEntry {
    fn polled(&mut self, event: BodyEvent) {
        match event {
            BodyEvent::Data(bytes) => {
                self.remaining = self.remaining.map(|remaining| remaining.saturating_sub(bytes));
                // hyper does not poll after the last byte that it expects, so the response is complete now.
                self.is_complete |= self.remaining == Some(0);
            }
            BodyEvent::Pending => {}
            BodyEvent::End => self.is_complete = true,
        }
    }

    fn dropped(&mut self, is_complete: bool) {
        self.is_complete |= is_complete;
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
