//! Proofs of optimality: with a coset table, or by the near search alone.

use std::sync::Arc;

use super::observer::SearchObserver;
use super::optimal::solve_optimal;
use super::options::Options;
use super::session::solve_near;
use super::solution::{Outcome, SearchError};
use super::stop::Stop;
use crate::tables::Tables;
use crate::tables::optimal::OptimalTable;
use superflip_cube::Cube;

/// The means of proof.
#[derive(Clone)]
pub enum Proof {
    /// A coset table. It proves a solution of every cube, given time.
    Table(Arc<OptimalTable>),
    /// The near search. It proves solutions of at most [`REACH`](super::near::REACH) turns and rejects all other cubes
    /// at once.
    Near,
}

impl Proof {
    /// Returns the table, if there is one.
    pub fn table(&self) -> Option<&Arc<OptimalTable>> {
        match self {
            Self::Table(table) => Some(table),
            Self::Near => None,
        }
    }

    /// Finds an optimal solution and proves it. Of the options, `max_length`, `deadline` and `all_optimal` apply; with
    /// `all_optimal` also `solutions`, and with a table also `threads`. At the deadline the incumbent is returned
    /// without proof.
    ///
    /// # Errors
    /// [`SearchError::Cancelled`] when `stop` was set, [`SearchError::NoSolutionWithinLimits`] when `max_length` was not met, and
    /// [`SearchError::Unproven`] when the cube is too far from solved for the near search alone.
    ///
    /// # Panics
    /// When a solution does not solve the cube, which is a bug.
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
