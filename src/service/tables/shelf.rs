//! The shelf: every set of tables of a running service, by its key.
//!
//! Configured sets are loaded at the start, others when a request first asks for them. Sets in files are loaded on threads of low
//! priority while other tables answer. One thread computes the sets without files, one after another. Few of them wait for it, and few
//! are kept; more are refused. No lock is held while a set is loaded.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinHandle;

use crate::service::config::Config;
use crate::service::panic_message;
use crate::service::pool::Priority;
use crate::service::pool::start_thread;
use crate::service::tables::loader::{LoadError, folder, open};
use crate::service::tables::memory;
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::readiness::{LoadStage, Readiness, TableProgress, TableState};
use crate::service::telemetry::metrics::{OPTIMAL_PROGRESS, OPTIMAL_READY, PROFILE_LOADED, READY, TABLES_INFO};
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::tables::Role;
use superflip_solver::{Control, Profile, SetKey, TableError, TableSet};

/// The sets of tables. Clones share them.
#[derive(Clone)]
pub struct Shelf(Arc<Parts>);

struct Parts {
    config: Config,
    control: Control,
    sets: Mutex<Sets>,
    /// Greatest number of computed sets. Those that were used longest ago are dropped.
    max_computed: usize,
    waiting: Mutex<Waiting>,
}

/// The sets that are known: first that of the profile. The computed ones that were used last come last.
type Sets = Vec<(SetKey, Readiness)>;

/// Number of computed sets that are being computed or wait for it.
const MAX_WAITING: usize = 4;

/// The sets that wait to be computed.
#[derive(Default)]
struct Waiting {
    keys: VecDeque<SetKey>,
    /// Whether there is a thread that computes them.
    has_thread: bool,
}

/// A set that a request needs and that is not loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The set.
    pub key: SetKey,
    /// The reason.
    pub why: Why,
}

/// The reason why a set is not loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is being opened, built or computed, or waits for it.
    Loading(TableProgress),
    /// It could not be opened or built, for this public reason.
    Failed(String),
    /// It became ready during the request.
    JustReady,
    /// Too many other sets are being computed.
    TooMany,
    /// The configuration does not allow it.
    NotEnabled,
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

impl Shelf {
    /// Creates the shelf with the set of the configured profile. Nothing is loaded yet.
    pub fn new(config: &Config, profile: Readiness) -> Self {
        let mut sets = vec![(SetKey::of_profile(config.tables.profile), profile)];
        sets.extend(config.optimal.table.map(|size| (SetKey::proofs(Metric::Htm, size), Readiness::starting())));
        Self(Arc::new(Parts {
            config: config.clone(),
            control: Control::new(),
            sets: Mutex::new(sets),
            max_computed: memory::computed_sets(config, memory::limit(Path::new("/")).as_ref()),
            waiting: Mutex::default(),
        }))
    }

    fn sets(&self) -> MutexGuard<'_, Sets> {
        self.0.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the key of the set with which this service searches in a metric with these turns.
    pub fn phases(&self, metric: Metric, turns: TurnSet) -> SetKey {
        SetKey::phases(metric, turns, self.0.config.tables.profile)
    }

    /// Returns the key of the configured coset table in a metric; `None` without one.
    pub fn proofs(&self, metric: Metric) -> Option<SetKey> {
        self.0.config.optimal.table.map(|size| SetKey::proofs(metric, size))
    }

    /// Returns the state of a known set.
    pub fn readiness(&self, key: SetKey) -> Option<Readiness> {
        self.sets().iter().find(|(own, _)| *own == key).map(|(_, readiness)| readiness.clone())
    }

    /// Returns the state of the set of the configured profile.
    pub fn profile(&self) -> Readiness {
        // It is known from the start.
        self.readiness(SetKey::of_profile(self.0.config.tables.profile)).unwrap_or_else(Readiness::starting)
    }

    /// Returns a set if it is loaded.
    pub fn get(&self, key: SetKey) -> Option<TableSet> {
        let mut sets = self.sets();
        let at = sets.iter().position(|(own, _)| *own == key)?;
        let set = sets[at].1.loaded();
        if key.is_computed() && !key.is_profile() {
            sets[at..].rotate_left(1);
        }
        set
    }

