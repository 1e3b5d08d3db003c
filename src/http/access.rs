//! One log line and two metrics for each request, and the span that everything else is logged in.

use std::convert::Infallible;
use std::time::Instant;

use axum::extract::{FromRequestParts, MatchedPath, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, Method};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::request_id::RequestId;
use tracing::{Instrument, Level};

use super::error::Problem;
use crate::service::metrics::{REQUEST_SECONDS, REQUESTS};

/// What the log tells of a solved cube.
#[derive(Clone, Copy, Debug)]
pub struct SolveFacts {
    /// Turns of the answer.
    pub length: usize,
    /// Why the search ended.
    pub stopped_by: &'static str,
    /// Positions expanded.
    pub nodes: u64,
    /// Microseconds of search.
    pub elapsed_us: u64,
    /// Microseconds of waiting.
    pub queue_us: u64,
}

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
pub async fn observe(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = label(request.method());
    // Only matched routes become labels: paths are the caller's to choose, and each would be a series for ever.
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let id = request_id(&request);
    // The name of the key, once it is known; never the key.
    let span = tracing::info_span!("request", id, method, route, key = tracing::field::Empty);
    let response = next.run(request).instrument(span.clone()).await;
    let elapsed = start.elapsed();
    let status = response.status().as_u16();
    metrics::counter!(REQUESTS, "route" => route.clone(), "method" => method, "status" => status.to_string())
        .increment(1);
    metrics::histogram!(REQUEST_SECONDS, "route" => route, "method" => method).record(elapsed);
    span.in_scope(|| log(&response, status, elapsed.as_micros() as u64));
    response
}

fn log(response: &Response, status: u16, duration_us: u64) {
    if let Some(SolveFacts { length, stopped_by, nodes, elapsed_us, queue_us }) = response.extensions().get() {
        tracing::info!(
            status,
            duration_us,
            outcome = "solved",
            length,
            stopped_by,
            nodes,
            elapsed_us,
            queue_us,
            "request"
        );
    } else if let Some(problem) = response.extensions().get::<Problem>() {
        let (outcome, detail) = (problem.code().name(), problem.document().detail.as_str());
        match problem.code().level() {
            Level::ERROR => tracing::error!(status, duration_us, outcome, detail, "request"),
            Level::WARN => tracing::warn!(status, duration_us, outcome, detail, "request"),
            _ => tracing::info!(status, duration_us, outcome, detail, "request"),
        }
    } else {
        tracing::info!(status, duration_us, "request");
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
