//! Corner permutation, edge permutation, and the permutation of the eight U and D edges inside G1.

use super::rank::{FACTORIAL, is_odd, permutation_rank, permutation_unrank};
use super::{Descriptor, Validity, coordinate, every_value};
use superflip_cube::{Corner, Cube, Edge};

/// Corner permutation 0..40320.
pub static CORNER_PERM: Descriptor = Descriptor {
    name: "corner_perm",
    size: 40320,
    subgroup: "all corners in their slots",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: CornPerm",
    occurs: every_value,
    index: |cube| Some(permutation_rank(&cube.corners().map(|piece| piece as u8))),
    representative: |value| corners_cube(permutation_unrank(value)),
};

/// The permutation of all twelve edges, 0..12!. It has too many values for a table; moves are applied to the
/// permutation.
pub static EDGE_PERM: Descriptor = Descriptor {
    name: "edge_perm",
    size: FACTORIAL[12],
    subgroup: "all edges in their slots",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: EdgePerm",
    occurs: every_value,
    index: |cube| Some(permutation_rank(&cube.edges().map(|piece| piece as u8))),
    representative: |value| edges_cube(&permutation_unrank(value)),
};

/// Returns a cube with these edges. Two corners are swapped if parity requires it.
pub(crate) fn edges_cube(pieces: &[u8; 12]) -> Cube {
    let mut corners = Corner::ALL;
    if is_odd(pieces) {
        corners.swap(0, 1);
    }
    Cube::assemble(corners, [0; 8], pieces.map(|p| Edge::ALL[usize::from(p)]), [0; 12])
}

/// Returns a cube with these corners. Two edges are swapped if parity requires it.
pub(crate) fn corners_cube(pieces: [u8; 8]) -> Cube {
    let mut edges = Edge::ALL;
    if is_odd(&pieces) {
        edges.swap(0, 1);
    }
    Cube::assemble(pieces.map(|p| Corner::ALL[usize::from(p)]), [0; 8], edges, [0; 12])
}

/// Permutation 0..40320 of the eight edges of the U and D layers. It has a value only if none of them is in the UD
/// slice.
pub static UD_EDGES: Descriptor = Descriptor {
    name: "ud_edges",
    size: 40320,
    subgroup: "edges of the U and D layers at home (within G1)",
    validity: Validity::PhaseTwo,
    symmetric: true,
    source: "Kociemba: Phase2EdgePerm",
    occurs: every_value,
    index: |cube| {
        let pieces: [u8; 8] = std::array::from_fn(|slot| cube.edges()[slot] as u8);
        pieces.iter().all(|&piece| piece < 8).then(|| permutation_rank(&pieces))
    },
    representative: |value| {
        let eight = permutation_unrank::<8>(value);
        edges_cube(&std::array::from_fn(|slot| eight.get(slot).copied().unwrap_or(slot as u8)))
    },
};

/// The coordinates of this module.
pub(super) const PERMUTATIONS: &[&Descriptor] = &[&CORNER_PERM, &UD_EDGES, &EDGE_PERM];

coordinate! {
    /// A value of [`CORNER_PERM`].
    CornerPerm(u16) of CORNER_PERM
}
coordinate! {
    /// A value of [`UD_EDGES`].
    UdEdges(u16) of UD_EDGES
}
