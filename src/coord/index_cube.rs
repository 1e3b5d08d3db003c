//! The coordinates of `IndexCube`, from the paper "Cube Algorithm" (Bobitsmagic).
//!
//! Pieces are numbered by where they are at home: sorted by x, then y, then z, with red at +x, white at +y and green at
//! +z. Permutations say where each piece *goes* (entry i is the slot of piece i), the opposite of the arrays elsewhere
//! in this crate, and are ranked lexicographically.
//!
//! ```text
//! edges    0 DL  1 BL  2 FL  3 UL  4 DB  5 DF  6 UB  7 UF  8 DR  9 BR  10 FR  11 UR
//! corners  0 DBL  1 DLF  2 ULB  3 UFL  4 DRB  5 DFR  6 UBR  7 URF
//! ```
//!
//! Edge orientation is twelve bits, the edge in slot 0 in the highest. An edge is oriented along an axis when it can go
//! home without a quarter turn of the two faces on that axis. The program uses the z axis; the other two are the same
//! idea. As the number of flipped edges is even, half of the 4096 values belong to no cube.

use std::sync::LazyLock;

use super::permutation::{corners_cube, edges_cube};
use super::rank::{FACTORIAL, lexicographic_rank, lexicographic_unrank};
use super::{Descriptor, Validity, every_value};
use crate::cube::{Corner, Cube, Edge, Face, Symmetry};

/// Edge permutation 0..12!: lexicographic rank of where each edge goes. 47174400 after the single turn L.
pub static INDEX_EDGES: Descriptor = Descriptor {
    name: "index_cube.edges",
    size: FACTORIAL[12],
    subgroup: "all edges in their slots",
    validity: Validity::Always,
    symmetric: true,
    source: "IndexCube: edge permutation",
    occurs: every_value,
    index: |cube| Some(lexicographic_rank(&goes_to(&cube.edges().map(Edge::index), &NUMBERING.edges))),
    representative: |value| edges_cube(&replaced_by(&lexicographic_unrank(value), &NUMBERING.edges)),
};

/// Corner permutation 0..8!: lexicographic rank of where each corner goes.
pub static INDEX_CORNERS: Descriptor = Descriptor {
    name: "index_cube.corners",
    size: FACTORIAL[8],
    subgroup: "all corners in their slots",
    validity: Validity::Always,
    symmetric: true,
    source: "IndexCube: corner permutation",
    occurs: every_value,
    index: |cube| Some(lexicographic_rank(&goes_to(&cube.corners().map(Corner::index), &NUMBERING.corners))),
    representative: |value| corners_cube(replaced_by(&lexicographic_unrank(value), &NUMBERING.corners)),
};

/// Edge orientation along the x axis (R, L), twelve bits.
pub static INDEX_FLIP_X: Descriptor = Descriptor {
    name: "index_cube.flip_x",
    size: 4096,
    subgroup: "all edges oriented along the x axis",
    validity: Validity::Always,
    symmetric: false,
    source: "IndexCube: edge orientation, x axis",
    occurs: is_even,
    index: |cube| Some(orientation(cube, &NUMBERING.x_to_z)),
    representative: |value| oriented(value, &NUMBERING.x_to_z),
};

/// Edge orientation along the y axis (U, D), twelve bits.
pub static INDEX_FLIP_Y: Descriptor = Descriptor {
    name: "index_cube.flip_y",
    size: 4096,
    subgroup: "all edges oriented along the y axis",
    validity: Validity::Always,
    symmetric: true,
    source: "IndexCube: edge orientation, y axis",
    occurs: is_even,
    index: |cube| Some(orientation(cube, &NUMBERING.y_to_z)),
    representative: |value| oriented(value, &NUMBERING.y_to_z),
};

/// Edge orientation along the z axis (F, B), twelve bits: the main axis of `IndexCube`, and that of Kociemba's flip.
pub static INDEX_FLIP_Z: Descriptor = Descriptor {
    name: "index_cube.flip_z",
    size: 4096,
    subgroup: "all edges oriented along the z axis",
    validity: Validity::Always,
    symmetric: false,
    source: "IndexCube: edge orientation, z axis",
    occurs: is_even,
    index: |cube| Some(orientation(cube, &NUMBERING.z_to_z)),
    representative: |value| oriented(value, &NUMBERING.z_to_z),
};

fn is_even(bits: u32) -> bool {
    bits.count_ones().is_multiple_of(2)
}

struct Numbering {
    /// The number of each slot of Kociemba's order.
    edges: [u8; 12],
    corners: [u8; 8],
    x_to_z: Frame,
    y_to_z: Frame,
    z_to_z: Frame,
}

