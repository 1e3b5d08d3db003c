//! `/visualcube.php` and `/visualcube.svg`: pictures for pages that use `VisualCube`.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use superflip_picture::parameters::Reading;

use super::{respond, scene};
use crate::api::problem::{Code, Problem};
use crate::api::request::image::query::{ImageFormat, of_visualcube};
use crate::http::AppState;
use crate::http::contract;

/// The documentation of the parameters, which `VisualCube` shows when `fmt` is absent.
const DOCUMENTATION: &str = "/docs#image";

/// Parameters of a query in their order.
type Parameters = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// Draw a cube, as `VisualCube` does
///
/// A value that `VisualCube` does not accept means the default; unknown parameters are ignored. Without `fmt`, redirects to the
/// documentation of the parameters.
#[contract::path(get, path = "/visualcube.php", tag = "clients", operation_id = "visualcube_php",
    params(crate::api::types::ImageQuery),
    responses((status = 200, description = "The picture", content((String = "image/svg+xml"), (Vec<u8> = "image/png"))),
        (status = 302, description = "Without `fmt`: the documentation"),
        (status = 304, description = "The client's copy is current"), contract::VisualCubeProblems))]
pub(crate) async fn php(
    State(state): State<AppState>,
    headers: HeaderMap,
    parameters: Parameters,
) -> Result<Response, Problem> {
    draw(&state, &headers, parameters, None).await
}

/// Draw a cube as SVG, as `VisualCube` does
///
/// As GET /visualcube.php, with `fmt=svg` by default.
#[contract::path(get, path = "/visualcube.svg", tag = "clients", operation_id = "visualcube_svg",
    params(crate::api::types::ImageQuery),
    responses((status = 200, description = "The picture", content((String = "image/svg+xml"), (Vec<u8> = "image/png"))),
        (status = 304, description = "The client's copy is current"), contract::VisualCubeProblems))]
pub(crate) async fn svg(
    State(state): State<AppState>,
    headers: HeaderMap,
    parameters: Parameters,
) -> Result<Response, Problem> {
    draw(&state, &headers, parameters, Some(ImageFormat::Svg)).await
}

async fn draw(
    state: &AppState,
    headers: &HeaderMap,
    parameters: Parameters,
    default: Option<ImageFormat>,
) -> Result<Response, Problem> {
    let undecodable = |_| Problem::new(Code::InvalidField, "The query string cannot be decoded; percent-encode it.");
    let Query(parameters) = parameters.map_err(undecodable)?;
    let query = of_visualcube(&parameters)?;
    let format = match (query.fmt.as_deref(), default) {
        (Some(fmt), _) => ImageFormat::read(fmt)?,
        (None, Some(format)) => format,
        (None, None) => return Ok((StatusCode::FOUND, [(header::LOCATION, DOCUMENTATION)]).into_response()),
    };
    let version = query.v.clone();
    let mut scene = scene(state, query, Reading::Forgiving).await?;
    if format == ImageFormat::Png {
        scene.pixels = scene.pixels.map(|pixels| pixels.max(1));
    }
    respond(state, headers, scene, format, version.as_deref()).await
}