    /// Returns every set that is loaded, that of the profile first.
    pub fn loaded(&self) -> Vec<TableSet> {
        self.sets().iter().filter_map(|(_, readiness)| readiness.loaded()).collect()
    }

    /// Returns the state of every set that is configured or was asked for.
    pub fn states(&self) -> Vec<(SetKey, TableState)> {
        let mut states: Vec<_> = self.sets().iter().map(|(key, readiness)| (*key, readiness.get())).collect();
        for key in memory::configured(&self.0.config) {
            if states.iter().all(|(own, _)| *own != key) {
                states.push((key, TableState::Starting(TableProgress::first())));
            }
        }
        states
    }

    /// Returns the state of a set. At the first call, starts to load it in the background.
    ///
    /// # Errors
    /// Returns the reason if it is not loaded on demand, or too many others wait.
    pub fn ask(&self, key: SetKey) -> Result<TableState, Why> {
        let Config { search, optimal, .. } = &self.0.config;
        let is_enabled = match key.role {
            Role::Proofs(size) => optimal.table == Some(size) && key.specs().next().is_some(),
            Role::Phases(_) if key.is_computed() || key.is_profile() => true,
            Role::Phases(_) => {
                [&search.metrics, &search.metrics_on_demand].iter().any(|own| own.contains(&key.steps.metric))
            }
        };
        if !is_enabled {
            return Err(Why::NotEnabled);
        }
        let (readiness, is_new) = self.entry(key)?;
        if is_new && key.is_computed() {
            self.enqueue(key);
        } else if is_new {
            let shelf = self.clone();
            // Lines of batches ask on threads that belong to no runtime.
            std::thread::spawn(move || {
                // The error is logged, and requests that need the set are answered with it.
                let _ = shelf.load(key, &shelf.0.control, || ());
            });
        }
        Ok(readiness.get())
    }

    /// Returns why a set is not loaded. Starts to load it, as [`Shelf::ask`] does.
    pub fn missing(&self, key: SetKey) -> Missing {
        let why = match self.ask(key) {
            Ok(TableState::Starting(progress)) => Why::Loading(progress),
            Ok(TableState::Failed { reason }) => Why::Failed(reason),
            Ok(TableState::Ready(_)) => Why::JustReady,
            Err(why) => why,
        };
        Missing { key, why }
    }

    /// Waits until a set is loaded, or could not be loaded. Ends at once if it was not asked for.
    pub async fn settled(&self, key: SetKey) {
        if let Some(readiness) = self.readiness(key) {
            readiness.settled().await;
        }
    }

    /// Has a set computed, by a thread that ends when none waits. It has the normal priority, because requests wait for the set.
    fn enqueue(&self, key: SetKey) {
        let mut waiting = self.waiting();
        waiting.keys.push_back(key);
        if std::mem::replace(&mut waiting.has_thread, true) {
            return;
        }
        let shelf = self.clone();
        start_thread("turns", move || {
            let next = || {
                let mut waiting = shelf.waiting();
                let next = waiting.keys.pop_front();
                waiting.has_thread = next.is_some();
                next
            };
            while let Some(key) = next() {
                // A panic ends the work on one set. The error is logged, and requests that need it are answered with it.
                let load = || shelf.load(key, &shelf.0.control, || ());
                if catch_unwind(AssertUnwindSafe(load)).is_err() {
                    shelf.sets().retain(|(own, _)| *own != key);
                }
            }
        });
    }

    /// Returns the readiness of a set, and whether it is new.
    fn entry(&self, key: SetKey) -> Result<(Readiness, bool), Why> {
        let mut sets = self.sets();
        if let Some((_, known)) = sets.iter().find(|(own, _)| *own == key) {
            return Ok((known.clone(), false));
        }
        if key.is_computed() {
            let computed = || sets.iter().enumerate().filter(|(_, (own, _))| own.is_computed() && !own.is_profile());
            let is_waiting = |readiness: &Readiness| matches!(readiness.get(), TableState::Starting(_));
            let waiting = computed().filter(|(_, (_, readiness))| is_waiting(readiness)).count();
            let most = self.0.max_computed;
            if waiting >= MAX_WAITING.min(most) {
                return Err(Why::TooMany);
            }
            if computed().count() >= most {
                let oldest = computed().find(|(_, (_, readiness))| !is_waiting(readiness)).map(|(at, _)| at);
                oldest.map(|oldest| sets.remove(oldest));
            }
        }
        let readiness = Readiness::starting();
        sets.push((key, readiness.clone()));
        Ok((readiness, true))
    }

