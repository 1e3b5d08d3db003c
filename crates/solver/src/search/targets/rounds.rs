//! Two-phase searches: rounds over all ways, and any solution of one way.

use super::{Running, Stage, TargetsSearch, Way};
use crate::search::avoided_axes::AvoidedAxes;
use crate::search::directions::Direction;
use crate::search::session::MAX_LENGTH;
use crate::search::solution::proof::ProofSearch;
use crate::search::two_phase::{TwoPhase, TwoPhaseLimits, TwoPhaseStatus};

/// Ratio of the nodes of a round to those of the last one.
const ROUND_GROWTH: u64 = 4;

impl<'t> TargetsSearch<'t> {
    /// Starts the two-phase search of a way.
    fn two_phase(&self, way: usize, at_most: u8) -> Box<TwoPhase<'t>> {
        let Way { cube, lower_bound } = &self.ways[way];
        let limits = TwoPhaseLimits {
            at_most,
            target: self.target,
            wanted: self.wanted,
            empty_deadline: None,
            threads: self.goal.threads,
            avoided: AvoidedAxes::default(),
        };
        let directions = Direction::all(self.tables, cube);
        let search = TwoPhase::new(self.tables, directions, *lower_bound, limits, &self.control);
        self.best.iter().for_each(|found| search.best_solutions().offer(found.clone()));
        Box::new(search)
    }

    /// Searches a way within the budget of the round.
    pub(super) fn round(&mut self, budget: u64, way: usize) {
        let Some(Running::TwoPhase(mut search)) = self.running.take() else {
            return self.begin_in_round(budget, way);
        };
        let (before, mut is_improved) = (search.nodes(), false);
        let status = search.advance(&mut |_, _| is_improved = true);
        self.nodes += search.nodes() - before;
        let is_spent = status != TwoPhaseStatus::Going || search.nodes() >= budget;
        if is_improved || is_spent {
            // The search also returns the solutions of other ways that were offered to it.
            let found = search.found().into_iter().filter(|found| !self.best.contains(found));
            found.collect::<Vec<_>>().into_iter().for_each(|found| self.offer(way, found));
        }
        match status {
            TwoPhaseStatus::Halted(halt) => self.halt(halt),
            _ if self.is_complete() => self.stage = self.when_proven(),
            TwoPhaseStatus::Going if !is_spent => self.running = Some(Running::TwoPhase(search)),
            TwoPhaseStatus::Going => {
                self.raise(way, search.lower_bound());
                self.stage = Stage::Round { nodes: budget, way: way + 1 };
            }
            // All solutions of the way that would improve the list are known.
            TwoPhaseStatus::Over => {
                self.raise(way, self.at_most().saturating_add(1));
                self.stage = Stage::Round { nodes: budget, way: way + 1 };
            }
        }
    }

    /// Starts the search of the next way in a round, or the next round.
    fn begin_in_round(&mut self, budget: u64, way: usize) {
        if let Err(halt) = self.control.check() {
            return self.halt(halt);
        }
        let at_most = self.at_most();
        if let Some(way) = self.next_way(way, at_most) {
            self.running = Some(Running::TwoPhase(self.two_phase(way, at_most)));
            self.stage = Stage::Round { nodes: budget, way };
            return;
        }
        self.add_to_record(ProofSearch::TwoPhase, None);
        self.stage = if self.next_way(0, at_most).is_none() {
            // No way has an improvement.
            if self.best.is_empty() { Stage::Any } else { self.when_proven() }
        } else if self.proof_table().is_some() {
            Stage::Table { length: self.lower_bound(), way: 0 }
        } else {
            Stage::Round { nodes: budget.saturating_mul(ROUND_GROWTH), way: 0 }
        };
    }

    /// Finds any solution of the first way.
    pub(super) fn any(&mut self) {
        let Some(Running::TwoPhase(mut search)) = self.running.take() else {
            let mut search = self.two_phase(0, MAX_LENGTH);
            search.restart_relaxed(MAX_LENGTH, &self.control.with_deadline(None), true);
            self.running = Some(Running::TwoPhase(search));
            return;
        };
        let before = search.nodes();
        let status = search.advance(&mut |_, _| {});
        self.nodes += search.nodes() - before;
        for found in search.found() {
            self.offer(0, found);
        }
        match status {
            TwoPhaseStatus::Halted(halt) => self.halted = Some(halt),
            TwoPhaseStatus::Going if self.best.is_empty() => {
                self.running = Some(Running::TwoPhase(search));
                return;
            }
            TwoPhaseStatus::Going | TwoPhaseStatus::Over => {}
        }
        self.stage = Stage::Over;
    }
}
