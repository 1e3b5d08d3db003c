//! The index as JSON or HTML, the contract, and the responses for unknown paths and methods.

use axum::Json;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::api::problem::{Code, Problem};
use crate::api::request::field_error::short;
use crate::api::types::{Index, Link};
use crate::http::contract;

const LINKS: [Link; 28] = [
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
    Link { method: "GET", href: "/moves", title: "The 18 face turns" },
    Link { method: "GET", href: "/moves/F", title: "A face turn as four arrays, in both conventions" },
    Link { method: "POST", href: "/moves/check", title: "Check four arrays that should be a face turn" },
    Link { method: "GET", href: "/openapi.yaml", title: "The contract (also /openapi.json)" },
    Link { method: "GET", href: "/livez", title: "Liveness" },
    Link { method: "GET", href: "/readyz", title: "Readiness" },
    Link { method: "GET", href: "/metrics", title: "Metrics for Prometheus" },
];

/// List the routes
///
/// Returns JSON, or an HTML page if `Accept` prefers `text/html`.
#[contract::path(get, path = "/", tag = "operation", operation_id = "index",
    responses((status = 200, description = "Links to the routes", content((Index = "application/json"),
        (String = "text/html"))), contract::CommonProblems))]
pub(crate) async fn index(headers: HeaderMap) -> Response {
    let index = Index { name: "superflip", version: env!("CARGO_PKG_VERSION"), links: LINKS.to_vec() };
    let vary = [(header::VARY, "accept")];
    if !prefers(&headers, "text/html") {
        return (vary, Json(index)).into_response();
    }
    // The page contains no input, so nothing needs escaping.
    let links = index.links.iter().map(|Link { method, href, title }| match *method {
        "GET" => format!("<li><a href=\"{href}\">{method} {href}</a>: {title}</li>\n"),
        _ => format!("<li>{method} {href}: {title}</li>\n"),
    });
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>superflip</title>\n<h1>superflip {}</h1>\n\
         <p>Solves Rubik's cubes.</p>\n<ul>\n{}</ul>\n</html>\n",
        index.version,
        links.collect::<String>()
    );
    (vary, Html(page)).into_response()
}

/// Returns whether `Accept` prefers `media_type` to JSON.
pub(crate) fn prefers(headers: &HeaderMap, wanted: &str) -> bool {
    quality(headers, wanted).is_some_and(|wanted| wanted > quality(headers, "application/json").unwrap_or(0.0))
}

/// Returns the quality value of a media type in `Accept`, if the type is listed by name.
pub(crate) fn quality(headers: &HeaderMap, wanted: &str) -> Option<f32> {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.split(',').find_map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let is_wanted = parts.next().is_some_and(|range| range.eq_ignore_ascii_case(wanted));
        let q = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse::<f32>().ok());
        is_wanted.then(|| q.unwrap_or(1.0))
    })
}

/// Get the contract as YAML
#[contract::path(get, path = "/openapi.yaml", tag = "operation", operation_id = "openapi_yaml",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/yaml", body = serde_json::Value),
        contract::CommonProblems))]
pub(crate) async fn openapi_yaml() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/yaml")], contract::YAML)
}

/// Get the contract as JSON
#[contract::path(get, path = "/openapi.json", tag = "operation", operation_id = "openapi_json",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = serde_json::Value),
        contract::CommonProblems))]
pub(crate) async fn openapi_json() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], contract::JSON)
}

/// Answers unknown paths.
pub(crate) async fn not_found(uri: Uri) -> Problem {
    let detail = format!("{} does not exist. GET / lists the routes.", short(uri.path()));
    Problem::new(Code::NotFound, detail)
}

/// Answers unsupported methods; axum adds `Allow`.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let detail =
        format!("{method} is not supported at {}. The header `Allow` lists the supported methods.", short(uri.path()));
    Problem::new(Code::MethodNotAllowed, detail)
}
