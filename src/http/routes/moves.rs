//! `/moves`: the moves as four arrays, and the check of given arrays.

use crate::api::problem::{Code, Problem};
use crate::api::types::{MoveCheckRequest, MoveCheckResponse, MoveResponse, MovesResponse};
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, PathParts};
use crate::http::json::Json;
use superflip_coords::four_arrays::Convention;
use superflip_coords::move_check::{self, Given, Matches};
use superflip_cube::forms::shown;
use superflip_cube::{Move, Moves};

/// List the 18 moves
///
/// In the order of their indices.
#[contract::path(get, path = "/moves", tag = "moves", operation_id = "moves",
    responses((status = 200, description = "The moves", body = MovesResponse), contract::ListProblems))]
pub(crate) async fn list(_: NoQuery) -> Json<MovesResponse> {
    Json(MovesResponse { moves: Move::ALL.into_iter().map(Into::into).collect() })
}

/// Get a move as four arrays
///
/// `corner_perm`, `corner_orient_delta`, `edge_perm` and `edge_orient_delta` in both conventions, with the cycles in which the
/// pieces move.
#[contract::path(get, path = "/moves/{move}", tag = "moves", operation_id = "move",
    params(("move" = String, Path, description = "A face move in any notation that scrambles accept (`F`, `F2`, `F'`, `F3`), \
        or its index, 0 to 17", example = "F'")),
    responses((status = 200, description = "The move", body = MoveResponse,
        example = json!(MoveResponse::from(Move::F))), contract::MoveProblems))]
pub(crate) async fn get(PathParts(name): PathParts<String>, _: NoQuery) -> Result<Json<MoveResponse>, Problem> {
    let mv = move_of(&name).ok_or_else(|| Problem::new(Code::UnknownMove, no_such_move(&name)))?;
    Ok(Json(mv.into()))
}

/// Finds a face move by its name in any notation, or by its index.
fn move_of(name: &str) -> Option<Move> {
    name.parse().ok().or_else(|| name.parse().ok().and_then(Move::try_from_index))
}

/// Check four arrays
///
/// Compares four arrays with the face moves. Errors in the arrays are findings in a response with status 200; only a body that is not
/// four arrays of integers is refused. Without `convention` both conventions are tried. Without `move` the arrays may describe any of the
/// 18 moves; the nearest one is returned as `reference`. Arrays of a face move in one convention describe its inverse in the other,
/// so the response states the intended convention only if `move` is given.
#[contract::path(post, path = "/moves/check", tag = "moves", operation_id = "move_check",
    request_body(content = MoveCheckRequest, examples(
        ("wrong" = (summary = "F as printed in a tutorial: corners turn the wrong way, edges are two swaps", value = json!({
            "convention": "goes_to", "move": "F",
            "corner_perm": [1, 5, 2, 3, 0, 4, 6, 7], "corner_orient_delta": [1, 2, 0, 0, 2, 1, 0, 0],
            "edge_perm": [0, 9, 2, 3, 4, 8, 6, 7, 5, 1, 10, 11],
            "edge_orient_delta": [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]}))),
        ("right" = (summary = "F in Kociemba's arrays", value = json!({
            "move": "F",
            "corner_perm": [1, 5, 2, 3, 0, 4, 6, 7], "corner_orient_delta": [1, 2, 0, 0, 2, 1, 0, 0],
            "edge_perm": [0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11],
            "edge_orient_delta": [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]})))
    )),
    responses((status = 200, description = "The findings", body = MoveCheckResponse, example = json!(documented())),
        contract::MoveCheckProblems))]
pub(crate) async fn check(
    _: NoQuery,
    JsonBody(request): JsonBody<MoveCheckRequest>,
) -> Result<Json<MoveCheckResponse>, Problem> {
    if let Some((name, _)) = request.arrays().into_iter().find(|(_, array)| array.is_empty()) {
        let detail = format!("`{name}` is empty; give 8 entries for corners, or 12 for edges.");
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(name));
    }
    let named = request.r#move.as_deref().map(named).transpose()?;
    Ok(Json(verdict(&request.given(), request.convention, named)))
}

fn verdict(given: &Given<'_>, convention: Option<Convention>, named: Option<Move>) -> MoveCheckResponse {
    let conventions = convention.map_or_else(|| Convention::ALL.to_vec(), |convention| vec![convention]);
    let reports: Vec<_> =
        conventions.into_iter().map(|convention| move_check::check(given, convention, named)).collect();
    MoveCheckResponse {
        valid_in: reports.iter().filter(|report| report.valid).map(|report| report.convention).collect(),
        matches: Convention::ALL.map(|convention| Matches::new(given, convention).into()).to_vec(),
        reports: reports.into_iter().map(Into::into).collect(),
    }
}

/// The response to the first documented request, computed as for a real one.
#[cfg(feature = "contract")]
fn documented() -> MoveCheckResponse {
    let given = Given {
        corner_perm: &[1, 5, 2, 3, 0, 4, 6, 7],
        corner_orient_delta: &[1, 2, 0, 0, 2, 1, 0, 0],
        edge_perm: &[0, 9, 2, 3, 4, 8, 6, 7, 5, 1, 10, 11],
        edge_orient_delta: &[0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    };
    verdict(&given, Some(Convention::GoesTo), Some(Move::F))
}

/// Parses the move of a request body.
fn named(name: &str) -> Result<Move, Problem> {
    move_of(name)
        .ok_or_else(|| Problem::new(Code::OptionOutOfRange, format!("`move`: {}", no_such_move(name))).in_field("move"))
}

fn no_such_move(name: &str) -> String {
    // Quote at most 24 characters, so that the message stays short.
    let quoted: String = name.chars().take(24).map(shown).collect();
    format!("`{quoted}` is not a face move. Expected one of {}, or an index from 0 to 17.", Moves::from(&Move::ALL))
}
