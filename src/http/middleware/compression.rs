//! Compression of the answers that are worth it.

use std::convert::Infallible;

use axum::body::Body;
use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, HeaderValue, Request};
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _, SizeAbove};

use crate::http::routes::stream::UNBUFFERED;

/// What a caller accepts.
///
/// The layer of tower-http would do around everything: but a body that it may compress has room for a compressor, six kilobytes that
/// would be carried from layer to layer with every answer of some hundred bytes. So it goes around those alone that it will look at.
pub(crate) struct Compression {
    accepted: Vec<HeaderValue>,
}

impl Compression {
    /// For the caller who sent these headers.
    pub(crate) fn for_caller(headers: &HeaderMap) -> Self {
        Self { accepted: headers.get_all(ACCEPT_ENCODING).iter().cloned().collect() }
    }

    /// The answer as its caller gets it.
    pub(crate) async fn apply(self, response: Response) -> Response {
        // Below a kilobyte the work costs more than the bytes saved. Ranges and strong tags of a table file are those of its
        // bytes as they lie on disk. Responses that must not be buffered, such as batch lines, would be delayed by the compressor.
        let worthwhile = DefaultPredicate::new()
            .and(SizeAbove::new(1024))
            .and(NotForContentType::const_new("application/octet-stream"));
        let is_unbuffered = response.headers().contains_key(UNBUFFERED[0].0.clone());
        if is_unbuffered || !worthwhile.should_compress(&response) {
            return response;
        }
        let mut request = Request::new(Body::empty());
        for value in self.accepted {
            request.headers_mut().append(ACCEPT_ENCODING, value);
        }
        let status = response.status();
        let mut answered = Some(response);
        let answer = service_fn(move |_: Request<Body>| {
            let response = answered.take().unwrap_or_default();
            async { Ok::<_, Infallible>(response) }
        });
        let Ok(mut response) = CompressionLayer::new().layer(answer).oneshot(request).await;
        // Whoever accepts nothing at all gets it as it is: it would be 406, with the same body, for what is long and not for the rest.
        *response.status_mut() = status;
        response.map(Body::new)
    }
}
