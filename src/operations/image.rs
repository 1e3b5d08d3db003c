//! `/image.svg` and `/image.png`: pictures of cubes; `/image/steps.svg` and `/image/steps.png`: pictures of the steps of a solution.
//! `/visualcube.php` and `/visualcube.svg`: pictures for pages that use `VisualCube`.

use std::ops::RangeInclusive;

use axum::extract::rejection::QueryRejection;
use axum::extract::{self, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};

use crate::api::problem::{Code, Problem};
use crate::api::request::cube::ReadCube;
use crate::api::request::options::in_range;
use crate::api::request::read::{parse_query, short};
use crate::api::types::CubeRequest;
use crate::api::types::fields::{Fields as _, Place, fields};
use crate::contract;
use crate::http::extract::QueryString;
use crate::http::{AppState, operation};
use superflip_picture::parameters::{ParameterError, ParameterFault, Parameters, Reading};
use superflip_picture::steps::{self, MAX_STEPS};
use superflip_picture::{Picture, Scene, moves, png, svg};
use superflip_solver::tables::format::fingerprint;

fields! {
    /// A picture, in the parameters of `VisualCube`, and perhaps a cube. An empty value of such a parameter counts as absent.
    pub struct Query in Query {
        ..cube: CubeRequest,
        /// Format: `svg` or `png`.
        pub fmt: Option<String>,
        /// Number of layers, 1 to 10 (default: 3).
        #[schema(example = "3")]
        pub pzl: Option<String>,
        /// Width and height in pixels, 0 to 1024 (default: 128).
        #[schema(example = "200")]
        pub size: Option<String>,
        /// `plan` (from above, with the upper layer of each side) or `trans` (transparent).
        #[schema(example = "plan")]
        pub view: Option<String>,
        /// Stage of a solving method, such as `f2l` or `cross-x2`: shows its stickers, and draws the others dark grey.
        #[schema(example = "oll")]
        pub stage: Option<String>,
        /// Rotations in degrees (default: `y45x-34`).
        #[schema(example = "y45x-34")]
        pub r: Option<String>,
        /// Moves to show.
        #[schema(example = "R U R' U'")]
        pub alg: Option<String>,
        /// Moves that solve the cube to show, such as `R U2 R'`; their inverse is applied before `alg`.
        pub case: Option<String>,
        /// Stickers as letters of faces `urfdlb`, or `n` (blank), `o` (oriented), `t` (transparent).
        pub fd: Option<String>,
        /// Stickers as letters of colours, `ndlswyrobgmpt`.
        pub fc: Option<String>,
        /// Colours of the faces U R F D L B: six letters, or six colours separated by commas (default: `yrbwog`; with a cube `wrgyob`).
        #[schema(example = "wrgyob")]
        pub sch: Option<String>,
        /// Background: a letter, a name, 3 or 6 hexadecimal digits, or `t` (default: `white`).
        #[schema(example = "t")]
        pub bg: Option<String>,
        /// Colour of the body (default: `black`).
        #[schema(example = "black")]
        pub cc: Option<String>,
        /// Colour of arrows (default: `grey`).
        #[schema(example = "grey")]
        pub ac: Option<String>,
        /// Opacity of the body in percent (default: 100; with `view=trans` 50).
        #[schema(example = "100")]
        pub co: Option<String>,
        /// Opacity of the stickers in percent (default: 100).
        #[schema(example = "100")]
        pub fo: Option<String>,
        /// Distance of the eye, 1 to 100 (default: 5).
        #[schema(example = "5")]
        pub dist: Option<String>,
        /// Arrows, such as `U0U2,R6R2R0-s8-i5-yellow`.
        #[schema(example = "U0U2")]
        pub arw: Option<String>,
        /// Version of this service, as in `superflip --version`. Browsers then keep the picture for a year; any other value has no effect.
        #[schema(example = "0.1.0")]
        pub v: Option<String>,
    }
}

