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

/// Bytes that are read at once: microseconds of work, also where they are taken from the phase-1 table.
const CHUNK: u64 = 64 << 10;

/// The distances of all values
///
/// In the format of the tables: a page of 4096 bytes that describes the rest, then one byte for each value, its distance in face turns
/// from solved, or 255 where no cube has the value. Never compressed, with a strong `ETag`. One byte range may be asked for (`Range`,
/// `If-Range`); several at once are answered with the whole. `If-None-Match` and `If-Match` are heeded. The distances of phase 1,
/// `symcomp(flip_slice,twist)`, are there in the profile `standard`; in `small` they are kept modulo 3, in the table
/// `phase_one_residues`. Four downloads run at a time; a further one gets 503 `overloaded`.
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
    let place = state.spaces.download().ok_or_else(|| {
        let detail = "The server has reached its maximum number of concurrent downloads; retry in a few seconds.";
        Problem::new(Code::Overloaded, detail).with(|document| document.retry_after_s = Some(5))
    })?;
    let (label, bytes, is_head) = (&space.plan().label, bulk_bytes(space.size()), request.method() == Method::HEAD);
    let make = || bulk(Arc::clone(&space), state.solver.long(), state.config.server.request_timeout());
    // The page says all but the distances, which are worked out only to be sent.
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
        *response.body_mut() = body(file, range, place);
    }
    Ok(response)
}

/// The answer without its body, as the conditions and the range of the request want it, and the bytes to send, if any.
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
        let place = HeaderValue::from_str(&format!("bytes {start}-{}/{bytes}", end - 1));
        headers.extend(place.ok().map(|value| (header::CONTENT_RANGE, value)));
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    Ok((described(response, &tag), Some(sent)))
}

/// What a request wants of a file.
#[derive(PartialEq, Eq, Debug)]
enum Wanted {
    All,
    One(Range<u64>),
    Beyond,
}

/// What the header Range asks for; several ranges are answered with the whole.
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
        // A suffix has been counted from the end; `bytes=-` asks for nothing.
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

/// Some bytes of a file, read as they are sent; the place is held until then.
fn body(file: Bulk, range: Range<u64>, place: OwnedSemaphorePermit) -> Body {
    let chunks = stream::unfold((file, range, place), async |(file, left, place)| {
        let end = left.end.min(left.start + CHUNK);
        let chunk = (left.start < end).then(|| Bytes::from(file.read(left.start..end)))?;
        Some((Ok::<_, Infallible>(chunk), (file, end..left.end, place)))
    });
    Body::from_stream(chunks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_read_and_several_are_the_whole() {
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
