//! Corner permutation, edge permutation, and the permutation of the eight U and D edges inside G1.

use super::rank::{FACTORIAL, is_odd, permutation_rank, permutation_unrank, rotations_rank, rotations_unrank};
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

/// The same cosets as [`CORNER_PERM`], numbered as Kociemba's Python programs do.
pub static CORNER_PERM_PYTHON: Descriptor = Descriptor {
    name: "corner_perm_python",
    size: 40320,
    subgroup: "all corners in their slots",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: corners (Python)",
    occurs: every_value,
    index: |cube| Some(rotations_rank(&cube.corners().map(|piece| piece as u8))),
    representative: |value| corners_cube(rotations_unrank(value)),
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
    index: |cube| ud_edges(cube).map(|pieces| permutation_rank(&pieces)),
    representative: |value| ud_edges_cube(permutation_unrank(value)),
};

/// The same cosets as [`UD_EDGES`], numbered as Kociemba's Python programs do.
pub static UD_EDGES_PYTHON: Descriptor = Descriptor {
    name: "ud_edges_python",
    size: 40320,
    subgroup: "edges of the U and D layers at home (within G1)",
    validity: Validity::PhaseTwo,
    symmetric: true,
    source: "Kociemba: ud_edges (Python)",
    occurs: every_value,
    index: |cube| ud_edges(cube).map(|pieces| rotations_rank(&pieces)),
    representative: |value| ud_edges_cube(rotations_unrank(value)),
};

/// Returns the edges in the slots of the U and D layers, if none of them belongs to the UD slice.
fn ud_edges(cube: &Cube) -> Option<[u8; 8]> {
    let pieces: [u8; 8] = std::array::from_fn(|slot| cube.edges()[slot] as u8);
    pieces.iter().all(|&piece| piece < 8).then_some(pieces)
}

/// Returns a cube with these edges in the U and D layers.
fn ud_edges_cube(pieces: [u8; 8]) -> Cube {
    edges_cube(&std::array::from_fn(|slot| pieces.get(slot).copied().unwrap_or(slot as u8)))
}

/// The coordinates of this module.
pub(super) const PERMUTATIONS: &[&Descriptor] =
    &[&CORNER_PERM, &CORNER_PERM_PYTHON, &UD_EDGES, &UD_EDGES_PYTHON, &EDGE_PERM];

coordinate! {
    /// A value of [`CORNER_PERM`].
    CornerPerm(u16) of CORNER_PERM
}
coordinate! {
    /// A value of [`UD_EDGES`].
    UdEdges(u16) of UD_EDGES
}
