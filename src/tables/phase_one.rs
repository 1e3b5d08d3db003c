//! The phase-1 pruning table: flip x slice class (64430) times twist (2187), 140 908 410 entries.
//!
//! The search asks one thing of an entry: which of the 18 turns lead nearer to G1, and which at least not farther away.
//! Two layouts answer it; both are exact.
//!
//! **Masked** (`standard`, 32 bits an entry, 564 MB): the answer itself, so that a node costs one read and no child
//! that is too far is ever made.
//!
//! ```text
//! bit  31..28   27..24     23..18            17..0
//!      unused   distance   away, per face    changes, per turn
//! ```
//!
//! Two turns of one face differ by a turn of that face, so the distances they lead to differ by at most one: within one
//! face some turns may lead nearer or some farther, never both. One bit per turn says that the distance changes, one
//! per face in which direction.
//!
//! **Residues** (`small`, 2 bits an entry, 35 MB): the distance modulo 3. A neighbour's distance differs by at most
//! one, so its residue tells nearer, level or farther; the search knows the distance of the node it stands on. A node
//! costs 18 reads, but they are independent of one another.
//!
//! Turns in both are those of the representative's frame.

use std::ops::Range;

use rayon::prelude::*;

use super::product::{Product, Shuffles};
use crate::cube::Move;

/// Number of entries of one row.
pub const TWISTS: usize = 2187;

/// All 18 turns.
pub const ALL_TURNS: u32 = (1 << Move::COUNT) - 1;

/// `SPREAD[faces]` repeats the bit of each face for its three turns.
static SPREAD: [u32; 64] = {
    let mut out = [0; 64];
    let mut faces = 0;
    while faces < 64 {
        let mut face = 0;
        while face < 6 {
            if faces >> face & 1 == 1 {
                out[faces] |= 0b111 << (3 * face);
            }
            face += 1;
        }
        faces += 1;
    }
    out
};

/// What an entry says about the 18 turns, one bit each in move order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// Turns after which the distance is one less.
    pub nearer: u32,
    /// Turns after which it is not greater.
    pub not_farther: u32,
}

impl Steps {
    /// Reads a masked entry.
    #[inline]
    pub fn of_masked(entry: u32) -> Self {
        let changes = entry & ALL_TURNS;
        let away = SPREAD[(entry >> 18 & 63) as usize];
        Self { nearer: changes & !away, not_farther: ALL_TURNS & !(changes & away) }
    }
}

/// The distance 0..=12 in a masked entry.
#[inline]
pub const fn masked_distance(entry: u32) -> u8 {
    (entry >> 24 & 15) as u8
}

/// Works out the masked entries of some rows from the distances.
pub fn masked_rows(product: &Product<'_>, shuffles: &Shuffles, distances: &[u8], rows: Range<usize>) -> Vec<u32> {
    let mut out: Vec<u32> =
        distances[rows.start * TWISTS..rows.end * TWISTS].iter().map(|&distance| u32::from(distance) << 24).collect();
    out.par_chunks_mut(TWISTS).zip(rows).with_min_len(16).for_each(|(entries, row)| {
        for neighbours in product.neighbour_rows(shuffles, distances, row) {
            let changes = 1 << neighbours.turn.index();
            let away = 1 << (18 + neighbours.turn.face().index());
            for (entry, (own, other)) in entries.iter_mut().zip(neighbours.pairs()) {
                *entry |= if other == own { 0 } else { changes };
                *entry |= if other > own { away } else { 0 };
            }
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_entry_separates_nearer_level_and_farther() {
        // U nearer, U2 level, U' nearer; R farther, R2 farther, R' level; all others level; distance 9.
        let entry = 9 << 24 | 0b00_0010 << 18 | 0b011_101;
        let steps = Steps::of_masked(entry);
        assert_eq!(steps.nearer, 0b101);
        assert_eq!(steps.not_farther, ALL_TURNS & !0b011_000);
        assert_eq!(masked_distance(entry), 9);
    }
}
