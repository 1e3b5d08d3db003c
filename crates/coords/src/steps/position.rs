//! A position within a solution: the cube, and the moves made on both sides.

use super::move_set::MoveSet;
use super::sides::SideMoves;
use superflip_cube::{Cube, Move};

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
