//! Searches: from a cube and tables to a short solution.
//!
//! [`solve`] is the entry point. It runs the near search ([`near`]), which finds optimal solutions of at most ten
//! turns. If there is none, it runs the two-phase algorithm ([`two_phase`]). [`solve_optimal`] also proves its solution
//! ([`optimal`]). Every solution is replayed on the cube before it is returned.
//!
//! A search blocks its thread; an async caller runs it on a thread of its own. Internally, a session runs one search
//! from start to answer. It contains the two-phase search, which contains the walker of phase 1. Each of them advances
//! in time slices of some microseconds, so that [`solve_many`] can interleave several searches on one thread.
//!
//! `docs/search.md` explains the algorithms and has the measurements.

pub mod avoided_axes;
pub mod directions;
pub mod frames;
pub mod many;
pub mod near;
pub mod observer;
pub mod optimal;
pub mod options;
pub mod proof;
pub mod scramble;
mod session;
pub mod solution;
pub mod stop;
pub mod two_phase;

pub use many::solve_many;
pub use observer::{SearchEvent, SearchObserver};
pub use optimal::solve_optimal;
pub use options::Options;
pub use proof::Proof;
pub use session::{prepare, solve, solve_watched};
pub use solution::{Found, Outcome, Phases, SearchError, StoppedBy};
pub use stop::Stop;
