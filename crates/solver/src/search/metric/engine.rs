//! The search of a session: two-phase in HTM, or in another metric.

use std::sync::Arc;

use super::search::MetricSearch;
use crate::control::Control;
use crate::search::machine::Machine;
use crate::search::two_phase::best_solutions::{BestSolutions, SolutionCallback};
use crate::search::two_phase::{TwoPhase, TwoPhaseStatus};

/// The search that follows the near search.
#[allow(clippy::large_enum_variant)] // The larger one is the usual one.
pub(crate) enum Engine<'t> {
    TwoPhase(TwoPhase<'t>),
    Metric(Box<MetricSearch<'t>>),
}

impl Engine<'_> {
    /// Returns the list of the best solutions.
    pub(crate) fn best_solutions(&self) -> &BestSolutions {
        match self {
            Self::TwoPhase(search) => search.best_solutions(),
            Self::Metric(search) => search.best_solutions(),
        }
    }

    /// Also keeps the cheapest solutions on a machine, as [`BestSolutions::price`] does.
    pub(crate) fn price(&mut self, machine: &Arc<Machine>, kept: usize, shortest_only: bool) {
        let best = match self {
            Self::TwoPhase(search) => search.best_solutions_mut(),
            Self::Metric(search) => search.best_solutions_mut(),
        };
        best.price(Arc::clone(machine), kept, shortest_only);
    }

    /// Returns whether there is a solution.
    pub(crate) fn has_found(&self) -> bool {
        self.best_solutions().best() != u8::MAX
    }

    /// Returns the lower bound on the length.
    pub(crate) fn lower_bound(&self) -> u8 {
        match self {
            Self::TwoPhase(search) => search.lower_bound(),
            Self::Metric(search) => search.lower_bound(),
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn nodes(&self) -> u64 {
        match self {
            Self::TwoPhase(search) => search.nodes(),
            Self::Metric(search) => search.nodes(),
        }
    }

    /// Restarts for any solution of at most this length.
    pub(crate) fn restart_relaxed(&mut self, at_most: u8, control: &Control, give_up_soon: bool) {
        match self {
            Self::TwoPhase(search) => search.restart_relaxed(at_most, control, give_up_soon),
            Self::Metric(search) => search.restart_relaxed(at_most, control, give_up_soon),
        }
    }

    /// Searches for some microseconds, or with several threads until the level is done.
    pub(crate) fn advance(&mut self, notify: SolutionCallback<'_>) -> TwoPhaseStatus {
        match self {
            Self::TwoPhase(search) => search.advance(notify),
            Self::Metric(search) => search.advance(notify),
        }
    }
}
