//! The coordinates of Kociemba's programs: orientations, positions of four edges, and permutations.
//!
//! One encoding serves the edges of the UD slice, of the U layer and of the D layer. The twelve slots are renumbered so that the four home slots come last (8..12). The
//! occupied slots then have a rank 0..495, and the order of the four pieces in them a rank 0..24:
//!
//! ```text
//! sorted value = 24 * rank of the four slots + rank of the order        0 = all four at home
//! ```

use crate::coord::rank::{
    FACTORIAL, four_slots_rank, four_slots_unrank, is_odd, mirrored_slots_rank, mirrored_slots_unrank,
    permutation_rank, permutation_unrank, rotations_rank, rotations_unrank,
};
use crate::coord::{Descriptor, Validity};
use superflip_cube::{Corner, Cube, Edge};

/// Corner orientation 0..2187: base 3, URF first, DRB left out (the twists sum to 0 modulo 3).
pub static TWIST: Descriptor = Descriptor {
    name: "twist",
    size: 2187,
    subgroup: "all corners untwisted",
    source: "Kociemba: twist",
    index: |cube| Some(cube.twists()[..7].iter().fold(0, |value, &twist| 3 * value + u32::from(twist))),
    representative: |value| Cube::assemble(Corner::ALL, digits::<8>(value, 3), Edge::ALL, [0; 12]),
    ..Descriptor::USUAL
};

/// Edge orientation 0..2048: base 2, UR first, BR left out (the flips sum to 0 modulo 2).
pub static FLIP: Descriptor = Descriptor {
    name: "flip",
    size: 2048,
    subgroup: "all edges unflipped",
    symmetric: false,
    source: "Kociemba: flip",
    index: |cube| Some(flip_index(cube)),
    representative: |value| Cube::assemble(Corner::ALL, [0; 8], Edge::ALL, digits::<12>(value, 2)),
    ..Descriptor::USUAL
};

/// Flip and slice together, 0..1013760: `2048 * slice + flip`. Symmetries do not act on flip alone, because the
/// reference sticker of the four slice edges depends on where they are. They act on flip and slice together.
pub static FLIP_SLICE: Descriptor = Descriptor {
    name: "flip_slice",
    size: 2048 * 495,
    subgroup: "all edges unflipped, slice edges in the slice",
    source: "Kociemba: raw flip x UDSlice",
    index: |cube| Some(2048 * slice_index(cube) + flip_index(cube)),
    representative: |value| flipped(&slice_cube(value / 2048), value % 2048),
    ..Descriptor::USUAL
};

/// Flip and sorted slice together, 0..24330240: `2048 * slice_sorted + flip`.
pub static FLIP_SLICE_SORTED: Descriptor = Descriptor {
    name: "flip_slice_sorted",
    size: 2048 * 11880,
    subgroup: "all edges unflipped, slice edges at home",
    source: "Kociemba: raw flip x sorted UDSlice",
    index: |cube| Some(2048 * sorted_index(cube, UD_SLICE) + flip_index(cube)),
    representative: |value| flipped(&sorted_cube(value / 2048, UD_SLICE), value % 2048),
    ..Descriptor::USUAL
};

/// Returns the cube with its edges flipped as `flip` says.
fn flipped(cube: &Cube, flip: u32) -> Cube {
    Cube::assemble(*cube.corners(), *cube.twists(), *cube.edges(), digits::<12>(flip, 2))
}

/// The coordinates of this module.
pub(super) const ORIENTATIONS: &[&Descriptor] = &[&TWIST, &FLIP, &FLIP_SLICE, &FLIP_SLICE_SORTED];

fn flip_index(cube: &Cube) -> u32 {
    cube.flips()[..11].iter().fold(0, |value, &flip| 2 * value + u32::from(flip))
}

/// Returns the first N - 1 digits of `value`, most significant first, and a last one that makes the sum divisible by
/// `base`.
fn digits<const N: usize>(value: u32, base: u32) -> [u8; N] {
    let mut out = [0; N];
    let (mut rest, mut sum) = (value, 0);
    for i in (0..N - 1).rev() {
        out[i] = (rest % base) as u8;
        sum += rest % base;
        rest /= base;
    }
    out[N - 1] = ((base - sum % base) % base) as u8;
    out
}

/// The first of the four pieces UR UF UL UB.
const U_LAYER: usize = 0;
/// The first of the four pieces DR DF DL DB.
const D_LAYER: usize = 4;
/// The first of the four pieces FR FL BL BR.
const UD_SLICE: usize = 8;

