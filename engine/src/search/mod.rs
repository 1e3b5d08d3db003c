//! Searches: from a cube and tables to a short solution.
//!
//! [`solve`] is the entry point. It first looks for an optimal solution of at most ten turns ([`near`]), which costs
//! next to nothing for a cube that is farther away. Then it runs the two-phase algorithm over six directions
//! ([`two_phase`]): three axes, for the cube and for its inverse. Every solution is replayed on the cube before it is
//! returned. A search blocks its thread; an async caller runs it on a thread of its own. `docs/search.md` has the
//! theory and the measurements.

pub mod directions;
pub mod explain;
pub mod frames;
pub mod many;
pub mod near;
pub mod observer;
pub mod optimal;
pub mod options;
pub mod proof;
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
