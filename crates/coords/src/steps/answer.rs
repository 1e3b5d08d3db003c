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
    /// Joins the moves of the steps and replays them. Returns `None` if the result is not what the last step reached.
    pub(crate) fn new(cube: &Cube, steps: Vec<StepAnswer>) -> Option<Self> {
        let mut normal = Vec::new();
        let mut inverse = Vec::new();
        for step in &steps {
            normal.extend(step.moves.normal.iter().copied());
            inverse.extend(step.moves.inverse.iter().copied());
        }
        let reached = cube.after(&normal).after_on_inverse(&inverse);
        normal.extend(Moves::from(inverse).inverse());
        let solution = Moves::from(merged(&normal));
        // A cube is solved by these moves exactly if it is solved by the moves on both sides.
        (cube.after(&solution).is_solved() == reached.is_solved()).then(|| Self {
            length: solution.len(),
            solution,
            steps,
        })
    }

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

    /// Keeps a solution if it is among the best. Returns it if it is better than all before.
    pub(crate) fn offer(&mut self, cube: &Cube, steps: Vec<StepAnswer>) -> Option<&ChainSolution> {
        let solution = ChainSolution::new(cube, steps)?;
        if self.is_worse(solution.length) || self.solutions.iter().any(|own| own.solution == solution.solution) {
            return None;
        }
        let at = self.solutions.partition_point(|own| own.order(&solution) != Ordering::Greater);
        self.solutions.insert(at, solution);
        self.solutions.truncate(self.count);
        (at == 0).then(|| &self.solutions[0])
    }

    pub(crate) fn into_solutions(self) -> Vec<ChainSolution> {
        self.solutions
    }
}
