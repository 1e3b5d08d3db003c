//! The code with which published programs apply a move of four arrays, and the resulting cube as stickers.

use superflip_coords::four_arrays::Convention;
use superflip_coords::steps::{SideMoves, Step};
use superflip_cube::{Cube, Move};
use superflip_solver::Control;

use super::arrays::Arrays;
use super::slots::{CORNERS, EDGES, facelet};
use super::stickers;

/// A cube in these programs: the cubie at each position, and its orientation.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    corner_perm: Vec<i64>,
    corner_orient: Vec<i64>,
    edge_perm: Vec<i64>,
    edge_orient: Vec<i64>,
}

/// `np.argsort`.
fn argsort(values: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&i| values[i]);
    order
}

/// `state[places]`.
fn take(state: &[i64], places: &[usize]) -> Vec<i64> {
    places.iter().map(|&place| state[place]).collect()
}

/// `(state[places] + delta) % modulus`.
fn moved(state: &[i64], places: &[usize], delta: &[i64], modulus: i64) -> Vec<i64> {
    take(state, places).iter().zip(delta).map(|(orient, delta)| (orient + delta) % modulus).collect()
}

impl State {
    pub fn solved() -> Self {
        Self {
            corner_perm: (0..8).collect(),
            corner_orient: vec![0; 8],
            edge_perm: (0..12).collect(),
            edge_orient: vec![0; 12],
        }
    }

    /// The code printed in "Move tables explained", for arrays in `goes_to`.
    fn step_of_the_tutorial(&self, mv: &Arrays) -> Self {
        let corner_perm_inv = argsort(&mv.cp);
        let edge_perm_inv = argsort(&mv.ep);
        Self {
            corner_perm: take(&self.corner_perm, &corner_perm_inv),
            corner_orient: moved(&self.corner_orient, &corner_perm_inv, &mv.co, 3),
            edge_perm: take(&self.edge_perm, &edge_perm_inv),
            edge_orient: moved(&self.edge_orient, &edge_perm_inv, &mv.eo, 2),
        }
    }

    /// Kociemba's multiplication of a cube by a move, for arrays in `replaced_by`.
    fn step_of_kociemba(&self, mv: &Arrays) -> Self {
        let mut next = self.clone();
        for to in 0..8 {
            let from = usize::try_from(mv.cp[to]).expect("a slot");
            next.corner_perm[to] = self.corner_perm[from];
            next.corner_orient[to] = (self.corner_orient[from] + mv.co[to]) % 3;
        }
        for to in 0..12 {
            let from = usize::try_from(mv.ep[to]).expect("a slot");
            next.edge_perm[to] = self.edge_perm[from];
            next.edge_orient[to] = (self.edge_orient[from] + mv.eo[to]) % 2;
        }
        next
    }

    /// Applies a move with the code of the programs that use the convention.
    pub fn step(&self, mv: &Arrays, convention: Convention) -> Self {
        match convention {
            Convention::GoesTo => self.step_of_the_tutorial(mv),
            Convention::ReplacedBy => self.step_of_kociemba(mv),
        }
    }

    /// The 54 letters: facelet n of a cubie is at facelet n + orientation of its position, counted clockwise.
    pub fn facelets(&self) -> String {
        let mut letters: Vec<char> = stickers::SOLVED.chars().collect();
        paint(&mut letters, &CORNERS, &self.corner_perm, &self.corner_orient);
        paint(&mut letters, &EDGES, &self.edge_perm, &self.edge_orient);
        letters.into_iter().collect()
    }
}

fn paint<const N: usize>(letters: &mut [char], slots: &[[&str; N]], perm: &[i64], orient: &[i64]) {
    for (slot, (&cubie, &orient)) in slots.iter().zip(perm.iter().zip(orient)) {
        let cubie = slots[usize::try_from(cubie).expect("a cubie")];
        for (n, name) in cubie.into_iter().enumerate() {
            let at = slot[(n + usize::try_from(orient).expect("an orientation")) % N];
            letters[facelet(at)] = name.chars().next().expect("a face");
        }
    }
}

/// Applies the moves with the arrays given for each of the 18 moves, in index order. Panics at the first move after
/// which the state differs from the stickers.
pub fn follow_the_stickers(arrays: &[Arrays], convention: Convention, moves: &[Move]) {
    let (mut state, mut stickers) = (State::solved(), stickers::SOLVED.to_owned());
    for (done, mv) in moves.iter().enumerate() {
        state = state.step(&arrays[mv.index()], convention);
        stickers = stickers::apply(&stickers, mv.name());
        assert_eq!(state.facelets(), stickers, "{convention:?}, after {:?}", &moves[..=done]);
    }
}

/// The moves of every solution of a step.
pub fn moves_of(step: &Step, cube: &Cube) -> Vec<SideMoves> {
    let found = step.solutions(cube, &Control::new()).unwrap();
    found.solutions.into_iter().map(|solution| solution.moves).collect()
}
