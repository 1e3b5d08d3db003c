//! `/repair`: the legal cubes nearest to stickers that contain errors.

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::repair::RepairTask;
use crate::api::types::{RepairAnswer, RepairQuery, RepairRequest, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;

/// Repair a scan
///
/// Returns the legal cubes that differ from the stickers in the fewest places. Stickers that are `?` may have any colour. Centres are never
/// changed, because they define the colours. The result is exact: `distance` is the least possible number of changes, and `total` counts
/// all cubes at this distance. If the pieces exist and only their assembly is impossible, `physical` lists what to twist, flip or exchange.
/// With `colors`, the cube is the most likely legal one, and `scan` shows how certain it is.
#[contract::path(post, path = "/repair", tag = "cubes", operation_id = "repair",
    request_body(content = RepairRequest, examples(
        ("misread" = (summary = "One sticker misread, one unknown", value = json!(
            {"facelets": "UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBB?R", "limit": 3}))),
        ("flipped" = (summary = "One edge flipped", value = json!(
            {"facelets": "UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", "limit": 1})))
    )),
    responses((status = 200, description = "The nearest legal cubes", body = RepairAnswer), contract::RepairProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(mut request): JsonBody<RepairRequest>,
) -> Result<Json<RepairAnswer>, Problem> {
    answer(&state, request.take_solve(), request.limit).await
}

/// Repair a scan, as a query
#[contract::path(get, path = "/repair", tag = "cubes", operation_id = "repair_query", params(RepairQuery),
    responses((status = 200, description = "As POST /repair", body = RepairAnswer), contract::ConvertQueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(mut query): QueryString<RepairQuery>,
) -> Result<Json<RepairAnswer>, Problem> {
    answer(&state, query.take_solve(), query.limit).await
}

async fn answer(state: &AppState, request: SolveRequest, limit: Option<u32>) -> Result<Json<RepairAnswer>, Problem> {
    let task = RepairTask::new(request, limit)?;
    state.work(move || task.run()).await.map(Json)
}
