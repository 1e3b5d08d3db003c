//! Searches: from a cube and tables to a short solution.
//!
//! A [`Search`] is the entry point. It runs the near search ([`near`]), which finds optimal solutions of at most ten
//! moves. If there is none, it runs the two-phase algorithm ([`two_phase`]). In another metric, it runs that algorithm only, over runs of
//! turns. With a coset table, a goal that asks for a proof or for the shortest solution runs a proof ([`optimal`]) instead. All of them
//! raise the lower bound and offer solutions to one `incumbent`, which replays each solution on the cube, reports the events and makes
//! the answer.
//!
//! A search blocks its thread; an async caller runs it on a thread of its own. Internally, a session runs the near search
//! as a whole, then the two-phase search. The latter advances in time slices of some microseconds, so that several
//! searches can be [`Interleaved`] on one thread.
//!
//! `docs/search.md` explains the algorithms and has the measurements.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use crate::control::Control;
use crate::search::goal::{AvoidedAxes, between};
use crate::search::incumbent::Incumbent;
use crate::search::optimal::OptimalSearch;
use crate::search::session::Session;
use crate::search::targets::{PartialSearch, TargetsSearch};
use crate::tables::{MetricTables, TableSet, Tables};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, TurnGroup, TurnSet};
pub mod goal;
mod incumbent;
pub mod machine;
pub mod near;
pub mod optimal;
mod partial;
pub mod phase_one;
pub mod scramble;
mod session;
mod shared_nodes;
pub mod solution;
mod targets;
pub mod two_phase;

pub use goal::{Goal, MAX_CANDIDATES, MAX_SOLUTIONS, USUAL_CANDIDATES, usual_target};
pub use incumbent::{Event, EventSink};
pub use partial::PartialTarget;
pub use solution::{Found, Iteration, Phases, Proof, ProofSearch, ProofTable, Solution, SolveError, StoppedBy};
pub use two_phase::prepare;

/// A search for one cube. It starts at the first call of [`Search::step`], [`Search::finish`] or [`Iterator::next`], and
/// advances only inside such a call. Dropping it ends it.
///
/// # Examples
/// Improve the solution for two seconds:
/// ```no_run
/// use std::time::{Duration, Instant};
/// use superflip_solver::{Event, Goal, Solver};
///
/// let solver = Solver::open_default()?;
/// let cube = "R2 U' F L2 D B' R U2 F2 L".parse()?;
/// let in_two_seconds = Instant::now() + Duration::from_secs(2);
/// for event in solver.search(&cube, &Goal::shortest().threads(4)).until(in_two_seconds) {
///     match event {
///         Event::Solution(found) => println!("{found}"),
///         Event::LowerBound(n) => println!("at least {n}"),
///         Event::Proof(_) => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search<'t> {
    tables: &'t Tables,
    sets: &'t [TableSet],
    control: Control,
    incumbent: Incumbent,
    algorithm: Algorithm<'t>,
    is_over: bool,
    /// Events for the iterator.
    events: VecDeque<Event>,
}

