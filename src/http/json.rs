//! Answers in JSON.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A body in JSON.
///
/// As `axum::Json`, but serialized into a `Vec`, as lines of batches and results of the shell are: the compiler generates the code of
/// each type once, and small writes are inlined.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes(&self.0)).into_response()
    }
}

/// Serializes a value. The types of the API can always be serialized.
pub(crate) fn bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

/// Creates an event of a stream.
pub(crate) fn event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).data(String::from_utf8(bytes(data)).unwrap_or_default())
}
