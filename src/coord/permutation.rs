//! Corner permutation, and the permutation of the eight U and D edges inside G1.

use super::rank::{is_odd, permutation_rank, permutation_unrank};
use super::{Descriptor, Validity, coordinate};
use crate::cube::{Corner, Cube, Edge};

/// Corner permutation 0..40320.
pub static CORNER_PERM: Descriptor = Descriptor {
    name: "corner_perm",
    size: 40320,
    subgroup: "all corners in their slots",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: CornPerm",
    index: |cube| Some(permutation_rank(&cube.corners().map(|piece| piece.index() as u8))),
    representative: |value| {
        let pieces = permutation_unrank::<8>(value);
        let mut edges = Edge::ALL;
        if is_odd(&pieces) {
            edges.swap(0, 1);
        }
        Cube::assemble(pieces.map(|p| Corner::ALL[usize::from(p)]), [0; 8], edges, [0; 12])
    },
};

/// Permutation 0..40320 of the eight edges of the U and D layers; a value only while none of them is in the UD slice.
pub static UD_EDGES: Descriptor = Descriptor {
    name: "ud_edges",
    size: 40320,
    subgroup: "edges of the U and D layers at home (within G1)",
    validity: Validity::PhaseTwo,
    symmetric: true,
    source: "Kociemba: Phase2EdgePerm",
    index: |cube| {
        let pieces: [u8; 8] = std::array::from_fn(|slot| cube.edges()[slot].index() as u8);
        pieces.iter().all(|&piece| piece < 8).then(|| permutation_rank(&pieces))
    },
    representative: |value| {
        let pieces = permutation_unrank::<8>(value);
        let mut edges = Edge::ALL;
        for (slot, &piece) in pieces.iter().enumerate() {
            edges[slot] = Edge::ALL[usize::from(piece)];
        }
        let mut corners = Corner::ALL;
        if is_odd(&pieces) {
            corners.swap(0, 1);
        }
        Cube::assemble(corners, [0; 8], edges, [0; 12])
    },
};

coordinate! {
    /// A value of [`CORNER_PERM`].
    CornerPerm(u16) of CORNER_PERM
}
coordinate! {
    /// A value of [`UD_EDGES`].
    UdEdges(u16) of UD_EDGES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Move;

    #[test]
    fn after_the_single_turn_f_as_published() {
        assert_eq!((CORNER_PERM.index)(Move::F.cube()), Some(224));
        assert_eq!((UD_EDGES.index)(Move::F.cube()), None);
    }
}
