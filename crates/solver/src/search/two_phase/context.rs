//! Data that all walkers of a two-phase search share, and the node count of each walker.

use super::roots::Root;
use crate::control::{Cancelled, Control};
use crate::search::directions::Direction;
use crate::search::incumbent::BestSolutions;

/// Number of nodes between two checks of deadline and stop flag: some 30 to 200 microseconds of work.
pub(crate) const PERIOD: u64 = 1024;

/// Data that all walkers of a search share.
pub(crate) struct SearchContext<'a, T> {
    pub(crate) tables: T,
    pub(crate) roots: &'a [Root],
    pub(crate) directions: &'a [Direction; 6],
    pub(crate) best_solutions: &'a BestSolutions,
    pub(crate) control: &'a Control,
    /// The control while nothing was found.
    pub(crate) empty_control: &'a Control,
}

impl<T> SearchContext<'_, T> {
    /// Checks whether the search must end.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        let is_empty = self.best_solutions.best() == u8::MAX;
        if is_empty { self.empty_control.check() } else { self.control.check() }
    }
}

/// Node count and node limit of a walker, and why it ended early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeCount {
    /// Number of nodes expanded, of both phases.
    pub(crate) nodes: u64,
    /// Reason for ending early, if it did.
    pub(crate) halted: Option<Cancelled>,
    /// Greatest number of nodes that one phase 2 may expand.
    pub(crate) phase_two_nodes: u64,
}
