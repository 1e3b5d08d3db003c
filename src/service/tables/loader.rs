//! Loads tables on blocking threads while the server already listens: first those of the configured profile,
//! then the coset table.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tokio::task::JoinHandle;

use crate::service::config::Config;
use crate::service::millis;
use crate::service::panic_message;
use crate::service::pool::Priority;
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::readiness::{LoadProgress, LoadStage, Readiness, TableState};
use crate::service::tables::remedies::with_remedy;
use crate::service::telemetry::metrics::{
    OPTIMAL_PROGRESS, OPTIMAL_READY, PROFILE_LOADED, READY, TABLES_INFO, TABLES_LOAD_SECONDS,
};
use superflip_solver::{Control, OptimalTable, Profile, Size, TableError, Tables, default_folder};

/// The reason why tables could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Tables that could not be opened or built.
    #[error("{}", with_remedy(.0))]
    Tables(#[from] TableError),
    /// Panic of the build, with its message.
    #[error("building the tables failed: {0}. This is a defect of superflip; please report it")]
    Panicked(String),
}

impl LoadError {
    /// Returns the reason in public words, without paths of the server.
    pub fn without_paths(&self) -> String {
        match self {
            Self::Tables(
                TableError::Io { action: "create the folder", source, .. }
                | TableError::NoFolder { action: "create the folder", source, .. },
            ) => {
                format!("the server cannot create the folder of its tables ({})", source.kind())
            }
            Self::Tables(TableError::Io { action, source, .. } | TableError::NoFolder { action, source, .. }) => {
                format!("the server cannot {action} in the folder of its tables ({})", source.kind())
            }
            Self::Tables(TableError::NoSpace { bytes, free_bytes, .. }) => {
                format!("the tables need {bytes} bytes, and the disk of their folder has {free_bytes} free")
            }
            Self::Tables(TableError::Unsound { reason, .. }) => {
                format!("a file that was just written is damaged: {reason}")
            }
            Self::Tables(TableError::Cancelled(_) | TableError::NoHome) => self.to_string(),
            Self::Panicked(_) => "building it failed, which is a defect".to_owned(),
        }
    }
}

/// Returns the folder of the tables: the configured one, else `superflip` in the platform's cache folder. The path is empty if no configured table is
/// stored in a file.
///
/// # Errors
/// Returns an error if no folder is configured and the user has no home folder.
pub fn folder(config: &Config) -> Result<PathBuf, LoadError> {
    match &config.tables.dir {
        Some(dir) => Ok(dir.clone()),
        None => default_folder().or_else(|error| {
            let is_needed = config.tables.profile != Profile::Tiny || config.optimal.table.is_some();
            if is_needed { Err(error.into()) } else { Ok(PathBuf::new()) }
        }),
    }
}

/// Opens or builds the tables of a profile on this thread.
///
/// # Errors
/// Returns the errors of [`Tables::open_or_build`].
pub fn load(folder: &Path, profile: Profile, control: &Control) -> Result<Tables, LoadError> {
    let start = Instant::now();
    let tables = Tables::open_or_build(folder, profile, control)?;
    superflip_solver::search::prepare(profile);
    let bytes: u64 = tables.list().iter().map(|table| table.bytes).sum();
    let elapsed = start.elapsed();
    TABLES_LOAD_SECONDS.with([]).set(elapsed.as_secs_f64());
    let milliseconds = millis(elapsed);
    tracing::info!(folder = %folder.display(), profile = profile.name(), bytes, milliseconds, "tables ready");
    Ok(tables)
}

/// Opens or builds the coset table on this thread.
///
/// # Errors
/// Returns the errors of [`OptimalTable::open_or_build`].
pub fn load_optimal(folder: &Path, size: Size, control: &Control) -> Result<OptimalTable, LoadError> {
    let start = Instant::now();
    let table = OptimalTable::open_or_build(folder, size, control)?;
    let bytes = table.info().bytes;
    let milliseconds = millis(start.elapsed());
    tracing::info!(folder = %folder.display(), size = size.name(), bytes, milliseconds, "optimal table ready");
    Ok(table)
}

