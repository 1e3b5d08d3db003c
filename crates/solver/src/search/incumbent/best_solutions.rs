//! The question of a search and its best solutions so far, which all threads of the search share.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::search::avoided_axes::AvoidedAxes;
use crate::search::goal::Goal;
use crate::search::machine::{Cost, Machine};
use crate::search::solution::Found;
use superflip_cube::metric::in_one_order;
use superflip_cube::{Cube, Move};

/// Greatest length in HTM that any search accepts. It is far above the 20 moves that suffice, so that a solution is found at once.
pub(crate) const MAX_LENGTH: u8 = 30;

/// Number of moves that suffice for every cube (Rokicki, Kociemba, Davidson, Dethridge 2010).
pub(crate) const GODS_NUMBER: u8 = 20;

/// The question of a search, its best solutions so far, and the upper bound that they set. Each solution is replayed when it is offered.
#[derive(Debug)]
pub struct BestSolutions {
    /// The cube at the start.
    start: Cube,
    goal: Goal,
    /// Axes that the ends of a solution avoid.
    avoided: AvoidedAxes,
    /// Greatest length at which the search ends; 0 if it ends at a proof.
    target: u8,
    /// Number of solutions to keep. A proof keeps one until it collects all of the optimal length.
    wanted: usize,
    /// Whether any one solution ends the search.
    is_settled: bool,
    /// Upper bound: greatest length of a solution that is accepted.
    at_most: AtomicU8,
    /// Length of the shortest solution; 255 if there is none.
    best: AtomicU8,
    reached: AtomicBool,
    /// Shortest first.
    found: Mutex<Vec<Found>>,
    pricing: Option<Pricing>,
}

/// The cheapest solutions on a machine, of all that were ever among the best.
#[derive(Debug)]
struct Pricing {
    machine: Arc<Machine>,
    kept: usize,
    /// Whether solutions longer than the shortest one and than the target are left out.
    shortest_only: bool,
    /// Cheapest first.
    cheapest: Mutex<Vec<(Cost, Found)>>,
}

impl Pricing {
    /// Adds a solution if it is among the cheapest.
    fn offer(&self, solution: &Found) {
        let Some(cost) = self.machine.cost(&solution.moves) else { return };
        let mut cheapest = self.cheapest.lock().unwrap_or_else(PoisonError::into_inner);
        let at = cheapest.partition_point(|(known, _)| *known <= cost);
        if at < self.kept {
            cheapest.insert(at, (cost, solution.clone()));
            cheapest.truncate(self.kept);
        }
    }
}

impl BestSolutions {
    /// Creates an empty list for a goal.
    pub fn new(start: &Cube, goal: Goal) -> Self {
        // The solutions to a set of cubes come in the order of their lengths.
        let target = if goal.is_proof || goal.partial.is_some() { 0 } else { goal.target_length };
        Self {
            start: *start,
            avoided: AvoidedAxes::default(),
            target,
            wanted: if goal.is_proof { 1 } else { goal.kept() },
            is_settled: false,
            at_most: AtomicU8::new(goal.max_length.unwrap_or(MAX_LENGTH).min(GODS_NUMBER.max(target))),
            best: AtomicU8::new(u8::MAX),
            reached: AtomicBool::new(false),
            found: Mutex::new(Vec::new()),
            pricing: None,
            goal,
        }
    }

    /// Returns the goal.
    pub(crate) const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the cube at the start.
    pub(crate) const fn start(&self) -> &Cube {
        &self.start
    }

    /// Accepts only solutions whose ends avoid the axes.
    pub fn avoid(&mut self, avoided: AvoidedAxes) {
        self.avoided = avoided;
    }

    /// Returns the axes that the ends of a solution avoid.
    pub(crate) const fn avoided(&self) -> AvoidedAxes {
        self.avoided
    }

    /// Also keeps the cheapest solutions on a machine. With some turns only, once a solution is known, longer ones are accepted up to
    /// the target only: there solutions are rare, and many long candidates cost more than they save.
    pub(crate) fn price(&mut self, machine: Arc<Machine>) {
        let kept = self.goal.solutions.max(1);
        let shortest_only = !self.goal.turns.is_all();
        let pricing = Pricing { machine, kept, shortest_only, cheapest: Mutex::default() };
        self.found().iter().for_each(|found| pricing.offer(found));
        self.pricing = Some(pricing);
    }

    /// Returns the solutions to answer with: the cheapest ones, or without a machine all that are kept, shortest first.
    pub(super) fn answers(&self) -> Vec<Found> {
        let cheapest =
            self.pricing.as_ref().map(|pricing| pricing.cheapest.lock().unwrap_or_else(PoisonError::into_inner));
        match cheapest.filter(|cheapest| !cheapest.is_empty()) {
            Some(cheapest) => cheapest.iter().map(|(_, found)| found.clone()).collect(),
            None => self.found().clone(),
        }
    }

    /// Returns the upper bound: the greatest length of a solution that is accepted.
    #[inline]
    pub(crate) fn at_most(&self) -> u8 {
        self.at_most.load(Relaxed)
    }

    /// Sets the upper bound at the start.
    pub(crate) fn accept(&mut self, at_most: u8) {
        self.at_most = AtomicU8::new(at_most);
    }

