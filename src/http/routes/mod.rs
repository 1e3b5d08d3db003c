//! The request handlers, one file per group of routes.

pub mod batch;
pub mod coords;
pub mod explain;
pub mod health;
pub mod moves;
pub mod pages;
pub mod solve;
pub mod space_raw;
pub mod spaces;
pub mod stream;
pub mod tables;

use axum::routing::{MethodRouter, get, post};

use crate::http::AppState;

/// Every route: its path, and a handler for each of its methods.
pub fn all() -> Vec<(&'static str, MethodRouter<AppState>)> {
    vec![
        ("/solve", post(solve::post).get(solve::get)),
        ("/solve/stream", post(stream::post).get(stream::get)),
        ("/solve/batch", post(batch::post)),
        ("/solve/{facelets}", get(solve::get_path)),
        ("/explain", post(explain::post).get(explain::get)),
        ("/coords", post(coords::post).get(coords::get)),
        ("/coords/{name}", get(spaces::one)),
        ("/coords/{name}/raw", get(space_raw::get)),
        ("/coords/{name}/{value}", get(spaces::value)),
        ("/coords/{name}/{value}/apply", get(spaces::apply)),
        ("/coords/{name}/{value}/transform", get(spaces::transform)),
        ("/symmetries", get(spaces::symmetries)),
        ("/symmetries/{i}/{j}", get(spaces::symmetry_product)),
        ("/tables", get(tables::list)),
        ("/tables/{name}", get(tables::one)),
        ("/tables/{name}/rows/{index}", get(tables::rows::get)),
        ("/tables/{name}/raw", get(tables::raw::get)),
        ("/tables/{name}/verify", post(tables::verify::post)),
        ("/moves", get(moves::list)),
        ("/moves/{move}", get(moves::get)),
        ("/moves/check", post(moves::check)),
        ("/livez", get(health::livez)),
        ("/readyz", get(health::readyz)),
        ("/metrics", get(health::metrics)),
        ("/openapi.yaml", get(pages::openapi_yaml)),
        ("/openapi.json", get(pages::openapi_json)),
        ("/", get(pages::index)),
    ]
}
