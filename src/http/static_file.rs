//! Embedded static files: conditional requests, and gzip bodies that are compressed once.

use std::io;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use headers::{HeaderMapExt as _, IfNoneMatch};

use crate::api::problem::Problem;
use crate::http::middleware::compression::{accepts_gzip, gzip};
use superflip_solver::tables::format::fingerprint;

/// A file, and its compressed form when a client has asked for it.
pub(crate) struct StaticFile {
    media_type: &'static str,
    bytes: Bytes,
    gzip: OnceLock<Bytes>,
}

impl StaticFile {
    /// Creates a file of a media type.
    pub(crate) const fn new(media_type: &'static str, bytes: Bytes) -> Self {
        Self { media_type, bytes, gzip: OnceLock::new() }
    }

    /// Returns whether compressing the file would delay other requests of its thread.
    pub(crate) const fn is_large(&self) -> bool {
        self.bytes.len() > 256 << 10
    }

    /// Answers with the file, or with 304 if the client has it. It is compressed if `may_compress` and the client accepts gzip.
    ///
    /// Addresses usually contain no version, so caches must revalidate. Each form has a strong `ETag` of its own (RFC 9110, 8.8.3.3).
    pub(crate) fn respond(&self, request: &HeaderMap, may_compress: bool) -> Response {
        let is_gzip = may_compress && accepts_gzip(request);
        let suffix = if is_gzip { "-gzip" } else { "" };
        let tag = format!("\"{:016x}{suffix}\"", fingerprint(&self.bytes));
        // An invalid `If-None-Match` matches no tag.
        let is_known = request.typed_get::<IfNoneMatch>().zip(tag.parse().ok());
        let mut response = if is_known.is_some_and(|(known, tag)| !known.precondition_passes(&tag)) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if is_gzip {
            let head = [(CONTENT_TYPE, self.media_type), (CONTENT_ENCODING, "gzip")];
            self.gzip().map_or_else(|_| Problem::internal().into_response(), |gzip| (head, gzip).into_response())
        } else {
            ([(CONTENT_TYPE, self.media_type)], self.bytes.clone()).into_response()
        };
        let headers = response.headers_mut();
        headers.extend(HeaderValue::from_str(&tag).ok().map(|tag| (ETAG, tag)));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        response
    }

    /// Returns the compressed form.
    fn gzip(&self) -> io::Result<Bytes> {
        if let Some(known) = self.gzip.get() {
            return Ok(known.clone());
        }
        let bytes = Bytes::from(gzip(&self.bytes, Compression::best())?);
        Ok(self.gzip.get_or_init(|| bytes).clone())
    }
}
