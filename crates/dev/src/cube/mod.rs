//! The cube on independent models, random cubes, and plain searches.

pub mod hashing;
pub mod near;
pub mod slots;
pub mod stickers;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use superflip_cube::{Cube, Face, Move, Moves};

/// Returns the 54 letters of a cube, from its facelet permutation.
pub fn letters(cube: &Cube) -> String {
    cube.to_facelet_permutation().iter().map(|&from| Face::ALL[usize::from(from) / 9].letter()).collect()
}

pub fn rng(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A long random walk: close enough to uniform for tests.
pub fn scrambled(rng: &mut StdRng) -> Cube {
    walk(rng, 60, &Move::ALL)
}

/// A walk of `length` moves, no face twice in a row.
pub fn walk(rng: &mut StdRng, length: usize, moves: &[Move]) -> Cube {
    Cube::SOLVED.after(&maneuver(rng, length, moves))
}

/// The moves of a walk of this length, no face twice in a row.
pub fn maneuver(rng: &mut StdRng, length: usize, moves: &[Move]) -> Moves {
    let mut walked: Vec<Move> = Vec::new();
    while walked.len() < length {
        let mv = moves[rng.random_range(0..moves.len())];
        if walked.last().is_none_or(|&last| mv.may_follow(last)) {
            walked.push(mv);
        }
    }
    Moves::from(walked)
}

/// The cubes one move after those of a frontier, as far as `is_new` accepts them.
pub fn expanded(frontier: &[Cube], moves: &[Move], mut is_new: impl FnMut(&Cube) -> bool) -> Vec<Cube> {
    let after = frontier.iter().flat_map(|cube| moves.iter().map(|mv| cube.then(mv.cube())));
    after.filter(|after| is_new(after)).collect()
}

/// Counts the distinct keys of cubes first met after 0, 1, 2 ... moves, up to `depth`, by a plain breadth-first search
/// over keys. Correct for keys on which moves act.
pub fn breadth_first<K: Eq + std::hash::Hash>(moves: &[Move], depth: usize, key: impl Fn(&Cube) -> K) -> Vec<u64> {
    let mut seen = hashing::FastSet::from_iter([key(&Cube::SOLVED)]);
    let (mut frontier, mut counts) = (vec![Cube::SOLVED], vec![1]);
    while counts.len() <= depth {
        frontier = expanded(&frontier, moves, |after| seen.insert(key(after)));
        if frontier.is_empty() {
            break;
        }
        counts.push(frontier.len() as u64);
    }
    counts
}

/// The positions of the eight corners at each distance in moves, as published.
pub const CORNERS: [u64; 12] =
    [1, 18, 243, 2_874, 28_000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64_736];

/// The distance of every cube at most `radius` moves from solved, by breadth-first search over cubies, without coordinates or tables.
pub fn ball(radius: u8) -> HashMap<Cube, u8> {
    let (mut seen, mut frontier) = (HashMap::from([(Cube::SOLVED, 0)]), vec![Cube::SOLVED]);
    for depth in 1..=radius {
        frontier = expanded(&frontier, &Move::ALL, |after| match seen.entry(*after) {
            Entry::Vacant(place) => {
                place.insert(depth);
                true
            }
            Entry::Occupied(_) => false,
        });
    }
    seen
}

/// The maneuver in canonical order: of two opposite faces, the lower one first.
pub fn canonical(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    for at in 1..moves.len() {
        if moves[at - 1].face() == moves[at].face().opposite() && moves[at - 1].face() > moves[at].face() {
            moves.swap(at - 1, at);
        }
    }
    moves
}
