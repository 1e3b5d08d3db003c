//! Corner twist, edge flip, and flip together with the UD slice.

use super::four_edges::{slice_cube, slice_index, slice_sorted_cube, slice_sorted_index};
use super::{Descriptor, Validity, coordinate, every_value};
use superflip_cube::{Corner, Cube, Edge};

/// Corner orientation 0..2187: base 3, URF first, DRB left out (the twists sum to 0 modulo 3).
pub static TWIST: Descriptor = Descriptor {
    name: "twist",
    size: 2187,
    subgroup: "all corners untwisted",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: twist",
    occurs: every_value,
    index: |cube| Some(cube.twists()[..7].iter().fold(0, |value, &twist| 3 * value + u32::from(twist))),
    representative: |value| Cube::assemble(Corner::ALL, digits::<8>(value, 3), Edge::ALL, [0; 12]),
};

/// Edge orientation 0..2048: base 2, UR first, BR left out (the flips sum to 0 modulo 2).
pub static FLIP: Descriptor = Descriptor {
    name: "flip",
    size: 2048,
    subgroup: "all edges unflipped",
    validity: Validity::Always,
    symmetric: false,
    source: "Kociemba: flip",
    occurs: every_value,
    index: |cube| Some(flip_index(cube)),
    representative: |value| Cube::assemble(Corner::ALL, [0; 8], Edge::ALL, digits::<12>(value, 2)),
};

/// Flip and slice together, 0..1013760: `2048 * slice + flip`. Symmetries do not act on flip alone, because the
/// reference sticker of the four slice edges depends on where they are. They act on flip and slice together.
pub static FLIP_SLICE: Descriptor = Descriptor {
    name: "flip_slice",
    size: 2048 * 495,
    subgroup: "all edges unflipped, slice edges in the slice",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: raw flip x UDSlice",
    occurs: every_value,
    index: |cube| Some(2048 * slice_index(cube) + flip_index(cube)),
    representative: |value| flipped(&slice_cube(value / 2048), value % 2048),
};

/// Flip and sorted slice together, 0..24330240: `2048 * slice_sorted + flip`.
pub static FLIP_SLICE_SORTED: Descriptor = Descriptor {
    name: "flip_slice_sorted",
    size: 2048 * 11880,
    subgroup: "all edges unflipped, slice edges at home",
    validity: Validity::Always,
    symmetric: true,
    source: "Kociemba: raw flip x sorted UDSlice",
    occurs: every_value,
    index: |cube| Some(2048 * slice_sorted_index(cube) + flip_index(cube)),
    representative: |value| flipped(&slice_sorted_cube(value / 2048), value % 2048),
};

/// Returns the cube with its edges flipped as `flip` says.
fn flipped(cube: &Cube, flip: u32) -> Cube {
    Cube::assemble(*cube.corners(), *cube.twists(), *cube.edges(), digits::<12>(flip, 2))
}

/// The coordinates of this module.
pub(super) const ORIENTATIONS: &[&Descriptor] = &[&TWIST, &FLIP, &FLIP_SLICE, &FLIP_SLICE_SORTED];

coordinate! {
    /// A value of [`TWIST`].
    Twist(u16) of TWIST
}
coordinate! {
    /// A value of [`FLIP`].
    Flip(u16) of FLIP
}
coordinate! {
    /// A value of [`FLIP_SLICE`].
    FlipSlice(u32) of FLIP_SLICE
}

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