/// A frame in which some axis lies where the z axis was, for which the flips of [`Cube`] are defined.
struct Frame {
    /// Conjugation by this carries the axis to the z axis.
    symmetry: Symmetry,
    /// For each slot in that frame, its bit in the value.
    bit: [u32; 12],
}

static NUMBERING: LazyLock<Numbering> = LazyLock::new(|| {
    let edges = by_position(Edge::ALL.map(Edge::faces));
    let frame = |symmetry: Symmetry| {
        let mut bit = [0; 12];
        for slot in Edge::ALL {
            bit[symmetry.conjugate_edge(slot).index()] = 11 - u32::from(edges[slot.index()]);
        }
        Frame { symmetry, bit }
    };
    Numbering {
        edges,
        corners: by_position(Corner::ALL.map(Corner::faces)),
        // Conjugating by the diagonal carries R to U and U to F.
        x_to_z: frame(Symmetry::DIAGONAL.then(Symmetry::DIAGONAL)),
        y_to_z: frame(Symmetry::DIAGONAL),
        z_to_z: frame(Symmetry::IDENTITY),
    }
});

/// Each slot's place when slots are sorted by x, y, z.
fn by_position<const N: usize, const K: usize>(slots: [[Face; K]; N]) -> [u8; N] {
    let position = |faces: &[Face; K]| {
        faces.iter().map(|face| face.normal()).fold([0; 3], |sum: [i8; 3], n| std::array::from_fn(|i| sum[i] + n[i]))
    };
    let positions = slots.each_ref().map(position);
    positions.map(|own| positions.iter().filter(|other| **other < own).count() as u8)
}

/// Where each piece goes, from which piece is in each slot.
fn goes_to<const N: usize>(pieces: &[usize; N], number: &[u8; N]) -> [u8; N] {
    let mut out = [0; N];
    for (slot, &piece) in pieces.iter().enumerate() {
        out[usize::from(number[piece])] = number[slot];
    }
    out
}

/// The inverse of [`goes_to`].
fn replaced_by<const N: usize>(goes_to: &[u8; N], number: &[u8; N]) -> [u8; N] {
    let mut out = [0; N];
    for piece in 0..N {
        let to = goes_to[usize::from(number[piece])];
        let slot = number.iter().position(|&n| n == to).unwrap_or_default();
        out[slot] = piece as u8;
    }
    out
}

fn orientation(cube: &Cube, frame: &Frame) -> u32 {
    let seen = frame.symmetry.conjugate(cube);
    seen.flips().iter().zip(&frame.bit).map(|(&flip, bit)| u32::from(flip) << bit).sum()
}

fn oriented(value: u32, frame: &Frame) -> Cube {
    let flips = frame.bit.map(|bit| (value >> bit & 1) as u8);
    frame.symmetry.inverse().conjugate(&Cube::assemble(Corner::ALL, [0; 8], Edge::ALL, flips))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Move;

    #[test]
    fn the_numbering_is_the_published_one() {
        let names = |number: u8| Edge::ALL[NUMBERING.edges.iter().position(|&n| n == number).unwrap()].name();
        let expected = ["DL", "BL", "FL", "UL", "DB", "DF", "UB", "UF", "DR", "BR", "FR", "UR"];
        assert_eq!(std::array::from_fn::<_, 12, _>(|n| names(n as u8)), expected);
    }

    #[test]
    fn after_the_single_turn_l_as_published() {
        let goes_to = goes_to(&Move::L.cube().edges().map(Edge::index), &NUMBERING.edges);
        assert_eq!(goes_to, [1, 3, 0, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!((INDEX_EDGES.index)(Move::L.cube()), Some(47_174_400));
    }

    #[test]
    fn an_axis_sees_the_quarter_turns_of_its_own_two_faces_and_no_others() {
        let axes = [
            (&INDEX_FLIP_X, [Face::R, Face::L]),
            (&INDEX_FLIP_Y, [Face::U, Face::D]),
            (&INDEX_FLIP_Z, [Face::F, Face::B]),
        ];
        for (coordinate, faces) in axes {
            for turn in Move::ALL {
                let flips = (coordinate.index)(turn.cube()).unwrap().count_ones();
                let expected = if faces.contains(&turn.face()) && turn.quarters() != 2 { 4 } else { 0 };
                assert_eq!(flips, expected, "{} {turn}", coordinate.name);
            }
        }
        // UF, FR, DF and FL are 7, 10, 5 and 2.
        assert_eq!((INDEX_FLIP_Z.index)(Move::F.cube()), Some(1 << 4 | 1 << 1 | 1 << 6 | 1 << 9));
    }
}
