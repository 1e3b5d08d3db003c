//! Cubes whose cross takes a given number of moves.

use super::error::ScrambleError;
use super::limits::MAX_CROSS_LENGTH;
use crate::control::Control;
use crate::search::partial::PartialTarget;
use superflip_cube::{Cube, Edge, Face};

/// The cross on a face, and the number of moves that solve it: its four edges come home.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cross {
    /// The face.
    pub face: Face,
    /// Least number of moves, 1 to [`MAX_CROSS_LENGTH`].
    pub length: u8,
}

/// The cubes whose cross takes a given number of moves.
pub(super) struct CrossCubes {
    target: PartialTarget,
    length: u8,
}

impl Cross {
    /// Checks the length.
    pub(super) fn check(self) -> Result<(), ScrambleError> {
        let Self { length, .. } = self;
        if (1..=MAX_CROSS_LENGTH).contains(&length) {
            Ok(())
        } else {
            Err(ScrambleError::CrossLength { given: length })
        }
    }
}

impl CrossCubes {
    pub(super) fn of(Cross { face, length }: Cross) -> Self {
        let is_of_cross = |edge: Edge| edge.faces().contains(&face);
        let target = PartialTarget::new(
            Cube::SOLVED,
            |_, _, _| true,
            |slot, edge, flip| if is_of_cross(slot) { slot == edge && flip == 0 } else { !is_of_cross(edge) },
        );
        Self { target, length }
    }

    /// Returns whether the cube is one of them. The first call computes the distances of all crosses, which takes milliseconds.
    pub(super) fn contains(&self, cube: &Cube) -> bool {
        // Nothing cancels this control.
        self.target.distance(cube, &Control::new()).is_ok_and(|distance| distance == self.length)
    }
}
