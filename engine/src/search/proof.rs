//! What proves an answer shortest: a table, or the near search alone.

use std::sync::Arc;

use super::observer::SearchObserver;
use super::optimal::solve_optimal;
use super::options::Options;
use super::session::solve_near;
use super::solution::{Outcome, SearchError};
use super::stop::Stop;
use crate::cube::Cube;
use crate::tables::Tables;
use crate::tables::optimal::OptimalTable;

/// What proves an answer shortest.
#[derive(Clone)]
pub enum Proof {
    /// A table for optimal answers: it proves every cube, given time.
    Table(Arc<OptimalTable>),
    /// The near search: it proves cubes at most [`REACH`](super::near::REACH) turns from solved, and refuses others at once.
    Near,
}

impl Proof {
    /// The table, if there is one.
    pub fn table(&self) -> Option<&Arc<OptimalTable>> {
        match self {
            Self::Table(table) => Some(table),
            Self::Near => None,
        }
    }

    /// Solves the cube in as few turns as it can be solved. Of the options `max_length`, `deadline` and `all_optimal` hold, with the
    /// last one also `solutions`, and with a table also `threads`. At the deadline the best solution is answered, unproven.
    ///
    /// # Errors
    /// [`SearchError::Cancelled`] when `stop` was set, [`SearchError::NoSolutionWithinLimits`] when `max_length` was not met, and
    /// [`SearchError::Unproven`] when the cube is too far from solved for the near search alone.
    ///
    /// # Panics
    /// When a solution does not solve the cube, which is a bug and must not reach anyone as an answer.
    pub fn solve(
        &self,
        tables: &Tables,
        cube: &Cube,
        options: &Options,
        stop: &Stop,
        observer: SearchObserver<'_>,
    ) -> Result<Outcome, SearchError> {
        match self {
            Self::Table(table) => solve_optimal(tables, table, cube, options, stop, observer),
            Self::Near => solve_near(tables, cube, options, stop, observer),
        }
    }
}
