//! The tables of the further metrics, and of restricted turns: loaded at the start if they are configured, otherwise when a request first
//! asks for them. One thread computes the tables of restricted turns, one set after another. Few sets wait for it; more are refused.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::service::config::Config;
use crate::service::pool::Priority;
use crate::service::pool::starter::start_thread;
use crate::service::tables::loader::{self, LoadError, at_low_priority, load_into, on_threads_of};
use crate::service::tables::memory;
use crate::service::tables::readiness::{LoadProgress, Readiness, TableState};
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::tables::MetricTables;
use superflip_solver::{Control, OptimalTable, Profile, Size, TableError};

/// The tables of the further metrics. Clones share them.
#[derive(Clone)]
pub struct MetricStore(Arc<Parts>);

struct Parts {
    config: Config,
    control: Control,
    states: Mutex<States>,
    /// Greatest number of sets of restricted turns. Those that were used longest ago are dropped.
    max_restricted: usize,
    waiting: Mutex<Waiting>,
    /// The coset table for proofs in QTM, once it is asked for.
    proofs: Mutex<Option<Readiness<OptimalTable>>>,
}

/// Number of sets of restricted turns whose tables are computed or wait for it.
const MAX_WAITING: usize = 4;

/// The sets of restricted turns whose tables wait to be computed.
#[derive(Default)]
struct Waiting {
    sets: VecDeque<StepSet>,
    /// Whether there is a thread that computes them.
    has_thread: bool,
}

/// The reason why tables are not loaded when a request asks for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLoaded {
    /// The tables of too many other sets of turns are being computed.
    TooManySets,
    /// The configuration names the metric in neither `search.metrics` nor `search.metrics_on_demand`.
    NotEnabled,
}

/// The states by metric and turns, in the holding of their tables. The last ones were used last.
type States = Vec<(StepSet, Readiness<MetricTables>)>;

impl Drop for Parts {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

impl MetricStore {
    /// Creates the store. Nothing is loaded yet.
    pub fn new(config: &Config) -> Self {
        Self(Arc::new(Parts {
            config: config.clone(),
            control: Control::new(),
            states: Mutex::default(),
            max_restricted: memory::sets_of_turns(config, memory::limit(Path::new("/")).as_ref()),
            waiting: Mutex::default(),
            proofs: Mutex::default(),
        }))
    }

    fn states(&self) -> MutexGuard<'_, States> {
        self.0.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tables of a metric and turns if they are loaded.
    pub fn loaded(&self, metric: Metric, turns: TurnSet) -> Option<Arc<MetricTables>> {
        let (set, mut states) = (key(metric, turns), self.states());
        let at = states.iter().position(|(own, _)| *own == set)?;
        let used = states.remove(at);
        let tables = used.1.loaded();
        states.push(used);
        tables
    }

    /// Returns the tables of every metric and turns that are loaded.
    pub fn all_loaded(&self) -> Vec<Arc<MetricTables>> {
        self.states().iter().filter_map(|(_, readiness)| readiness.loaded()).collect()
    }

    /// Returns the state of the tables of every metric that is configured or was asked for, in the order of [`Metric::ALL`].
    pub fn known(&self) -> Vec<(Metric, TableState<MetricTables>)> {
        let (states, configured) = (self.states(), &self.0.config.search.metrics);
        let state = |metric: Metric| {
            let known = states.iter().find(|(own, _)| *own == StepSet::of_metric(metric));
            match known {
                Some((_, readiness)) => Some((metric, readiness.get())),
                None if configured.contains(&metric) => Some((metric, TableState::Starting(LoadProgress::first()))),
                None => None,
            }
        };
        Metric::ALL.into_iter().filter_map(state).collect()
    }

    /// Returns the state of the tables of all restricted turns that were asked for.
    pub fn known_turns(&self) -> Vec<(StepSet, TableState<MetricTables>)> {
        let states = self.states();
        let restricted = states.iter().filter(|(set, _)| !set.turns.is_all());
        restricted.map(|(set, readiness)| (*set, readiness.get())).collect()
    }

