//! Checks of mapped tables, behind the door of the long lane.

use std::time::{Duration, Instant};

use crate::service::pool::{Deadline, Refused};
use crate::service::solver::Solver;
use crate::tables::{CheckControl, Effort, Stopped, Verdict};

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

/// Runs a check of tables once it is its turn, which must come before `deadline`: what it found, and how long it took without the
/// wait. `progress` is told from any thread. Dropping the future stops the check.
///
/// # Errors
/// When the pool refuses it, or when the service stops meanwhile.
pub async fn run(
    solver: &Solver,
    deadline: Instant,
    progress: impl Fn(Progress) + Send + Sync + 'static,
    check: impl FnOnce(&CheckControl<'_>) -> Result<Verdict, Stopped> + Send + 'static,
) -> Result<(Verdict, Duration), Refused> {
    let job = move |stop: &crate::search::Stop| {
        let start = Instant::now();
        progress(Progress { stage: "start", done: 0, total: 1 });
        let tell = |stage, done, total| progress(Progress { stage, done, total });
        let verdict = check(&CheckControl { stop: stop.flag(), progress: &tell, effort: Effort::Lean })?;
        Ok((verdict, start.elapsed()))
    };
    // Besides the shutdown only the caller's going stops a check, and then nobody reads this.
    solver.long().run(Deadline::StartBy(deadline), job).await?.value.map_err(|Stopped| Refused::ShuttingDown)
}
