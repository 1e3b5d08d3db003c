//! A turn of one or more layers, and the bounds of a maneuver.

use crate::cube::face::Face;

/// The longest maneuver that is accepted, in turns, once all groups are written out.
pub(crate) const MAX_TURNS: usize = 10_000;

/// How deeply groups and brackets may nest.
pub(crate) const MAX_DEPTH: usize = 64;

/// Layers of one axis turned together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LayerTurn {
    pub(crate) face: Face,
    /// Which layers take part, counted from `face`.
    pub(crate) layers: [bool; 3],
    /// Clockwise quarter turns, 1..4.
    pub(crate) quarters: u8,
    /// The character at which it is written, counted from 0.
    pub(crate) at: usize,
}

impl LayerTurn {
    pub(crate) const fn inverse(self) -> Self {
        Self { quarters: 4 - self.quarters, ..self }
    }
}
