//! `/convert`: a cube from any form to the others.

use axum::extract::State;

use crate::api::problem::Problem;
use crate::api::request::convert::convert;
use crate::api::request::coords::split_names;
use crate::api::types::{Conversion, ConvertQuery, ConvertRequest, SolveRequest};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;

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
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(mut request): JsonBody<ConvertRequest>,
) -> Result<Json<Conversion>, Problem> {
    answer(&state, request.take_solve(), request.to, request.holding).await
}

/// Convert a cube, as a query
#[contract::path(get, path = "/convert", tag = "cubes", operation_id = "convert_query", params(ConvertQuery),
    responses((status = 200, description = "As POST /convert", body = Conversion), contract::ConvertQueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(mut query): QueryString<ConvertQuery>,
) -> Result<Json<Conversion>, Problem> {
    let request = query.take_solve();
    let to = query.to.map(|names| split_names(&names));
    answer(&state, request, to, query.holding).await
}

async fn answer(
    state: &AppState,
    request: SolveRequest,
    to: Option<Vec<String>>,
    holding: Option<String>,
) -> Result<Json<Conversion>, Problem> {
    state.read(request, move |request| convert(request, to.as_deref(), holding.as_deref())).await.map(Json)
}
