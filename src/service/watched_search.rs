//! One search that a caller watches while threads run it, in one job or several.
//!
//! The caller knows the best solution and the lower bound at any time. So it can answer at its deadline, even if the thread that searches
//! has had no core since.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::field::Empty;

use crate::service::pool::has_answer;
use crate::service::telemetry::metrics::{OPTIMAL, TWO_PHASE};
use superflip_cube::Cube;
use superflip_cube::metric::Metric;
use superflip_solver::search::EventSink;
use superflip_solver::search::machine::Machine;
use superflip_solver::{Control, Event, Found, Goal, Proof, Search, Solution, SolveError, Solver, StoppedBy};

/// A notice about one search: its start, its events and its end.
#[derive(Clone, Copy, Debug)]
pub enum SearchNotice<'a> {
    /// Start of the search.
    Begun {
        /// Time spent in the queue.
        queued: Duration,
    },
    /// Start of the wait for a further job.
    Waiting,
    /// A shorter solution or a higher lower bound.
    Event {
        /// The solution or the lower bound.
        event: &'a Event,
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

/// A search, and what its caller knows of it.
pub(crate) struct WatchedSearch<N> {
    solver: Solver,
    cube: Cube,
    asked: Asked,
    request: tracing::Span,
    progress: Mutex<Progress<N>>,
}

/// What the caller asks for.
pub(crate) struct Asked {
    /// Number of solutions wanted.
    pub(crate) solutions: usize,
    pub(crate) metric: Metric,
    /// Machine by whose costs solutions are compared, instead of by their lengths.
    pub(crate) machine: Option<Arc<Machine>>,
}

impl Asked {
    /// Puts the cheapest solutions first, if there is a machine.
    fn ranked(&self, solution: Solution) -> Solution {
        match &self.machine {
            Some(machine) => solution.cheapest_first(machine, self.solutions),
            None => solution,
        }
    }
}

/// The state of a search, as of its last event.
struct Progress<N> {
    notify: N,
    metric: Metric,
    /// The solutions so far, each shorter than the one before.
    found: Vec<Found>,
    lower_bound: u8,
    /// The iterations of the jobs that have ended, and of the running job.
    records: [Option<Proof>; 2],
    /// Nodes and duration of the jobs that have ended.
    ended: Option<(u64, Duration)>,
    /// Nodes and start of the running job.
    running: Option<(u64, Instant)>,
    /// Total time in queues, of the jobs that have begun.
    queued: Duration,
    /// Start of the wait for a further job.
    waits_since: Option<Instant>,
    /// Whether the caller has its answer.
    is_over: bool,
}

impl<N: FnMut(SearchNotice<'_>)> WatchedSearch<N> {
    pub(crate) fn new(solver: Solver, cube: Cube, asked: Asked, notify: N) -> Self {
        let (ended, running, queued, waits_since) = (None, None, Duration::ZERO, None);
        let progress = Progress {
            notify,
            metric: asked.metric,
            found: Vec::new(),
            lower_bound: 0,
            records: [None, None],
            ended,
            running,
            queued,
            waits_since,
            is_over: false,
        };
        Self { solver, cube, asked, request: tracing::Span::current(), progress: Mutex::new(progress) }
    }

    /// Returns the solver.
    pub(crate) fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Runs one job on this thread.
    pub(crate) fn run(&self, goal: &Goal, queued: Duration, control: &Control) -> Result<Solution, SolveError> {
        self.job(goal, queued, control, |search, sink| search.watch(sink))
    }

    /// Runs one job on this thread. At the deadline of `control` it ends as cancelled, even without a solution.
    pub(crate) fn run_briefly(&self, goal: &Goal, queued: Duration, control: &Control) -> Result<Solution, SolveError> {
        self.job(goal, queued, control, |mut search, sink| {
            while !search.step(sink) {
                if control.check().is_err() {
                    return Err(SolveError::Cancelled { nodes: search.nodes() });
                }
            }
            search.watch(sink)
        })
    }

    /// Runs one job: calls `search` with the search and the receiver of its events.
    fn job(
        &self,
        goal: &Goal,
        queued: Duration,
        control: &Control,
        search: impl FnOnce(Search<'_>, EventSink<'_>) -> Result<Solution, SolveError>,
    ) -> Result<Solution, SolveError> {
        let Self { solver, cube, request, .. } = self;
        let has_solution = {
            let mut progress = self.lock();
            progress.begin(queued);
            !progress.found.is_empty()
        };
        // Without the lock, which this thread would hold for long with the lower priority.
        if has_solution {
            has_answer();
        }
        let span = tracing::debug_span!(
            parent: request, "search", engine = engine_name(goal.is_proof), profile = solver.tables().profile().name(),
            threads = goal.threads, outcome = Empty, length = Empty, lower_bound = Empty, nodes = Empty
        );
        let _entered = span.enter();
        let answer = search(solver.search(cube, goal).controlled_by(control), &mut |event, nodes| {
            self.lock().event(&event, nodes);
            if matches!(event, Event::Solution(_)) {
                has_answer();
            }
        });
        self.lock().end(nodes_of(answer.as_ref()));
        record(&span, answer.as_ref());
        answer
    }

    /// Returns the number of nodes so far; `None` before the search has begun.
    pub(crate) fn nodes(&self) -> Option<u64> {
        let progress = self.lock();
        (progress.ended.is_some() || progress.running.is_some()).then(|| progress.effort().0)
    }

    /// Returns the time spent in queues so far.
    pub(crate) fn queued(&self) -> Duration {
        let progress = self.lock();
        progress.queued + progress.waits_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Returns the best solution so far as an answer.
    pub(crate) fn best_so_far(&self, stopped_by: StoppedBy) -> Option<Solution> {
        let progress = self.lock();
        let Asked { solutions, metric, machine } = &self.asked;
        // The cheapest one may be among those that are not the shortest.
        let kept = if machine.is_some() { usize::MAX } else { *solutions };
        let mut found = progress.found.iter().rev().take(kept.max(1)).cloned();
        let (Found { moves, phases }, others) = (found.next()?, found.collect());
        let (lower_bound, (nodes, elapsed)) = (progress.lower_bound, progress.effort());
        let (optimal_solutions, profile) = (None, self.solver.tables().profile());
        let proof = progress.record();
        let best = Solution {
            moves,
            phases,
            others,
            optimal_solutions,
            proof,
            metric: *metric,
            lower_bound,
            stopped_by,
            profile,
            nodes,
            elapsed,
        };
        Some(self.asked.ranked(best))
    }

    /// Returns the answer of the second job with the effort of both. A shorter solution of the first job comes before it: the
    /// second may have had no core.
    pub(crate) fn better_of_both(&self, second: Result<Solution, SolveError>) -> Result<Solution, SolveError> {
        let best = self.best_so_far(StoppedBy::TimeLimit);
        match (second, best) {
            (Ok(mut outcome), Some(best)) if self.asked.machine.is_some() => {
                if outcome.all().all(|moves| *moves != *best.moves) {
                    outcome.others.push(Found { moves: best.moves, phases: best.phases });
                }
                let lower_bound = outcome.lower_bound.max(best.lower_bound);
                let Solution { nodes, elapsed, proof, .. } = best;
                Ok(self.asked.ranked(Solution { lower_bound, nodes, elapsed, proof, ..outcome }))
            }
            (Ok(outcome), Some(best)) if outcome.len() <= best.len() => {
                let lower_bound = outcome.lower_bound.max(best.lower_bound);
                let Solution { nodes, elapsed, proof, .. } = best;
                Ok(Solution { lower_bound, nodes, elapsed, proof, ..outcome })
            }
            (Err(error @ SolveError::Cancelled { .. }), _) => Err(error),
            (Ok(outcome), Some(best)) => {
                let longer =
                    std::iter::once(Found { moves: outcome.moves, phases: outcome.phases }).chain(outcome.others);
                let others = longer.take(self.asked.solutions.saturating_sub(1)).collect();
                Ok(Solution { others, ..best })
            }
            (Err(_), Some(best)) => Ok(best),
            (second, None) => second,
        }
    }

    /// Tells that the search waits for a further job.
    pub(crate) fn waits(&self) {
        let mut progress = self.lock();
        progress.waits_since = Some(Instant::now());
        (progress.notify)(SearchNotice::Waiting);
    }

    /// Ends the notices, because the caller has its answer.
    pub(crate) fn end(&self) {
        let mut progress = self.lock();
        if progress.running.is_some() || progress.waits_since.is_some() {
            let (nodes, since) = progress.running.unwrap_or((0, Instant::now()));
            (progress.notify)(SearchNotice::Ended { nodes, elapsed: since.elapsed() });
        }
        progress.is_over = true;
    }

    fn lock(&self) -> MutexGuard<'_, Progress<N>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<N: FnMut(SearchNotice<'_>)> Progress<N> {
    fn begin(&mut self, queued: Duration) {
        self.running = Some((0, Instant::now()));
        self.waits_since = None;
        self.queued += queued;
        (self.notify)(SearchNotice::Begun { queued });
    }

    /// Returns the nodes and the duration of all jobs.
    fn effort(&self) -> (u64, Duration) {
        let (nodes, elapsed) = self.ended.unwrap_or_default();
        let (more, since) = self.running.map_or((0, Duration::ZERO), |(nodes, since)| (nodes, since.elapsed()));
        (nodes + more, elapsed + since)
    }

    /// Passes on an event, unless the first job has told as much.
    fn event(&mut self, event: &Event, nodes: u64) {
        if let Some(running) = &mut self.running {
            running.0 = nodes;
        }
        match event {
            Event::Solution(found) => {
                let length = |found: &Found| self.metric.length(&found.moves);
                if self.found.last().is_some_and(|best| length(best) <= length(found)) {
                    return;
                }
                self.found.push(found.clone());
            }
            Event::LowerBound(bound) if *bound <= self.lower_bound => return,
            Event::LowerBound(bound) => self.lower_bound = *bound,
            Event::Proof(proof) => self.records[1] = Some(proof.clone()),
        }
        let (nodes, elapsed) = self.effort();
        if !self.is_over {
            (self.notify)(SearchNotice::Event { event, nodes, elapsed });
        }
    }

    /// Returns the iterations of all jobs, if they are listed.
    fn record(&self) -> Option<Proof> {
        match self.records.clone() {
            [Some(ended), Some(running)] => Some(ended.followed_by(running)),
            [ended, running] => ended.or(running),
        }
    }

    fn end(&mut self, nodes: u64) {
        self.records = [self.record(), None];
        let elapsed = self.running.take().map_or(Duration::ZERO, |(_, since)| since.elapsed());
        let (before, elapsed_before) = self.ended.unwrap_or_default();
        self.ended = Some((before + nodes, elapsed_before + elapsed));
        if !self.is_over {
            (self.notify)(SearchNotice::Ended { nodes, elapsed });
        }
    }
}

fn engine_name(is_optimal: bool) -> &'static str {
    if is_optimal { OPTIMAL } else { TWO_PHASE }
}

/// Returns the name of a search's outcome in metrics, spans and logs: one of `metrics::SEARCH_OUTCOMES`.
pub(crate) fn outcome_name(answer: Result<&Solution, &SolveError>) -> &'static str {
    match answer {
        Ok(outcome) => outcome.stopped_by.name(),
        Err(SolveError::NoneWithin { .. }) => "no_solution",
        Err(
            SolveError::Unproven { .. }
            | SolveError::Metric { .. }
            | SolveError::Outside { .. }
            | SolveError::SeveralTargets { .. },
        ) => "unproven",
        Err(SolveError::Cancelled { .. }) => "cancelled",
    }
}

/// Returns the number of nodes of a search.
pub(crate) fn nodes_of(answer: Result<&Solution, &SolveError>) -> u64 {
    answer.map_or_else(SolveError::nodes, |outcome| outcome.nodes)
}

/// Records the outcome of a search in its span.
fn record(span: &tracing::Span, answer: Result<&Solution, &SolveError>) {
    if span.is_disabled() {
        return;
    }
    let lower_bound = match answer {
        Ok(Solution { lower_bound, .. })
        | Err(SolveError::NoneWithin { lower_bound, .. } | SolveError::Unproven { lower_bound, .. }) => {
            Some(*lower_bound)
        }
        Err(
            SolveError::Cancelled { .. }
            | SolveError::Metric { .. }
            | SolveError::Outside { .. }
            | SolveError::SeveralTargets { .. },
        ) => None,
    };
    span.record("outcome", outcome_name(answer));
    span.record("length", answer.ok().map(Solution::len));
    span.record("lower_bound", lower_bound);
    span.record("nodes", nodes_of(answer));
}
