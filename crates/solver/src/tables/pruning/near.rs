//! The near set: all positions at most five moves from solved, as fingerprints in a hash table.
//!
//! A cube at most ten moves from solved is at most five moves from a position in this set. So the near search is a
//! meet-in-the-middle search. The 621 649 positions are in an open-addressing hash table with linear probing. It has
//! 2^20 words of 32 bits (4 MB):
//!
//! ```text
//! bit  31..3              2..0
//!      fingerprint        distance + 1, so that an empty word is 0
//! ```
//!
//! A position is hashed with the XXH3 of its cubie arrays. Bits 40 to 59 are its slot, bits 3 to 31 its fingerprint.
//!
//! - Positions in the set have the correct distance, because no two of them share a fingerprint near one slot. A
//!   collision would lower the counts, which a test compares with published ones.
//! - A position outside the set is reported as a member in about one of 10^8 look-ups. So [`way_home`] follows the
//!   distances down to solved before a solution is used.

use xxhash_rust::xxh3::xxh3_64;

use superflip_cube::{Cube, Move};

/// Radius of the set in moves.
pub const RADIUS: u8 = 5;
/// Number of words in the table; a power of two.
pub const WORDS: usize = 1 << 20;

/// Returns the first slot of a cube, and its fingerprint with the low three bits cleared.
fn place(cube: &Cube) -> (usize, u32) {
    let mut bytes = [0; 20];
    for (slot, byte) in bytes[..8].iter_mut().enumerate() {
        *byte = cube.corners()[slot] as u8 | cube.twists()[slot] << 4;
    }
    for (slot, byte) in bytes[8..].iter_mut().enumerate() {
        *byte = cube.edges()[slot] as u8 | cube.flips()[slot] << 4;
    }
    let hash = xxh3_64(&bytes);
    ((hash >> 40) as usize, hash as u32 & !7)
}

/// Returns the distance 0..=5 of the cube from solved, or `None` if it is farther. In rare cases a hash
/// collision returns a distance for a cube outside the set.
#[inline]
pub fn distance(words: &[u32], cube: &Cube) -> Option<u8> {
    let (mut at, wanted) = place(cube);
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

/// Returns an optimal solution, or `None` if the cube is more than five moves from solved.
pub fn way_home(words: &[u32], cube: &Cube) -> Option<Vec<Move>> {
    let mut way = Vec::new();
    descends(words, cube, distance(words, cube)?, &mut way).then_some(way)
}

/// Returns whether `left` moves lead to solved, each of them nearer, and appends them to `way`. If a move leads nowhere
/// because of a hash collision, the next one is tried.
fn descends(words: &[u32], cube: &Cube, left: u8, way: &mut Vec<Move>) -> bool {
    if left == 0 {
        return cube.is_solved();
    }
    for mv in Move::ALL {
        let after = cube.then(mv.cube());
        if distance(words, &after) == Some(left - 1) {
            way.push(mv);
            if descends(words, &after, left - 1, way) {
                return true;
            }
            way.pop();
        }
    }
    false
}

/// Builds the set and counts the positions at each distance.
pub fn build() -> (Vec<u32>, Vec<u64>) {
    let mut words = vec![0; WORDS];
    let mut histogram = Vec::new();
    let mut frontier = vec![Cube::SOLVED];
    insert(&mut words, &Cube::SOLVED, 0);
    for depth in 0..=RADIUS {
        histogram.push(frontier.len() as u64);
        if depth < RADIUS {
            let mut next = Vec::with_capacity(frontier.len() * 14);
            for cube in &frontier {
                for mv in Move::ALL {
                    let after = cube.then(mv.cube());
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

/// Inserts the cube; returns whether it was new.
fn insert(words: &mut [u32], cube: &Cube, depth: u8) -> bool {
    let (mut at, wanted) = place(cube);
    loop {
        let word = &mut words[at & (WORDS - 1)];
        if *word == 0 {
            *word = wanted | u32::from(depth + 1);
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
    fn a_false_positive_of_the_set_has_no_solution() {
        let (mut words, _) = build();
        assert_eq!(distance(&words, &Cube::SOLVED.after(&[Move::R, Move::U, Move::Ri])), Some(3));
        let cube = Cube::SOLVED.after(&[Move::R, Move::U, Move::F, Move::L, Move::D, Move::B]);
        assert_eq!((distance(&words, &cube), way_home(&words, &cube)), (None, None));
        assert!(insert(&mut words, &cube, 5));
        assert_eq!((distance(&words, &cube), way_home(&words, &cube)), (Some(5), None));
        let near = Cube::SOLVED.after(&[Move::R, Move::U, Move::F, Move::L, Move::D]);
        let way = way_home(&words, &near).expect("in the set");
        assert!(way.len() == 5 && near.after(&way).is_solved());
    }
}
