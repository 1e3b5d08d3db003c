//! The group that some turns generate: its order, and whether a cube is in it.
//!
//! The method is that of Schreier and Sims, in the form of Knuth ("Efficient representation of perm groups", 1991). The
//! turns permute 48 stickers. Level n of the chain is the subgroup that leaves the first n base points in place. It stores a
//! permutation for each point to which the subgroup moves its base point. A cube is in the group if multiplying by the inverses of
//! such permutations, level by level, leads to the identity. The order is the product of the numbers of these points.
#![allow(clippy::cast_possible_truncation)] // numbers of stickers fit in 8 bits

use super::TurnSet;
use crate::cubie::Cube;
use crate::geometry::{CORNER_FACELETS, EDGE_FACELETS, FACELETS};
use crate::piece::{Corner, Edge};

type Permutation = [u8; FACELETS];

/// The group that some turns generate.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Face, TurnGroup, TurnSet};
///
/// let group = TurnGroup::new(TurnSet::of_faces([Face::U, Face::R]));
/// assert_eq!(group.order(), 73_483_200);
/// assert!(group.contains(&Cube::from_scramble("R U2 R'")?));
/// assert!(!group.contains(&Cube::from_scramble("F")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TurnGroup {
    turns: TurnSet,
    levels: Vec<Level>,
}

/// The subgroup that leaves the base points of the levels before it in place.
struct Level {
    base: usize,
    /// Generators.
    generators: Vec<Permutation>,
    /// The points to which the base point moves, with a permutation and its inverse for each.
    to: [Option<(Permutation, Permutation)>; FACELETS],
    orbit: Vec<usize>,
}

const IDENTITY: Permutation = {
    let mut out = [0; FACELETS];
    let mut at = 0;
    while at < FACELETS {
        out[at] = at as u8;
        at += 1;
    }
    out
};

/// Returns the permutation that is first `second`, then `first`, as functions of points.
fn product(first: &Permutation, second: &Permutation) -> Permutation {
    second.map(|point| first[usize::from(point)])
}

fn inverse(permutation: &Permutation) -> Permutation {
    let mut out = IDENTITY;
    for (from, &to) in (0..).zip(permutation) {
        out[usize::from(to)] = from;
    }
    out
}

impl TurnGroup {
    /// Computes the group.
    #[must_use]
    pub fn new(turns: TurnSet) -> Self {
        let mut group = Self { turns, levels: Vec::new() };
        for mv in turns.moves() {
            let turn = mv.cube().to_facelet_permutation();
            if group.sift(0, turn) != IDENTITY {
                group.add(0, turn);
            }
        }
        group
    }

    /// Returns the number of cubes in the group.
    #[must_use]
    pub fn order(&self) -> u128 {
        self.levels.iter().map(|level| level.orbit.len() as u128).product()
    }

    /// Returns whether the turns lead from the solved cube to this one. If so, they also solve it.
    #[must_use]
    pub fn contains(&self, cube: &Cube) -> bool {
        self.sift(0, cube.to_facelet_permutation()) == IDENTITY
    }

    /// Returns the cube with this number, or `None` from [`TurnGroup::order`] on. Each cube of the group has one number; the solved
    /// cube is 0. The numbers do not change between releases, because seeds of scrambles depend on them.
    #[must_use]
    pub fn member(&self, number: u128) -> Option<Cube> {
        let mut rest = number;
        let mut out = IDENTITY;
        for level in &self.levels {
            let count = level.orbit.len() as u128;
            let point = level.orbit[(rest % count) as usize];
            rest /= count;
            // Each point of the orbit has a permutation.
            let (path, _) = level.to[point]?;
            out = product(&out, &path);
        }
        (rest == 0).then(|| Cube::from_facelet_permutation(&out))
    }