    /// Returns the state of the tables of a metric and turns. At the first call, starts to load them in the background.
    ///
    /// # Errors
    /// Returns an error if they are not loaded on demand, or the tables of too many other sets of turns wait.
    pub fn ask_for(&self, metric: Metric, turns: TurnSet) -> Result<TableState<MetricTables>, NotLoaded> {
        let set = key(metric, turns);
        let Config { search, .. } = &self.0.config;
        if turns.is_all() && !search.metrics.contains(&metric) && !search.metrics_on_demand.contains(&metric) {
            return Err(NotLoaded::NotEnabled);
        }
        let (readiness, is_new) = self.readiness(set)?;
        if is_new && turns.is_all() {
            let store = self.clone();
            // Lines of batches ask on threads that belong to no runtime.
            std::thread::spawn(move || {
                // The error is logged, and requests in this metric are answered with it.
                let _ = store.load(set, &store.0.control);
            });
        } else if is_new {
            self.enqueue(set);
        }
        Ok(readiness.get())
    }

    /// Has the tables of restricted turns computed, by a thread that ends when no set waits. It has the normal priority, because requests wait
    /// for the tables.
    fn enqueue(&self, set: StepSet) {
        let mut waiting = self.waiting();
        waiting.sets.push_back(set);
        if std::mem::replace(&mut waiting.has_thread, true) {
            return;
        }
        let store = self.clone();
        start_thread("turns", move || {
            let next = || {
                let mut waiting = store.waiting();
                let next = waiting.sets.pop_front();
                waiting.has_thread = next.is_some();
                next
            };
            while let Some(set) = next() {
                // A panic ends the work on one set. The error is logged, and requests with these turns are answered with it.
                let load = || store.load(set, &store.0.control);
                if catch_unwind(AssertUnwindSafe(load)).is_err() {
                    store.states().retain(|(own, _)| *own != set);
                }
            }
        });
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the tables of a metric and turns are loaded, or could not be loaded. Ends at once if they were not asked for.
    pub async fn settled(&self, metric: Metric, turns: TurnSet) {
        let set = key(metric, turns);
        let readiness = self.states().iter().find(|(own, _)| *own == set).map(|(_, readiness)| readiness.clone());
        if let Some(readiness) = readiness {
            readiness.settled().await;
        }
    }

    /// Waits in the same way for the coset table for proofs in QTM.
    pub async fn proofs_settled(&self) {
        let readiness = self.0.proofs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(readiness) = readiness {
            readiness.settled().await;
        }
    }

    /// Returns the coset table for proofs in QTM if it is loaded.
    pub fn proofs(&self) -> Option<Arc<OptimalTable>> {
        self.0.proofs.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(Readiness::loaded)
    }

    /// Returns size and state of the coset table for proofs in QTM, if it is configured or was asked for.
    pub fn known_proofs(&self) -> Option<(Size, TableState<OptimalTable>)> {
        let size = self.0.config.optimal.table?;
        let state = self.0.proofs.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Readiness::get);
        let first = || TableState::Starting(LoadProgress::first());
        let is_configured = self.0.config.search.metrics.contains(&Metric::Qtm);
        state.or_else(|| is_configured.then(first)).map(|state| (size, state))
    }

    /// Returns the state of the coset table of this size for proofs in QTM. At the first call, starts to load it in the background.
    pub fn ask_for_proofs(&self, size: Size) -> TableState<OptimalTable> {
        let (readiness, is_new) = self.proofs_readiness();
        if is_new {
            let store = self.clone();
            // Lines of batches ask on threads that belong to no runtime.
            std::thread::spawn(move || {
                // The error is logged, and requests for proofs in QTM are answered with it.
                let _ = store.load_proofs(size, &store.0.control);
            });
        }
        readiness.get()
    }

    fn proofs_readiness(&self) -> (Readiness<OptimalTable>, bool) {
        let mut proofs = self.0.proofs.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = proofs.is_none();
        (proofs.get_or_insert_with(Readiness::starting).clone(), is_new)
    }

    fn load_proofs(&self, size: Size, control: &Control) -> Result<(), LoadError> {
        let ((readiness, _), config, size) = (self.proofs_readiness(), &self.0.config, size.in_qtm());
        if let Err(reason) = memory::check_proofs(config, &self.wanted(), size, memory::limit(Path::new("/"))) {
            tracing::error!(size = size.name(), reason, "the table for proofs in QTM needs too much memory");
            readiness.set(TableState::Failed { reason });
            return Ok(());
        }
        let work = |control: &Control| {
            let folder = folder(config)?;
            at_low_priority(|| loader::load_optimal(&folder, size, control))
        };
        load_into(&readiness, "no table for proofs in QTM", control, work, |_| {})
    }

