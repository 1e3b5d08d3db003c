//! The near search and the two-phase search of one cube, from start to answer.
//!
//! A [`Session`] runs the near search, then the two-phase search, and restarts the latter with a larger upper bound
//! when time is short. It advances in time slices: each call of [`Session::advance`] advances the two-phase search.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use super::avoided_axes::AvoidedAxes;
use super::directions::Direction;
use super::goal::Goal;
use super::machine::Machine;
use super::metric::{Engine, MetricSearch, first_bound, sufficient_length};
use super::near::Near;
use super::running::{Event, EventSink};
use super::solution::proof::{ProofRecord, ProofSearch};
use super::solution::{Found, Phases, Solution, SolveError, StoppedBy};
use super::two_phase::{TwoPhase, TwoPhaseLimits, TwoPhaseStatus};
use crate::control::{Cancelled, Clock, Control};
use crate::tables::{MetricTables, Profile, Tables};
use superflip_cube::{Cube, Move};

/// Greatest length that the last restart accepts. It is far above the 20 moves that suffice, so that a solution is
/// found at once.
pub(crate) const MAX_LENGTH: u8 = 30;

/// Number of moves that suffice for every cube (Rokicki, Kociemba, Davidson, Dethridge 2010).
pub(crate) const GODS_NUMBER: u8 = 20;

/// The reserve is the last part of the time limit, kept for a restart if there is no solution yet. It is the time limit
/// divided by this number, but at most [`MAX_RESERVE`].
const RESERVE: u32 = 10;
/// Greatest reserve. A solution of at most [`RELAXED_LENGTH`] moves is nearly always found in this time.
const MAX_RESERVE: Duration = Duration::from_micros(300);
/// Upper bound of the restart in the reserve.
const RELAXED_LENGTH: u8 = 21;

/// The same for other metrics; no length of a solution of at most 30 moves exceeds it.
const MAX_METRIC_LENGTH: u8 = 60;

/// Returns the limits of the first search of a session.
fn limits(goal: &Goal, at_most: u8, control: &Control, started: Instant, avoided: AvoidedAxes) -> TwoPhaseLimits {
    TwoPhaseLimits {
        at_most,
        target: goal.target_length,
        wanted: goal.solutions,
        empty_deadline: control.deadline().map(|deadline| reserve_begins_at(started, deadline)),
        threads: goal.threads,
        avoided,
    }
}

/// Returns the time at which the reserve begins.
fn reserve_begins_at(started: Instant, deadline: Instant) -> Instant {
    let reserve = (deadline.saturating_duration_since(started) / RESERVE).min(MAX_RESERVE);
    deadline.checked_sub(reserve).unwrap_or(deadline)
}

/// The stage of a session. A stage without a solution is followed by the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Two-phase search with the upper bound of the goal.
    Tight,
    /// Restart in the reserve, with the upper bound [`RELAXED_LENGTH`], until the deadline.
    Relaxed,
    /// Restart with the upper bound [`MAX_LENGTH`] and without a deadline; each phase 2 is cut short.
    Any,
    /// The search has ended.
    Over,
}

/// A running search.
pub(crate) struct Session<'t> {
    cube: Cube,
    goal: Goal,
    control: Control,
    started: Instant,
    profile: Profile,
    stage: Stage,
    /// The solution of the near search, if it found one.
    near: Option<Found>,
    near_nodes: u64,
    /// The iterations, if the goal is a proof or asks for them.
    record: Option<ProofRecord>,
    engine: Engine<'t>,
    halt: Option<Cancelled>,
    reported_bound: u8,
    /// Whether the near solution needs no report: it was reported, or the two-phase search continues and reports it.
    near_is_reported: bool,
}

