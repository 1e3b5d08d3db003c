//! Data that all walkers of a two-phase search share, and the node count of each walker.

use std::time::Instant;

use super::incumbent::Incumbent;
use super::roots::Root;
use super::table_views::TableViews;
use crate::search::directions::Direction;
use crate::search::stop::Halt;

/// Number of nodes between two checks of deadline and stop flag: some 30 to 200 microseconds of work.
pub(crate) const PERIOD: u64 = 1024;

/// Data that all walkers of a search share.
pub(crate) struct SearchContext<'a, 't> {
    pub(crate) views: &'a TableViews<'t>,
    pub(crate) roots: &'a [Root],
    pub(crate) directions: &'a [Direction; 6],
    pub(crate) incumbent: &'a Incumbent,
    /// Time at which to stop.
    pub(crate) deadline: Option<Instant>,
    /// Time at which to stop if nothing was found.
    pub(crate) empty_deadline: Option<Instant>,
}

impl SearchContext<'_, '_> {
    /// Returns why the search must end, if it must.
    pub(crate) fn halt(&self) -> Option<Halt> {
        let is_empty = self.incumbent.best() == u8::MAX;
        self.incumbent.halt(self.empty_deadline.filter(|_| is_empty).or(self.deadline))
    }
}

/// Node count and node limit of a walker, and why it ended early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Number of nodes expanded, of both phases.
    pub(crate) nodes: u64,
    /// Reason for ending early, if it did.
    pub(crate) halted: Option<Halt>,
    /// Greatest number of nodes that one phase 2 may expand.
    pub(crate) phase_two_nodes: u64,
}
