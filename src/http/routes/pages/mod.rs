//! The version and the contract; the page for browsers; and answers for unknown paths.
//!
//! The page is the files of the folder `web/`, which are part of the program. They need no API key, occupy no worker thread and count against no
//! rate limit.

mod joined_modules;
mod web_files;

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use tokio::task::spawn_blocking;

use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use crate::api::types::Version;
use crate::http::extract::{NoQuery, PathParts};
use crate::http::json::Json;
use crate::http::routes::pages::web_files::web_files;
use crate::http::static_file::StaticFile;
use crate::http::{AppState, contract};
use crate::service::{COMMIT, VERSION};
use superflip_cube::Face;

/// Get the version of the service
///
/// Names the build: the version of the program, the commit of its source, the profile of the tables and the version of this contract.
#[contract::path(get, path = "/version", tag = "operation", operation_id = "version",
    responses((status = 200, description = "The version", body = Version), contract::ListProblems))]
pub(crate) async fn version(State(state): State<AppState>, _: NoQuery) -> Json<Version> {
    let profile = state.config.tables.profile;
    Json(Version { version: VERSION, commit: COMMIT, profile, contract: contract::VERSION })
}

/// Get the contract as YAML
#[contract::path(get, path = "/openapi.yaml", tag = "operation", operation_id = "openapi_yaml",
    params(("If-None-Match" = Option<String>, Header, description = "ETags: 304 if the file has one of them")),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/yaml", body = serde_json::Value,
            headers(("ETag" = String, description = "Strong validator of the contract"))),
        (status = 304, description = "The client's copy is current"), contract::CommonProblems))]
pub(crate) async fn openapi_yaml(State(state): State<AppState>, headers: HeaderMap) -> Response {
    static FILE: StaticFile = StaticFile::new("application/yaml", Bytes::from_static(contract::YAML.as_bytes()));
    FILE.respond(&headers, state.config.server.compression)
}

/// Get the contract as JSON
#[contract::path(get, path = "/openapi.json", tag = "operation", operation_id = "openapi_json",
    params(("If-None-Match" = Option<String>, Header, description = "ETags: 304 if the file has one of them")),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = serde_json::Value,
            headers(("ETag" = String, description = "Strong validator of the contract"))),
        (status = 304, description = "The client's copy is current"), contract::CommonProblems))]
pub(crate) async fn openapi_json(State(state): State<AppState>, headers: HeaderMap) -> Response {
    static FILE: LazyLock<StaticFile> =
        LazyLock::new(|| StaticFile::new("application/json", Bytes::from_static(contract::JSON.as_bytes())));
    FILE.respond(&headers, state.config.server.compression)
}

/// Caching of a file whose address contains its version.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Headers of every file. They replace the stricter defaults of other responses: the page loads its own scripts, styles and pictures,
/// sends requests to this server, and may use the camera. It loads nothing from other hosts. Only a page with a solver compiles
/// WebAssembly.
///
/// `X-Frame-Options` cannot list origins, so it is sent only if `server.frame_ancestors` is empty.
fn headers(ancestors: &[String]) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let ancestors = match ancestors {
        [] => None,
        _ if ancestors.iter().any(|origin| origin == "*") => Some("*".to_owned()),
        _ => Some(format!("'self' {}", ancestors.join(" "))),
    };
    let compiles = if cfg!(page_solves) { " 'wasm-unsafe-eval'" } else { "" };
    let policy = format!(
        "default-src 'none'; script-src 'self'{compiles}; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
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
    let (request, may_compress) = (request.clone(), state.config.server.compression);
    let mut response = if file.is_large() {
        // It is compressed at its first request, which takes a tenth of a second.
        let work = move || file.respond(&request, may_compress);
        spawn_blocking(work).await.map_err(|_| Problem::internal())?
    } else {
        file.respond(&request, may_compress)
    };
    response.headers_mut().extend(headers(&state.config.server.frame_ancestors));
    if is_versioned {
        response.headers_mut().insert(CACHE_CONTROL, IMMUTABLE);
    }
    Ok(response)
}

/// Answers unknown paths.
pub(crate) async fn not_found(uri: Uri) -> Problem {
    if let Some(problem) = uri.path().strip_prefix("/solve/").and_then(|cube| stickers_in_query(&uri, cube)) {
        return problem;
    }
    let detail = format!("{} does not exist. GET / lists the routes.", short(uri.path()));
    Problem::new(Code::NotFound, detail)
}

/// Answers unsupported methods; axum adds `Allow`.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let detail =
        format!("{method} is not supported at {}. The header `Allow` lists the supported methods.", short(uri.path()));
    Problem::new(Code::MethodNotAllowed, detail)
}

/// Number of stickers of a cube.
const STICKERS: usize = 54;

/// Returns the problem for stickers in a path that a plain `?` cuts short: the rest is in the query.
pub(crate) fn stickers_in_query(uri: &Uri, cube: &str) -> Option<Problem> {
    let query = uri.query()?;
    let given = cube.chars().filter(|symbol| !symbol.is_whitespace()).count();
    let is_sticker = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '?';
    let continues = given < STICKERS && query.chars().all(is_sticker);
    let is_whole = given + 1 + query.len() >= STICKERS / 2;
    let detail = format!(
        "The path has only {given} stickers, because a plain `?` begins the query. Write an unknown sticker in a path as `%3F`."
    );
    (continues && is_whole).then(|| Problem::new(Code::InvalidPath, detail))
}

/// Returns whether a segment of a path is meant as a cube: 53 to 55 face letters in any case.
pub(crate) fn is_meant_as_cube(segment: &str) -> bool {
    (STICKERS - 1..=STICKERS + 1).contains(&segment.len())
        && segment.chars().all(|letter| Face::from_letter(letter.to_ascii_uppercase()).is_some())
}
