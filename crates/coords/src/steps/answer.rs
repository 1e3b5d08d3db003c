//! Solutions of a chain, replayed on the cube.

use std::cmp::Ordering;

use super::sides::Position;
use super::sides::SideMoves;
use super::state::CubeState;
use superflip_cube::metric::{in_one_order, merged};
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
    /// All moves: the normal moves, then the inverse of those on the inverse side. If they solve the cube, turns of one face that
    /// meet there are merged. If they do not, and moves on both sides were made, they are no maneuver for the cube.
    pub solution: Moves,
    /// Number of moves of the solution. It is below the total of the steps if turns were merged.
    pub length: usize,
}

impl ChainSolution {
    /// Returns whether the solution, made on the cube, leads to what the last step reached.
    pub fn is_maneuver(&self) -> bool {
        let is_solved = self.steps.last().is_some_and(|last| last.state.is_solved);
        is_solved || self.steps.iter().all(|step| step.moves.inverse.is_empty())
    }

    /// Returns the moves of all steps on each side.
    fn sides(&self) -> SideMoves {
        joined(self.steps.iter().map(|step| &step.moves))
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

    /// Keeps a solution of these steps if it is among the best. Returns it if it is better than all before. `describe` is called
    /// for kept solutions only.
    pub(crate) fn offer<'m>(
        &mut self,
        cube: &Cube,
        steps: impl Iterator<Item = &'m SideMoves>,
        describe: impl FnOnce() -> Vec<StepAnswer>,
    ) -> Option<&ChainSolution> {
        let both = joined(steps);
        let is_solved = both.after(cube).is_solved();
        let all: Moves = both.normal.iter().copied().chain(both.inverse.inverse().iter().copied()).collect();
        // Turns of the two sides meet only if the cube is solved.
        let solution = if is_solved || both.inverse.is_empty() { Moves::from(merged(&all)) } else { all };
        let ordered = in_one_order(&solution);
        let is_same =
            |own: &ChainSolution| in_one_order(&own.solution) == ordered && (is_solved || own.sides().equals(&both));
        if self.is_worse(solution.len()) || self.solutions.iter().any(is_same) {
            return None;
        }
        // Replayed: moves on both sides solve a cube exactly if the joined moves do.
        if cube.after(&solution).is_solved() != is_solved {
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

/// Joins the moves of steps on each side.
fn joined<'m>(steps: impl Iterator<Item = &'m SideMoves>) -> SideMoves {
    let mut normal = Vec::new();
    let mut inverse = Vec::new();
    for moves in steps {
        normal.extend(moves.normal.iter().copied());
        inverse.extend(moves.inverse.iter().copied());
    }
    SideMoves { normal: normal.into(), inverse: inverse.into() }
}
