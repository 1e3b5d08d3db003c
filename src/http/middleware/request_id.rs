//! Request ids: generation, validation and extraction of `X-Request-Id`.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderName, HeaderValue};
use tower_http::request_id::{MakeRequestId, RequestId};

/// The header `X-Request-Id`.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Extractor for the request id. Streams and batches write it into problems after the head of the response.
pub(crate) struct RequestIdText(pub String);

impl<S: Sync> FromRequestParts<S> for RequestIdText {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(id_in(&parts.extensions)))
    }
}

fn id_in(extensions: &Extensions) -> String {
    let id = extensions.get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    id.unwrap_or_default().to_owned()
}

/// Returns the request id, or an empty string if there is none.
pub(crate) fn request_id(request: &Request) -> String {
    id_in(request.extensions())
}

/// Generates request ids: a random prefix per process and a counter.
#[derive(Clone)]
pub(crate) struct RequestIds {
    process: u64,
    next: Arc<AtomicU64>,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        Self { process: rand::random(), next: Arc::default() }
    }
}

impl MakeRequestId for RequestIds {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        HeaderValue::from_str(&format!("{:016x}-{number:x}", self.process)).ok().map(RequestId::new)
    }
}

/// Drops the client's request id unless it is one plain word of at most 128 characters. Valid ids are copied into logs and responses.
pub(crate) fn drop_invalid_id(mut request: Request) -> Request {
    let is_valid = |value: &HeaderValue| {
        let bytes = value.as_bytes();
        (1..=128).contains(&bytes.len()) && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:/+=".contains(b))
    };
    let mut ids = request.headers().get_all(REQUEST_ID).iter();
    let is_one_valid_id = ids.next().is_some_and(is_valid) && ids.next().is_none();
    if !is_one_valid_id {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}