fields! {
    /// A cube, and moves to show step by step.
    pub struct StepsQuery in Query {
        ..cube: CubeRequest,
        /// Moves to show, at most 30.
        #[schema(example = "R U R' U'")]
        pub solution: String,
        /// Width of each picture in pixels, 16 to 256 (default: 128).
        #[schema(example = "128")]
        pub size: Option<String>,
        /// Colours of the faces U R F D L B, as for GET /image.svg (default: `wrgyob`).
        #[schema(example = "wrgyob")]
        pub sch: Option<String>,
        /// Background, as for GET /image.svg (default: `white`).
        #[schema(example = "t")]
        pub bg: Option<String>,
        /// Colour of the body, as for GET /image.svg (default: `black`).
        #[schema(example = "black")]
        pub cc: Option<String>,
        /// Version of this service, as in `superflip --version`. Browsers then keep the picture for a year; any other value has no effect.
        #[schema(example = "0.1.0")]
        pub v: Option<String>,
    }
}

impl Query {
    /// Returns the parameters of `VisualCube`.
    pub fn parameters(&self) -> Parameters<'_> {
        Parameters {
            pzl: self.pzl.as_deref(),
            size: self.size.as_deref(),
            view: self.view.as_deref(),
            stage: self.stage.as_deref(),
            r: self.r.as_deref(),
            alg: self.alg.as_deref(),
            case: self.case.as_deref(),
            fd: self.fd.as_deref(),
            fc: self.fc.as_deref(),
            sch: self.sch.as_deref(),
            bg: self.bg.as_deref(),
            cc: self.cc.as_deref(),
            ac: self.ac.as_deref(),
            co: self.co.as_deref(),
            fo: self.fo.as_deref(),
            dist: self.dist.as_deref(),
            arw: self.arw.as_deref(),
        }
    }
}

impl StepsQuery {
    /// Returns the parameters of each picture.
    pub fn parameters(&self) -> Parameters<'_> {
        Parameters {
            size: self.size.as_deref(),
            sch: self.sch.as_deref(),
            bg: self.bg.as_deref(),
            cc: self.cc.as_deref(),
            ..Parameters::default()
        }
    }
}

/// Format of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageFormat {
    /// SVG.
    Svg,
    /// PNG.
    Png,
}

impl ImageFormat {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Returns the media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
        }
    }

    /// Reads `fmt` of a query of `VisualCube`.
    ///
    /// # Errors
    /// Returns an error that names the supported formats.
    pub fn read(name: &str) -> Result<Self, Problem> {
        [Self::Svg, Self::Png].into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let detail = format!("`fmt` is `{}`; this server draws `svg` and `png`.", short(name));
            Problem::new(Code::UnsupportedMediaType, detail).in_field("fmt")
        })
    }

    /// Checks that `fmt`, if given, is the format of the path.
    ///
    /// # Errors
    /// Returns an error if it is another one.
    pub fn check(self, fmt: Option<&str>) -> Result<(), Problem> {
        let Some(other) = fmt.filter(|fmt| !fmt.is_empty() && *fmt != self.name()) else { return Ok(()) };
        let detail = format!(
            "`fmt` is `{}`, but the path asks for `{}`; remove `fmt`, or use `/image.svg` or `/image.png`.",
            short(other),
            self.name()
        );
        Err(Problem::new(Code::OptionOutOfRange, detail).in_field("fmt"))
    }
}

/// Least and greatest width of a picture of a step.
const STEP_PIXELS: RangeInclusive<u64> = 16..=256;

/// Creates the picture of a query, of `cube` if one is given.
///
/// # Errors
/// Returns an error for the first parameter that cannot be read or contradicts another.
fn picture(query: &Query, cube: Option<&ReadCube>, reading: Reading) -> Result<Scene, Problem> {
    let parameters = query.parameters();
    let picture = match cube {
        Some(ReadCube { cube, holding, .. }) => parameters.read_cube(cube, holding.unwrap_or_default(), reading),
        None => parameters.read(reading),
    };
    Ok(picture?.scene())
}

