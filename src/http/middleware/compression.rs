//! Compression of large responses.

use std::io::{self, Write as _};

use axum::body::{Body, to_bytes};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body::Body as _;

use crate::http::extract::quality;

/// Size of the smallest body that is compressed. Below, compression costs more time than it saves.
const MIN_SIZE: u64 = 1024;

/// Returns whether the client accepts gzip, and prefers it to an uncompressed body.
pub(crate) fn accepts_gzip(request: &HeaderMap) -> bool {
    let of = |coding| quality(request, ACCEPT_ENCODING, coding);
    let gzip = of("gzip").or_else(|| of("*")).unwrap_or(0.0);
    gzip > 0.0 && gzip >= of("identity").unwrap_or(0.0)
}

/// Compresses bytes. Writing to memory cannot fail, but the encoder's signature also allows writers that fail.
pub(crate) fn gzip(bytes: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Compresses a response, if that is worthwhile and the client accepts it.
///
/// The layer of tower-http would be longer: its body type contains the compressor, six kilobytes that are moved from layer to layer with
/// every small response, and it answers 406 to `identity;q=0`.
pub(crate) async fn compress(mut response: Response, accepts_gzip: bool) -> Response {
    let encoding = HeaderValue::from_static("accept-encoding");
    // Embedded files choose their own encoding. Bodies without a size are streams, which compression would delay, and files to download.
    let is_compressible = response.headers().get(CONTENT_TYPE).is_none_or(|media_type| media_type != "image/png")
        && response.headers().get_all(VARY).iter().all(|header| header != encoding)
        && response.body().size_hint().exact().is_some_and(|size| size >= MIN_SIZE);
    if !is_compressible {
        return response;
    }
    response.headers_mut().append(VARY, encoding);
    if !accepts_gzip {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.map_err(io::Error::other);
    // Neither a body in memory nor the encoder fails.
    let Ok(bytes) = bytes.and_then(|bytes| gzip(&bytes, Compression::default())) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    // A strong tag names the bytes of the uncompressed body.
    let strong = head.headers.get(ETAG).filter(|tag| tag.as_bytes().starts_with(b"\""));
    if let Some(Ok(weak)) = strong.map(|tag| HeaderValue::from_bytes(&[b"W/", tag.as_bytes()].concat())) {
        head.headers.insert(ETAG, weak);
    }
    Response::from_parts(head, Body::from(bytes))
}