    /// Loads the configured sets on this thread, one after another: that of the profile, those of metrics and faces, then coset tables. If
    /// no tables answer meanwhile, the service is ready only after those of metrics and faces. Sets that cannot be loaded are logged.
    ///
    /// # Errors
    /// Returns the error of the profile.
    pub fn load_configured(&self, control: &Control) -> Result<(), LoadError> {
        let (key, profile) = (SetKey::of_profile(self.0.config.tables.profile), self.profile());
        let meanwhile = profile.answering().ok();
        if let Some(TableSet::Profile(tables)) = &meanwhile {
            tell_answering(tables.profile());
        }
        let load_others = || {
            let Config { search, .. } = &self.0.config;
            let metrics = search.metrics.iter().map(|&metric| self.phases(metric, TurnSet::ALL));
            let faces = search.faces.iter().map(|&turns| self.phases(Metric::Htm, turns));
            metrics.chain(faces).for_each(|key| self.load_new(key, control));
        };
        let loaded =
            if meanwhile.is_some() { self.load(key, control, || ()) } else { self.load(key, control, load_others) };
        if let Some(TableSet::Profile(tables)) = profile.loaded() {
            if let Some(TableSet::Profile(former)) = &meanwhile {
                TABLES_INFO.with([former.profile().name()]).set(0.0);
            }
            tell_answering(tables.profile());
            PROFILE_LOADED.with([]).set(1.0);
        } else if meanwhile.is_none() {
            return loaded;
        }
        if meanwhile.is_some() {
            load_others();
        }
        if let Some(key) = self.proofs(Metric::Htm) {
            let _ = self.load(key, control, || ());
        }
        if let Some(key) = self.proofs(Metric::Qtm).filter(|_| self.0.config.search.metrics.contains(&Metric::Qtm)) {
            self.load_new(key, control);
        }
        loaded
    }

    /// Loads a set on this thread, unless it is loaded or another thread loads it. An error is logged, and requests are answered with it.
    fn load_new(&self, key: SetKey, control: &Control) {
        if self.entry(key).is_ok_and(|(_, is_new)| is_new) {
            let _ = self.load(key, control, || ());
        }
    }

    /// Loads a set on this thread. `before_ready` runs when it is open, before it is in use.
    fn load(&self, key: SetKey, control: &Control, before_ready: impl FnOnce()) -> Result<(), LoadError> {
        // A set that is being loaded is known.
        let Ok((readiness, _)) = self.entry(key) else { return Ok(()) };
        if readiness.loaded().is_some() {
            return Ok(());
        }
        let config = &self.0.config;
        let in_use: Vec<SetKey> = self.sets().iter().map(|(own, _)| *own).collect();
        if let Err(reason) = memory::check_beside(config, &in_use, key, memory::limit(Path::new("/"))) {
            tracing::error!(set = %key, reason, "a set of tables needs too much memory");
            readiness.set(TableState::Failed { reason });
            return Ok(());
        }
        let is_answering = self.profile().answering().is_ok();
        let work = |control: &Control| {
            let folder = folder(config)?;
            match key {
                // Requests wait for it.
                _ if key.is_computed() => on_threads_of(Priority::Normal, || open(&folder, key, control)),
                // Requests get most of each core. With `Priority::Idle`, it would not end on a busy machine.
                _ if is_answering => on_threads_of(Priority::Low, || open(&folder, key, control)),
                _ => open(&folder, key, control),
            }
        };
        load_into(&readiness, key, control, work, before_ready)
    }
}

/// Sets the metrics of the profile in use.
fn tell_answering(profile: Profile) {
    TABLES_INFO.with([profile.name()]).set(1.0);
    READY.with([]).set(1.0);
}

