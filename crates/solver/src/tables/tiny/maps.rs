//! What moves and symmetries do to the flip, and to the entries of the phase-1 tables of `tiny`.

use super::pairs::{SYMMETRIES, symmetry, value};
use crate::coord::{FLIP, SLICE, rank};
use superflip_cube::{Cube, Edge, Face, Move, Symmetry};

/// Action of a move or a symmetry on the flip.
pub(super) struct FlipMap {
    low: [u16; 64],
    high: [u16; 32],
}

impl FlipMap {
    pub(super) fn new(map: impl Fn(Cube) -> Cube) -> Self {
        let of = |flip: u32| value(&FLIP, &map((FLIP.representative)(flip))) as u16;
        let constant = of(0);
        let images: [u16; 11] = std::array::from_fn(|bit| of(1 << bit) ^ constant);
        let linear = |bits: usize, images: &[u16]| {
            images.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).fold(0, |sum, (_, image)| sum ^ image)
        };
        Self {
            low: std::array::from_fn(|bits| linear(bits, &images[..6]) ^ constant),
            high: std::array::from_fn(|bits| linear(bits, &images[6..])),
        }
    }

    /// Returns the image of each flip.
    pub(super) fn table(&self) -> Vec<u16> {
        self.high.iter().flat_map(|high| self.low.map(|low| low ^ high)).collect()
    }

    /// Returns the map that applies this one first, and then the other.
    pub(super) fn then(&self, next: &Self) -> Self {
        let both = |flip: usize| next.of(self.of(flip as u16));
        Self { low: std::array::from_fn(both), high: std::array::from_fn(|bits| both(bits << 6) ^ both(0)) }
    }

    #[inline]
    pub(super) fn of(&self, flip: u16) -> u16 {
        self.low[usize::from(flip % 64)] ^ self.high[usize::from(flip / 64 % 32)]
    }
}

/// Action of the moves and the symmetries on the slice.
pub(super) struct SliceMaps {
    /// Slice after each of the 18 moves.
    pub(super) moves: Vec<u16>,
    /// Slice seen through each of the eight symmetries.
    pub(super) conjugates: Vec<u16>,
}

impl SliceMaps {
    pub(super) fn new() -> Self {
        // A slice as a set of slots.
        let set = |marked: [bool; 12]| (0..12).fold(0, |set, slot| set | usize::from(marked[slot]) << slot);
        let sets: Vec<usize> = (0..SLICE.size).map(|slice| set(rank::four_slots_unrank(slice))).collect();
        let mut slices = vec![0; 1 << 12];
        (0..).zip(&sets).for_each(|(slice, &set)| slices[set] = slice);
        // The slot from which the content of each slot comes.
        let moves = Move::ALL.map(|mv| mv.cube().edges().map(Edge::index));
        let conjugates: [[usize; 12]; SYMMETRIES] =
            std::array::from_fn(|kept| Edge::ALL.map(|slot| symmetry(kept).inverse().conjugate_edge(slot).index()));
        let image = |set: usize, from: &[usize; 12]| {
            slices[from.iter().rev().fold(0, |image, from| image << 1 | set >> from & 1)]
        };
        let images = |maps: &[[usize; 12]]| {
            sets.iter()
                .flat_map(|&set| maps.iter().map(move |from| (set, from)))
                .map(|(set, from)| image(set, from))
                .collect()
        };
        Self { moves: images(&moves), conjugates: images(&conjugates) }
    }
}

/// Translates an entry from the frame of a representative to the frame before the symmetry, six bits at a time.
pub(super) struct EntryMap([[u32; 64]; 4]);

impl EntryMap {
    pub(super) fn new(symmetry: Symmetry) -> Self {
        // The image of each bit: 18 moves, then six faces.
        let mut images = [0; 24];
        for mv in Move::ALL {
            images[symmetry.conjugate_move(mv).index()] = mv.index();
            let of_face = |face: Face| Move::COUNT + face.index();
            images[of_face(symmetry.conjugate_move(mv).face())] = of_face(mv.face());
        }
        Self(std::array::from_fn(|part| {
            std::array::from_fn(|bits: usize| {
                (0..6).filter(|bit| bits >> bit & 1 == 1).fold(0, |sum, bit| sum | 1 << images[6 * part + bit])
            })
        }))
    }

    #[inline]
    pub(super) fn of(&self, entry: u32) -> u32 {
        let part = |part: usize| self.0[part][(entry >> (6 * part)) as usize % 64];
        part(0) | part(1) | part(2) | part(3)
    }
}
