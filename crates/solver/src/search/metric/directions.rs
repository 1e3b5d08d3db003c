//! The directions of a search in a metric: axes, for the cube and for its inverse, as seen by the tables.

use crate::tables::metric::StepSet;
use superflip_cube::{Axis, Cube, Move, Moves, Symmetry, TurnSet};

/// One direction: the starting point of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct MetricDirection {
    /// Axis of the subgroup.
    pub(super) axis: Axis,
    /// Whether the inverse cube is searched.
    pub(super) inverse: bool,
    /// The cube or its inverse, conjugated so that the axis lies along UD and the allowed turns are those of the tables.
    pub(super) cube: Cube,
    /// The symmetry by which it is conjugated.
    symmetry: Symmetry,
}

impl MetricDirection {
    /// Returns all directions, those of the cube first: six, or two for each axis along which the tables serve these turns.
    pub(super) fn all(set: StepSet, turns: TurnSet, cube: &Cube) -> Vec<Self> {
        let frames = set.frames(turns);
        let of = |inverse: bool, cube: Cube| {
            let direction = move |&(axis, symmetry): &(Axis, Symmetry)| Self {
                axis,
                inverse,
                cube: symmetry.conjugate(&cube),
                symmetry,
            };
            frames.iter().map(direction)
        };
        of(false, *cube).chain(of(true, cube.inverse())).collect()
    }

    /// Translates a solution of [`MetricDirection::cube`] into a solution of the original cube.
    pub(super) fn translate(&self, moves: &[Move]) -> Moves {
        let back = self.symmetry.inverse();
        let seen: Moves = moves.iter().map(|&mv| back.conjugate_move(mv)).collect();
        if self.inverse { seen.inverse() } else { seen }
    }
}
