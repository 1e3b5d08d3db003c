//! `/image.svg` and `/image.png`: pictures of cubes; `/image/steps.svg` and `/image/steps.png`: pictures of the steps of a solution.

mod answer;
pub mod visualcube;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use superflip_picture::Scene;
use superflip_picture::parameters::Reading;

pub(crate) use self::answer::respond;
use crate::api::problem::Problem;
use crate::api::request::image::query::ImageFormat;
use crate::api::request::image::{picture, steps};
use crate::api::types::{ImageQuery, StepsQuery};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::QueryString;

/// The routes of pictures, which pages of other sites may embed.
pub(crate) const PICTURES: [&str; 7] = [
    "/image.svg",
    "/image.png",
    "/image/steps.svg",
    "/image/steps.png",
    "/visualcube.php",
    "/visualcube.svg",
    "/api/v0/view/{key}/{format}",
];

/// Draw a cube as SVG
///
/// Takes the parameters of `VisualCube`, or a cube in any form. An invalid parameter is refused. The response may be cached for a day,
/// and for a year if `v` is the version of this service.
#[contract::path(get, path = "/image.svg", tag = "pictures", operation_id = "image_svg", params(ImageQuery),
    responses((status = 200, description = "The picture", content_type = "image/svg+xml", body = String,
        headers(("ETag" = String, description = "Validator of the picture"))),
        (status = 304, description = "The client's copy is current"), contract::ImageProblems))]
pub(crate) async fn svg(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<ImageQuery>,
) -> Result<Response, Problem> {
    image(&state, &headers, query, ImageFormat::Svg).await
}

/// Draw a cube as PNG
///
/// As GET /image.svg.
#[contract::path(get, path = "/image.png", tag = "pictures", operation_id = "image_png", params(ImageQuery),
    responses((status = 200, description = "The picture", content_type = "image/png", body = Vec<u8>,
        headers(("ETag" = String, description = "Validator of the picture"))),
        (status = 304, description = "The client's copy is current"), contract::ImageProblems))]
pub(crate) async fn png(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<ImageQuery>,
) -> Result<Response, Problem> {
    image(&state, &headers, query, ImageFormat::Png).await
}

/// Draw the steps of a solution as SVG
///
/// Draws the cube before each move, with arrows on the layers that turn and the move below, and then the cube after the last move. The
/// moves need not solve the cube.
#[contract::path(get, path = "/image/steps.svg", tag = "pictures", operation_id = "image_steps_svg", params(StepsQuery),
    responses((status = 200, description = "The pictures, at most six in a row", content_type = "image/svg+xml", body = String,
        headers(("ETag" = String, description = "Validator of the picture"))),
        (status = 304, description = "The client's copy is current"), contract::ImageProblems))]
pub(crate) async fn steps_svg(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<StepsQuery>,
) -> Result<Response, Problem> {
    strip(&state, &headers, query, ImageFormat::Svg).await
}

/// Draw the steps of a solution as PNG
///
/// As GET /image/steps.svg.
#[contract::path(get, path = "/image/steps.png", tag = "pictures", operation_id = "image_steps_png", params(StepsQuery),
    responses((status = 200, description = "The pictures, at most six in a row", content_type = "image/png", body = Vec<u8>,
        headers(("ETag" = String, description = "Validator of the picture"))),
        (status = 304, description = "The client's copy is current"), contract::ImageProblems))]
pub(crate) async fn steps_png(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<StepsQuery>,
) -> Result<Response, Problem> {
    strip(&state, &headers, query, ImageFormat::Png).await
}

async fn image(
    state: &AppState,
    headers: &HeaderMap,
    query: ImageQuery,
    format: ImageFormat,
) -> Result<Response, Problem> {
    format.check(query.fmt.as_deref())?;
    let version = query.v.clone();
    let scene = scene(state, query, Reading::Strict).await?;
    respond(state, headers, scene, format, version.as_deref()).await
}

/// Projects the picture of a query.
async fn scene(state: &AppState, mut query: ImageQuery, reading: Reading) -> Result<Scene, Problem> {
    let request = query.take_cube();
    if request.has_no_cube() {
        return picture(&query, None, reading);
    }
    state.read(request, move |request| picture(&query, Some(&request.read()?), reading)).await
}

async fn strip(
    state: &AppState,
    headers: &HeaderMap,
    mut query: StepsQuery,
    format: ImageFormat,
) -> Result<Response, Problem> {
    let (request, version) = (query.take_cube(), query.v.clone());
    let scene = state.read(request, move |request| steps(&query, &request.read()?)).await?;
    respond(state, headers, scene, format, version.as_deref()).await
}