/// The algorithm of a search.
#[allow(clippy::large_enum_variant)] // A search in a box costs an allocation, and an unboxed one is moved a few times only.
enum Algorithm<'t> {
    /// Not started.
    Waiting,
    /// Near search and two-phase search.
    TwoPhase(Session<'t>),
    /// Proof with a coset table.
    Table(Box<OptimalSearch<'t>>),
    /// Search for the nearest of several targets.
    Targets(Box<TargetsSearch<'t>>),
    /// Search for a set of cubes that is given by what each slot may hold.
    Partial(Box<PartialSearch<'t>>),
    /// No algorithm: the solver cannot search for the goal.
    Refused(SolveError),
}

impl<'t> Search<'t> {
    pub(crate) fn new(tables: &'t Tables, sets: &'t [TableSet], cube: &Cube, goal: &Goal) -> Self {
        Self {
            tables,
            sets,
            control: Control::new(),
            incumbent: Incumbent::new(tables.profile(), cube, goal.clone()),
            algorithm: Algorithm::Waiting,
            is_over: false,
            events: VecDeque::new(),
        }
    }

    /// Sets the time at which to stop improving. Without a solution, the search continues until it has one, which takes
    /// about a millisecond. If that is longer than `max_length`, the result is [`SolveError::NoneWithin`].
    #[must_use]
    pub fn until(self, deadline: Instant) -> Self {
        Self { control: self.control.until(deadline), ..self }
    }

    /// Sets the control that ends the search: its flag at once and without an answer, its deadline as
    /// [`Search::until`].
    #[must_use]
    pub fn controlled_by(self, control: &Control) -> Self {
        let control = self.control.deadline().map_or_else(|| control.clone(), |deadline| control.until(deadline));
        Self { control, ..self }
    }

    /// Sets the axes that the ends of a solution avoid.
    pub(crate) fn avoiding(mut self, avoided: AvoidedAxes) -> Self {
        self.incumbent.best.avoid(avoided);
        self
    }

    /// Advances the search, and reports events to `sink`. Returns whether the search has ended.
    ///
    /// A step takes some microseconds. These take longer: the first step, which runs the near search, up to some
    /// milliseconds; a step with several threads some milliseconds; a step of a proof with a coset table up to the time limit. `sink` is called on this thread.
    pub fn step(&mut self, sink: EventSink<'_>) -> bool {
        let incumbent = &mut self.incumbent;
        self.is_over = self.is_over
            || match &mut self.algorithm {
                Algorithm::Waiting => self.start(sink),
                Algorithm::TwoPhase(session) => session.advance(incumbent, sink),
                Algorithm::Table(proof) => proof.advance(incumbent, sink),
                Algorithm::Targets(search) => search.advance(incumbent, sink),
                Algorithm::Partial(search) => search.advance(incumbent, sink),
                Algorithm::Refused(_) => true,
            };
        self.is_over
    }

    /// Returns the number of nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.incumbent.nodes
    }

    /// Starts the search. Returns whether it has ended.
    fn start(&mut self, sink: EventSink<'_>) -> bool {
        self.incumbent.restart_clock();
        self.algorithm = self.algorithm().unwrap_or_else(Algorithm::Refused);
        let machine = self.incumbent.goal().machine.clone();
        if let (Algorithm::TwoPhase(_), Some(machine)) = (&self.algorithm, machine) {
            self.incumbent.best.price(machine);
        }
        self.incumbent.report(sink);
        matches!(self.algorithm, Algorithm::Refused(_))
    }

    /// Returns the algorithm for the goal. For most goals it runs the near search first.
    fn algorithm(&mut self) -> Result<Algorithm<'t>, SolveError> {
        let Self { tables, sets, control, incumbent, .. } = self;
        let (goal, start) = (incumbent.goal(), incumbent.best.start());
        let (metric, turns, is_proof) = (goal.metric, goal.turns, goal.is_proof);
        goal.check()?;
        let prover = sets.iter().find_map(|set| set.proving(metric)).filter(|_| turns.is_all()).map(Arc::as_ref);
        if let Some(target) = &goal.partial {
            return Ok(Algorithm::Partial(Box::new(PartialSearch::new(tables, target, control))));
        }
        let cube = match goal.targets.as_slice() {
            [] => *start,
            [target] => between(start, target),
            _ => {
                let search = TargetsSearch::new(tables, prover, control, incumbent);
                return Ok(Algorithm::Targets(Box::new(search)));
            }
        };
        if metric == Metric::Htm && turns.is_all() {
            return Ok(match prover.filter(|_| incumbent.best.wants_shortest()) {
                Some(table) => {
                    Algorithm::Table(Box::new(OptimalSearch::new(tables, table, &cube, goal.threads, control)))
                }
                None => Algorithm::TwoPhase(Session::new(tables, &cube, control, incumbent)),
            });
        }
        let own = sets.iter().find_map(|set| set.serving(metric, turns));
        match (own, prover) {
            (Some(own), Some(table)) if is_proof => {
                let search = OptimalSearch::in_qtm(tables, own, table, &cube, goal.threads, control);
                Ok(Algorithm::Table(Box::new(search)))
            }
            (Some(own), _) if !is_proof => match outside(own, turns, &cube) {
                Some(error) => Err(error),
                None => Ok(Algorithm::TwoPhase(Session::in_metric(own, &cube, control, incumbent))),
            },
            _ => Err(SolveError::Metric { metric, turns, is_proof }),
        }
    }

    /// Runs the search to its end and reports events to `sink`.
    ///
    /// # Errors
    /// As [`Search::finish`].
    ///
    /// # Panics
    /// As [`Search::finish`].
    pub fn watch(mut self, sink: EventSink<'_>) -> Result<Solution, SolveError> {
        while !self.step(sink) {}
        match self.algorithm {
            Algorithm::Refused(error) => Err(error),
            _ => self.incumbent.answer(),
        }
    }

    /// Runs the search to its end and returns its best solution, which has been replayed on the cube.
    ///
    /// # Errors
    /// [`SolveError::Cancelled`] when the control was cancelled, [`SolveError::NoneWithin`] when `max_length` was not met,
    /// [`SolveError::Unproven`] when the goal is a proof, and the cube is too far from solved for the near search, and
    /// [`SolveError::Metric`] when the solver has no tables of the metric and the turns, [`SolveError::Outside`] when the turns do not
    /// reach the cube, or [`SolveError::SeveralTargets`] when the goal
    /// names several targets in a metric other than HTM or with some turns only.
    ///
    /// # Panics
    /// When a solution does not lead to the target, which is a bug.
    pub fn finish(self) -> Result<Solution, SolveError> {
        self.watch(&mut |_, _| {})
    }
}

/// Returns the error of a cube that the turns do not reach.
fn outside(tables: &MetricTables, turns: TurnSet, cube: &Cube) -> Option<SolveError> {
    let group = tables.group()?;
    let (_, frame) = tables.set().frames(turns).into_iter().next()?;
    if group.contains(&frame.conjugate(cube)) {
        return None;
    }
    // Named in the holding of the cube, not of the tables.
    let displaced = TurnGroup::new(turns).displaced(cube);
    Some(SolveError::Outside { turns, displaced, reached: group.order() })
}

impl Iterator for Search<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let mut events = std::mem::take(&mut self.events);
        while events.is_empty() && !self.is_over {
            self.step(&mut |event, _| events.push_back(event));
        }
        let event = events.pop_front();
        self.events = events;
        event
    }
}

