//! Shared state of the handlers: configuration, tables, worker pools, limits, metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;
use tracing::Instrument as _;

use crate::api::problem::Problem;
use crate::api::request::options::Task;
use crate::http::middleware::request_facts::{self, RequestFacts};
use crate::service::access::ConcurrencyLimiter;
use crate::service::access::RateLimits;
use crate::service::config::Config;
use crate::service::lanes::{Lanes, NotSolved, SearchNotice, Solved};
use crate::service::process::FreedAfter;
use crate::service::spaces::Spaces;
use crate::service::spool::Spool;
use crate::service::tables::integrity::{Damage, Integrity};
use crate::service::tables::loader;
use crate::service::tables::memory::MAX_SEARCH_BYTES;
use crate::service::tables::readiness::{Readiness, TableState};
use crate::service::tables::shelf::Shelf;
use crate::service::telemetry::metrics::RequestMeters;
use crate::service::telemetry::metrics::{self as meters, count_rejected};
use superflip_coords::space::Space;
use superflip_coords::space::expression::Plan;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::reduced::is_phase_one;
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::{Claim, Control, Goal, SetKey, SolveError, Solver, TableSet, Tables};

/// The state of the service. Clones share it.
#[derive(Clone)]
pub struct AppState(Arc<StateParts>);

/// The parts of [`AppState`].
pub struct StateParts {
    /// The configuration.
    pub config: Config,
    /// The sets of tables.
    pub shelf: Shelf,
    /// Damage found in the tables.
    pub integrity: Integrity,
    /// The worker pools.
    pub lanes: Lanes,
    /// Concurrency limit of each client.
    pub clients: ConcurrencyLimiter,
    /// Rate limit of each client.
    pub rates: RateLimits,
    /// The cache of coordinate spaces.
    pub spaces: Spaces,
    /// The temporary file for lines of batches that wait.
    pub spool: Spool,
    /// The memory for what searches hold.
    pub memory: Arc<Memory>,
    /// The metrics of requests.
    pub requests: RequestMeters,
}

impl std::ops::Deref for AppState {
    type Target = StateParts;

    fn deref(&self) -> &StateParts {
        &self.0
    }
}

impl AppState {
    /// Creates the state with the tables of the profile. No other set is loaded yet.
    pub fn new(config: Config, profile: Readiness) -> Self {
        meters::start();
        request_facts::register_metrics();
        let (lanes, spaces) = (Lanes::new(&config), Spaces::new(&config.coords));
        let (clients, rates) = (ConcurrencyLimiter::default(), RateLimits::new(&config));
        let (integrity, requests) = (Integrity::default(), RequestMeters::default());
        let shelf = Shelf::new(&config, profile);
        let folders = loader::folder(&config).into_iter().chain([std::env::temp_dir()]).collect();
        let spool = Spool::new(config.server.batch_spool_bytes, folders);
        let memory = Memory::new(match config.search.memory_bytes {
            0 => MAX_SEARCH_BYTES,
            bytes => bytes,
        });
        Self(Arc::new(StateParts { config, shelf, integrity, lanes, clients, rates, spaces, spool, memory, requests }))
    }

    /// Returns the tables in use: the tables of the configured profile, or others until they are loaded.
    ///
    /// # Errors
    /// Returns an error if no tables are in use, and after a check found damage.
    pub fn tables(&self) -> Result<Arc<Tables>, Problem> {
        self.unless_damaged(self.shelf.profile().answering())
    }

    /// Returns a control whose work claims its memory from that of searches.
    pub fn in_memory(&self, control: &Control) -> Control {
        let memory = Arc::clone(&self.memory);
        control.in_memory(move |bytes| memory.claim(bytes).map(|claim| Claim::new((FreedAfter(bytes), claim))))
    }

    /// Returns the tables of the profile.
    ///
    /// # Errors
    /// Returns an error before they are loaded, if they cannot be loaded, and after a check found damage.
    pub(crate) fn tables_of_profile(&self) -> Result<Arc<Tables>, Problem> {
        self.unless_damaged(match self.shelf.profile().get() {
            TableState::Ready(set) => Ok(set),
            state => Err(state),
        })
    }

