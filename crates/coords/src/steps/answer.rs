//! Solutions of a chain, replayed on the cube.

use std::cmp::Ordering;

use super::position::Position;
use super::sides::SideMoves;
use super::state::CubeState;
use superflip_cube::metric::merged;
use superflip_cube::{Cube, Moves};

/// One step of a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepAnswer {
    /// Name of the goal.
    pub goal: String,
    /// The image that is reached, such as `ud`.
    pub axis: String,
    /// The moves.
    pub moves: SideMoves,
    /// Number of moves of the step.
    pub length: usize,
    /// Number of moves up to here.
    pub total: usize,
    /// What the cube has reached.
    pub state: CubeState,
}

impl StepAnswer {
    /// Describes a step that led to this position.
    pub(crate) fn new(goal: &str, axis: &str, moves: &SideMoves, after: &Position) -> Self {
        Self {
            goal: goal.to_owned(),
            axis: axis.to_owned(),
            length: moves.normal.len() + moves.inverse.len(),
            moves: moves.clone(),
            total: after.len(),
            state: CubeState::of(&after.cube),
        }
    }
}

/// A solution of a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChainSolution {
    /// The steps.
    pub steps: Vec<StepAnswer>,
    /// All moves as they are made on the cube: the normal moves, then the inverse of those on the inverse side. Turns of one
    /// face that meet there are merged.
    pub solution: Moves,
    /// Number of moves of the solution. It is below the total of the steps if turns were merged.
    pub length: usize,
}

impl ChainSolution {
    fn total(&self) -> usize {
        self.steps.last().map_or(0, |step| step.total)
    }

    fn order(&self, other: &Self) -> Ordering {
        (self.length, self.total()).cmp(&(other.length, other.total()))
    }
}

/// The best solutions so far.
pub(crate) struct Best {
    count: usize,
    solutions: Vec<ChainSolution>,
}

impl Best {
    pub(crate) fn new(count: usize) -> Self {
        Self { count: count.max(1), solutions: Vec::new() }
    }

    /// Returns whether a solution of this length would not be kept.
    pub(crate) fn is_worse(&self, length: usize) -> bool {
        self.solutions.len() >= self.count && self.solutions.last().is_some_and(|last| length >= last.length)
    }

    /// Keeps a solution of these steps if it is among the best. Returns it if it is better than all before. `describe` is called
    /// for kept solutions only.
    pub(crate) fn offer<'m>(
        &mut self,
        cube: &Cube,
        steps: impl Iterator<Item = &'m SideMoves>,
        describe: impl FnOnce() -> Vec<StepAnswer>,
    ) -> Option<&ChainSolution> {
        let (mut normal, mut inverse) = (Vec::new(), Vec::new());
        for moves in steps {
            normal.extend(moves.normal.iter().copied());
            inverse.extend(moves.inverse.iter().copied());
        }
        let both = SideMoves { normal: normal.as_slice().into(), inverse: inverse.as_slice().into() };
        normal.extend(both.inverse.inverse());
        let solution = Moves::from(merged(&normal));
        if self.is_worse(solution.len()) || self.solutions.iter().any(|own| own.solution == solution) {
            return None;
        }
        // Replayed: moves on both sides solve a cube exactly if the joined moves do.
        if cube.after(&solution).is_solved() != both.after(cube).is_solved() {
            return None;
        }
        let solution = ChainSolution { length: solution.len(), solution, steps: describe() };
        let at = self.solutions.partition_point(|own| own.order(&solution) != Ordering::Greater);
        self.solutions.insert(at, solution);
        self.solutions.truncate(self.count);
        (at == 0).then(|| &self.solutions[0])
    }

    pub(crate) fn into_solutions(self) -> Vec<ChainSolution> {
        self.solutions
    }
}
