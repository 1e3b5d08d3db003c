//! Runs searches on the lanes, until their deadline, and counts them in the metrics.
//!
//! ```text
//!   request:      first solution, if the quick lane is empty --done--> answer
//!                 | not done after 0.3 ms
//!   quick lane: first solution, near proof --done--> answer
//!                 | not done after 40 ms, or more was asked for
//!   long lane:    the whole search --ended--> answer
//!                 | lane full, or deadline
//!                 '--> the best so far
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus::{Histogram, IntCounter};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::service::config::Config;
use crate::service::pool::{Deadline, Lane, Priority, Refused};
use crate::service::telemetry::metrics::{
    BACKGROUND_LANE, LONG_LANE, OPTIMAL, OPTIMAL_SECONDS, QUICK_LANE, SEARCH_NODES, SEARCH_OUTCOMES, SEARCHES,
    SOLUTION_LENGTH, SOLVE_SECONDS, SPACES_LANE, TWO_PHASE,
};
pub use crate::service::watched_search::SearchNotice;
pub(crate) use crate::service::watched_search::outcome_name;
use crate::service::watched_search::{Asked, WatchedSearch, nodes_of};
pub use crate::service::watched_steps::{FoundSteps, NoSteps};
use superflip_cube::Cube;
use superflip_cube::metric::Metric;
use superflip_solver::search::usual_target;
use superflip_solver::{Control, Goal, Profile, Solution, SolveError, Solver, StoppedBy};

/// The reason why a cube was not solved.
#[derive(Debug, thiserror::Error)]
pub enum NotSolved {
    /// A refusal by the pool, or a job that did not end.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A search without a solution within its limits.
    #[error(transparent)]
    Search(#[from] SolveError),
}

/// The result of a search.
#[derive(Debug)]
pub struct Solved {
    /// The outcome of the search.
    pub outcome: Solution,
    /// Total time in queues.
    pub queued: Duration,
}

/// Length at which the search before a proof stops; without a proof it is the usual target, unless that of the request is greater. No time limit ends that search, so that a proof can be repeated; it takes a few milliseconds at most.
const fn proof_quick_length(metric: Metric) -> u8 {
    if matches!(metric, Metric::Htm) { 22 } else { usual_target(metric) }
}
/// Greatest number of values of a partial target that is searched in the quick lane. The distances of as many take some tens of milliseconds.
const SOON_REACHED: u64 = 1 << 18;
/// Background threads per long thread. Batches with slow lines keep their threads, so there are more than usual loads need.
const BACKGROUND_THREADS: usize = 4;
/// Time for the first search. A search that goes on starts again, so the time is lost: with 40 ms 0.9 % of the work of 30 000 random cubes, with
/// 20 ms 2.0 %, and with 10 ms 4.4 % (small tables, target length 20).
pub(crate) const QUICK_TIME: Duration = Duration::from_millis(40);
/// Time for a search on the thread of its request. It is lost if the search goes on.
const BRIEF_TIME: Duration = Duration::from_micros(300);

/// The lanes, and the searches on them.
pub struct Lanes {
    quick: Lane,
    long: Lane,
    background: Lane,
    spaces: Lane,
    metrics: SearchMetrics,
    stopping: CancellationToken,
    panicked: Arc<Notify>,
}

impl Lanes {
    /// Creates the lanes and starts their threads.
    pub fn new(config: &Config) -> Self {
        let (search, panicked) = (&config.search, Arc::<Notify>::default());
        let lane =
            |name, priority, threads| Lane::new(name, priority, threads, search.queue_length, Arc::clone(&panicked));
        Self {
            quick: lane(QUICK_LANE, Priority::Normal, search.threads()),
            long: lane(LONG_LANE, Priority::IdleOnceAnswered { at_once: search.threads() }, search.long_threads),
            background: lane(BACKGROUND_LANE, Priority::Idle, BACKGROUND_THREADS * search.long_threads),
            spaces: lane(SPACES_LANE, Priority::Normal, 1),
            metrics: SearchMetrics::new(),
            stopping: CancellationToken::new(),
            panicked,
        }
    }

