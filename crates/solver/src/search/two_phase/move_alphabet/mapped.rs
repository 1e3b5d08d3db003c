//! The mapped tables of the profiles `standard` and `small`, as a two-phase search reads them.

use super::premove::Twin;
use super::{Arrival, Carried, Child, Children, Inside, MoveRoot, Path, PhaseTables};
use crate::coord::bytes;
use crate::search::phase_one::PhaseOneNode;
use crate::tables::file::table::Opened;
use crate::tables::pruning::phase_one::{PhaseOne, bits};
use crate::tables::pruning::phase_two::{EdgeEntries, PhaseTwo};
use crate::tables::{Id, prefetch};
use superflip_cube::simd::{Bytes16, Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, ByteMove, Move};

/// Views of the tables, taken once per search.
#[derive(Clone, Copy)]
pub(crate) struct TableViews<'t> {
    phase_one: PhaseOne<'t>,
    phase_two: PhaseTwo<'t>,
    corner_moves: &'t [u16],
    slice_moves: &'t [u16],
    ud_edges_moves: &'t [u16],
}

impl<'t> TableViews<'t> {
    /// Takes the views.
    pub(crate) fn new(phase_one: PhaseOne<'t>, phase_two: PhaseTwo<'t>, opened: &'t Opened) -> Self {
        Self {
            phase_one,
            phase_two,
            corner_moves: opened.u16s(Id::CornerPermMove),
            slice_moves: opened.u16s(Id::SliceSortedMove),
            ud_edges_moves: opened.u16s(Id::UdEdgesMove),
        }
    }
}

/// The coordinates that a root carries.
struct CarriedOf<'a>(&'a ByteCube);

impl Kernel for CarriedOf<'_> {
    type Output = Carried;

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> Carried {
        Carried {
            corners: bytes::rank_of_eight(simd, bytes::pieces(simd, simd.load(&self.0.corners))),
            slice: bytes::slice_sorted(simd, bytes::pieces(simd, simd.load(&self.0.edges))),
        }
    }
}

/// The permutation of the U and D edges after phase 1: of the cube, and of its twin. The moves are applied to the pieces,
/// because tables of this coordinate would take two reads for each move, and each read would wait for the last.
struct EdgesAfter<'a> {
    cube: &'a ByteCube,
    path: Path,
    twin: Option<Twin>,
}

impl Kernel for EdgesAfter<'_> {
    type Output = [u16; 2];

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> [u16; 2] {
        let moves = ByteMove::all();
        let mut from = simd.load(&IDENTITY);
        for mv in self.path.letters_backwards() {
            from = simd.shuffle(simd.load(moves[mv].edges_from()), from);
        }
        let edges = bytes::pieces(simd, simd.shuffle(simd.load(&self.cube.edges), from));
        let twin = match self.twin {
            // A half turn flips no edge.
            Some(twin) => {
                let renamed = simd.load(moves[twin.half_turn().index()].renamed_edges());
                bytes::rank_of_eight(simd, simd.shuffle(renamed, edges))
            }
            None => 0,
        };
        [bytes::rank_of_eight(simd, edges), twin]
    }
}

/// Each slot from itself.
const IDENTITY: Bytes16 = Bytes16([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);

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

    fn carried(&self, cube: &ByteCube) -> Carried {
        dispatch(CarriedOf(cube))
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
    fn prefetch_bounds(&self, root: &MoveRoot, carried: Carried) -> [Carried; 2] {
        self.phase_two.prefetch_corners(carried.corners, carried.slice);
        let Some(twin) = root.premoves.twin() else { return [carried; 2] };
        let (corners, slice) = twin.corners_and_slice(carried.corners, carried.slice);
        self.phase_two.prefetch_corners(corners, slice);
        [carried, Carried { corners, slice }]
    }

    #[inline]
    fn arrivals(&self, root: &MoveRoot, arrival: &Arrival, left: u8) -> [Option<(Inside, u8)>; 2] {
        let with_bound = |Carried { corners, slice }| {
            let bound = self.phase_two.corner_bound(corners, slice);
            (bound <= left).then_some((Inside { corners, edges: 0, slice, places: 0 }, bound))
        };
        let twin = root.premoves.twin();
        let mut found = [with_bound(arrival.carried[0]), twin.and_then(|_| with_bound(arrival.carried[1]))];
        // The edges take a step for each move, so they come last.
        if found.iter().any(Option::is_some) {
            let edges = dispatch(EdgesAfter { cube: &root.cube, path: arrival.path, twin });
            for (found, edges) in found.iter_mut().zip(edges) {
                if let Some((inside, _)) = found {
                    inside.edges = edges;
                }
            }
        }
        found
    }

    #[inline]
    fn prefetch_index(&self, inside: Inside) {
        self.phase_two.prefetch_index(inside.corners, inside.edges);
    }

    #[inline]
    fn prefetch_inside(&self, inside: Inside) -> EdgeEntries {
        self.phase_two.prefetch(inside.corners, inside.edges)
    }

    #[inline]
    fn inside_bound(&self, entries: EdgeEntries) -> u8 {
        self.phase_two.bound_of(entries)
    }

    #[inline]
    fn is_solved(&self, inside: Inside) -> bool {
        (inside.corners, inside.edges, inside.slice) == (0, 0, 0)
    }

    /// A child that passes the small table prefetches its entry of the large one before any entry is read.
    #[inline]
    fn children(&self, inside: Inside, allowed: u32, moves_left: u8, out: &mut Children) -> usize {
        let row = |table: &'t [u16], value: u16| &table[usize::from(value) * Move::COUNT..][..Move::COUNT];
        let (corner_row, slice_row) = (row(self.corner_moves, inside.corners), row(self.slice_moves, inside.slice));
        let edges_row =
            &self.ud_edges_moves[usize::from(inside.edges) * Move::PHASE_TWO.len()..][..Move::PHASE_TWO.len()];
        let mut count = 0;
        for number in bits(allowed) {
            let mv = Move::PHASE_TWO[number].index();
            let (corners, slice) = (corner_row[mv], slice_row[mv]);
            if self.phase_two.corner_bound(corners, slice) < moves_left {
                let inside = Inside { corners, edges: edges_row[number], slice, places: 0 };
                out[count] = Child { letter: number as u8, inside, entries: self.prefetch_inside(inside) };
                count += 1;
            }
        }
        count
    }
}
