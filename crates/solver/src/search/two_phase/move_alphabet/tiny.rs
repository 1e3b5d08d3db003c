//! The tables of the profile `tiny`, as a two-phase search reads them.
//!
//! Phase 1 carries no phase-2 coordinates. At an arrival, [`PhaseTables::arrivals`] applies the path to the pieces.

use std::sync::LazyLock;

use crate::search::phase_one::PhaseOneNode;
use crate::search::two_phase::move_alphabet::premove::Twin;
use crate::search::two_phase::move_alphabet::{Arrival, Carried, Child, Children, Inside, MoveRoot, PhaseTables};
use crate::tables::pruning::phase_two::EdgeEntries;
use crate::tables::set::Tiny;
use crate::tables::tiny::inside::{InsideNode, InsideTables};
use crate::tables::tiny::pairs::Pairs;
use superflip_cube::{ByteCube, Move};

/// Corners and edges, without orientations. Entry i is the piece in slot i.
type Pieces = ([u8; 8], [u8; 12]);

fn pieces(cube: &ByteCube) -> Pieces {
    (std::array::from_fn(|slot| cube.corners.0[slot] & 15), std::array::from_fn(|slot| cube.edges.0[slot] & 15))
}

/// For each move and slot: the slot from which the move brings the piece.
static SOURCES: LazyLock<[Pieces; Move::COUNT]> =
    LazyLock::new(|| Move::ALL.map(|mv| pieces(&ByteCube::of(mv.cube()))));

/// Composes: entry i is `first[second[i]]`.
#[inline]
fn composed(first: &Pieces, second: &Pieces) -> Pieces {
    (second.0.map(|slot| first.0[usize::from(slot & 7)]), second.1.map(|slot| first.1[usize::from(slot) % 12]))
}

impl From<Inside> for InsideNode {
    #[inline]
    fn from(inside: Inside) -> Self {
        let [slice, distances] = inside.slice.to_le_bytes();
        let [u_corners, s_edges] = inside.places.to_le_bytes();
        Self { corners: inside.corners, edges: inside.edges, slice, u_corners, s_edges, distances }
    }
}

impl From<InsideNode> for Inside {
    #[inline]
    fn from(node: InsideNode) -> Self {
        Self {
            corners: node.corners,
            edges: node.edges,
            slice: u16::from_le_bytes([node.slice, node.distances]),
            places: u16::from_le_bytes([node.u_corners, node.s_edges]),
        }
    }
}

impl<'t> PhaseTables for &'t Tiny {
    type PhaseOne = &'t Pairs;

    /// A root takes longer than with mapped tables.
    #[inline]
    fn one_premove_from(&self) -> u8 {
        10
    }

    #[inline]
    fn phase_one(&self) -> &'t Pairs {
        &self.pairs
    }

    /// A maneuver that leaves G1 and returns takes at least five moves.
    #[inline]
    fn leads_nowhere(&self, node: PhaseOneNode, moves_left: u8) -> bool {
        node.distance == 0 && (1..5).contains(&moves_left)
    }

    fn carried(&self, _: &ByteCube) -> Carried {
        Carried::default()
    }

    #[inline]
    fn carried_after(&self, carried: Carried, _: usize) -> Carried {
        carried
    }

    #[inline]
    fn prefetch_carried(&self, _: Carried) {}

    #[inline]
    fn prefetch_bounds(&self, _: &MoveRoot, _: Carried) -> [Carried; 2] {
        [Carried::default(); 2]
    }

    fn arrivals(&self, root: &MoveRoot, arrival: &Arrival, left: u8) -> [Option<(Inside, u8)>; 2] {
        let sources = &*SOURCES;
        let arrived = arrival.path.letters().fold(pieces(&root.cube), |pieces, mv| composed(&pieces, &sources[mv]));
        let with_bound = |(corners, edges): &Pieces| {
            let (node, bound) = self.inside.node(*corners, *edges);
            (bound <= left).then_some((node.into(), bound))
        };
        // The half turn comes before the cube, so it renames the pieces.
        let renamed = |twin: Twin| composed(&sources[twin.half_turn().index()], &arrived);
        [with_bound(&arrived), root.premoves.twin().and_then(|twin| with_bound(&renamed(twin)))]
    }

    #[inline]
    fn prefetch_index(&self, _: Inside) {}

    #[inline]
    fn prefetch_inside(&self, _: Inside) -> EdgeEntries {
        EdgeEntries::default()
    }

    /// Returns 0, because `children` has applied all four tables.
    #[inline]
    fn inside_bound(&self, _: EdgeEntries) -> u8 {
        0
    }

    #[inline]
    fn is_solved(&self, inside: Inside) -> bool {
        InsideTables::is_solved(inside.into())
    }

    #[inline]
    fn children(&self, inside: Inside, allowed: u32, moves_left: u8, out: &mut Children) -> usize {
        let mut count = 0;
        self.inside.children(inside.into(), allowed, moves_left, |number, child, is_near| {
            // Branch-free, because the outcome is unpredictable.
            out[count] = Child { letter: number as u8, inside: child.into(), entries: EdgeEntries::default() };
            count += usize::from(is_near);
        });
        count
    }
}
