//! Downloads of files in the table format: conditions, one byte range, and the headers of the response (RFC 9110).

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use headers::{
    AcceptRanges, ContentLength, ContentRange, ContentType, ETag, HeaderMapExt as _, IfMatch, IfModifiedSince,
    IfNoneMatch, IfRange, IfUnmodifiedSince, LastModified,
};
use tokio_util::task::AbortOnDropHandle;

use crate::api::problem::{Code, Problem};
use superflip_solver::tables::format::fingerprint;

/// Size of one frame of a body in bytes.
const CHUNK: u64 = 64 << 10;

/// A file to download.
pub(crate) struct File<'a> {
    /// Name that the client saves it under.
    pub(crate) name: &'a str,
    /// Header page, which contains the checksum of the rest.
    pub(crate) page: &'a [u8],
    /// Size in bytes.
    pub(crate) bytes: u64,
    /// Modification time, if it has one.
    pub(crate) modified: Option<LastModified>,
}

impl File<'_> {
    /// Returns the response without its body, and the part of the file that is its body, if any.
    pub(crate) fn response(
        &self,
        method: &Method,
        request: &HeaderMap,
    ) -> Result<(Response, Option<Range<u64>>), Problem> {
        let bytes = self.bytes;
        let tag = format!("\"{:016x}-{bytes:x}\"", fingerprint(self.page));
        let tag: ETag = tag.parse().map_err(|_| Problem::internal())?;
        // An invalid tag or date matches no file. Ranges are defined for GET only.
        let is_same = |known: IfRange| !known.is_modified(Some(&tag), self.modified.as_ref());
        let has_range = *method == Method::GET
            && (!request.contains_key(header::IF_RANGE) || request.typed_get().is_some_and(is_same));
        let range = request.get(header::RANGE).filter(|_| has_range).and_then(|range| selected(range, bytes));
        let (mut response, sent) = if self.has_failed_precondition(request, &tag) {
            let detail =
                "The file does not satisfy `If-Match` or `If-Unmodified-Since`. Its current `ETag` is in the headers.";
            (Problem::new(Code::PreconditionFailed, detail).into_response(), None)
        } else if self.is_known(request, &tag) {
            (StatusCode::NOT_MODIFIED.into_response(), None)
        } else if range.as_ref().is_some_and(Range::is_empty) {
            let detail = "The header `Range` selects no byte of the file. `Content-Range` is the length of the file.";
            let mut refusal = Problem::new(Code::RangeNotSatisfiable, detail).into_response();
            refusal.headers_mut().typed_insert(ContentRange::unsatisfied_bytes(bytes));
            (refusal, None)
        } else {
            (self.part(range.clone()), Some(range.unwrap_or(0..bytes)))
        };
        let headers = response.headers_mut();
        headers.typed_insert(tag);
        headers.typed_insert(AcceptRanges::bytes());
        // A rebuild changes the file, so caches must revalidate.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        Ok((response, sent))
    }

    /// Returns a response for the whole file, or for a range of it.
    fn part(&self, range: Option<Range<u64>>) -> Response {
        let mut response = Response::new(Body::empty());
        let length = range.as_ref().map_or(self.bytes, |range| range.end - range.start);
        if range.is_some() {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        }
        let headers = response.headers_mut();
        headers.typed_insert(ContentType::octet_stream());
        headers.typed_insert(ContentLength(length));
        if let Some(modified) = self.modified {
            headers.typed_insert(modified);
        }
        if let Some(position) = range.and_then(|range| ContentRange::bytes(range, self.bytes).ok()) {
            headers.typed_insert(position);
        }
        let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{}\"", self.name));
        headers.extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
        response
    }

    fn has_failed_precondition(&self, request: &HeaderMap, tag: &ETag) -> bool {
        if let Some(wanted) = request.typed_get::<IfMatch>() {
            return !wanted.precondition_passes(tag);
        }
        let condition = request.typed_get::<IfUnmodifiedSince>().zip(self.modified);
        condition.is_some_and(|(since, modified)| !since.precondition_passes(modified.into()))
    }

    fn is_known(&self, request: &HeaderMap, tag: &ETag) -> bool {
        if let Some(known) = request.typed_get::<IfNoneMatch>() {
            return !known.precondition_passes(tag);
        }
        let condition = request.typed_get::<IfModifiedSince>().zip(self.modified);
        condition.is_some_and(|(since, modified)| !since.is_modified(modified.into()))
    }
}

/// Returns the part that a `Range` header selects: `None` for the whole file, and an empty part if it selects no byte. An invalid
/// header, an unknown unit and several ranges select the whole file, as does a suffix at least as long as the file.
fn selected(range: &HeaderValue, bytes: u64) -> Option<Range<u64>> {
    let (first, last) =
        range.to_str().ok()?.strip_prefix("bytes=").filter(|set| !set.contains(','))?.split_once('-')?;
    // A number that overflows is beyond the end of any file.
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let number = |text: &str| is_number(text).then(|| text.parse().unwrap_or(u64::MAX));
    match (number(first), number(last)) {
        (None, Some(suffix)) if first.is_empty() => (suffix < bytes).then(|| bytes - suffix..bytes),
        (Some(first), Some(last)) => Some(first..last.saturating_add(1).min(bytes)),
        (Some(first), None) if last.is_empty() => Some(first..bytes),
        _ => Some(0..0),
    }
}

/// Creates a body of a part of a file, which `read` reads as it is sent. An error of `read` breaks the download off.
#[allow(clippy::cast_possible_truncation)] // a constant of some kilobytes
pub(crate) fn body(part: Range<u64>, mut read: impl FnMut(Range<u64>) -> io::Result<Bytes> + Send + 'static) -> Body {
    let starts = part.clone().step_by(CHUNK as usize);
    Body::from_stream(stream::iter(starts.map(move |start| read(start..part.end.min(start + CHUNK)))))
}

/// A value that a download needs. It is dropped after a time, however slowly the client reads, and even if hyper asks for nothing more.
pub(crate) struct Lease<T> {
    value: Arc<Mutex<Option<T>>>,
    _end: AbortOnDropHandle<()>,
}

impl<T: Send + 'static> Lease<T> {
    /// Starts the timer.
    pub(crate) fn new(value: T, time: Duration) -> Self {
        let value = Arc::new(Mutex::new(Some(value)));
        let leased = Arc::downgrade(&value);
        let end = async move {
            tokio::time::sleep(time).await;
            if let Some(leased) = leased.upgrade() {
                leased.lock().unwrap_or_else(PoisonError::into_inner).take();
            }
        };
        Self { value, _end: AbortOnDropHandle::new(tokio::spawn(end)) }
    }

    /// Reads the value. Returns an error once the time is over.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> io::Result<R> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        value.as_ref().map(read).ok_or_else(|| io::ErrorKind::TimedOut.into())
    }
}
