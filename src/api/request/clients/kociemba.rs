//! Cubes and answers of Kociemba's server (RubiksCube-TwophaseSolver).
//!
//! The path is the cube. The answer is a page with moves such as `U1 R3` and their number, or with a message. The status is 200 in
//! either case. Published in `sockets.py`, `face.py` and `cubie.py` of that program.

use superflip_cube::{Corner, Cube, Edge, Face, FormError, Move, PieceKind};

/// Number of facelets of a cube.
const FACELETS: usize = 54;

/// Entry of an array for a slot that shows no piece.
const UNDEFINED: u32 = u32::MAX;

/// Length at which the server stops its search.
pub const TARGET_LENGTH: u32 = 20;

/// Time limit of the server in milliseconds.
pub const TIME_LIMIT_MS: u64 = 3000;

/// Returns whether a segment of a path is meant as a cube: 53 to 55 face letters in any case.
pub fn is_meant(segment: &str) -> bool {
    (FACELETS - 1..=FACELETS + 1).contains(&segment.len())
        && segment.chars().all(|letter| Face::from_letter(letter.to_ascii_uppercase()).is_some())
}

/// Reads a cube by the letters of its pieces. The centres do not count, except for the number of facelets of each colour. The server may
/// read a slot without a piece as another piece; here it is always undefined.
///
/// # Errors
/// Returns the message of the server for the first of its checks that fails.
pub fn read(letters: &str) -> Result<Cube, String> {
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
pub fn answer(moves: &[Move]) -> String {
    let mut words: Vec<String> = moves.iter().map(|mv| format!("{}{}", mv.face(), mv.quarters())).collect();
    words.push(format!("({}f)", moves.len()));
    words.join(" ")
}

/// Returns the page with an answer or a message.
pub fn page(answer: &str) -> String {
    format!("<html><head><title>Answer from Cubesolver</title></head><body>\n{answer}\n</body></html>\n")
}
