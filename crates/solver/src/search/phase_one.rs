//! Nodes of phase 1, and the trait of the tables that expand them.
#![allow(clippy::cast_possible_truncation)] // symmetries, distances and packed parts fit in their types

use crate::coord::bytes::Orientation;
use crate::search::frames::FRAMES;
use crate::symmetry::SymCoordinate;
use crate::tables::pruning::phase_one::{MoveEffects, Neighbours, PhaseOne};
use crate::tables::set::ByProfile;
use crate::tables::tiny::pairs::{self, PairNode, Pairs, symmetry_index};
use crate::tables::{Id, Tables, prefetch};
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, Cube};

/// A node of phase 1, in the frame of its representative.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhaseOneNode {
    /// Class of flip x slice. In the tiny profile twist class, slice and three distances, packed.
    pub class: u32,
    /// Twist in the frame of the representative; in the tiny profile the flip.
    pub twist: u16,
    /// Symmetry S for which `S * x * S^-1` is the representative.
    pub symmetry: u8,
    /// Exact number of moves to G1; in the tiny profile a lower bound, which is 0 only in G1.
    pub distance: u8,
}

impl PhaseOneNode {
    /// Computes the node of a cube, for phase 1 along UD.
    pub fn of(tables: &Tables, cube: &Cube) -> Self {
        let mut item = [(ByteCube::of(cube), Self::default())];
        Self::of_each(tables, &mut item, |(cube, node)| (cube, node));
        item[0].1
    }

    /// Computes the node of each item from its cube, for phase 1 along UD. `parts` returns both. Each of the three tables is
    /// prefetched for all items before the first read.
    pub(crate) fn of_each<T>(tables: &Tables, items: &mut [T], parts: impl Fn(&mut T) -> (&ByteCube, &mut Self)) {
        dispatch(RawNodes { items, parts: &parts });
        let (phase_one, opened) = match tables.by_profile() {
            ByProfile::Mapped { phase_one, opened, .. } => (phase_one, opened),
            ByProfile::Tiny(tiny) => {
                for item in items {
                    let node = parts(item).1;
                    let (pairs, kept) = tiny.pairs.node(node.orientation());
                    *node = Self::of_pairs(pairs, symmetry_index(kept) as u8);
                }
                return;
            }
        };
        let (classes, conjugates) = (opened.u32s(Id::FlipSliceClass), opened.u16s(Id::TwistConjugate));
        for item in &mut *items {
            prefetch::read(classes, parts(item).1.class as usize);
        }
        for item in &mut *items {
            let node = parts(item).1;
            let to = SymCoordinate::unpack(classes[node.class as usize]);
            let twist = conjugates[usize::from(node.twist) * 16 + usize::from(to.symmetry)];
            *node = Self { class: to.class, twist, symmetry: to.symmetry, distance: 0 };
            phase_one.prefetch_distance(to.class, twist);
        }
        for item in items {
            let node = parts(item).1;
            node.distance = phase_one.distance(node.class, node.twist);
        }
    }

    /// Stores the values of a cube, from which its node is computed.
    #[inline(always)]
    fn of_orientation(cube: Orientation) -> Self {
        Self { class: cube.flip_slice(), twist: cube.twist, symmetry: 0, distance: 0 }
    }

    /// Returns what [`PhaseOneNode::of_orientation`] stored.
    fn orientation(self) -> Orientation {
        Orientation { twist: self.twist, flip: self.class as u16 & 0x7ff, slice: (self.class >> 11) as u16 }
    }

    /// Packs a node of the tables in pairs.
    #[inline]
    fn of_pairs(node: PairNode, symmetry: u8) -> Self {
        let [first, second, third] = node.distances;
        let distances = u32::from(first) | u32::from(second) << 4 | u32::from(third) << 8;
        Self {
            class: u32::from(node.twist) | u32::from(node.slice) << 9 | distances << 18,
            twist: node.flip,
            symmetry,
            distance: first.max(second).max(third),
        }
    }

    /// Unpacks what [`PhaseOneNode::of_pairs`] packed.
    #[inline]
    fn pairs(self) -> PairNode {
        let distance = |pair: u32| (self.class >> (18 + 4 * pair) & 15) as u8;
        PairNode {
            twist: (self.class & 511) as u16,
            slice: (self.class >> 9 & 511) as u16,
            flip: self.twist,
            distances: [distance(0), distance(1), distance(2)],
        }
    }
}

/// Reads the values off the cube of each item.
struct RawNodes<'a, T, P> {
    items: &'a mut [T],
    parts: &'a P,
}