    fn unless_damaged(&self, set: Result<TableSet, TableState>) -> Result<Arc<Tables>, Problem> {
        if let Some(damage) = self.integrity.damage() {
            return Err(Problem::tables_damaged(&damage));
        }
        match set {
            Ok(TableSet::Profile(tables)) => Ok(tables),
            _ => Err(self.missing("", self.shelf.phases(Metric::Htm, TurnSet::ALL))),
        }
    }

    /// Returns the problem for a set of tables that is not loaded, and for which `field` asks. Starts to load it.
    fn missing(&self, field: &str, key: SetKey) -> Problem {
        Problem::missing(field, &self.shelf.missing(key))
    }

    /// Returns the tables for an admitted request. Counts the request as rejected if they are unavailable.
    ///
    /// # Errors
    /// Returns the errors of [`AppState::tables`].
    pub(crate) fn tables_for_work(&self) -> Result<Arc<Tables>, Problem> {
        self.tables().inspect_err(|problem| count_rejected(problem.code().name()))
    }

    /// Records damage to a table and stops all jobs. The process then exits; see [`Integrity`].
    pub fn report_damage(&self, damage: Damage) {
        self.integrity.report(damage);
        self.lanes.stop();
    }
}

impl AppState {
    /// Returns the solver for a task. Counts the task as rejected if the tables, or those of its metric, are unavailable.
    ///
    /// Tables of some turns take less than a second, so the task waits for them within its time limit. It waits for larger tables if the
    /// client asks for it, as `facts` know, at most as long as the request timeout allows.
    ///
    /// # Errors
    /// Returns the errors of [`AppState::tables`].
    pub(crate) async fn solver_for(&self, task: &mut Task, facts: &RequestFacts) -> Result<Solver, Problem> {
        self.tables_of_goal(task, facts.wait()).await?;
        Ok(self.with_proofs(self.tables_for_work()?, task))
    }

    /// Waits for the tables of the metric and the turns of a task, and for its coset table if that is not in HTM, as [`AppState::solver_for`]
    /// says; `wait` is what the client asks for. The time limit of the task is then what is left of it. Returns the sets, none if it needs no
    /// other tables than those of the profile.
    ///
    /// # Errors
    /// Returns an error if the tables are not loaded in this time, or cannot be. The request then counts as rejected.
    pub(crate) async fn tables_of_goal(&self, task: &mut Task, wait: Duration) -> Result<Vec<TableSet>, Problem> {
        if !task.needs_further_tables() {
            return Ok(Vec::new());
        }
        let Goal { metric, turns, is_proof, .. } = task.goal;
        let start = Instant::now();
        let extra = wait.min(self.config.server.request_timeout().saturating_sub(task.time_limit));
        let own = if turns.is_all() { Duration::ZERO } else { task.time_limit };
        let end = start + extra + own;
        let mut sets = vec![self.loaded_until(task.tables_field, self.shelf.phases(metric, turns), end).await?];
        if is_proof {
            let key = self.shelf.proofs(metric).ok_or_else(|| rejected(Problem::optimal_not_enabled()))?;
            sets.push(self.loaded_until("optimal", key, end).await?);
        }
        task.waited = start.elapsed();
        task.time_limit = task.time_limit.saturating_sub(task.waited.saturating_sub(extra));
        Ok(sets)
    }

    /// Returns a set of tables, for which `field` asks. Waits for it until `end`. Counts the request as rejected if it is unavailable.
    async fn loaded_until(&self, field: &str, key: SetKey, end: Instant) -> Result<TableSet, Problem> {
        if self.shelf.get(key).is_none() {
            // A set that may not be loaded, and a timeout, leave it missing.
            let _ = self.shelf.ask(key);
            let _ = timeout_at(end.into(), self.shelf.settled(key)).await;
        }
        self.shelf.get(key).ok_or_else(|| rejected(self.missing(field, key)))
    }

    /// Returns the tables of the turns of `faces` in HTM, which are none for all turns. Waits for them until `end`. Counts the request as rejected if
    /// they are unavailable.
    ///
    /// # Errors
    /// Returns an error if they are not loaded by then, or cannot be.
    pub(crate) async fn tables_of_turns(&self, turns: TurnSet, end: Instant) -> Result<Vec<TableSet>, Problem> {
        if turns.is_all() {
            return Ok(Vec::new());
        }
        Ok(vec![self.loaded_until("faces", self.shelf.phases(Metric::Htm, turns), end).await?])
    }

