//! Answers in JSON: bodies, events and problems.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::api::problem::{Code, Problem};

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

/// Sets the status and the headers. The middleware writes the document, once it knows the request id.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response =
            StatusCode::from_u16(self.code().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response();
        if let Some(seconds) = self.document().retry_after_s {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let challenge = match self.code() {
            Code::MissingKey => Some(r#"Bearer realm="superflip""#),
            Code::UnknownKey => Some(r#"Bearer realm="superflip", error="invalid_token""#),
            _ => None,
        };
        if let Some(challenge) = challenge {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response.extensions_mut().insert(self);
        response
    }
}
