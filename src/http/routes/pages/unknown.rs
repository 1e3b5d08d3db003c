//! The responses for unknown paths and methods.

use axum::http::{Method, Uri};

use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use superflip_cube::Face;

/// Answers unknown paths.
pub(crate) async fn not_found(uri: Uri) -> Problem {
    if let Some(problem) = uri.path().strip_prefix("/solve/").and_then(|cube| stickers_in_query(&uri, cube)) {
        return problem;
    }
    let detail = format!("{} does not exist. GET / lists the routes.", short(uri.path()));
    Problem::new(Code::NotFound, detail)
}

/// Answers unsupported methods; axum adds `Allow`.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let detail =
        format!("{method} is not supported at {}. The header `Allow` lists the supported methods.", short(uri.path()));
    Problem::new(Code::MethodNotAllowed, detail)
}

/// Number of stickers of a cube.
const STICKERS: usize = 54;

/// Returns the problem for stickers in a path that a plain `?` cuts short: the rest is in the query.
pub(crate) fn stickers_in_query(uri: &Uri, cube: &str) -> Option<Problem> {
    let query = uri.query()?;
    let given = cube.chars().filter(|symbol| !symbol.is_whitespace()).count();
    let is_sticker = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '?';
    let continues = given < STICKERS && query.chars().all(is_sticker);
    let is_whole = given + 1 + query.len() >= STICKERS / 2;
    let detail = format!(
        "The path has only {given} stickers, because a plain `?` begins the query. Write an unknown sticker in a path as `%3F`."
    );
    (continues && is_whole).then(|| Problem::new(Code::InvalidPath, detail))
}

/// Returns whether a segment of a path is meant as a cube: 53 to 55 face letters in any case.
pub(crate) fn is_meant_as_cube(segment: &str) -> bool {
    (STICKERS - 1..=STICKERS + 1).contains(&segment.len())
        && segment.chars().all(|letter| Face::from_letter(letter.to_ascii_uppercase()).is_some())
}
