//! The two sides of a cube on which moves are made: the cube itself and its inverse.

use std::fmt;

use super::walk::Sides;
use superflip_cube::metric::in_one_order;
use superflip_cube::{Cube, Move, Moves};

/// The sides on which the moves of a step are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    /// After the cube.
    #[default]
    Normal,
    /// After the inverse of the cube.
    Inverse,
    /// All moves of a solution on one of the two sides.
    Linear,
    /// On both sides (NISS).
    Mixed,
}

impl Side {
    /// Every side.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Inverse, Self::Linear, Self::Mixed];

    /// Returns its name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Inverse => "inverse",
            Self::Linear => "linear",
            Self::Mixed => "mixed",
        }
    }

    pub(crate) fn sides(self) -> Sides {
        Sides { normal: self != Self::Inverse, inverse: self != Self::Normal, both: self == Self::Mixed }
    }
}

/// Moves on the two sides.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SideMoves {
    /// Moves after the cube.
    pub normal: Moves,
    /// Moves after its inverse.
    pub inverse: Moves,
}

impl SideMoves {
    /// Returns the cube after the moves on both sides.
    #[must_use]
    pub fn after(&self, cube: &Cube) -> Cube {
        let normal = cube.after(&self.normal);
        if self.inverse.is_empty() { normal } else { normal.after_on_inverse(&self.inverse) }
    }

    /// Returns whether the moves differ at most in the order of adjacent turns of opposite faces.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        let is_equal = |a: &[Move], b: &[Move]| a == b || in_one_order(a) == in_one_order(b);
        is_equal(&self.normal, &other.normal) && is_equal(&self.inverse, &other.inverse)
    }
}

/// Nissy's notation: the longer side first, moves on the inverse side in parentheses.
impl fmt::Display for SideMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (normal, inverse) = (&self.normal, &self.inverse);
        match (normal.is_empty(), inverse.is_empty()) {
            (_, true) => write!(f, "{normal}"),
            (true, false) => write!(f, "({inverse})"),
            (false, false) if normal.len() >= inverse.len() => write!(f, "{normal} ({inverse})"),
            (false, false) => write!(f, "({inverse}) {normal}"),
        }
    }
}
