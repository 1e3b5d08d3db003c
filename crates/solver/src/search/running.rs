//! A search for one cube: a state machine, and an iterator over its events.

use std::collections::VecDeque;
use std::sync::Arc;
use web_time::Instant;

use super::avoided_axes::AvoidedAxes;
use super::goal::{Goal, between};
use super::optimal::OptimalSearch;
use super::partial::PartialSearch;
use super::session::{Session, prove_near};
use super::solution::proof::Proof;
use super::solution::{Found, Solution, SolveError};
use super::targets::TargetsSearch;
use crate::control::Control;
use crate::tables::{MetricTables, OptimalTable, Tables};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Move, TurnGroup, TurnSet};

/// Progress of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A solution shorter than all before. It has been replayed on the cube. It is proven shortest when a
    /// lower bound, reported before or after it, equals its length.
    Solution(Found),
    /// A lower bound on the length, greater than all before.
    LowerBound(u8),
    /// The iterations so far, one more than before, if the goal is a proof or asks for them.
    Proof(Proof),
}

/// Receives each [`Event`] in order, with the number of nodes so far.
pub type EventSink<'w> = &'w mut dyn FnMut(Event, u64);

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
    optimal: Option<&'t OptimalTable>,
    metrics: &'t [Arc<MetricTables>],
    /// The cube at the start.
    start: Cube,
    goal: Goal,
    control: Control,
    avoided: AvoidedAxes,
    stage: Algorithm<'t>,
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
    /// Ended in its first step: a proof by the near search, or a metric without tables.
    Ended(Result<Solution, SolveError>),
    /// Search for the nearest of several targets.
    Targets(Box<TargetsSearch<'t>>),
    /// Search for a set of cubes that is given by what each slot may hold.
    Partial(Box<PartialSearch<'t>>),
}

impl<'t> Search<'t> {
    pub(crate) fn new(tables: &'t Tables, optimal: Option<&'t OptimalTable>, cube: &Cube, goal: &Goal) -> Self {
        Self {
            tables,
            optimal,
            metrics: &[],
            start: *cube,
            goal: goal.clone(),
            control: Control::new(),
            avoided: AvoidedAxes::default(),
            stage: Algorithm::Waiting,
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

    /// Sets the tables of further metrics.
    pub(crate) fn with_metrics(self, metrics: &'t [Arc<MetricTables>]) -> Self {
        Self { metrics, ..self }
    }

    /// Sets the axes that the ends of a solution avoid.
    pub(crate) fn avoiding(self, avoided: AvoidedAxes) -> Self {
        Self { avoided, ..self }
    }

    /// Advances the search, and reports events to `sink`. Returns whether the search has ended.
    ///
    /// A step takes some microseconds. These take longer: the first step, which runs the near search, up to some
    /// milliseconds; a step with several threads some milliseconds; a step of a proof with a coset table up to the time limit. `sink` is called on this thread.
    pub fn step(&mut self, sink: EventSink<'_>) -> bool {
        match &mut self.stage {
            _ if self.is_over => {}
            Algorithm::Waiting => self.start(sink),
            Algorithm::TwoPhase(session) => self.is_over = session.advance(sink),
            Algorithm::Table(proof) => self.is_over = proof.advance(sink),
            Algorithm::Ended(_) => self.is_over = true,
            Algorithm::Targets(search) => self.is_over = search.advance(sink),
            Algorithm::Partial(search) => self.is_over = search.advance(sink),
        }
        self.is_over
    }

    fn start(&mut self, sink: EventSink<'_>) {
        let Self { tables, optimal, start, goal, control, avoided, .. } = self;
        let goal = &Goal { solutions: goal.kept(), ..goal.clone() };
        let is_plain = goal.metric == Metric::Htm && goal.turns.is_all();
        if let Err(error) = goal.check() {
            self.stage = Algorithm::Ended(Err(error));
            self.is_over = true;
            return;
        }
        if let Some(target) = &goal.partial {
            let search = PartialSearch::new(tables, target, start, goal, control);
            self.stage = Algorithm::Partial(Box::new(search));
            return;
        }
        let cube = match goal.targets.as_slice() {
            [] => start,
            [target] => &between(start, target),
            _ => {
                let search = TargetsSearch::new(tables, *optimal, start, goal, control);
                self.stage = Algorithm::Targets(Box::new(search));
                return;
            }
        };
        let wants_proof = goal.is_proof || (goal.target_length == 0 && goal.solutions <= 1);
        self.stage = if is_plain {
            match self.optimal.filter(|_| wants_proof) {
                Some(table) => Algorithm::Table(Box::new(OptimalSearch::new(tables, table, cube, goal, control))),
                None if goal.is_proof => Algorithm::Ended(prove_near(tables, cube, goal, control, sink)),
                None => Algorithm::TwoPhase(Session::new(*avoided, tables, cube, goal, control)),
            }
        } else {
            let own = self.metrics.iter().find(|metric| metric.serves(goal.metric, goal.turns));
            let prover = self.optimal.filter(|table| goal.turns.is_all() && table.size().metric() == goal.metric);
            match (own, prover) {
                (Some(own), Some(table)) if goal.is_proof => {
                    Algorithm::Table(Box::new(OptimalSearch::in_qtm(tables, own, table, cube, goal, control)))
                }
                (Some(own), _) if !goal.is_proof => match outside(own, goal.turns, cube) {
                    Some(error) => Algorithm::Ended(Err(error)),
                    None => Algorithm::TwoPhase(Session::in_metric(tables, own, cube, goal, control)),
                },
                _ => {
                    let Goal { metric, turns, is_proof, .. } = *goal;
                    Algorithm::Ended(Err(SolveError::Metric { metric, turns, is_proof }))
                }
            }
        };
        if let (Algorithm::TwoPhase(session), Some(machine)) = (&mut self.stage, &self.goal.machine) {
            session.price(machine, self.goal.solutions);
        }
        self.is_over = matches!(self.stage, Algorithm::Ended(_));
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
        let answer = match self.stage {
            Algorithm::TwoPhase(session) => session.solution(),
            Algorithm::Table(proof) => proof.solution(),
            Algorithm::Ended(answer) => answer,
            Algorithm::Targets(search) => search.solution(),
            Algorithm::Partial(search) => search.solution(),
            // Not reached: the first step starts the search.
            Algorithm::Waiting => Err(SolveError::Cancelled { nodes: 0 }),
        };
        let has_target = !self.goal.targets.is_empty() || self.goal.partial.is_some();
        if let Some(solution) = answer.as_ref().ok().filter(|_| has_target) {
            let leads_there = |moves: &[Move]| self.goal.is_target(&self.start.after(moves));
            assert!(
                solution.all().all(leads_there),
                "a solution was found that leads to no target of {:?}",
                self.start
            );
        }
        match &self.goal.machine {
            Some(machine) => answer.map(|solution| solution.cheapest_first(machine, self.goal.solutions)),
            None => answer,
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
