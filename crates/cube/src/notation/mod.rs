//! Parses maneuvers in WCA and `SiGN` notation.
//!
//! | written | meaning |
//! | --- | --- |
//! | `U R F D L B` | a face, a quarter turn clockwise as seen from outside |
//! | `Rw`, `r`, `2Rw`, `2r` | the face and the layer behind it |
//! | `3Rw`, `3r` | all three layers: the rotation `x` |
//! | `1R`, `2R`, `3R` | the first, second or third layer from that face alone |
//! | `M E S` and `m e s` | the middle layer, turned like `L`, `D`, `F`; a cube of three layers has one, so case is free |
//! | `x y z`, `X Y Z` | the whole cube, turned like `R`, `U`, `F` |
//! | `R1 R2 R3`, `R'`, `R2'` | number of quarter turns, and counter-clockwise; typographic apostrophes are understood |
//! | `R-`, `Ri`, `R'2`, `R^2`, `R^-1` | other spellings of `R'`, `R'`, `R2`, `R2`, `R'` |
//! | `(R U)`, `(R U)3`, `(R U)'`, `(R U)2'` | a group, repeated, inverted, both |
//! | `(R U)*3`, `(R U)x3`, `(R U)×3`, `(R U)^3` | other spellings of `(R U)3`, with or without spaces around the sign |
//! | `[A, B]` | the commutator `A B A' B'` |
//! | `[A: B]` | the conjugate `A B A'` |
//! | `.` | a pause, ignored |
//! | `// ...` | a comment, ignored up to the end of the line |
//! | `1. R U`, `1) R U` | a number at the beginning, ignored |
//! | `R, U, F` | three or more single moves with commas between them |
//!
//! Groups, commutators and conjugates nest, and each takes a count and an apostrophe. White space may be omitted; a
//! number then belongs to the preceding move (`R2R` is `R2 R`). Parentheses group; they never mean moves on the inverse
//! scramble, as in some notations for fewest moves. Block moves (`2-3Rw`) are rejected with the equivalent notation for
//! a cube of three layers. Names of pieces are rejected too, as in cycles (`UF-UR-UB`) and Reid strings, because their letters would
//! also be valid moves.
//!
//! Spellings with two meanings are rejected, and the error names the spelling of each:
//!
//! - `x` with a number. `x2` is a rotation, but directly behind a bracket it is rejected. With a number from 3 on, `x` is a repeat count
//!   behind a bracket, and rejected elsewhere. So is an `x` directly behind a repeat count, as in `(R U)3x`.
//! - A number behind a bracket and a space, with `x` or without: `(R U) 2F` and `(R U) x 2F`.
//! - A dash before a letter or a bracket: `R-U`.
//! - `R'2U`: `R2 U` or `R' 2U`.
//! - Two parts with a comma but without brackets: `R, U`.

mod counts;
pub mod fewest_moves;
mod layer_move;
mod parser;
mod written_moves;

use std::str::FromStr;

use layer_move::LayerMove;

use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::{FormError, PIECES_REFUSAL, REID_REFUSAL, is_reid, names_pieces};
use crate::geometry::CENTRE_FACELETS;
use crate::holding::Holding;
use crate::moves::{Move, Moves};

pub(crate) use layer_move::MAX_MOVES;
pub(crate) use parser::is_dash;

/// Parses the moves of a text.
fn moves(text: &str) -> Result<Vec<LayerMove>, FormError> {
    if is_reid(text) {
        return Err(FormError::at(0, REID_REFUSAL));
    }
    if names_pieces(text) {
        return Err(FormError::at(0, PIECES_REFUSAL));
    }
    parser::parse(text)
}

/// Returns whether a text is one move.
pub(crate) fn is_one_move(text: &str) -> bool {
    parser::parse(text).is_ok_and(|moves| moves.len() == 1)
}

/// Returns the moves of a maneuver without groups, in WCA notation.
fn written_out(text: &str) -> Result<String, FormError> {
    let names: Vec<String> = moves(text)?.into_iter().map(LayerMove::name).collect();
    Ok(names.join(" "))
}

