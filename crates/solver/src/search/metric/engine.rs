//! The search of a session: two-phase in HTM, or in another metric.

use super::search::MetricSearch;
use crate::control::Control;
use crate::search::incumbent::{EventSink, Incumbent};
use crate::search::two_phase::{TwoPhase, TwoPhaseStatus};

/// The search that follows the near search.
#[allow(clippy::large_enum_variant)] // The larger one is the usual one.
pub(crate) enum Engine<'t> {
    TwoPhase(TwoPhase<'t>),
    Metric(Box<MetricSearch<'t>>),
}

impl Engine<'_> {
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
    pub(crate) fn restart_relaxed(
        &mut self,
        incumbent: &mut Incumbent,
        at_most: u8,
        control: &Control,
        give_up_soon: bool,
    ) {
        match self {
            Self::TwoPhase(search) => search.restart_relaxed(&mut incumbent.best, at_most, control, give_up_soon),
            Self::Metric(search) => search.restart_relaxed(&mut incumbent.best, at_most, control, give_up_soon),
        }
    }

    /// Searches for some microseconds, or with several threads until the level is done, and counts the nodes.
    pub(crate) fn advance(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> TwoPhaseStatus {
        let before = self.nodes();
        let status = {
            let (best, mut report) = incumbent.share(sink);
            let notify = &mut |nodes| report(nodes - before);
            match self {
                Self::TwoPhase(search) => search.advance(best, notify),
                Self::Metric(search) => search.advance(best, notify),
            }
        };
        incumbent.nodes += self.nodes() - before;
        status
    }
}
