//! Runs searches on the worker pools, until their deadline, and counts them in the metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus::{Histogram, IntCounter};
use tokio::sync::Notify;
use tracing::field::Empty;

use crate::cube::Cube;
use crate::search::{self, Options, Outcome, Proof, SearchError, SearchEvent};
use crate::service::config::Config;
use crate::service::pool::{Deadline, Pool, Priority, Refused, SearchClass};
use crate::service::telemetry::metrics::{
    BATCH_LANE, LONG_LANE, OPTIMAL, OPTIMAL_SECONDS, SEARCH_NODES, SEARCH_OUTCOMES, SEARCHES, SHORT_LANE,
    SOLUTION_LENGTH, SOLVE_SECONDS, TWO_PHASE,
};
use crate::tables::Tables;

/// The reason why a cube was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A refusal by the pool, or a job that did not end.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A search without a solution within its limits.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// The tables and the proof method of a search.
#[derive(Clone)]
pub struct Engine {
    /// The tables of the profile.
    pub tables: Arc<Tables>,
    /// The proof method, if the request needs a proof that the solution is shortest.
    pub proof: Option<Proof>,
}

impl From<Arc<Tables>> for Engine {
    fn from(tables: Arc<Tables>) -> Self {
        Self { tables, proof: None }
    }
}

/// The result of a search.
#[derive(Debug)]
pub struct Solved {
    /// The outcome of the search.
    pub outcome: Outcome,
    /// Time spent in the queue.
    pub queued: Duration,
}

/// Target length from which a search ends by itself within milliseconds.
const QUICK_LENGTH: u8 = 20;

/// The worker pools, and the searches on them.
pub struct Solver {
    short: Pool,
    long: Pool,
    batches: Pool,
    short_time_limit: Duration,
    metrics: Arc<SearchMetrics>,
    panicked: Arc<Notify>,
}

impl Solver {
    /// Creates the pools and starts their threads.
    pub fn new(config: &Config) -> Self {
        let Config { search, optimal, .. } = config;
        let long_threads = match optimal.table {
            Some(_) => search.long_threads().max(optimal.threads()),
            None => search.long_threads(),
        };
        let panicked = Arc::<Notify>::default();
        let pool = |name, priority, threads, queue_length| {
            Pool::with_priority(name, priority, threads, queue_length).notifying(Arc::clone(&panicked))
        };
        Self {
            short: pool(SHORT_LANE, Priority::Normal, search.threads(), search.queue_length),
            long: pool(LONG_LANE, Priority::Background, long_threads, search.long_queue_length),
            batches: pool(BATCH_LANE, Priority::Background, search.batch_threads, search.batch_queue_length),
            panicked,
            short_time_limit: Duration::from_millis(search.short_time_limit_ms),
            metrics: Arc::new(SearchMetrics::new()),
        }
    }

    /// Returns the notifier of panics. Each job that panics notifies it.
    pub fn panicked(&self) -> Arc<Notify> {
        Arc::clone(&self.panicked)
    }

    /// Returns the metrics of searches.
    pub(crate) fn metrics(&self) -> Arc<SearchMetrics> {
        Arc::clone(&self.metrics)
    }

    /// Returns the pool for short searches.
    pub fn pool(&self) -> &Pool {
        &self.short
    }

    /// Returns the pool for jobs that may take many seconds, such as long searches, so that no short search waits behind them.
    pub fn long(&self) -> &Pool {
        &self.long
    }

    /// Returns the pool for batches. A batch may take hours, so no other job waits in this pool.
    pub fn batches(&self) -> &Pool {
        &self.batches
    }

    /// Returns the pool for a search: the long one if it may take longer than a short search and is not expected to end by itself.
    fn pool_for(&self, options: &Options, time_limit: Duration) -> &Pool {
        let is_short = time_limit <= self.short_time_limit || is_quick(options);
        if is_short { &self.short } else { &self.long }
    }

    /// Refuses new and waiting jobs of every pool, and sets the stop flags of running jobs.
    pub fn stop(&self) {
        self.short.stop();
        self.long.stop();
        self.batches.stop();
    }

