//! Two-phase searches: rounds over all ways, and any solution of one way.

use super::{Running, Stage, TargetsSearch, Way};
use crate::search::directions::Direction;
use crate::search::incumbent::{EventSink, Incumbent, MAX_LENGTH};
use crate::search::solution::proof::ProofSearch;
use crate::search::two_phase::{TwoPhase, TwoPhaseStatus};

/// Ratio of the nodes of a round to the nodes of the last round.
const ROUND_GROWTH: u64 = 4;

impl<'t> TargetsSearch<'t> {
    /// Starts the two-phase search of a way.
    fn two_phase(&self, way: usize, incumbent: &Incumbent) -> Box<TwoPhase<'t>> {
        let Way { cube, lower_bound } = &self.ways[way];
        let directions = Direction::all(self.tables, cube);
        Box::new(TwoPhase::new(self.tables, directions, &incumbent.best, *lower_bound, None, &self.control))
    }

    /// Searches a way within the budget of the round.
    pub(super) fn round(&mut self, budget: u64, way: usize, incumbent: &mut Incumbent, sink: EventSink<'_>) {
        let Some(Running::TwoPhase(mut search)) = self.running.take() else {
            return self.begin_in_round(budget, way, incumbent);
        };
        let status = search.advance_within(incumbent, sink);
        let next = Stage::Round { nodes: budget, way: way + 1 };
        match status {
            TwoPhaseStatus::Halted(halt) => self.halt(halt, incumbent),
            _ if incumbent.best.is_complete() => self.stage = Self::when_proven(incumbent),
            TwoPhaseStatus::Going if search.nodes() < budget => self.running = Some(Running::TwoPhase(search)),
            TwoPhaseStatus::Going => {
                self.raise(way, search.lower_bound(), incumbent);
                self.stage = next;
            }
            // All solutions of the way that would improve the list are known.
            TwoPhaseStatus::Over => {
                self.raise(way, incumbent.best.at_most().saturating_add(1), incumbent);
                self.stage = next;
            }
        }
    }

    /// Starts the search of the next way in a round, or the next round.
    fn begin_in_round(&mut self, budget: u64, way: usize, incumbent: &mut Incumbent) {
        if let Err(halt) = self.control.check() {
            return self.halt(halt, incumbent);
        }
        let at_most = incumbent.best.at_most();
        if let Some(way) = self.next_way(way, at_most) {
            self.running = Some(Running::TwoPhase(self.two_phase(way, incumbent)));
            self.stage = Stage::Round { nodes: budget, way };
            return;
        }
        incumbent.record(ProofSearch::TwoPhase, None);
        self.stage = if self.next_way(0, at_most).is_none() {
            // No way has an improvement.
            if incumbent.is_found() { Self::when_proven(incumbent) } else { Stage::Any }
        } else if self.table.is_some() && incumbent.best.wants_shortest() {
            Stage::Table { length: incumbent.lower_bound(), way: 0 }
        } else {
            Stage::Round { nodes: budget.saturating_mul(ROUND_GROWTH), way: 0 }
        };
    }

    /// Finds any solution of the first way.
    pub(super) fn any(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) {
        let Some(Running::TwoPhase(mut search)) = self.running.take() else {
            let mut search = self.two_phase(0, incumbent);
            search.restart(&mut incumbent.best, MAX_LENGTH, &self.control.with_deadline(None), true);
            self.running = Some(Running::TwoPhase(search));
            return;
        };
        match search.advance_within(incumbent, sink) {
            TwoPhaseStatus::Halted(halt) => incumbent.halt(halt),
            TwoPhaseStatus::Going if !incumbent.is_found() => {
                self.running = Some(Running::TwoPhase(search));
                return;
            }
            TwoPhaseStatus::Going | TwoPhaseStatus::Over => {}
        }
        self.stage = Stage::Over;
    }
}
