//! The search behind the door: waits for its turn, searches until the deadline, counts what it did.

use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{Counter, Histogram};
use tracing::field::Empty;

use super::config::Config;
use crate::service::telemetry::metrics::{
    BATCH_LANE, LONG_LANE, NODES, OPTIMAL, OPTIMAL_ANSWERS, OPTIMAL_SECONDS, SEARCH_NODES, SEARCH_OUTCOMES, SEARCHES,
    SHORT_LANE, SOLUTION_LENGTH, SOLVE_SECONDS, TWO_PHASE,
};
use tokio::sync::Notify;

use super::pool::{Deadline, Pool, Priority, Refused, SearchClass};
use crate::cube::Cube;
use crate::search::{self, Options, Outcome, Proof, SearchError, SearchEvent, StoppedBy};
use crate::tables::Tables;

/// Why a cube was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The search never ran, or not to its end.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The search ran and found nothing that was asked for.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// The tables of a search.
#[derive(Clone)]
pub struct Engine {
    /// Those of every search.
    pub tables: Arc<Tables>,
    /// With it a search goes on until its answer is proven shortest.
    pub proof: Option<Proof>,
}

impl From<Arc<Tables>> for Engine {
    fn from(tables: Arc<Tables>) -> Self {
        Self { tables, proof: None }
    }
}

/// An answer, and how long it had waited for its turn.
#[derive(Debug)]
pub struct Solved {
    /// What the search found.
    pub outcome: Outcome,
    /// Time in the queue.
    pub queued: Duration,
}

/// A search to this length ends by itself within milliseconds, and with luck one to a turn less.
const SOON_FOUND: u8 = 20;

/// Solves cubes on the solver threads.
pub struct Solver {
    pool: Pool,
    long: Pool,
    batches: Pool,
    short_time_limit: Duration,
    meters: Arc<Meters>,
    panicked: Arc<Notify>,
}

impl Solver {
    /// A solver with its own threads and queues.
    pub fn new(config: &Config) -> Self {
        let Config { search, optimal, .. } = config;
        let long_threads = match optimal.table {
            Some(_) => search.long_threads().max(optimal.threads()),
            None => search.long_threads(),
        };
        let panicked = Arc::<Notify>::default();
        let pool = |name, weight, threads, queue_length| {
            Pool::with_priority(name, weight, threads, queue_length).notifying(Arc::clone(&panicked))
        };
        Self {
            pool: pool(SHORT_LANE, Priority::Normal, search.threads(), search.queue_length),
            long: pool(LONG_LANE, Priority::Background, long_threads, search.long_queue_length),
            batches: pool(BATCH_LANE, Priority::Background, search.batch_threads, search.batch_queue_length),
            panicked,
            short_time_limit: Duration::from_millis(search.short_time_limit_ms),
            meters: Arc::new(Meters::new()),
        }
    }

    /// Is told of each job that panics.
    pub fn panicked(&self) -> Arc<Notify> {
        Arc::clone(&self.panicked)
    }

    /// Where searches are counted.
    pub(crate) fn meters(&self) -> Arc<Meters> {
        Arc::clone(&self.meters)
    }

    /// The door for short searches.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The door for work that may take many seconds, long searches among it, so that no short search waits behind it.
    pub fn long(&self) -> &Pool {
        &self.long
    }

    /// The door for batches: one may take hours, and neither searches nor long work should wait behind it.
    pub fn batches(&self) -> &Pool {
        &self.batches
    }

    /// The door for a search: the long one when it may take longer than a short search and is not expected to end by itself.
    pub fn door(&self, options: &Options, time_limit: Duration) -> &Pool {
        let is_short = time_limit <= self.short_time_limit || is_soon_over(options);
        if is_short { &self.pool } else { &self.long }
    }

    /// Refuses new work of every kind and stops what runs.
    pub fn stop(&self) {
        self.pool.stop();
        self.long.stop();
        self.batches.stop();
    }

