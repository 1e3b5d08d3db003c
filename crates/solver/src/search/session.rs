//! One search from start to answer; the entry point [`solve`].
//!
//! A [`Session`] runs the near search, then the two-phase search, and restarts the latter with a larger upper bound
//! when time is short. It advances in time slices: each call of [`Session::advance`] advances the two-phase search.

use std::time::{Duration, Instant};

use super::avoided_axes::AvoidedAxes;
use super::directions::Direction;
use super::near::Near;
use super::observer::{SearchEvent, SearchObserver};
use super::options::Options;
use super::solution::{Found, Outcome, Phases, SearchError, StoppedBy};
use super::stop::{Clock, Halt, Stop};
use super::two_phase::{SearchBuffers, TwoPhase, TwoPhaseLimits, TwoPhaseStatus};
use super::{frames, two_phase};
use crate::tables::Tables;
use superflip_cube::Cube;

/// Greatest length that the last restart accepts. It is far above the 20 turns that suffice, so that a solution is
/// found at once.
const MAX_LENGTH: u8 = 30;

/// Number of turns that suffice for every cube (Rokicki, Kociemba, Davidson, Dethridge 2010).
const GODS_NUMBER: u8 = 20;

/// The reserve is the last part of the time limit, kept for a restart if there is no solution yet. It is the time limit
/// divided by this number, but at most [`MAX_RESERVE`].
const RESERVE: u32 = 10;
/// Greatest reserve. A solution of at most [`RELAXED_LENGTH`] turns is nearly always found in this time.
const MAX_RESERVE: Duration = Duration::from_micros(300);
/// Upper bound of the restart in the reserve.
const RELAXED_LENGTH: u8 = 21;

/// Returns the time at which the reserve begins.
fn reserve_begins_at(started: Instant, deadline: Instant) -> Instant {
    let reserve = (deadline.saturating_duration_since(started) / RESERVE).min(MAX_RESERVE);
    deadline.checked_sub(reserve).unwrap_or(deadline)
}

/// The stage of a session. A stage without a solution is followed by the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Two-phase search with the upper bound of the options.
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
    options: Options,
    started: Instant,
    stage: Stage,
    /// The solution of the near search, if it found one.
    near: Option<Found>,
    near_nodes: u64,
    two_phase: TwoPhase<'t>,
    halt: Option<Halt>,
    reported_bound: u8,
    /// Whether the near solution needs no report: it was reported, or the two-phase search continues and reports it.
    near_is_reported: bool,
}

impl<'t> Session<'t> {
    /// Starts a session and runs the near search, which is short. `buffers` come from a previous session.
    pub(crate) fn new(tables: &'t Tables, cube: &Cube, options: &Options, stop: &Stop, buffers: SearchBuffers) -> Self {
        Self::avoiding(AvoidedAxes::default(), tables, cube, options, stop, buffers)
    }