    /// Returns the notifier of panics. Each job that panics notifies it.
    pub fn panicked(&self) -> Arc<Notify> {
        Arc::clone(&self.panicked)
    }

    /// Returns the metrics of searches.
    pub(crate) fn metrics(&self) -> &SearchMetrics {
        &self.metrics
    }

    /// Returns the lane for jobs that end by themselves within milliseconds.
    pub fn quick(&self) -> &Lane {
        &self.quick
    }

    /// Returns the lane for jobs that use the time they are given.
    pub fn long(&self) -> &Lane {
        &self.long
    }

    /// Returns the lane for batches and checks of tables.
    pub fn background(&self) -> &Lane {
        &self.background
    }

    /// Returns the lane for what is built once and kept, while requests wait for it: named coordinate spaces, and tables of goals.
    pub fn spaces(&self) -> &Lane {
        &self.spaces
    }

    /// Refuses new and waiting jobs of every lane, and sets the stop flags of running jobs.
    pub fn stop(&self) {
        self.stopping.cancel();
        self.lanes().into_iter().for_each(Lane::close);
    }

    /// Sets the gauges of waiting and running jobs.
    pub fn observe(&self) {
        self.lanes().into_iter().for_each(Lane::observe);
    }

    fn lanes(&self) -> [&Lane; 4] {
        [&self.quick, &self.long, &self.background, &self.spaces]
    }

