//! The two-phase algorithm (Kociemba 1992) over six directions, with pre-moves and prefetched table reads.
//!
//! Phase 1 enumerates the maneuvers that lead into the subgroup G1. Phase 2 continues each of them and solves the cube
//! inside G1. An upper bound on the length of the solution prunes both phases. It starts at 20 moves and falls with
//! every solution found.
//!
//! A *root* is a position where phase 1 starts: a direction with zero, one or two pre-moves. The *level* of a solution
//! is the length of its phase 1 plus the number of its pre-moves. The levels are searched in rising order:
//!
//! ```text
//!   level n:  phase 1 of n moves            from   6 directions
//!             phase 1 of n - 1 moves        from  24 roots with one pre-move    (from level 9 on; `tiny`: 10)
//!             phase 1 of n - 2 moves        from 312 roots with two             (from level TWO_PREMOVES_FROM on)
//! ```
//!
//! In each direction, a solution is a phase-1 maneuver followed by its longest suffix of G1 moves. So a solution of at
//! most n moves has a phase 1 of at most n moves. Let phase 1 without pre-moves be exhausted up to n moves in *one*
//! direction. Then every solution of at most n moves that is shorter than the incumbent has been found, and n + 1 is a
//! lower bound. When the lower bound equals the length of the incumbent, the search ends.
#![allow(clippy::cast_possible_truncation)] // indices of moves, symmetries and roots fit in 8 or 16 bits; the innermost loops convert them at each node

mod context;
mod parallel;
mod path;
mod phase_two;
pub(crate) mod premove;
mod roots;
mod search;
mod symmetry_reduction;
mod views;
mod walker;

pub use super::incumbent::BestSolutions;
pub(crate) use phase_two::part_lengths;
pub use search::{TwoPhase, TwoPhaseStatus, prepare};