/// Draws the moves of a query on a cube, step by step.
///
/// # Errors
/// Returns an error for the first parameter that cannot be read or is out of range.
fn strip_of(query: &StepsQuery, cube: &ReadCube) -> Result<Scene, Problem> {
    let holding = cube.holding.unwrap_or_default();
    let start: Picture = query.parameters().read_cube(&cube.cube, holding, Reading::Strict)?;
    in_range::<u32>("size", start.pixels, STEP_PIXELS, "")?;
    let moves = moves::read(&query.solution, start.size).map_err(|error| {
        let position = error.position;
        Problem::new(Code::Notation, format!("`solution`: {error}."))
            .in_field("solution")
            .with(|document| document.position = Some(position))
    })?;
    if moves.len() > MAX_STEPS {
        let detail = format!("`solution` has {} moves; expected at most {MAX_STEPS}.", moves.len());
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"));
    }
    Ok(steps::scene(&start, &moves))
}

impl From<ParameterError> for Problem {
    fn from(error: ParameterError) -> Self {
        let (code, position) = match error.fault {
            ParameterFault::Syntax => (Code::InvalidField, None),
            ParameterFault::Range | ParameterFault::Conflict => (Code::OptionOutOfRange, None),
            ParameterFault::Moves(position) => (Code::Notation, Some(position)),
        };
        let problem = Self::new(code, format!("{error}.")).in_field(error.parameter);
        problem.with(|document| document.position = position)
    }
}

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

/// Draw a cube as SVG
///
/// Takes the parameters of `VisualCube`, or a cube in any form. An invalid parameter is refused. The response may be cached for a day,
/// and for a year if `v` is the version of this service.
#[contract::path(get, path = "/image.svg", tag = "pictures", operation_id = "image_svg", params(Query),
    responses((status = 200, description = "The picture", content_type = "image/svg+xml", body = String,
        headers(("ETag" = String, description = "Validator of the picture"))),
        (status = 304, description = "The client's copy is current"), Problems))]
pub(crate) async fn get_svg(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<Query>,
) -> Result<Response, Problem> {
    image(&state, &headers, query, ImageFormat::Svg).await
}

/// Draw a cube as PNG
///
/// As GET /image.svg.
#[contract::path(get, path = "/image.png", tag = "pictures", operation_id = "image_png", params(Query),
    responses((status = 200, description = "The picture", content_type = "image/png", body = Vec<u8>,
        headers(("ETag" = String, description = "Validator of the picture"))),
        (status = 304, description = "The client's copy is current"), Problems))]
pub(crate) async fn get_png(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<Query>,
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
        (status = 304, description = "The client's copy is current"), Problems))]
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
        (status = 304, description = "The client's copy is current"), Problems))]
pub(crate) async fn steps_png(
    State(state): State<AppState>,
    headers: HeaderMap,
    QueryString(query): QueryString<StepsQuery>,
) -> Result<Response, Problem> {
    strip(&state, &headers, query, ImageFormat::Png).await
}

async fn image(state: &AppState, headers: &HeaderMap, query: Query, format: ImageFormat) -> Result<Response, Problem> {
    format.check(query.fmt.as_deref())?;
    let version = query.v.clone();
    let scene = scene(state, query, Reading::Strict).await?;
    respond(state, headers, scene, format, version.as_deref()).await
}

/// Projects the picture of a query.
async fn scene(state: &AppState, mut query: Query, reading: Reading) -> Result<Scene, Problem> {
    let request = std::mem::take(&mut query.cube);
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
    let (request, version) = (std::mem::take(&mut query.cube), query.v.clone());
    let scene = state.read(request, move |request| strip_of(&query, &request.read()?)).await?;
    respond(state, headers, scene, format, version.as_deref()).await
}

