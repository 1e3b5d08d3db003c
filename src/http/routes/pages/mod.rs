//! The index, the version and the contract; the page for browsers; and answers for unknown paths.

mod joined_modules;
pub(crate) mod unknown;
pub(crate) mod web;
mod web_files;

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::types::{Index, Version};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{NoQuery, prefers};
use crate::http::json::Json;
use crate::http::routes::LINKS;
use crate::http::static_file::StaticFile;
use crate::service::build::{COMMIT, VERSION};

/// List the routes
///
/// Returns JSON. If `Accept` prefers `text/html`, as browsers do, returns the page of this service instead. `/docs` shows this contract
/// in a browser.
#[contract::path(get, path = "/", tag = "operation", operation_id = "index",
    responses((status = 200, description = "Links to the routes, or the page", content((Index = "application/json"),
        (String = "text/html"))), contract::CommonProblems))]
pub(crate) async fn index(State(state): State<AppState>, headers: HeaderMap, uri: Uri) -> Result<Response, Problem> {
    let mut response = if prefers(&headers, "text/html") {
        web::page(&state, &headers, uri).await?
    } else {
        Json(Index { name: "superflip", version: VERSION, links: LINKS.to_vec() }).into_response()
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

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
