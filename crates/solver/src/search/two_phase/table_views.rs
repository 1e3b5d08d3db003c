//! Views of the tables that a two-phase search reads.

use crate::tables::move_table::NO_MERGE;
use crate::tables::pruning::phase_one::PhaseOne;
use crate::tables::pruning::phase_two::PhaseTwo;
use crate::tables::{Id, Tables, prefetch};
use superflip_cube::Move;

/// Views of the tables, taken once per search.
#[derive(Clone, Copy)]
pub(crate) struct TableViews<'t> {
    /// Phase-1 distances and moves.
    pub(crate) phase_one: PhaseOne<'t>,
    /// Phase-2 distances.
    pub(crate) phase_two: PhaseTwo<'t>,
    corner_moves: &'t [u16],
    slice_moves: &'t [u16],
    u_edges_moves: &'t [u16],
    d_edges_moves: &'t [u16],
    ud_edges_moves: &'t [u16],
    merge: &'t [u16],
}

impl<'t> TableViews<'t> {
    /// Takes the views.
    pub(crate) fn new(tables: &'t Tables) -> Self {
        let opened = tables.opened();
        Self {
            phase_one: tables.phase_one(),
            phase_two: tables.phase_two(),
            corner_moves: opened.u16s(Id::CornerPermMove),
            slice_moves: opened.u16s(Id::SliceSortedMove),
            u_edges_moves: opened.u16s(Id::UEdgesMove),
            d_edges_moves: opened.u16s(Id::DEdgesMove),
            ud_edges_moves: opened.u16s(Id::UdEdgesMove),
            merge: opened.u16s(Id::UdEdgesMerge),
        }
    }

    /// Returns corner permutation and sorted slice after a move.
    #[inline]
    pub(crate) fn corners_and_slice(&self, corners: u16, slice: u16, mv: usize) -> (u16, u16) {
        (
            self.corner_moves[usize::from(corners) * Move::COUNT + mv],
            self.slice_moves[usize::from(slice) * Move::COUNT + mv],
        )
    }

    /// Prefetches the corner row that [`TableViews::corners_and_slice`] reads. The corner table is the largest of the
    /// move tables that are expected to stay in the shared cache. Other programs may evict it.
    #[inline]
    pub(crate) fn prefetch_corners(&self, corners: u16) {
        let row = usize::from(corners) * Move::COUNT;
        // More than half of the rows span two cache lines.
        prefetch::read(self.corner_moves, row);
        prefetch::read(self.corner_moves, row + Move::COUNT - 1);
    }

    /// Returns U-layer and D-layer edges after a move.
    #[inline]
    pub(crate) fn layers(&self, u: u16, d: u16, mv: usize) -> (u16, u16) {
        (self.u_edges_moves[usize::from(u) * Move::COUNT + mv], self.d_edges_moves[usize::from(d) * Move::COUNT + mv])
    }

    /// Returns the permutation of the U and D edges, given those of each layer; both must be in these layers.
    #[inline]
    pub(crate) fn merged(&self, u: u16, d: u16) -> u16 {
        let edges = self.merge[usize::from(u) * 24 + usize::from(d) % 24];
        debug_assert!(edges != NO_MERGE);
        edges
    }

    /// Returns the permutation of the U and D edges after phase-2 move number `number`, 0..10.
    #[inline]
    pub(crate) fn edges(&self, edges: u16, number: usize) -> u16 {
        self.ud_edges_moves[usize::from(edges) * Move::PHASE_TWO.len() + number]
    }
}