    /// Starts a session as [`Session::new`] does. The ends of its solutions avoid the axes.
    pub(crate) fn avoiding(
        avoided: AvoidedAxes,
        tables: &'t Tables,
        cube: &Cube,
        options: &Options,
        stop: &Stop,
        buffers: SearchBuffers,
    ) -> Self {
        let started = Instant::now();
        let mut clock = Clock::new(stop, options.deadline);
        let directions = Direction::all(tables, cube);
        let mut lower_bound = directions.iter().map(|d| d.start.distance).max().unwrap_or(0);
        let (mut near, mut halt) = (None, None);
        if cube.is_solved() {
            near = Some(Vec::new());
        } else {
            match Near::new(tables, cube, &directions).search(lower_bound.max(1), &mut clock) {
                Ok(Ok(moves)) if avoided.are_avoided_by(&moves) => near = Some(moves),
                Ok(Ok(moves)) => lower_bound = lower_bound.max(moves.len() as u8),
                Ok(Err(none_below)) => lower_bound = lower_bound.max(none_below),
                Err((halted, exhausted)) => {
                    halt = Some(halted);
                    lower_bound = lower_bound.max(exhausted);
                }
            }
        }
        let at_most = options.max_length.unwrap_or(MAX_LENGTH).min(GODS_NUMBER.max(options.target_length));
        let mut shortest = Vec::new();
        if let Some(moves) = near.as_ref().filter(|moves| options.solutions > 1 && moves.len() <= at_most.into()) {
            let near = Near::new(tables, cube, &directions);
            let (all, halted) = near.collect(moves.len() as u8, options.solutions, &mut clock);
            (shortest, halt) = (std::iter::once(moves.clone()).chain(all.first).collect(), halted);
        }
        let more = !shortest.is_empty() && halt.is_none();
        let near = near.map(|moves| Found { moves, phases: Phases::Near });
        let mut session = Self {
            cube: *cube,
            options: options.clone(),
            started,
            stage: Stage::Tight,
            near_nodes: clock.nodes(),
            two_phase: TwoPhase::new(
                tables,
                directions,
                near.as_ref().map_or(lower_bound, |found| found.moves.len() as u8),
                TwoPhaseLimits {
                    at_most,
                    target: options.target_length,
                    wanted: options.solutions,
                    deadline: options.deadline,
                    empty_deadline: options.deadline.map(|deadline| reserve_begins_at(started, deadline)),
                    threads: options.threads,
                    avoided,
                },
                stop.clone(),
                buffers,
            ),
            near,
            halt,
            reported_bound: 0,
            near_is_reported: more,
        };
        for moves in shortest {
            session.two_phase.offer(Found { moves, phases: Phases::Near });
        }
        match (&session.near, halt) {
            (_, Some(Halt::Cancelled)) => session.stage = Stage::Over,
            (Some(_), _) if !more => session.stage = Stage::Over,
            (None, Some(Halt::Deadline)) => session.relax(),
            (None, None) if at_most < lower_bound => session.any(),
            (Some(_), _) | (None, None) => {}
        }
        session
    }

    /// Searches for some microseconds, or with several threads for some milliseconds, and reports events. Returns
    /// whether the search has ended.
    pub(crate) fn advance(&mut self, observer: SearchObserver<'_>) -> bool {
        if self.stage != Stage::Over {
            let (cube, before) = (&self.cube, self.near_nodes);
            let longest = self.options.max_length.map_or(usize::MAX, usize::from);
            let progress = self.two_phase.advance(&mut |found, nodes| {
                replay(cube, found);
                // A solution longer than `max_length` is not reported. The error contains its length.
                if found.moves.len() <= longest {
                    observer(SearchEvent::Solution(found), before + nodes);
                }
            });
            self.follow(progress);
        }
        if self.lower_bound() > self.reported_bound {
            self.reported_bound = self.lower_bound();
            observer(SearchEvent::LowerBound(self.reported_bound), self.nodes());
        }
        if let Some(found) = self.near.as_ref().filter(|found| {
            let longest = self.options.max_length.map_or(usize::MAX, usize::from);
            self.stage == Stage::Over && !self.near_is_reported && found.moves.len() <= longest
        }) {
            self.near_is_reported = true;
            replay(&self.cube, found);
            observer(SearchEvent::Solution(found), self.nodes());
        }
        self.stage == Stage::Over
    }

    /// Handles the status of the two-phase search.
    fn follow(&mut self, progress: TwoPhaseStatus) {
        match progress {
            TwoPhaseStatus::Going => {}
            TwoPhaseStatus::Halted(Halt::Cancelled) => {
                self.halt = Some(Halt::Cancelled);
                self.stage = Stage::Over;
            }
            TwoPhaseStatus::Halted(Halt::Deadline) => {
                self.halt = Some(Halt::Deadline);
                if self.two_phase.has_found() {
                    self.stage = Stage::Over;
                } else {
                    self.relax();
                }
            }
            TwoPhaseStatus::Over if self.two_phase.has_found() => self.stage = Stage::Over,
            TwoPhaseStatus::Over => self.any(),
        }
    }

