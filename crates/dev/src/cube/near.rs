//! Near cubes by exhaustive search over cubies, without coordinates, tables or pruning.

use superflip_cube::{Cube, Move};

use super::ball;
use super::hashing::FastMap;

/// All cubes at most five moves from solved.
pub struct Ball {
    distances: FastMap<Cube, u8>,
    /// The cubes at each distance.
    layers: [Vec<Cube>; 6],
}

impl Ball {
    #[allow(clippy::new_without_default)] // takes a second
    pub fn new() -> Self {
        let (distances, mut layers) = (FastMap::from_iter(ball(5)), [const { Vec::new() }; 6]);
        for (&cube, &distance) in &distances {
            layers[usize::from(distance)].push(cube);
        }
        assert_eq!(distances.len(), 621_649, "the number of cubes is published");
        Self { distances, layers }
    }

    /// The distance of a cube at most ten moves from solved, by two exhaustive balls of radius five.
    pub fn distance_up_to_ten(&self, cube: &Cube) -> Option<usize> {
        // `around * cube` runs over what is `around` moves before the cube. A shortest maneuver can be cut in half.
        let inverse = cube.inverse();
        let is_reached = |length: &u8| {
            let (first, second) = (length / 2, length - length / 2);
            let mut around = self.layers[usize::from(first)].iter();
            around.any(|around| self.distances.get(&inverse.then(around)) == Some(&second))
        };
        (0..=10).find(is_reached).map(usize::from)
    }

    /// Number of solutions of exactly `length` moves, those counted once that differ in the order of moves of opposite faces. Goes
    /// through all maneuvers but for their last five moves.
    pub fn count_solutions(&self, cube: &Cube, length: u8) -> u64 {
        self.count_after(cube, length, None)
    }

    fn count_after(&self, cube: &Cube, length: u8, last: Option<Move>) -> u64 {
        if length <= 5 && self.distances.get(cube).is_none_or(|&distance| distance > length) {
            return 0;
        }
        if length == 0 {
            return 1;
        }
        let moves = Move::ALL.into_iter().filter(|mv| last.is_none_or(|last| mv.may_follow(last)));
        moves.map(|mv| self.count_after(&cube.then(mv.cube()), length - 1, Some(mv))).sum()
    }

    /// Length and number of the shortest solutions of a cube at most `most` moves from solved.
    pub fn shortest(&self, cube: &Cube, most: u8) -> (u8, u64) {
        let mut counts = (0..=most).map(|length| (length, self.count_solutions(cube, length)));
        counts.find(|(_, count)| *count > 0).expect("it is that near")
    }
}
