//! Nodes of phase 1, and the tables that rule them.

use super::frames::FRAMES;
use crate::coord::{Descriptor, FLIP_SLICE, TWIST};
use crate::symmetry::SymCoordinate;
use crate::tables::pruning::phase_one::{MoveEffects, PhaseOne};
use crate::tables::{Id, Tables, prefetch};
use superflip_cube::Cube;

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
}

/// The phase-1 tables of a profile, as a search reads them.
pub trait PhaseOneTables: Copy {
    /// What a node's entry says about the moves.
    type Effects: Copy;

    /// Prefetches the entries that [`PhaseOneTables::move_effects`] reads.
    fn prefetch(&self, node: &PhaseOneNode);

    /// Reads the effects of the moves on the distance.
    fn move_effects(&self, node: &PhaseOneNode) -> Self::Effects;

    /// Returns the moves after which the distance is below `moves_left`, in the frame of the representative.
    fn useful(&self, node: &PhaseOneNode, effects: &Self::Effects, moves_left: u8) -> u32;

    /// Returns the node after a move of the representative's frame.
    #[must_use]
    fn after(&self, node: &PhaseOneNode, effects: &Self::Effects, mv: usize) -> PhaseOneNode;
}

impl PhaseOneTables for PhaseOne<'_> {
    type Effects = MoveEffects;

    #[inline]
    fn prefetch(&self, node: &PhaseOneNode) {
        PhaseOne::prefetch(self, node.class, node.twist);
    }

    #[inline]
    fn move_effects(&self, node: &PhaseOneNode) -> MoveEffects {
        PhaseOne::move_effects(self, node.class, node.twist)
    }

    #[inline]
    fn useful(&self, node: &PhaseOneNode, effects: &MoveEffects, moves_left: u8) -> u32 {
        effects.below(node.distance, moves_left)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the sum of two bits
    fn after(&self, node: &PhaseOneNode, effects: &MoveEffects, mv: usize) -> PhaseOneNode {
        let (class, twist, relative) = PhaseOne::after(self, node.class, node.twist, mv);
        PhaseOneNode {
            class,
            twist,
            symmetry: FRAMES.products[usize::from(relative)][usize::from(node.symmetry)],
            distance: effects.distance_after(node.distance, mv),
        }
    }
}
