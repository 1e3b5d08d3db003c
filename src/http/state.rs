//! Shared state of the handlers: configuration, tables, worker pools, limits, metrics.

use std::sync::Arc;

use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::http::middleware::request_facts;
use crate::service::access::concurrency_limit::ConcurrencyLimiter;
use crate::service::access::rate_limit::RateLimits;
use crate::service::config::Config;
use crate::service::solver::{Engine, SearchNotice, SolveError, Solved, Solver};
use crate::service::spaces::Spaces;
use crate::service::tables::integrity::{Damage, Integrity};
use crate::service::tables::readiness::{Readiness, TableState};
use crate::service::telemetry::metrics::{self, count_rejected};
use crate::service::telemetry::request_metrics::RequestMeters;
use superflip_solver::search::{Proof, SearchError};
use superflip_solver::tables::Tables;
use superflip_solver::tables::optimal::OptimalTable;

/// The state of the service. Clones share it.
#[derive(Clone)]
pub struct AppState(Arc<StateParts>);

/// The parts of [`AppState`].
pub struct StateParts {
    /// The configuration.
    pub config: Config,
    /// The tables of the profile, once they are loaded.
    pub readiness: Readiness,
    /// The coset table, once it is loaded. `None` if none is configured.
    pub optimal: Option<Readiness<OptimalTable>>,
    /// Damage found in the tables.
    pub integrity: Integrity,
    /// The worker pools.
    pub solver: Solver,
    /// Concurrency limit of each client.
    pub clients: ConcurrencyLimiter,
    /// Rate limit of each client.
    pub rates: RateLimits,
    /// The cache of coordinate spaces.
    pub spaces: Spaces,
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
        metrics::start();
        request_facts::register_metrics();
        let (solver, spaces) = (Solver::new(&config), Spaces::new(&config.coords));
        let (clients, rates) = (ConcurrencyLimiter::default(), RateLimits::new(&config));
        let optimal = config.optimal.table.map(|_| Readiness::starting());
        let (integrity, requests) = (Integrity::default(), RequestMeters::default());
        let shared = StateParts { config, readiness, optimal, integrity, solver, clients, rates, spaces, requests };
        Self(Arc::new(shared))
    }

    /// Returns the tables.
    ///
    /// # Errors
    /// Returns an error before the tables are loaded, if they cannot be loaded, and after a check found damage.
    pub fn tables(&self) -> Result<Arc<Tables>, Problem> {
        if let Some(damage) = self.integrity.damage() {
            return Err(Problem::tables_damaged(&damage));
        }
        match self.readiness.get() {
            TableState::Ready(tables) => Ok(tables),
            TableState::Starting(progress) => Err(Problem::tables_not_ready(progress)),
            TableState::Failed { reason } => {
                tracing::debug!(reason, "a request needs tables that could not be loaded");
                Err(Problem::new(
                    Code::TablesFailed,
                    "The tables could not be opened or built. The operator finds the reason in the log.",
                ))
            }
        }
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
        self.solver.stop();
    }
}

impl AppState {
    /// Returns the tables and proof method for a task. Counts the task as rejected if they are unavailable.
    ///
    /// # Errors
    /// Returns the errors of [`AppState::tables`].
    pub fn engine_for(&self, task: &Task) -> Result<Engine, Problem> {
        Ok(Engine { tables: self.tables_for_work()?, proof: self.proof_for(task) })
    }

    /// Returns the proof method, if the task requires a proof: the coset table if it is loaded, otherwise the near search.
    pub fn proof_for(&self, task: &Task) -> Option<Proof> {
        let table = || self.optimal.as_ref().and_then(Readiness::loaded);
        task.optimal.then(|| table().map_or(Proof::Near, Proof::Table))
    }

    /// Runs the search of `task` with `engine`. Calls `notify` as [`Solver::solve_watched`] does.
    ///
    /// # Errors
    /// Returns an error if the search is refused, cancelled or finds no solution.
    pub async fn search(
        &self,
        engine: &Engine,
        task: &Task,
        notify: impl FnMut(SearchNotice<'_>) + Send + 'static,
    ) -> Result<Solved, Problem> {
        let search = self.solver.solve_watched(engine.clone(), task.cube, task.options(), task.time_limit, notify);
        search.await.map_err(|error| match error {
            SolveError::Search(error) => self.unanswered(error),
            SolveError::Refused(refused) => refused.into(),
        })
    }

    /// Returns the problem for a search without an answer. If the proof needs a table, the problem states why none is available,
    /// and the request counts as rejected.
    pub fn unanswered(&self, error: SearchError) -> Problem {
        let SearchError::Unproven { lower_bound, .. } = error else { return error.into() };
        let problem = match self.optimal.as_ref().map(Readiness::get) {
            None => Problem::optimal_not_enabled(),
            Some(TableState::Starting(progress)) => Problem::optimal_table_not_ready(progress),
            Some(TableState::Failed { reason }) => Problem::optimal_table_failed(&reason),
            Some(TableState::Ready(_)) => Problem::optimal_table_just_ready(),
        };
        count_rejected(problem.code().name());
        problem.beyond_the_near_search(lower_bound)
    }
}
