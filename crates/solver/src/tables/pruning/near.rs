//! The near set: all positions at most five moves from solved, as fingerprints in a hash table. The profile `tiny` has
//! those at most four moves from solved.
//!
//! A cube at most ten moves from solved is at most five moves from a position in this set. So the near search is a
//! meet-in-the-middle search. The 621 649 positions are in an open-addressing hash table with linear probing. It has
//! 2^20 words of 32 bits (4 MB); the 46 741 positions at most four moves from solved take 2^16 words (262 kB):
//!
//! ```text
//! bit  31..3              2..0
//!      fingerprint        distance + 1, so that an empty word is 0
//! ```
//!
//! A position is hashed with the XXH3 of its cubie arrays. The bits from 40 on are its slot, bits 3 to 31 its fingerprint.
//!
//! - Positions in the set have the correct distance, because no two of them share a fingerprint near one slot. A
//!   collision would lower the counts, which a test compares with published ones.
//! - A position outside the set is reported as a member in about one of 10^8 look-ups. So `way_home` follows the
//!   distances down to solved before a solution is used.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use crate::tables::optimal::unit_moves;
use superflip_cube::metric::Metric;
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, ByteMove, Cube, Move};

/// Radius of the mapped set in moves.
pub(crate) const RADIUS: u8 = 5;
/// Number of words in the table of the mapped set.
pub(crate) const WORDS: usize = words(RADIUS);

/// Returns the number of words for a set of this radius, 4 or 5; a power of two.
const fn words(radius: u8) -> usize {
    if radius < RADIUS { 1 << 16 } else { 1 << 20 }
}

/// Returns the first slot of a cube, and its fingerprint with the low three bits cleared.
fn place(cube: &ByteCube) -> (usize, u32) {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&cube.corners.0[..8]);
    bytes[8..].copy_from_slice(&cube.edges.0[..12]);
    let hash = xxh3_64(&bytes);
    ((hash >> 40) as usize, hash as u32 & !7)
}

/// The positions at most `radius` moves from solved.
#[derive(Clone, Copy)]
pub(crate) struct NearSet<'t> {
    pub(crate) words: &'t [u32],
    pub(crate) radius: u8,
    /// Length of a half turn: 1 in HTM, 2 in QTM.
    pub(crate) half_turn: u8,
}

impl NearSet<'_> {
    /// Returns the distance of the cube from solved, or `None` if it exceeds the radius. In rare cases a hash collision returns
    /// a distance for a cube outside the set.
    #[inline]
    pub(crate) fn distance(&self, cube: &Cube) -> Option<u8> {
        let (mut at, wanted) = place(&ByteCube::of(cube));
        loop {
            let word = self.words[at & (self.words.len() - 1)];
            if word == 0 {
                return None;
            }
            if word & !7 == wanted {
                return Some((word & 7) as u8 - 1);
            }
            at += 1;
        }
    }

    /// Returns the length of a move.
    pub(crate) const fn length(&self, mv: Move) -> u8 {
        if mv.quarters() == 2 { self.half_turn } else { 1 }
    }

    /// Returns an optimal solution, or `None` if the cube is farther from solved than the radius.
    pub(crate) fn way_home(&self, cube: &Cube) -> Option<Vec<Move>> {
        let mut way = Vec::new();
        self.descends(cube, self.distance(cube)?, &mut way).then_some(way)
    }

    /// Returns whether `left` moves lead to solved, each of them nearer, and appends them to `way`. If a move leads nowhere
    /// because of a hash collision, the next one is tried.
    fn descends(&self, cube: &Cube, left: u8, way: &mut Vec<Move>) -> bool {
        if left == 0 {
            return cube.is_solved();
        }
        for mv in Move::ALL {
            let Some(left) = left.checked_sub(self.length(mv)) else { continue };
            let after = cube.then(mv.cube());
            if self.distance(&after) == Some(left) {
                way.push(mv);
                if self.descends(&after, left, way) {
                    return true;
                }
                way.pop();
            }
        }
        false
    }
}

/// Builds the set of this radius, at most [`RADIUS`], and counts the positions at each distance.
pub(crate) fn build(radius: u8) -> (Vec<u32>, Vec<u64>) {
    let turns = Move::ALL.map(|mv| *mv.cube());
    dispatch(Build { radius, words: vec![0; words(radius)], moves: &turns })
}

