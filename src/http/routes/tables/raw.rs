//! `/tables/{name}/raw`: downloads the file of a table.
//!
//! tower-http's `ServeFile` reads the file and handles ranges and conditions on dates. Its tags depend on the modification time, and it
//! does not support `If-Range`. So this module evaluates the conditions on tags itself, with a tag computed from the header and the
//! length of the file.

use std::io;
use std::path::Path;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfMatch, IfNoneMatch, IfRange, LastModified};
use tokio::io::AsyncReadExt;
use tower_http::services::ServeFile;

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::PathParts;
use crate::http::routes::tables::AvailableTables;
use crate::tables::format::{HEADER_BYTES, Header, fingerprint};

/// Number of attempts to open a file that is being replaced.
const REPLACEMENTS: usize = 3;

/// Download the file of a table
///
/// The file as on disk, not compressed, with a strong `ETag`. One byte range is supported (`Range`, `If-Range`); several ranges return the
/// whole file. `If-None-Match`, `If-Match` and the conditions on dates are supported.
#[contract::path(get, path = "/tables/{name}/raw", tag = "tables", operation_id = "table_raw",
    params(("name" = String, Path, description = "Name of a table", example = "slice_move"),
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
        contract::RawProblems
    ))]
pub(crate) async fn get(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (info, _) = AvailableTables::of(&state)?.named(&name)?;
    let served = serve(&info.path, info.recipe(), request).await.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            let detail = format!(
                "The file of the table {name} was removed or replaced after it was mapped. Restart the server to open or build it."
            );
            Problem::new(Code::NotFound, detail)
        }
        _ => {
            tracing::error!(%error, table = name, "a table file cannot be read");
            Problem::internal()
        }
    });
    let mut response = served?;
    if matches!(response.status(), StatusCode::OK | StatusCode::PARTIAL_CONTENT) {
        let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{}\"", info.file_name()));
        response.headers_mut().extend(disposition.ok().map(|value| (header::CONTENT_DISPOSITION, value)));
    }
    Ok(response)
}

/// Serves the file according to the conditions and the range of the request.
async fn serve(path: &Path, recipe: u64, request: Request) -> io::Result<Response> {
    let (head, _) = request.into_parts();
    // A rebuild may replace the file between the computation of the `ETag` and the opening for the response.
    for _ in 0..REPLACEMENTS {
        let (tag, modified) = validators(path, recipe).await?;
        let response = answer(path, Request::from_parts(head.clone(), Body::empty()), &tag, modified).await?;
        if validators(path, recipe).await?.0 == tag {
            return Ok(response);
        }
    }
    Err(io::Error::other("the file is being replaced again and again"))
}

async fn answer(path: &Path, mut request: Request, tag: &ETag, modified: Option<LastModified>) -> io::Result<Response> {
    let bytes = tokio::fs::metadata(path).await?.len();
    if let Some(decided) = judge(&mut request, tag, modified.as_ref(), bytes) {
        return Ok(decided);
    }
    let mut file = ServeFile::new_with_mime(path, &mime::APPLICATION_OCTET_STREAM).ignore_multi_range_requests(true);
    let response = file.try_call(request).await?;
    if !matches!(response.status(), StatusCode::PRECONDITION_FAILED | StatusCode::RANGE_NOT_SATISFIABLE) {
        return Ok(described(response.map(Body::new), tag));
    }
    let mut refusal = refuse(response.status(), tag);
    refusal
        .headers_mut()
        .extend(response.headers().get(header::CONTENT_RANGE).cloned().map(|r| (header::CONTENT_RANGE, r)));
    Ok(refusal)
}

/// Evaluates the conditions on tags. Returns the response if they decide it; otherwise removes them, and a range that does not apply.
pub(crate) fn judge(
    request: &mut Request,
    tag: &ETag,
    modified: Option<&LastModified>,
    bytes: u64,
) -> Option<Response> {
    // Ignore ranges of other methods: they are defined for GET only.
    let is_head = request.method() == Method::HEAD;
    let headers = request.headers_mut();
    if let Some(wanted) = headers.typed_get::<IfMatch>() {
        if !wanted.precondition_passes(tag) {
            return Some(refuse(StatusCode::PRECONDITION_FAILED, tag));
        }
        headers.remove(header::IF_UNMODIFIED_SINCE);
    }
    if let Some(known) = headers.typed_get::<IfNoneMatch>() {
        if !known.precondition_passes(tag) {
            return Some(described(StatusCode::NOT_MODIFIED.into_response(), tag));
        }
        headers.remove(header::IF_MODIFIED_SINCE);
    }
    let is_other = |known: IfRange| known.is_modified(Some(tag), modified);
    // An invalid tag or date matches no file.
    let is_other = headers.contains_key(header::IF_RANGE) && headers.typed_get::<IfRange>().is_none_or(is_other);
    if is_other || is_head || asks_for_all(headers.get(header::RANGE), bytes) {
        headers.remove(header::RANGE);
    }
    for judged in [header::IF_MATCH, header::IF_NONE_MATCH, header::IF_RANGE, header::ACCEPT_ENCODING] {
        headers.remove(judged);
    }
    None
}

/// Returns the `ETag` of a file, from its length and its first page, which contains the checksum of the rest.
pub(crate) fn tag(page: &[u8], bytes: u64) -> io::Result<ETag> {
    format!("\"{:016x}-{bytes:x}\"", fingerprint(page)).parse().map_err(io::Error::other)
}

/// Returns the `ETag` and modification time of a file. A file of another version of the program with the same name counts as missing.
async fn validators(path: &Path, recipe: u64) -> io::Result<(ETag, Option<LastModified>)> {
    let mut file = tokio::fs::File::open(path).await?;
    let metadata = file.metadata().await?;
    let mut page = Vec::with_capacity(HEADER_BYTES);
    (&mut file).take(HEADER_BYTES as u64).read_to_end(&mut page).await?;
    if Header::decode(&page, metadata.len()).is_ok_and(|header| header.recipe != recipe) {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok((tag(&page, metadata.len())?, metadata.modified().ok().map(LastModified::from)))
}

/// Adds the headers common to all responses about the file.
pub(crate) fn described(mut response: Response, tag: &ETag) -> Response {
    let headers = response.headers_mut();
    headers.typed_insert(tag.clone());
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    // A rebuild changes the file, so caches must revalidate.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

pub(crate) fn refuse(status: StatusCode, tag: &ETag) -> Response {
    let (code, detail) = if status == StatusCode::RANGE_NOT_SATISFIABLE {
        (
            Code::RangeNotSatisfiable,
            "The header `Range` selects no byte of the file. `Content-Range` is the length of the file.",
        )
    } else {
        let detail =
            "The file does not satisfy `If-Match` or `If-Unmodified-Since`. Its current `ETag` is in the headers.";
        (Code::PreconditionFailed, detail)
    };
    described(Problem::new(code, detail).into_response(), tag)
}

/// Returns whether a range has an unknown unit, which RFC 9110 says to ignore, or is a suffix at least as long as the file.
fn asks_for_all(range: Option<&HeaderValue>, file_bytes: u64) -> bool {
    let Some(range) = range.and_then(|value| value.to_str().ok()) else { return false };
    let Some(set) = range.strip_prefix("bytes=") else { return true };
    let suffix =
        set.strip_prefix('-').filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    // Treat a number that overflows as larger than any file.
    suffix.is_some_and(|digits| digits.parse().map_or(true, |suffix: u64| suffix >= file_bytes))
}
