//! Opens or builds the tables on a blocking thread while the server already listens.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use etcetera::BaseStrategy;
use tokio::task::JoinHandle;

use super::config;
use super::metrics::READY;
use super::pool::panic_message;
use super::progress::Progress;
use super::readiness::{Readiness, State};
use crate::tables::{Profile, TableError, Tables};

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
    let start = Instant::now();
    let tables = Tables::open_or_build(folder, profile, progress, stop)?;
    crate::search::prepare();
    let bytes: u64 = tables.list().iter().map(|table| table.bytes).sum();
    let milliseconds = start.elapsed().as_millis() as u64;
    tracing::info!(folder = %folder.display(), profile = profile.name(), bytes, milliseconds, "tables ready");
    Ok(tables)
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
            // Caught here rather than at the join, so that /readyz never says "starting" for ever.
            let work = std::panic::AssertUnwindSafe(|| {
                let progress = Progress::new(Some(readiness.clone()));
                load(&folder, profile, &progress, &flag)
            });
            let loaded = std::panic::catch_unwind(work)
                .unwrap_or_else(|payload| Err(LoadError::Panicked(panic_message(payload.as_ref()))));
            match loaded {
                Ok(tables) => {
                    metrics::gauge!(READY).set(1.0);
                    readiness.set(State::Ready(Arc::new(tables)));
                    Ok(())
                }
                Err(error) => {
                    if !matches!(error, LoadError::Tables(TableError::Stopped)) {
                        tracing::error!(%error, "no tables");
                    }
                    readiness.set(State::Failed { reason: error.to_string() });
                    Err(error)
                }
            }
        });
        Self { stop, task }
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

impl Drop for Loading {
    fn drop(&mut self) {
        self.stop();
    }
}