    fn is_before_deadline(&self) -> bool {
        self.options.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Enters [`Stage::Relaxed`] from [`Stage::Tight`] before the deadline, else [`Stage::Any`].
    fn relax(&mut self) {
        if self.stage == Stage::Tight && self.is_before_deadline() {
            self.stage = Stage::Relaxed;
            self.two_phase.restart_relaxed(RELAXED_LENGTH, self.options.deadline, false);
        } else {
            self.any();
        }
    }

    /// Enters [`Stage::Any`].
    fn any(&mut self) {
        if self.stage == Stage::Any {
            // Unreachable: every cube has a solution of 20 turns, and 30 are allowed.
            self.stage = Stage::Over;
            return;
        }
        self.stage = Stage::Any;
        self.two_phase.restart_relaxed(MAX_LENGTH, None, true);
    }

    fn nodes(&self) -> u64 {
        self.near_nodes + self.two_phase.nodes()
    }

    fn lower_bound(&self) -> u8 {
        self.near.as_ref().map_or_else(|| self.two_phase.lower_bound(), |near| near.moves.len() as u8)
    }

    /// Ends the session and returns its buffers for the next one.
    pub(crate) fn into_buffers(self) -> SearchBuffers {
        self.two_phase.into_buffers()
    }

    /// Returns the outcome.
    ///
    /// # Errors
    /// When the search was cancelled, or found nothing within `max_length`.
    ///
    /// # Panics
    /// When a solution does not solve the cube, which is a bug.
    pub(crate) fn outcome(&self) -> Result<Outcome, SearchError> {
        if self.halt == Some(Halt::Cancelled) {
            return Err(SearchError::Cancelled { nodes: self.nodes() });
        }
        let mut found = self.two_phase.found();
        if found.is_empty() {
            found.extend(self.near.clone());
        }
        for found in &found {
            replay(&self.cube, found);
        }
        let (lower_bound, nodes) = (self.lower_bound(), self.nodes());
        let is_complete = found.len() == self.options.solutions.max(1)
            && found.last().is_some_and(|worst| worst.moves.len() <= usize::from(self.options.target_length));
        let mut found = found.into_iter();
        let best = found.next().ok_or(SearchError::Cancelled { nodes })?;
        let length = best.moves.len() as u8;
        if let Some(max_length) = self.options.max_length.filter(|&max| length > max) {
            return Err(SearchError::NoSolutionWithinLimits { max_length, best_length: length, lower_bound, nodes });
        }
        let proven_optimal = length == lower_bound;
        Ok(Outcome {
            stopped_by: match self.halt {
                _ if proven_optimal && self.options.solutions <= 1 => StoppedBy::ProvenOptimal,
                _ if is_complete => StoppedBy::TargetLength,
                Some(_) => StoppedBy::TimeLimit,
                None => StoppedBy::ProvenOptimal,
            },
            moves: best.moves,
            phases: best.phases,
            others: found.collect(),
            optimal_solutions: None,
            lower_bound,
            proven_optimal,
            nodes,
            elapsed: self.started.elapsed(),
        })
    }
}

/// Solves the cube if the near search alone proves the answer.
///
/// # Errors
/// As [`Proof::solve`](super::Proof::solve).
pub(crate) fn solve_near(
    tables: &Tables,
    cube: &Cube,
    options: &Options,
    stop: &Stop,
    observer: SearchObserver<'_>,
) -> Result<Outcome, SearchError> {
    // With target length 0 the search ends only at a proof.
    let single = Options { target_length: 0, solutions: 1, threads: 1, ..options.clone() };
    let mut session = Session::new(tables, cube, &single, stop, SearchBuffers::default());
    let (lower_bound, nodes) = (session.lower_bound(), session.nodes());
    // A bound above `max_length` is a proof too: there is no such solution.
    let is_far = session.near.is_none() && session.halt.is_none();
    if is_far && options.max_length.is_none_or(|most| lower_bound <= most) {
        return Err(SearchError::Unproven { lower_bound, nodes });
    }
    while !session.advance(observer) {}
    let mut outcome = session.outcome()?;
    if !options.all_optimal || !outcome.proven_optimal {
        return Ok(outcome);
    }
    let mut clock = Clock::new(stop, options.deadline);
    let near = Near::new(tables, cube, &Direction::all(tables, cube));
    let (all, halt) = near.collect(outcome.lower_bound, options.solutions, &mut clock);
    outcome.nodes += clock.nodes();
    if halt == Some(Halt::Cancelled) {
        return Err(SearchError::Cancelled { nodes: outcome.nodes });
    }
    let mut found = all.first.into_iter().map(|moves| Found { moves, phases: Phases::Near });
    if let Some(first) = found.next() {
        outcome.moves = first.moves;
    }
    outcome.others = found.collect();
    for moves in std::iter::once(&outcome.moves).chain(outcome.others.iter().map(|other| &other.moves)) {
        assert!(cube.after(moves).is_solved(), "a solution was found that does not solve {cube:?}");
    }
    match halt {
        None => outcome.optimal_solutions = Some(all.count),
        Some(_) => outcome.stopped_by = StoppedBy::TimeLimit,
    }
    outcome.elapsed = session.started.elapsed();
    Ok(outcome)
}

fn replay(cube: &Cube, found: &Found) {
    assert!(cube.after(&found.moves).is_solved(), "a solution was found that does not solve {cube:?}");
}

/// Computes the static tables of the search, which takes some milliseconds. Calling it is optional: otherwise the first
/// search computes them.
pub fn prepare() {
    std::sync::LazyLock::force(&frames::FRAMES);
    two_phase::prepare();
}

/// Solves the cube. The solution is optimal if the cube is at most ten turns from solved. Otherwise the search ends
/// when a solution has at most `target_length` turns, when the deadline passes, or when no shorter solution exists.
///
/// Unless the search is cancelled or limited by `max_length`, it returns a solution. If there is none at the deadline,
/// the search continues after it, which takes about a millisecond.
///
/// # Examples
/// ```no_run
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
///
/// use superflip_cube::Cube;
/// use superflip_solver::search::{Options, Stop, solve};
/// use superflip_solver::tables::{Profile, Quiet, Tables};
///
/// let tables = Tables::open_or_build(Path::new("tables"), Profile::Small, &Quiet, &AtomicBool::new(false))?;
/// let cube = Cube::from_scramble("R U R' U' F2 D L2 B' U2 R2 F D2")?;
/// let options = Options { target_length: 19, ..Options::default() };
/// let outcome = solve(&tables, &cube, &options, &Stop::default())?;
/// assert!(cube.after(&outcome.moves).is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SearchError::Cancelled`] when `stop` was set, [`SearchError::NoSolutionWithinLimits`] when `max_length` was not met.
///
/// # Panics
/// When a solution does not solve the cube, which is a bug.
pub fn solve(tables: &Tables, cube: &Cube, options: &Options, stop: &Stop) -> Result<Outcome, SearchError> {
    solve_watched(tables, cube, options, stop, &mut |_, _| {})
}

/// Solves the cube as [`solve`] does and reports events to an observer.
///
/// # Errors
/// As [`solve`].
///
/// # Panics
/// As [`solve`].
pub fn solve_watched(
    tables: &Tables,
    cube: &Cube,
    options: &Options,
    stop: &Stop,
    observer: SearchObserver<'_>,
) -> Result<Outcome, SearchError> {
    let mut session = Session::new(tables, cube, options, stop, SearchBuffers::default());
    while !session.advance(observer) {}
    session.outcome()
}
