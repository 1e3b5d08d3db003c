//! Parses maneuvers in WCA and `SiGN` notation.
//!
//! | written | meaning |
//! | --- | --- |
//! | `U R F D L B` | a face, a quarter turn clockwise as seen from outside |
//! | `Rw`, `r`, `2Rw`, `2r` | the face and the layer behind it |
//! | `3Rw`, `3r` | all three layers: the rotation `x` |
//! | `1R`, `2R`, `3R` | the first, second or third layer from that face alone |
//! | `M E S` and `m e s` | the middle layer, turned like `L`, `D`, `F`; a cube of three layers has one, so case is free |
//! | `x y z` | the whole cube, turned like `R`, `U`, `F` |
//! | `R1 R2 R3`, `R'`, `R2'` | number of quarter turns, and counter-clockwise; typographic apostrophes are understood, and dashes (`R-`) |
//! | `(R U)`, `(R U)3`, `(R U)'`, `(R U)2'` | a group, repeated, inverted, both; `(R U)*3` is `(R U)3` |
//! | `[A, B]` | the commutator `A B A' B'` |
//! | `[A: B]` | the conjugate `A B A'` |
//! | `.` | a pause, ignored |
//! | `// ...` | a comment, ignored up to the end of the line |
//!
//! Groups, commutators and conjugates nest, and each takes a count and an apostrophe. White space may be omitted; a
//! number then belongs to the preceding turn (`R2R` is `R2 R`). Parentheses group; they never mean turns on the inverse
//! scramble, as in some notations for fewest moves. Block turns (`2-3Rw`) are rejected with the equivalent notation for
//! a cube of three layers. Reid strings (`UF UR UB ...`) are rejected too, because their letters would also be valid
//! turns.

mod expand;
pub(crate) mod layer_turn;
mod parser;

use layer_turn::LayerTurn;

use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::{CENTRE_FACELETS, FACELETS};
use crate::input::error::InputError;
use crate::input::facelets::parse_facelets;
use crate::input::reid;
use crate::input::reid::is_reid;
use crate::moves::Move;

/// Parses the turns of a text.
fn turns(text: &str) -> Result<Vec<LayerTurn>, InputError> {
    if is_reid(text) {
        return Err(InputError::Notation { position: 0, message: reid::REID_REFUSAL.to_owned() });
    }
    parser::parse(text)
}

/// Returns the turns of a maneuver without groups, in WCA notation.
///
/// # Errors
/// [`InputError::Notation`] as [`parse_scramble`].
pub(crate) fn written_out(text: &str) -> Result<String, InputError> {
    let names: Vec<String> = turns(text)?.into_iter().map(LayerTurn::name).collect();
    Ok(names.join(" "))
}

/// Parses a maneuver and returns the cube it leads to, in the orientation it ends in.
///
/// Letters mean places at the time of the turn: in `x R`, `R` turns the face on the right after the rotation, and the
/// solution of that scramble is `R'`. A text without turns is the solved cube.
///
/// # Examples
/// ```
/// use superflip_cube::input::{parse_scramble, parse_turns};
/// use superflip_cube::{Cube, Move};
///
/// assert_eq!(parse_scramble("[R, U]")?, Cube::SOLVED.after(&parse_turns("R U R' U'")?));
/// assert_eq!(parse_scramble("x R")?.after(&[Move::Ri]), Cube::SOLVED);
/// assert!(parse_turns("Rw").is_err());
/// # Ok::<(), superflip_cube::input::InputError>(())
/// ```
///
/// # Errors
/// [`InputError::Notation`] if the text is not a maneuver or is a Reid string, nests deeper than 64 levels or has more
/// than 10 000 turns after expansion.
pub fn parse_scramble(text: &str) -> Result<Cube, InputError> {
    parse_held(text).map(|(cube, _)| cube)
}

/// Parses a maneuver and returns the cube as [`parse_scramble`], and the centre that is at each place in the end.
pub(crate) fn parse_held(text: &str) -> Result<(Cube, [Face; Face::COUNT]), InputError> {
    let mut stickers: [u8; FACELETS] = std::array::from_fn(|facelet| facelet as u8);
    for turn in turns(text)? {
        stickers = turn.permutation().map(|facelet| stickers[usize::from(facelet)]);
    }
    // Slices and rotations move the centres; parsing the stickers as facelets names them by the current centres.
    let faces = stickers.map(|sticker| Face::ALL[usize::from(sticker) / 9]);
    let letters: String = faces.iter().map(|face| face.letter()).collect();
    Ok((parse_facelets(&letters)?, CENTRE_FACELETS.map(|centre| faces[centre])))
}

/// Parses a maneuver of face turns only; groups, commutators and conjugates are expanded.
///
/// # Errors
/// [`InputError::Notation`] as [`parse_scramble`], and at the first rotation, wide turn or turn of a middle layer.
/// These change which face is where, so later letters would mean other turns.
pub fn parse_turns(text: &str) -> Result<Vec<Move>, InputError> {
    let face_turn = |turn: LayerTurn| {
        let quarters = usize::from(turn.quarters);
        let found = match turn.layers {
            [true, false, false] => Move::of(turn.face, quarters),
            // The third layer from a face is the opposite face, which turns in the opposite direction as seen from
            // there.
            [false, false, true] => Move::of(turn.face.opposite(), 4 - quarters),
            _ => None,
        };
        found.ok_or_else(|| InputError::Notation {
            position: turn.at,
            message: "only turns of the faces U R F D L B are understood here: a rotation, a wide turn or a turn of a middle \
                      layer changes which face is where. Write face turns only."
                .into(),
        })
    };
    turns(text)?.into_iter().map(face_turn).collect()
}

/// Parses one turn: `U`, `U2`, `U'`, and equivalent notation (`U3`, `U2'`, `1U`).
///
/// # Errors
/// [`InputError::Notation`] if the text is not a maneuver of exactly one face turn.
pub fn parse_move(text: &str) -> Result<Move, InputError> {
    match parse_turns(text)?.as_slice() {
        [turn] => Ok(*turn),
        turns => Err(InputError::Notation {
            position: 0,
            message: format!(
                "found {} turns, expected one: a letter of U R F D L B with nothing, `2` or `'` behind it.",
                turns.len()
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_turns_alone_are_turns() {
        assert_eq!(parse_turns("(R U')2 3R"), Ok(vec![Move::R, Move::Ui, Move::R, Move::Ui, Move::Li]));
        assert_eq!(parse_turns(""), Ok(vec![]));
        for (text, at) in [("R x U", 2), ("U Rw", 2), ("R U M'", 4), ("(R2 2R)", 4)] {
            assert!(
                matches!(parse_turns(text), Err(InputError::Notation { position, .. }) if position == at),
                "{text}"
            );
        }
    }
}
