//! One search from start to answer, in time slices; the entry point [`solve`].

use std::time::{Duration, Instant};

use super::directions::Direction;
use super::near::Near;
use super::observer::{SearchEvent, SearchObserver};
use super::options::Options;
use super::solution::{Found, Outcome, Phases, SearchError, StoppedBy};
use super::stop::{Clock, Halt, Stop};
use super::two_phase::{SearchBuffers, TwoPhase, TwoPhaseLimits, TwoPhaseStatus};
use super::{frames, two_phase};
use crate::cube::Cube;
use crate::tables::Tables;

/// Greatest length of any solution that the search accepts. Every cube has one of 20 (Rokicki, Kociemba, Davidson,
/// Dethridge 2010).
const LONGEST: u8 = 30;

/// Every cube can be solved in this many turns, so a search for at most that many turns succeeds.
const GODS_NUMBER: u8 = 20;

/// Divisor of the time limit that gives the reserve for finding any solution; at most [`MOST_RESERVE`].
const RESERVE: u32 = 10;
/// Time in which a solution of at most [`RELAXED_LENGTH`] turns is nearly always found.
const MOST_RESERVE: Duration = Duration::from_micros(300);
/// Greatest length accepted by the last search before the deadline.
const RELAXED_LENGTH: u8 = 21;

/// Returns when the tight search ends if it has found nothing.
fn soft(started: Instant, deadline: Instant) -> Instant {
    let reserve = (deadline.saturating_duration_since(started) / RESERVE).min(MOST_RESERVE);
    deadline.checked_sub(reserve).unwrap_or(deadline)
}

/// The stage of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The two-phase search under the tight bound.
    Tight,
    /// The deadline is near and there is no solution: a looser bound, until the deadline.
    Relaxed,
    /// Any solution, as fast as possible.
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
    /// Whether the near solution was reported. The two-phase search reports solutions offered to it.
    reported_near: bool,
}

impl<'t> Session<'t> {
    /// Starts a session and runs the near search, which is short. `buffers` come from a previous session.
    pub(crate) fn new(tables: &'t Tables, cube: &Cube, options: &Options, stop: &Stop, buffers: SearchBuffers) -> Self {
        let started = Instant::now();
        let mut clock = Clock::new(stop, options.deadline);
        let directions = Direction::all(tables, cube);
        let mut lower_bound = directions.iter().map(|d| d.start.distance).max().unwrap_or(0);
        let (mut near, mut halt) = (None, None);
        if cube.is_solved() {
            near = Some(Vec::new());
        } else {
            match Near::new(tables, cube, &directions).search(lower_bound.max(1), &mut clock) {
                Ok(Ok(moves)) => near = Some(moves),
                Ok(Err(none_below)) => lower_bound = lower_bound.max(none_below),
                Err((halted, exhausted)) => {
                    halt = Some(halted);
                    lower_bound = lower_bound.max(exhausted);
                }
            }
        }
        let near = near.map(|moves| Found { moves, phases: Phases::Near });
        let at_most = options.max_length.unwrap_or(LONGEST).min(GODS_NUMBER.max(options.target_length));
        let more = options.solutions > 1 && !cube.is_solved();
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
                    empty_deadline: options.deadline.map(|deadline| soft(started, deadline)),
                    threads: options.threads,
                },
                stop.clone(),
                buffers,
            ),
            near,
            halt,
            reported_bound: 0,
            reported_near: more,
        };
        match (&session.near, halt) {
            (_, Some(Halt::Cancelled)) => session.stage = Stage::Over,
            (Some(_), _) if !more => session.stage = Stage::Over,
            (Some(found), _) => session.two_phase.offer(found.clone()),
            (None, Some(Halt::Deadline)) => session.relax(),
            (None, None) if at_most < lower_bound => session.any(),
            (None, None) => {}
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
                // A solution that is too long is kept for the error, but not reported.
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
            self.stage == Stage::Over && !self.reported_near && found.moves.len() <= longest
        }) {
            self.reported_near = true;
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

    /// Continues with the next stage, which accepts longer solutions.
    fn relax(&mut self) {
        if self.stage == Stage::Tight && self.is_before_deadline() {
            self.stage = Stage::Relaxed;
            self.two_phase.restart_relaxed(RELAXED_LENGTH, self.options.deadline, false);
        } else {
            self.any();
        }
    }

    fn any(&mut self) {
        if self.stage == Stage::Any {
            // Cannot happen: every cube has a solution of 20 turns, and 30 are allowed.
            self.stage = Stage::Over;
            return;
        }
        self.stage = Stage::Any;
        self.two_phase.restart_relaxed(LONGEST, None, true);
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
    let (all, halt) = match near.collect(outcome.lower_bound, options.solutions, &mut clock) {
        Ok(all) => (all, None),
        Err((halt, all)) => (all, Some(halt)),
    };
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

/// Computes the static tables of the search, some milliseconds of work, so that the first search need not. Calling it
/// is optional.
pub fn prepare() {
    std::sync::LazyLock::force(&frames::FRAMES);
    two_phase::prepare();
}

/// Solves the cube. The solution is optimal if the cube is at most ten turns from solved. Otherwise the search
/// continues until a solution has at most `target_length` turns, the deadline passes, or nothing shorter exists. A
/// search that has begun always finds a solution, after the deadline if necessary.
///
/// # Examples
/// ```no_run
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
///
/// use superflip_engine::cube::input::parse_scramble;
/// use superflip_engine::search::{Options, Stop, solve};
/// use superflip_engine::tables::{Profile, Quiet, Tables};
///
/// let tables = Tables::open_or_build(Path::new("tables"), Profile::Small, &Quiet, &AtomicBool::new(false))?;
/// let cube = parse_scramble("R U R' U' F2 D L2 B' U2 R2 F D2")?;
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
