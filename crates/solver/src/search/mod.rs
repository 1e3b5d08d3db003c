//! Searches: from a cube and tables to a short solution.
//!
//! A [`Search`] is the entry point. It runs the near search ([`near`]), which finds optimal solutions of at most ten
//! moves. If there is none, it runs the two-phase algorithm ([`two_phase`]). In another metric, it runs that algorithm only, over runs of
//! turns. With a coset table, a goal that asks for a proof or for the shortest solution runs a proof ([`optimal`]) instead. All of them
//! raise the lower bound and offer solutions to one `incumbent`, which replays each solution on the cube, reports the events and makes
//! the answer.
//!
//! A search blocks its thread; an async caller runs it on a thread of its own. Internally, a session runs the near search
//! as a whole, then the two-phase search. The latter advances in time slices of some microseconds, so that several
//! searches can be [`Interleaved`] on one thread.
//!
//! `docs/search.md` explains the algorithms and has the measurements.

pub mod avoided_axes;
pub mod directions;
pub mod frames;
pub mod goal;
mod incumbent;
pub mod machine;
pub mod many;
pub mod near;
pub mod optimal;
mod partial;
pub mod phase_one;
pub mod running;
pub mod scramble;
mod session;
mod shared_nodes;
pub mod solution;
mod targets;
pub mod two_phase;

pub use goal::{Goal, MAX_CANDIDATES, MAX_SOLUTIONS, USUAL_CANDIDATES, usual_target};
pub use incumbent::{Event, EventSink};
pub use many::Interleaved;
pub use partial::PartialTarget;
pub use running::Search;
pub use solution::proof::{Iteration, Proof, ProofSearch, ProofTable};
pub use solution::{Found, Phases, Solution, SolveError, StoppedBy};

use crate::tables::Profile;

/// Computes the static tables of the searches with a profile, which takes some milliseconds. Calling it is optional: otherwise the first
/// search computes them.
pub fn prepare(profile: Profile) {
    two_phase::prepare(profile);
}
