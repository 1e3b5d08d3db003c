//! Cross-origin resource sharing (CORS): tells browsers which pages may call this service, and what they may send and read.
//!
//! A preflight is answered before anything else looks at the request, because a browser sends no key along with it. One that is refused
//! says why and names the key of the configuration; a layer that only leaves the headers out, as that of `tower-http` does, answers
//! 200 and leaves the page with nothing to go by.

use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};

use super::error::{Code, Problem};
use super::extract::short;

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");

/// What a page may send.
const SENT: HeaderValue = HeaderValue::from_static(
    "authorization, x-api-key, content-type, x-request-id, traceparent, tracestate, if-match, if-none-match, if-range, range",
);

/// What a page may read, beside what every page may.
const READ: HeaderValue = HeaderValue::from_static(
    "x-request-id, retry-after, www-authenticate, ratelimit-policy, ratelimit, accept-ranges, content-disposition, content-range, etag",
);

/// Seconds that a browser may keep the answer to a preflight; Chromium keeps none longer.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// Whether the request asks, on behalf of a page, what the page may send (Fetch, "CORS-preflight request").
pub(super) fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight: what the page may do, or the key that would have to allow it.
pub(super) fn answer_preflight(origins: &[String], headers: &HeaderMap) -> Response {
    let Some(origin) = headers.get(ORIGIN).filter(|origin| is_allowed(origins, origin)) else {
        return refusal(origins, headers.get(ORIGIN)).into_response();
    };
    let mut response = StatusCode::OK.into_response();
    let allowed = [
        (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (ACCESS_CONTROL_ALLOW_HEADERS, SENT),
        (ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ];
    response.headers_mut().extend(allowed);
    share(origins, Some(origin), response.headers_mut());
    response
}

/// Lets the page at this origin read an answer, where it is allowed to; without any allowed origin nothing is added.
pub(super) fn share(origins: &[String], origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
    if origins.is_empty() {
        return;
    }
    let allowed = if origins.iter().any(|allowed| allowed == "*") {
        HeaderValue::from_static("*")
    } else {
        headers.append(VARY, HeaderValue::from_static("origin"));
        let Some(origin) = origin else { return };
        if !is_allowed(origins, origin) {
            tracing::debug!(
                ?origin,
                "the page at this origin may not read the answer: server.cors_allowed_origins lacks it"
            );
            return;
        }
        origin.clone()
    };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, READ);
}

fn is_allowed(origins: &[String], origin: &HeaderValue) -> bool {
    origins.iter().any(|allowed| allowed == "*" || allowed.as_bytes() == origin.as_bytes())
}

fn refusal(origins: &[String], origin: Option<&HeaderValue>) -> Problem {
    let origin = String::from_utf8_lossy(origin.map_or(&[], HeaderValue::as_bytes));
    let why = if origins.is_empty() { "CORS is off on this server" } else { "This server allows other origins only" };
    let detail = format!(
        "{why}, so that no page at `{}` may call it. To allow that, the operator adds the origin to \
         `server.cors_allowed_origins` (in the environment SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS).",
        short(&origin)
    );
    Problem::new(Code::OriginNotAllowed, detail)
}