impl Cube {
    /// Parses a maneuver and returns the cube it leads to, in the orientation it ends in.
    ///
    /// Letters mean places at the time of the move: in `x R`, `R` turns the face on the right after the rotation, and the
    /// solution of that scramble is `R'`. A text without moves is the solved cube. A length at the end is ignored, as in
    /// `R U F (3f)`. [`Read::of_scramble`](crate::forms::Read::of_scramble) also tells how the cube is held in the end.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, FormError, Move, Moves};
    ///
    /// assert_eq!(Cube::from_scramble("[R, U]")?, Cube::SOLVED.after(&"R U R' U'".parse::<Moves>()?));
    /// assert_eq!(Cube::from_scramble("x R")?.after(&[Move::Ri]), Cube::SOLVED);
    /// assert!("Rw".parse::<Moves>().is_err());
    /// # Ok::<(), FormError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::Unreadable`] if the text is not a maneuver or is a Reid string, nests deeper than 64 levels or has more
    /// than 10 000 moves after expansion.
    pub fn from_scramble(text: &str) -> Result<Self, FormError> {
        parse_held(without_length(text)).map(|(cube, _)| cube)
    }
}

/// Parses a maneuver and returns the cube as [`Cube::from_scramble`], and how it is held in the end.
pub(crate) fn parse_held(text: &str) -> Result<(Cube, Holding), FormError> {
    Ok(turned(&Cube::SOLVED, &moves(text)?))
}

/// Applies moves to a cube; returns the cube, named by places, and how it is held in the end.
fn turned(cube: &Cube, moves: &[LayerMove]) -> (Cube, Holding) {
    let mut stickers = cube.to_facelet_permutation();
    for mv in moves {
        stickers = mv.permutation().map(|facelet| stickers[usize::from(facelet)]);
    }
    // Slices and rotations move the centres; the stickers are named by the places of their centres in the end.
    let faces = stickers.map(|sticker| Face::ALL[usize::from(sticker) / 9]);
    let holding = Holding::from_centres(CENTRE_FACELETS.map(|centre| faces[centre])).expect("moves keep the centres");
    let places = holding.places();
    let cube = Cube::from_stickers(&faces.map(|face| Some(places[face.index()]))).expect("moves keep the pieces whole");
    (cube, holding)
}

/// Parses a maneuver of face moves only; groups, commutators and conjugates are expanded.
///
/// Returns the errors of [`Cube::from_scramble`], and one for the first rotation, wide move or move of a middle layer.
/// These change which face is where, so later letters would mean other moves.
impl FromStr for Moves {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let face_move = |mv: LayerMove| {
            let quarters = usize::from(mv.quarters);
            let found = match mv.layers {
                [true, false, false] => Move::of(mv.face, quarters),
                // The third layer from a face is the opposite face, which turns in the opposite direction as seen from
                // there.
                [false, false, true] => Move::of(mv.face.opposite(), 4 - quarters),
                _ => None,
            };
            let message = "only moves of the faces U R F D L B are understood here: a rotation, a wide move or a move of a \
                           middle layer changes which face is where. Write face moves only.";
            found.ok_or_else(|| FormError::at(mv.at, message))
        };
        moves(text)?.into_iter().map(face_move).collect()
    }
}

/// Parses a maneuver with moves of any layers, and returns the turns of faces that do the same, up to a rotation of the whole cube. They name
/// the faces by their places at the start.
///
/// # Examples
/// ```
/// use superflip_cube::notation::face_moves;
///
/// assert_eq!(face_moves("y R M Rw2")?.to_string(), "B F' B F2");
/// assert_eq!(face_moves("x y2 z'")?.to_string(), "");
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Cube::from_scramble`].
pub fn face_moves(text: &str) -> Result<Moves, FormError> {
    let mut faces = Face::ALL;
    let mut turned = Vec::new();
    for mv in moves(text)? {
        let (turns, rotation) = mv.by_faces();
        let at_start = |turn: Move| Move::of(faces[turn.face().index()], turn.quarters());
        turned.extend(turns.into_iter().flatten().filter_map(at_start));
        if let Some(rotation) = rotation {
            faces = CENTRE_FACELETS.map(|centre| faces[usize::from(rotation.permutation()[centre]) / 9]);
        }
    }
    Ok(turned.into())
}

/// Parses one face move in any notation that scrambles accept: `U`, `U2`, `U'`, `U3`, `1U`.
impl FromStr for Move {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let moves: Moves = text.parse()?;
        if let [mv] = *moves {
            return Ok(mv);
        }
        let message = format!(
            "found {} moves, expected one: a letter of U R F D L B with nothing, `2` or `'` behind it.",
            moves.len()
        );
        Err(FormError::at(0, message))
    }
}

