//! `/convert` and `/repair`: cubes from any form to the others, and the legal cubes nearest to stickers that contain errors.

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::convert;
use crate::api::request::coords::split_names;
use crate::api::request::repair::RepairTask;
use crate::api::types::{
    Conversion, ConvertQuery, ConvertRequest, CubeRequest, RepairAnswer, RepairQuery, RepairRequest,
};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::{AppState, contract};

/// Convert a cube
///
/// Reads a cube in any form, and writes it in every form or in those in `to`. Each form is canonical: equal cubes give equal texts.
/// `links` are present if the cube is given as moves or as a link.
#[contract::path(post, path = "/convert", tag = "cubes", operation_id = "convert",
    request_body(content = ConvertRequest, examples(
        ("nissy" = (summary = "Nissy's letters to three other forms",
            value = json!({"cube": "GETVSBAH=ZFCXBAGLYTKE=A", "to": ["facelets", "reid", "cubies"]}))),
        ("scramble" = (summary = "A scramble to every form, and links", value = json!({"cube": "R U F"})))
    )),
    responses((status = 200, description = "The cube in each form", body = Conversion), contract::ConvertBodyProblems))]
pub(crate) async fn convert(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(mut request): JsonBody<ConvertRequest>,
) -> Result<Json<Conversion>, Problem> {
    convert_answer(&state, request.take_cube(), request.to, request.holding).await
}

/// Convert a cube, as a query
#[contract::path(get, path = "/convert", tag = "cubes", operation_id = "convert_query", params(ConvertQuery),
    responses((status = 200, description = "As POST /convert", body = Conversion), contract::ConvertQueryProblems))]
pub(crate) async fn convert_query(
    State(state): State<AppState>,
    QueryString(mut query): QueryString<ConvertQuery>,
) -> Result<Json<Conversion>, Problem> {
    let request = query.take_cube();
    let to = query.to.map(|names| split_names(&names));
    convert_answer(&state, request, to, query.holding).await
}

async fn convert_answer(
    state: &AppState,
    request: CubeRequest,
    to: Option<Vec<String>>,
    holding: Option<String>,
) -> Result<Json<Conversion>, Problem> {
    state.read(request, move |request| convert::convert(request, to.as_deref(), holding.as_deref())).await.map(Json)
}

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
pub(crate) async fn repair(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(mut request): JsonBody<RepairRequest>,
) -> Result<Json<RepairAnswer>, Problem> {
    repair_answer(&state, request.take_cube(), request.limit).await
}

/// Repair a scan, as a query
#[contract::path(get, path = "/repair", tag = "cubes", operation_id = "repair_query", params(RepairQuery),
    responses((status = 200, description = "As POST /repair", body = RepairAnswer), contract::ConvertQueryProblems))]
pub(crate) async fn repair_query(
    State(state): State<AppState>,
    QueryString(mut query): QueryString<RepairQuery>,
) -> Result<Json<RepairAnswer>, Problem> {
    repair_answer(&state, query.take_cube(), query.limit).await
}

async fn repair_answer(
    state: &AppState,
    request: CubeRequest,
    limit: Option<u32>,
) -> Result<Json<RepairAnswer>, Problem> {
    let task = RepairTask::new(request, limit)?;
    state.work(move || task.run()).await.map(Json)
}
