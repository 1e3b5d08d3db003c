//! The coordinates of `IndexCube`, from the paper "Cube Algorithm" (Bobitsmagic).
//!
//! Slots are numbered by position, with red at +x, white at +y and green at +z. Edges are sorted by x, y and z, each from the
//! negative side to the positive. Corners are sorted by x and y in the same way, but by z from front to back.
//! Permutations are goes-to: entry i is the slot of piece i, the opposite of the arrays elsewhere in this crate. They
//! are ranked lexicographically.
//!
//! ```text
//! edges    0 DL  1 BL  2 FL  3 UL  4 DB  5 DF  6 UB  7 UF  8 DR  9 BR  10 FR  11 UR
//! corners  0 DLF  1 DBL  2 UFL  3 ULB  4 DFR  5 DRB  6 URF  7 UBR
//! ```
//!
//! Edge orientation is twelve bits, the edge in slot 0 in the highest. An edge is oriented along an axis if it can go
//! home without a quarter turn of the two faces on that axis. The program uses the z axis; the other two are analogous.
//! The number of flipped edges is even, so half of the 4096 values belong to no cube.
//!
//! Corner orientation is eight digits in base 3, the corner in slot 0 in the highest. A digit is the axis (x, y or z)
//! along which the sticker of the L or R face points. Twists add up to a multiple of 3, so two thirds of the 6561
//! values belong to no cube.

use std::sync::LazyLock;

use crate::coord::Descriptor;
use crate::coord::kociemba::{corners_cube, edges_cube};
use crate::coord::rank::{FACTORIAL, lexicographic_rank, lexicographic_unrank};
use superflip_cube::{Axis, Corner, Cube, Edge, Face, Symmetry};

/// Edge permutation 0..12!: lexicographic rank of where each edge goes. 47174400 after the single move L.
pub static INDEX_EDGES: Descriptor = Descriptor {
    name: "index_cube.edges",
    size: FACTORIAL[12],
    subgroup: "all edges in their slots",
    source: "IndexCube: edge permutation",
    index: |cube| Some(lexicographic_rank(&edge_permutation(cube))),
    representative: |value| edges_cube(&replaced_by(&lexicographic_unrank(value), &NUMBERING.edges)),
    ..Descriptor::USUAL
};

/// Corner permutation 0..8!: lexicographic rank of where each corner goes. 6480 after the single move L.
pub static INDEX_CORNERS: Descriptor = Descriptor {
    name: "index_cube.corners",
    size: FACTORIAL[8],
    subgroup: "all corners in their slots",
    source: "IndexCube: corner permutation",
    index: |cube| Some(lexicographic_rank(&corner_permutation(cube))),
    representative: |value| corners_cube(replaced_by(&lexicographic_unrank(value), &NUMBERING.corners)),
    ..Descriptor::USUAL
};

/// Edge orientation along the x axis (R, L), twelve bits.
pub static INDEX_FLIP_X: Descriptor = Descriptor {
    name: "index_cube.flip_x",
    size: 4096,
    subgroup: "all edges oriented along the x axis",
    symmetric: false,
    source: "IndexCube: edge orientation, x axis",
    occurs: is_even,
    index: |cube| Some(orientation(cube, &NUMBERING.x_to_z)),
    representative: |value| oriented(value, &NUMBERING.x_to_z),
    ..Descriptor::USUAL
};

/// Edge orientation along the y axis (U, D), twelve bits.
pub static INDEX_FLIP_Y: Descriptor = Descriptor {
    name: "index_cube.flip_y",
    size: 4096,
    subgroup: "all edges oriented along the y axis",
    source: "IndexCube: edge orientation, y axis",
    occurs: is_even,
    index: |cube| Some(orientation(cube, &NUMBERING.y_to_z)),
    representative: |value| oriented(value, &NUMBERING.y_to_z),
    ..Descriptor::USUAL
};