    /// Returns the token that [`Lanes::stop`] cancels.
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Solves `cube`. `time_limit` covers the waits and the search. Calls `notify` at the start and the end of each job, and at each
    /// event.
    ///
    /// # Errors
    /// When a lane refuses the job before there is a solution, or when there is no solution within the limits.
    pub async fn solve_watched(
        &self,
        solver: Solver,
        cube: Cube,
        goal: Goal,
        time_limit: Duration,
        notify: impl FnMut(SearchNotice<'_>) + Send + 'static,
    ) -> Result<Solved, NotSolved> {
        let deadline = Instant::now() + time_limit;
        // A proof lists optimal solutions only, so incumbents from before the proof are not listed.
        let listed = if goal.is_proof { 1 } else { goal.solutions };
        let asked = Asked { solutions: listed, metric: goal.metric, machine: goal.machine.clone() };
        let search = Arc::new(WatchedSearch::new(solver, cube, asked, notify));
        let counting = Counting { metrics: &self.metrics, search: &search, is_proof: goal.is_proof, is_over: false };
        let outcome = self.in_lanes(&search, goal, deadline).await;
        let answer = outcome.map(|outcome| Solved { outcome, queued: search.queued() });
        counting.end(&answer);
        answer
    }

    async fn in_lanes<N: FnMut(SearchNotice<'_>) + Send + 'static>(
        &self,
        search: &Arc<WatchedSearch<N>>,
        goal: Goal,
        deadline: Instant,
    ) -> Result<Solution, NotSolved> {
        let job = |goal: Goal, time_limit: Option<Duration>| {
            let (search, submitted) = (Arc::clone(search), Instant::now());
            move |control: &Control| {
                let end = time_limit.map_or(deadline, |limit| deadline.min(Instant::now() + limit));
                search.run(&goal, submitted.elapsed(), &control.until(end))
            }
        };
        if let Some(target) = &goal.partial {
            // Its first solution is a shortest one, so there is no quick one before it.
            let lane = if target.values() <= SOON_REACHED { &self.quick } else { &self.long };
            return match lane.run_for_answer(Deadline::EndBy(deadline), job(goal, None)).await {
                Ok(outcome) => Ok(outcome?),
                Err(refused) => best_instead(search, refused, deadline),
            };
        }
        if goal.is_proof && search.solver().proving(goal.metric).is_none() {
            // The near search ends by itself and uses one thread. For many targets it takes up to some seconds.
            let lane = if goal.targets.len() > 1 { &self.long } else { &self.quick };
            let near = job(goal.threads(1), None);
            return Ok(lane.run_for_answer(Deadline::EndBy(deadline), near).await??);
        }
        let (length, quick_time) = if goal.is_proof {
            (proof_quick_length(goal.metric), None)
        } else {
            (usual_target(goal.metric), Some(QUICK_TIME))
        };
        let mut first = goal.clone().target_length(goal.target_length.max(length)).solutions(1).threads(1);
        (first.is_proof, first.all_shortest, first.is_recorded) = (false, false, goal.is_proof);
        first.machine = None;
        let goes_on = |found: &Result<Solution, SolveError>| {
            let goes_on = !is_complete(found, &goal) && Instant::now() < deadline;
            goes_on.then(|| {
                search.waits();
                (deadline, job(goal.clone(), None))
            })
        };
        let first = async {
            match self.at_request(search, &first, deadline).await {
                Some(found) => found,
                None => self.quick.run_for_answer(Deadline::EndBy(deadline), job(first, quick_time)).await,
            }
        };
        match self.in_turn(first, goes_on).await {
            Ok((found, None)) if is_complete(&found, &goal) => Ok(found?),
            // The first search may have reached its own target length, which is not that of the request.
            Ok((found, None)) => Ok(Solution { stopped_by: StoppedBy::TimeLimit, ..found? }),
            Ok((_, Some(Ok(outcome)))) => Ok(search.better_of_both(outcome)?),
            Ok((_, Some(Err(refused)))) | Err(refused) => best_instead(search, refused, deadline),
        }
    }

    /// Runs the first search of a request on this thread for [`BRIEF_TIME`], if the quick lane is empty. Returns `None` if it did not answer `first` in
    /// this time.
    async fn at_request<N: FnMut(SearchNotice<'_>)>(
        &self,
        search: &WatchedSearch<N>,
        first: &Goal,
        deadline: Instant,
    ) -> Option<Result<Result<Solution, SolveError>, Refused>> {
        let submitted = Instant::now();
        // Other searches have long steps. The record of a proof contains each iteration once.
        let is_usual =
            first.targets.len() <= 1 && first.metric == Metric::Htm && first.turns.is_all() && !first.is_recorded;
        if !is_usual || deadline <= submitted + 2 * BRIEF_TIME {
            return None;
        }
        let job = |control: &Control| {
            let end = Instant::now() + BRIEF_TIME;
            let found = search.run_briefly(first, submitted.elapsed(), &control.until(end));
            // The lane says why it stops.
            let has_ended = !matches!(found, Err(SolveError::Cancelled { .. })) && is_complete(&found, first);
            if !has_ended {
                search.waits();
            }
            has_ended.then_some(found)
        };
        self.quick.run_at_caller(job).await
    }

    /// Runs in the long lane the job that `goes_on` returns for the result of `first`, with its deadline, if it returns one. `first` is a search in
    /// the quick lane for [`QUICK_TIME`]. Returns both results. Both jobs call [`has_answer`](crate::service::pool::has_answer) when the search has a solution.
    ///
    /// # Errors
    /// When the quick lane refuses the search.
    pub(crate) async fn in_turn<T: Send + 'static, L: FnOnce(&Control) -> T + Send + 'static>(
        &self,
        first: impl Future<Output = Result<T, Refused>>,
        goes_on: impl FnOnce(&T) -> Option<(Instant, L)>,
    ) -> Result<(T, Option<Result<T, Refused>>), Refused> {
        let first = first.await?;
        let Some((deadline, long)) = goes_on(&first) else { return Ok((first, None)) };
        let second = self.long.run_for_answer(Deadline::EndBy(deadline), long).await;
        Ok((first, Some(second)))
    }
}

/// Returns the best solution so far, after a job was refused.
fn best_instead<N: FnMut(SearchNotice<'_>)>(
    search: &WatchedSearch<N>,
    refused: Refused,
    deadline: Instant,
) -> Result<Solution, NotSolved> {
    let best = match refused {
        Refused::ShuttingDown | Refused::Panicked(_) => None,
        _ if Instant::now() < deadline => search.best_so_far(StoppedBy::Overloaded),
        _ => search.best_so_far(StoppedBy::TimeLimit),
    };
    best.ok_or_else(|| refused.into())
}

/// Returns whether the first search has answered the whole request.
fn is_complete(found: &Result<Solution, SolveError>, goal: &Goal) -> bool {
    match found {
        Ok(_) if goal.solutions > 1 || goal.all_shortest => false,
        Ok(_) if goal.machine.is_some() && goal.candidates > 1 && !goal.is_proof => false,
        Ok(outcome) => outcome.is_optimal() || (!goal.is_proof && outcome.len() <= usize::from(goal.target_length)),
        Err(SolveError::NoneWithin { max_length, lower_bound, .. }) => lower_bound > max_length,
        Err(_) => true,
    }
}

/// Counts a search: when it is answered, or when it is dropped because the caller has gone.
struct Counting<'s, N: FnMut(SearchNotice<'_>)> {
    metrics: &'s SearchMetrics,
    search: &'s WatchedSearch<N>,
    is_proof: bool,
    is_over: bool,
}

impl<N: FnMut(SearchNotice<'_>)> Counting<'_, N> {
    fn profile(&self) -> Profile {
        self.search.solver().tables().profile()
    }

    fn end(mut self, answer: &Result<Solved, NotSolved>) {
        match answer {
            Ok(solved) => {
                self.search.end();
                self.metrics.count(Ok(&solved.outcome), self.profile(), self.is_proof);
            }
            Err(NotSolved::Search(error)) => self.metrics.count(Err(error), self.profile(), self.is_proof),
            // If a job has begun, the drop counts it as cancelled.
            Err(NotSolved::Refused(_)) => return,
        }
        self.is_over = true;
    }
}

impl<N: FnMut(SearchNotice<'_>)> Drop for Counting<'_, N> {
    fn drop(&mut self) {
        if let Some(nodes) = self.search.nodes().filter(|_| !self.is_over) {
            self.metrics.count(Err(&SolveError::Cancelled { nodes }), self.profile(), self.is_proof);
        }
    }
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
    outcomes: Vec<(Profile, &'static str, IntCounter)>,
    nodes: Histogram,
}

impl EngineMetrics {
    fn new(engine: &'static str) -> Self {
        let of = |profile: Profile| {
            let outcome = move |name| (profile, name, SEARCHES.with([engine, profile.name(), name]));
            SEARCH_OUTCOMES.into_iter().map(outcome)
        };
        let outcomes = Profile::ALL.into_iter().flat_map(of).collect();
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
    pub(crate) fn count(&self, answer: Result<&Solution, &SolveError>, profile: Profile, is_optimal: bool) {
        let engine = if is_optimal { &self.optimal } else { &self.two_phase };
        let name = outcome_name(answer);
        if let Some((.., counter)) = engine.outcomes.iter().find(|(of, outcome, _)| (*of, *outcome) == (profile, name))
        {
            counter.inc();
        }
        #[allow(clippy::cast_precision_loss)] // no search has 2^53 nodes
        engine.nodes.observe(nodes_of(answer) as f64);
        let Ok(outcome) = answer else { return };
        let seconds = if is_optimal { &self.optimal_seconds } else { &self.solve_seconds };
        seconds.observe(outcome.elapsed.as_secs_f64());
        self.length.observe(f64::from(u32::try_from(outcome.moves.len()).unwrap_or(u32::MAX)));
    }
}