impl<T, P: Fn(&mut T) -> (&ByteCube, &mut PhaseOneNode)> Kernel for RawNodes<'_, T, P> {
    type Output = ();

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) {
        for item in self.items {
            let (cube, node) = (self.parts)(item);
            *node = PhaseOneNode::of_orientation(Orientation::of(simd, cube));
        }
    }
}

/// The phase-1 tables of a profile, as a search reads them.
pub trait PhaseOneTables: Copy {
    /// Change of the distance under each move.
    type Effects: Copy;

    /// Prefetches what [`PhaseOneTables::prefetch_neighbours`] and [`PhaseOneTables::after`] read.
    fn prefetch(&self, node: PhaseOneNode);

    /// Returns whether the effects are read off the neighbours of a node.
    fn has_neighbours(&self) -> bool {
        false
    }

    /// Prefetches what [`PhaseOneTables::prefetched_effects`] reads and [`PhaseOneTables::prefetch`] did not.
    fn prefetch_neighbours(&self, _: PhaseOneNode, _: &mut Neighbours) {}

    /// Reads the effects of the moves on the distance of a node that both prefetched.
    fn prefetched_effects(&self, node: PhaseOneNode, _: &Neighbours) -> Self::Effects {
        self.move_effects(node)
    }

    /// Reads the effects of the moves on the distance.
    fn move_effects(&self, node: PhaseOneNode) -> Self::Effects;

    /// Returns the moves after which the distance is below `moves_left`, in the frame of the representative.
    fn useful(&self, node: PhaseOneNode, effects: &Self::Effects, moves_left: u8) -> u32;

    /// Returns the node after a move of the representative's frame.
    #[must_use]
    fn after(&self, node: PhaseOneNode, effects: &Self::Effects, mv: usize) -> PhaseOneNode;
}

impl PhaseOneTables for PhaseOne<'_> {
    type Effects = MoveEffects;

    #[inline(always)]
    fn prefetch(&self, node: PhaseOneNode) {
        PhaseOne::prefetch(self, node.class, node.twist);
    }

    #[inline(always)]
    fn has_neighbours(&self) -> bool {
        PhaseOne::has_neighbours(self)
    }

    #[inline(always)]
    fn prefetch_neighbours(&self, node: PhaseOneNode, out: &mut Neighbours) {
        PhaseOne::prefetch_neighbours(self, node.class, node.twist, out);
    }

    #[inline(always)]
    fn prefetched_effects(&self, node: PhaseOneNode, neighbours: &Neighbours) -> MoveEffects {
        PhaseOne::prefetched_effects(self, node.class, node.twist, node.distance, neighbours)
    }

    #[inline(always)]
    fn move_effects(&self, node: PhaseOneNode) -> MoveEffects {
        PhaseOne::move_effects(self, node.class, node.twist)
    }

    #[inline(always)]
    fn useful(&self, node: PhaseOneNode, effects: &MoveEffects, moves_left: u8) -> u32 {
        effects.below(node.distance, moves_left)
    }

    #[inline(always)]
    fn after(&self, node: PhaseOneNode, effects: &MoveEffects, mv: usize) -> PhaseOneNode {
        let (class, twist, relative) = PhaseOne::after(self, node.class, node.twist, mv);
        PhaseOneNode {
            class,
            twist,
            symmetry: FRAMES.products[usize::from(relative)][usize::from(node.symmetry)],
            distance: effects.distance_after(node.distance, mv),
        }
    }
}

impl PhaseOneTables for &Pairs {
    type Effects = [MoveEffects; 3];

    #[inline]
    fn prefetch(&self, node: PhaseOneNode) {
        Pairs::prefetch(self, &node.pairs());
    }

    #[inline]
    fn move_effects(&self, node: PhaseOneNode) -> [MoveEffects; 3] {
        self.effects(&node.pairs())
    }

    #[inline]
    fn useful(&self, node: PhaseOneNode, effects: &[MoveEffects; 3], moves_left: u8) -> u32 {
        pairs::useful(&node.pairs(), effects, moves_left)
    }

    #[inline]
    fn after(&self, node: PhaseOneNode, effects: &[MoveEffects; 3], mv: usize) -> PhaseOneNode {
        let (after, kept) = Pairs::after(self, &node.pairs(), effects, mv);
        PhaseOneNode::of_pairs(after, FRAMES.products[symmetry_index(kept)][usize::from(node.symmetry)])
    }
}
