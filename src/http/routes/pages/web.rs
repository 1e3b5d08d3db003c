//! The page for browsers: the files of the folder `web/`, which are part of the program.
//!
//! The files need no API key, occupy no worker thread and count against no rate limit.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{MethodRouter, get};

use crate::api::problem::Problem;
use crate::http::AppState;
use crate::http::extract::PathParts;
use crate::http::routes::pages::unknown::not_found;
use crate::http::routes::pages::web_files::web_files;
use crate::http::static_file::StaticFile;

/// Caching of a file whose address contains its version.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

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
    let page = web_files().page("index.html");
    respond(page.map(|page| (page, false)), state, headers, uri).await
}

async fn docs(State(state): State<AppState>, headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    let page = web_files().page("docs/index.html");
    respond(page.map(|page| (page, false)), &state, &headers, uri).await
}

/// Browsers ask for `/favicon.ico` when they show an answer of another route.
async fn icon(State(state): State<AppState>, headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    let file = web_files().file("icon.svg");
    respond(file, &state, &headers, uri).await
}

async fn any(
    State(state): State<AppState>,
    headers: HeaderMap,
    uri: Uri,
    PathParts(path): PathParts<String>,
) -> Result<Response, Problem> {
    let file = web_files().file(&path);
    respond(file, &state, &headers, uri).await
}

/// Answers with a file, and whether its address contains its version.
async fn respond(
    file: Option<(Arc<StaticFile>, bool)>,
    state: &AppState,
    request: &HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let Some((file, is_versioned)) = file else { return Err(not_found(uri).await) };
    let mut response = file.respond(request, state.config.server.compression);
    response.headers_mut().extend(headers(&state.config.server.frame_ancestors));
    if is_versioned {
        response.headers_mut().insert(CACHE_CONTROL, IMMUTABLE);
    }
    Ok(response)
}
