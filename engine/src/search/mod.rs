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
pub mod optimal;
pub mod options;
pub mod proof;
mod session;
pub mod solution;
pub mod stop;
pub mod two_phase;
pub mod watch;

pub use many::solve_many;
pub use optimal::solve_optimal;
pub use options::Options;
pub use proof::Proof;
pub use solution::{Found, Outcome, Phases, SearchError, StoppedBy};
pub use stop::Stop;
pub use watch::{Event, Watch};

use crate::cube::Cube;
use crate::tables::Tables;
use session::Session;
use two_phase::Spare;

/// Makes what all searches share, some milliseconds of work, so that the first one need not wait for it. Searches work without
/// it all the same.
pub fn prepare() {
    std::sync::LazyLock::force(&frames::FRAMES);
    two_phase::prepare();
}

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
    let mut session = Session::new(tables, cube, options, stop, Spare::default());
    while !session.advance(watch) {}
    session.outcome()
}
