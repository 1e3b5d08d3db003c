//! The question of a search.

use std::sync::Arc;

use crate::search::machine::Machine;
use crate::search::partial::PartialTarget;
use crate::search::solution::SolveError;
use crate::tables::metric::steps::numbers;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Cube, Move, TurnSet};

/// Greatest number of solutions that one search returns.
pub const MAX_SOLUTIONS: usize = 100;

/// Greatest number of solutions whose costs one search compares.
pub const MAX_CANDIDATES: usize = 1000;

/// Usual number of solutions whose costs a search compares.
pub const USUAL_CANDIDATES: usize = 100;

/// The question of a search: what counts as an answer. When the search must end is in its [`Control`](crate::Control).
///
/// # Examples
/// ```
/// use superflip_solver::Goal;
///
/// let goal = Goal::within(19).solutions(3).threads(2);
/// assert_eq!((goal.target_length, goal.max_length), (19, Some(19)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Goal {
    /// The search ends at the first solution of at most this many moves.
    pub target_length: u8,
    /// Greatest length of an acceptable solution; `None` for no limit. If only longer ones are found, the result is
    /// [`SolveError::NoneWithin`].
    pub max_length: Option<u8>,
    /// Number of distinct solutions, 1 to [`MAX_SOLUTIONS`]. The search keeps the shortest ones, and ends when each
    /// has at most `target_length` moves.
    pub solutions: usize,
    /// Whether the search continues until a solution is proven shortest. Then `target_length` has no effect. At the
    /// deadline, the best solution is returned unproven.
    pub is_proof: bool,
    /// Whether a proof counts all shortest solutions and lists up to `solutions` of them.
    pub all_shortest: bool,
    /// Whether the answer lists the iterations of the search, although the goal is no proof. A metric other than HTM has no list.
    pub is_recorded: bool,
    /// Number of threads for this search, at least 1.
    pub threads: usize,
    /// Metric in which all lengths count. A metric other than HTM needs tables of its own
    /// ([`SolverBuilder::metric`](crate::SolverBuilder::metric)).
    pub metric: Metric,
    /// Allowed turns. Any but all turns need tables of their own ([`SolverBuilder::turns`](crate::SolverBuilder::turns)).
    pub turns: TurnSet,
    /// Target cubes. The moves lead to any one of them. Empty for the solved cube.
    pub targets: Vec<Cube>,
    /// The set of cubes to which the moves must lead, if it is given by what each slot may hold. `targets` then has no effect, and
    /// every answer is a shortest one, unless the deadline passes before the distances of the set are known.
    pub partial: Option<PartialTarget>,
    /// Machine that executes the moves; `None` if only their length counts.
    pub machine: Option<Arc<Machine>>,
    /// With a machine: number of solutions to find and compare, 1 to [`MAX_CANDIDATES`]. The search ends when each of them has at
    /// most `target_length` moves, and returns the cheapest ones. A proof compares the solutions that it lists.
    pub candidates: usize,
}

impl Default for Goal {
    /// One solution of at most 20 moves, which every cube has; a longer one if the deadline is near. One thread.
    fn default() -> Self {
        Self {
            target_length: 20,
            max_length: None,
            solutions: 1,
            is_proof: false,
            all_shortest: false,
            is_recorded: false,
            threads: 1,
            metric: Metric::Htm,
            turns: TurnSet::ALL,
            targets: Vec::new(),
            partial: None,
            machine: None,
            candidates: USUAL_CANDIDATES,
        }
    }
}

/// Returns a length that a search of a random cube reaches within a millisecond on average, with the tables of the profile
/// `standard`: the default target length in a metric.
#[must_use]
pub const fn usual_target(metric: Metric) -> u8 {
    numbers(metric).usual_target
}

