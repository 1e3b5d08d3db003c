//! The phase-2 pruning tables: how far a cube of G1 is from solved, seen through two of its three parts.
//!
//! | table | parts | entries | in |
//! | --- | --- | --- | --- |
//! | `phase_two` | corner classes (2768) x permutation of the U and D edges (40320) | 111 605 760 | `standard` |
//! | `phase_two_corners` | corner permutation (40320) x order of the slice edges (24) | 967 680 | both |
//! | `phase_two_edges` | permutation of the U and D edges (40320) x order of the slice edges (24) | 967 680 | `small` |
//!
//! Each is exact for its parts, four bits an entry, distances above 15 stored as 15. The corner table is half a
//! megabyte and stays near the core: it turns most candidates away before the large one is touched.

use super::product::Distances;
use crate::coord::{CORNER_PERM, SLICE_SORTED};
use crate::cube::Move;

/// Orders of the four slice edges inside G1.
pub const SLICE_ORDERS: usize = 24;
/// The largest distance that four bits hold.
pub const CAP: u8 = 15;

/// Distances over a permutation of eight pieces times the order of the slice edges, at `24 * permutation + order`.
///
/// `moves` holds for each permutation the one after each of the ten turns of phase 2 at `stride * permutation +
/// offset(turn)`; `slice_moves` is the move table of the sorted slice.
pub fn with_slice_orders(
    moves: &[u16],
    stride: usize,
    offset: impl Fn(usize, Move) -> usize,
    slice_moves: &[u16],
) -> Distances {
    const UNSEEN: u8 = u8::MAX;
    let mut entries = vec![UNSEEN; CORNER_PERM.size as usize * SLICE_ORDERS];
    entries[0] = 0;
    let mut histogram = Vec::new();
    let mut frontier = vec![0_usize];
    while !frontier.is_empty() {
        histogram.push(frontier.len() as u64);
        let depth = histogram.len() as u8;
        let mut next = Vec::new();
        for at in frontier {
            let (permutation, order) = (at / SLICE_ORDERS, at % SLICE_ORDERS);
            for (number, &turn) in Move::PHASE_TWO.iter().enumerate() {
                let permutation = usize::from(moves[permutation * stride + offset(number, turn)]);
                let order = usize::from(slice_moves[order * SLICE_SORTED_TURNS + turn.index()]);
                let to = permutation * SLICE_ORDERS + order;
                if entries[to] == UNSEEN {
                    entries[to] = depth;
                    next.push(to);
                }
            }
        }
        frontier = next;
    }
    debug_assert!(SLICE_SORTED.size as usize * SLICE_SORTED_TURNS == slice_moves.len());
    Distances { entries, entry_histogram: histogram.clone(), depth_histogram: histogram }
}

const SLICE_SORTED_TURNS: usize = Move::COUNT;
