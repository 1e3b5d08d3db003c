//! `/api/v0`: scrambles and their pictures as `TNoodle` serves them (`ScrambleHandler.kt`, `PuzzleListHandler.kt`,
//! `ScrambleViewHandler.kt`).
//!
//! Unknown parameters are ignored, and a refusal is a text with status 200.

use std::collections::BTreeMap;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};

use crate::api::problem::Problem;
use crate::contract;
use crate::http::extract::PathParts;
use crate::http::json::Json;
use crate::http::routes::pages::not_found;
use crate::http::{AppState, operation};
use crate::operations::image::{ImageFormat, respond};
use crate::operations::scramble::{self, checked, scrambles};
use superflip_picture::stickers::solved;
use superflip_picture::{Scene, moves, net};
use superflip_solver::search::scramble::{MAX_SCRAMBLES, ScrambleKind};

/// Puzzles of this server that `TNoodle` has, with its descriptions.
const PUZZLES: [(ScrambleKind, &str); 3] = [
    (ScrambleKind::Normal, "3x3x3"),
    (ScrambleKind::FewestMoves, "3x3x3 Fewest Moves"),
    (ScrambleKind::NoInspection, "3x3x3 no inspection"),
];

/// Keys of the other puzzles of `TNoodle`.
const OTHERS: [&str; 12] =
    ["222", "444", "444ni", "555", "555ni", "666", "777", "clock", "minx", "pyram", "skewb", "sq1"];

/// Refuses a puzzle that this server does not have. `verb` is what the server does with the others; `unknown` is the text for a puzzle
/// that `TNoodle` does not have either.
fn check_key(key: &str, verb: &str, unknown: impl FnOnce() -> String) -> Result<(), String> {
    let keys = PUZZLES.map(|(kind, _)| kind.name());
    if keys.contains(&key) {
        Ok(())
    } else if OTHERS.contains(&key) {
        Err(format!("{key} is not available: this server {verb} the 3x3x3 only ({}).", keys.join(", ")))
    } else {
        Err(unknown())
    }
}

/// Returns the scrambles to generate, or `None` for none at all.
///
/// # Errors
/// Returns the text of the refusal: for an unknown puzzle that of `TNoodle`, otherwise what this server does not do.
fn wanted(key: &str, parameters: &[(String, String)]) -> Result<Option<scramble::Query>, String> {
    check_key(key, "has scrambles of", || format!("{key} is not a valid TNoodle puzzle!"))?;
    let given = parameters.iter().find(|(name, _)| name == "numScrambles");
    let count: i32 = given.and_then(|(_, number)| number.parse().ok()).unwrap_or(1);
    match u32::try_from(count) {
        Ok(0) => Ok(None),
        Ok(count) if count as usize <= MAX_SCRAMBLES => {
            Ok(Some(scramble::Query { kind: Some(key.to_owned()), count: Some(count), ..scramble::Query::default() }))
        }
        _ => {
            Err(format!("numScrambles is {count}; this server generates 0 to {MAX_SCRAMBLES} scrambles for a request."))
        }
    }
}

/// Returns the net of a scrambled cube. A scheme that cannot be read means the default, as in `TNoodle`.
///
/// # Errors
/// Returns the text of the refusal: for an unknown puzzle that of `TNoodle`, otherwise what this server does not do.
fn view(key: &str, parameters: &[(String, String)]) -> Result<Scene, String> {
    check_key(key, "draws", || format!("Invalid scrambler: {key}"))?;
    let given = |name: &str| parameters.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str());
    let moves = moves::read(given("scramble"), 3).map_err(|error| format!("Invalid scramble: {error}."))?;
    let mut stickers = solved(3);
    moves::apply(&mut stickers, &moves, 3);
    let scheme = net::scheme(given("scheme")).unwrap_or(net::SCHEME);
    let paints: Vec<_> = stickers.into_iter().map(|sticker| sticker.paint(&scheme)).collect();
    Ok(net::scene(&paints))
}

/// Returns the scrambles as text: lines that end with CR LF but for the last, numbered if the parameter `enumerate` is present.
fn raw(scrambles: &[String], parameters: &[(String, String)]) -> String {
    let is_numbered = parameters.iter().any(|(name, _)| name == "enumerate");
    let line = |(at, scramble): (usize, &String)| {
        if is_numbered { format!("{}. {scramble}", at + 1) } else { scramble.clone() }
    };
    scrambles.iter().enumerate().map(line).collect::<Vec<_>>().join("\r\n")
}

/// Parameters of a query in their order; a query that cannot be decoded has none.
type Parameters = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// List the puzzles, as `TNoodle` does
#[contract::path(get, path = "/api/v0/puzzles", tag = "clients", operation_id = "tnoodle_puzzles",
    responses((status = 200, description = "The puzzles with scrambles", body = Vec<BTreeMap<String, String>>,
        example = json!([{"shortName": "333", "longName": "3x3x3"}])), PuzzlesProblems))]
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
        (Vec<String> = "application/json"), (String = "text/plain"))), Problems))]
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
        Problems))]
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
        ViewProblems))]
pub(crate) async fn picture(
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
    let wanted = match wanted(key, parameters) {
        Ok(Some(wanted)) => wanted,
        Ok(None) => return Ok(Ok(Vec::new())),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let found = scrambles(state, checked(wanted)?).await?;
    Ok(Ok(found.scrambles.into_iter().map(|scramble| scramble.text).collect()))
}

operation! {
    routes {
        "/api/v0/puzzles": get puzzles;
        "/api/v0/scramble/{key}": get list;
        "/api/v0/scramble/{key}/raw": get lines;
        "/api/v0/view/{key}/{format}": get picture;
    }
    links {}
    problems {
        /// Problems of `GET /api/v0/puzzles`.
        PuzzlesProblems: [];
        /// Problems of `GET /api/v0/scramble/{key}` and its text.
        Problems: SEARCH TABLES [InvalidPath];
        /// Problems of `GET /api/v0/view/{key}/{format}`.
        ViewProblems: [InvalidPath NotFound Overloaded DeadlineUnreachable ShuttingDown];
    }
}
