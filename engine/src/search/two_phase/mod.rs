//! The two-phase algorithm (Kociemba 1992), with every read of the large tables prefetched.
//!
//! Phase 1 enumerates the maneuvers that lead into the subgroup G1; each that arrives hands the cube to phase 2, which
//! looks for the rest inside G1. A bound on the whole length, tight from the start, cuts both, and falls with every
//! solution found. The starts (`root`) are six directions and what pre-moves make of them; a *level* is the number of turns
//! outside of G1, and the levels are searched one after another:
//!
//! ```text
//!   level n:  phase 1 of n turns            from   6 directions
//!             phase 1 of n - 1 turns        from  24 roots with one pre-move    (from level ONE_TURN_FROM on)
//!             phase 1 of n - 2 turns        from 312 roots with two             (from level TWO_TURNS_FROM on)
//! ```
//!
//! Every solution splits, in each direction, into its longest premoves of G1 turns and the rest, whose last turn enters G1.
//! So once phase 1 has been through n turns from *one* direction, any solution left has more than n turns: that is how
//! the lower bound rises, and when it meets the best solution the search is over.

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
