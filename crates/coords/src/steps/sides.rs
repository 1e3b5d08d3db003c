//! The two sides of a cube on which moves are made: the cube itself and its inverse; and a position after moves on both.

use std::fmt;

use super::move_set::MoveSet;
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
        let normal = &self.normal;
        let inverse = &self.inverse;
        match (normal.is_empty(), inverse.is_empty()) {
            (_, true) => write!(f, "{normal}"),
            (true, false) => write!(f, "({inverse})"),
            (false, false) if normal.len() >= inverse.len() => write!(f, "{normal} ({inverse})"),
            (false, false) => write!(f, "({inverse}) {normal}"),
        }
    }
}

/// A cube after moves on both sides.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) cube: Cube,
    /// All moves so far on the normal and on the inverse side.
    pub(crate) paths: [Vec<Move>; 2],
}

impl Position {
    /// Returns the position before the first move.
    pub(crate) fn new(cube: &Cube) -> Self {
        Self { cube: *cube, paths: [Vec::new(), Vec::new()] }
    }

    /// Returns the position after the moves of a step.
    pub(crate) fn after(&self, moves: &SideMoves) -> Self {
        let cube = moves.after(&self.cube);
        let [mut normal, mut inverse] = self.paths.clone();
        normal.extend(moves.normal.iter());
        inverse.extend(moves.inverse.iter());
        Self { cube, paths: [normal, inverse] }
    }

    /// Returns the number of moves so far.
    pub(crate) fn len(&self) -> usize {
        self.paths[0].len() + self.paths[1].len()
    }

    /// Returns the moves that may come first on each side in the next step: all moves except of a face that was among the last
    /// turns. Two turns of one face are one turn, which the step before could have ended with. A turn of the opposite face is
    /// allowed, whatever the order of faces.
    pub(crate) fn first_moves(&self) -> [MoveSet; 2] {
        let first = |path: &Vec<Move>| {
            let last = path.chunk_by(|a, b| a.face().axis() == b.face().axis()).next_back().unwrap_or_default();
            last.iter().fold(MoveSet::ALL, |moves, mv| moves.without(MoveSet::face(mv.face())))
        };
        [first(&self.paths[0]), first(&self.paths[1])]
    }
}
