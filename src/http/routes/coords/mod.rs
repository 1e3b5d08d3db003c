//! `/coords`: the coordinates of a cube, and the catalogue.

pub mod raw;
pub mod spaces;

use axum::extract::State;

use self::spaces::space_of;
use crate::api::problem::{Code, Problem};
use crate::api::request::coords::split_names;
use crate::api::types::{Catalogue, CoordsAnswer, CoordsQuery, CoordsRequest, CoordsResponse, CubeRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;

/// Maximum number of coordinates in a request.
const MAX_NAMES: usize = 32;

/// Get the coordinates of a cube
///
/// Returns every named coordinate, or the coordinates in `names`. Without `names`, `directions` has the coordinates of the two-phase search along each axis,
/// of the cube and of its inverse: raw values, class, symmetry, representative and pruning distances. Values that are defined only in
/// phase 2 are null elsewhere, with the reason. `index_cube` has the permutation matrices and orientations of the `IndexCube` paper; it is
/// present without `names`, and if one of them is or contains an `index_cube` coordinate.
#[contract::path(post, path = "/coords", tag = "coordinates", operation_id = "coords",
    request_body(content = CoordsRequest, examples(
        ("scramble" = (summary = "One move", value = json!({"scramble": "F"}))),
        ("facelets" = (summary = "The superflip",
            value = json!({"facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"}))),
        ("names" = (summary = "Some coordinates, one of them composed",
            value = json!({"scramble": "F", "names": ["twist", "flip_slice_class", "comp(twist,slice)"]})))
    )),
    responses((status = 200, description = "The coordinates", body = CoordsResponse), contract::CoordsBodyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(mut request): JsonBody<CoordsRequest>,
) -> Result<Json<CoordsResponse>, Problem> {
    coords(&state, request.take_cube(), request.names).await.map(Json)
}

/// Get the coordinates of a cube, or the catalogue
///
/// With a cube: its coordinates, as POST /coords. Without one: all named coordinates, and ways to compose others.
#[contract::path(get, path = "/coords", tag = "coordinates", operation_id = "coords_query", params(CoordsQuery),
    responses((status = 200, description = "As POST /coords, or the catalogue", body = CoordsAnswer), contract::CoordsQueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(mut query): QueryString<CoordsQuery>,
) -> Result<Json<CoordsAnswer>, Problem> {
    let request = query.take_cube();
    if query.names.is_none() && request.has_no_cube() {
        return Ok(Json(CoordsAnswer::Catalogue(Box::new(Catalogue::new(state.spaces.limits())))));
    }
    let names = query.names.map(|names| split_names(&names));
    let answer = coords(&state, request, names).await?;
    Ok(Json(CoordsAnswer::Cube(Box::new(answer))))
}

async fn coords(state: &AppState, request: CubeRequest, names: Option<Vec<String>>) -> Result<CoordsResponse, Problem> {
    let count = names.as_ref().map_or(1, Vec::len);
    if !(1..=MAX_NAMES).contains(&count) {
        let detail = format!("`names` has {count} entries; it must have from 1 to {MAX_NAMES}.");
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("names"));
    }
    let cube = state.read(request, CubeRequest::cube).await?;
    let tables = state.tables_for_work()?;
    match names {
        // Do not use the queue: a few table look-ups take microseconds.
        None => Ok(CoordsResponse::of_all(&cube, &tables)),
        Some(names) => CoordsResponse::of_names(&names, &cube, &tables, |plan| space_of(state, plan)).await,
    }
}