/// Edge orientation along the z axis (F, B), twelve bits: the main axis of `IndexCube`, and that of Kociemba's flip.
pub static INDEX_FLIP_Z: Descriptor = Descriptor {
    name: "index_cube.flip_z",
    size: 4096,
    subgroup: "all edges oriented along the z axis",
    symmetric: false,
    source: "IndexCube: edge orientation, z axis",
    occurs: is_even,
    index: |cube| Some(orientation(cube, &NUMBERING.z_to_z)),
    representative: |value| oriented(value, &NUMBERING.z_to_z),
    ..Descriptor::USUAL
};

/// Corner orientation, eight digits in base 3: the axis along which the L or R sticker of each corner points.
pub static INDEX_TWIST: Descriptor = Descriptor {
    name: "index_cube.twist",
    size: 6561,
    subgroup: "all corners oriented along the x axis",
    symmetric: false,
    source: "IndexCube: corner orientation",
    occurs: |value| twists(value).iter().sum::<u8>().is_multiple_of(3),
    index: |cube| Some(corner_axes(cube).iter().fold(0, |value, &axis| 3 * value + u32::from(axis))),
    representative: |value| Cube::assemble(Corner::ALL, twists(value), Edge::ALL, [0; 12]),
    ..Descriptor::USUAL
};

/// Every coordinate of `IndexCube`.
pub const INDEX_CUBE: [&Descriptor; 6] =
    [&INDEX_EDGES, &INDEX_CORNERS, &INDEX_FLIP_X, &INDEX_FLIP_Y, &INDEX_FLIP_Z, &INDEX_TWIST];

/// Returns the edge slots in the order of their numbers.
pub fn edge_slots() -> [Edge; 12] {
    in_order(Edge::ALL, &NUMBERING.edges)
}

/// Returns the corner slots in the order of their numbers.
pub fn corner_slots() -> [Corner; 8] {
    in_order(Corner::ALL, &NUMBERING.corners)
}

/// Returns the slot that each edge goes to: the lower row of the paper's permutation matrix.
pub fn edge_permutation(cube: &Cube) -> [u8; 12] {
    goes_to(&cube.edges().map(Edge::index), &NUMBERING.edges)
}

/// Returns the slot that each corner goes to.
pub fn corner_permutation(cube: &Cube) -> [u8; 8] {
    goes_to(&cube.corners().map(Corner::index), &NUMBERING.corners)
}

/// Returns the piece in each slot: the inverse of a goes-to permutation.
pub fn inverse<const N: usize>(goes_to: &[u8; N]) -> [u8; N] {
    let mut out = [0; N];
    for (piece, &slot) in goes_to.iter().enumerate() {
        out[usize::from(slot)] = piece as u8;
    }
    out
}

/// Returns, for each corner slot, the axis along which the L or R sticker of its corner points: 0 x, 1 y, 2 z.
pub fn corner_axes(cube: &Cube) -> [u8; 8] {
    corner_slots().map(|slot| {
        let (piece, twist) = (cube.corners()[slot.index()], usize::from(cube.twists()[slot.index()]));
        axis_number(slot.faces()[(x_sticker(piece) + twist) % 3])
    })
}

/// Returns, for each edge slot, 1 if this value of an edge orientation marks its edge as flipped.
pub fn flip_bits(value: u32) -> [u8; 12] {
    std::array::from_fn(|number| (value >> (11 - number) & 1) as u8)
}

/// Returns the twists, in Kociemba's order, of a cube with solved corner slots and this value of [`INDEX_TWIST`].
fn twists(value: u32) -> [u8; 8] {
    let mut out = [0; 8];
    let mut rest = value;
    for slot in corner_slots().into_iter().rev() {
        let axis = (rest % 3) as u8;
        rest /= 3;
        let facelet = slot.faces().iter().position(|&face| axis_number(face) == axis).unwrap_or(0);
        out[slot.index()] = ((facelet + 3 - x_sticker(slot)) % 3) as u8;
    }
    out
}

