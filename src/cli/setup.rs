//! The configuration, the log, the signals and the tables of a command.

use std::path::{Path, PathBuf};

use super::args::Configuration;
use super::output::Failure;
use crate::service::config::load::{ENVIRONMENT_PREFIX, Flag, Loaded, load_with_sources};
use crate::service::config::{Config, LogFormat};
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::{loader, memory, progress};
use crate::service::telemetry;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, SetKey, Solver, TableSet, Tables};

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
    own.map(|(name, value)| match std::str::from_utf8(value.as_encoded_bytes()) {
        Ok(value) => Ok((name, value.to_owned())),
        // A replaced character would name another folder. The message does not repeat the value, which may be a key.
        Err(error) => Err(Failure::Input(format!(
            "the environment variable {name} is not UTF-8: invalid byte at offset {}; set it to a text in UTF-8",
            error.valid_up_to()
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

/// Opens, builds or computes a set of tables.
///
/// # Errors
/// Returns an error if the set cannot be built or read.
pub fn load(config: &Config, key: SetKey, control: &Control) -> Result<TableSet, Failure> {
    let folder = loader::folder(config).map_err(Failure::runtime)?;
    loader::open(&folder, key, &ProgressReporter::new(None).attached_to(control)).map_err(Failure::runtime)
}

/// Returns a solver with the tables of the profile, and with those of a metric and turns if they are others. It leaves memory for a coset
/// table.
///
/// # Errors
/// Returns an error if the memory is too small, or the tables cannot be built or read.
pub fn load_solver(
    config: &Config,
    steps: StepSet,
    proofs: Option<SetKey>,
    control: &Control,
) -> Result<Solver, Failure> {
    let (folder, key) = (loader::folder(config).map_err(Failure::runtime)?, SetKey::of_profile(config.tables.profile));
    let keys = std::iter::once(key).chain(proofs).collect();
    memory::check(config, &folder, keys, memory::limit(Path::new("/"))).map_err(Failure::runtime)?;
    with_steps(load(config, key, control)?, config, steps, control)
}

/// Returns a solver for one answer without building tables of the profile: it has the largest complete set, at most the configured one. If
/// there is none, or the configured profile does not fit into memory, it has that of `tiny`. With the flag `--profile`, does as
/// [`load_solver`].
pub(crate) fn solver_for_one(
    args: &Configuration,
    config: &Config,
    steps: StepSet,
    proofs: Option<SetKey>,
    control: &Control,
) -> Result<Solver, Failure> {
    if args.profile.is_some() {
        return load_solver(config, steps, proofs, control);
    }
    let keys = std::iter::once(SetKey::of_profile(config.tables.profile)).chain(proofs).collect();
    let fits = |folder: &PathBuf| memory::check(config, folder, keys, memory::limit(Path::new("/"))).is_ok();
    let tables = match loader::folder(config).ok().filter(fits) {
        None => Tables::in_memory(),
        Some(folder) => {
            let observed = ProgressReporter::new(None).attached_to(control);
            let tables = Tables::existing_or_tiny(&folder, config.tables.profile, &observed);
            tables.map_err(|error| Failure::runtime(loader::LoadError::from(error)))?
        }
    };
    with_steps(tables.into(), config, steps, control)
}

/// Adds the tables of a metric and turns to those of a profile, which serve HTM with all turns themselves.
fn with_steps(tables: TableSet, config: &Config, steps: StepSet, control: &Control) -> Result<Solver, Failure> {
    let TableSet::Profile(tables) = tables else { return Err(Failure::Runtime("no tables of a profile".to_owned())) };
    let key = SetKey::phases(steps.metric, steps.turns, tables.profile());
    let others = if key.is_profile() { None } else { Some(load(config, key, control)?) };
    Ok(Solver::new(tables).with(others))
}
