//! Responses with pictures: caching, and PNG on worker threads.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};
use superflip_picture::{Scene, png, svg};

use crate::api::problem::{Code, Problem};
use crate::api::request::image::query::ImageFormat;
use crate::http::AppState;
use superflip_solver::tables::format::fingerprint;

/// Returns `Cache-Control` of a picture. Within one version, the URL determines the picture, so a cache need not ask again if the URL contains
/// the version. Caches that several clients share must not keep a picture that needs an API key.
fn caching(state: &AppState, version: Option<&str>) -> HeaderValue {
    let is_versioned = version == Some(env!("CARGO_PKG_VERSION"));
    HeaderValue::from_static(match (state.config.access.keys.is_empty(), is_versioned) {
        (true, true) => "public, max-age=31536000, immutable",
        (true, false) => "public, max-age=86400",
        (false, true) => "private, max-age=31536000, immutable",
        (false, false) => "private, max-age=86400",
    })
}

/// Pages of other sites may show the picture.
const EMBEDDING: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));

/// Greatest number of pixels of a PNG that is drawn without a worker thread. Larger ones take more than about a millisecond.
const QUICK_PIXELS: u32 = 64 * 64;
/// Greatest number of shapes of a PNG that is drawn without a worker thread.
const QUICK_SHAPES: usize = 100;

/// Returns a response with a picture, or 304 if the client has it. `version` is the parameter `v`.
///
/// # Errors
/// Returns an error if the PNG has no pixels, and if the queue refuses to draw it.
pub(crate) async fn respond(
    state: &AppState,
    request: &HeaderMap,
    scene: Scene,
    format: ImageFormat,
    version: Option<&str>,
) -> Result<Response, Problem> {
    let text = svg::write(&scene);
    // The SVG text determines both formats. The version is in the tag because another version may draw the PNG differently.
    let tag = format!("\"{:016x}-{}-{}\"", fingerprint(text.as_bytes()), env!("CARGO_PKG_VERSION"), format.name());
    let tag: ETag = tag.parse().map_err(|_| Problem::internal())?;
    let is_known = request.typed_get::<IfNoneMatch>().is_some_and(|known| !known.precondition_passes(&tag));
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match format {
            ImageFormat::Svg => text.into_response(),
            ImageFormat::Png => draw(state, scene).await?.into_response(),
        }
    };
    let headers = response.headers_mut();
    if !is_known {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    }
    headers.typed_insert(tag);
    headers.insert(header::CACHE_CONTROL, caching(state, version));
    headers.insert(EMBEDDING.0, EMBEDDING.1);
    Ok(response)
}

/// Draws a PNG, on a worker thread if that takes long.
async fn draw(state: &AppState, scene: Scene) -> Result<Vec<u8>, Problem> {
    let [width, height] = scene.pixels;
    let shapes: usize = scene.groups.iter().map(|group| group.shapes.len()).sum();
    let draw = move || {
        png::write(&scene).map_err(|error| match error {
            png::PngError::Empty => {
                let detail =
                    "`size` is 0; a PNG has at least 1 pixel. Give a size from 1 to 1024, or use `/image.svg`.";
                Problem::new(Code::OptionOutOfRange, detail).in_field("size")
            }
            png::PngError::Encoding(reason) => {
                tracing::error!(reason, "a picture could not be encoded");
                Problem::internal()
            }
        })
    };
    if width * height <= QUICK_PIXELS && shapes <= QUICK_SHAPES { draw() } else { state.work(draw).await }
}
