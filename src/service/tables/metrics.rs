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
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::readiness::{LoadProgress, Readiness, TableState};
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::tables::{MetricTables, Trust};
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
    /// Progress of opening the files of five faces, while the computed tables answer.
    opening: Mutex<Option<LoadProgress>>,
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
            opening: Mutex::default(),
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

    /// Returns the state of the tables of all restricted turns that were asked for, and the progress of opening files that replace them.
    pub fn known_turns(&self) -> Vec<(StepSet, TableState<MetricTables>, Option<LoadProgress>)> {
        let opening = self.opening().clone();
        let states = self.states();
        let restricted = states.iter().filter(|(set, _)| !set.turns.is_all());
        let state = |(set, readiness): &(StepSet, Readiness<MetricTables>)| {
            (*set, readiness.get(), opening.clone().filter(|_| *set == StepSet::FIVE_FACES))
        };
        restricted.map(state).collect()
    }

    fn opening(&self) -> MutexGuard<'_, Option<LoadProgress>> {
        self.0.opening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a control that records the progress of opening the files of five faces.
    fn recording_opening(&self, control: &Control) -> Control {
        let store = self.clone();
        let record = move |stage, table: &str, permille| {
            *store.opening() = Some(LoadProgress { stage, table: Some(table.to_owned()), permille });
        };
        ProgressReporter::new(Some(Box::new(record))).attached_to(control)
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
        load_into(&readiness, "the tables of a metric cannot be loaded", control, work, |_| {})?;
        if set == StepSet::FIVE_FACES {
            // Opening the files takes seconds, in which the computed tables answer.
            let found = at_low_priority(|| existing_five_faces(config, &wanted, &self.recording_opening(control)));
            *self.opening() = None;
            match found {
                Ok(Some(tables)) => readiness.set(TableState::Ready(Arc::new(tables))),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "the tables of five faces cannot be opened; computed ones are used");
                }
            }
        }
        Ok(())
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

/// Opens or computes the tables of restricted turns on this thread. It opens the tables of five faces in HTM if their files exist and fit
/// into memory, and computes all others.
///
/// # Errors
/// Returns an error if `control` ended the work, or the process lacks memory or open files.
pub fn restricted(config: &Config, set: StepSet, control: &Control) -> Result<MetricTables, LoadError> {
    let existing = if set == StepSet::FIVE_FACES { existing_five_faces(config, &[], control)? } else { None };
    existing.map_or_else(|| compute(set, control), Ok)
}

/// Opens the tables of five faces in HTM on this thread: the largest ones of the profile that are in the folder and fit into memory
/// beside the tables of `metrics`. Builds none.
fn existing_five_faces(
    config: &Config,
    metrics: &[Metric],
    control: &Control,
) -> Result<Option<MetricTables>, LoadError> {
    let Ok(folder) = folder(config) else { return Ok(None) };
    let profiles = Profile::ALL.into_iter().skip_while(|&profile| profile != config.tables.profile);
    for profile in profiles.filter(|&profile| profile != Profile::Tiny && memory::has_five_faces(&folder, profile)) {
        let (start, limit) = (Instant::now(), memory::limit(Path::new("/")));
        if let Err(reason) = memory::check_five_faces(config, metrics, profile, limit) {
            tracing::warn!(profile = profile.name(), reason, "the tables of five faces need too much memory");
        } else if let Some(tables) = MetricTables::existing_five_faces(&folder, profile, control)? {
            tell_ready(&folder, &tables, start);
            return Ok(Some(tables));
        }
    }
    Ok(None)
}

/// Opens or builds the tables of five faces in HTM on this thread.
///
/// # Errors
/// Returns the errors of [`MetricTables::five_faces`].
pub fn five_faces(folder: &Path, profile: Profile, control: &Control) -> Result<MetricTables, LoadError> {
    let start = Instant::now();
    let tables = MetricTables::five_faces(Trust::Files, folder, profile, control)?;
    tell_ready(folder, &tables, start);
    Ok(tables)
}

/// Computes the tables of restricted turns on this thread.
fn compute(set: StepSet, control: &Control) -> Result<MetricTables, LoadError> {
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
    if tables.set().turns.is_all() {
        tracing::info!(folder = %folder.display(), metric, bytes, milliseconds, "metric ready");
    } else {
        tracing::info!(folder = %folder.display(), metric, turns = %tables.set().turns, bytes, milliseconds, "turns ready");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::config::load::load;
    use crate::service::tables::readiness::LoadStage;
    use superflip_cube::{Face, Move};
    use superflip_solver::TableEvent;

    #[test]
    fn progress_of_opening_the_files_of_five_faces_is_known() {
        let store = MetricStore::new(&load(None, Vec::new(), &[]).expect("the defaults"));
        assert!(store.known_turns().is_empty());
        assert!(store.readiness(StepSet::of_metric(Metric::Qtm)).is_ok());
        assert!(store.readiness(StepSet::FIVE_FACES).is_ok());
        let control = store.recording_opening(&Control::new());
        control.emit(&TableEvent::Opening { table: "five_phase_one", overall_permille: 250 });
        let known = store.known_turns();
        let [(StepSet::FIVE_FACES, TableState::Starting(_), Some(progress))] = &known[..] else { panic!() };
        let table = Some("five_phase_one".to_owned());
        assert_eq!(*progress, LoadProgress { stage: LoadStage::Opening, table, permille: 250 });
    }

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
