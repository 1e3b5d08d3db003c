//! The page for browsers: the files of the folder `web/`, which are part of the program.
//!
//! The files need no API key, occupy no worker thread and count against no rate limit. Their names contain no version, so browsers
//! revalidate them by their ETag. Debug builds read the folder at each request, so that an edit needs no compilation.

use axum::body::Bytes;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use headers::{HeaderMapExt as _, IfNoneMatch};

use crate::api::problem::Problem;
use crate::http::AppState;
use crate::http::extract::PathParts;
use crate::http::routes::unknown::not_found;
use crate::tables::format::fingerprint;

/// Extensions of the files that are served, with their media types. Other files, such as type declarations, are for development.
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("webmanifest", "application/manifest+json"),
];

/// Headers of every file. They replace the stricter defaults of other responses: the page loads its own scripts, styles and pictures,
/// sends requests to this server, and may use the camera. It uses nothing of other hosts.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    ),
    (X_FRAME_OPTIONS, "SAMEORIGIN"),
    (HeaderName::from_static("permissions-policy"), "camera=(self)"),
    (CACHE_CONTROL, "no-cache"),
];

/// The routes of the page. They are not part of the API, and the contract does not contain them.
pub(in crate::http) fn all() -> [(&'static str, MethodRouter<AppState>); 3] {
    [("/web/{*path}", get(any)), ("/docs", get(docs)), ("/favicon.ico", get(favicon))]
}

/// Returns whether a path leads to a file of the page.
pub(in crate::http) fn is_file(path: &str) -> bool {
    path.starts_with("/web/") || path == "/docs" || path == "/favicon.ico"
}

/// Answers with the page.
pub(crate) async fn page(headers: &HeaderMap, uri: Uri) -> Result<Response, Problem> {
    respond("index.html", headers, uri).await
}

async fn docs(headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    respond("docs/index.html", &headers, uri).await
}

async fn favicon(headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    respond("icon.svg", &headers, uri).await
}

async fn any(headers: HeaderMap, uri: Uri, PathParts(path): PathParts<String>) -> Result<Response, Problem> {
    respond(&path, &headers, uri).await
}

/// Answers with a file, or with 304 if the client has it.
async fn respond(path: &str, request: &HeaderMap, uri: Uri) -> Result<Response, Problem> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let known = TYPES.into_iter().find(|(own, _)| *own == extension).zip(read(path));
    let Some(((_, media_type), bytes)) = known else { return Err(not_found(uri).await) };
    let tag = format!("\"{:016x}-{:x}\"", fingerprint(&bytes), bytes.len());
    // An invalid header has no tag that matches.
    let is_known = request.contains_key(IF_NONE_MATCH)
        && tag
            .parse()
            .is_ok_and(|tag| request.typed_get::<IfNoneMatch>().is_some_and(|known| !known.precondition_passes(&tag)));
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(CONTENT_TYPE, media_type)], bytes).into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.extend(HeaderValue::from_str(&tag).ok().map(|tag| (ETAG, tag)));
    Ok(response)
}

/// Reads a file from the program. A new file is included when a file that refers to it changes, which recompiles the crate.
#[cfg(not(debug_assertions))]
fn read(path: &str) -> Option<Bytes> {
    static FILES: include_dir::Dir<'static> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/web");
    FILES.get_file(path).map(|file| Bytes::from_static(file.contents()))
}

/// Reads a file from the folder. Refuses paths that lead out of it.
#[cfg(debug_assertions)]
fn read(path: &str) -> Option<Bytes> {
    use std::path::{Component, Path};
    let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
    let bytes = is_inside.then(|| std::fs::read(Path::new(folder).join(path)).ok())?;
    bytes.map(Bytes::from)
}
