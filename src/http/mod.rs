//! The HTTP layer: routes, connections, middleware and the contract.
//!
//! [`app`] builds the whole service as a router that tests call in memory. [`connection::server`] serves it on sockets. Handlers are
//! thin: [`extract`] and `api` parse the request, `service` solves it, and `api` defines the answer or the problem.

pub mod connection;
pub mod contract;
mod engine;
pub mod extract;
pub mod middleware;
mod problem;
pub mod routes;

use std::sync::Arc;

use axum::Router;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::api::problem::{Code, Problem};
use crate::search::Proof;
use crate::service::access::concurrency_limit::ConcurrencyLimiter;
use crate::service::access::rate_limit::RateLimits;
use crate::service::config::Config;
use crate::service::solver::{Engine, Solver};
use crate::service::spaces::Spaces;
use crate::service::tables::memory::Shortage;
use crate::service::tables::readiness::{Readiness, State};
use crate::service::telemetry::metrics::count_rejected;
use crate::service::telemetry::request_metrics::RequestMeters;
use crate::tables::Tables;
use crate::tables::optimal::OptimalTable;

/// What every handler may use; clones share it.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

/// The parts of [`AppState`].
pub struct Shared {
    /// The configuration.
    pub config: Config,
    /// Whether the tables are there.
    pub readiness: Readiness,
    /// Whether the table for optimal answers is there; `None` when it is off.
    pub optimal: Option<Readiness<OptimalTable>>,
    /// Why the tables are not those that were configured, when they are not.
    pub shortage: Option<Shortage>,
    /// The door to the solver threads.
    pub solver: Solver,
    /// Concurrent requests per client.
    pub clients: ConcurrencyLimiter,
    /// Request rate per client.
    pub rates: RateLimits,
    /// The coordinate spaces that are kept.
    pub spaces: Spaces,
    /// What is counted of requests.
    pub requests: RequestMeters,
    /// Renders the metrics.
    pub metrics: PrometheusHandle,
}

impl std::ops::Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl AppState {
    /// A state with a solver of its own, and with a table for optimal answers on its way where one is configured.
    pub fn new(config: Config, readiness: Readiness, metrics: PrometheusHandle) -> Self {
        Self::short_of_memory(config, readiness, metrics, None)
    }

    /// The same where the tables are not all that were configured.
    pub fn short_of_memory(
        config: Config,
        readiness: Readiness,
        metrics: PrometheusHandle,
        shortage: Option<Shortage>,
    ) -> Self {
        middleware::request_facts::register_metrics();
        let (solver, spaces) = (Solver::new(&config), Spaces::new(&config.coords));
        let (clients, rates) = (ConcurrencyLimiter::default(), RateLimits::new(&config));
        let optimal = config.optimal.table.map(|_| Readiness::starting());
        let requests = RequestMeters::default();
        Self(Arc::new(Shared {
            config,
            readiness,
            optimal,
            shortage,
            solver,
            clients,
            rates,
            spaces,
            requests,
            metrics,
        }))
    }

    /// The tables, or the problem that tells how far they are.
    ///
    /// # Errors
    /// Before they are mapped, and when they cannot be had.
    pub fn tables(&self) -> Result<Arc<Tables>, Problem> {
        match self.readiness.get() {
            State::Ready(tables) => Ok(tables),
            State::Starting(step) => Err(Problem::tables_not_ready(step)),
            State::Mending { damage, step } => Err(Problem::tables_damaged(&damage, step)),
            State::Failed { reason } => {
                tracing::debug!(reason, "asked for tables that cannot be had");
                Err(Problem::new(Code::TablesFailed, "The tables could not be opened or built; the log says why."))
            }
        }
    }

    /// The same for a request that came to be worked on, which counts as rejected without them.
    ///
    /// # Errors
    /// As [`AppState::tables`].
    pub fn tables_for_work(&self) -> Result<Arc<Tables>, Problem> {
        self.tables().inspect_err(|_| count_rejected("tables_not_ready"))
    }
}

/// What is done with tables, unless a check finds them damaged meanwhile: then nothing that came of it is to be answered.
impl AppState {
    /// `work`, which searches with `engine`.
    ///
    /// # Errors
    /// Those of `work`, and that the tables were found damaged; then `work` is dropped, which stops its search.
    pub async fn while_sound<T, E: Into<Problem>>(
        &self,
        engine: &Engine,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Problem> {
        tokio::select! {
            biased;
            problem = self.lost(engine) => Err(problem),
            done = work => done.map_err(Into::into),
        }
    }

    /// Resolves when the tables of a search are found damaged, with what its caller is told.
    pub async fn lost(&self, engine: &Engine) -> Problem {
        let optimal = async {
            match self.optimal.as_ref().zip(engine.proof.as_ref().and_then(Proof::table)) {
                Some((readiness, table)) => readiness.lost(table).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.readiness.lost(&engine.tables) => Problem::tables_lost(Code::TablesNotReady),
            () = optimal => Problem::tables_lost(Code::OptimalTableNotReady),
        }
    }
}

/// The whole service.
pub fn app(state: AppState) -> Router {
    let routes = routes::all().into_iter();
    let router = routes.fold(Router::new(), |router, (path, methods)| router.route(path, methods));
    let router =
        router.fallback(routes::pages::not_found).method_not_allowed_fallback(routes::pages::method_not_allowed);
    middleware::around(router, &state).with_state(state)
}
