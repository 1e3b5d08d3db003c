//! Reports the progress of opening, building and checking tables in the log.
//!
//! Log lines have the target [`TARGET`], so that shell commands can enable them alone. A separate thread writes them at a fixed interval,
//! so that a stage without events still logs.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::service::tables::readiness::LoadStage;
use crate::service::telemetry::metrics::{TABLE_BUILD_SECONDS, TABLE_BYTES};
use superflip_solver::{Control, TableEvent};

/// Target of progress lines in the log.
pub const TARGET: &str = "superflip::tables";
/// Interval between two progress lines.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const _: () = assert!(BETWEEN_LINES.as_secs() <= 10, "as docs/operations.md promises");

/// A callback for progress: the stage, the current table, and the completed part in thousandths.
pub type ProgressListener = Box<dyn Fn(LoadStage, &str, u32) + Send + Sync>;

/// Reports every table event to the log, to the metrics, and to a listener.
pub struct ProgressReporter {
    listener: Option<ProgressListener>,
    now: Arc<Mutex<Option<Activity>>>,
    writer: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The current activity.
#[derive(Clone)]
struct Activity {
    what: &'static str,
    table: String,
    permille: u64,
}

impl ProgressReporter {
    /// Starts a reporter. Until it is dropped, it writes a line at a fixed interval.
    pub fn new(listener: Option<ProgressListener>) -> Self {
        let now = Arc::new(Mutex::new(None));
        let writer = write_lines(Arc::clone(&now));
        Self { listener, now, writer }
    }

    fn advance(&self, stage: LoadStage, what: &'static str, table: &str, permille: u32) {
        if let Some(listener) = &self.listener {
            listener(stage, table, permille);
        }
        self.show(what, table, permille.into());
    }

    fn show(&self, what: &'static str, table: &str, permille: u64) {
        let activity = Activity { what, table: table.to_owned(), permille };
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Some(activity);
    }

    /// Reports the progress of a check.
    pub(crate) fn checking(&self, table: &str, stage: &str, done: u64, total: u64) {
        self.show("checking tables", &format!("{table}: {stage}"), done * 1000 / total.max(1));
    }

    /// Returns a control whose table events go to this reporter. Its last clone drops the reporter.
    pub(crate) fn attached_to(self, control: &Control) -> Control {
        control.observing(move |event| self.observe(event))
    }

    /// Reports one event.
    #[allow(clippy::cast_precision_loss)] // no table has 2^53 bytes
    fn observe(&self, event: &TableEvent<'_>) {
        match *event {
            TableEvent::Waiting { folder } => {
                if let Some(listener) = &self.listener {
                    listener(LoadStage::Waiting, "", 0);
                }
                // Nothing advances here until the other build ends.
                *self.now.lock().unwrap_or_else(PoisonError::into_inner) = None;
                tracing::info!(
                    target: TARGET,
                    folder = %absolute(folder).display(),
                    "this process or another one builds tables in this folder; waiting for it"
                );
            }
            TableEvent::Rejected { table, path, reason } => {
                tracing::warn!(table, path = %path.display(), reason, "a table file cannot be used; rebuilding it");
            }
            TableEvent::Unlocked { path, reason } => {
                static TOLD: Once = Once::new();
                TOLD.call_once(|| {
                    tracing::warn!(
                        path = %path.display(), %reason,
                        "a table file is used without a lock; `superflip tables prune` cannot see that it is in use"
                    );
                });
            }
            TableEvent::Planned { folder, tables, bytes, free_bytes } => {
                let (folder, names) = (absolute(folder), tables.join(", "));
                let (count, folder) = (tables.len(), folder.display());
                tracing::info!(target: TARGET, %folder, bytes, free_bytes, count, tables = names, "starting to build tables");
            }
            TableEvent::Opening { table, overall_permille } => {
                self.advance(LoadStage::Opening, "opening tables", table, overall_permille);
            }
            TableEvent::Building { table, overall_permille, .. } => {
                self.advance(LoadStage::Building, "building tables", table, overall_permille);
            }
            TableEvent::Built { table, elapsed, bytes } => {
                TABLE_BUILD_SECONDS.with([table]).set(elapsed.as_secs_f64());
                TABLE_BYTES.with([table]).set(bytes as f64);
                tracing::info!(table, bytes, seconds = elapsed.as_secs_f64(), "table built");
            }
            TableEvent::Opened { table, bytes } => {
                TABLE_BYTES.with([table]).set(bytes as f64);
                tracing::debug!(table, bytes, "table opened");
            }
        }
    }
}

/// Starts the thread that writes the current activity at a fixed interval, until the sender is dropped. If no thread can be started,
/// progress is not logged.
fn write_lines(now: Arc<Mutex<Option<Activity>>>) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (stop, stopped) = channel();
    let write = move || {
        while stopped.recv_timeout(BETWEEN_LINES) == Err(RecvTimeoutError::Timeout) {
            let activity = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(Activity { what, table, permille }) = activity {
                tracing::info!(target: TARGET, table, percent = permille / 10, "{what}");
            }
        }
    };
    let thread = std::thread::Builder::new().name("progress".into()).spawn(write).ok()?;
    Some((stop, thread))
}

/// Returns the absolute path, in which a typing error is easier to notice.
fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

impl Drop for ProgressReporter {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.writer.take() {
            drop(stop);
            // The thread ends at once and returns nothing, so ignore the result.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_waits_reports_no_progress_of_its_own() {
        let reporter = ProgressReporter::new(None);
        reporter.observe(&TableEvent::Opening { table: "twist_move", overall_permille: 990 });
        assert!(reporter.now.lock().unwrap().is_some());
        reporter.observe(&TableEvent::Waiting { folder: Path::new(".") });
        assert!(reporter.now.lock().unwrap().is_none());
    }
}