/// Which slots hold the edges of the UD slice, 0..495, order aside (Kociemba's Pascal numbering of `UDSlice`).
pub static SLICE: Descriptor = Descriptor {
    name: "slice",
    size: 495,
    subgroup: "slice edges in the slice",
    source: "Kociemba: UDSlice (Pascal)",
    index: |cube| Some(slice_index(cube)),
    representative: slice_cube,
    ..Descriptor::USUAL
};

/// The same cosets as [`SLICE`], numbered as Kociemba's Python programs do.
pub static SLICE_PYTHON: Descriptor = Descriptor {
    name: "slice_python",
    size: 495,
    subgroup: "slice edges in the slice",
    source: "Kociemba: UDSlice (Python)",
    index: |cube| Some(mirrored_slots_rank(&slots_taken(cube, UD_SLICE))),
    representative: |value| slice_cube(four_slots_rank(&mirrored_slots_unrank(value))),
    ..Descriptor::USUAL
};

/// Which slots hold the edges of the UD slice, and in which order, 0..11880; 0..24 inside G1.
pub static SLICE_SORTED: Descriptor = Descriptor {
    name: "slice_sorted",
    size: SORTED,
    subgroup: "slice edges at home",
    source: "Kociemba: UDSliceSorted (Pascal)",
    index: |cube| Some(sorted_index(cube, UD_SLICE)),
    representative: |value| sorted_cube(value, UD_SLICE),
    ..Descriptor::USUAL
};

/// Which slots hold the edges of the U layer, and in which order, 0..11880.
pub static U_EDGES: Descriptor = Descriptor {
    name: "u_edges",
    size: SORTED,
    subgroup: "edges of the U layer at home",
    symmetric: false,
    source: "Kociemba: u_edges, solved renumbered to 0",
    index: |cube| Some(sorted_index(cube, U_LAYER)),
    representative: |value| sorted_cube(value, U_LAYER),
    ..Descriptor::USUAL
};

/// Which slots hold the edges of the D layer, and in which order, 0..11880.
pub static D_EDGES: Descriptor = Descriptor {
    name: "d_edges",
    size: SORTED,
    subgroup: "edges of the D layer at home",
    symmetric: false,
    source: "Kociemba: d_edges, solved renumbered to 0",
    index: |cube| Some(sorted_index(cube, D_LAYER)),
    representative: |value| sorted_cube(value, D_LAYER),
    ..Descriptor::USUAL
};

/// The same cosets as [`SLICE_SORTED`], numbered as Kociemba's Python programs do.
pub static SLICE_SORTED_PYTHON: Descriptor = Descriptor {
    name: "slice_sorted_python",
    size: SORTED,
    subgroup: "slice edges at home",
    source: "Kociemba: slice_sorted (Python)",
    index: |cube| Some(python_index(cube, UD_SLICE)),
    representative: |value| python_cube(value, UD_SLICE),
    ..Descriptor::USUAL
};

/// The same cosets as [`U_EDGES`], numbered as Kociemba's Python programs do, less `PYTHON_U_EDGES_SOLVED`, modulo 11880.
pub static U_EDGES_PYTHON: Descriptor = Descriptor {
    name: "u_edges_python",
    size: SORTED,
    subgroup: "edges of the U layer at home",
    symmetric: false,
    source: "Kociemba: u_edges (Python), less 1656 modulo 11880",
    index: |cube| Some((python_index(cube, U_LAYER) + SORTED - PYTHON_U_EDGES_SOLVED) % SORTED),
    representative: |value| python_cube((value + PYTHON_U_EDGES_SOLVED) % SORTED, U_LAYER),
    ..Descriptor::USUAL
};

/// The same cosets as [`D_EDGES`], numbered as Kociemba's Python programs do.
pub static D_EDGES_PYTHON: Descriptor = Descriptor {
    name: "d_edges_python",
    size: SORTED,
    subgroup: "edges of the D layer at home",
    symmetric: false,
    source: "Kociemba: d_edges (Python)",
    index: |cube| Some(python_index(cube, D_LAYER)),
    representative: |value| python_cube(value, D_LAYER),
    ..Descriptor::USUAL
};

/// Number of ways to place four edges in order.
const SORTED: u32 = 11880;

/// The number of the solved cube among the U edges in Kociemba's Python programs. Solved is 0 in every coordinate here.
pub(crate) const PYTHON_U_EDGES_SOLVED: u32 = 1656;