/// Returns the text without a length in parentheses at its end, as Kociemba's programs write it: `(19f)`, `(18f*)`, or another
/// metric, `(18q)`, `(18s)`, `(18h)`. Although `(3f)` could be a move, it is always a length.
///
/// # Examples
/// ```
/// use superflip_cube::notation::without_length;
///
/// assert_eq!(without_length("R3 U2 F1 (18f*)"), "R3 U2 F1 ");
/// assert_eq!(without_length("R (U F)"), "R (U F)");
/// ```
pub fn without_length(text: &str) -> &str {
    let before = || {
        let (before, inside) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let number = inside.trim_end_matches('*').strip_suffix(['f', 'q', 's', 'h'])?;
        let is_length = (1..=4).contains(&number.len()) && number.chars().all(|digit| digit.is_ascii_digit());
        is_length.then_some(before)
    };
    before().unwrap_or(text)
}

/// Returns the text with comments between `/*` and `*/` replaced by as many spaces, so that positions stay.
pub(crate) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = ["//", "/*"].into_iter().filter_map(|open| rest.find(open)).min() {
        let (before, comment) = rest.split_at(at);
        out.push_str(before);
        rest = if comment.starts_with("//") {
            let end = comment.find(['\n', '\r']).unwrap_or(comment.len());
            out.push_str(&comment[..end]);
            &comment[end..]
        } else {
            let (inside, after) = comment[2..].split_once("*/").unwrap_or((&comment[2..], ""));
            out.extend(std::iter::repeat_n(' ', inside.chars().count() + 4));
            after
        };
    }
    out.push_str(rest);
    out
}

/// Returns moves in a notation that alg.cubing.net, alpha.twizzle.net and cubedb.net read: the text without block comments and repeated spaces if it is in such
/// a notation, and otherwise its moves without groups, in WCA notation.
///
/// # Examples
/// ```
/// use superflip_cube::notation::plain_moves;
///
/// assert_eq!(plain_moves("[R, U] // sexy")?, "[R, U] // sexy");
/// assert_eq!(plain_moves("(R U\u{2019})*2 3F m")?, "R U' R U' B' M");
/// assert_eq!(plain_moves("(R U)x3 F2")?, "R U R U R U F2");
/// assert_eq!(plain_moves("R, U, F")?, "R U F");
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`Cube::from_scramble`], but only for a text in another notation.
pub fn plain_moves(text: &str) -> Result<String, FormError> {
    let lines = without_comments(text);
    let lines: Vec<String> =
        lines.trim().lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let text = lines.join("\n");
    if is_common(&text) { Ok(text) } else { written_out(&text) }
}

/// Returns whether a maneuver has only what all pages read: letters of moves, `w`, `2`, apostrophes, counts of groups, and separators.
fn is_common(text: &str) -> bool {
    let mut depth = 0;
    text.lines().all(|line| {
        let mut before = ' ';
        line.split("//").next().unwrap_or_default().chars().all(|c| {
            let is_face = "URFDLB".contains(before);
            let is_move = is_face || "urfdlbMESxyzw".contains(before);
            let is_amount = ")]".contains(before) || before.is_ascii_digit();
            let is_known = match c {
                'w' => is_face,
                '2' | '\'' => is_move || is_amount,
                c if c.is_ascii_digit() => is_amount,
                // A comma between moves is no commutator.
                ',' => depth > 0,
                c => "URFDLBurfdlbMESxyz ()[]:.".contains(c),
            };
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            before = c;
            is_known
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_moves_alone_are_read() {
        assert_eq!("(R U')2 3R".parse(), Ok(Moves::from(vec![Move::R, Move::Ui, Move::R, Move::Ui, Move::Li])));
        assert_eq!("".parse(), Ok(Moves::default()));
        for (text, at) in [("R x U", 2), ("U Rw", 2), ("R U M'", 4), ("(R2 2R)", 4)] {
            let refused = text.parse::<Moves>();
            assert!(matches!(refused, Err(FormError::Unreadable { position, .. }) if position == at), "{text}");
        }
    }
}
