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