impl Goal {
    /// Checks that the goal can be searched for.
    ///
    /// # Errors
    /// [`SolveError::SeveralTargets`] when the target stands for several cubes, and the metric is not HTM or some turns are forbidden.
    pub fn check(&self) -> Result<(), SolveError> {
        let is_plain = self.metric == Metric::Htm && self.turns.is_all();
        if !is_plain && (self.targets.len() > 1 || self.partial.is_some()) {
            return Err(SolveError::SeveralTargets { metric: self.metric, turns: self.turns });
        }
        Ok(())
    }

    /// Asks for a solution of at most `length` moves, and accepts no longer one.
    #[must_use]
    pub fn within(length: u8) -> Self {
        Self { target_length: length, max_length: Some(length), ..Self::default() }
    }

    /// Asks for the shortest solution, and accepts the best one at the deadline. If the solver has a coset table, it proves
    /// with the table. Without one, the two-phase search proves only if it exhausts all shorter lengths in time.
    #[must_use]
    pub fn shortest() -> Self {
        Self { target_length: 0, ..Self::default() }
    }

    /// Asks for a proven shortest solution. Without a coset table, only cubes at most
    /// [`REACH`](crate::search::near::REACH) moves from solved have an answer; others are refused at once. With a table,
    /// the best solution is returned at the deadline.
    #[must_use]
    pub fn proof() -> Self {
        Self { is_proof: true, ..Self::shortest() }
    }

    /// Sets the length at which the search ends.
    #[must_use]
    pub fn target_length(self, target_length: u8) -> Self {
        Self { target_length, ..self }
    }

    /// Sets the greatest length of an acceptable solution.
    #[must_use]
    pub fn max_length(self, max_length: impl Into<Option<u8>>) -> Self {
        Self { max_length: max_length.into(), ..self }
    }

    /// Sets the number of solutions.
    #[must_use]
    pub fn solutions(self, solutions: usize) -> Self {
        Self { solutions, ..self }
    }

    /// Asks for a proof that counts all shortest solutions and lists up to `solutions` of them.
    #[must_use]
    pub fn all_shortest(self) -> Self {
        Self { all_shortest: true, is_proof: true, ..self }
    }

    /// Sets the metric in which all lengths count.
    #[must_use]
    pub fn metric(self, metric: Metric) -> Self {
        Self { metric, ..self }
    }

