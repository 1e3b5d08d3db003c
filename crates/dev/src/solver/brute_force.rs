//! Every solution of a near cube, by meeting in the middle without pruning.

use std::collections::{BTreeSet, HashMap};

use superflip_cube::{Cube, Move};

/// Greatest number of moves of each half of a solution that brute force finds.
pub const HALF: usize = 4;

/// All canonical maneuvers of at most [`HALF`] moves, by length and by the position that they solve.
pub struct Maneuvers {
    of_length: Vec<Vec<(Cube, Vec<Move>)>>,
    solving: Vec<HashMap<Cube, Vec<Vec<Move>>>>,
}

fn follows(mv: Move, maneuver: &[Move]) -> bool {
    maneuver.last().is_none_or(|&last| mv.may_follow(last))
}

impl Maneuvers {
    pub fn new() -> Self {
        let mut of_length = vec![vec![(Cube::SOLVED, Vec::new())]];
        for length in 1..=HALF {
            let mut longer = Vec::new();
            for (cube, maneuver) in &of_length[length - 1] {
                for mv in Move::ALL.into_iter().filter(|mv| follows(*mv, maneuver)) {
                    longer.push((cube.then(mv.cube()), [&maneuver[..], &[mv]].concat()));
                }
            }
            of_length.push(longer);
        }
        let solving = of_length.iter().map(|maneuvers| {
            let mut solving: HashMap<Cube, Vec<Vec<Move>>> = HashMap::new();
            for (cube, maneuver) in maneuvers {
                solving.entry(cube.inverse()).or_default().push(maneuver.clone());
            }
            solving
        });
        Self { solving: solving.collect(), of_length }
    }

    /// Returns every solution of `length` moves, each in canonical order.
    pub fn solutions(&self, cube: &Cube, length: usize) -> BTreeSet<Vec<Move>> {
        let back = length.min(HALF);
        let halves = self.of_length[length - back].iter().flat_map(|(made, front)| {
            let backs = self.solving[back].get(&cube.then(made)).into_iter().flatten();
            backs.filter(|back| back.first().is_none_or(|&mv| follows(mv, front))).map(move |back| (front, back))
        });
        halves.map(|(front, back)| [&front[..], &back[..]].concat()).collect()
    }
}
