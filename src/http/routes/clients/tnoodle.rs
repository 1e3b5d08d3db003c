//! `/api/v0`: scrambles and their pictures as `TNoodle` serves them.

use std::collections::BTreeMap;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::request::clients::tnoodle::{PUZZLES, query, raw, view};
use crate::api::request::image::query::ImageFormat;
use crate::api::request::scramble::checked;
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::PathParts;
use crate::http::json::Json;
use crate::http::routes::image::respond;
use crate::http::routes::pages::unknown::not_found;
use crate::http::routes::scramble::scrambles;

/// Parameters of a query in their order; a query that cannot be decoded has none.
type Parameters = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// List the puzzles, as `TNoodle` does
#[contract::path(get, path = "/api/v0/puzzles", tag = "clients", operation_id = "tnoodle_puzzles",
    responses((status = 200, description = "The puzzles with scrambles", body = Vec<BTreeMap<String, String>>,
        example = json!([{"shortName": "333", "longName": "3x3x3"}])), contract::CommonProblems))]
pub(crate) async fn puzzles() -> Json<Vec<BTreeMap<&'static str, &'static str>>> {
    Json(PUZZLES.map(|(kind, name)| BTreeMap::from([("shortName", kind.name()), ("longName", name)])).to_vec())
}

/// Generate scrambles, as `TNoodle` does
///
/// Returns a list of strings. For an unknown puzzle, and for more than 100 scrambles, returns a text, also with status 200.
#[contract::path(get, path = "/api/v0/scramble/{key}", tag = "clients", operation_id = "tnoodle_scramble",
    params(("key" = String, Path, description = "`333`, `333fm` or `333ni`", example = "333"),
        ("numScrambles" = Option<String>, Query, description = "Number of scrambles, 0 to 100 (default: 1, also if it is no integer)",
            example = "5")),
    responses((status = 200, description = "The scrambles, or the text of a refusal", content(
        (Vec<String> = "application/json"), (String = "text/plain"))), contract::TnoodleProblems))]
pub(crate) async fn list(
    State(state): State<AppState>,
    PathParts(key): PathParts<String>,
    parameters: Parameters,
) -> Result<Response, Problem> {
    Ok(match generated(&state, &key, &pairs(parameters)).await? {
        Ok(scrambles) => Json(scrambles).into_response(),
        Err(refusal) => refusal.into_response(),
    })
}

/// Generate scrambles as text, as `TNoodle` does
///
/// Returns one scramble on each line. The lines are separated by CR LF. With the parameter `enumerate` they are numbered.
#[contract::path(get, path = "/api/v0/scramble/{key}/raw", tag = "clients", operation_id = "tnoodle_scramble_raw",
    params(("key" = String, Path, description = "`333`, `333fm` or `333ni`", example = "333"),
        ("numScrambles" = Option<String>, Query, description = "Number of scrambles, 0 to 100 (default: 1, also if it is no integer)",
            example = "5"),
        ("enumerate" = Option<String>, Query, description = "Number the lines; any value, or none")),
    responses((status = 200, description = "The scrambles, or the text of a refusal", content_type = "text/plain", body = String),
        contract::TnoodleProblems))]
pub(crate) async fn lines(
    State(state): State<AppState>,
    PathParts(key): PathParts<String>,
    parameters: Parameters,
) -> Result<String, Problem> {
    let parameters = pairs(parameters);
    Ok(match generated(&state, &key, &parameters).await? {
        Ok(scrambles) => raw(&scrambles, &parameters),
        Err(refusal) => refusal,
    })
}

/// Draw a scramble, as `TNoodle` does
///
/// Draws the net of the scrambled cube, 130 pixels wide and 98 high. For an unknown puzzle or scramble, returns a text, also with status
/// 200. A scheme that cannot be read means the default.
#[contract::path(get, path = "/api/v0/view/{key}/{format}", tag = "clients", operation_id = "tnoodle_view",
    params(("key" = String, Path, description = "`333`, `333fm` or `333ni`", example = "333"),
        ("format" = String, Path, description = "`svg` or `png`", example = "svg"),
        ("scramble" = Option<String>, Query, description = "Moves in WCA notation", example = "R U F"),
        ("scheme" = Option<String>, Query, description = "Six colours in hexadecimal digits, separated by commas, of the faces B D F L R U",
            example = "0000ff,ffff00,00ff00,ff8000,ff0000,ffffff")),
    responses((status = 200, description = "The net, or the text of a refusal", content((String = "image/svg+xml"),
        (Vec<u8> = "image/png"), (String = "text/plain"))), (status = 304, description = "The client's copy is current"),
        contract::TnoodleViewProblems))]
pub(crate) async fn net(
    State(state): State<AppState>,
    headers: HeaderMap,
    PathParts((key, format)): PathParts<(String, String)>,
    parameters: Parameters,
    uri: Uri,
) -> Result<Response, Problem> {
    let Ok(format) = ImageFormat::read(&format) else { return Err(not_found(uri).await) };
    let parameters = pairs(parameters);
    let version = parameters.iter().find(|(name, _)| name == "v").map(|(_, value)| value.as_str());
    match view(&key, &parameters) {
        Ok(scene) => respond(&state, &headers, scene, format, version).await,
        Err(refusal) => Ok(refusal.into_response()),
    }
}

fn pairs(parameters: Parameters) -> Vec<(String, String)> {
    parameters.map(|Query(pairs)| pairs).unwrap_or_default()
}

/// Returns the scrambles, or the text of a refusal.
async fn generated(
    state: &AppState,
    key: &str,
    parameters: &[(String, String)],
) -> Result<Result<Vec<String>, String>, Problem> {
    let wanted = match query(key, parameters) {
        Ok(Some(wanted)) => wanted,
        Ok(None) => return Ok(Ok(Vec::new())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let found = scrambles(state, checked(wanted)?).await?;
    Ok(Ok(found.scrambles.into_iter().map(|scramble| scramble.text).collect()))
}
