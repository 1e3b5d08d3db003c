//! The page for browsers: the files of the folder `web/`, which are part of the program.
//!
//! The files need no API key, occupy no worker thread and count against no rate limit. Debug builds read the folder at each request, so
//! that an edit needs no compilation.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use crate::api::problem::Problem;
use crate::http::AppState;
use crate::http::extract::PathParts;
use crate::http::routes::pages::unknown::not_found;
use crate::http::static_file::StaticFile;

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
/// sends requests to this server, and may use the camera. It loads nothing from other hosts.
///
/// `X-Frame-Options` cannot list origins, so it is sent only if `server.frame_ancestors` is empty.
fn headers(ancestors: &[String]) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let ancestors = match ancestors {
        [] => None,
        _ if ancestors.iter().any(|origin| origin == "*") => Some("*".to_owned()),
        _ => Some(format!("'self' {}", ancestors.join(" "))),
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {}",
        ancestors.as_deref().unwrap_or("'self'")
    );
    // The configuration contains only valid origins. Without a policy here, the default forbids everything.
    let policy = HeaderValue::from_str(&policy).ok().map(|policy| (CONTENT_SECURITY_POLICY, policy));
    let options = ancestors.is_none().then_some((X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")));
    let camera = (HeaderName::from_static("permissions-policy"), HeaderValue::from_static("camera=(self)"));
    [policy, options, Some(camera)].into_iter().flatten()
}

/// The routes of the files. They are not part of the API, and the contract does not contain them.
pub(crate) fn all() -> [(&'static str, MethodRouter<AppState>); 3] {
    [("/web/{*path}", get(any)), ("/docs", get(docs)), ("/favicon.ico", get(icon))]
}

/// Returns whether a path leads to a file of the page.
pub(crate) fn is_file(path: &str) -> bool {
    path.starts_with("/web/") || path == "/docs" || path == "/favicon.ico"
}

/// Answers `/` with the page.
pub(crate) async fn page(state: &AppState, headers: &HeaderMap, uri: Uri) -> Result<Response, Problem> {
    respond("index.html", state, headers, uri).await
}

async fn docs(State(state): State<AppState>, headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    respond("docs/index.html", &state, &headers, uri).await
}

/// Browsers ask for `/favicon.ico` when they show an answer of another route.
async fn icon(State(state): State<AppState>, headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    respond("icon.svg", &state, &headers, uri).await
}

async fn any(
    State(state): State<AppState>,
    headers: HeaderMap,
    uri: Uri,
    PathParts(path): PathParts<String>,
) -> Result<Response, Problem> {
    respond(&path, &state, &headers, uri).await
}

async fn respond(path: &str, state: &AppState, request: &HeaderMap, uri: Uri) -> Result<Response, Problem> {
    let Some(file) = find(path) else { return Err(not_found(uri).await) };
    let mut response = file.respond(request, state.config.server.compression);
    response.headers_mut().extend(headers(&state.config.server.frame_ancestors));
    Ok(response)
}

/// Returns the media type of a file, if files of this kind are served.
fn media_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    TYPES.into_iter().find_map(|(own, media_type)| (own == extension).then_some(media_type))
}

/// Finds a file in the program.
#[cfg(not(debug_assertions))]
fn find(path: &str) -> Option<Arc<StaticFile>> {
    use std::collections::HashMap;
    use std::sync::LazyLock;

    use include_dir::{Dir, File, include_dir};

    // A new file alone does not trigger a rebuild of the crate. A change of a file that refers to it does.
    static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web");
    static FILES: LazyLock<HashMap<&str, Arc<StaticFile>>> = LazyLock::new(|| {
        let mut folders = vec![&FOLDER];
        let mut files = HashMap::new();
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            files.extend(folder.files().filter_map(served));
        }
        files
    });
    fn served(file: &'static File<'static>) -> Option<(&'static str, Arc<StaticFile>)> {
        let path = file.path().to_str()?;
        Some((path, Arc::new(StaticFile::new(media_type(path)?, Bytes::from_static(file.contents())))))
    }
    FILES.get(path).cloned()
}

/// Finds a file in the folder. Refuses paths that lead out of it.
#[cfg(debug_assertions)]
fn find(path: &str) -> Option<Arc<StaticFile>> {
    let media_type = media_type(path)?;
    let is_inside = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    let bytes = is_inside.then(|| std::fs::read(format!("{}/web/{path}", env!("CARGO_MANIFEST_DIR"))).ok())??;
    Some(Arc::new(StaticFile::new(media_type, Bytes::from(bytes))))
}