    /// Loads the tables of the configured metrics and faces on this thread, and the coset table for proofs in QTM if both are configured.
    /// Tables that cannot be loaded are logged.
    pub fn load_configured(&self, control: &Control) {
        for &metric in &self.0.config.search.metrics {
            let set = StepSet::of_metric(metric);
            if self.readiness(set).is_ok_and(|(_, is_new)| is_new) {
                let _ = self.load(set, control);
            }
        }
        for &turns in &self.0.config.search.faces {
            let set = key(Metric::Htm, turns);
            if self.readiness(set).is_ok_and(|(_, is_new)| is_new) {
                let _ = self.load(set, control);
            }
        }
        let size = self.0.config.optimal.table.filter(|_| self.0.config.search.metrics.contains(&Metric::Qtm));
        if let Some(size) = size.filter(|_| self.proofs_readiness().1) {
            let _ = self.load_proofs(size, control);
        }
    }

    /// Returns the readiness of a metric and turns, and whether it is new.
    fn readiness(&self, set: StepSet) -> Result<(Readiness<MetricTables>, bool), NotLoaded> {
        let mut states = self.states();
        if let Some((_, known)) = states.iter().find(|(own, _)| *own == set) {
            return Ok((known.clone(), false));
        }
        if !set.turns.is_all() {
            let restricted = || states.iter().enumerate().filter(|(_, (own, _))| !own.turns.is_all());
            let is_waiting = |readiness: &Readiness<_>| matches!(readiness.get(), TableState::Starting(_));
            let waiting = restricted().filter(|(_, (_, readiness))| is_waiting(readiness)).count();
            let most = self.0.max_restricted;
            if waiting >= MAX_WAITING.min(most) {
                return Err(NotLoaded::TooManySets);
            }
            if restricted().count() >= most {
                let oldest = restricted().find(|(_, (_, readiness))| !is_waiting(readiness)).map(|(at, _)| at);
                oldest.map(|oldest| states.remove(oldest));
            }
        }
        let readiness = Readiness::starting();
        states.push((set, readiness.clone()));
        Ok((readiness, true))
    }

    fn load(&self, set: StepSet, control: &Control) -> Result<(), LoadError> {
        // A set that is being loaded is known.
        let Ok((readiness, _)) = self.readiness(set) else { return Ok(()) };
        let (config, metric) = (&self.0.config, set.metric);
        let mut wanted = self.wanted();
        wanted.extend(Some(metric).filter(|_| set.turns.is_all()));
        let limit = memory::limit(Path::new("/"));
        if let Err(reason) = memory::check_metrics(config, &wanted, limit) {
            tracing::error!(metric = metric.name(), reason, "the tables of a metric need too much memory");
            readiness.set(TableState::Failed { reason });
            return Ok(());
        }
        let work = |control: &Control| {
            if !set.turns.is_all() {
                return on_threads_of(Priority::Normal, || compute(set, control));
            }
            let folder = folder(config)?;
            at_low_priority(|| load(&folder, metric, config.tables.profile, control))
        };
        load_into(&readiness, "the tables of a metric cannot be loaded", control, work, |_| {})
    }

