//! Every position at most five turns from solved, as a set of fingerprints.
//!
//! The near search meets this set in the middle: a cube at most ten turns from solved is at most five turns from some
//! position in it. 621 649 positions, in an open hash table of 2^20 words of 64 bits (8 MB), linear probing:
//!
//! ```text
//! bit  63..3                     2..0
//!      fingerprint, upper bits   distance + 1, so that an empty word is 0
//! ```
//!
//! A fingerprint is 61 bits of the XXH3 of the cubie arrays. Two positions may share one (about one chance in 10^12 for
//! a whole search); an answer is therefore followed down to solved and replayed before anyone sees it.

use xxhash_rust::xxh3::xxh3_64;

use crate::cube::{Cube, Move};

/// How far the set reaches.
pub const RADIUS: u8 = 5;
/// Words in the table; a power of two.
pub const WORDS: usize = 1 << 20;

/// The fingerprint of a cube, its low three bits cleared.
fn fingerprint(cube: &Cube) -> u64 {
    let mut bytes = [0; 20];
    for (slot, byte) in bytes[..8].iter_mut().enumerate() {
        *byte = cube.corners()[slot].index() as u8 | cube.twists()[slot] << 4;
    }
    for (slot, byte) in bytes[8..].iter_mut().enumerate() {
        *byte = cube.edges()[slot].index() as u8 | cube.flips()[slot] << 4;
    }
    xxh3_64(&bytes) & !7
}

/// The distance 0..=5 of the cube from solved, or `None` when it is farther away.
#[inline]
pub fn distance(words: &[u64], cube: &Cube) -> Option<u8> {
    let wanted = fingerprint(cube);
    let mut at = (wanted >> 40) as usize;
    loop {
        let word = words[at & (WORDS - 1)];
        if word == 0 {
            return None;
        }
        if word & !7 == wanted {
            return Some((word & 7) as u8 - 1);
        }
        at += 1;
    }
}

/// Builds the set, and counts the positions at each distance.
pub fn build() -> (Vec<u64>, Vec<u64>) {
    let mut words = vec![0; WORDS];
    let mut histogram = Vec::new();
    let mut frontier = vec![Cube::SOLVED];
    insert(&mut words, &Cube::SOLVED, 0);
    for depth in 0..=RADIUS {
        histogram.push(frontier.len() as u64);
        if depth < RADIUS {
            let mut next = Vec::with_capacity(frontier.len() * 14);
            for cube in &frontier {
                for turn in Move::ALL {
                    let after = cube.then(turn.cube());
                    if insert(&mut words, &after, depth + 1) {
                        next.push(after);
                    }
                }
            }
            frontier = next;
        }
    }
    (words, histogram)
}

/// Puts the cube in unless it is there; says whether it was new.
fn insert(words: &mut [u64], cube: &Cube, depth: u8) -> bool {
    let wanted = fingerprint(cube);
    let mut at = (wanted >> 40) as usize;
    loop {
        let word = &mut words[at & (WORDS - 1)];
        if *word == 0 {
            *word = wanted | u64::from(depth + 1);
            return true;
        }
        if *word & !7 == wanted {
            return false;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_those_of_the_whole_cube() {
        let (words, histogram) = build();
        assert_eq!(histogram, [1, 18, 243, 3240, 43239, 574_908]);
        assert_eq!(distance(&words, &Cube::SOLVED.after(&[Move::R, Move::U, Move::Ri])), Some(3));
        assert_eq!(
            distance(&words, &Cube::SOLVED.after(&[Move::R, Move::L, Move::U, Move::D, Move::F, Move::B])),
            None
        );
    }
}