/// The coordinates of this module.
pub(super) const FOUR_EDGES: &[&Descriptor] =
    &[&SLICE, &SLICE_PYTHON, &SLICE_SORTED, &SLICE_SORTED_PYTHON, &U_EDGES, &U_EDGES_PYTHON, &D_EDGES, &D_EDGES_PYTHON];

/// Returns the number of a slot when the home slots `first..first + 4` are numbered 8..12.
fn renumber(slot: usize, first: usize) -> usize {
    (slot + 20 - first) % 12
}

/// Returns the slot with this number; the inverse of [`renumber`].
fn slot_numbered(number: usize, first: usize) -> usize {
    (number + first + 4) % 12
}

fn slots_taken(cube: &Cube, first: usize) -> [bool; 12] {
    std::array::from_fn(|number| mask_taken(cube, first) >> number & 1 == 1)
}

/// Returns the numbers of the occupied slots as a mask.
#[inline]
fn mask_taken(cube: &Cube, first: usize) -> usize {
    cube.edges()
        .iter()
        .enumerate()
        .fold(0, |mask, (slot, piece)| mask | usize::from(piece.index() / 4 == first / 4) << renumber(slot, first))
}

/// The [`four_slots_rank`] of every mask. Each search needs it a hundred times.
pub(super) static RANK_OF_MASK: [u16; 1 << 12] = {
    let mut ranks = [0; 1 << 12];
    let mut mask = 0;
    while mask < ranks.len() {
        let mut marked = [false; 12];
        let mut slot = 0;
        while slot < 12 {
            marked[slot] = mask >> slot & 1 == 1;
            slot += 1;
        }
        ranks[mask] = four_slots_rank(&marked) as u16;
        mask += 1;
    }
    ranks
};

fn slice_index(cube: &Cube) -> u32 {
    u32::from(RANK_OF_MASK[mask_taken(cube, UD_SLICE)])
}

fn slice_cube(value: u32) -> Cube {
    sorted_cube(24 * value, UD_SLICE)
}

fn sorted_index(cube: &Cube, first: usize) -> u32 {
    let taken = mask_taken(cube, first);
    let mut left = taken;
    let order: [u8; 4] = std::array::from_fn(|_| {
        let number = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (cube.edges()[slot_numbered(number, first)].index() - first) as u8
    });
    24 * u32::from(RANK_OF_MASK[taken]) + permutation_rank(&order)
}

/// Returns a cube with the four edges placed as `value` says and the others in rising order. Two corners are swapped if
/// parity requires it.
fn sorted_cube(value: u32, first: usize) -> Cube {
    let slot = |number| slot_numbered(number, first);
    placed(&four_slots_unrank(value / 24), permutation_unrank(value % 24), first, slot)
}

/// Returns a cube with the four edges in the slots with the marked numbers, in this order, and the others as [`sorted_cube`] does.
fn placed(marked: &[bool; 12], order: [u8; 4], first: usize, slot: impl Fn(usize) -> usize) -> Cube {
    let mut order = order.into_iter().map(|i| first + usize::from(i));
    let mut others = (0..12).map(&slot).filter(|p| !(first..first + 4).contains(p));
    let mut pieces = [0; 12];
    for (number, &taken) in marked.iter().enumerate() {
        let piece = if taken { order.next() } else { others.next() };
        pieces[slot(number)] = piece.unwrap_or_default() as u8;
    }
    edges_cube(&pieces)
}

/// Returns the slot with this number in Kociemba's Python programs, which count from DR for the edges of the layers: slot s has the
/// number (s + 4) mod 12.
fn python_slot(number: usize, first: usize) -> usize {
    if first == UD_SLICE { number } else { (number + 8) % 12 }
}

fn python_index(cube: &Cube, first: usize) -> u32 {
    let pieces: [usize; 12] = std::array::from_fn(|number| cube.edges()[python_slot(number, first)].index());
    let is_one = |piece: &usize| piece / 4 == first / 4;
    let mut order = pieces.iter().filter(|piece| is_one(piece)).map(|piece| (piece - first) as u8);
    let order: [u8; 4] = std::array::from_fn(|_| order.next().unwrap_or_default());
    24 * mirrored_slots_rank(&pieces.map(|piece| is_one(&piece))) + rotations_rank(&order)
}

fn python_cube(value: u32, first: usize) -> Cube {
    placed(&mirrored_slots_unrank(value / 24), rotations_unrank(value % 24), first, |number| python_slot(number, first))
}

