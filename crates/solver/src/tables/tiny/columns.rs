//! What moves and symmetries do inside G1: to the columns of the phase-2 tables of `tiny`, and to the moves themselves.

use super::inside::{MOVES, SYMMETRIES};
use crate::coord::SLICE_SORTED;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::{Cube, Face, Move, Symmetry};

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

    /// Returns the sets of four slots out of eight that hold the U pieces. `source` is the slot from which a move brings a
    /// piece to a slot, `image` the image of a slot under a symmetry.
    pub(super) fn places(
        sets: &[u8],
        ranks: &[u8; 256],
        source: impl Fn(&Cube, usize) -> usize,
        image: impl Fn(Symmetry, usize) -> usize,
    ) -> Self {
        let is_in = |set: u8, slot: usize| set >> slot & 1;
        let moved = |set: u8, mv: Move| (0..8).fold(0, |to, slot| to | is_in(set, source(mv.cube(), slot)) << slot);
        let seen = |set: u8, s: Symmetry| {
            let seen = (0..8).fold(0, |to, slot| to | is_in(set, slot) << image(s, slot));
            // If the symmetry exchanges the layers, these are the places of the D pieces.
            if s.conjugate_move(Move::U).face() == Face::D { !seen } else { seen }
        };
        let rank = |set: u8| ranks[usize::from(set)];
        Self {
            moves: sets.iter().flat_map(|&set| Move::PHASE_TWO.map(|mv| rank(moved(set, mv)))).collect(),
            conjugates: sets
                .iter()
                .flat_map(|&set| Symmetry::all().take(SYMMETRIES).map(move |s| (set, s)))
                .map(|(set, s)| rank(seen(set, s)))
                .collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.conjugates.len() / SYMMETRIES
    }

    pub(super) fn bytes(&self) -> usize {
        self.moves.len() + self.conjugates.len()
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

/// Action of one symmetry on moves and symmetries.
pub(super) struct Frame {
    /// Number of the move in the frame of the representative.
    pub(super) seen: [u8; MOVES],
    /// Moves in the frame of the cube, for a mask of moves in the frame of the representative.
    pub(super) masks: [u16; 1 << MOVES],
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
            masks: std::array::from_fn(|mask: usize| {
                (0..MOVES).fold(0, |moves, number| moves | ((mask >> seen[number] & 1) as u16) << number)
            }),
            products,
        }
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