    /// Returns the metrics whose tables are loaded or will be: those that are configured too. The tables of restricted turns are small.
    fn wanted(&self) -> Vec<Metric> {
        let mut wanted = self.0.config.search.metrics.clone();
        let loaded = self.all_loaded();
        wanted.extend(loaded.iter().filter(|tables| tables.set().turns.is_all()).map(|tables| tables.metric()));
        wanted
    }
}

fn key(metric: Metric, turns: TurnSet) -> StepSet {
    if turns.is_all() { StepSet::of_metric(metric) } else { StepSet::framed(metric, turns) }
}

/// Computes the tables of restricted turns on this thread.
///
/// # Errors
/// Returns an error if `control` ended the work.
pub fn compute(set: StepSet, control: &Control) -> Result<MetricTables, LoadError> {
    let start = Instant::now();
    let tables = MetricTables::in_memory(set.metric, set.turns, control).map_err(TableError::Cancelled)?;
    let milliseconds = crate::service::millis(start.elapsed());
    tracing::info!(metric = set.metric.name(), turns = %set.turns, milliseconds, "turns ready");
    Ok(tables)
}

/// Returns the folder of tables, which a metric needs with every profile.
fn folder(config: &Config) -> Result<PathBuf, LoadError> {
    let folder = loader::folder(config)?;
    if folder.as_os_str().is_empty() { Err(TableError::NoHome.into()) } else { Ok(folder) }
}

/// Opens or builds the tables of a metric on this thread.
///
/// # Errors
/// Returns the errors of [`MetricTables::open_or_build`].
pub fn load(folder: &Path, metric: Metric, profile: Profile, control: &Control) -> Result<MetricTables, LoadError> {
    let start = Instant::now();
    let tables = MetricTables::open_or_build(folder, metric, profile, control)?;
    tell_ready(folder, &tables, start);
    Ok(tables)
}

fn tell_ready(folder: &Path, tables: &MetricTables, start: Instant) {
    let bytes: u64 = tables.list().iter().map(|table| table.bytes).sum();
    let (metric, milliseconds) = (tables.metric().name(), crate::service::millis(start.elapsed()));
    tracing::info!(folder = %folder.display(), metric, bytes, milliseconds, "metric ready");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::config::load::load;
    use superflip_cube::{Face, Move};

    /// Sets of turns that have different tables: all turns without the half turns of some faces, in every metric.
    fn sets() -> Vec<(Metric, TurnSet)> {
        let of_faces = |faces: &str| {
            let half = |mv: &Move| mv.quarters() == 2 && faces.contains(mv.face().letter());
            Move::ALL.into_iter().filter(|mv| !half(mv)).collect::<TurnSet>()
        };
        let turns = ["U", "UD", "UR", "UDR", "UDRL", "URF"].map(of_faces);
        turns
            .into_iter()
            .flat_map(|turns| [Metric::Htm, Metric::Qtm, Metric::Stm].map(|metric| (metric, turns)))
            .collect()
    }

    #[test]
    fn few_sets_of_turns_wait_and_few_are_kept() {
        let store = MetricStore::new(&load(None, Vec::new(), &[]).expect("the defaults"));
        let known = || store.known_turns().into_iter().map(|(set, ..)| set).collect::<Vec<_>>();
        for (number, (metric, turns)) in sets().into_iter().enumerate() {
            let first = store.readiness(key(metric, turns));
            assert_eq!(first.is_ok(), number < MAX_WAITING, "{number}");
        }
        for (_, readiness) in store.states().iter() {
            readiness.set(TableState::Failed { reason: "a test".to_owned() });
        }
        let mut last = Vec::new();
        for (metric, turns) in sets() {
            let (readiness, is_new) = store.readiness(key(metric, turns)).expect("none waits");
            readiness.set(TableState::Failed { reason: "a test".to_owned() });
            last.push((key(metric, turns), is_new));
        }
        // The first four were known.
        assert_eq!(last.iter().filter(|(_, is_new)| *is_new).count(), last.len() - MAX_WAITING);
        assert_eq!(known().len(), 16);
        let newest: Vec<StepSet> = last[2..].iter().map(|(set, _)| *set).collect();
        assert_eq!(known(), newest);
    }

    #[test]
    fn configured_faces_are_computed_at_the_start() {
        let mut config = load(None, Vec::new(), &[]).expect("the defaults");
        let faces = ["RU", "DL"].map(|letters| letters.chars().filter_map(Face::from_letter).collect::<Vec<_>>());
        config.search.faces = faces.map(TurnSet::of_faces).to_vec();
        let store = MetricStore::new(&config);
        store.load_configured(&Control::new());
        assert!(config.search.faces.iter().all(|&turns| store.loaded(Metric::Htm, turns).is_some()));
        // The second set is an image of the first.
        assert_eq!(store.known_turns().len(), 1);
    }

    /// Sets are computed one after another, on one thread, which ends with the last.
    #[test]
    fn sets_of_turns_are_computed_one_after_another() {
        let store = MetricStore::new(&load(None, Vec::new(), &[]).expect("the defaults"));
        for (metric, turns) in &sets()[..2] {
            assert!(matches!(store.ask_for(*metric, *turns), Ok(TableState::Starting(_))));
        }
        assert!(store.waiting().has_thread);
        let end = Instant::now() + std::time::Duration::from_mins(1);
        while store.waiting().has_thread && Instant::now() < end {
            std::thread::yield_now();
        }
        assert!(sets()[..2].iter().all(|&(metric, turns)| store.loaded(metric, turns).is_some()));
        assert!(!store.waiting().has_thread);
    }
}