/// Number of steps in a time slice. Reading the clock after each would cost some percent of the time.
const STEPS: usize = 4;

/// Searches that share a thread, each with a tag. Each search waits for memory most of the time. The steps of several searches are
/// interleaved, so that each read is in flight while the others run.
pub struct Interleaved<'t, T>(Vec<Running<'t, T>>);

/// One of the searches.
struct Running<'t, T> {
    tag: T,
    search: Search<'t>,
    /// Sum of its time slices.
    elapsed: Duration,
}

impl<T> Default for Interleaved<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'t, T> Interleaved<'t, T> {
    /// Adds a search.
    pub fn push(&mut self, tag: T, search: Search<'t>) {
        self.0.push(Running { tag, search, elapsed: Duration::ZERO });
    }

    /// Returns the number of searches that have not ended.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether all searches have ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Advances each search by some microseconds. `done` receives those that end, with the sum of their time slices, which
    /// [`Solution::elapsed`] has too.
    pub fn advance(&mut self, mut done: impl FnMut(T, Result<Solution, SolveError>, Duration)) {
        let mut at = 0;
        let mut begun = Instant::now();
        while let Some(running) = self.0.get_mut(at) {
            let is_over = (0..STEPS).any(|_| running.search.step(&mut |_, _| {}));
            let now = Instant::now();
            running.elapsed += now - begun;
            begun = now;
            if is_over {
                let Running { tag, search, elapsed } = self.0.swap_remove(at);
                done(tag, search.finish().map(|solution| Solution { elapsed, ..solution }), elapsed);
                begun = Instant::now();
            } else {
                at += 1;
            }
        }
    }
}
