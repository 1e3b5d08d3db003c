//! Integrity checks of tables in use: on request, at a fixed interval, and after a panic.
//!
//! Crash-only: a damaged table is not repaired in the running process. The first damage is recorded in [`Integrity`]. From then on
//! requests that need tables are refused, and the process drains and exits with an error. The start-up path is the only repair
//! path: it rebuilds each file that is missing or corrupt.
//!
//! A missing file is not damage, because the mapping keeps the entries. The check logs a warning.
//!
//! A checksum finds damage since the table was written. Only the full check on request finds a table that was built wrong and has a
//! valid checksum. The service removes the files of such a table, so that the next start rebuilds them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};

use crate::contract::ToSchema;
use crate::service::pool::{Deadline, Lane, Refused};
use crate::service::tables::shelf::Shelf;
use crate::service::telemetry::metrics::TABLE_CHECKS;
use superflip_solver::tables::Verdict;
use superflip_solver::{Cancelled, Control, TableSet};

/// Minimum time between two checks that follow panics.
const BETWEEN_PANIC_CHECKS: Duration = Duration::from_mins(1);

/// Damage to a table in use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Name of the table.
    pub table: String,
    /// Description of the damage, in one sentence.
    pub problem: String,
}

/// Records the first damage found in the tables of this process.
#[derive(Default)]
pub struct Integrity(watch::Sender<Option<Damage>>);

impl Integrity {
    /// Records and logs damage, unless damage is already recorded.
    pub fn report(&self, damage: Damage) {
        self.0.send_if_modified(|recorded| {
            let is_first = recorded.is_none();
            if is_first {
                let Damage { table, problem } = &damage;
                tracing::error!(table, problem, "a table in use is damaged; shutting down, the next start rebuilds it");
                *recorded = Some(damage);
            }
            is_first
        });
    }

    /// Returns the recorded damage.
    pub fn damage(&self) -> Option<Damage> {
        self.0.borrow().clone()
    }

    /// Waits until damage is recorded.
    pub async fn damaged(&self) -> Damage {
        loop {
            // The sender lives as long as `self`, so the wait cannot fail.
            if let Ok(recorded) = self.0.subscribe().wait_for(Option::is_some).await
                && let Some(damage) = recorded.clone()
            {
                return damage;
            }
        }
    }
}

/// Progress of a check: the data of a `progress` event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, ToSchema)]
pub struct CheckProgress {
    /// Current stage: `start` (nothing checked yet), `checksum` (checksum of the entries), `recompute` (every entry is recomputed),
    /// `count` (histograms are recounted) or `sample` (a sample of entries is recomputed).
    pub stage: &'static str,
    /// Completed units of the stage.
    pub done: u64,
    /// Total units of the stage.
    pub total: u64,
}

/// Runs a full check on a thread of `lane`. It must start by `deadline`. Returns the verdict and the time of the check, without
/// the wait. `progress` is called from several threads. Dropping the future stops the check.
///
/// # Errors
/// Returns an error if the pool refuses the job, or the service shuts down.
pub async fn verify(
    lane: &Lane,
    deadline: Instant,
    progress: impl Fn(CheckProgress) + Send + Sync + 'static,
    check: impl FnOnce(&Control) -> Result<Verdict, Cancelled> + Send + 'static,
) -> Result<(Verdict, Duration), Refused> {
    let job = move |control: &Control| {
        let start = Instant::now();
        let control = control.reporting(move |stage, done, total| progress(CheckProgress { stage, done, total }));
        control.stage("start").report(0, 1);
        let verdict = on_one_thread(|| check(&control))?;
        count_check(verdict.is_sound());
        Ok((verdict, start.elapsed()))
    };
    // A check is stopped by a shutdown, or when the client has disconnected. In the second case nothing reads this result.
    lane.run(Deadline::StartBy(deadline), job).await?.map_err(|_: Cancelled| Refused::ShuttingDown)
}

/// Removes table files, so that the next start rebuilds them. Other processes keep the files that they have mapped.
pub(crate) fn remove_files(files: impl Iterator<Item = PathBuf>) {
    for path in files {
        if let Err(error) = std::fs::remove_file(&path) {
            let path = path.display();
            tracing::error!(%path, %error, "cannot remove a table file that was built wrong; remove it before the next start");
        }
    }
}

/// Schedule of the checks of the tables in use.
pub struct Schedule {
    /// Interval between checks; `None`: no checks at fixed intervals.
    pub every: Option<Duration>,
    /// Notifier of panics. A panic starts a check, because searches with damaged tables may panic.
    pub panicked: Arc<Notify>,
}

impl Schedule {
    /// Checks the checksums of the tables in use and of their files, on a thread of `lane`. Returns the first damage.
    pub async fn first_damage(&self, shelf: &Shelf, lane: &Lane) -> Damage {
        let mut next_panic_check = tokio::time::Instant::now();
        loop {
            let panic = async {
                self.panicked.notified().await;
                tokio::time::sleep_until(next_panic_check).await;
            };
            tokio::select! {
                () = tokio::time::sleep(self.every.unwrap_or(Duration::MAX)) => {}
                () = panic => {
                    tracing::warn!("a job panicked; checking the tables for damage");
                    next_panic_check = tokio::time::Instant::now() + BETWEEN_PANIC_CHECKS;
                }
            }
            let sets = shelf.loaded();
            let check = move |control: &Control| on_one_thread(|| damage_of(&sets, control));
            let Ok(Ok(damage)) = lane.run(Deadline::Admitted, check).await else { continue };
            count_check(damage.is_none());
            if let Some(damage) = damage {
                return damage;
            }
        }
    }
}

fn count_check(is_sound: bool) {
    TABLE_CHECKS.with([if is_sound { "sound" } else { "wrong" }]).inc();
}

/// Returns the first damage in the sets.
fn damage_of(sets: &[TableSet], control: &Control) -> Result<Option<Damage>, Cancelled> {
    for checked in sets.iter().flat_map(|set| set.checksums(control)) {
        let (table, verdict) = checked?;
        log_warning(table, &verdict);
        if let Some(problem) = verdict.problem {
            return Ok(Some(Damage { table: table.to_owned(), problem }));
        }
    }
    Ok(None)
}

/// Logs the warning of a check.
pub(crate) fn log_warning(table: &str, verdict: &Verdict) {
    if let Some(warning) = &verdict.warning {
        tracing::warn!(table, warning, "the loaded table is correct, but its file has a fault");
    }
}

/// Runs a check on one thread, which has the priority of the calling thread. rayon's own threads have that of the process, and would delay
/// searches.
fn on_one_thread<T: Send>(check: impl FnOnce() -> Result<T, Cancelled> + Send) -> Result<T, Cancelled> {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(thread) => thread.install(check),
        Err(error) => {
            tracing::warn!(%error, "the tables are not checked: cannot start a thread");
            Err(Cancelled::ByCaller)
        }
    }
}
