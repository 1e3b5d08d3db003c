//! Searches: from a cube and tables to a short solution.
//!
//! A [`Search`] is the entry point. It runs the near search ([`near`]), which finds optimal solutions of at most ten
//! moves. If there is none, it runs the two-phase algorithm ([`two_phase`]), or with a coset table a proof
//! ([`optimal`]). Every solution is replayed on the cube before it is returned.
//!
//! A search blocks its thread; an async caller runs it on a thread of its own. Internally, a session runs the near search
//! and the two-phase search, which contains the walker of phase 1. Each of them advances in time slices of some
//! microseconds, so that several searches can be [`Interleaved`] on one thread.
//!
//! `docs/search.md` explains the algorithms and has the measurements.

pub mod avoided_axes;
pub mod directions;
pub mod frames;
pub mod goal;
pub mod many;
pub mod near;
pub mod optimal;
pub mod running;
pub mod scramble;
mod session;
pub mod solution;
pub mod two_phase;

pub use goal::{Goal, MAX_SOLUTIONS};
pub use many::Interleaved;
pub use running::{Event, EventSink, Search};
pub use solution::{Found, Phases, Solution, SolveError, StoppedBy};

/// Computes the static tables of the search, which takes some milliseconds. Calling it is optional: otherwise the first
/// search computes them.
pub fn prepare() {
    std::sync::LazyLock::force(&frames::FRAMES);
    two_phase::prepare();
}
