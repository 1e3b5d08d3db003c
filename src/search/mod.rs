//! The engine: from a cube and tables to a short solution that was replayed.
//!
//! [`solve`] is the door. It looks for a shortest solution of at most ten turns first ([`near`]), which costs a far cube
//! next to nothing, and then runs the two-phase algorithm over six directions ([`two_phase`]): the three axes, of the
//! cube and of its inverse. It blocks and computes; whoever calls it from an async world does so from a thread of its
//! own. `docs/search.md` has the theory and the measurements.

pub mod directions;
pub mod explain;
pub mod frames;
pub mod many;
pub mod near;
pub mod options;
pub mod solution;
pub mod stop;
pub mod two_phase;
pub mod watch;

pub use many::solve_many;
pub use options::Options;
pub use solution::{Found, Outcome, Phases, SearchError, StoppedBy};
pub use stop::Stop;
pub use watch::{Event, Watch};

use std::time::Instant;

use crate::cube::Cube;
use crate::tables::Tables;
use directions::Direction;
use near::Near;
use stop::Halt;
use two_phase::TwoPhase;

/// Longest solution that anyone would call one; every cube has one of 20 (Rokicki, Kociemba, Davidson, Dethridge 2010).
const LONGEST: u8 = 30;
/// Every cube can be solved in this many turns, so a search for at most that many ends with one.
const GODS_NUMBER: u8 = 20;

/// Solves the cube. The answer is shortest when the cube is at most ten turns from solved; otherwise the search goes on
/// until a solution has `target_length` turns or fewer, the deadline passes, or nothing shorter can exist. A search
/// that has begun ends with a solution, if need be after the deadline.
///
/// # Errors
/// [`SearchError::Cancelled`] when `stop` was set, [`SearchError::NoSolutionWithinLimits`] when `max_length` was not met.
///
/// # Panics
/// When a solution does not solve the cube, which is a bug and must not reach anyone as an answer.
pub fn solve(tables: &Tables, cube: &Cube, options: &Options, stop: &Stop) -> Result<Outcome, SearchError> {
    solve_watched(tables, cube, options, stop, &mut |_, _| {})
}

/// [`solve`], told as it goes on.
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
    watch: Watch<'_>,
) -> Result<Outcome, SearchError> {
    let started = Instant::now();
    let mut clock = stop::Clock::new(stop, options.deadline);
    let (found, lower_bound, halt) = run(tables, cube, options, &mut clock)?;
    assert!(cube.after(&found.moves).is_solved(), "a solution was found that does not solve {cube:?}");
    let length = found.moves.len() as u8;
    watch(Event::LowerBound(lower_bound), clock.nodes());
    watch(Event::Solution(&found), clock.nodes());
    if let Some(max_length) = options.max_length.filter(|&max| length > max) {
        return Err(SearchError::NoSolutionWithinLimits {
            max_length,
            best_length: length,
            lower_bound,
            nodes: clock.nodes(),
        });
    }
    let proven_optimal = length == lower_bound;
    Ok(Outcome {
        stopped_by: match halt {
            _ if proven_optimal => StoppedBy::ProvenOptimal,
            Some(_) if length > options.target_length => StoppedBy::TimeLimit,
            _ => StoppedBy::TargetLength,
        },
        moves: found.moves,
        phases: found.phases,
        others: Vec::new(),
        lower_bound,
        proven_optimal,
        nodes: clock.nodes(),
        elapsed: started.elapsed(),
    })
}

/// The best solution found, the length below which there is none, and what halted the search if something did.
fn run(
    tables: &Tables,
    cube: &Cube,
    options: &Options,
    clock: &mut stop::Clock<'_>,
) -> Result<(Found, u8, Option<Halt>), SearchError> {
    if cube.is_solved() {
        return Ok((Found { moves: Vec::new(), phases: Phases::Near }, 0, None));
    }
    let directions = Direction::all(tables, cube);
    let mut lower_bound = directions.iter().map(|d| d.start.distance).max().unwrap_or(0).max(1);
    let mut halt = None;
    match Near::new(tables, cube, &directions).search(lower_bound, clock) {
        Ok(Ok(moves)) => {
            let length = moves.len() as u8;
            return Ok((Found { moves, phases: Phases::Near }, length, None));
        }
        Ok(Err(none_below)) => lower_bound = lower_bound.max(none_below),
        Err(Halt::Cancelled) => return Err(SearchError::Cancelled),
        Err(Halt::Deadline) => halt = Some(Halt::Deadline),
    }
    let mut two_phase = TwoPhase::new(tables, directions, lower_bound);
    let at_most = options.max_length.unwrap_or(LONGEST).min(GODS_NUMBER.max(options.target_length));
    if halt.is_none() && at_most >= lower_bound {
        halt = two_phase.improve(at_most, options.target_length, clock).err();
    }
    if halt == Some(Halt::Cancelled) {
        return Err(SearchError::Cancelled);
    }
    if two_phase.best().is_none() {
        // Out of time, or proven that nothing is short enough: any solution, as fast as one can be had.
        clock.forget_deadline();
        two_phase.first(LONGEST, clock).map_err(|_| SearchError::Cancelled)?;
    }
    let lower_bound = two_phase.lower_bound();
    let found = two_phase.into_best().ok_or(SearchError::Cancelled)?;
    Ok((found, lower_bound, halt))
}