operation! {
    routes {
        "/image.svg": get get_svg;
        "/image.png": get get_png;
        "/image/steps.svg": get steps_svg;
        "/image/steps.png": get steps_png;
        "/visualcube.php": get visualcube_php;
        "/visualcube.svg": get visualcube_svg;
    }
    links {
        GET "/image.svg?cube=R%20U%20F" "A picture of a cube (also /image.png)";
        GET "/image/steps.svg?cube=R%20U%20F&solution=F'%20U'%20R'" "Pictures of the steps of a solution (also /image/steps.png)";
    }
    problems {
        /// Problems of the pictures.
        Problems: QUERY CUBE [OptionOutOfRange];
        /// Problems of `GET /visualcube.php` and `GET /visualcube.svg`.
        VisualCubeProblems: QUERY CUBE [OptionOutOfRange UnsupportedMediaType];
    }
}

/// The documentation of the parameters, which `VisualCube` shows when `fmt` is absent.
const DOCUMENTATION: &str = "/docs#image";

/// Parameters of a query in their order.
type Given = Result<extract::Query<Vec<(String, String)>>, QueryRejection>;

/// Reads a query as `VisualCube` does: the last of several equal names counts, and unknown names are ignored.
///
/// # Errors
/// Returns an error for a parameter of the cube that cannot be read.
fn of_visualcube(parameters: &[(String, String)]) -> Result<Query, Problem> {
    let last = |name: &&str| parameters.iter().rev().find(|(known, _)| known == name).cloned();
    let known: Vec<(String, String)> = Query::names(Place::Query).iter().filter_map(last).collect();
    parse_query(&known)
}

/// Draw a cube, as `VisualCube` does
///
/// A value that `VisualCube` does not accept means the default; unknown parameters are ignored. Without `fmt`, redirects to the
/// documentation of the parameters.
#[contract::path(get, path = "/visualcube.php", tag = "clients", operation_id = "visualcube_php",
    params(Query),
    responses((status = 200, description = "The picture", content((String = "image/svg+xml"), (Vec<u8> = "image/png"))),
        (status = 302, description = "Without `fmt`: the documentation"),
        (status = 304, description = "The client's copy is current"), VisualCubeProblems))]
pub(crate) async fn visualcube_php(
    State(state): State<AppState>,
    headers: HeaderMap,
    parameters: Given,
) -> Result<Response, Problem> {
    draw_visualcube(&state, &headers, parameters, None).await
}

/// Draw a cube as SVG, as `VisualCube` does
///
/// As GET /visualcube.php, with `fmt=svg` by default.
#[contract::path(get, path = "/visualcube.svg", tag = "clients", operation_id = "visualcube_svg",
    params(Query),
    responses((status = 200, description = "The picture", content((String = "image/svg+xml"), (Vec<u8> = "image/png"))),
        (status = 304, description = "The client's copy is current"), VisualCubeProblems))]
pub(crate) async fn visualcube_svg(
    State(state): State<AppState>,
    headers: HeaderMap,
    parameters: Given,
) -> Result<Response, Problem> {
    draw_visualcube(&state, &headers, parameters, Some(ImageFormat::Svg)).await
}

async fn draw_visualcube(
    state: &AppState,
    headers: &HeaderMap,
    parameters: Given,
    default: Option<ImageFormat>,
) -> Result<Response, Problem> {
    let undecodable = |_| Problem::new(Code::InvalidField, "The query string cannot be decoded; percent-encode it.");
    let extract::Query(parameters) = parameters.map_err(undecodable)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_duplicate_counts_and_unknown_names_are_ignored() {
        let pairs = [("co", "30"), ("nocache", "1"), ("co", "12"), ("fmt", "svg")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let query = of_visualcube(&pairs).unwrap();
        assert_eq!((query.co.as_deref(), query.fmt.as_deref()), (Some("12"), Some("svg")));
    }
}