/// Runs work on threads of its own, of this priority.
fn on_threads_of<T: Send>(
    priority: Priority,
    work: impl FnOnce() -> Result<T, LoadError> + Send,
) -> Result<T, LoadError> {
    let threads = rayon::ThreadPoolBuilder::new().start_handler(move |_| priority.apply()).build();
    threads.map_err(|error| LoadError::Panicked(error.to_string()))?.install(work)
}

/// Runs `load`, and sets its progress and its result in `readiness`.
fn load_into(
    readiness: &Readiness,
    key: SetKey,
    control: &Control,
    load: impl FnOnce(&Control) -> Result<TableSet, LoadError>,
    before_ready: impl FnOnce(),
) -> Result<(), LoadError> {
    let is_measured = key.steps.metric == Metric::Htm && matches!(key.role, Role::Proofs(_));
    let measured = is_measured.then(|| OPTIMAL_PROGRESS.with([]));
    let reporter = ProgressReporter::new(Some(Box::new({
        let (readiness, measured) = (readiness.clone(), measured.clone());
        move |stage, table, permille| {
            // The loader that waits has no table yet.
            let table = (!table.is_empty()).then(|| table.to_owned());
            readiness.set(TableState::Starting(TableProgress { stage, table, permille }));
            if let Some(measured) = measured.as_ref().filter(|_| stage != LoadStage::Waiting) {
                measured.set(f64::from(permille) / 1000.0);
            }
        }
    })));
    let control = reporter.attached_to(control);
    // Catch a panic here and not at the join, so that the state does not stay `Starting`.
    let loaded = catch_unwind(AssertUnwindSafe(|| load(&control)))
        .unwrap_or_else(|payload| Err(LoadError::Panicked(panic_message(payload.as_ref()))));
    match loaded {
        Ok(loaded) => {
            before_ready();
            if let Some(measured) = measured {
                measured.set(1.0);
                OPTIMAL_READY.with([]).set(1.0);
            }
            readiness.set(TableState::Ready(loaded));
            Ok(())
        }
        // The service is shutting down, so leave the state at `Starting`.
        Err(error @ LoadError::Tables(TableError::Cancelled(_))) => Err(error),
        Err(error) => {
            let what = if key.is_profile() { "the tables of the profile" } else { "a set of tables" };
            tracing::error!(set = %key, %error, "{what} cannot be loaded");
            readiness.set(TableState::Failed { reason: error.without_paths() });
            Err(error)
        }
    }
}

/// The load of the configured sets in the background. Dropping it stops the load.
pub struct Loading {
    control: Control,
    task: JoinHandle<Result<(), LoadError>>,
}

impl Loading {
    /// Starts to load the configured sets.
    pub fn start(shelf: Shelf) -> Self {
        let control = Control::new();
        let own = control.clone();
        Self { control, task: tokio::task::spawn_blocking(move || shelf.load_configured(&own)) }
    }