/// Returns the index of the L or R sticker among the three stickers of a corner.
fn x_sticker(corner: Corner) -> usize {
    corner.faces().iter().position(|face| face.axis() == Axis::Rl).unwrap_or(0)
}

fn axis_number(face: Face) -> u8 {
    match face.axis() {
        Axis::Rl => 0,
        Axis::Ud => 1,
        Axis::Fb => 2,
    }
}

fn is_even(bits: u32) -> bool {
    bits.count_ones().is_multiple_of(2)
}

struct Numbering {
    /// Number of each slot of Kociemba's order.
    edges: [u8; 12],
    corners: [u8; 8],
    x_to_z: AxisFrame,
    y_to_z: AxisFrame,
    z_to_z: AxisFrame,
}

/// A frame in which an axis takes the place of the z axis, for which the flips of [`Cube`] are defined.
struct AxisFrame {
    /// Symmetry that maps the axis to the z axis by conjugation.
    symmetry: Symmetry,
    /// Bit in the value, for each slot in that frame.
    bit: [u32; 12],
}

static NUMBERING: LazyLock<Numbering> = LazyLock::new(|| {
    let edges = by_position(Edge::ALL.map(Edge::faces), |position| position);
    let frame = |symmetry: Symmetry| {
        let mut bit = [0; 12];
        for slot in Edge::ALL {
            bit[symmetry.conjugate_edge(slot).index()] = 11 - u32::from(edges[slot.index()]);
        }
        AxisFrame { symmetry, bit }
    };
    Numbering {
        edges,
        corners: by_position(Corner::ALL.map(Corner::faces), |[x, y, z]| [x, y, -z]),
        // Conjugation by the diagonal maps R to U and U to F.
        x_to_z: frame(Symmetry::DIAGONAL.then(Symmetry::DIAGONAL)),
        y_to_z: frame(Symmetry::DIAGONAL),
        z_to_z: frame(Symmetry::IDENTITY),
    }
});

/// Returns the rank of each slot when slots are sorted by a key of their position (x, y, z).
fn by_position<const N: usize, const K: usize>(slots: [[Face; K]; N], key: fn([i8; 3]) -> [i8; 3]) -> [u8; N] {
    let position = |faces: &[Face; K]| {
        faces.iter().map(|face| face.normal()).fold([0; 3], |sum: [i8; 3], n| std::array::from_fn(|i| sum[i] + n[i]))
    };
    let positions = slots.each_ref().map(|faces| key(position(faces)));
    positions.map(|own| positions.iter().filter(|other| **other < own).count() as u8)
}

/// Sorts the slots, given in Kociemba's order, by number.
fn in_order<T: Copy, const N: usize>(slots: [T; N], number: &[u8; N]) -> [T; N] {
    inverse(number).map(|slot| slots[usize::from(slot)])
}

/// Returns the slot each piece goes to, given the piece in each slot.
fn goes_to<const N: usize>(pieces: &[usize; N], number: &[u8; N]) -> [u8; N] {
    let mut out = [0; N];
    for (slot, &piece) in pieces.iter().enumerate() {
        out[usize::from(number[piece])] = number[slot];
    }
    out
}

/// Returns the piece in each slot; the inverse of [`goes_to`].
fn replaced_by<const N: usize>(goes_to: &[u8; N], number: &[u8; N]) -> [u8; N] {
    let (piece_of_number, piece_in) = (inverse(number), inverse(goes_to));
    number.map(|slot| piece_of_number[usize::from(piece_in[usize::from(slot)])])
}

fn orientation(cube: &Cube, frame: &AxisFrame) -> u32 {
    let seen = frame.symmetry.conjugate(cube);
    seen.flips().iter().zip(&frame.bit).map(|(&flip, bit)| u32::from(flip) << bit).sum()
}

fn oriented(value: u32, frame: &AxisFrame) -> Cube {
    let flips = frame.bit.map(|bit| (value >> bit & 1) as u8);
    frame.symmetry.inverse().conjugate(&Cube::assemble(Corner::ALL, [0; 8], Edge::ALL, flips))
}
