//! Shared state of the handlers: configuration, tables, worker pools, limits, metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;
use tracing::Instrument as _;

use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::http::middleware::request_facts::{self, RequestFacts};
use crate::service::access::concurrency_limit::ConcurrencyLimiter;
use crate::service::access::rate_limit::RateLimits;
use crate::service::config::Config;
use crate::service::lanes::{Lanes, NotSolved, SearchNotice, Solved};
use crate::service::spaces::Spaces;
use crate::service::spool::Spool;
use crate::service::tables::integrity::{Damage, Integrity};
use crate::service::tables::loader;
use crate::service::tables::memory::MAX_SEARCH_BYTES;
use crate::service::tables::metrics::{MetricStore, NotLoaded};
use crate::service::tables::readiness::{LoadProgress, Readiness, TableState};
use crate::service::telemetry::metrics::{self as meters, count_rejected};
use crate::service::telemetry::request_metrics::RequestMeters;
use superflip_coords::space::Space;
use superflip_coords::space::expression::Plan;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::reduced::is_phase_one;
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::{Goal, MetricTables, OptimalTable, SolveError, Solver, Tables};

/// The state of the service. Clones share it.
#[derive(Clone)]
pub struct AppState(Arc<StateParts>);

/// The parts of [`AppState`].
pub struct StateParts {
    /// The configuration.
    pub config: Config,
    /// The tables of the configured profile, and those in use until they are loaded.
    pub readiness: Readiness,
    /// The coset table, once it is loaded. `None` if none is configured.
    pub optimal: Option<Readiness<OptimalTable>>,
    /// The tables of further metrics.
    pub metrics: MetricStore,
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
    /// Creates the state. A configured coset table is not loaded yet.
    pub fn new(config: Config, readiness: Readiness) -> Self {
        meters::start();
        request_facts::register_metrics();
        let (lanes, spaces) = (Lanes::new(&config), Spaces::new(&config.coords));
        let (clients, rates) = (ConcurrencyLimiter::default(), RateLimits::new(&config));
        let optimal = config.optimal.table.map(|_| Readiness::starting());
        let (integrity, requests) = (Integrity::default(), RequestMeters::default());
        let metrics = MetricStore::new(&config);
        let folders = loader::folder(&config).into_iter().chain([std::env::temp_dir()]).collect();
        let spool = Spool::new(config.server.batch_spool_bytes, folders);
        let memory = Memory::new(match config.search.memory_bytes {
            0 => MAX_SEARCH_BYTES,
            bytes => bytes,
        });
        Self(Arc::new(StateParts {
            config,
            readiness,
            optimal,
            metrics,
            integrity,
            lanes,
            clients,
            rates,
            spaces,
            spool,
            memory,
            requests,
        }))
    }

    /// Returns the tables in use: the tables of the configured profile, or others until they are loaded.
    ///
    /// # Errors
    /// Returns an error if no tables are in use, and after a check found damage.
    pub fn tables(&self) -> Result<Arc<Tables>, Problem> {
        self.unless_damaged(self.readiness.answering())
    }

    /// Returns the tables of the profile.
    ///
    /// # Errors
    /// Returns an error before they are loaded, if they cannot be loaded, and after a check found damage.
    pub fn tables_of_profile(&self) -> Result<Arc<Tables>, Problem> {
        self.unless_damaged(match self.readiness.get() {
            TableState::Ready(tables) => Ok(tables),
            state => Err(state),
        })
    }

    fn unless_damaged(&self, tables: Result<Arc<Tables>, TableState>) -> Result<Arc<Tables>, Problem> {
        if let Some(damage) = self.integrity.damage() {
            return Err(Problem::tables_damaged(&damage));
        }
        tables.map_err(|state| match state {
            TableState::Starting(progress) => Problem::tables_not_ready(progress),
            TableState::Failed { reason } => {
                tracing::debug!(reason, "a request needs tables that could not be loaded");
                Problem::new(
                    Code::TablesFailed,
                    "The tables could not be opened or built. The operator finds the reason in the log.",
                )
            }
            TableState::Ready(_) => Problem::internal(),
        })
    }

