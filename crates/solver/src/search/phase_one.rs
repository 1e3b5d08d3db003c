//! Nodes of phase 1, the trait of the tables that expand them, and the directions of a search: three axes, for the cube and for its inverse.
//!
//! A phase-1 node stores its coordinates in the frame of the representative of its class. It also stores the symmetry S
//! for which `S * x * S^-1` is the representative. A move t in that frame is the move `S^-1 t S` of the cube.
#![allow(clippy::cast_possible_truncation)] // symmetries, distances and packed parts fit in their types

use std::sync::LazyLock;

use crate::coord::bytes::Orientation;
use crate::symmetry::SymCoordinate;
use crate::tables::pruning::phase_one::{MoveEffects, Neighbours, PhaseOne};
use crate::tables::set::ByProfile;
use crate::tables::tiny::pairs::{self, PairNode, Pairs, symmetry_index};
use crate::tables::{Id, Tables, prefetch};
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{Axis, ByteConjugation, ByteCube, Cube, Move, Moves, Symmetry};

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

/// The last move of a node at the root, where no move was made.
pub const NO_MOVE: u8 = Move::COUNT as u8;

/// Conversion tables, small enough for the first-level cache.
pub struct Frames {
    /// Move of the cube, by symmetry and move of the representative.
    pub to_cube: [[u8; Move::COUNT]; 16],
    /// Move of the representative, by symmetry and move of the cube.
    pub to_representative: [[u8; Move::COUNT]; 16],
    /// Moves of the representative that may follow in canonical order, as a mask, by symmetry and last move of the cube
    /// (or [`NO_MOVE`]).
    pub followers: [[u32; Move::COUNT + 1]; 16],
    /// Products of symmetries: `[a][b]` is first `a`, then `b`.
    pub products: [[u8; 16]; 16],
}

/// The tables.
pub static FRAMES: Frames = {
    let mut frames = Frames {
        to_cube: [[0; Move::COUNT]; 16],
        to_representative: [[0; Move::COUNT]; 16],
        followers: [[0; Move::COUNT + 1]; 16],
        products: [[0; 16]; 16],
    };
    let mut s = 0;
    while s < Symmetry::KEEPING_UD {
        let symmetry = Symmetry::try_from_index(s).expect("one of the 48");
        let mut mv = 0;
        while mv < Move::COUNT {
            let seen = symmetry.conjugate_move(Move::ALL[mv]).index();
            frames.to_representative[s][mv] = seen as u8;
            frames.to_cube[s][seen] = mv as u8;
            frames.followers[s][Move::COUNT] |= 1 << seen;
            let mut last = 0;
            while last < Move::COUNT {
                if Move::ALL[mv].may_follow(Move::ALL[last]) {
                    frames.followers[s][last] |= 1 << seen;
                }
                last += 1;
            }
            mv += 1;
        }
        let mut t = 0;
        while t < Symmetry::KEEPING_UD {
            let next = Symmetry::try_from_index(t).expect("one of the 48");
            frames.products[s][t] = symmetry.then(next).index() as u8;
            t += 1;
        }
        s += 1;
    }
    frames
};

/// Conjugation that brings the next axis to UD. The diagonal symmetry is a rotation, so there is one.
static NEXT_AXIS: LazyLock<Option<ByteConjugation>> = LazyLock::new(|| ByteConjugation::of(Symmetry::DIAGONAL));

/// The symmetries that bring each axis to UD.
const TO_UD: [Symmetry; Axis::COUNT] =
    [Symmetry::IDENTITY, Symmetry::DIAGONAL, Symmetry::DIAGONAL.then(Symmetry::DIAGONAL)];

/// One direction: the starting point of a two-phase search. With some turns only, there may be fewer than six.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// Axis of the subgroup.
    pub axis: Axis,
    /// Whether the inverse cube is searched.
    pub inverse: bool,
    /// The cube or its inverse, conjugated so that the axis lies along UD, and the allowed turns are the turns of the tables.
    pub cube: ByteCube,
    /// The symmetry by which it is conjugated.
    pub(crate) symmetry: Symmetry,
    /// Phase-1 coordinates.
    pub start: PhaseOneNode,
}

impl Direction {
    /// Returns all six directions, the three of the cube first.
    pub fn all(tables: &Tables, cube: &Cube) -> [Self; 6] {
        let sides = [ByteCube::of(cube), ByteCube::of(&cube.inverse())];
        let cubes = NEXT_AXIS.as_ref().map_or([sides[0]; 6], |next_axis| dispatch(Along { sides, next_axis }));
        let mut directions = std::array::from_fn(|i| Self {
            axis: Axis::ALL[i % Axis::COUNT],
            inverse: i >= Axis::COUNT,
            cube: cubes[i],
            symmetry: TO_UD[i % Axis::COUNT],
            start: PhaseOneNode::default(),
        });
        PhaseOneNode::of_each(tables, &mut directions, |direction| (&direction.cube, &mut direction.start));
        directions
    }

    /// Returns the directions of some axes, on the cube first. Each axis has the symmetry that brings it to UD. `start` computes the
    /// phase-1 coordinates.
    pub(crate) fn of_frames(
        frames: &[(Axis, Symmetry)],
        cube: &Cube,
        start: impl Fn(&Cube) -> PhaseOneNode,
    ) -> Vec<Self> {
        let direction = |inverse: bool, cube: Cube, (axis, symmetry): (Axis, Symmetry)| {
            let cube = symmetry.conjugate(&cube);
            Self { axis, inverse, cube: ByteCube::of(&cube), symmetry, start: start(&cube) }
        };
        let sides = [(false, *cube), (true, cube.inverse())];
        let all = sides.into_iter().flat_map(|(inverse, cube)| frames.iter().map(move |frame| (inverse, cube, *frame)));
        all.map(|(inverse, cube, frame)| direction(inverse, cube, frame)).collect()
    }

    /// Returns a lower bound on the distance from solved: the greatest phase-1 distance. The last move of a solution lies in
    /// G1 of its own axis. So if the distances along all three axes are equal and not 0, the bound is that distance plus one.
    pub(crate) fn lower_bound(directions: &[Self]) -> u8 {
        let axes = directions.len() / 2;
        let bound = |side: &[Self]| {
            let distances = || side.iter().map(|direction| direction.start.distance);
            let least = distances().min().unwrap_or(0);
            distances().max().unwrap_or(0).max(if least > 0 && axes == Axis::COUNT { least + 1 } else { 0 })
        };
        directions.chunks(axes).map(bound).max().unwrap_or(0)
    }

    /// Translates a solution of [`Direction::cube`] into a solution of the original cube.
    pub(crate) fn translate(&self, moves: &[Move]) -> Moves {
        let back = self.symmetry.inverse();
        let seen: Moves = moves.iter().map(|&mv| back.conjugate_move(mv)).collect();
        if self.inverse { seen.inverse() } else { seen }
    }
}

/// The cube and its inverse, along each axis.
struct Along<'a> {
    sides: [ByteCube; 2],
    next_axis: &'a ByteConjugation,
}

impl Kernel for Along<'_> {
    type Output = [ByteCube; 6];

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> [ByteCube; 6] {
        let [cube, inverse] = self.sides;
        let mut out = [cube, cube, cube, inverse, inverse, inverse];
        for first in [0, Axis::COUNT] {
            for axis in first + 1..first + Axis::COUNT {
                out[axis] = self.next_axis.apply(simd, &out[axis - 1]);
            }
        }
        out
    }
}
