//! Coordinates of a cube as bytes, with few instructions on vectors.
//!
//! The values equal the values of the descriptors of the same names.

use crate::coord::kociemba::RANK_OF_MASK;
use crate::coord::rank::{FACTORIAL, permutation_rank};
use superflip_cube::byte_cube::TWIST_WEIGHTS;
use superflip_cube::simd::{Bytes16, Simd};
use superflip_cube::{ByteCube, Cube};

/// The coordinates of phase 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Orientation {
    /// Value of [`TWIST`](super::TWIST).
    pub(crate) twist: u16,
    /// Value of [`FLIP`](super::FLIP).
    pub(crate) flip: u16,
    /// Value of [`SLICE`](super::SLICE).
    pub(crate) slice: u16,
}

impl Orientation {
    /// Reads the coordinates off a cube.
    #[inline(always)]
    pub(crate) fn of<K: Simd>(simd: K, cube: &ByteCube) -> Self {
        let (corners, edges) = (simd.load(&cube.corners), simd.load(&cube.edges));
        let [low, high] = simd.weighted(simd.high(corners), simd.load(&TWIST_WEIGHTS));
        let backwards = simd.select(edges, simd.load(&BACKWARDS));
        // Bit 3 marks the edges from FR on: the edges of the slice.
        let [flips, in_slice, _] = simd.columns::<3, 4, 4>([backwards, edges, edges]);
        Self {
            // The last corner is left out.
            twist: (27 * low + high / 3) as u16,
            flip: flips as u16,
            slice: RANK_OF_MASK[(in_slice & 0xfff) as usize],
        }
    }

    /// Returns the value of [`FLIP_SLICE`](super::FLIP_SLICE).
    #[inline(always)]
    pub(crate) const fn flip_slice(self) -> u32 {
        (self.slice as u32) << 11 | self.flip as u32
    }
}

impl From<&Cube> for Orientation {
    fn from(cube: &Cube) -> Self {
        Self::of(superflip_cube::simd::Scalar, &ByteCube::of(cube))
    }
}

/// Slots of all edges but the last, in falling order: the first is the highest digit of the flip.
const BACKWARDS: Bytes16 = {
    let mut places = [0x80; 16];
    let mut lane = 0;
    while lane < 11 {
        places[lane] = 10 - lane as u8;
        lane += 1;
    }
    Bytes16(places)
};

/// The low four bits of each byte: the piece.
const PIECES: Bytes16 = Bytes16([0x0f; 16]);

/// Returns the pieces without their orientations.
#[inline(always)]
pub(crate) fn pieces<K: Simd>(simd: K, bytes: K::Vector) -> K::Vector {
    simd.and(bytes, simd.load(&PIECES))
}

/// Returns the rank of a permutation of 0..8, given by the first eight bytes: [`CORNER_PERM`](super::CORNER_PERM) or
/// [`UD_EDGES`](super::UD_EDGES).
#[inline(always)]
pub(crate) fn rank_of_eight<K: Simd>(simd: K, permutation: K::Vector) -> u16 {
    let inverted = simd.xor(permutation, simd.load(&Bytes16([0xff; 16])));
    let (first, second) = (inversions(simd, permutation, inverted, 0), inversions(simd, permutation, inverted, 1));
    let [first, second, _] = simd.columns::<0, 0, 0>([first, second, second]).map(|pairs| pairs as usize);
    let ranks = &PAIRS.ranks;
    ranks[0][first & 127] + ranks[1][first >> 7 & 127] + ranks[2][second & 127] + ranks[3][second >> 7 & 127]
}

/// Marks the pairs of one half of [`PAIRS`] whose left entry is greater with the highest bit. The complement of the left entry plus the
/// right entry is the difference less one, modulo 256, so its highest bit is the answer.
#[inline(always)]
fn inversions<K: Simd>(simd: K, permutation: K::Vector, inverted: K::Vector, half: usize) -> K::Vector {
    let left = simd.select(inverted, simd.load(&PAIRS.left[half]));
    let right = simd.select(permutation, simd.load(&PAIRS.right[half]));
    simd.add(left, right)
}