    /// Solves `cube`; `time_limit` covers the wait and the search, and takes the place of the deadline in `options`.
    ///
    /// # Errors
    /// When the pool refuses it, or when `max_length` cannot be met in time.
    pub async fn solve(
        &self,
        engine: Engine,
        cube: Cube,
        options: Options,
        time_limit: Duration,
    ) -> Result<Solved, SolveError> {
        self.solve_watched(engine, cube, options, time_limit, |_| {}).await
    }

    /// As [`Solver::solve`], but reports the start and every result to `hear`, on the solver threads. A proof with a table runs in the long lane.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub async fn solve_watched(
        &self,
        engine: Engine,
        cube: Cube,
        mut options: Options,
        time_limit: Duration,
        mut hear: impl FnMut(News<'_>) + Send + 'static,
    ) -> Result<Solved, SolveError> {
        let asked = Instant::now();
        let deadline = asked + time_limit;
        options.deadline = Some(deadline);
        let is_optimal = engine.proof.is_some();
        let (door, pace) = match engine.proof {
            Some(Proof::Table(_)) => (&self.long, SearchClass::TimeLimited),
            // It ends by itself, and works on one thread.
            Some(Proof::Near) => (&self.pool, SearchClass::Quick),
            None => (
                self.door(&options, time_limit),
                if is_soon_over(&options) { SearchClass::Quick } else { SearchClass::TimeLimited },
            ),
        };
        if matches!(engine.proof, Some(Proof::Near)) {
            options.threads = 1;
        }
        let threads = options.threads;
        let (request, meters) = (tracing::Span::current(), self.meters());
        let job = move |stop: &search::Stop| {
            hear(News::Begun { queued: asked.elapsed() });
            let profile = engine.tables.profile().name();
            let span = tracing::debug_span!(
                parent: &request, "search", engine = engine_name(is_optimal), profile, threads,
                outcome = Empty, length = Empty, lower_bound = Empty, nodes = Empty
            );
            let _entered = span.enter();
            let start = Instant::now();
            let mut watch =
                |event: SearchEvent<'_>, nodes| hear(News::Event { event, nodes, elapsed: start.elapsed() });
            let answer = match &engine.proof {
                Some(proof) => proof.solve(&engine.tables, &cube, &options, stop, &mut watch),
                None => search::solve_watched(&engine.tables, &cube, &options, stop, &mut watch),
            };
            hear(News::Ended { nodes: nodes_of(&answer), elapsed: start.elapsed() });
            tell(&span, &answer);
            // Here, for whoever asked may be gone.
            meters.count(&answer, is_optimal);
            answer
        };
        let finished = door.run_on(threads, Deadline::EndBy(deadline), pace, job).await?;
        Ok(Solved { outcome: finished.value?, queued: finished.queued })
    }
}

/// Whether a search is expected to end by itself.
fn is_soon_over(options: &Options) -> bool {
    let length = options.max_length.map_or(options.target_length, |most| most.min(options.target_length));
    length >= SOON_FOUND && options.solutions <= 1
}

/// What is heard of a search that goes on.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// It is its turn.
    Begun {
        /// Time in the queue.
        queued: Duration,
    },
    /// Something got better.
    Event {
        /// What.
        event: SearchEvent<'a>,
        /// Positions looked at so far.
        nodes: u64,
        /// Time since the search began.
        elapsed: Duration,
    },
    /// It has ended, with or without an answer.
    Ended {
        /// Positions looked at.
        nodes: u64,
        /// Time since the search began.
        elapsed: Duration,
    },
}

fn engine_name(is_optimal: bool) -> &'static str {
    if is_optimal { OPTIMAL } else { TWO_PHASE }
}

