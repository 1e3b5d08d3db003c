//! The version and the contract; the page for browsers; and answers for unknown paths.

mod joined_modules;
pub(crate) mod unknown;
pub(crate) mod web;
mod web_files;

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::api::types::Version;
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::NoQuery;
use crate::http::json::Json;
use crate::http::static_file::StaticFile;
use crate::service::{COMMIT, VERSION};

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