    /// Returns the name of a piece that no turn moves, and that is not in place in this cube.
    #[must_use]
    pub fn displaced(&self, cube: &Cube) -> Option<&'static str> {
        let is_moved = |cube: &Cube, facelet: usize| usize::from(cube.to_facelet_permutation()[facelet]) != facelet;
        let is_displaced =
            |facelet: usize| is_moved(cube, facelet) && self.turns.moves().all(|mv| !is_moved(mv.cube(), facelet));
        let corner = Corner::ALL.into_iter().find(|slot| is_displaced(CORNER_FACELETS[slot.index()][0]));
        let edge = || Edge::ALL.into_iter().find(|slot| is_displaced(EDGE_FACELETS[slot.index()][0]));
        corner.map(Corner::name).or_else(|| edge().map(Edge::name))
    }

    /// Divides a permutation by the permutations of the levels from `level` on, as far as possible. The result is the identity if it is in
    /// the subgroup of the level.
    fn sift(&self, level: usize, mut permutation: Permutation) -> Permutation {
        for level in self.levels.iter().skip(level) {
            match &level.to[usize::from(permutation[level.base])] {
                Some((_, back)) => permutation = product(back, &permutation),
                None => break,
            }
        }
        permutation
    }

    /// Adds a generator, which is not in the subgroup yet, to a level, and what follows from it to the levels after it.
    fn add(&mut self, level: usize, generator: Permutation) {
        if level == self.levels.len() {
            let moved = (0..FACELETS).find(|&point| usize::from(generator[point]) != point);
            let base = moved.unwrap_or_default();
            let mut to = [None; FACELETS];
            to[base] = Some((IDENTITY, IDENTITY));
            self.levels.push(Level { base, generators: Vec::new(), to, orbit: vec![base] });
        }
        self.levels[level].generators.push(generator);
        let mut open: Vec<(usize, Permutation)> =
            self.levels[level].orbit.iter().map(|&point| (point, generator)).collect();
        while let Some((point, generator)) = open.pop() {
            let own = &mut self.levels[level];
            let Some((there, _)) = own.to[point] else { continue };
            let path = product(&generator, &there);
            let image = usize::from(path[own.base]);
            match &own.to[image] {
                None => {
                    own.to[image] = Some((path, inverse(&path)));
                    own.orbit.push(image);
                    open.extend(own.generators.iter().map(|&generator| (image, generator)));
                }
                Some((_, back)) => {
                    let stabilizing = product(back, &path);
                    let left = self.sift(level + 1, stabilizing);
                    if left != IDENTITY {
                        self.add(level + 1, left);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;
    use crate::{Face, random_cube};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn of_faces(faces: &str) -> TurnGroup {
        TurnGroup::new(TurnSet::of_faces(faces.chars().filter_map(Face::from_letter)))
    }

    /// Orders that are published, or follow from what the turns keep.
    #[test]
    fn orders_are_as_published() {
        const CUBES: u128 = 43_252_003_274_489_856_000;
        assert_eq!(of_faces("URFDLB").order(), CUBES);
        assert_eq!(of_faces("URFDL").order(), CUBES);
        // One edge stays in place: 12 slots, 2 flips.
        assert_eq!(of_faces("URFD").order(), CUBES / 24);
        // All edges keep their orientation.
        assert_eq!(of_faces("RLFB").order(), CUBES / 2048);
        // One corner and three edges stay in place: 24 corners, 24 * 22 * 20 edges.
        assert_eq!(of_faces("URF").order(), CUBES / 24 / (24 * 22 * 20));
        assert_eq!(of_faces("UR").order(), 73_483_200);
        assert_eq!([of_faces("UD").order(), of_faces("U").order(), of_faces("").order()], [16, 4, 1]);
        let of_moves = |moves: &[Move]| TurnGroup::new(moves.iter().copied().collect()).order();
        assert_eq!(of_moves(&Move::PHASE_TWO), 19_508_428_800);
        assert_eq!(of_moves(&[Move::U2, Move::R2, Move::F2, Move::D2, Move::L2, Move::B2]), 663_552);
    }

    #[test]
    fn members_are_what_the_turns_make() {
        let mut rng = StdRng::seed_from_u64(34);
        for faces in ["URFDL", "URFD", "RLFB", "URF", "UDR", "UR", "UD", "U"] {
            let group = of_faces(faces);
            let turns: Vec<Move> = group.turns.moves().collect();
            let mut cube = Cube::SOLVED;
            for _ in 0..200 {
                cube = cube.then(turns[rng.random_range(0..turns.len())].cube());
                assert!(group.contains(&cube) && group.contains(&cube.inverse()));
                assert_eq!(group.displaced(&cube), None);
            }
            let strangers = (0..200).filter(|_| !group.contains(&random_cube(&mut rng))).count();
            // Of all cubes, one in 24 keeps an edge in place; the other groups are much smaller.
            let expected = match faces {
                "URFDL" => 0..1,
                "URFD" => 170..200,
                _ => 200..201,
            };
            assert!(expected.contains(&strangers), "{faces}: {strangers}");
        }
        // Each number is another cube of the group.
        for faces in ["UD", "U", ""] {
            let group = of_faces(faces);
            let members: Vec<Cube> = (0..group.order()).map(|number| group.member(number).unwrap()).collect();
            let mut reached = vec![Cube::SOLVED];
            let mut next = 0;
            while let Some(cube) = reached.get(next).copied() {
                for mv in group.turns.moves() {
                    let after = cube.then(mv.cube());
                    if !reached.contains(&after) {
                        reached.push(after);
                    }
                }
                next += 1;
            }
            assert_eq!((members[0], members.len()), (Cube::SOLVED, reached.len()), "{faces}");
            assert!(reached.iter().all(|cube| members.contains(cube)), "{faces}");
            assert_eq!(group.member(group.order()), None);
        }
        for faces in ["URFDLB", "RLFB", "URF", "UR"] {
            let group = of_faces(faces);
            let numbers: std::collections::HashSet<u128> =
                (0..500).map(|_| rng.random_range(0..group.order())).chain(0..100).collect();
            let members: std::collections::HashSet<Cube> =
                numbers.iter().filter_map(|&number| group.member(number)).collect();
            assert_eq!(members.len(), numbers.len(), "{faces}");
            assert!(members.iter().all(|cube| group.contains(cube)), "{faces}");
        }
        let group = of_faces("UR");
        assert!(!group.contains(&Cube::SOLVED.then(Move::F.cube())));
        assert_eq!(group.displaced(&Cube::SOLVED.then(Move::F.cube())), Some("DLF"));
        // F flips edges, which these turns do not, but they move every piece.
        assert_eq!(of_faces("UDRL").displaced(&Cube::SOLVED.then(Move::F.cube())), None);
        assert!(!of_faces("UDRL").contains(&Cube::SOLVED.then(Move::F.cube())));
    }
}
