//! Maneuvers as people write them, and the cube that stands there after one.
//!
//! | written | meaning |
//! | --- | --- |
//! | `U R F D L B` | a face, a quarter turn clockwise as seen from outside |
//! | `Rw`, `r`, `2Rw`, `2r` | the face and the layer behind it |
//! | `3Rw`, `3r` | all three layers: the rotation `x` |
//! | `1R`, `2R`, `3R` | the first, second or third layer from that face alone |
//! | `M E S` and `m e s` | the middle layer, turned like `L`, `D`, `F`; a cube of three layers has one, so case is free |
//! | `x y z` | the whole cube, turned like `R`, `U`, `F` |
//! | `R1 R2 R3`, `R'`, `R2'` | how many quarter turns, and counter-clockwise; typographic apostrophes are understood |
//! | `(R U)`, `(R U)3`, `(R U)'`, `(R U)2'` | a group, repeated, inverted, both; `(R U)*3` is `(R U)3` |
//! | `[A, B]` | the commutator `A B A' B'` |
//! | `[A: B]` | the conjugate `A B A'` |
//! | `.` | a pause, ignored |
//! | `// ...` | a comment, ignored up to the end of the line |
//!
//! Groups, commutators and conjugates nest, and each takes a count and an apostrophe. White space may be left out; a
//! number then belongs to what stands before it (`R2R` is `R2 R`). Parentheses group; they never mean turns on the
//! inverse scramble, as in some notations for fewest moves. Block turns (`2-3Rw`) are refused with what to write for them on a cube of three
//! layers, and so is a Reid string (`UF UR UB ...`), all of whose letters are turns as well.

mod expand;
mod layer_turn;
mod parser;

use layer_turn::LayerTurn;

use crate::cube::cubie::Cube;
use crate::cube::face::Face;
use crate::cube::geometry::{FACELETS, layer_turn};
use crate::cube::input::error::InputError;
use crate::cube::input::facelets::parse_facelets;
use crate::cube::input::reid;
use crate::cube::input::reid::is_reid;
use crate::cube::moves::Move;

/// The turns of a text.
fn turns(text: &str) -> Result<Vec<LayerTurn>, InputError> {
    if is_reid(text) {
        return Err(InputError::Notation { position: 0, message: reid::REFUSAL.to_owned() });
    }
    parser::parse(text)
}

/// The cube that stands there after this maneuver, as it is then held.
///
/// Letters mean places at the time of the turn: in `x R`, `R` turns the face that is on the right after the rotation, and
/// the answer to that scramble is `R'`. A text without turns is the solved cube.
///
/// # Errors
/// [`InputError::Notation`] when the text is no maneuver or a Reid string, nests deeper than 64 levels or is longer than 10 000 turns
/// when written out.
pub fn parse_scramble(text: &str) -> Result<Cube, InputError> {
    let mut stickers: [u8; FACELETS] = std::array::from_fn(|facelet| facelet as u8);
    for turn in turns(text)? {
        let from = layer_turn(turn.face, turn.layers, usize::from(turn.quarters));
        stickers = from.map(|facelet| stickers[usize::from(facelet)]);
    }
    // Slices and rotations moved the centres; reading the stickers as facelets names them by where the centres are now.
    let letters: String = stickers.iter().map(|&sticker| Face::ALL[usize::from(sticker) / 9].letter()).collect();
    parse_facelets(&letters)
}

/// The face turns of a maneuver that turns nothing but faces; groups, commutators and conjugates are written out.
///
/// # Errors
/// [`InputError::Notation`] as [`parse_scramble`], and at the first rotation, wide turn or turn of a middle layer: these
/// change which face is where, so that the letters after them would mean other turns than they say.
pub fn parse_turns(text: &str) -> Result<Vec<Move>, InputError> {
    let face_turn = |turn: LayerTurn| {
        let quarters = usize::from(turn.quarters);
        let found = match turn.layers {
            [true, false, false] => Move::of(turn.face, quarters),
            // The third layer from a face is the opposite face, and turns the other way round as seen from there.
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

/// One turn as people write it: `U`, `U2`, `U'`, and what the notation reads as the same (`U3`, `U2'`, `1U`).
///
/// # Errors
/// [`InputError::Notation`] when the text is no maneuver, or a maneuver that is not one turn of one face.
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
