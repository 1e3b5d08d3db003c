//! Extractors for bodies, queries and paths, which answer invalid input with a problem document; and content negotiation.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use http_body::Body as _;
use serde::de::DeserializeOwned;

use super::AppState;
use crate::api::problem::{Code, Problem};
use crate::api::request::options::with_maximum;
use crate::api::request::read::{parse, parse_query, short};

/// A JSON body.
pub(crate) struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "The body must be JSON; send it with `Content-Type: application/json`.";
            return Err(Problem::new(Code::UnsupportedMediaType, detail));
        }
        check_encoding(request.headers())?;
        let limits = &state.config.server;
        let too_large = || {
            let detail = format!(
                "The body is too large; it must have at most {} bytes. Make it smaller, or let the operator raise `server.body_limit_bytes`.",
                limits.body_limit_bytes
            );
            Problem::new(Code::BodyTooLarge, detail)
        };
        // Reading the body would make a client that sent `Expect: 100-continue` send all of it.
        if request.body().size_hint().lower() > limits.body_limit_bytes as u64 {
            return Err(too_large());
        }
        let timeout = Duration::from_millis(limits.body_timeout_ms);
        let body = tokio::time::timeout(timeout, Bytes::from_request(request, state)).await;
        let body = body.map_err(|_| {
            let detail = format!(
                "The body did not arrive within {} ms; send it faster or make it smaller.",
                limits.body_timeout_ms
            );
            Problem::new(Code::SlowRequest, detail)
        })?;
        let body = body.map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => too_large(),
            _ => Problem::new(
                Code::IncompleteBody,
                "The body ended early, or its chunks cannot be read; send the whole body, as `Content-Length` or \
                 `Transfer-Encoding` announces it.",
            ),
        })?;
        parse(&body, None).map(Self).map_err(|problem| with_maximum(problem, &state.config))
    }
}

/// Returns the media type of the body without its parameters, in lower case.
pub(crate) fn essence(headers: &HeaderMap) -> String {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = essence(headers);
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Returns whether `Accept` prefers a media type to JSON.
pub(crate) fn prefers(headers: &HeaderMap, wanted: &str) -> bool {
    quality(headers, ACCEPT, wanted)
        .is_some_and(|wanted| wanted > quality(headers, ACCEPT, "application/json").unwrap_or(0.0))
}

/// Returns the quality value of an entry of `Accept` or `Accept-Encoding`, if the header lists it by name.
pub(crate) fn quality(headers: &HeaderMap, header: HeaderName, wanted: &str) -> Option<f32> {
    let lists = headers.get_all(header).into_iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).find_map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let is_wanted = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        let q = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse::<f32>().ok());
        is_wanted.then(|| q.unwrap_or(1.0))
    })
}

/// Refuses compressed bodies.
pub(crate) fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let values = headers.get_all(CONTENT_ENCODING).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let is_none = |coding: &str| coding.trim().is_empty() || coding.trim().eq_ignore_ascii_case("identity");
    let encoded = values.into_iter().find(|value| !value.split(',').all(is_none));
    let Some(encoding) = encoded else { return Ok(()) };
    let detail = format!("`Content-Encoding: {}` is not supported; send the body uncompressed.", short(&encoding));
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// The query of a route that takes no parameters: it must be empty, as bodies must have no unknown fields.
pub(crate) struct NoQuery;

impl FromRequestParts<AppState> for NoQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let Some(query) = parts.uri.query().filter(|query| !query.is_empty()) else { return Ok(Self) };
        let name = short(query.split(['=', '&']).next().unwrap_or_default());
        let remedy = if parts.headers.contains_key(CONTENT_TYPE) { "give it in the body" } else { "remove it" };
        let detail = format!("Unknown parameter `{name}`: this request takes no parameters in the query; {remedy}.");
        Err(Problem::new(Code::UnknownField, detail).in_field(&name))
    }
}

/// A query string.
pub(crate) struct QueryString<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for QueryString<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let Query(parameters) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
            .map_err(|_| Problem::new(Code::InvalidField, "The query string cannot be decoded; percent-encode it."))?;
        let query = parse_query(&parameters).map_err(|problem| with_maximum(problem, &state.config))?;
        // The empty scramble is the solved cube, but an empty parameter is more likely a mistake.
        let is_empty =
            |(name, text): &&(String, String)| matches!(name.as_str(), "cube" | "target") && text.trim().is_empty();
        if let Some((name, _)) = parameters.iter().find(is_empty) {
            let detail = format!("`{name}` is empty; give a cube in any form, such as 54 facelets or a scramble.");
            return Err(Problem::new(Code::CubeForm, detail).in_field(name));
        }
        Ok(Self(query))
    }
}

/// Parameters of the path: a string, or a tuple of strings.
pub(crate) struct PathParts<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for PathParts<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        // Handlers extract only strings, so the only possible error is invalid UTF-8.
        path.map(|Path(parts)| Self(parts)).map_err(|_| {
            Problem::new(Code::InvalidPath, "The path is not UTF-8; percent-encode the UTF-8 bytes of each segment.")
        })
    }
}