/// Marks entries of [`merge_table`] that no cube of G1 reads.
pub(crate) const NO_MERGE: u16 = u16::MAX;

/// Computes the table from which the permutation of the eight U and D edges is read. The row is the value of the U
/// edges (0..11880), the column the order of the D edges (0..24). Its index is `24 * u_edges + d_edges % 24`. Inside G1
/// the slots of the D edges follow from the slots of the U edges. An entry is [`NO_MERGE`] if a U edge is in the slice.
pub(crate) fn merge_table() -> Vec<u16> {
    let merged = |u_edges: &Cube, order: u32| {
        let mut d_edges = permutation_unrank::<4>(order).into_iter();
        let mut pieces = [0; 8];
        // The D edges fill the slots that the U edges leave free, in the order of their numbering. With a U edge in the slice, more than
        // four slots are free.
        for slot in (0..12).map(|number| slot_numbered(number, D_LAYER)).filter(|&slot| slot < 8) {
            let piece = u_edges.edges()[slot].index();
            pieces[slot] = if piece < D_LAYER { piece as u8 } else { D_LAYER as u8 + d_edges.next()? };
        }
        Some(permutation_rank(&pieces) as u16)
    };
    (0..U_EDGES.size)
        .map(|u| sorted_cube(u, U_LAYER))
        .flat_map(|cube| (0..24).map(move |order| merged(&cube, order).unwrap_or(NO_MERGE)))
        .collect()
}

/// Corner permutation 0..40320.
pub static CORNER_PERM: Descriptor = Descriptor {
    name: "corner_perm",
    size: 40320,
    subgroup: "all corners in their slots",
    source: "Kociemba: CornPerm",
    index: |cube| Some(permutation_rank(&cube.corners().map(|piece| piece as u8))),
    representative: |value| corners_cube(permutation_unrank(value)),
    ..Descriptor::USUAL
};

/// The same cosets as [`CORNER_PERM`], numbered as Kociemba's Python programs do.
pub static CORNER_PERM_PYTHON: Descriptor = Descriptor {
    name: "corner_perm_python",
    size: 40320,
    subgroup: "all corners in their slots",
    source: "Kociemba: corners (Python)",
    index: |cube| Some(rotations_rank(&cube.corners().map(|piece| piece as u8))),
    representative: |value| corners_cube(rotations_unrank(value)),
    ..Descriptor::USUAL
};

/// The permutation of all twelve edges, 0..12!. It has too many values for a table; moves are applied to the
/// permutation.
pub static EDGE_PERM: Descriptor = Descriptor {
    name: "edge_perm",
    size: FACTORIAL[12],
    subgroup: "all edges in their slots",
    source: "Kociemba: EdgePerm",
    index: |cube| Some(permutation_rank(&cube.edges().map(|piece| piece as u8))),
    representative: |value| edges_cube(&permutation_unrank(value)),
    ..Descriptor::USUAL
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
    source: "Kociemba: Phase2EdgePerm",
    index: |cube| ud_edges(cube).map(|pieces| permutation_rank(&pieces)),
    representative: |value| ud_edges_cube(permutation_unrank(value)),
    ..Descriptor::USUAL
};

/// The same cosets as [`UD_EDGES`], numbered as Kociemba's Python programs do.
pub static UD_EDGES_PYTHON: Descriptor = Descriptor {
    name: "ud_edges_python",
    size: 40320,
    subgroup: "edges of the U and D layers at home (within G1)",
    validity: Validity::PhaseTwo,
    source: "Kociemba: ud_edges (Python)",
    index: |cube| ud_edges(cube).map(|pieces| rotations_rank(&pieces)),
    representative: |value| ud_edges_cube(rotations_unrank(value)),
    ..Descriptor::USUAL
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

#[cfg(test)]
mod tests {
    use super::*;
    use superflip_cube::Move;

    #[test]
    fn merging_agrees_with_the_permutation_inside_g1() {
        let table = merge_table();
        let merged = |cube: &Cube| {
            let value = |coordinate: &Descriptor| coordinate.index(cube).unwrap() as usize;
            table[24 * value(&U_EDGES) + value(&D_EDGES) % 24]
        };
        let mut cube = Cube::SOLVED;
        for i in 0..2000 {
            cube = cube.then(Move::PHASE_TWO[(i * i + i / 7) % 10].cube());
            assert_eq!(UD_EDGES.index(&cube), Some(merged(&cube).into()));
        }
        assert_eq!(merged(Move::R.cube()), NO_MERGE);
    }
}
