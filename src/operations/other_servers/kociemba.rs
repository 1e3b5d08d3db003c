//! `/{facelets}`: solves the cube in the path as Kociemba's server does (RubiksCube-TwophaseSolver).
//!
//! The path is the cube. The answer is a page with moves such as `U1 R3` and their number, or with a message. The status is 200 in
//! either case. Published in `sockets.py`, `face.py` and `cubie.py` of that program.

use axum::extract::State;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::api::problem::Problem;
use crate::api::request::options::Task;
use crate::api::types::{CubeRequest, Cubies, SolveRequest};
use crate::contract;
use crate::http::extract::PathParts;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::routes::pages::{is_meant_as_cube, method_not_allowed, not_found};
use crate::http::{AppState, operation};
use superflip_cube::{Corner, Cube, Edge, Face, FormError, Move, PieceKind};

/// Number of facelets of a cube.
const FACELETS: usize = 54;

/// Entry of an array for a slot that shows no piece.
const UNDEFINED: u32 = u32::MAX;

/// Length at which the server stops its search.
const TARGET_LENGTH: u32 = 20;

/// Time limit of the server in milliseconds.
const TIME_LIMIT_MS: u64 = 3000;

/// Reads a cube by the letters of its pieces. The centres do not count, except for the number of facelets of each colour. The server may
/// read a slot without a piece as another piece; here it is always undefined.
///
/// # Errors
/// Returns the message of the server for the first of its checks that fails.
fn read(letters: &str) -> Result<Cube, String> {
    let letters = letters.to_ascii_uppercase();
    let wrong = |fault: &str| Err(format!("Error: Cube definition string {letters} {fault}"));
    let faces: Vec<Face> = letters.chars().filter_map(Face::from_letter).collect();
    if faces.len() < FACELETS {
        return wrong("contains less than 54 facelets.");
    }
    if faces.len() > FACELETS {
        return wrong("contains more than 54 facelets.");
    }
    if Face::ALL.iter().any(|face| faces.iter().filter(|other| *other == face).count() != 9) {
        return wrong("does not contain exactly 9 facelets of each color.");
    }
    let (cp, co) = pieces(&Corner::ALL, &faces);
    let (ep, eo) = pieces(&Edge::ALL, &faces);
    Cube::from_cubies(&cp, &co, &ep, &eo).map_err(|error| message(&error).to_owned())
}

/// Returns the piece and the orientation of each slot.
fn pieces<P: PieceKind>(slots: &[P], faces: &[Face]) -> (Vec<u32>, Vec<u32>) {
    let piece = |slot: &P| match slot.piece_in(|facelet| Some(faces[facelet])) {
        Some((piece, turned)) => (u32::try_from(piece.index()).unwrap_or(UNDEFINED), u32::from(turned)),
        None => (UNDEFINED, 0),
    };
    slots.iter().map(piece).unzip()
}

/// Returns the message for the first check that fails. The checks have the numbers 2 to 6, in their order.
fn message(error: &FormError) -> &'static str {
    let FormError::Impossible { violations, .. } = error else { return "Error: Some edges are undefined." };
    match violations.iter().filter_map(|violation| violation.kociemba).min() {
        Some(3) => "Error: Total edge flip is wrong.",
        Some(4) => "Error: Some corners are undefined.",
        Some(5) => "Error: Total corner twist is wrong.",
        Some(6) => "Error: Wrong edge and corner parity",
        _ => "Error: Some edges are undefined.",
    }
}

/// Writes moves with their number, such as `U1 R3 (2f)`.
fn answer(moves: &[Move]) -> String {
    let mut words: Vec<String> = moves.iter().map(|mv| format!("{}{}", mv.face(), mv.quarters())).collect();
    words.push(format!("({}f)", moves.len()));
    words.join(" ")
}

/// Returns the page with an answer or a message.
fn page(answer: &str) -> String {
    format!("<html><head><title>Answer from Cubesolver</title></head><body>\n{answer}\n</body></html>\n")
}

/// Solve the cube in the path, as Kociemba's server does
///
/// For the clients of Kociemba's Python server (RubiksCube-TwophaseSolver). Searches for at most 20 moves, for at most 3 seconds. An
/// invalid cube of 53 to 55 letters gets that server's message, also with status 200. Any other path is 404.
#[contract::path(get, path = "/{facelets}", tag = "clients", operation_id = "solve_kociemba",
    params(("facelets" = String, Path, description = "54 letters URFDLB, upper or lower case",
        example = "DUUBULDBFRBFRRULLLBRDFFFBLURDBFDFDRFRULBLUFDURRBLBDUDL")),
    responses((status = 200, description = "A page with the moves, such as `U1 R3 F2 (3f)`, or with a message that begins with `Error:`",
        content_type = "text/html", body = String), Problems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    uri: Uri,
    PathParts(letters): PathParts<String>,
) -> Result<Response, Problem> {
    if !is_meant_as_cube(&letters) {
        return Err(not_found(uri).await);
    }
    let cube = match read(&letters) {
        Ok(cube) => cube,
        Err(message) => return Ok(Html(page(&message)).into_response()),
    };
    let mut request =
        SolveRequest::of_cube(CubeRequest { cubies: Some(Cubies::from(&cube)), ..CubeRequest::default() });
    request.limits.target_length = Some(TARGET_LENGTH);
    request.limits.time_limit_ms = Some(TIME_LIMIT_MS.min(state.config.search.max_time_limit_ms));
    let mut task = Task::new(request, &state.config)?;
    let solver = state.solver_for(&mut task, &facts).await?;
    let solved = state.search(solver, &task, facts.listener()).await?;
    facts.solved(&task.answer(&solved.outcome, solved.queued));
    Ok(Html(page(&answer(&solved.outcome.moves))).into_response())
}

/// Answers other methods. A path that is no cube does not exist.
pub(crate) async fn other_method(method: Method, uri: Uri) -> Response {
    if !is_meant_as_cube(uri.path().trim_start_matches('/')) {
        return not_found(uri).await.into_response();
    }
    let mut response = method_not_allowed(method, uri).await.into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
    response
}

operation! {
    routes {
        "/{facelets}": get get; or other_method;
    }
    links {}
    problems {
        /// Problems of `GET /{facelets}`.
        Problems: SEARCH TABLES [InvalidPath NotFound];
    }
}
