//! Requests as `TNoodle` reads them (`ScrambleHandler.kt`, `PuzzleListHandler.kt`, `ScrambleViewHandler.kt`).
//!
//! Unknown parameters are ignored, and a refusal is a text with status 200.

use superflip_picture::stickers::solved;
use superflip_picture::{Scene, moves, net};

use crate::api::types::ScrambleQuery;
use superflip_solver::search::scramble::{MAX_SCRAMBLES, ScrambleKind};

/// Puzzles of this server that `TNoodle` has, with its descriptions.
pub const PUZZLES: [(ScrambleKind, &str); 3] = [
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
pub fn query(key: &str, parameters: &[(String, String)]) -> Result<Option<ScrambleQuery>, String> {
    check_key(key, "has scrambles of", || format!("{key} is not a valid TNoodle puzzle!"))?;
    let given = parameters.iter().find(|(name, _)| name == "numScrambles");
    let count: i32 = given.and_then(|(_, number)| number.parse().ok()).unwrap_or(1);
    match u32::try_from(count) {
        Ok(0) => Ok(None),
        Ok(count) if count as usize <= MAX_SCRAMBLES => {
            Ok(Some(ScrambleQuery { kind: Some(key.to_owned()), count: Some(count), ..ScrambleQuery::default() }))
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
pub fn view(key: &str, parameters: &[(String, String)]) -> Result<Scene, String> {
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
pub fn raw(scrambles: &[String], parameters: &[(String, String)]) -> String {
    let is_numbered = parameters.iter().any(|(name, _)| name == "enumerate");
    let line = |(at, scramble): (usize, &String)| {
        if is_numbered { format!("{}. {scramble}", at + 1) } else { scramble.clone() }
    };
    scrambles.iter().enumerate().map(line).collect::<Vec<_>>().join("\r\n")
}
