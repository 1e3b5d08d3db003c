//! Opens or builds the tables on blocking threads while the server already listens: first those of the profile, with which it
//! is ready, then the one for optimal answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use etcetera::BaseStrategy;
use tokio::task::JoinHandle;

use crate::service::config;
use crate::service::pool::panic_message;
use crate::service::tables::progress::Progress;
use crate::service::tables::readiness::{Damage, Readiness, Stage, State, Step};
use crate::service::telemetry::metrics::{OPTIMAL_PROGRESS, OPTIMAL_READY, READY, TABLES_INFO, TABLES_LOAD_SECONDS};
use crate::tables::optimal::{OptimalTable, Size};
use crate::tables::{Profile, TableError, Tables, Trust};

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No folder is configured, and the platform names none.
    #[error(
        "no folder for the tables is known, because this user has no home: name one with --tables-dir or tables.dir"
    )]
    NoFolder,
    /// The tables could not be opened or built.
    #[error(transparent)]
    Tables(#[from] TableError),
    /// The build panicked.
    #[error("building the tables failed: {0}. This is a defect of superflip; please report it")]
    Panicked(String),
}

impl LoadError {
    /// The reason for callers, who are not to see where files lie.
    pub fn without_paths(&self) -> String {
        match self {
            Self::Tables(TableError::Io { action, source, .. } | TableError::NoFolder { action, source, .. }) => {
                format!("the server cannot {action} a file or folder of its tables ({})", source.kind())
            }
            Self::Tables(TableError::Unsound { reason, .. }) => {
                format!("a file that was just written is unsound: {reason}")
            }
            Self::Tables(TableError::Stopped) | Self::NoFolder => self.to_string(),
            Self::Panicked(_) => "building it failed, which is a defect".to_owned(),
        }
    }
}

/// The folder of the tables: the configured one, else `superflip` in the platform's cache folder.
///
/// # Errors
/// When none is configured and there is no home.
pub fn folder(config: &config::Tables) -> Result<PathBuf, LoadError> {
    match &config.dir {
        Some(dir) => Ok(dir.clone()),
        None => Ok(etcetera::choose_base_strategy().map_err(|_| LoadError::NoFolder)?.cache_dir().join("superflip")),
    }
}

/// Opens or builds the tables here and now, with progress for people.
///
/// # Errors
/// As [`Tables::open_or_build`].
pub fn load(folder: &Path, profile: Profile, progress: &Progress, stop: &AtomicBool) -> Result<Tables, LoadError> {
    load_trusting(Trust::Files, folder, profile, progress, stop)
}

