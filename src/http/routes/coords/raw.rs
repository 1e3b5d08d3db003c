//! `/coords/{name}/raw`: downloads the distances of all values of a coordinate.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::Response;

use super::spaces::space_of;
use crate::api::problem::Problem;
use crate::http::AppState;
use crate::http::contract;
use crate::http::download::{File, Lease, body};
use crate::http::extract::{NoQuery, PathParts};
use crate::service::spaces::bulk;
use superflip_coords::space::bulk::bulk_bytes;
use superflip_coords::space::expression::plan;

/// Minimum average rate of a download in bytes per second; a slower one may be broken off. The request timeout is added.
const MIN_RATE: u64 = 64 << 10;

/// Download the distances of all values
///
/// The file has the format of the tables: a header page of 4096 bytes, then one byte for each value. The byte is the distance from solved
/// in moves, or 255 if no cube has the value. The file is not compressed and has a strong `ETag`. One byte range is supported
/// (`Range`, `If-Range`); several ranges return the whole file. `If-None-Match` and `If-Match` are supported. The distances of phase 1,
/// `symcomp(flip_slice,twist)`, need the profile `standard`; `small` stores them modulo 3, in the table `phase_one_residues`. A download
/// that is slower than 64 KiB per second may be broken off; continue it with `Range` and `If-Range`.
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
    _: NoQuery,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let space = space_of(&state, plan(&name)?).await?;
    let make = || bulk(Arc::clone(&space), state.lanes.long(), state.config.server.request_timeout());
    // The header page needs no distances, so compute them only if they are sent.
    let computed = if space.bulk_page().is_some() { None } else { Some(make().await?) };
    let name = format!("{}.tbl", space.plan().label);
    let page = space.bulk_page().unwrap_or_default();
    let file = File { name: &name, page, bytes: bulk_bytes(space.size()), modified: None };
    let (mut response, part) = file.response(&method, &headers)?;
    let Some(part) = part.filter(|_| method != Method::HEAD) else { return Ok(response) };
    let distances = match computed {
        Some(distances) => distances,
        None => make().await?,
    };
    let time = state.config.server.request_timeout() + Duration::from_secs((part.end - part.start) / MIN_RATE);
    let distances = Lease::new(distances, time);
    *response.body_mut() = body(part, move |part| distances.read(|distances| distances.read(part).into()));
    Ok(response)
}