    /// Returns the length of the shortest solution; 255 if there is none.
    #[inline]
    pub(crate) fn best(&self) -> u8 {
        self.best.load(Relaxed)
    }

    /// Ends the search at the first solution of at most this many moves. Called when there is no solution yet.
    pub(crate) fn settle_for(&mut self, at_most: u8) {
        self.accept(at_most);
        self.is_settled = true;
    }

    /// Keeps as many solutions as the goal lists, also in a proof.
    pub(crate) fn keep_all(&mut self) {
        self.wanted = self.goal.kept();
    }

    /// Removes the solutions, before others of the same length are offered.
    pub(super) fn clear(&mut self) {
        self.found().clear();
    }

    /// Returns whether more than one solution is wanted.
    pub(crate) fn wants_several(&self) -> bool {
        self.wanted > 1
    }

    /// Returns whether the shortest solution is wanted, and no other.
    pub(crate) const fn wants_shortest(&self) -> bool {
        self.target == 0 && self.wanted <= 1
    }

    /// Returns whether all wanted solutions were found.
    #[inline]
    pub(crate) fn is_reached(&self) -> bool {
        self.reached.load(Relaxed)
    }

    /// Returns whether there are as many solutions of at most the target length as wanted.
    pub(crate) fn is_complete(&self) -> bool {
        let found = self.found();
        found.len() >= self.wanted && found.last().is_some_and(|worst| self.length_of(worst) <= self.target)
    }

    /// Returns the solutions so far, shortest first.
    pub fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the length of a solution in the metric of the goal.
    pub(super) fn length_of(&self, found: &Found) -> u8 {
        self.goal.metric.length(&found.moves) as u8
    }

    /// Adds a solution if it is acceptable and among the best.
    ///
    /// # Panics
    /// When it does not lead from the start to a target, which is a bug.
    pub(crate) fn offer(&self, solution: Found) {
        if !self.avoided.are_avoided_by(&solution.moves) {
            return;
        }
        let mut found = self.found();
        let length = self.length_of(&solution);
        let is_worst = found.last().is_some_and(|worst| self.length_of(worst) <= length);
        if (found.len() >= self.wanted && is_worst) || found.iter().any(|known| same(&known.moves, &solution.moves)) {
            return;
        }
        let is_target = self.goal.is_target(&self.start.after(&solution.moves));
        assert!(is_target, "the solution {solution} does not lead from {:?} to a target", self.start);
        if let Some(pricing) = &self.pricing {
            pricing.offer(&solution);
        }
        let at = found.partition_point(|known| self.length_of(known) <= length);
        found.insert(at, solution);
        found.truncate(self.wanted);
        if at == 0 {
            self.best.store(length, Relaxed);
        }
        if self.pricing.as_ref().is_some_and(|pricing| pricing.shortest_only) {
            let shortest = found.first().map_or(0, |first| self.length_of(first));
            self.at_most.fetch_min(shortest.max(self.target), Relaxed);
        }
        if found.len() == self.wanted || self.is_settled {
            let worst = found.last().map_or(0, |worst| self.length_of(worst));
            self.at_most.fetch_min(worst.saturating_sub(1), Relaxed);
            if worst <= self.target || worst == 0 || self.is_settled {
                self.reached.store(true, Relaxed);
            }
        }
    }
}

/// Returns whether two solutions differ at most in the order of adjacent moves of opposite faces.
fn same(a: &[Move], b: &[Move]) -> bool {
    a.len() == b.len() && in_one_order(a) == in_one_order(b)
}

/// Is told from time to time, while several threads search, how many nodes the search has expanded so far.
pub(crate) type NodesCallback<'n> = &'n mut dyn FnMut(u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::machine::Costs;
    use crate::search::solution::Phases;
    use superflip_cube::{Face, Moves, TurnSet};

    #[test]
    fn longer_candidates_are_left_out_where_only_the_shortest_count() {
        let costs = Costs(Move::ALL.map(|mv| (mv.to_string(), 1.0)).to_vec());
        let machine = Arc::new(costs.machine(&Move::ALL).unwrap());
        for (turns, target, at_most) in
            [(TurnSet::ALL, 0, 20), (TurnSet::without(Face::B), 0, 3), (TurnSet::without(Face::B), 4, 4)]
        {
            let goal = Goal { turns, ..Goal::default().target_length(target) }.on_machine(Arc::clone(&machine));
            let mut best = BestSolutions::new(Move::R.cube(), goal.candidates(10));
            best.price(Arc::clone(&machine));
            for moves in ["R' U F F' U'", "R2 R U2 U2", "R' U U'"] {
                let moves: Moves = moves.parse().unwrap();
                best.offer(Found { moves, phases: Phases::Optimal });
            }
            assert_eq!(best.at_most(), at_most);
        }
    }

    #[test]
    #[should_panic(expected = "does not lead")]
    fn a_solution_that_does_not_solve_is_not_accepted() {
        let best = BestSolutions::new(Move::R.cube(), Goal::default());
        best.offer(Found { moves: [Move::R].to_vec().into(), phases: Phases::Optimal });
    }
}
