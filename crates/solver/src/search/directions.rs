//! The six directions of a search: three axes, for the cube and for its inverse.

use super::frames::FRAMES;
use crate::coord::{Descriptor, FLIP_SLICE, TWIST};
use crate::symmetry::SymCoordinate;
use crate::tables::inspect::along;
use crate::tables::pruning::phase_one::{MoveEffects, PhaseOne};
use crate::tables::{Id, Tables, prefetch};
use superflip_cube::{Axis, Cube, Move, Moves, Symmetry};

/// A node of phase 1, in the frame of its representative.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhaseOneNode {
    /// Class of flip x slice.
    pub class: u32,
    /// Twist in the frame of the representative.
    pub twist: u16,
    /// Symmetry S for which `S * x * S^-1` is the representative.
    pub symmetry: u8,
    /// Exact number of moves to G1.
    pub distance: u8,
}

impl PhaseOneNode {
    /// Computes the node of each cube, for phase 1 along UD. Each of the three tables is prefetched for all cubes
    /// before the first read.
    pub fn of_each(tables: &Tables, cubes: &[Cube], nodes: &mut [Self]) {
        let (opened, phase_one) = (tables.opened(), tables.phase_one());
        let (classes, conjugates) = (opened.u32s(Id::FlipSliceClass), opened.u16s(Id::TwistConjugate));
        // Both coordinates have a value on every cube.
        let value = |coordinate: &Descriptor, cube: &Cube| (coordinate.index)(cube).unwrap_or_default();
        for (node, cube) in nodes.iter_mut().zip(cubes) {
            node.class = value(&FLIP_SLICE, cube);
            prefetch::read(classes, node.class as usize);
        }
        for (node, cube) in nodes.iter_mut().zip(cubes) {
            let to = SymCoordinate::unpack(classes[node.class as usize]);
            let twist = conjugates[value(&TWIST, cube) as usize * 16 + usize::from(to.symmetry)];
            *node = Self { class: to.class, twist, symmetry: to.symmetry, distance: 0 };
            phase_one.prefetch(to.class, twist);
        }
        for node in nodes {
            node.distance = phase_one.distance(node.class, node.twist);
        }
    }

    /// Returns the node after a move of the representative's frame. `effects` are the move effects of this node.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // the sum of two bits
    pub fn after(self, table: &PhaseOne<'_>, effects: MoveEffects, mv: usize) -> Self {
        let (class, twist, relative) = table.after(self.class, self.twist, mv);
        let (nearer, not_farther) = (effects.nearer >> mv & 1, effects.not_farther >> mv & 1);
        Self {
            class,
            twist,
            symmetry: FRAMES.products[usize::from(relative)][usize::from(self.symmetry)],
            distance: self.distance + 1 - (nearer + not_farther) as u8,
        }
    }
}

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

    /// Translates a solution of [`Direction::cube`] into a solution of the original cube.
    pub fn translate(&self, moves: &[Move]) -> Vec<Move> {
        let back = (0..self.axis.index()).fold(Symmetry::IDENTITY, |s, _| s.then(Symmetry::DIAGONAL)).inverse();
        let seen: Moves = moves.iter().map(|&m| back.conjugate_move(m)).collect();
        if self.inverse { seen.inverse().into() } else { seen.into() }
    }
}
