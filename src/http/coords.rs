//! `/coords`: the numbers that the two-phase search sees.

use axum::Json;
use axum::extract::State;

use super::AppState;
use super::cube::Forms;
use super::dto::{CoordsQuery, CoordsRequest, CoordsResponse, DirectionBody};
use super::error::Problem;
use super::extract::{JsonBody, QueryString};
use super::openapi::{CoordsBodyProblems, CoordsQueryProblems};
use crate::cube::input::to_facelets;

/// The two-phase coordinates of a cube
///
/// For each of the three axes, and for the inverse cube: raw values, class, symmetry, representative, pruning distances. What
/// holds only in phase 2 is null elsewhere, with the reason.
#[utoipa::path(post, path = "/coords", tag = "coordinates", operation_id = "coords",
    request_body(content = CoordsRequest, examples(
        ("scramble" = (summary = "One turn", value = json!({"scramble": "F"}))),
        ("facelets" = (summary = "The superflip",
            value = json!({"facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"})))
    )),
    responses((status = 200, description = "The coordinates", body = CoordsResponse), CoordsBodyProblems))]
pub(super) async fn post(
    State(state): State<AppState>,
    JsonBody(request): JsonBody<CoordsRequest>,
) -> Result<Json<CoordsResponse>, Problem> {
    let CoordsRequest { facelets, scramble, cubies } = request;
    coords(&state, Forms { facelets, scramble, cubies })
}

/// The two-phase coordinates of a cube, from a browser
#[utoipa::path(get, path = "/coords", tag = "coordinates", operation_id = "coords_query", params(CoordsQuery),
    responses((status = 200, description = "As POST /coords", body = CoordsResponse), CoordsQueryProblems))]
pub(super) async fn get(
    State(state): State<AppState>,
    QueryString(query): QueryString<CoordsQuery>,
) -> Result<Json<CoordsResponse>, Problem> {
    coords(&state, Forms { facelets: query.facelets, scramble: query.scramble, cubies: None })
}

fn coords(state: &AppState, forms: Forms) -> Result<Json<CoordsResponse>, Problem> {
    let cube = forms.cube()?;
    // A few dozen reads of mapped tables, microseconds in all: not worth a place in the queue of the searches.
    let directions = state.tables_for_work()?.inspect(&cube).iter().map(DirectionBody::from).collect();
    Ok(Json(CoordsResponse { facelets: to_facelets(&cube), directions }))
}
