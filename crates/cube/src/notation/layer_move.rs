//! A move of one or more layers, lists of such moves, and the limits of a maneuver.

use std::sync::LazyLock;

use crate::face::Face;
use crate::geometry::{FACELETS, layer_move};
use crate::moves::Move;

/// Greatest number of moves of a maneuver, after expansion.
pub(crate) const MAX_MOVES: usize = 10_000;

/// Greatest nesting depth of groups and brackets.
pub(crate) const MAX_DEPTH: usize = 64;

/// Layers of one axis, turned together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LayerMove {
    pub(crate) face: Face,
    /// Layers that turn, counted from `face`.
    pub(crate) layers: [bool; 3],
    /// Clockwise quarter turns, 1..4.
    pub(crate) quarters: u8,
    /// Position in the text, in characters from 0.
    pub(crate) at: usize,
}

impl LayerMove {
    pub(crate) const fn inverse(self) -> Self {
        Self { quarters: 4 - self.quarters, ..self }
    }

    /// Returns whether the whole cube turns.
    pub(crate) fn is_rotation(self) -> bool {
        self.layers == [true; 3]
    }

    /// Returns, for each facelet, the facelet whose sticker is there after the move.
    pub(crate) fn permutation(self) -> &'static [u8; FACELETS] {
        /// By face, set of layers and quarter turns. Deriving the permutations of a scramble took 3.5 % of the time of a
        /// search to 20 moves.
        static ALL: LazyLock<[[[[u8; FACELETS]; 4]; 8]; Face::COUNT]> = LazyLock::new(|| {
            Face::ALL.map(|face| {
                let of_layers = |set: usize| {
                    let layers = std::array::from_fn(|layer| set >> layer & 1 == 1);
                    std::array::from_fn(|quarters| layer_move(face, layers, quarters))
                };
                std::array::from_fn(of_layers)
            })
        });
        let set: usize = self.layers.iter().enumerate().map(|(layer, moves)| usize::from(*moves) << layer).sum();
        &ALL[self.face.index()][set][usize::from(self.quarters % 4)]
    }

    /// Returns the turns of its face and of the opposite face that do the same as it, up to a rotation of the whole cube, and that rotation.
    /// Turning the middle layer is turning the whole cube, and both outer layers back.
    pub(crate) fn by_faces(self) -> ([Option<Move>; 2], Option<Self>) {
        let [outer, middle, last] = self.layers.map(|moves| if moves { self.quarters } else { 0 });
        let turned = Move::of(self.face, usize::from((4 + outer - middle) % 4));
        // As seen from the opposite face, the direction is the other one.
        let opposite = Move::of(self.face.opposite(), usize::from((4 + middle - last) % 4));
        ([turned, opposite], self.layers[1].then_some(Self { layers: [true; 3], ..self }))
    }

    /// Returns its name in WCA notation, with `M`, `E` and `S` for the middle layer.
    pub(crate) fn name(self) -> String {
        // The letter of a move that is named after another face than its own, and whether it turns in the other direction.
        let seen = |letters: [(Face, char); 3]| {
            let (face, letter) =
                letters.into_iter().find(|(face, _)| face.axis() == self.face.axis()).unwrap_or(letters[0]);
            (letter.to_string(), face != self.face)
        };
        let (name, is_inverse) = match self.layers {
            [true, true, true] => seen([(Face::R, 'x'), (Face::U, 'y'), (Face::F, 'z')]),
            [false, true, false] => seen([(Face::L, 'M'), (Face::D, 'E'), (Face::F, 'S')]),
            [true, true, false] => (format!("{}w", self.face), false),
            // The third layer from a face is the opposite face, which turns in the opposite direction as seen from there.
            [false, false, true] => (self.face.opposite().to_string(), true),
            _ => (self.face.to_string(), false),
        };
        let quarters = if is_inverse { 4 - self.quarters } else { self.quarters };
        name + ["", "2", "'"][usize::from(quarters) - 1]
    }
}

/// The maneuver would be longer than [`MAX_MOVES`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Returns the inverse moves in reverse order.
pub(crate) fn inverse(moves: &[LayerMove]) -> Vec<LayerMove> {
    moves.iter().rev().map(|mv| mv.inverse()).collect()
}

/// Concatenates the parts and repeats them. The length is checked before anything is expanded.
pub(crate) fn repeat(parts: &[&[LayerMove]], times: usize) -> Result<Vec<LayerMove>, TooLong> {
    let once: usize = parts.iter().map(|part| part.len()).sum();
    match once.checked_mul(times) {
        Some(length) if length <= MAX_MOVES => Ok(parts.concat().repeat(times)),
        _ => Err(TooLong),
    }
}

/// Returns `A B A' B'`.
pub(crate) fn commutator(a: &[LayerMove], b: &[LayerMove]) -> Result<Vec<LayerMove>, TooLong> {
    repeat(&[a, b, &inverse(a), &inverse(b)], 1)
}

/// Returns `A B A'`.
pub(crate) fn conjugate(a: &[LayerMove], b: &[LayerMove]) -> Result<Vec<LayerMove>, TooLong> {
    repeat(&[a, b, &inverse(a)], 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_bounded_before_anything_is_written_out() {
        let mv = [LayerMove { face: Face::R, layers: [true, false, false], quarters: 1, at: 0 }];
        assert_eq!(repeat(&[&mv], MAX_MOVES).map(|moves| moves.len()), Ok(MAX_MOVES));
        assert_eq!(repeat(&[&mv], MAX_MOVES + 1), Err(TooLong));
        assert_eq!(repeat(&[&mv, &mv], usize::MAX), Err(TooLong));
        assert_eq!(commutator(&mv.repeat(MAX_MOVES), &mv), Err(TooLong));
        assert_eq!(conjugate(&mv, &mv).map(|moves| moves.len()), Ok(3));
    }
}
