//! The six directions from which a cube is searched: three axes, the cube and its inverse.

use super::frames::FRAMES;
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, FLIP_SLICE, SLICE_SORTED, TWIST, U_EDGES};
use crate::cube::{Axis, Cube, Move, Symmetry, invert};
use crate::symmetry::SymCoordinate;
use crate::tables::inspect::along;
use crate::tables::phase_one::{PhaseOne, Steps};
use crate::tables::{Id, Tables};

/// A position of phase 1, in the frame of its representative.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Class of flip x slice.
    pub class: u32,
    /// Twist in the frame of the representative.
    pub twist: u16,
    /// The symmetry that leads there.
    pub symmetry: u8,
    /// Turns to G1, exact.
    pub distance: u8,
}

impl Node {
    /// The node after a turn of the representative's frame; `steps` are those of this node.
    #[inline]
    #[must_use]
    pub fn after(self, table: &PhaseOne<'_>, steps: Steps, turn: usize) -> Self {
        let (class, twist, relative) = table.after(self.class, self.twist, turn);
        let (nearer, not_farther) = (steps.nearer >> turn & 1, steps.not_farther >> turn & 1);
        Self {
            class,
            twist,
            symmetry: FRAMES.products[usize::from(relative)][usize::from(self.symmetry)],
            distance: self.distance + 1 - (nearer + not_farther) as u8,
        }
    }
}

/// One direction, with everything the two-phase search starts from.
#[derive(Clone, Debug)]
pub struct Direction {
    /// The axis of the subgroup.
    pub axis: Axis,
    /// Whether it is the inverse cube that is searched.
    pub inverse: bool,
    /// Phase-1 coordinates.
    pub start: Node,
    /// Corner permutation.
    pub corner_perm: u16,
    /// Sorted slice.
    pub slice_sorted: u16,
    /// U-layer edges.
    pub u_edges: u16,
    /// D-layer edges.
    pub d_edges: u16,
}

impl Direction {
    /// All six, the three of the cube first.
    pub fn all(tables: &Tables, cube: &Cube) -> [Self; 6] {
        let inverse = cube.inverse();
        std::array::from_fn(|i| {
            let axis = Axis::ALL[i % Axis::COUNT];
            let is_inverse = i >= Axis::COUNT;
            Self::new(tables, axis, is_inverse, &along(axis, if is_inverse { &inverse } else { cube }))
        })
    }

    fn new(tables: &Tables, axis: Axis, inverse: bool, cube: &Cube) -> Self {
        // All of these have a value on every cube.
        let value = |coordinate: &Descriptor| (coordinate.index)(cube).unwrap_or_default();
        let opened = tables.opened();
        let flip_slice = SymCoordinate::unpack(opened.u32s(Id::FlipSliceClass)[value(&FLIP_SLICE) as usize]);
        let twist = opened.u16s(Id::TwistConjugate)[value(&TWIST) as usize * 16 + usize::from(flip_slice.symmetry)];
        let distance = tables.phase_one().distance(flip_slice.class, twist);
        Self {
            axis,
            inverse,
            start: Node { class: flip_slice.class, twist, symmetry: flip_slice.symmetry, distance },
            corner_perm: value(&CORNER_PERM) as u16,
            slice_sorted: value(&SLICE_SORTED) as u16,
            u_edges: value(&U_EDGES) as u16,
            d_edges: value(&D_EDGES) as u16,
        }
    }

    /// The solution of the caller's cube from one of the cube as this direction sees it.
    pub fn translate(&self, moves: &[Move]) -> Vec<Move> {
        let back = (0..self.axis.index()).fold(Symmetry::IDENTITY, |s, _| s.then(Symmetry::DIAGONAL)).inverse();
        let seen: Vec<Move> = moves.iter().map(|&m| back.conjugate_move(m)).collect();
        if self.inverse { invert(&seen) } else { seen }
    }
}
