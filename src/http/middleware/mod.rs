//! What stands around every route, in this order from the outside, and why in this order.
//!
//! | layer | why there |
//! | --- | --- |
//! | request id | everything inside may name it |
//! | access log, metrics and trace | sees the answer as it leaves, and the time of everything inside |
//! | safe headers | on every answer, refusals too |
//! | CORS | preflights need nothing from inside, and pages that may call can read refusals too; absent unless origins are configured |
//! | compression | compresses what is below, problem documents too |
//! | problem documents | turns every refusal from below into its document |
//! | admission | before anything is worked on: keys, limits by client, and on connections beyond the limit |
//! | timeout | bounds the handler up to the head of its answer, which is all of it but for streams and batches; reading the body has its own, shorter bound |
//! | panic | a panic below is a refusal like others |
//! | body limit | read by the extractors of whole bodies; a batch has it for each line |
//!
//! Some searches take no longer than a request's way through here, and that is mostly allocations: each `from_fn` clones and boxes
//! what is inside it and its future, and each call of `layer` boxes service, answer and body once more. So there are two of the former
//! ([`observe`], and `guard`, which has the four from compression to timeout) and one of the latter.

pub mod access;
pub mod account;
pub(crate) mod admission;
pub(crate) mod auth;
pub mod body;
pub(crate) mod compression;
pub(crate) mod cors;

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use tower::util::{MapRequestLayer, MapResponseLayer, option_layer};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};

use super::AppState;
use crate::api::problem::{Code, Problem};
use crate::http::middleware::access::{observe, request_id};
use crate::http::middleware::admission::admit;
use crate::http::middleware::compression::Compression;
use crate::service::pool::cancel_reason::{Departure, Reason};
use crate::service::pool::panic_message;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What every answer says to browsers: it is what its type says, it loads nothing, and no page of others shows it, embeds it or
/// learns where its reader came from. A page of an origin that CORS allows may still ask for it by script.
const SAFE: [(HeaderName, HeaderValue); 5] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Puts every layer around the routes.
pub fn around(router: Router<AppState>, state: &AppState) -> Router<AppState> {
    let server = &state.config.server;
    router.layer((
        MapRequestLayer::new(drop_unfit_id),
        SetRequestIdLayer::new(REQUEST_ID, Numbered::new()),
        PropagateRequestIdLayer::new(REQUEST_ID),
        from_fn_with_state(state.clone(), observe),
        MapResponseLayer::new(make_safe),
        option_layer(cors::layer(&server.cors_allowed_origins)),
        from_fn_with_state(state.clone(), guard),
        CatchPanicLayer::custom(panicked),
        DefaultBodyLimit::max(server.body_limit_bytes),
    ))
}

/// Lets a request in, bounds its time, and writes what came of it.
async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let id = request_id(&request);
    if state.config.server.cors_allowed_origins.is_empty() && cors::is_preflight(&request) {
        return write_problem(cors::refusal(request.headers()), id);
    }
    let compression = state.config.server.compression.then(|| Compression::for_caller(request.headers()));
    let mut admission = admit(&state, &request);
    let response = match admission.refused() {
        Some(refusal) => refusal,
        None => limit_time(&state, request, next).await,
    };
    let response = admission.answered(write_problem(response, id));
    match compression {
        Some(compression) => compression.apply(response).await,
        None => response,
    }
}

/// Adds the headers for browsers; what a route says of caches holds.
fn make_safe(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in SAFE {
        headers.insert(name, value);
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Ids that do not repeat: a random start for each process, then counting.
#[derive(Clone)]
struct Numbered {
    process: u64,
    next: std::sync::Arc<AtomicU64>,
}

impl Numbered {
    fn new() -> Self {
        Self { process: rand::random(), next: std::sync::Arc::default() }
    }
}

impl MakeRequestId for Numbered {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        HeaderValue::from_str(&format!("{:016x}-{number:x}", self.process)).ok().map(RequestId::new)
    }
}

/// Forgets an id from outside that is no plain word of at most 128 characters: it would be copied into logs and answers.
fn drop_unfit_id(mut request: Request) -> Request {
    let is_fit = |value: &HeaderValue| {
        let bytes = value.as_bytes();
        (1..=128).contains(&bytes.len()) && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:/+=".contains(b))
    };
    let mut ids = request.headers().get_all(REQUEST_ID).iter();
    let is_one_fit_id = ids.next().is_some_and(is_fit) && ids.next().is_none();
    if !is_one_fit_id {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}

/// Writes the document of a refusal, now that the request id is at hand.
fn write_problem(mut response: Response, id: String) -> Response {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let problem = problem.with(|document| document.request_id = id);
    *response.body_mut() = Json(problem.document()).into_response().into_body();
    response.headers_mut().remove(axum::http::header::CONTENT_LENGTH);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    // The access log looks at it.
    response.extensions_mut().insert(problem);
    response
}

#[allow(clippy::needless_pass_by_value)] // the layer calls it so
fn panicked(payload: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!(panic = panic_message(payload.as_ref()), "a handler panicked");
    Problem::internal().into_response()
}

async fn limit_time(state: &AppState, request: Request, next: Next) -> Response {
    let server = &state.config.server;
    let mut answer = std::pin::pin!(next.run(request));
    let in_time = tokio::time::timeout(server.request_timeout(), answer.as_mut()).await;
    // The work is dropped after this.
    in_time.unwrap_or_else(|_| {
        Departure::current().set(Reason::TimedOut);
        let detail = format!("The request took longer than {} ms.", server.request_timeout_ms);
        Problem::new(Code::TimedOut, detail).into_response()
    })
}
