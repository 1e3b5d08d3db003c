//! Cross-origin resource sharing (CORS): the origins that may call this service. Their pages may send and read every header.
//!
//! `tower-http` answers preflights if origins are configured. Otherwise a preflight is refused here with the name of the key to set, so
//! that the developer of a page sees why the call failed.

use std::time::Duration;

use axum::http::header::{ACCESS_CONTROL_REQUEST_METHOD, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

use crate::api::problem::{Code, Problem};
use crate::api::request::field_error::short;

/// Time for which a browser may cache the response to a preflight. Chromium uses at most this time.
const MAX_AGE: Duration = Duration::from_hours(2);

/// Creates the CORS layer for `origins`; `None` if the list is empty.
pub(crate) fn layer(origins: &[String]) -> Option<CorsLayer> {
    let allowed = match origins {
        [] => return None,
        _ if origins.iter().any(|origin| origin == "*") => AllowOrigin::any(),
        _ => AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok())),
    };
    let layer = CorsLayer::new().allow_origin(allowed).allow_methods([Method::GET, Method::HEAD, Method::POST]);
    // `*` in place of the mirrored names would not cover `Authorization`.
    Some(layer.allow_headers(AllowHeaders::mirror_request()).expose_headers(Any).max_age(MAX_AGE))
}

/// Returns whether the request is a preflight (Fetch standard, "CORS-preflight request").
pub(crate) fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Returns the response to a preflight when no origin is configured.
pub(crate) fn refusal(headers: &HeaderMap) -> Response {
    let origin = String::from_utf8_lossy(headers.get(ORIGIN).map_or(&[], HeaderValue::as_bytes));
    let detail = format!(
        "CORS is off on this server, so pages of `{}` cannot call it. To allow them, add the origin to the configuration key \
         `server.cors_allowed_origins` (environment variable SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS).",
        short(&origin)
    );
    Problem::new(Code::OriginNotAllowed, detail).into_response()
}