/// The 28 pairs of places of a permutation of eight, in two halves of 14.
struct Pairs {
    left: [Bytes16; 2],
    right: [Bytes16; 2],
    /// What the inversions among seven pairs add to the rank, by their mask.
    ranks: [[u16; 128]; 4],
}

static PAIRS: Pairs = {
    let (mut left, mut right) = ([[0x80; 16]; 2], [[0x80; 16]; 2]);
    let mut ranks = [[0; 128]; 4];
    let (mut number, mut place) = (0, 1);
    while place < 8 {
        let mut before = 0;
        while before < place {
            left[number / 14][number % 14] = before as u8;
            right[number / 14][number % 14] = place as u8;
            let mut mask = 0;
            while mask < 128 {
                if mask >> (number % 7) & 1 == 1 {
                    ranks[number / 7][mask] += FACTORIAL[place] as u16;
                }
                mask += 1;
            }
            number += 1;
            before += 1;
        }
        place += 1;
    }
    Pairs { left: [Bytes16(left[0]), Bytes16(left[1])], right: [Bytes16(right[0]), Bytes16(right[1])], ranks }
};

/// Returns the value of [`SLICE_SORTED`](super::SLICE_SORTED), given the edges without their flips.
#[inline(always)]
pub(crate) fn slice_sorted<K: Simd>(simd: K, edges: K::Vector) -> u16 {
    let [in_slice, low, high] = simd.columns::<4, 7, 6>([edges; 3]);
    let in_slice = in_slice & 0xfff;
    // The pieces of the slice differ in their two lowest bits.
    let (low, high) = (simd.extract(low, in_slice), simd.extract(high, in_slice));
    24 * RANK_OF_MASK[in_slice as usize] + u16::from(ORDERS[(low | high << 4) as usize & 255])
}

/// The rank of the order of four pieces, by their lowest bits and the bits above these.
static ORDERS: [u8; 256] = {
    let mut ranks = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut order = [0; 4];
        let mut place = 0;
        while place < 4 {
            order[place] = (bits >> place & 1 | (bits >> (4 + place) & 1) << 1) as u8;
            place += 1;
        }
        ranks[bits] = permutation_rank(&order) as u8;
        bits += 1;
    }
    ranks
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::{CORNER_PERM, Descriptor, FLIP, FLIP_SLICE, SLICE, SLICE_SORTED, TWIST, UD_EDGES};
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::simd::{Kernel, Scalar, dispatch};
    use superflip_cube::{Move, random_cube};

    /// Every coordinate of this module.
    struct All<'a>(&'a ByteCube);

    impl Kernel for All<'_> {
        type Output = (Orientation, [u16; 3]);

        #[inline(always)]
        fn run<K: Simd>(self, simd: K) -> Self::Output {
            let corners = pieces(simd, simd.load(&self.0.corners));
            let edges = pieces(simd, simd.load(&self.0.edges));
            let permutations = [rank_of_eight(simd, corners), slice_sorted(simd, edges), rank_of_eight(simd, edges)];
            (Orientation::of(simd, self.0), permutations)
        }
    }

    #[test]
    fn coordinates_of_bytes_are_those_of_the_cube() {
        let mut rng = StdRng::seed_from_u64(5);
        let mut inside = Cube::SOLVED;
        for number in 0..4000 {
            inside = inside.then(Move::PHASE_TWO[(number * number + number / 7) % 10].cube());
            for cube in [random_cube(&mut rng), inside] {
                let value = |coordinate: &Descriptor| coordinate.index(&cube).map(|value| value as u16);
                let bytes = ByteCube::of(&cube);
                for (orientation, [corners, slice, ud_edges]) in [dispatch(All(&bytes)), All(&bytes).run(Scalar)] {
                    assert_eq!(Some(orientation.twist), value(&TWIST));
                    assert_eq!(Some(orientation.flip), value(&FLIP));
                    assert_eq!(Some(orientation.slice), value(&SLICE));
                    assert_eq!(Some(orientation.flip_slice()), FLIP_SLICE.index(&cube));
                    assert_eq!((Some(corners), Some(slice)), (value(&CORNER_PERM), value(&SLICE_SORTED)));
                    assert!(value(&UD_EDGES).is_none_or(|value| value == ud_edges));
                }
            }
        }
        assert!(UD_EDGES.index(&inside).is_some());
    }
}