    /// Returns the tables for an admitted request. Counts the request as rejected if they are unavailable.
    ///
    /// # Errors
    /// Returns the errors of [`AppState::tables`].
    pub fn tables_for_work(&self) -> Result<Arc<Tables>, Problem> {
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
    pub async fn solver_for(&self, task: &mut Task, facts: &RequestFacts) -> Result<Solver, Problem> {
        self.tables_of_goal(task, facts.wait()).await?;
        Ok(self.with_proofs(self.tables_for_work()?, task))
    }

    /// Returns the tables of the metric and the turns of a task, or `None` if it needs no other tables than those of the profile. Waits as
    /// [`AppState::solver_for`] says; `wait` is what the client asks for. The time limit of the task is then what is left of it.
    ///
    /// # Errors
    /// Returns an error if the tables are not loaded in this time, or cannot be. The request then counts as rejected.
    pub async fn tables_of_goal(&self, task: &mut Task, wait: Duration) -> Result<Option<Arc<MetricTables>>, Problem> {
        if !task.needs_further_tables() {
            return Ok(None);
        }
        let Goal { metric, turns, is_proof, .. } = task.goal;
        let start = Instant::now();
        let extra = wait.min(self.config.server.request_timeout().saturating_sub(task.time_limit));
        let own = if turns.is_all() { Duration::ZERO } else { task.time_limit };
        let end = start + extra + own;
        let tables = self.tables_of_steps(task.tables_field, metric, turns, end).await?;
        if is_proof && self.metrics.proofs().is_none() {
            drop(self.without_proofs(metric));
            // A timeout leaves the table missing.
            let _ = timeout_at(end.into(), self.metrics.proofs_settled()).await;
            if self.metrics.proofs().is_none() {
                return Err(rejected(self.without_proofs(metric)));
            }
        }
        task.waited = start.elapsed();
        task.time_limit = task.time_limit.saturating_sub(task.waited.saturating_sub(extra));
        Ok(Some(tables))
    }

    /// Returns the tables of a metric and turns, for which `field` asks. Waits for them until `end`. Counts the request as rejected if they
    /// are unavailable.
    async fn tables_of_steps(
        &self,
        field: &str,
        metric: Metric,
        turns: TurnSet,
        end: Instant,
    ) -> Result<Arc<MetricTables>, Problem> {
        if self.metrics.loaded(metric, turns).is_none() {
            drop(self.without_metric(field, metric, turns));
            // A timeout leaves the tables missing.
            let _ = timeout_at(end.into(), self.metrics.settled(metric, turns)).await;
        }
        self.metrics.loaded(metric, turns).ok_or_else(|| rejected(self.without_metric(field, metric, turns)))
    }

    /// Returns the tables of the turns of `faces` in HTM, which are none for all turns. Waits for them until `end`. Counts the request as rejected if
    /// they are unavailable.
    ///
    /// # Errors
    /// Returns an error if they are not loaded by then, or cannot be.
    pub async fn tables_of_turns(&self, turns: TurnSet, end: Instant) -> Result<Vec<Arc<MetricTables>>, Problem> {
        if turns.is_all() {
            return Ok(Vec::new());
        }
        Ok(vec![self.tables_of_steps("faces", Metric::Htm, turns, end).await?])
    }

    /// Returns the solver with these tables for a task. If the task requires a proof, it has the coset table, if that is loaded. It has
    /// the tables of every metric that are loaded, because lines of a batch may have metrics of their own.
    pub fn with_proofs(&self, tables: Arc<Tables>, task: &Task) -> Solver {
        let optimal = self.optimal.as_ref().filter(|_| task.goal.is_proof).and_then(Readiness::loaded);
        let in_qtm = if task.goal.is_proof { self.metrics.proofs() } else { None };
        Solver::new(tables, optimal).with_optimal_table(in_qtm).with_metrics(self.metrics.all_loaded())
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
        let lower_bound = match error {
            SolveError::Unproven { lower_bound, .. } => lower_bound,
            SolveError::Metric { metric, turns, is_proof: false } => {
                return rejected(self.without_metric(task.tables_field, metric, turns));
            }
            SolveError::Metric { metric, turns, is_proof: true } if metric == Metric::Qtm && turns.is_all() => {
                return rejected(match self.metrics.loaded(metric, turns) {
                    None => self.without_metric(task.tables_field, metric, turns),
                    Some(_) => self.without_proofs(metric),
                });
            }
            error => return task.refused(error),
        };
        let problem = match self.optimal.as_ref().map(Readiness::get) {
            None => Problem::optimal_not_enabled(),
            Some(TableState::Starting(progress)) => Problem::optimal_table_not_ready(progress),
            Some(TableState::Failed { reason }) => Problem::optimal_table_failed(&reason),
            Some(TableState::Ready(_)) => Problem::optimal_table_just_ready(),
        };
        count_rejected(problem.code().name());
        problem.beyond_the_near_search(lower_bound)
    }

    /// Returns the problem for a proof in QTM without its coset table, and starts to load it.
    fn without_proofs(&self, metric: Metric) -> Problem {
        match self.config.optimal.table.map(|size| self.metrics.ask_for_proofs(size)) {
            _ if metric != Metric::Qtm => Problem::metric_not_provable(metric),
            None => Problem::optimal_not_enabled(),
            Some(TableState::Starting(progress)) => Problem::optimal_table_not_ready(progress),
            Some(TableState::Failed { reason }) => Problem::optimal_table_failed(&reason),
            Some(TableState::Ready(_)) => Problem::optimal_table_just_ready(),
        }
    }

    /// Returns the problem for a metric and turns whose tables are not loaded, and starts to load them. `field` asks for them.
    fn without_metric(&self, field: &str, metric: Metric, turns: TurnSet) -> Problem {
        match self.metrics.ask_for(metric, turns) {
            Ok(TableState::Starting(progress)) => Problem::metric_not_ready(field, metric, turns, progress),
            Ok(TableState::Failed { reason }) => Problem::metric_failed(field, metric, turns, &reason),
            // They became ready during the request.
            Ok(TableState::Ready(_)) => Problem::metric_not_ready(field, metric, turns, LoadProgress::first()),
            Err(NotLoaded::TooManySets) => Problem::too_many_sets_of_turns(field),
            Err(NotLoaded::NotEnabled) => Problem::metric_not_enabled(metric),
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