/// [`load`], with what is to be trusted of the files that are there; errors as there.
#[allow(clippy::missing_errors_doc)]
pub(crate) fn load_trusting(
    trust: Trust,
    folder: &Path,
    profile: Profile,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Tables, LoadError> {
    let start = Instant::now();
    let tables = Tables::trusting(trust, folder, profile, progress, stop)?;
    crate::search::prepare();
    let bytes: u64 = tables.list().iter().map(|table| table.bytes).sum();
    let elapsed = start.elapsed();
    metrics::gauge!(TABLES_LOAD_SECONDS).set(elapsed.as_secs_f64());
    metrics::gauge!(TABLES_INFO, "profile" => profile.name()).set(1.0);
    let milliseconds = elapsed.as_millis() as u64;
    tracing::info!(folder = %folder.display(), profile = profile.name(), bytes, milliseconds, "tables ready");
    Ok(tables)
}

/// Opens or builds the table for optimal answers here and now, with progress for people.
///
/// # Errors
/// As [`OptimalTable::open_or_build`].
pub fn load_optimal(
    folder: &Path,
    size: Size,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<OptimalTable, LoadError> {
    load_optimal_trusting(Trust::Files, folder, size, progress, stop)
}

/// [`load_optimal`], with what is to be trusted of the file that is there; errors as there.
#[allow(clippy::missing_errors_doc)]
pub(crate) fn load_optimal_trusting(
    trust: Trust,
    folder: &Path,
    size: Size,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<OptimalTable, LoadError> {
    let start = Instant::now();
    let table = OptimalTable::trusting(trust, folder, size, progress, stop)?;
    let bytes = table.info().bytes;
    let milliseconds = start.elapsed().as_millis() as u64;
    tracing::info!(folder = %folder.display(), size = size.name(), bytes, milliseconds, "optimal table ready");
    Ok(table)
}

/// A load that goes on in the background; dropping it stops it.
pub struct Loading {
    stop: Arc<AtomicBool>,
    task: JoinHandle<Result<(), LoadError>>,
}

impl Loading {
    /// Starts to load into `readiness`.
    pub fn start(folder: PathBuf, profile: Profile, readiness: Readiness) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let task = tokio::task::spawn_blocking(move || {
            load_into(&readiness, None, "no tables", |progress| load(&folder, profile, progress, &flag), |_| {})?;
            metrics::gauge!(READY).set(1.0);
            Ok(())
        });
        Self { stop, task }
    }

    /// Starts to load the table for optimal answers into `readiness`, and waits until it is there or cannot be had. Best when
    /// the tables of the profile are there, for building it takes every core.
    ///
    /// # Errors
    /// As [`load_optimal`]; `readiness` and the log have been told.
    pub async fn go_on(
        &self,
        folder: PathBuf,
        size: Size,
        readiness: Readiness<OptimalTable>,
    ) -> Result<(), LoadError> {
        let flag = Arc::clone(&self.stop);
        let work = move || {
            let load = |progress: &Progress| load_optimal(&folder, size, progress, &flag);
            load_into(&readiness, None, "no table for optimal answers", load, tell_optimal)?;
            tell_optimal(1000);
            metrics::gauge!(OPTIMAL_READY).set(1.0);
            Ok(())
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| LoadError::Panicked(error.to_string()))?
    }

    /// The flag that stops it, for work that is to end with it.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Asks the build to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until the tables are there, or cannot be had.
    ///
    /// # Errors
    /// As [`load`].
    pub async fn finished(&mut self) -> Result<(), LoadError> {
        match (&mut self.task).await {
            Ok(result) => result,
            Err(error) => Err(LoadError::Panicked(error.to_string())),
        }
    }
}

/// Tells the metrics how far the table for optimal answers is.
pub(crate) fn tell_optimal(permille: u32) {
    metrics::gauge!(OPTIMAL_PROGRESS).set(f64::from(permille) / 1000.0);
}

/// Loads, for the first time or because of `damage`, and tells `readiness` how far it is and how it ended; a failure is
/// logged under `complaint`.
pub(crate) fn load_into<T: Send + Sync + 'static>(
    readiness: &Readiness<T>,
    damage: Option<Damage>,
    complaint: &str,
    load: impl FnOnce(&Progress) -> Result<T, LoadError>,
    told: impl Fn(u32) + Send + Sync + 'static,
) -> Result<(), LoadError> {
    let progress = Progress::new(Some(Box::new({
        let readiness = readiness.clone();
        move |stage, table, permille| {
            let step = Step { stage, table: table.to_owned(), permille };
            readiness.set(match damage.clone() {
                None => State::Starting(step),
                Some(damage) => State::Mending { damage, step },
            });
            if stage != Stage::Waiting {
                told(permille);
            }
        }
    })));
    // Caught here rather than at the join, so that /readyz never says "starting" for ever.
    let loaded = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| load(&progress)))
        .unwrap_or_else(|payload| Err(LoadError::Panicked(panic_message(payload.as_ref()))));
    match loaded {
        Ok(loaded) => {
            readiness.set(State::Ready(Arc::new(loaded)));
            Ok(())
        }
        Err(error) => {
            if matches!(error, LoadError::Tables(TableError::Stopped)) {
                // The service stops; whoever asks in its last moments is told that they are not there yet.
                return Err(error);
            }
            tracing::error!(%error, "{complaint}");
            readiness.set(State::Failed { reason: error.without_paths() });
            Err(error)
        }
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::tables::{Observer as _, TableEvent};

    /// Opening 7.5 GB takes a minute from a slow disk: `/readyz` and the metrics are to follow it.
    #[test]
    fn progress_of_opening_reaches_readiness_and_metrics() {
        let (readiness, heard) = (Readiness::<()>::starting(), Arc::new(Mutex::new(Vec::new())));
        let load = |progress: &Progress| {
            for overall_permille in [0, 250, 900] {
                progress.observe(&TableEvent::Opening { table: "optimal_xl", overall_permille });
                let State::Starting(step) = readiness.get() else { panic!("it has not ended") };
                let expected = Step { stage: Stage::Opening, table: "optimal_xl".into(), permille: overall_permille };
                assert_eq!(step, expected);
            }
            Ok(())
        };
        let hears = Arc::clone(&heard);
        let told = move |permille| hears.lock().expect("no panic while held").push(permille);
        load_into(&readiness, None, "no table", load, told).expect("it is loaded");
        assert!(matches!(readiness.get(), State::Ready(_)));
        assert_eq!(*heard.lock().expect("no panic while held"), [0, 250, 900]);
    }
}
