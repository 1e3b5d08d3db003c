//! The request handlers, one file or folder per group of routes.

pub mod batch;
pub mod clients;
pub mod coords;
pub mod cubes;
mod download;
mod events;
pub mod explain;
pub mod health;
pub mod image;
pub mod moves;
pub mod pages;
pub mod scramble;
pub mod solve;
pub mod stream;
pub mod tables;
pub(crate) mod unknown;
pub(crate) mod web;

use axum::routing::{MethodRouter, get, post};

use self::clients::{kociemba, tnoodle, twips};
use self::image::visualcube;
use crate::http::AppState;

/// Every route of the API: its path, and a handler for each of its methods.
pub fn all() -> Vec<(&'static str, MethodRouter<AppState>)> {
    vec![
        ("/solve", post(solve::post).get(solve::get)),
        ("/solve/stream", post(stream::post).get(stream::get)),
        ("/solve/batch", post(batch::post)),
        ("/solve/{cube}", get(solve::get_path)),
        ("/explain", post(explain::post).get(explain::get)),
        ("/convert", post(cubes::convert).get(cubes::convert_query)),
        ("/repair", post(cubes::repair).get(cubes::repair_query)),
        ("/scramble", get(scramble::get)),
        ("/image.svg", get(image::svg)),
        ("/image.png", get(image::png)),
        ("/image/steps.svg", get(image::steps_svg)),
        ("/image/steps.png", get(image::steps_png)),
        ("/coords", post(coords::post).get(coords::get)),
        ("/coords/{name}", get(coords::spaces::one)),
        ("/coords/{name}/raw", get(coords::raw::get)),
        ("/coords/{name}/{value}", get(coords::spaces::value)),
        ("/coords/{name}/{value}/apply", get(coords::spaces::apply)),
        ("/coords/{name}/{value}/transform", get(coords::spaces::transform)),
        ("/symmetries", get(coords::spaces::symmetries)),
        ("/symmetries/{i}/{j}", get(coords::spaces::symmetry_product)),
        ("/tables", get(tables::list)),
        ("/tables/{name}", get(tables::one)),
        ("/tables/{name}/rows/{index}", get(tables::row)),
        ("/tables/{name}/raw", get(tables::raw::get)),
        ("/tables/{name}/verify", post(tables::verify::post)),
        ("/moves", get(moves::list)),
        ("/moves/{move}", get(moves::get)),
        ("/moves/check", post(moves::check)),
        ("/{facelets}", get(kociemba::get).fallback(kociemba::other_method)),
        ("/v0/solve/pattern", post(twips::post)),
        ("/api/v0/puzzles", get(tnoodle::puzzles)),
        ("/api/v0/scramble/{key}", get(tnoodle::list)),
        ("/api/v0/scramble/{key}/raw", get(tnoodle::lines)),
        ("/api/v0/view/{key}/{format}", get(tnoodle::net)),
        ("/visualcube.php", get(visualcube::php)),
        ("/visualcube.svg", get(visualcube::svg)),
        ("/livez", get(health::livez)),
        ("/readyz", get(health::readyz)),
        ("/metrics", get(health::metrics)),
        ("/version", get(pages::version)),
        ("/openapi.yaml", get(pages::openapi_yaml)),
        ("/openapi.json", get(pages::openapi_json)),
        ("/", get(pages::index)),
    ]
}
