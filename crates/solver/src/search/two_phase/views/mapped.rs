//! The mapped tables of the profiles `standard` and `small`, as a two-phase search reads them.

use super::{Carried, Children, Inside, PhaseTables};
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, SLICE_SORTED, U_EDGES};
use crate::search::phase_one::PhaseOneNode;
use crate::search::two_phase::path::MovePath;
use crate::search::two_phase::roots::{Parts, Root};
use crate::tables::move_table::NO_MERGE;
use crate::tables::opened::Opened;
use crate::tables::pruning::phase_one::{PhaseOne, bits};
use crate::tables::pruning::phase_two::PhaseTwo;
use crate::tables::{Id, prefetch};
use superflip_cube::{Cube, Move};

/// Views of the tables, taken once per search.
#[derive(Clone, Copy)]
pub(crate) struct TableViews<'t> {
    phase_one: PhaseOne<'t>,
    phase_two: PhaseTwo<'t>,
    corner_moves: &'t [u16],
    slice_moves: &'t [u16],
    u_edges_moves: &'t [u16],
    d_edges_moves: &'t [u16],
    ud_edges_moves: &'t [u16],
    merge: &'t [u16],
}

impl<'t> TableViews<'t> {
    /// Takes the views.
    pub(crate) fn new(phase_one: PhaseOne<'t>, phase_two: PhaseTwo<'t>, opened: &'t Opened) -> Self {
        Self {
            phase_one,
            phase_two,
            corner_moves: opened.u16s(Id::CornerPermMove),
            slice_moves: opened.u16s(Id::SliceSortedMove),
            u_edges_moves: opened.u16s(Id::UEdgesMove),
            d_edges_moves: opened.u16s(Id::DEdgesMove),
            ud_edges_moves: opened.u16s(Id::UdEdgesMove),
            merge: opened.u16s(Id::UdEdgesMerge),
        }
    }

    /// Returns the permutation of the U and D edges after phase 1.
    #[inline]
    fn edges_after(&self, root: &Root, path: MovePath) -> u16 {
        let row = |value: u16| usize::from(value) * Move::COUNT;
        let (u, d) = path.moves().fold((root.parts.u_edges, root.parts.d_edges), |(u, d), mv| {
            (self.u_edges_moves[row(u) + mv], self.d_edges_moves[row(d) + mv])
        });
        let edges = self.merge[usize::from(u) * 24 + usize::from(d) % 24];
        debug_assert!(edges != NO_MERGE, "after phase 1, these edges are in their layers");
        edges
    }
}

impl<'t> PhaseTables for TableViews<'t> {
    type PhaseOne = PhaseOne<'t>;

    #[inline]
    fn one_premove_from(&self) -> u8 {
        9
    }

    #[inline]
    fn phase_one(&self) -> PhaseOne<'t> {
        self.phase_one
    }

    /// A maneuver that leaves G1 and returns takes at least five moves. So a node with `distance < moves_left` and
    /// `distance + moves_left < 5` has no canonical continuation that enters G1 with its last move. One exception: after
    /// R2, the canonical move L may enter G1. The rule prunes R2 L too. No solution is lost: R2 and L commute, so phase 1
    /// finds L, and phase 2 begins with R2.
    #[inline]
    fn leads_nowhere(&self, node: PhaseOneNode, moves_left: u8) -> bool {
        node.distance < moves_left && node.distance + moves_left < 5
    }

    fn parts(&self, cube: &Cube) -> Parts {
        // All four coordinates have a value on every cube.
        let value = |coordinate: &Descriptor| (coordinate.index)(cube).unwrap_or_default() as u16;
        Parts {
            corners: value(&CORNER_PERM),
            slice: value(&SLICE_SORTED),
            u_edges: value(&U_EDGES),
            d_edges: value(&D_EDGES),
        }
    }

    #[inline]
    fn carried_after(&self, carried: Carried, mv: usize) -> Carried {
        Carried {
            corners: self.corner_moves[usize::from(carried.corners) * Move::COUNT + mv],
            slice: self.slice_moves[usize::from(carried.slice) * Move::COUNT + mv],
        }
    }

    /// The corner table is the largest of the move tables that are expected to stay in the shared cache. Other programs may
    /// evict it.
    #[inline]
    fn prefetch_carried(&self, carried: Carried) {
        let row = usize::from(carried.corners) * Move::COUNT;
        // More than half of the rows span two cache lines.
        prefetch::read(self.corner_moves, row);
        prefetch::read(self.corner_moves, row + Move::COUNT - 1);
    }

    #[inline]
    fn arrivals(&self, root: &Root, path: MovePath, carried: Carried, left: u8) -> [Option<(Inside, u8)>; 2] {
        let with_bound = |(corners, slice)| {
            let bound = self.phase_two.corner_bound(corners, slice);
            (bound <= left).then_some((Inside { corners, edges: 0, slice, places: 0 }, bound))
        };
        let twin = root.premoves.twin();
        let mut found = [
            with_bound((carried.corners, carried.slice)),
            twin.and_then(|twin| with_bound(twin.corners_and_slice(carried.corners, carried.slice))),
        ];
        // The edges take a look-up for each move, so they come last.
        if found.iter().any(Option::is_some) {
            let edges = self.edges_after(root, path);
            if let Some((inside, _)) = &mut found[0] {
                inside.edges = edges;
            }
            if let (Some((inside, _)), Some(twin)) = (&mut found[1], twin) {
                inside.edges = twin.edges(edges);
            }
        }
        found
    }

    #[inline]
    fn prefetch_inside(&self, inside: Inside) {
        self.phase_two.prefetch(inside.corners, inside.edges);
    }

    #[inline]
    fn inside_bound(&self, inside: Inside) -> u8 {
        self.phase_two.edge_bound(inside.corners, inside.edges)
    }

    #[inline]
    fn is_solved(&self, inside: Inside) -> bool {
        (inside.corners, inside.edges, inside.slice) == (0, 0, 0)
    }

    /// A child that passes the small table prefetches its entry of the large one before any entry is read.
    #[inline]
    fn children(&self, inside: Inside, allowed: u32, moves_left: u8, out: &mut Children) -> usize {
        let mut count = 0;
        for number in bits(allowed) {
            let carried = Carried { corners: inside.corners, slice: inside.slice };
            let Carried { corners, slice } = self.carried_after(carried, Move::PHASE_TWO[number].index());
            if self.phase_two.corner_bound(corners, slice) < moves_left {
                let row = usize::from(inside.edges) * Move::PHASE_TWO.len();
                let child = Inside { corners, edges: self.ud_edges_moves[row + number], slice, places: 0 };
                self.prefetch_inside(child);
                out[count] = (number as u8, child);
                count += 1;
            }
        }
        count
    }
}
