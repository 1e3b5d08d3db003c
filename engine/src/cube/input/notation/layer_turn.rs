//! A turn of one or more layers, and the limits of a maneuver.

use crate::cube::face::Face;

/// Greatest number of turns of a maneuver, after expansion.
pub(crate) const MAX_TURNS: usize = 10_000;

/// Greatest nesting depth of groups and brackets.
pub(crate) const MAX_DEPTH: usize = 64;

/// Layers of one axis turned together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LayerTurn {
    pub(crate) face: Face,
    /// Layers that turn, counted from `face`.
    pub(crate) layers: [bool; 3],
    /// Clockwise quarter turns, 1..4.
    pub(crate) quarters: u8,
    /// Position in the text, in characters from 0.
    pub(crate) at: usize,
}

impl LayerTurn {
    pub(crate) const fn inverse(self) -> Self {
        Self { quarters: 4 - self.quarters, ..self }
    }
}