impl<'t> Session<'t> {
    /// Starts a session and runs the near search, which is short. The ends of its solutions avoid the axes.
    pub(crate) fn new(avoided: AvoidedAxes, tables: &'t Tables, cube: &Cube, goal: &Goal, control: &Control) -> Self {
        let started = Instant::now();
        let mut clock = Clock::new(control);
        let directions = Direction::all(tables, cube);
        let mut lower_bound = Direction::lower_bound(&directions);
        let mut record = (goal.is_proof || goal.is_recorded).then(|| ProofRecord::new(lower_bound));
        let (mut near, mut halt) = (None, None);
        if cube.is_solved() {
            near = Some(Vec::new());
        } else {
            match Near::new(tables, cube, &directions).recorded(lower_bound.max(1), &mut clock, record.as_mut()) {
                Ok(Ok(moves)) if avoided.are_avoided_by(&moves) => near = Some(moves),
                Ok(Ok(moves)) => lower_bound = lower_bound.max(moves.len() as u8),
                Ok(Err(none_below)) => lower_bound = lower_bound.max(none_below),
                Err((halted, exhausted)) => {
                    halt = Some(halted);
                    lower_bound = lower_bound.max(exhausted);
                }
            }
        }
        let at_most = goal.max_length.unwrap_or(MAX_LENGTH).min(GODS_NUMBER.max(goal.target_length));
        let mut shortest = Vec::new();
        if let Some(moves) = near.as_ref().filter(|moves| goal.solutions > 1 && moves.len() <= at_most.into()) {
            let near = Near::new(tables, cube, &directions);
            let (all, halted) = near.collect(moves.len() as u8, goal.solutions, &mut clock);
            (shortest, halt) = (std::iter::once(moves.clone()).chain(all.first).collect(), halted);
        }
        let more = !shortest.is_empty() && halt.is_none();
        let near = near.map(|moves| Found { moves: moves.into(), phases: Phases::Near });
        let known_bound = near.as_ref().map_or(lower_bound, |found| found.moves.len() as u8);
        let limits = limits(goal, at_most, control, started, avoided);
        let two_phase = TwoPhase::new(tables, directions, known_bound, limits, control);
        let mut session = Self {
            cube: *cube,
            goal: goal.clone(),
            control: control.clone(),
            started,
            profile: tables.profile(),
            stage: Stage::Tight,
            near_nodes: clock.nodes(),
            record,
            engine: Engine::TwoPhase(two_phase),
            near,
            halt,
            reported_bound: 0,
            near_is_reported: more,
        };
        for moves in shortest {
            session.engine.best_solutions().offer(Found { moves: moves.into(), phases: Phases::Near });
        }
        match (&session.near, halt) {
            (_, Some(Cancelled::ByCaller)) => session.stage = Stage::Over,
            (Some(_), _) if !more => session.stage = Stage::Over,
            (None, Some(Cancelled::Deadline)) => session.relax(),
            (None, None) if at_most < lower_bound => session.any(),
            (Some(_), _) | (None, None) => {}
        }
        session
    }

    /// Starts a session in a metric other than HTM, or with some turns only, without a near search.
    pub(crate) fn in_metric(
        tables: &'t Tables,
        metric: &'t MetricTables,
        cube: &Cube,
        goal: &Goal,
        control: &Control,
    ) -> Self {
        let started = Instant::now();
        let most = first_bound(metric.set()).unwrap_or(MAX_METRIC_LENGTH).max(goal.target_length);
        let at_most = goal.max_length.map_or(most, |longest| longest.min(most));
        let limits = limits(goal, at_most, control, started, AvoidedAxes::default());
        let engine = MetricSearch::new(metric, goal.turns, cube, limits, control);
        let lower_bound = engine.lower_bound();
        let mut session = Self {
            cube: *cube,
            goal: goal.clone(),
            control: control.clone(),
            started,
            profile: tables.profile(),
            stage: Stage::Tight,
            near: None,
            near_nodes: 0,
            record: (goal.is_proof || goal.is_recorded).then(|| ProofRecord::new(lower_bound)),
            engine: Engine::Metric(Box::new(engine)),
            halt: None,
            reported_bound: 0,
            near_is_reported: false,
        };
        if at_most < lower_bound {
            session.any();
        }
        session
    }

    /// Answers with the cheapest solutions on a machine, at most `kept`.
    pub(crate) fn price(&mut self, machine: &Arc<Machine>, kept: usize) {
        // With some turns only, solutions are rare.
        self.engine.price(machine, kept, !self.goal.turns.is_all());
    }

