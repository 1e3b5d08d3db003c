//! The best solutions of a search so far, and the upper bound that they set.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::search::avoided_axes::AvoidedAxes;
use crate::search::machine::{Cost, Machine};
use crate::search::solution::Found;
use superflip_cube::Move;
use superflip_cube::metric::{Metric, in_one_order};

/// The best solutions so far, shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct BestSolutions {
    /// The metric of all lengths.
    metric: Metric,
    /// Greatest length at which the search ends.
    target: AtomicU8,
    wanted: usize,
    /// Upper bound: greatest length of a solution that is accepted.
    at_most: AtomicU8,
    /// Whether one solution ends the search, regardless of `wanted`.
    settled: AtomicBool,
    /// Length of the shortest solution; 255 if there is none.
    best: AtomicU8,
    reached: AtomicBool,
    improved: AtomicBool,
    found: Mutex<Vec<Found>>,
    avoided: AvoidedAxes,
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
    /// Creates an empty list. It accepts solutions of length `at_most` whose ends avoid the axes in
    /// `avoided`. The search ends when it holds `wanted` solutions of at most `target`.
    pub(crate) fn new(metric: Metric, target: u8, wanted: usize, at_most: u8, avoided: AvoidedAxes) -> Self {
        Self {
            metric,
            target: AtomicU8::new(target),
            wanted: wanted.max(1),
            at_most: AtomicU8::new(at_most),
            settled: AtomicBool::new(false),
            best: AtomicU8::new(u8::MAX),
            reached: AtomicBool::new(false),
            improved: AtomicBool::new(false),
            found: Mutex::new(Vec::new()),
            avoided,
            pricing: None,
        }
    }

    /// Also keeps the cheapest solutions on a machine. With `shortest_only`, once a solution is known, longer ones are accepted up to
    /// the target only: where solutions are rare, many long candidates cost more than they save.
    pub(crate) fn price(&mut self, machine: Arc<Machine>, kept: usize, shortest_only: bool) {
        let pricing = Pricing { machine, kept: kept.max(1), shortest_only, cheapest: Mutex::default() };
        self.found().iter().for_each(|found| pricing.offer(found));
        self.pricing = Some(pricing);
    }

    /// Returns the solutions to answer with: the cheapest ones, or without a machine all that are kept, shortest first.
    pub(crate) fn answers(&self) -> Vec<Found> {
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

    /// Returns the length of the shortest solution; 255 if there is none.
    #[inline]
    pub(crate) fn best(&self) -> u8 {
        self.best.load(Relaxed)
    }

    /// Ends the search at the first solution of at most this many moves. Called when there is no solution yet.
    pub(crate) fn settle_for(&self, at_most: u8) {
        self.at_most.store(at_most, Relaxed);
        self.target.store(at_most, Relaxed);
        self.settled.store(true, Relaxed);
    }

    /// Returns whether more than one solution is wanted.
    pub(crate) fn wants_several(&self) -> bool {
        self.wanted > 1
    }

    /// Returns whether all wanted solutions were found.
    #[inline]
    pub(crate) fn is_reached(&self) -> bool {
        self.reached.load(Relaxed)
    }

    /// Returns the shortest solution, if it is shorter than at the previous call.
    #[inline]
    pub(crate) fn improvement(&self) -> Option<Found> {
        let improved = self.improved.load(Relaxed) && self.improved.swap(false, Relaxed);
        if improved { self.found().first().cloned() } else { None }
    }

    /// Returns the solutions so far, shortest first.
    pub(crate) fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a solution if it is acceptable and among the best.
    pub(crate) fn offer(&self, solution: Found) {
        if !self.avoided.are_avoided_by(&solution.moves) {
            return;
        }
        let mut found = self.found();
        let length_of = |found: &Found| self.metric.length(&found.moves);
        let length = length_of(&solution);
        let is_worst = found.last().is_some_and(|worst| length_of(worst) <= length);
        if (found.len() == self.wanted && is_worst) || found.iter().any(|known| same(&known.moves, &solution.moves)) {
            return;
        }
        if let Some(pricing) = &self.pricing {
            pricing.offer(&solution);
        }
        let at = found.partition_point(|known| length_of(known) <= length);
        found.insert(at, solution);
        found.truncate(self.wanted);
        if at == 0 {
            self.best.store(length as u8, Relaxed);
            self.improved.store(true, Relaxed);
        }
        if self.pricing.as_ref().is_some_and(|pricing| pricing.shortest_only) {
            let shortest = found.first().map_or(0, length_of) as u8;
            self.at_most.fetch_min(shortest.max(self.target.load(Relaxed)), Relaxed);
        }
        if found.len() == self.wanted || self.settled.load(Relaxed) {
            let worst = found.last().map_or(0, length_of) as u8;
            self.at_most.fetch_min(worst.saturating_sub(1), Relaxed);
            if worst <= self.target.load(Relaxed) || worst == 0 {
                self.reached.store(true, Relaxed);
            }
        }
    }
}

/// Returns whether two solutions differ at most in the order of adjacent moves of opposite faces.
fn same(a: &[Move], b: &[Move]) -> bool {
    a.len() == b.len() && in_one_order(a) == in_one_order(b)
}

/// Receives each new shortest solution and the number of nodes so far.
pub(crate) type SolutionCallback<'n> = &'n mut dyn FnMut(&Found, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::machine::Costs;
    use crate::search::solution::Phases;
    use superflip_cube::Moves;

    #[test]
    fn longer_candidates_are_left_out_where_only_the_shortest_count() {
        let costs = Costs(Move::ALL.map(|mv| (mv.to_string(), 1.0)).to_vec());
        let machine = Arc::new(costs.machine(&Move::ALL).unwrap());
        for (shortest_only, target, at_most) in [(false, 0, 30), (true, 0, 3), (true, 4, 4)] {
            let mut best = BestSolutions::new(Metric::Htm, target, 10, 30, AvoidedAxes::default());
            best.price(Arc::clone(&machine), 1, shortest_only);
            for moves in ["R U F L D", "R2 U2 F2", "R U F L"] {
                let moves: Moves = moves.parse().unwrap();
                best.offer(Found { moves, phases: Phases::Optimal });
            }
            assert_eq!(best.at_most(), at_most);
        }
    }
}
