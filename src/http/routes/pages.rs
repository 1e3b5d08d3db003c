//! The index, for machines and for people, the contract, and what is said where nothing is.

use axum::Json;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::api::problem::{Code, Problem};
use crate::api::request::field_error::short;
use crate::api::types::{Index, Link};
use crate::http::contract;

const LINKS: [Link; 25] = [
    Link { method: "POST", href: "/solve", title: "Solve a cube" },
    Link { method: "GET", href: "/solve?scramble=R%20U%20R'%20U'", title: "Solve a scramble" },
    Link {
        method: "GET",
        href: "/solve/UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB",
        title: "Solve facelets",
    },
    Link { method: "POST", href: "/solve/stream", title: "Solve, and watch it get shorter" },
    Link { method: "POST", href: "/solve/batch", title: "Solve many cubes, one a line" },
    Link { method: "POST", href: "/explain", title: "What a solution does, turn by turn" },
    Link { method: "GET", href: "/explain?scramble=R%20U%20F", title: "A solution found and explained" },
    Link { method: "GET", href: "/coords", title: "Every coordinate" },
    Link { method: "GET", href: "/coords/twist/1236", title: "One value of a coordinate" },
    Link { method: "GET", href: "/coords/twist/1236/apply?moves=R%20U", title: "A value walked through a maneuver" },
    Link { method: "GET", href: "/symmetries", title: "The 48 symmetries, their groups and their products" },
    Link { method: "GET", href: "/symmetries/16/2", title: "The product of two symmetries" },
    Link { method: "POST", href: "/coords", title: "The coordinates of a cube" },
    Link { method: "GET", href: "/coords?scramble=F", title: "The coordinates of one turn" },
    Link { method: "GET", href: "/tables", title: "The precomputed tables" },
    Link { method: "GET", href: "/tables/twist_move/rows/0", title: "A row of a table" },
    Link { method: "GET", href: "/tables/twist_move/raw", title: "The file of a table" },
    Link { method: "POST", href: "/tables/{name}/verify", title: "Check a table" },
    Link { method: "GET", href: "/moves", title: "The 18 face turns" },
    Link { method: "GET", href: "/moves/F", title: "A face turn as four arrays, in both conventions" },
    Link { method: "POST", href: "/moves/check", title: "What is wrong with four arrays that should be a face turn" },
    Link { method: "GET", href: "/openapi.yaml", title: "The contract (also /openapi.json)" },
    Link { method: "GET", href: "/livez", title: "Whether the process lives" },
    Link { method: "GET", href: "/readyz", title: "Whether it can solve" },
    Link { method: "GET", href: "/metrics", title: "Metrics for Prometheus" },
];

/// What is here
///
/// JSON, or a page for a browser that prefers `text/html`.
#[contract::path(get, path = "/", tag = "operation", operation_id = "index",
    responses((status = 200, description = "Links to everything", content((Index = "application/json"),
        (String = "text/html"))), contract::CommonProblems))]
pub(crate) async fn index(headers: HeaderMap) -> Response {
    let index = Index { name: "superflip", version: env!("CARGO_PKG_VERSION"), links: LINKS.to_vec() };
    let vary = [(header::VARY, "accept")];
    if !prefers(&headers, "text/html") {
        return (vary, Json(index)).into_response();
    }
    // Nothing on the page comes from a caller, so nothing needs escaping.
    let links = index.links.iter().map(|Link { method, href, title }| match *method {
        "GET" => format!("<li><a href=\"{href}\">{method} {href}</a>: {title}</li>\n"),
        _ => format!("<li>{method} {href}: {title}</li>\n"),
    });
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>superflip</title>\n<h1>superflip {}</h1>\n\
         <p>Solves Rubik's cubes: short, checked solutions.</p>\n<ul>\n{}</ul>\n</html>\n",
        index.version,
        links.collect::<String>()
    );
    (vary, Html(page)).into_response()
}

/// Whether this type is wanted more than JSON.
pub(crate) fn prefers(headers: &HeaderMap, wanted: &str) -> bool {
    quality(headers, wanted).is_some_and(|wanted| wanted > quality(headers, "application/json").unwrap_or(0.0))
}

/// The quality that `Accept` gives to this media type by name.
pub(crate) fn quality(headers: &HeaderMap, wanted: &str) -> Option<f32> {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.split(',').find_map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let is_wanted = parts.next().is_some_and(|range| range.eq_ignore_ascii_case(wanted));
        let q = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse::<f32>().ok());
        is_wanted.then(|| q.unwrap_or(1.0))
    })
}

/// The contract, as YAML
#[contract::path(get, path = "/openapi.yaml", tag = "operation", operation_id = "openapi_yaml",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/yaml", body = serde_json::Value),
        contract::CommonProblems))]
pub(crate) async fn openapi_yaml() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/yaml")], contract::YAML)
}

/// The contract, as JSON
#[contract::path(get, path = "/openapi.json", tag = "operation", operation_id = "openapi_json",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = serde_json::Value),
        contract::CommonProblems))]
pub(crate) async fn openapi_json() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], contract::JSON)
}

/// Where nothing is.
pub(crate) async fn not_found(uri: Uri) -> Problem {
    let detail = format!("Nothing is at {}. GET / lists what is here.", short(uri.path()));
    Problem::new(Code::NotFound, detail)
}

/// Where something is, but not for this method; axum adds `Allow`.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let detail = format!("{method} does not work at {}. The header Allow lists what does.", short(uri.path()));
    Problem::new(Code::MethodNotAllowed, detail)
}
