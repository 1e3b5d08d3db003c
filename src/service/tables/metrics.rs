//! The tables of the further metrics: loaded at the start if they are configured, otherwise when a request first asks for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::service::config::Config;
use crate::service::tables::loader::{self, LoadError, at_low_priority, load_into};
use crate::service::tables::memory;
use crate::service::tables::readiness::{LoadProgress, Readiness, TableState};
use superflip_cube::metric::Metric;
use superflip_solver::tables::MetricTables;
use superflip_solver::{Control, Profile};

/// The tables of the further metrics. Clones share them.
#[derive(Clone)]
pub struct MetricStore(Arc<Parts>);

struct Parts {
    config: Config,
    control: Control,
    states: Mutex<BTreeMap<&'static str, Readiness<MetricTables>>>,
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

impl MetricStore {
    /// Creates the store. Nothing is loaded yet.
    pub fn new(config: &Config) -> Self {
        Self(Arc::new(Parts { config: config.clone(), control: Control::new(), states: Mutex::default() }))
    }

    fn states(&self) -> MutexGuard<'_, BTreeMap<&'static str, Readiness<MetricTables>>> {
        self.0.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tables of a metric if they are loaded.
    pub fn loaded(&self, metric: Metric) -> Option<Arc<MetricTables>> {
        self.states().get(metric.name()).and_then(Readiness::loaded)
    }

    /// Returns the tables of every metric that are loaded.
    pub fn all_loaded(&self) -> Vec<Arc<MetricTables>> {
        self.states().values().filter_map(Readiness::loaded).collect()
    }

    /// Returns the state of the tables of every metric that is configured or was asked for, in the order of [`Metric::ALL`].
    pub fn known(&self) -> Vec<(Metric, TableState<MetricTables>)> {
        let (states, configured) = (self.states(), &self.0.config.search.metrics);
        let state = |metric: Metric| match states.get(metric.name()) {
            Some(readiness) => Some((metric, readiness.get())),
            None if configured.contains(&metric) => Some((metric, TableState::Starting(LoadProgress::first()))),
            None => None,
        };
        Metric::ALL.into_iter().filter_map(state).collect()
    }

    /// Returns the state of the tables of a metric. At the first call, starts to load them in the background.
    pub fn ask_for(&self, metric: Metric) -> TableState<MetricTables> {
        let (readiness, is_new) = self.readiness(metric);
        if is_new {
            let store = self.clone();
            tokio::task::spawn_blocking(move || {
                // The error is logged, and requests in this metric are answered with it.
                let _ = store.load(metric, &store.0.control);
            });
        }
        readiness.get()
    }

    /// Loads the tables of the configured metrics on this thread. Tables that cannot be loaded are logged.
    pub fn load_configured(&self, control: &Control) {
        for &metric in &self.0.config.search.metrics {
            if self.readiness(metric).1 {
                let _ = self.load(metric, control);
            }
        }
    }

    /// Returns the readiness of a metric, and whether it is new.
    fn readiness(&self, metric: Metric) -> (Readiness<MetricTables>, bool) {
        let mut states = self.states();
        let is_new = !states.contains_key(metric.name());
        (states.entry(metric.name()).or_insert_with(Readiness::starting).clone(), is_new)
    }

    fn load(&self, metric: Metric, control: &Control) -> Result<(), LoadError> {
        let (readiness, _) = self.readiness(metric);
        let config = &self.0.config;
        // Those that are configured are loaded too, sooner or later.
        let mut wanted = config.search.metrics.clone();
        wanted.extend(self.all_loaded().iter().map(|tables| tables.metric()));
        wanted.push(metric);
        if let Err(reason) = memory::check_metrics(config, &wanted, memory::limit(Path::new("/"))) {
            tracing::error!(metric = metric.name(), reason, "the tables of a metric need too much memory");
            readiness.set(TableState::Failed { reason });
            return Ok(());
        }
        let work = |control: &Control| {
            let folder = folder(config)?;
            at_low_priority(|| load(&folder, metric, config.tables.profile, control))
        };
        load_into(&readiness, "the tables of a metric cannot be loaded", control, work, |_| {})
    }
}

/// Returns the folder of tables, which a metric needs with every profile.
fn folder(config: &Config) -> Result<PathBuf, LoadError> {
    let folder = loader::folder(config)?;
    if folder.as_os_str().is_empty() { Err(superflip_solver::TableError::NoHome.into()) } else { Ok(folder) }
}

/// Opens or builds the tables of a metric on this thread.
///
/// # Errors
/// Returns the errors of [`MetricTables::open_or_build`].
pub fn load(folder: &Path, metric: Metric, profile: Profile, control: &Control) -> Result<MetricTables, LoadError> {
    let start = std::time::Instant::now();
    let tables = MetricTables::open_or_build(folder, metric, profile, control)?;
    let bytes: u64 = tables.list().iter().map(|table| table.bytes).sum();
    let milliseconds = crate::service::millis(start.elapsed());
    tracing::info!(folder = %folder.display(), metric = metric.name(), bytes, milliseconds, "metric ready");
    Ok(tables)
}
