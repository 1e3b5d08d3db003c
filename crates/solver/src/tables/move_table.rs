//! Tables of classes and of merged edges after each move. The move table of a coordinate is
//! [`Descriptor::move_table`].

use crate::coord::{Coordinate, DEdges, Descriptor, U_EDGES, UEdges, merge_ud_edges, rank};
use superflip_cube::Move;

/// Computes the packed sym-coordinate of each representative after each of the 18 moves.
///
/// `of_raw` and `representatives` are those of [`Classes`](crate::symmetry::Classes).
///
/// # Panics
/// When the coordinate is not valid under all moves.
pub fn class_moves(coordinate: &Descriptor, of_raw: &[u32], representatives: &[u32]) -> Vec<u32> {
    representatives
        .iter()
        .flat_map(|&raw| {
            let cube = (coordinate.representative)(raw);
            Move::ALL.iter().map(move |mv| {
                let after = (coordinate.index)(&cube.then(mv.cube())).expect("valid under all moves");
                of_raw[after as usize]
            })
        })
        .collect()
}

/// Marks entries of [`merge_table`] that no cube of G1 reads.
pub(crate) const NO_MERGE: u16 = u16::MAX;

/// Computes the table from which the permutation of the eight U and D edges is read. The row is the value of the U
/// edges (0..11880), the column the order of the D edges (0..24). Its index is `24 * u_edges + d_edges % 24`. Inside G1
/// the slots of the D edges follow from those of the U edges. An entry is [`NO_MERGE`] if a U edge is in the slice.
pub(crate) fn merge_table() -> Vec<u16> {
    (0..U_EDGES.size)
        .flat_map(|u| (0..24).map(move |order| (u, order)))
        .map(|(u, order)| {
            let d = 24 * slots_left_to_d(u / 24) + order;
            let merged = UEdges::new(u).zip(DEdges::new(d)).and_then(|(u, d)| merge_ud_edges(u, d));
            merged.and_then(|value| u16::try_from(value.index()).ok()).unwrap_or(NO_MERGE)
        })
        .collect()
}

/// Returns the rank of the U and D slots that the U edges leave free, in the numbering of the D edges. Slot s has the
/// number s + 8 modulo 12 for the U edges, and s + 4 for the D edges.
fn slots_left_to_d(u_slots: u32) -> u32 {
    let u_marked = rank::four_slots_unrank(u_slots);
    let mut d_marked = [false; 12];
    for slot in 0..8 {
        d_marked[(slot + 4) % 12] = !u_marked[(slot + 8) % 12];
    }
    // With a U edge in the slice more than four slots are marked, and the merge fails.
    rank::four_slots_rank(&d_marked)
}
