//! Checks of mapped tables, behind the door of the long lane.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pool::Refused;
use super::solver::Solver;
use crate::tables::{Effort, Id, Stopped, Tables, Verdict, Watch};

/// How far a check is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// Of how much.
    pub total: u64,
}

/// What a check found, and how long it took.
#[derive(Debug)]
pub struct Checked {
    /// What it found; `None` when the profile does not have the table.
    pub verdict: Option<Verdict>,
    /// Without the wait.
    pub elapsed: Duration,
}

/// Checks a mapped table once it is its turn, which must come before `deadline`. `progress` is told from any thread.
/// Dropping the future stops the check.
///
/// # Errors
/// When the pool refuses it, or when the service stops meanwhile.
pub async fn verify(
    solver: &Solver,
    tables: Arc<Tables>,
    id: Id,
    deadline: Instant,
    progress: impl Fn(Progress) + Send + Sync + 'static,
) -> Result<Checked, Refused> {
    let job = move |stop: &crate::search::Stop| {
        let start = Instant::now();
        progress(Progress { stage: "start", done: 0, total: 1 });
        let tell = |stage, done, total| progress(Progress { stage, done, total });
        let verdict = tables.verify(id, &Watch { stop: stop.flag(), progress: &tell, effort: Effort::Lean });
        Ok(Checked { verdict: verdict.transpose()?, elapsed: start.elapsed() })
    };
    // Besides the shutdown only the caller's going stops a check, and then nobody reads this.
    solver.long().run(deadline, job).await?.value.map_err(|Stopped| Refused::ShuttingDown)
}