    /// Searches for some microseconds, or with several threads for some milliseconds, and reports events. Returns
    /// whether the search has ended.
    pub(crate) fn advance(&mut self, sink: EventSink<'_>) -> bool {
        if self.stage != Stage::Over {
            let (cube, before, metric) = (&self.cube, self.near_nodes, self.goal.metric);
            let longest = self.goal.max_length.map_or(usize::MAX, usize::from);
            let progress = self.engine.advance(&mut |found, nodes| {
                replay(cube, &found.moves);
                // A solution longer than `max_length` is not reported. The error contains its length.
                if metric.length(&found.moves) <= longest {
                    sink(Event::Solution(found.clone()), before + nodes);
                }
            });
            self.follow(progress);
        }
        if self.lower_bound() > self.reported_bound {
            self.reported_bound = self.lower_bound();
            sink(Event::LowerBound(self.reported_bound), self.nodes());
        }
        if let Some(found) = self.near.as_ref().filter(|found| {
            let longest = self.goal.max_length.map_or(usize::MAX, usize::from);
            self.stage == Stage::Over && !self.near_is_reported && found.moves.len() <= longest
        }) {
            self.near_is_reported = true;
            replay(&self.cube, &found.moves);
            sink(Event::Solution(found.clone()), self.nodes());
        }
        self.report_record(sink);
        self.stage == Stage::Over
    }

    /// Reports the iterations of the near search, and at the end the two-phase search as one more.
    fn report_record(&mut self, sink: EventSink<'_>) {
        let (is_over, bound, nodes) = (self.stage == Stage::Over, self.lower_bound(), self.nodes());
        let Some(record) = &mut self.record else { return };
        if is_over {
            let length = |found: &Found| self.goal.metric.length(&found.moves);
            let found = self.engine.best_solutions().found().first().map(length);
            let best = found.into_iter().chain(self.near.as_ref().map(length)).min();
            record.add(ProofSearch::TwoPhase, None, bound, best.map(|length| length as u8), nodes);
        }
        if let Some(proof) = record.news() {
            sink(Event::Proof(proof), nodes);
        }
    }

    /// Handles the status of the two-phase search.
    fn follow(&mut self, progress: TwoPhaseStatus) {
        match progress {
            TwoPhaseStatus::Going => {}
            TwoPhaseStatus::Halted(Cancelled::ByCaller) => {
                self.halt = Some(Cancelled::ByCaller);
                self.stage = Stage::Over;
            }
            TwoPhaseStatus::Halted(Cancelled::Deadline) => {
                self.halt = Some(Cancelled::Deadline);
                if self.engine.has_found() {
                    self.stage = Stage::Over;
                } else {
                    self.relax();
                }
            }
            TwoPhaseStatus::Over if self.engine.has_found() => self.stage = Stage::Over,
            TwoPhaseStatus::Over => self.any(),
        }
    }

    /// Enters [`Stage::Relaxed`] from [`Stage::Tight`] before the deadline, else [`Stage::Any`].
    fn relax(&mut self) {
        // Restricted turns begin with the greatest length.
        if self.stage == Stage::Tight && self.goal.turns.is_all() && self.control.check().is_ok() {
            self.stage = Stage::Relaxed;
            let relaxed = RELAXED_LENGTH - GODS_NUMBER + sufficient_length(self.goal.metric);
            self.engine.restart_relaxed(relaxed, &self.control, false);
        } else {
            self.any();
        }
    }

    /// Enters [`Stage::Any`], in which any solution is found soon.
    pub(crate) fn any(&mut self) {
        if self.stage == Stage::Any {
            // Unreachable: every cube has a solution of 20 moves (26 in QTM), and more are allowed.
            self.stage = Stage::Over;
            return;
        }
        self.stage = Stage::Any;
        let most = if matches!(self.engine, Engine::TwoPhase(_)) { MAX_LENGTH } else { MAX_METRIC_LENGTH };
        self.engine.restart_relaxed(most, &self.control.with_deadline(None), true);
    }

    /// Takes the record of the near search.
    pub(crate) fn take_record(&mut self) -> Option<ProofRecord> {
        self.record.take()
    }

    /// Returns whether there is a solution.
    pub(crate) fn has_found(&self) -> bool {
        self.near.is_some() || self.engine.has_found()
    }

