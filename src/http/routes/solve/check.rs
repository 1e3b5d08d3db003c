//! `/check-solution`: checks a written solution of fewest moves.

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::judge::{check, check_size};
use crate::api::types::{SolutionCheckBody, SolutionCheckRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::json::Json;

/// Check a written solution
///
/// Checks a solution of the event 3x3x3 Fewest Moves by the WCA regulations of January 2024. The response says whether it solves the cube in
/// any holding, its length in the outer block turn metric, and the rules that it breaks. Only face moves, outer block moves and rotations
/// in the notation of regulation 12a are allowed. A solution that breaks a rule gets status 200, with `valid` false and the place of each
/// fault. A cube that cannot be read is an error.
#[contract::path(post, path = "/check-solution", tag = "solve", operation_id = "check_solution",
    request_body(content = SolutionCheckRequest, examples(
        ("valid" = (summary = "Three moves after a rotation", value = json!({"scramble": "R U F", "solution": "x U' B' R'"}))),
        ("notation" = (summary = "A half turn with an apostrophe", value = json!({"scramble": "R2 U F", "solution": "F' U' R2'"})))
    )),
    responses((status = 200, description = "The result of the check", body = SolutionCheckBody,
        example = json!({"valid": false, "solves": true, "length": null, "executed": null, "broken_rules": [
            {"rule": "half_turn_apostrophe", "regulation": "E2c4", "symbols": "R2'", "character": 7,
                "message": "`R2'`: a half turn has no apostrophe. Write `R2`."}],
            "facelets": "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", "inverse_scramble_moves": 3})),
        contract::ConvertBodyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(mut request): JsonBody<SolutionCheckRequest>,
) -> Result<Json<SolutionCheckBody>, Problem> {
    check_size(&request.solution)?;
    let cube = request.take_cube();
    state.read(cube, move |cube| check(cube, &request.solution)).await.map(Json)
}
