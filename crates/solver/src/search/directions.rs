//! The six directions of a search: three axes, for the cube and for its inverse.

use super::phase_one::PhaseOneNode;
use crate::tables::Tables;
use crate::tables::inspect::along;
use superflip_cube::{Axis, Cube, Move, Moves, Symmetry};

/// One direction: the starting point of a two-phase search.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// Axis of the subgroup.
    pub axis: Axis,
    /// Whether the inverse cube is searched.
    pub inverse: bool,
    /// The cube or its inverse, conjugated so that the axis lies along UD.
    pub cube: Cube,
    /// Phase-1 coordinates.
    pub start: PhaseOneNode,
}

impl Direction {
    /// Returns all six directions, the three of the cube first.
    pub fn all(tables: &Tables, cube: &Cube) -> [Self; 6] {
        let inverse = cube.inverse();
        let cubes: [Cube; 6] =
            std::array::from_fn(|i| along(Axis::ALL[i % Axis::COUNT], if i < Axis::COUNT { cube } else { &inverse }));
        let mut starts = [PhaseOneNode::default(); 6];
        PhaseOneNode::of_each(tables, &cubes, &mut starts);
        std::array::from_fn(|i| Self {
            axis: Axis::ALL[i % Axis::COUNT],
            inverse: i >= Axis::COUNT,
            cube: cubes[i],
            start: starts[i],
        })
    }

    /// Returns a lower bound on the distance from solved: the greatest phase-1 distance. The last move of a solution lies in
    /// G1 of its own axis. So if the three distances are equal and not 0, the bound is that distance plus one.
    pub(crate) fn lower_bound(directions: &[Self; 6]) -> u8 {
        let bound = |side: &[Self]| {
            let distances = || side.iter().map(|direction| direction.start.distance);
            let least = distances().min().unwrap_or(0);
            distances().max().unwrap_or(0).max(if least > 0 { least + 1 } else { 0 })
        };
        directions.chunks(Axis::COUNT).map(bound).max().unwrap_or(0)
    }

    /// Translates a solution of [`Direction::cube`] into a solution of the original cube.
    pub fn translate(&self, moves: &[Move]) -> Vec<Move> {
        let back = (0..self.axis.index()).fold(Symmetry::IDENTITY, |s, _| s.then(Symmetry::DIAGONAL)).inverse();
        let seen: Moves = moves.iter().map(|&m| back.conjugate_move(m)).collect();
        if self.inverse { seen.inverse().into() } else { seen.into() }
    }
}
