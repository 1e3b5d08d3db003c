//! `/coords/{name}/raw`: downloads the distances of all values of a coordinate.

use std::convert::Infallible;
use std::ops::{Bound, Range};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures_util::stream;
use headers::HeaderMapExt;
use tokio::sync::OwnedSemaphorePermit;

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::PathParts;
use crate::http::routes::spaces::{plan_of, space_of};
use crate::http::routes::tables::raw::{described, judge, refuse, tag};
use crate::service::spaces::bulk;
use crate::space::bulk::{Bulk, bulk_bytes};

/// Size of one read in bytes. A read takes microseconds, even from the phase-1 table.
const CHUNK: u64 = 64 << 10;

/// Download the distances of all values
///
/// The file has the format of the tables: a header page of 4096 bytes, then one byte for each value. The byte is the distance from solved
/// in face turns, or 255 if no cube has the value. The file is not compressed and has a strong `ETag`. One byte range is supported
/// (`Range`, `If-Range`); several ranges return the whole file. `If-None-Match` and `If-Match` are supported. The distances of phase 1,
/// `symcomp(flip_slice,twist)`, need the profile `standard`; `small` stores them modulo 3, in the table `phase_one_residues`. At most
/// four downloads run at once; a further one is answered 503 `overloaded`.
#[contract::path(get, path = "/coords/{name}/raw", tag = "coordinates", operation_id = "coordinate_raw",
    params(("name" = String, Path, description = "Name, alias or expression", example = "symcomp(slice_sorted,twist)"),
        ("Range" = Option<String>, Header, description = "Byte range, such as `bytes=4096-8191`"),
        ("If-Range" = Option<String>, Header, description = "ETag: the range applies only if the file still has it"),
        ("If-None-Match" = Option<String>, Header, description = "ETags: 304 if the file has one of them")),
    responses(
        (status = 200, description = "The whole file", content_type = "application/octet-stream", body = Vec<u8>,
            headers(("ETag" = String, description = "Strong validator of the file"), ("Accept-Ranges" = String, description = "`bytes`"),
                ("Content-Disposition" = String, description = "Name of the file"))),
        (status = 206, description = "The range", content_type = "application/octet-stream", body = Vec<u8>,
            headers(("Content-Range" = String, description = "Position of the range in the file"))),
        (status = 304, description = "The client's copy is current"),
        contract::SpaceRawProblems
    ))]
pub(crate) async fn get(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    request: Request,
) -> Result<Response, Problem> {
    let space = space_of(&state, plan_of(&name)?).await?;
    let permit = state.spaces.download().ok_or_else(|| {
        let detail = "The server has reached its maximum number of concurrent downloads; retry in a few seconds.";
        Problem::new(Code::Overloaded, detail).with(|document| document.retry_after_s = Some(5))
    })?;
    let (label, bytes, is_head) = (&space.plan().label, bulk_bytes(space.size()), request.method() == Method::HEAD);
    let make = || bulk(Arc::clone(&space), state.solver.long(), state.config.server.request_timeout());
    // The header page needs no distances, so compute them only if they are sent.
    let mut file = if space.bulk_page().is_some() { None } else { Some(make().await?) };
    let page = space.bulk_page().unwrap_or_default();
    let (mut response, range) = answer(page, bytes, request).map_err(|error| {
        tracing::error!(%error, label, "cannot make an ETag from the first page");
        Problem::internal()
    })?;
    let Some(range) = range else { return Ok(response) };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{label}.tbl\""));
    response.headers_mut().extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
    if !is_head {
        let file = match file.take() {
            Some(file) => file,
            None => make().await?,
        };
        *response.body_mut() = body(file, range, permit);
    }
    Ok(response)
}

/// Returns the response without its body, according to the conditions and the range of the request, and the bytes to send, if any.
fn answer(page: &[u8], bytes: u64, mut request: Request) -> std::io::Result<(Response, Option<Range<u64>>)> {
    let tag = tag(page, bytes)?;
    if let Some(decided) = judge(&mut request, &tag, None, bytes) {
        return Ok((decided, None));
    }
    let range = match wanted(request.headers(), bytes) {
        Wanted::All => None,
        Wanted::One(range) => Some(range),
        Wanted::Beyond => {
            let mut refusal = refuse(StatusCode::RANGE_NOT_SATISFIABLE, &tag);
            let length = HeaderValue::from_str(&format!("bytes */{bytes}"));
            refusal.headers_mut().extend(length.ok().map(|value| (header::CONTENT_RANGE, value)));
            return Ok((refusal, None));
        }
    };
    let sent = range.clone().unwrap_or(0..bytes);
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(sent.end - sent.start));
    if let Some(Range { start, end }) = range {
        let position = HeaderValue::from_str(&format!("bytes {start}-{}/{bytes}", end - 1));
        headers.extend(position.ok().map(|value| (header::CONTENT_RANGE, value)));
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    Ok((described(response, &tag), Some(sent)))
}

/// The part of a file that a request selects.
#[derive(PartialEq, Eq, Debug)]
enum Wanted {
    /// The whole file.
    All,
    /// One range.
    One(Range<u64>),
    /// A range beyond the end.
    Beyond,
}

/// Returns the part that the header `Range` selects. Several ranges select the whole file.
fn wanted(headers: &HeaderMap, bytes: u64) -> Wanted {
    let Some(range) = headers.typed_get::<headers::Range>() else { return Wanted::All };
    let text = headers.get(header::RANGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if text.contains(',') {
        return Wanted::All;
    }
    let Some((from, to)) = range.satisfiable_ranges(bytes).next() else { return Wanted::Beyond };
    let start = match from {
        Bound::Included(start) => start,
        Bound::Excluded(start) => start + 1,
        // `satisfiable_ranges` has resolved suffixes. What remains is `bytes=-`, which selects nothing.
        Bound::Unbounded => return Wanted::Beyond,
    };
    let end = match to {
        Bound::Included(last) => last.saturating_add(1),
        Bound::Excluded(end) => end,
        Bound::Unbounded => bytes,
    };
    let end = end.min(bytes);
    if start < end { Wanted::One(start..end) } else { Wanted::Beyond }
}

/// Creates a body of a range of a file, read as it is sent. The body holds the permit until it ends.
fn body(file: Bulk, range: Range<u64>, permit: OwnedSemaphorePermit) -> Body {
    let chunks = stream::unfold((file, range, permit), async |(file, left, permit)| {
        let end = left.end.min(left.start + CHUNK);
        let chunk = (left.start < end).then(|| Bytes::from(file.read(left.start..end)))?;
        Some((Ok::<_, Infallible>(chunk), (file, end..left.end, permit)))
    });
    Body::from_stream(chunks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_served_and_several_return_the_whole_file() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, HeaderValue::from_str(text).unwrap());
            wanted(&headers, 100)
        };
        assert_eq!(of("bytes=0-0"), Wanted::One(0..1));
        assert_eq!(of("bytes=10-"), Wanted::One(10..100));
        assert_eq!(of("bytes=10-999"), Wanted::One(10..100));
        assert_eq!(of("bytes=-10"), Wanted::One(90..100));
        for beyond in ["bytes=100-", "bytes=-", "bytes=5-3", "bytes=x"] {
            assert_eq!(of(beyond), Wanted::Beyond, "{beyond}");
        }
        assert_eq!(of("bytes=0-1,5-6"), Wanted::All);
        assert_eq!(wanted(&HeaderMap::new(), 100), Wanted::All);
    }
}
