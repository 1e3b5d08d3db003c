//! What moves and symmetries do inside G1: to the columns of the phase-2 tables of `tiny`, and to the moves themselves.

use super::inside::{MOVES, SYMMETRIES};
use crate::coord::SLICE_SORTED;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::{Cube, Move, Symmetry};

/// The columns of a table of phase 2, at most 256.
pub(super) struct Columns {
    /// Column after each of the ten moves.
    pub(super) moves: Vec<u8>,
    /// Column seen through each of the 16 symmetries.
    pub(super) conjugates: Vec<u8>,
}

impl Columns {
    /// Returns the orders of the slice edges.
    pub(super) fn slice() -> Self {
        let of = |cube: &Cube| (SLICE_SORTED.index)(cube).unwrap_or_default() as u8;
        let cubes: Vec<Cube> = (0..SLICE_ORDERS as u32).map(SLICE_SORTED.representative).collect();
        Self {
            moves: cubes.iter().flat_map(|cube| Move::PHASE_TWO.map(|mv| of(&cube.then(mv.cube())))).collect(),
            conjugates: cubes
                .iter()
                .flat_map(|cube| Symmetry::all().take(SYMMETRIES).map(|s| of(&s.conjugate(cube))))
                .collect(),
        }
    }

    /// Returns the sets of four slots out of eight that hold the pieces of the solved set. A symmetry maps the solved set to
    /// itself or to its complement. `source` is the slot from which a move brings a piece to a slot, `image` the image of a
    /// slot under a symmetry.
    pub(super) fn places(
        sets: &FourOfEight,
        source: impl Fn(&Cube, usize) -> usize,
        image: impl Fn(Symmetry, usize) -> usize,
    ) -> Self {
        let is_in = |set: u8, slot: usize| set >> slot & 1;
        let moved = |set: u8, mv: Move| (0..8).fold(0, |to, slot| to | is_in(set, source(mv.cube(), slot)) << slot);
        let images = |set: u8, s: Symmetry| (0..8).fold(0, |to, slot| to | is_in(set, slot) << image(s, slot));
        let seen = |set: u8, s: Symmetry| {
            let is_kept = images(sets.solved(), s) == sets.solved();
            // Otherwise these are the places of the other four pieces.
            if is_kept { images(set, s) } else { !images(set, s) }
        };
        Self {
            moves: sets.all().flat_map(|set| Move::PHASE_TWO.map(|mv| sets.rank(moved(set, mv)))).collect(),
            conjugates: sets
                .all()
                .flat_map(|set| Symmetry::all().take(SYMMETRIES).map(move |s| (set, s)))
                .map(|(set, s)| sets.rank(seen(set, s)))
                .collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.conjugates.len() / SYMMETRIES
    }

    #[inline]
    pub(super) fn after(&self, column: u8, number: usize) -> u8 {
        self.moves[usize::from(column) * MOVES + number]
    }

    /// Returns the index of the entry in the row of a class, where the column is seen through its symmetry.
    #[inline]
    pub(super) fn entry(&self, packed: u16, column: u8) -> usize {
        let (class, symmetry) = (usize::from(packed) / SYMMETRIES, usize::from(packed) % SYMMETRIES);
        class * self.count() + usize::from(self.conjugates[usize::from(column) * SYMMETRIES + symmetry])
    }
}

/// The 70 sets of four slots out of eight, by their ranks. The solved set has rank 0.
pub(super) struct FourOfEight {
    sets: Vec<u8>,
    ranks: [u8; 256],
}

impl FourOfEight {
    pub(super) fn new(solved: u8) -> Self {
        let others = (0..=u8::MAX).filter(|&set| set.count_ones() == 4 && set != solved);
        let sets: Vec<u8> = std::iter::once(solved).chain(others).collect();
        let mut ranks = [0; 256];
        (0..).zip(&sets).for_each(|(rank, &set)| ranks[usize::from(set)] = rank);
        Self { sets, ranks }
    }

    pub(super) fn solved(&self) -> u8 {
        self.sets[0]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = u8> {
        self.sets.iter().copied()
    }

    #[inline]
    pub(super) fn rank(&self, set: u8) -> u8 {
        self.ranks[usize::from(set)]
    }

    /// Returns the rank of the slots that hold the pieces of the solved set.
    #[inline]
    pub(super) fn of(&self, pieces: [u8; 8]) -> u8 {
        self.rank((0..8).fold(0, |set, slot| set | (self.solved() >> pieces[slot] & 1) << slot))
    }
}

/// Half the number of moves.
const HALF: usize = MOVES / 2;
/// Number of masks of half the moves.
const HALF_MASKS: usize = 1 << HALF;

/// Action of one symmetry on moves and symmetries.
pub(super) struct Frame {
    /// Number of the move in the frame of the representative.
    pub(super) seen: [u8; MOVES],
    /// Moves in the frame of the cube, for the lower and the upper half of a mask of moves in the frame of the representative.
    masks: [[u16; HALF_MASKS]; 2],
    /// Symmetry of the child, by the symmetry that the class move table returns.
    pub(super) products: [u8; SYMMETRIES],
}

impl Frame {
    pub(super) fn new(symmetry: Symmetry) -> Self {
        let number_of = |mv: Move| Move::PHASE_TWO.iter().position(|&other| other == mv).unwrap_or_default();
        let seen = Move::PHASE_TWO.map(|mv| number_of(symmetry.conjugate_move(mv)) as u8);
        let mut products = [0; SYMMETRIES];
        for (relative, product) in Symmetry::all().zip(&mut products) {
            *product = relative.then(symmetry).index() as u8;
        }
        Self {
            seen,
            masks: std::array::from_fn(|half| {
                std::array::from_fn(|mask: usize| {
                    let mask = mask << (half * HALF);
                    (0..MOVES).fold(0, |moves, number| moves | ((mask >> seen[number] & 1) as u16) << number)
                })
            }),
            products,
        }
    }

    /// Translates a mask of moves from the frame of the representative to that of the cube.
    #[inline]
    pub(super) fn mask(&self, seen: u32) -> u32 {
        let half = |half: usize| u32::from(self.masks[half][seen as usize >> (half * HALF) & (HALF_MASKS - 1)]);
        half(0) | half(1)
    }
}

/// Mask of all ten moves.
pub(super) const ALL: u32 = (1 << MOVES) - 1;

/// The moves of phase 2 of each set of faces.
pub(super) static FACES_TO_MOVES: [u32; 64] = {
    let mut out = [0; 64];
    let mut faces = 0;
    while faces < 64 {
        let mut number = 0;
        while number < MOVES {
            if faces >> (Move::PHASE_TWO[number].face() as usize) & 1 == 1 {
                out[faces] |= 1 << number;
            }
            number += 1;
        }
        faces += 1;
    }
    out
};
