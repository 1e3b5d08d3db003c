//! The two-phase algorithm (Kociemba 1992), with every read of the large tables prefetched.
//!
//! Phase 1 enumerates the maneuvers that lead into the subgroup G1. Each one hands its cube to phase 2, which searches
//! for the rest inside G1. An upper bound on the whole length prunes both phases; it is tight from the start and falls
//! with every solution found. The roots are six directions, with and without pre-moves. A *level* is the number of
//! turns outside of G1. The levels are searched in rising order:
//!
//! ```text
//!   level n:  phase 1 of n turns            from   6 directions
//!             phase 1 of n - 1 turns        from  24 roots with one pre-move    (from level ONE_TURN_FROM on)
//!             phase 1 of n - 2 turns        from 312 roots with two             (from level TWO_TURNS_FROM on)
//! ```
//!
//! In each direction, every solution splits into its longest suffix of G1 turns and the rest, whose last turn enters
//! G1. So once phase 1 has enumerated all maneuvers of at most n turns from *one* direction, it has found every useful
//! solution of at most n turns, and n + 1 is a lower bound. When the lower bound equals the length of the incumbent, the
//! search ends.

mod context;
mod incumbent;
mod parallel;
mod path;
mod phase_two;
mod premove;
mod roots;
mod search;
mod symmetry_reduction;
mod table_views;
mod walker;

pub use search::{SearchBuffers, TwoPhase, TwoPhaseLimits, TwoPhaseStatus, prepare};
