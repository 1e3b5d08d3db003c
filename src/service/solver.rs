//! The search behind the door: waits for its turn, searches until the deadline, counts what it did.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::config::Search;
use super::metrics::{LONG_LANE, NODES, SHORT_LANE, SOLUTION_LENGTH, SOLVE_SECONDS};
use super::pool::{Pool, Refused};
use crate::cube::Cube;
use crate::search::{self, Options, Outcome, SearchError};
use crate::tables::Tables;

/// Why a cube was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The search never ran, or not to its end.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The search ran and found nothing that was asked for.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// An answer, and how long it had waited for its turn.
#[derive(Debug)]
pub struct Solved {
    /// What the search found.
    pub outcome: Outcome,
    /// Time in the queue.
    pub queued: Duration,
}

/// Solves cubes on the solver threads.
pub struct Solver {
    pool: Pool,
    long: Pool,
}

impl Solver {
    /// A solver with its own threads and queue.
    pub fn new(config: &Search) -> Self {
        Self {
            pool: Pool::new(SHORT_LANE, config.threads(), config.queue_length),
            long: Pool::new(LONG_LANE, config.long_threads, config.long_queue_length),
        }
    }

    /// The door it solves behind.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The door for work that may take many seconds, so that no search waits behind it.
    pub fn long(&self) -> &Pool {
        &self.long
    }

    /// Refuses new work of both kinds and stops what runs.
    pub fn stop(&self) {
        self.pool.stop();
        self.long.stop();
    }

    /// Solves `cube`; `time_limit` covers the wait and the search.
    ///
    /// # Errors
    /// When the pool refuses it, or when `max_length` cannot be met in time.
    pub async fn solve(
        &self,
        tables: Arc<Tables>,
        cube: Cube,
        target_length: u8,
        max_length: Option<u8>,
        time_limit: Duration,
    ) -> Result<Solved, SolveError> {
        let deadline = Instant::now() + time_limit;
        let options = Options { target_length, max_length, deadline: Some(deadline), ..Options::default() };
        let finished = self.pool.run(deadline, move |stop| search::solve(&tables, &cube, &options, stop)).await?;
        match finished.value {
            Ok(outcome) => {
                metrics::histogram!(SOLVE_SECONDS).record(outcome.elapsed);
                metrics::histogram!(SOLUTION_LENGTH).record(outcome.moves.len() as u32);
                metrics::counter!(NODES).increment(outcome.nodes);
                Ok(Solved { outcome, queued: finished.queued })
            }
            Err(error) => {
                if let SearchError::NoSolutionWithinLimits { nodes, .. } = error {
                    metrics::counter!(NODES).increment(nodes);
                }
                Err(error.into())
            }
        }
    }
}