    /// Returns the solver with these tables for a task. If the task requires a proof, it has the coset tables that are loaded. It has
    /// the tables of every metric that are loaded, because lines of a batch may have metrics of their own.
    pub(crate) fn with_proofs(&self, tables: Arc<Tables>, task: &Task) -> Solver {
        let is_wanted = |set: &TableSet| match set {
            TableSet::Profile(_) => false,
            TableSet::Steps(_) => true,
            TableSet::Proofs(_) => task.goal.is_proof,
        };
        Solver::new(tables).with(self.shelf.loaded().into_iter().filter(is_wanted))
    }

    /// Runs the search of `task` with `solver`. Calls `notify` as [`Lanes::solve_watched`] does.
    ///
    /// # Errors
    /// Returns an error if the search is refused, cancelled or finds no solution.
    pub async fn search(
        &self,
        solver: Solver,
        task: &Task,
        notify: impl FnMut(SearchNotice<'_>) + Send + 'static,
    ) -> Result<Solved, Problem> {
        let search = self.lanes.solve_watched(solver, task.cube, task.goal.clone(), task.time_limit, notify);
        search.await.map_err(|error| match error {
            NotSolved::Search(error) => self.unanswered(task, error),
            NotSolved::Refused(refused) => refused.into(),
        })
    }

    /// Returns the problem for the search of a task without an answer. If the proof needs a table, the problem states why none is available,
    /// and the request counts as rejected.
    pub fn unanswered(&self, task: &Task, error: SolveError) -> Problem {
        let (key, lower_bound) = match error {
            SolveError::Unproven { lower_bound, .. } => (self.shelf.proofs(Metric::Htm), Some(lower_bound)),
            SolveError::Metric { metric, turns, is_proof }
                if !is_proof || (metric == Metric::Qtm && turns.is_all()) =>
            {
                let phases = self.shelf.phases(metric, turns);
                if !is_proof || self.shelf.get(phases).is_none() {
                    return rejected(self.missing(task.tables_field, phases));
                }
                (self.shelf.proofs(metric), None)
            }
            error => return task.refused(error),
        };
        let problem = rejected(key.map_or_else(Problem::optimal_not_enabled, |key| self.missing("optimal", key)));
        match lower_bound {
            Some(lower_bound) => problem.beyond_the_near_search(lower_bound),
            None => problem,
        }
    }
}

/// Maximum number of raw values of a named space that is built on the quick lane. Such a build takes some tens of milliseconds.
const SOON_BUILT: u64 = 1 << 16;

impl AppState {
    /// Returns the space of a coordinate, and builds it if necessary.
    ///
    /// # Errors
    /// Returns an error if the tables are not ready, the queue is full, or the space cannot be built.
    pub async fn space(&self, plan: Plan) -> Result<Arc<Space>, Problem> {
        // Its distances are in a table of the configured profile.
        let tables = if is_phase_one(&plan) { self.tables_of_profile() } else { self.tables() };
        let tables = tables.inspect_err(|problem| count_rejected(problem.code().name()))?;
        let time_limit = self.config.server.request_timeout();
        // Use the quick lane for small named spaces, so that they do not wait behind large composed ones.
        let is_quick = plan.entry.is_some_and(|entry| entry.is_untabled() || plan.base_size() <= SOON_BUILT);
        if is_quick {
            return Ok(self.spaces.get(plan, tables, self.lanes.quick(), time_limit).await?);
        }
        if plan.entry.is_none() {
            return Ok(self.spaces.get(plan, tables, self.lanes.long(), time_limit).await?);
        }
        // There are few named spaces. Each is built once, even if the request that asked first has ended.
        let builder = self.clone();
        let build = async move { builder.spaces.get(plan, tables, builder.lanes.spaces(), time_limit).await };
        match tokio::spawn(build.in_current_span()).await {
            Ok(space) => Ok(space?),
            Err(_) => Err(Problem::internal()),
        }
    }
}

/// Counts a request as rejected.
fn rejected(problem: Problem) -> Problem {
    count_rejected(problem.code().name());
    problem
}
