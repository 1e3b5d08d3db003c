//! The index, the version and the contract.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::types::{Index, Link, Version};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{NoQuery, prefers};
use crate::http::json::Json;
use crate::http::routes::web;
use crate::http::static_file::StaticFile;
use crate::service::build::{COMMIT, VERSION};

const LINKS: &[Link] = &[
    Link { method: "POST", href: "/solve", title: "Solve a cube" },
    Link { method: "GET", href: "/solve?scramble=R%20U%20R'%20U'", title: "Solve a scramble" },
    Link {
        method: "GET",
        href: "/solve/UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB",
        title: "Solve facelets",
    },
    Link { method: "POST", href: "/solve/stream", title: "Solve a cube, with progress events" },
    Link { method: "POST", href: "/solve/batch", title: "Solve many cubes, one per line" },
    Link { method: "POST", href: "/explain", title: "Explain a solution, move by move" },
    Link { method: "GET", href: "/explain?scramble=R%20U%20F", title: "Solve a scramble and explain the solution" },
    Link { method: "GET", href: "/convert?cube=R%20U%20F", title: "A cube in every form" },
    Link { method: "POST", href: "/repair", title: "The legal cubes nearest to a scan with errors" },
    Link { method: "GET", href: "/scramble", title: "A random-state scramble" },
    Link { method: "GET", href: "/image.svg?cube=R%20U%20F", title: "A picture of a cube (also /image.png)" },
    Link {
        method: "GET",
        href: "/image/steps.svg?cube=R%20U%20F&solution=F'%20U'%20R'",
        title: "Pictures of the steps of a solution (also /image/steps.png)",
    },
    Link { method: "GET", href: "/coords", title: "Catalogue of coordinates" },
    Link { method: "GET", href: "/coords/twist/1236", title: "One value of a coordinate" },
    Link { method: "GET", href: "/coords/twist/1236/apply?moves=R%20U", title: "Apply moves to a value" },
    Link { method: "GET", href: "/symmetries", title: "The 48 symmetries, their groups and their products" },
    Link { method: "GET", href: "/symmetries/16/2", title: "The product of two symmetries" },
    Link { method: "POST", href: "/coords", title: "The coordinates of a cube" },
    Link { method: "GET", href: "/coords?scramble=F", title: "The coordinates of one move" },
    Link { method: "GET", href: "/tables", title: "The precomputed tables" },
    Link { method: "GET", href: "/tables/twist_move/rows/0", title: "A row of a table" },
    Link { method: "GET", href: "/tables/twist_move/raw", title: "The file of a table" },
    Link { method: "POST", href: "/tables/{name}/verify", title: "Check a table" },
    Link { method: "GET", href: "/moves", title: "The 18 moves" },
    Link { method: "GET", href: "/moves/F", title: "A move as four arrays, in both conventions" },
    Link { method: "POST", href: "/moves/check", title: "Check four arrays that should be a move" },
    Link { method: "GET", href: "/openapi.yaml", title: "The contract (also /openapi.json)" },
    Link { method: "GET", href: "/docs", title: "The contract as a page" },
    Link { method: "GET", href: "/version", title: "The version of the service" },
    Link { method: "GET", href: "/livez", title: "Liveness" },
    Link { method: "GET", href: "/readyz", title: "Readiness" },
    Link { method: "GET", href: "/metrics", title: "Metrics for Prometheus" },
];

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
    params(("If-None-Match" = Option<String>, Header, description = "ETags: 304 if the contract has one of them")),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/yaml", body = serde_json::Value,
            headers(("ETag" = String, description = "Strong validator of the contract"))),
        (status = 304, description = "The client's copy is current"), contract::CommonProblems))]
pub(crate) async fn openapi_yaml(State(state): State<AppState>, headers: HeaderMap) -> Response {
    static FILE: StaticFile = StaticFile::new("application/yaml", Bytes::from_static(contract::YAML.as_bytes()));
    FILE.respond(&headers, state.config.server.compression)
}

/// Get the contract as JSON
#[contract::path(get, path = "/openapi.json", tag = "operation", operation_id = "openapi_json",
    params(("If-None-Match" = Option<String>, Header, description = "ETags: 304 if the contract has one of them")),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = serde_json::Value,
            headers(("ETag" = String, description = "Strong validator of the contract"))),
        (status = 304, description = "The client's copy is current"), contract::CommonProblems))]
pub(crate) async fn openapi_json(State(state): State<AppState>, headers: HeaderMap) -> Response {
    static FILE: StaticFile = StaticFile::new("application/json", Bytes::from_static(contract::JSON.as_bytes()));
    FILE.respond(&headers, state.config.server.compression)
}