/// A load in the background. Dropping it stops the load.
pub struct Loading {
    control: Control,
    task: JoinHandle<Result<(), LoadError>>,
}

impl Loading {
    /// Starts to load the tables of the profile into `readiness`, unless they are loaded. If other tables are in use, the load has a
    /// low priority.
    pub fn start(folder: PathBuf, profile: Profile, readiness: Readiness) -> Self {
        Self::start_then(folder, profile, readiness, |_| {})
    }

    /// Starts to load as [`Loading::start`] does, and then runs `load_others`. If other tables are in use, `load_others` runs after the
    /// tables of the profile have replaced them; otherwise it runs before the service is ready.
    pub fn start_then(
        folder: PathBuf,
        profile: Profile,
        readiness: Readiness,
        load_others: impl FnOnce(&Control) + Send + 'static,
    ) -> Self {
        let control = Control::new();
        let own = control.clone();
        let meanwhile = readiness.answering().ok();
        if let Some(tables) = &meanwhile {
            tell_answering(tables.profile());
        }
        let task = tokio::task::spawn_blocking(move || {
            if readiness.loaded().is_some() {
                PROFILE_LOADED.with([]).set(1.0);
                load_others(&own);
                return Ok(());
            }
            let mut load_others = Some(load_others);
            let load = |control: &Control| {
                if meanwhile.is_some() {
                    return at_low_priority(|| load(&folder, profile, control));
                }
                let tables = load(&folder, profile, control)?;
                load_others.take().into_iter().for_each(|load_others| load_others(control));
                Ok(tables)
            };
            load_into(&readiness, "the tables of the profile cannot be loaded", &own, load, |_| {})?;
            if let Some(tables) = &meanwhile {
                TABLES_INFO.with([tables.profile().name()]).set(0.0);
            }
            tell_answering(profile);
            PROFILE_LOADED.with([]).set(1.0);
            load_others.take().into_iter().for_each(|load_others| load_others(&own));
            Ok(())
        });
        Self { control, task }
    }

    /// Waits until the tables of the profile are loaded.
    ///
    /// # Errors
    /// Returns the errors of [`load`].
    pub async fn finished(&mut self) -> Result<(), LoadError> {
        joined((&mut self.task).await)
    }

    /// Loads the coset table into `readiness`. Call it after [`Loading::finished`], because a build uses every core.
    ///
    /// # Errors
    /// Returns the errors of [`load_optimal`]. The error is also logged and set in `readiness`.
    pub async fn load_optimal(
        &self,
        folder: PathBuf,
        size: Size,
        readiness: Readiness<OptimalTable>,
    ) -> Result<(), LoadError> {
        let (control, progress) = (self.control.clone(), OPTIMAL_PROGRESS.with([]));
        let work = move || {
            let report = {
                let progress = progress.clone();
                move |permille| progress.set(f64::from(permille) / 1000.0)
            };
            let load = |control: &Control| load_optimal(&folder, size, control);
            load_into(&readiness, "no table for optimal solutions", &control, load, report)?;
            progress.set(1.0);
            OPTIMAL_READY.with([]).set(1.0);
            Ok(())
        };
        joined(tokio::task::spawn_blocking(work).await)
    }

