//! Hash tables for large plain searches. Their hash function is faster than that of the standard library, and does not resist chosen
//! keys.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use superflip_cube::Cube;

/// A hash table with [`FastHasher`].
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;
/// A set with [`FastHasher`].
pub type FastSet<K> = HashSet<K, BuildHasherDefault<FastHasher>>;

/// A polynomial hash over words, as in the crate `rustc-hash`.
#[derive(Clone, Copy, Default)]
pub struct FastHasher(u64);

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = self.0.wrapping_add(number).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_usize(number.cast_unsigned());
    }

    /// Tables select a bucket by the low bits, and the high bits depend on most of the key.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// Returns a hash of a cube, of 64 bits. Different cubes have different hashes with overwhelming probability.
pub fn fingerprint(cube: &Cube) -> u64 {
    // A piece with its orientation is a number below 24.
    let join = |bits: u64, piece: u64| bits << 5 | piece;
    let corners =
        cube.corners().iter().zip(cube.twists()).map(|(piece, &twist)| piece.index() as u64 * 3 + u64::from(twist));
    let edges = cube.edges().iter().zip(cube.flips()).map(|(piece, &flip)| piece.index() as u64 * 2 + u64::from(flip));
    mixed(corners.fold(0, join) ^ mixed(edges.fold(0, join)))
}

/// The finalizer of `SplitMix64`.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
