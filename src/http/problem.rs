//! Converts problems into responses: status and headers. The middleware writes the document, once it knows the request id.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::problem::{Code, Problem};

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