    /// Returns the control of the load, for jobs that must stop together with it.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Asks the load to stop.
    pub fn stop(&self) {
        self.control.cancel();
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Sets the metrics of the profile in use.
fn tell_answering(profile: Profile) {
    TABLES_INFO.with([profile.name()]).set(1.0);
    READY.with([]).set(1.0);
}

/// Runs `work` on threads of [`Priority::Low`], so that requests get most of each core. With [`Priority::Idle`], it would not end on a busy
/// machine.
pub(crate) fn at_low_priority<T: Send>(work: impl FnOnce() -> Result<T, LoadError> + Send) -> Result<T, LoadError> {
    on_threads_of(Priority::Low, work)
}

/// Runs work on threads of its own, of this priority.
pub(crate) fn on_threads_of<T: Send>(
    priority: Priority,
    work: impl FnOnce() -> Result<T, LoadError> + Send,
) -> Result<T, LoadError> {
    let threads = rayon::ThreadPoolBuilder::new().start_handler(move |_| priority.apply()).build();
    threads.map_err(|error| LoadError::Panicked(error.to_string()))?.install(work)
}

fn joined(result: Result<Result<(), LoadError>, tokio::task::JoinError>) -> Result<(), LoadError> {
    result.unwrap_or_else(|error| Err(LoadError::Panicked(error.to_string())))
}

/// Runs `load`, and sets its progress and its result in `readiness`. An error is logged as `message`.
pub(crate) fn load_into<T: Send + Sync + 'static>(
    readiness: &Readiness<T>,
    message: &str,
    control: &Control,
    load: impl FnOnce(&Control) -> Result<T, LoadError>,
    report: impl Fn(u32) + Send + Sync + 'static,
) -> Result<(), LoadError> {
    let reporter = ProgressReporter::new(Some(Box::new({
        let readiness = readiness.clone();
        move |stage, table, permille| {
            // The loader that waits has no table yet.
            let table = (!table.is_empty()).then(|| table.to_owned());
            readiness.set(TableState::Starting(LoadProgress { stage, table, permille }));
            if stage != LoadStage::Waiting {
                report(permille);
            }
        }
    })));
    let control = reporter.attached_to(control);
    // Catch a panic here and not at the join, so that the state does not stay `Starting`.
    let loaded = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| load(&control)))
        .unwrap_or_else(|payload| Err(LoadError::Panicked(panic_message(payload.as_ref()))));
    match loaded {
        Ok(loaded) => {
            readiness.set(TableState::Ready(Arc::new(loaded)));
            Ok(())
        }
        // The service is shutting down, so leave the state at `Starting`.
        Err(error @ LoadError::Tables(TableError::Cancelled(_))) => Err(error),
        Err(error) => {
            tracing::error!(%error, "{message}");
            readiness.set(TableState::Failed { reason: error.without_paths() });
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use superflip_solver::TableEvent;

    /// Opening 7.5 GB takes a minute from a slow disk: `/readyz` and the metrics follow it.
    #[test]
    fn progress_of_opening_reaches_readiness_and_metrics() {
        let (readiness, reported) = (Readiness::<()>::starting(), Arc::new(Mutex::new(Vec::new())));
        let load = |control: &Control| {
            for overall_permille in [0, 250, 900] {
                control.emit(&TableEvent::Opening { table: "optimal_xl", overall_permille });
                let TableState::Starting(progress) = readiness.get() else { panic!("it has not ended") };
                let expected = LoadProgress {
                    stage: LoadStage::Opening,
                    table: Some("optimal_xl".into()),
                    permille: overall_permille,
                };
                assert_eq!(progress, expected);
            }
            Ok(())
        };
        let received = Arc::clone(&reported);
        let report = move |permille| received.lock().expect("no panic while held").push(permille);
        load_into(&readiness, "no table", &Control::new(), load, report).expect("it is loaded");
        assert!(matches!(readiness.get(), TableState::Ready(_)));
        assert_eq!(*reported.lock().expect("no panic while held"), [0, 250, 900]);
    }

    #[test]
    fn a_loader_that_waits_for_a_folder_has_no_table_yet() {
        let readiness = Readiness::<()>::starting();
        let load = |control: &Control| {
            control.emit(&TableEvent::Waiting { folder: Path::new(".") });
            let TableState::Starting(progress) = readiness.get() else { panic!("it has not ended") };
            assert_eq!(progress, LoadProgress { stage: LoadStage::Waiting, table: None, permille: 0 });
            Ok(())
        };
        load_into(&readiness, "no table", &Control::new(), load, |_| ()).expect("it is loaded");
    }
}
