//! Request log: one log entry, metrics and a span for each request.
//!
//! The entry is written when the response has been sent to its last byte, or when its body is dropped. It therefore includes the outcome of
//! a stream or a batch, and whether the client disconnected. Entries contain no cube: paths are logged as routes, and details of
//! 4xx problems, which may quote the request, are logged only at `debug`. The entry contains the detail of a 5xx problem.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderName, Method};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tracing::field::Empty;
use tracing::{Instrument, Level, Span};

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::connection::InProgress;
use crate::http::middleware::request_facts::{Facts, RequestFacts};
use crate::http::middleware::request_id::request_id;
use crate::http::routes::pages::is_meant_as_cube;
use crate::service::access::ConcurrencyPermit;
use crate::service::micros;
use crate::service::telemetry::trace::{self, TraceId, TraceParent};

/// Trace id and parent span of the client (W3C Trace Context).
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Vendor-specific trace data (W3C Trace Context).
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");
/// Maximum length of `tracestate`; a longer one is dropped, as the specification allows.
const MAX_TRACE_STATE: usize = 512;

/// Middleware: measures, counts and logs each request.
pub(crate) async fn log_requests(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = label(request.method());
    let route = route(&request).to_owned();
    let id = request_id(&request);
    let context = TraceContext::of(request.headers());
    // Record fields here if they are known: recording a field later makes the formatter rewrite all fields of the span.
    let known = trace::known(context.parent.as_ref());
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
    trace::name_request(&span, method, &route);
    let trace_id = trace::join(&span, known, context.parent.as_ref(), context.state.as_deref());
    if known.is_none() {
        span.record("trace_id", tracing::field::display(trace_id));
    }
    let facts = RequestFacts::default();
    request.extensions_mut().insert(facts.clone());
    let mut entry = LogEntry {
        state,
        start,
        span: span.clone(),
        id,
        trace_id,
        method,
        route,
        facts,
        head: None,
        remaining: None,
        is_complete: false,
        permit: None,
        _in_progress: request.extensions_mut().remove(),
    };
    let mut response = next.run(request).instrument(span).await;
    entry.permit = response.extensions_mut().remove();
    entry.head_sent(&response);
    response.map(|body| Body::new(Logged { body, entry }))
}

/// Returns the matched route. Clients choose paths, and as a label each path would become a time series.
fn route(request: &Request) -> &str {
    let path = request.uri().path().trim_start_matches('/');
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    // This route matches every path of one segment, and answers 404 to those that are no cube.
    matched.filter(|route| *route != "/{facelets}" || is_meant_as_cube(path)).unwrap_or("unmatched")
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
    /// Status of the response or of its problem, and the detail of a server error.
    head: Option<(u16, Option<String>)>,
    /// Number of bytes of the body that are not sent yet, if the response has a `Content-Length`.
    remaining: Option<u64>,
    /// Whether the whole response was sent.
    is_complete: bool,
    /// Permit for a concurrent request, if the client has a limit.
    permit: Option<Arc<ConcurrencyPermit>>,
    /// Guard that keeps the connection from being idle.
    _in_progress: Option<Arc<InProgress>>,
}

impl LogEntry {
    /// Records the head of the response.
    fn head_sent(&mut self, response: &Response) {
        let problem = response.extensions().get::<Problem>();
        // A problem that is sent as an event has a status of its own; that of the response is 200.
        let status = problem.map_or(response.status().as_u16(), |problem| problem.document().status);
        self.state.requests.count(&self.route, self.method, status, self.start.elapsed());
        trace::answered(&self.span, status);
        let mut detail = None;
        if let Some(problem) = problem {
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
        let outcome = match problem {
            Some(Code::TimedOut) => "timed_out",
            Some(Code::ShuttingDown) => "shutdown",
            _ if client_gone => "caller_gone",
            Some(problem) if is_failure(problem) => "failed",
            Some(_) => "refused",
            None if stopped_by.is_some() => "solved",
            None => "answered",
        };
        let (status, detail) =
            self.head.as_ref().map_or((None, None), |(status, detail)| (Some(*status), detail.as_deref()));
        let problem_code = problem.map(Code::name);
        let (search_ms, queue_ms) = (search_us.map(milliseconds), queue_us.map(milliseconds));
        let total_ms = milliseconds(micros(self.start.elapsed()));
        let [solved, unsolved, refused] = lines.map_or([None; 3], |lines| lines.map(Some));
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

/// A response body that tells its log entry what is sent.
///
/// `tower-http` reports data and the end of a body, but not a body that is dropped before its end.
struct Logged {
    body: Body,
    entry: LogEntry,
}

impl HttpBody for Logged {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let sent = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
        let entry = &mut self.entry;
        entry.remaining = entry.remaining.map(|remaining| remaining.saturating_sub(sent as u64));
        // hyper stops polling after `Content-Length` bytes. The body may then never return `None`, but the response is complete.
        entry.is_complete |= frame.is_none() || entry.remaining == Some(0);
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        self.entry.is_complete |= self.body.is_end_stream();
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
