//! The middleware stack around every route, from the outside in, with the reason for the order.
//!
//! | layer | reason for its place |
//! | --- | --- |
//! | request id | every inner layer can use it |
//! | request log | sees the final response, and measures the time of everything inside |
//! | security headers | on every response, errors included |
//! | CORS | a preflight needs no inner layer, and allowed pages can read errors; absent unless origins are configured |
//! | compression | compresses every inner response, problem documents included |
//! | problem documents | converts every inner error to its document, or to an event for an `EventSource` |
//! | admission | refuses requests before any handler runs: hosts, pages of other sites, API keys, rate limits, concurrency limits and the connection limit |
//! | timeout | bounds the handler up to the head of its response; streams and batches have limits of their own |
//! | panic | converts a panic of a handler to an error response |
//! | body limit | used by the extractors of whole bodies; a batch applies it to each line |
//!
//! Short searches take about as long as the stack itself, whose cost is mostly allocations. Each `from_fn` clones and boxes the inner service and
//! its future, and each call of `layer` boxes service, response and body again. The stack therefore has two `from_fn` layers
//! (`log_requests`, and `guard`, which contains the four layers from compression to timeout) and one call of `layer`.

pub(crate) mod admission;
pub(crate) mod compression;
mod cross_site;
pub(crate) mod request_facts;
pub(crate) mod request_id;
pub(crate) mod request_log;
pub(crate) mod unread_body;

use std::any::Any;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::util::{MapRequestLayer, MapResponseLayer, option_layer};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{PropagateRequestIdLayer, SetRequestIdLayer};

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::extract::{prefers, quality};
use crate::http::json;
use crate::http::middleware::admission::admit;
use crate::http::middleware::compression::{accepts_gzip, compress};
use crate::http::middleware::request_id::{REQUEST_ID, RequestIds, drop_invalid_id, request_id};
use crate::http::middleware::request_log::log_requests;
use crate::http::middleware::unread_body::BodyWatch;
use crate::service::panic_message;

/// Security headers of every response; the files of the page have others. They tell browsers not to guess the content type, not to load resources, not to embed the
/// response in other sites, and to send no referrer. A page of an origin that CORS allows can still fetch the response.
const SECURITY_HEADERS: [(HeaderName, HeaderValue); 5] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Wraps the routes in every layer.
pub fn around(router: Router<AppState>, state: &AppState) -> Router<AppState> {
    let server = &state.config.server;
    router.layer((
        MapRequestLayer::new(drop_invalid_id),
        SetRequestIdLayer::new(REQUEST_ID, RequestIds::new()),
        PropagateRequestIdLayer::new(REQUEST_ID),
        from_fn_with_state(state.clone(), log_requests),
        MapResponseLayer::new(add_security_headers),
        option_layer(cross_site::cors_layer(&server.cors_allowed_origins)),
        from_fn_with_state(state.clone(), guard),
        CatchPanicLayer::custom(panicked),
        DefaultBodyLimit::max(server.body_limit_bytes),
    ))
}

/// Admits a request, limits its time, and writes and compresses its response.
async fn guard(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = request_id(&request);
    let form = ProblemForm::of(&request);
    if state.config.server.cors_allowed_origins.is_empty() && cross_site::is_preflight(&request) {
        return write_problem(cross_site::refuse_preflight(request.headers()), id, form);
    }
    let accepts_gzip = state.config.server.compression.then(|| accepts_gzip(request.headers()));
    let body = BodyWatch::start(&mut request);
    let mut admission = admit(&state, &request);
    let response = match admission.refusal() {
        Some(refusal) => refusal,
        None => limit_time(&state, request, next).await,
    };
    let mut response = admission.finish(write_problem(response, id, form));
    body.finish(&mut response);
    match accepts_gzip {
        Some(accepts_gzip) => compress(response, accepts_gzip).await,
        None => response,
    }
}

/// Adds the security headers, and `Cache-Control: no-store`, unless the route sets them.
fn add_security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    // A response with a policy of its own says there which pages may embed it.
    let has_policy = headers.contains_key(CONTENT_SECURITY_POLICY);
    for (name, value) in SECURITY_HEADERS {
        if has_policy && name == X_FRAME_OPTIONS {
            continue;
        }
        headers.entry(name).or_insert(value);
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The form in which a client can read a problem.
#[derive(Clone, Copy)]
enum ProblemForm {
    /// A document, with the status of the problem.
    Document,
    /// The only event of a stream, with status 200. A page cannot read any other response to its `EventSource`.
    Event,
}

impl ProblemForm {
    /// Returns the form for a request. An `EventSource` sends only `GET`, and accepts only events; other clients can read the status.
    fn of(request: &Request) -> Self {
        let headers = request.headers();
        let is_event_source = request.method() == Method::GET
            && prefers(headers, "text/event-stream")
            && quality(headers, ACCEPT, "application/problem+json").is_none();
        if is_event_source { Self::Event } else { Self::Document }
    }
}

/// Writes the body of a problem, with the request id.
fn write_problem(mut response: Response, id: String, form: ProblemForm) -> Response {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let problem = problem.with(|document| document.request_id = id);
    let mut body = json::bytes(problem.document());
    let content_type = match form {
        ProblemForm::Document => "application/problem+json",
        ProblemForm::Event => {
            *response.status_mut() = StatusCode::OK;
            // A document in JSON is one line.
            body = [b"event: problem\ndata: ", body.as_slice(), b"\n\n"].concat();
            "text/event-stream"
        }
    };
    *response.body_mut() = body.into();
    response.headers_mut().remove(axum::http::header::CONTENT_LENGTH);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    // Keep the problem in the extensions for the request log.
    response.extensions_mut().insert(problem);
    response
}

#[allow(clippy::needless_pass_by_value)] // signature required by the layer
fn panicked(payload: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!(panic = panic_message(payload.as_ref()), "a handler panicked");
    Problem::internal().into_response()
}

async fn limit_time(state: &AppState, request: Request, next: Next) -> Response {
    let server = &state.config.server;
    let in_time = tokio::time::timeout(server.request_timeout(), next.run(request)).await;
    in_time.unwrap_or_else(|_| {
        let detail = format!("The request took longer than {} ms and was cancelled.", server.request_timeout_ms);
        Problem::new(Code::TimedOut, detail).into_response()
    })
}
