//! Compression of large responses.

use std::convert::Infallible;

use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG};
use axum::http::{HeaderMap, HeaderValue, Request};
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _, SizeAbove};

use crate::http::routes::stream::UNBUFFERED;

/// The `Accept-Encoding` headers of a request.
///
/// The layer of tower-http is applied only to responses that it may compress. Its body type contains the compressor, six kilobytes that
/// would otherwise be moved from layer to layer with every small response.
pub(crate) struct Compression {
    accepted: Vec<HeaderValue>,
}

impl Compression {
    /// Reads the request headers.
    pub(crate) fn accepted_by(headers: &HeaderMap) -> Self {
        Self { accepted: headers.get_all(ACCEPT_ENCODING).iter().cloned().collect() }
    }

    /// Compresses the response if the client accepts it and the response is large enough.
    pub(crate) async fn apply(self, response: Response) -> Response {
        // Do not compress below a kilobyte: it costs more time than it saves. Ranges of a table file refer to its uncompressed bytes.
        // The compressor would delay responses that must not be buffered, such as the lines of a batch.
        let worthwhile = DefaultPredicate::new()
            .and(SizeAbove::new(1024))
            .and(NotForContentType::const_new("application/octet-stream"));
        let is_unbuffered = response.headers().contains_key(UNBUFFERED[0].0.clone());
        let is_compressed = response.headers().contains_key(CONTENT_ENCODING);
        if is_unbuffered || is_compressed || !worthwhile.should_compress(&response) {
            return response;
        }
        let mut request = Request::new(Body::empty());
        for value in self.accepted {
            request.headers_mut().append(ACCEPT_ENCODING, value);
        }
        let status = response.status();
        let mut response = Some(response);
        let inner = service_fn(move |_: Request<Body>| {
            let response = response.take().unwrap_or_default();
            async { Ok::<_, Infallible>(response) }
        });
        let Ok(mut response) = CompressionLayer::new().layer(inner).oneshot(request).await;
        // `identity;q=0`: tower-http answers 406 with the same body. Keep the status, as for responses below a kilobyte.
        *response.status_mut() = status;
        weaken(response.headers_mut());
        response.map(Body::new)
    }
}

/// Makes a strong `ETag` of a compressed body weak, because it names the bytes of the uncompressed one.
fn weaken(headers: &mut HeaderMap) {
    if !headers.contains_key(CONTENT_ENCODING) {
        return;
    }
    let strong = headers.get(ETAG).filter(|tag| tag.as_bytes().starts_with(b"\""));
    let weak = strong.and_then(|tag| HeaderValue::from_bytes(&[b"W/", tag.as_bytes()].concat()).ok());
    if let Some(tag) = weak {
        headers.insert(ETAG, tag);
    }
}