/// Builds the set of the positions at most `radius` steps from solved, at most 700 000, in a table of [`WORDS`].
pub(crate) fn build_of_steps(radius: u8, steps: &[Cube]) -> Vec<u32> {
    dispatch(Build { radius, words: vec![0; WORDS], moves: steps }).0
}

/// The positions at most [`RADIUS`] quarter turns from solved, computed at first use.
pub(crate) static IN_QTM: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let quarter_turns: Vec<Cube> = unit_moves(Metric::Qtm).iter().map(|mv| *mv.cube()).collect();
    build_of_steps(RADIUS, &quarter_turns)
});

struct Build<'m> {
    radius: u8,
    words: Vec<u32>,
    moves: &'m [Cube],
}

impl Kernel for Build<'_> {
    type Output = (Vec<u32>, Vec<u64>);

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> (Vec<u32>, Vec<u64>) {
        let Self { radius, mut words, moves } = self;
        let turns: Vec<ByteMove> = moves.iter().map(ByteMove::of).collect();
        // The moves after each move, and first those after none.
        let useful: Vec<Vec<usize>> =
            (0..=moves.len()).map(|after| useful_after(moves, after.checked_sub(1))).collect();
        let solved = ByteCube::of(&Cube::SOLVED);
        insert(&mut words, &solved, 0);
        let (mut histogram, mut frontier) = (vec![1], vec![(solved, 0)]);
        for depth in 1..=radius {
            let (mut count, mut next) = (0, Vec::new());
            for (cube, last) in &frontier {
                for &mv in &useful[*last] {
                    let after = cube.then(simd, &turns[mv]);
                    if insert(&mut words, &after, depth) {
                        count += 1;
                        if depth < radius {
                            next.push((after, mv + 1));
                        }
                    }
                }
            }
            histogram.push(count);
            frontier = next;
        }
        (words, histogram)
    }
}

/// Returns the moves that may lead to a new position after a move. The others do not: one that joins with it to a single move or to
/// none, and one that commutes with it and comes before it in order.
fn useful_after(moves: &[Cube], last: Option<usize>) -> Vec<usize> {
    let is_useful = |&next: &usize| {
        last.is_none_or(|last| {
            let both = moves[last].then(&moves[next]);
            let commutes = both == moves[next].then(&moves[last]);
            !(both.is_solved() || moves.contains(&both) || next < last && commutes)
        })
    };
    (0..moves.len()).filter(is_useful).collect()
}

/// Inserts the cube; returns whether it was new.
fn insert(words: &mut [u32], cube: &ByteCube, depth: u8) -> bool {
    let (mut at, wanted) = place(cube);
    loop {
        let place = at & (words.len() - 1);
        let word = &mut words[place];
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

    fn set(words: &[u32], radius: u8) -> NearSet<'_> {
        NearSet { words, radius, half_turn: 1 }
    }

    #[test]
    fn a_false_positive_of_the_set_has_no_solution() {
        for radius in [4, RADIUS] {
            let (mut words, counts) = build(radius);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(
                xxh3_64(&bytes),
                [12_568_866_560_536_544_023, 2_617_898_775_645_085_709][usize::from(radius == RADIUS)],
                "{radius}"
            );
            assert_eq!(counts, [1, 18, 243, 3240, 43239, 574_908][..=usize::from(radius)], "as published");
            let moves = [Move::R, Move::U, Move::F, Move::L, Move::D, Move::B];
            let cube = |moves: usize, all: &[Move]| Cube::SOLVED.after(&all[..moves]);
            let (inside, outside) = (cube(radius.into(), &moves), cube(usize::from(radius) + 1, &moves));
            assert_eq!(set(&words, radius).distance(&inside), Some(radius));
            let way = set(&words, radius).way_home(&inside).expect("in the set");
            assert!(way.len() == usize::from(radius) && inside.after(&way).is_solved());
            assert_eq!((set(&words, radius).distance(&outside), set(&words, radius).way_home(&outside)), (None, None));
            assert!(insert(&mut words, &ByteCube::of(&outside), radius));
            assert_eq!(
                (set(&words, radius).distance(&outside), set(&words, radius).way_home(&outside)),
                (Some(radius), None)
            );
        }
    }
}
