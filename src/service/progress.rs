//! Tells people how far the tables are: a bar on a terminal, a log line now and then otherwise.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::metrics::{TABLE_BUILD_SECONDS, TABLE_BYTES};
use super::readiness::Stage;
use super::telemetry;
use crate::tables::{Event, Observer};

/// At most one progress line in this time.
const BETWEEN_LINES: Duration = Duration::from_secs(2);

/// Who else is to know which table is being opened or built, and how many thousandths of that are done.
pub type Told = Box<dyn Fn(Stage, &str, u32) + Send + Sync>;

/// Hears of every table event, and passes it on to the terminal, the log, the metrics and the health routes.
pub struct Progress {
    told: Option<Told>,
    bar: Option<ProgressBar>,
    last_line: Mutex<Option<Instant>>,
}

impl Progress {
    /// Progress for people, and for whoever else is to be `told`.
    pub fn new(told: Option<Told>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = telemetry::bars().add(ProgressBar::new(1000));
            let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { told, bar, last_line: Mutex::new(None) }
    }

    fn building(&self, table: &str, permille: u32) {
        if let Some(told) = &self.told {
            told(Stage::Building, table, permille);
        }
        if let Some(bar) = &self.bar {
            bar.set_message(table.to_owned());
            bar.set_position(u64::from(permille));
        } else if self.may_write_line() {
            tracing::info!(table, percent = permille / 10, "building tables");
        }
    }

    /// Tells how far the check of a table is.
    pub fn checking(&self, table: &str, stage: &str, done: u64, total: u64) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{table}: {stage}"));
            bar.set_position(done * 1000 / total.max(1));
        } else if self.may_write_line() {
            tracing::info!(table, stage, percent = done * 100 / total.max(1), "checking a table");
        }
    }

    fn may_write_line(&self) -> bool {
        let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|at| at.elapsed() >= BETWEEN_LINES);
        if due {
            *last = Some(Instant::now());
        }
        due
    }
}

impl Observer for Progress {
    #[allow(clippy::cast_precision_loss)] // no table has 2^53 bytes
    fn observe(&self, event: &Event<'_>) {
        match *event {
            Event::Waiting { folder } => {
                if let Some(told) = &self.told {
                    told(Stage::Waiting, "", 0);
                }
                tracing::info!(folder = %folder.display(), "another process builds tables in this folder; waiting for it");
            }
            Event::Rejected { table, path, reason } => {
                tracing::warn!(table, path = %path.display(), reason, "a table file cannot be used; building it anew");
            }
            Event::Opening { table, overall_permille } => {
                if let Some(told) = &self.told {
                    told(Stage::Opening, table, overall_permille);
                }
            }
            Event::Building { table, overall_permille, .. } => self.building(table, overall_permille),
            Event::Built { table, elapsed, bytes } => {
                metrics::gauge!(TABLE_BUILD_SECONDS, "table" => table.to_owned()).set(elapsed.as_secs_f64());
                metrics::gauge!(TABLE_BYTES, "table" => table.to_owned()).set(bytes as f64);
                tracing::info!(table, bytes, seconds = elapsed.as_secs_f64(), "table built");
            }
            Event::Opened { table, bytes } => {
                metrics::gauge!(TABLE_BYTES, "table" => table.to_owned()).set(bytes as f64);
                tracing::debug!(table, bytes, "table opened");
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
