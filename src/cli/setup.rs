//! The configuration, the log, the signals and the tables of a command.

use std::path::Path;
use std::sync::Arc;

use super::args::Configuration;
use super::output::Failure;
use crate::service::config::load::{ENVIRONMENT_PREFIX, Flag, Loaded, load_with_sources};
use crate::service::config::{Config, LogFormat};
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::{loader, memory, metrics, progress};
use crate::service::telemetry;
use superflip_cube::metric::Metric;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, MetricTables, OptimalTable, Profile, Size, Tables, default_folder};

/// Loads the configuration from the flags, the environment and the file.
///
/// # Errors
/// Returns an error for an unreadable file, and for unknown keys and invalid values.
pub fn configure(args: &Configuration, more: Vec<Flag>) -> Result<Config, Failure> {
    configure_with_sources(args, more).map(|loaded| loaded.config)
}

/// Loads the configuration with the source of each value.
pub(crate) fn configure_with_sources(args: &Configuration, more: Vec<Flag>) -> Result<Loaded, Failure> {
    let flags = [more, args.flags()].concat();
    let loaded = load_with_sources(args.config.as_deref(), environment()?, &flags);
    loaded.map_err(|error| Failure::Input(error.to_string()))
}

/// Returns the environment variables of the configuration.
fn environment() -> Result<Vec<(String, String)>, Failure> {
    let all = std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into_owned(), value));
    let own = all.filter(|(name, _)| name.starts_with(ENVIRONMENT_PREFIX));
    own.map(|(name, value)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        // A replaced character would name another folder. The message does not repeat the value, which may be a key.
        Err(_) => Err(Failure::Input(format!(
            "the value of the environment variable {name} is not UTF-8; write it in UTF-8, and choose a folder with such a path"
        ))),
    })
    .collect()
}

/// Starts the log of a command: warnings and the progress of tables, unless a filter is configured.
pub fn log_for_people(config: &Config) {
    let mut log = config.log.clone();
    if log.filter == "info" {
        log.filter = format!("warn,{}=info", progress::TARGET);
    }
    if log.format == LogFormat::Auto {
        log.format = LogFormat::Pretty;
    }
    telemetry::init(&log);
    telemetry::warn_of_ignored(config);
}

/// Runs `work` on a thread that may block. The first signal calls `stop`, after which the work should end soon; the second ends the
/// process.
pub(crate) fn interruptible(
    stop: impl FnOnce(),
    work: impl FnOnce() -> Result<(), Failure> + Send + 'static,
) -> Result<(), Failure> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    // The solver threads of a batch are blocking threads, at most 1024.
    let runtime = runtime.enable_all().max_blocking_threads(2048).build().map_err(Failure::runtime)?;
    runtime.block_on(async {
        let signal = signal().map_err(Failure::runtime)?;
        let mut work = tokio::task::spawn_blocking(work);
        let finished = tokio::select! {
            finished = &mut work => finished,
            () = signal => {
                stop();
                tokio::spawn(exit_on_second_signal());
                work.await
            }
        };
        finished.map_err(Failure::runtime)?
    })
}

/// Resolves at the first stop signal: SIGTERM or SIGINT.
///
/// # Errors
/// Returns an error if no signal handler can be installed.
#[cfg(unix)]
pub fn signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Resolves at the first stop signal.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn signal() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a handler the default one ends the process, as it should.
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Exits at the next stop signal, without a drain.
pub async fn exit_on_second_signal() {
    if let Ok(signal) = signal() {
        signal.await;
        // Without a log line, for which a stalled reader of the log could make it wait.
        std::process::exit(1);
    }
}

/// Opens or builds the tables of the profile, and leaves memory for a coset table of `size`.
///
/// # Errors
/// Returns an error if the memory is too small, or the tables cannot be built or read.
pub fn load_tables(config: &Config, size: Option<Size>, control: &Control) -> Result<Tables, Failure> {
    let folder = loader::folder(config).map_err(Failure::runtime)?;
    check_memory(config, &folder, size)?;
    let control = ProgressReporter::new(None).attached_to(control);
    loader::load(&folder, config.tables.profile, &control).map_err(Failure::runtime)
}

/// Returns tables for one answer without building any: the largest complete set, at most the configured profile. If there is none, or the
/// configured profile does not fit into memory, returns those of `tiny`. With the flag `--profile`, it builds missing tables instead.
pub(crate) fn tables_for_one(
    args: &Configuration,
    config: &Config,
    size: Option<Size>,
    control: &Control,
) -> Result<Tables, Failure> {
    if args.profile.is_some() {
        return load_tables(config, size, control);
    }
    let folder = loader::folder(config).ok().filter(|folder| check_memory(config, folder, size).is_ok());
    let Some(folder) = folder else { return Ok(Tables::in_memory()) };
    let control = ProgressReporter::new(None).attached_to(control);
    let tables = Tables::existing_or_tiny(&folder, config.tables.profile, &control);
    tables.map_err(|error| Failure::runtime(loader::LoadError::from(error)))
}

/// Opens or builds the coset table of `size`.
///
/// # Errors
/// Returns an error if the table cannot be built or read.
pub fn load_optimal(config: &Config, size: Size, control: &Control) -> Result<Arc<OptimalTable>, Failure> {
    let folder = loader::folder(config).map_err(Failure::runtime)?;
    let table = loader::load_optimal(&folder, size, &ProgressReporter::new(None).attached_to(control));
    table.map(Arc::new).map_err(Failure::runtime)
}

/// Opens, builds or computes the tables of a metric and turns; `None` for HTM with all turns, which needs none.
///
/// # Errors
/// Returns an error if the tables cannot be built or read.
pub(crate) fn load_turns(
    config: &Config,
    profile: Profile,
    set: StepSet,
    control: &Control,
) -> Result<Option<Arc<MetricTables>>, Failure> {
    if set.turns.is_all() {
        return load_metric(config, profile, set.metric, control);
    }
    let control = ProgressReporter::new(None).attached_to(control);
    Ok(Some(Arc::new(metrics::compute(set, &control).map_err(Failure::runtime)?)))
}

/// Opens or builds the tables of a metric; `None` for HTM, which needs none.
///
/// # Errors
/// Returns an error if the tables cannot be built or read.
pub fn load_metric(
    config: &Config,
    profile: Profile,
    metric: Metric,
    control: &Control,
) -> Result<Option<Arc<MetricTables>>, Failure> {
    if metric == Metric::Htm {
        return Ok(None);
    }
    let folder = config.tables.dir.clone().map_or_else(default_folder, Ok);
    let folder = folder.map_err(|error| Failure::runtime(loader::LoadError::from(error)))?;
    let control = ProgressReporter::new(None).attached_to(control);
    let tables = metrics::load(&folder, metric, profile, &control).map_err(Failure::runtime)?;
    Ok(Some(Arc::new(tables)))
}

/// Checks that the memory is sufficient for the tables of the profile and a coset table of `size`.
pub(crate) fn check_memory(config: &Config, folder: &Path, size: Option<Size>) -> Result<(), Failure> {
    let mut wanted = config.clone();
    wanted.optimal.table = size;
    // The tables of one metric are checked when they are loaded.
    wanted.search.metrics.clear();
    memory::check(&wanted, folder, memory::limit(Path::new("/"))).map_err(Failure::runtime)
}