    /// Waits until all are loaded, or cannot be loaded.
    ///
    /// # Errors
    /// Returns the error of the profile.
    pub async fn finished(&mut self) -> Result<(), LoadError> {
        (&mut self.task).await.unwrap_or_else(|error| Err(LoadError::Panicked(error.to_string())))
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::service::config::load::load;
    use superflip_cube::{Face, Move};
    use superflip_solver::TableEvent;

    fn shelf() -> Shelf {
        Shelf::new(&load(None, Vec::new(), &[]).expect("the defaults"), Readiness::starting())
    }

    /// Sets of turns that have different tables: all turns without the half turns of some faces, in every metric.
    fn keys() -> Vec<SetKey> {
        let of_faces = |faces: &str| {
            let half = |mv: &Move| mv.quarters() == 2 && faces.contains(mv.face().letter());
            Move::ALL.into_iter().filter(|mv| !half(mv)).collect::<TurnSet>()
        };
        let turns = ["U", "UD", "UR", "UDR", "UDRL", "URF"].map(of_faces);
        let in_metrics = |turns| [Metric::Htm, Metric::Qtm, Metric::Stm].map(|metric| shelf().phases(metric, turns));
        turns.into_iter().flat_map(in_metrics).collect()
    }

    /// The computed sets that are known.
    fn computed(shelf: &Shelf) -> Vec<SetKey> {
        shelf.states().into_iter().map(|(key, _)| key).filter(|key| key.is_computed()).collect()
    }

    #[test]
    fn few_sets_of_turns_wait_and_few_are_kept() {
        let shelf = shelf();
        for (number, key) in keys().into_iter().enumerate() {
            assert_eq!(shelf.entry(key).is_ok(), number < MAX_WAITING, "{number}");
        }
        for (_, readiness) in shelf.sets().iter() {
            readiness.set(TableState::Failed { reason: "a test".to_owned() });
        }
        let mut last = Vec::new();
        for key in keys() {
            let (readiness, is_new) = shelf.entry(key).expect("none waits");
            readiness.set(TableState::Failed { reason: "a test".to_owned() });
            last.push((key, is_new));
        }
        // The first four were known.
        assert_eq!(last.iter().filter(|(_, is_new)| *is_new).count(), last.len() - MAX_WAITING);
        assert_eq!(computed(&shelf).len(), 16);
        let newest: Vec<SetKey> = last[2..].iter().map(|(key, _)| *key).collect();
        assert_eq!(computed(&shelf), newest);
    }

    #[test]
    fn configured_faces_are_computed_at_the_start() {
        let mut config = load(None, Vec::new(), &[]).expect("the defaults");
        let faces = ["RU", "DL"].map(|letters| letters.chars().filter_map(Face::from_letter).collect::<Vec<_>>());
        config.search.faces = faces.map(TurnSet::of_faces).to_vec();
        config.tables.profile = Profile::Tiny;
        let shelf = Shelf::new(&config, Readiness::starting());
        shelf.load_configured(&Control::new()).expect("they are computed");
        assert!(config.search.faces.iter().all(|&turns| shelf.get(shelf.phases(Metric::Htm, turns)).is_some()));
        // The second set is an image of the first. The other one is that of the profile.
        assert_eq!(computed(&shelf).len(), 2);
    }

    /// Sets are computed one after another, on one thread, which ends with the last.
    #[test]
    fn sets_of_turns_are_computed_one_after_another() {
        let shelf = shelf();
        for &key in &keys()[..2] {
            assert!(matches!(shelf.ask(key), Ok(TableState::Starting(_))));
        }
        assert!(shelf.waiting().has_thread);
        let end = Instant::now() + std::time::Duration::from_mins(1);
        while shelf.waiting().has_thread && Instant::now() < end {
            std::thread::yield_now();
        }
        assert!(keys()[..2].iter().all(|&key| shelf.get(key).is_some()));
        assert!(!shelf.waiting().has_thread);
    }

    /// Loads a set with this work, and returns the progress that it reached.
    fn progress_after(event: &TableEvent<'_>) -> TableProgress {
        let (readiness, key) = (Readiness::starting(), shelf().phases(Metric::Htm, TurnSet::ALL));
        let mut reached = None;
        let load = |control: &Control| {
            control.emit(event);
            let TableState::Starting(progress) = readiness.get() else { panic!("it has not ended") };
            reached = Some(progress);
            Ok(superflip_solver::Tables::in_memory().into())
        };
        load_into(&readiness, key, &Control::new(), load, || ()).expect("it is loaded");
        assert!(readiness.loaded().is_some());
        reached.expect("the work ran")
    }

    /// Opening 7.5 GB takes a minute from a slow disk: `/readyz` and the metrics follow it.
    #[test]
    fn progress_of_opening_and_of_waiting_reaches_readiness() {
        let progress = progress_after(&TableEvent::Opening { table: "optimal_xl", overall_permille: 250 });
        let table = Some("optimal_xl".to_owned());
        assert_eq!(progress, TableProgress { stage: LoadStage::Opening, table, permille: 250 });
        // A loader that waits for a folder has no table yet.
        let progress = progress_after(&TableEvent::Waiting { folder: Path::new(".") });
        assert_eq!(progress, TableProgress { stage: LoadStage::Waiting, table: None, permille: 0 });
    }
}