/// How a search ended, as metrics, spans and logs call it.
pub fn outcome_name(answer: &Result<Outcome, SearchError>) -> &'static str {
    match answer {
        Ok(outcome) => match outcome.stopped_by {
            StoppedBy::TargetLength => "target_length",
            StoppedBy::TimeLimit => "time_limit",
            StoppedBy::ProvenOptimal => "proven_optimal",
        },
        Err(SearchError::NoSolutionWithinLimits { .. }) => "no_solution",
        Err(SearchError::Unproven { .. }) => "unproven",
        Err(SearchError::Cancelled { .. }) => "cancelled",
    }
}

/// Positions looked at, however it ended.
fn nodes_of(answer: &Result<Outcome, SearchError>) -> u64 {
    answer.as_ref().map_or_else(SearchError::nodes, |outcome| outcome.nodes)
}

/// Tells the span of a search how it ended.
fn tell(span: &tracing::Span, answer: &Result<Outcome, SearchError>) {
    if span.is_disabled() {
        return;
    }
    span.record("outcome", outcome_name(answer));
    match answer {
        Ok(outcome) => {
            span.record("length", outcome.moves.len());
            span.record("lower_bound", outcome.lower_bound);
            span.record("nodes", outcome.nodes);
        }
        Err(
            SearchError::NoSolutionWithinLimits { nodes, lower_bound, .. }
            | SearchError::Unproven { nodes, lower_bound },
        ) => {
            span.record("lower_bound", lower_bound);
            span.record("nodes", nodes);
        }
        Err(SearchError::Cancelled { nodes }) => {
            span.record("nodes", nodes);
        }
    }
}

/// The metrics of searches, looked up once.
pub(crate) struct Meters {
    two_phase: EngineMeters,
    optimal: EngineMeters,
    nodes: Counter,
    solve_seconds: Histogram,
    optimal_seconds: Histogram,
    proven: Counter,
    unproven: Counter,
    length: Histogram,
}

/// Those that each engine has of its own.
struct EngineMeters {
    outcomes: Vec<(&'static str, Counter)>,
    nodes: Histogram,
}

impl EngineMeters {
    fn new(engine: &'static str) -> Self {
        let outcome = |name| (name, metrics::counter!(SEARCHES, "engine" => engine, "outcome" => name));
        let outcomes = SEARCH_OUTCOMES.into_iter().map(outcome).collect();
        Self { outcomes, nodes: metrics::histogram!(SEARCH_NODES, "engine" => engine) }
    }
}

impl Meters {
    fn new() -> Self {
        Self {
            two_phase: EngineMeters::new(TWO_PHASE),
            optimal: EngineMeters::new(OPTIMAL),
            nodes: metrics::counter!(NODES),
            solve_seconds: metrics::histogram!(SOLVE_SECONDS),
            optimal_seconds: metrics::histogram!(OPTIMAL_SECONDS),
            proven: metrics::counter!(OPTIMAL_ANSWERS, "outcome" => "proven"),
            unproven: metrics::counter!(OPTIMAL_ANSWERS, "outcome" => "time_limit"),
            length: metrics::histogram!(SOLUTION_LENGTH),
        }
    }

    /// Counts what a search did.
    pub(crate) fn count(&self, answer: &Result<Outcome, SearchError>, is_optimal: bool) {
        let engine = if is_optimal { &self.optimal } else { &self.two_phase };
        let name = outcome_name(answer);
        if let Some((_, counter)) = engine.outcomes.iter().find(|(outcome, _)| *outcome == name) {
            counter.increment(1);
        }
        let nodes = nodes_of(answer);
        self.nodes.increment(nodes);
        #[allow(clippy::cast_precision_loss)] // no search looks at 2^53 positions
        engine.nodes.record(nodes as f64);
        let Ok(outcome) = answer else { return };
        if is_optimal {
            let answers = if outcome.proven_optimal { &self.proven } else { &self.unproven };
            answers.increment(1);
            self.optimal_seconds.record(outcome.elapsed);
        } else {
            self.solve_seconds.record(outcome.elapsed);
        }
        self.length.record(outcome.moves.len() as u32);
    }
}