    /// Solves `cube`. `time_limit` covers the wait and the search, and replaces the deadline in `options`. Calls `notify` on the worker
    /// threads at the start, at each event and at the end. A proof with a table runs on the long pool.
    ///
    /// # Errors
    /// When the pool refuses the job, or when there is no solution within the limits.
    pub async fn solve_watched(
        &self,
        engine: Engine,
        cube: Cube,
        mut options: Options,
        time_limit: Duration,
        mut notify: impl FnMut(SearchNotice<'_>) + Send + 'static,
    ) -> Result<Solved, SolveError> {
        let arrived = Instant::now();
        let deadline = arrived + time_limit;
        options.deadline = Some(deadline);
        let is_optimal = engine.proof.is_some();
        let (pool, class) = match engine.proof {
            Some(Proof::Table(_)) => (&self.long, SearchClass::TimeLimited),
            // The near search ends by itself and uses one thread, so it needs no long lane.
            Some(Proof::Near) => (&self.short, SearchClass::Quick),
            None => (
                self.pool_for(&options, time_limit),
                if is_quick(&options) { SearchClass::Quick } else { SearchClass::TimeLimited },
            ),
        };
        if matches!(engine.proof, Some(Proof::Near)) {
            options.threads = 1;
        }
        let threads = options.threads;
        let (request, metrics) = (tracing::Span::current(), self.metrics());
        let job = move |stop: &search::Stop| {
            notify(SearchNotice::Begun { queued: arrived.elapsed() });
            let profile = engine.tables.profile().name();
            let span = tracing::debug_span!(
                parent: &request, "search", engine = engine_name(is_optimal), profile, threads,
                outcome = Empty, length = Empty, lower_bound = Empty, nodes = Empty
            );
            let _entered = span.enter();
            let start = Instant::now();
            let mut watch =
                |event: SearchEvent<'_>, nodes| notify(SearchNotice::Event { event, nodes, elapsed: start.elapsed() });
            let answer = match &engine.proof {
                Some(proof) => proof.solve(&engine.tables, &cube, &options, stop, &mut watch),
                None => search::solve_watched(&engine.tables, &cube, &options, stop, &mut watch),
            };
            notify(SearchNotice::Ended { nodes: nodes_of(&answer), elapsed: start.elapsed() });
            record(&span, &answer);
            // Counted here, because the caller may have disconnected.
            metrics.count(&answer, is_optimal);
            answer
        };
        let finished = pool.run_on(threads, Deadline::EndBy(deadline), class, job).await?;
        Ok(Solved { outcome: finished.value?, queued: finished.queued })
    }
}

/// Returns whether a search is expected to end by itself, soon.
fn is_quick(options: &Options) -> bool {
    let length = options.max_length.map_or(options.target_length, |most| most.min(options.target_length));
    length >= QUICK_LENGTH && options.solutions <= 1
}

/// A notice about one search: its start, its events and its end.
#[derive(Clone, Copy, Debug)]
pub enum SearchNotice<'a> {
    /// Start of the search.
    Begun {
        /// Time spent in the queue.
        queued: Duration,
    },
    /// A shorter solution or a higher lower bound.
    Event {
        /// The solution or the lower bound.
        event: SearchEvent<'a>,
        /// Number of nodes so far.
        nodes: u64,
        /// Time since the start of the search.
        elapsed: Duration,
    },
    /// End of the search, with or without a solution.
    Ended {
        /// Number of nodes.
        nodes: u64,
        /// Time since the start of the search.
        elapsed: Duration,
    },
}

fn engine_name(is_optimal: bool) -> &'static str {
    if is_optimal { OPTIMAL } else { TWO_PHASE }
}

/// Returns the name of a search's outcome in metrics, spans and logs: one of [`SEARCH_OUTCOMES`].
pub fn outcome_name(answer: &Result<Outcome, SearchError>) -> &'static str {
    match answer {
        Ok(outcome) => outcome.stopped_by.name(),
        Err(SearchError::NoSolutionWithinLimits { .. }) => "no_solution",
        Err(SearchError::Unproven { .. }) => "unproven",
        Err(SearchError::Cancelled { .. }) => "cancelled",
    }
}

/// Returns the number of nodes of a search.
fn nodes_of(answer: &Result<Outcome, SearchError>) -> u64 {
    answer.as_ref().map_or_else(SearchError::nodes, |outcome| outcome.nodes)
}

/// Records the outcome of a search in its span.
fn record(span: &tracing::Span, answer: &Result<Outcome, SearchError>) {
    if span.is_disabled() {
        return;
    }
    let lower_bound = match answer {
        Ok(Outcome { lower_bound, .. })
        | Err(SearchError::NoSolutionWithinLimits { lower_bound, .. } | SearchError::Unproven { lower_bound, .. }) => {
            Some(*lower_bound)
        }
        Err(SearchError::Cancelled { .. }) => None,
    };
    span.record("outcome", outcome_name(answer));
    span.record("length", answer.as_ref().ok().map(|outcome| outcome.moves.len()));
    span.record("lower_bound", lower_bound);
    span.record("nodes", nodes_of(answer));
}

/// The metrics of searches, looked up once.
pub(crate) struct SearchMetrics {
    two_phase: EngineMetrics,
    optimal: EngineMetrics,
    solve_seconds: Histogram,
    optimal_seconds: Histogram,
    length: Histogram,
}

/// The metrics of one engine.
struct EngineMetrics {
    outcomes: Vec<(&'static str, IntCounter)>,
    nodes: Histogram,
}

impl EngineMetrics {
    fn new(engine: &'static str) -> Self {
        let outcome = |name| (name, SEARCHES.with([engine, name]));
        let outcomes = SEARCH_OUTCOMES.into_iter().map(outcome).collect();
        Self { outcomes, nodes: SEARCH_NODES.with([engine]) }
    }
}

impl SearchMetrics {
    fn new() -> Self {
        Self {
            two_phase: EngineMetrics::new(TWO_PHASE),
            optimal: EngineMetrics::new(OPTIMAL),
            solve_seconds: SOLVE_SECONDS.with([]),
            optimal_seconds: OPTIMAL_SECONDS.with([]),
            length: SOLUTION_LENGTH.with([]),
        }
    }

    /// Counts a search.
    pub(crate) fn count(&self, answer: &Result<Outcome, SearchError>, is_optimal: bool) {
        let engine = if is_optimal { &self.optimal } else { &self.two_phase };
        let name = outcome_name(answer);
        if let Some((_, counter)) = engine.outcomes.iter().find(|(outcome, _)| *outcome == name) {
            counter.inc();
        }
        #[allow(clippy::cast_precision_loss)] // no search has 2^53 nodes
        engine.nodes.observe(nodes_of(answer) as f64);
        let Ok(outcome) = answer else { return };
        let seconds = if is_optimal { &self.optimal_seconds } else { &self.solve_seconds };
        seconds.observe(outcome.elapsed.as_secs_f64());
        self.length.observe(f64::from(outcome.moves.len() as u32));
    }
}