    /// Sets the allowed turns.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::metric::Metric;
    /// use superflip_cube::{Cube, Face, Move, TurnSet};
    /// use superflip_solver::{Goal, Solver};
    ///
    /// let turns = TurnSet::of_faces([Face::U, Face::R]);
    /// let solver = Solver::builder().turns(Metric::Htm, turns).open()?;
    /// let solution = solver.solve(&Cube::from_scramble("R U2 R' U'")?, &Goal::shortest().turns(turns))?;
    /// assert_eq!(solution.to_string(), "U R U2 R'");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn turns(self, turns: TurnSet) -> Self {
        Self { turns, ..self }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets cubes to reach instead of the solved cube. The moves lead to any of them. Lengths, bounds and proofs refer to the nearest of
    /// them.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::Cube;
    /// use superflip_solver::{Goal, Solver};
    ///
    /// let (from, to) = (Cube::from_scramble("R U")?, Cube::from_scramble("R U F D2")?);
    /// let way = Solver::open_default()?.solve(&from, &Goal::shortest().to([to]))?;
    /// assert_eq!((way.len(), from.after(&way.moves)), (2, to));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to(self, targets: impl IntoIterator<Item = Cube>) -> Self {
        Self { targets: targets.into_iter().collect(), ..self }
    }

    /// Sets the set of cubes to which the moves must lead.
    ///
    /// # Panics
    /// When the set has more than [`PartialTarget::MAX_VALUES`] values.
    #[must_use]
    pub fn to_partial(self, target: PartialTarget) -> Self {
        assert!(target.values() <= PartialTarget::MAX_VALUES, "{} values are too many", target.values());
        Self { partial: Some(target), ..self }
    }

    /// Sets the machine that executes the moves. The result is then the cheapest of [`Goal::candidates`] short solutions, and
    /// [`Machine::execute`] tells what the machine does.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, Move};
    /// use superflip_solver::search::machine::Costs;
    /// use superflip_solver::{Goal, Solver};
    ///
    /// // A robot that takes half as long again for half turns.
    /// let cost = |mv: Move| (mv.name().to_owned(), if mv.quarters() == 2 { 1.5 } else { 1.0 });
    /// let machine = Costs(Move::ALL.map(cost).to_vec()).machine(&Move::ALL).expect("every turn has a cost");
    ///
    /// let cube = Cube::from_scramble("R2 U' F L2 D B'")?;
    /// let solution = Solver::open_default()?.solve(&cube, &Goal::within(20).on_machine(machine.clone()).candidates(10))?;
    /// let cost = machine.cost(&solution.moves).expect("the robot turns every face");
    /// assert!(cost >= machine.lower_bound(solution.metric, solution.lower_bound.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_machine(self, machine: impl Into<Arc<Machine>>) -> Self {
        Self { machine: Some(machine.into()), ..self }
    }

    /// Sets the number of solutions whose costs are compared.
    #[must_use]
    pub fn candidates(self, candidates: usize) -> Self {
        Self { candidates, ..self }
    }

    /// Returns the number of solutions that the search keeps, at least 1.
    pub(crate) fn kept(&self) -> usize {
        let compared = if self.machine.is_some() && !self.is_proof { self.candidates } else { 1 };
        compared.max(self.solutions)
    }

    /// Returns whether a cube is a target.
    #[must_use]
    pub fn is_target(&self, cube: &Cube) -> bool {
        if let Some(partial) = &self.partial {
            return partial.contains(cube);
        }
        if self.targets.is_empty() { cube.is_solved() } else { self.targets.contains(cube) }
    }
}

/// Returns the cube that the moves from `start` to `end` solve.
pub(crate) fn between(start: &Cube, end: &Cube) -> Cube {
    end.inverse().then(start)
}

/// Axes that the first and the last move of a maneuver must avoid, so that no move cancels with moves before or after it. The default
/// avoids none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AvoidedAxes {
    /// Axis that the first move must avoid.
    pub first: Option<Axis>,
    /// Axis that the last move must avoid.
    pub last: Option<Axis>,
}

impl AvoidedAxes {
    /// Returns the axes of the moves next to a maneuver between others.
    pub fn between(before: &[Move], after: &[Move]) -> Self {
        let axis = |mv: &Move| mv.face().axis();
        Self { first: before.last().map(axis), last: after.first().map(axis) }
    }

    /// Returns the rule for the inverse maneuver.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self { first: self.last, last: self.first }
    }

    /// Returns whether a maneuver avoids them. An empty one does.
    pub(crate) fn are_avoided_by(self, moves: &[Move]) -> bool {
        let meets =
            |mv: Option<&Move>, axis: Option<Axis>| mv.zip(axis).is_some_and(|(mv, axis)| mv.face().axis() == axis);
        !meets(moves.first(), self.first) && !meets(moves.last(), self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_count() {
        let avoided = AvoidedAxes::between(&[Move::U, Move::F], &[Move::R, Move::U]);
        assert_eq!(avoided, AvoidedAxes { first: Some(Axis::Fb), last: Some(Axis::Rl) });
        assert!(avoided.are_avoided_by(&[]));
        assert!(avoided.are_avoided_by(&[Move::R, Move::L, Move::F2, Move::B]));
        assert!(!avoided.are_avoided_by(&[Move::Bi, Move::U]));
        assert!(!avoided.are_avoided_by(&[Move::U, Move::L2]));
        assert!(!avoided.inverse().are_avoided_by(&[Move::L2, Move::U]));
        assert!(AvoidedAxes::default().are_avoided_by(&[Move::F]));
    }
}
