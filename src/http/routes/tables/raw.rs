//! `/tables/{name}/raw`: downloads the file of a table, from memory.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use headers::LastModified;

use crate::api::problem::Problem;
use crate::http::AppState;
use crate::http::contract;
use crate::http::download::{File, body};
use crate::http::extract::{NoQuery, PathParts};
use crate::http::routes::tables::AvailableTables;
use superflip_solver::tables::format::HEADER_BYTES;

/// Download the file of a table
///
/// The file as on disk, not compressed, with a strong `ETag`. One byte range is supported (`Range`, `If-Range`); several ranges return the
/// whole file. `If-None-Match`, `If-Match` and the conditions on dates are supported.
#[contract::path(get, path = "/tables/{name}/raw", tag = "tables", operation_id = "table_raw",
    params(("name" = String, Path, description = "Name of a table", example = "twist_move"),
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
    _: NoQuery,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let available = AvailableTables::of(&state)?;
    let (info, table) = available.named(&name)?;
    let (page, bytes) = (&table.whole_file()[..HEADER_BYTES], table.whole_file().len() as u64);
    let modified = table.metadata().and_then(|file| file.modified()).ok().map(LastModified::from);
    let file = File { name: &info.file_name(), page, bytes, modified };
    let (mut response, part) = file.response(&method, &headers)?;
    if let Some(part) = part {
        let whole = Bytes::from_owner(Mapped { available, name });
        #[allow(clippy::cast_possible_truncation)] // a part of the mapped entries
        let read = move |part: std::ops::Range<u64>| Ok(whole.slice(part.start as usize..part.end as usize));
        *response.body_mut() = body(part, read);
    }
    Ok(response)
}

/// The file of a table in memory. It keeps the tables mapped while it is sent.
struct Mapped {
    available: AvailableTables,
    name: String,
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self.available.named(&self.name).map_or(&[], |(_, table)| table.whole_file())
    }
}