    /// Returns the number of nodes so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.near_nodes + self.engine.nodes()
    }

    /// Returns the lower bound so far.
    pub(crate) fn lower_bound(&self) -> u8 {
        self.near.as_ref().map_or_else(|| self.engine.lower_bound(), |near| near.moves.len() as u8)
    }

    /// Returns the solution of a session that has ended.
    ///
    /// # Errors
    /// When the search was cancelled, or found nothing within `max_length`.
    ///
    /// # Panics
    /// When a solution does not solve the cube, which is a bug.
    pub(crate) fn solution(&self) -> Result<Solution, SolveError> {
        if self.halt == Some(Cancelled::ByCaller) {
            return Err(SolveError::Cancelled { nodes: self.nodes() });
        }
        let best = self.engine.best_solutions();
        let mut found = best.found().clone();
        let mut answers = best.answers();
        if found.is_empty() {
            found.extend(self.near.clone());
            answers.clone_from(&found);
        }
        for found in &answers {
            replay(&self.cube, &found.moves);
        }
        let (lower_bound, nodes) = (self.lower_bound(), self.nodes());
        let metric = self.goal.metric;
        let is_complete = found.len() == self.goal.solutions.max(1)
            && found.last().is_some_and(|worst| metric.length(&worst.moves) <= usize::from(self.goal.target_length));
        let length = found.first().map(|shortest| metric.length(&shortest.moves) as u8);
        let length = length.ok_or(SolveError::Cancelled { nodes })?;
        if let Some(max_length) = self.goal.max_length.filter(|&max| length > max) {
            return Err(SolveError::NoneWithin { max_length, best_length: length, lower_bound, nodes });
        }
        let proven_optimal = length == lower_bound;
        let mut answers = answers.into_iter();
        let best = answers.next().ok_or(SolveError::Cancelled { nodes })?;
        Ok(Solution {
            stopped_by: match self.halt {
                _ if proven_optimal && self.goal.solutions <= 1 => StoppedBy::ProvenOptimal,
                _ if is_complete => StoppedBy::TargetLength,
                Some(_) => StoppedBy::TimeLimit,
                None => StoppedBy::ProvenOptimal,
            },
            moves: best.moves,
            phases: best.phases,
            others: answers.collect(),
            optimal_solutions: None,
            proof: self.record.as_ref().map(|record| record.proof().clone()),
            profile: self.profile,
            metric,
            lower_bound,
            nodes,
            elapsed: self.started.elapsed(),
        })
    }
}

/// Proves a shortest solution with the near search alone, and reports events to `sink`.
///
/// # Errors
/// As [`Search::finish`](super::Search::finish).
pub(crate) fn prove_near(
    tables: &Tables,
    cube: &Cube,
    goal: &Goal,
    control: &Control,
    sink: EventSink<'_>,
) -> Result<Solution, SolveError> {
    // With target length 0 the search ends only at a proof.
    let single = goal.clone().target_length(0).solutions(1).threads(1);
    let mut session = Session::new(AvoidedAxes::default(), tables, cube, &single, control);
    let (lower_bound, nodes) = (session.lower_bound(), session.nodes());
    // A bound above `max_length` is a proof too: there is no such solution.
    let is_far = session.near.is_none() && session.halt.is_none();
    if is_far && goal.max_length.is_none_or(|most| lower_bound <= most) {
        return Err(SolveError::Unproven { lower_bound, nodes });
    }
    let record = session.take_record();
    while !session.advance(sink) {}
    let mut solution = session.solution()?;
    if !goal.all_shortest || !solution.is_optimal() {
        solution.proof = record.map(ProofRecord::finish);
        return Ok(solution);
    }
    let mut clock = Clock::new(control);
    let near = Near::new(tables, cube, &Direction::all(tables, cube));
    let (all, halt) = near.collect(solution.lower_bound, goal.solutions, &mut clock);
    solution.nodes += clock.nodes();
    solution.proof = record.map(|mut record| {
        let length = Some(solution.lower_bound);
        record.add(ProofSearch::Near, length, solution.lower_bound, length, solution.nodes);
        record.finish()
    });
    if halt == Some(Cancelled::ByCaller) {
        return Err(SolveError::Cancelled { nodes: solution.nodes });
    }
    let mut found = all.first.into_iter().map(|moves| Found { moves: moves.into(), phases: Phases::Near });
    if let Some(first) = found.next() {
        solution.moves = first.moves;
    }
    solution.others = found.collect();
    solution.all().for_each(|moves| replay(cube, moves));
    match halt {
        None => solution.optimal_solutions = Some(all.count),
        Some(_) => solution.stopped_by = StoppedBy::TimeLimit,
    }
    solution.elapsed = session.started.elapsed();
    Ok(solution)
}

/// Replays a solution on the cube.
///
/// # Panics
/// When it does not solve the cube, which is a bug.
pub(crate) fn replay(cube: &Cube, moves: &[Move]) {
    assert!(cube.after(moves).is_solved(), "a solution was found that does not solve {cube:?}");
}
