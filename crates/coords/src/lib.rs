//! Coordinates of the 3x3x3 cube, open to every question.
//!
//! | module | contents |
//! | --- | --- |
//! | [`space`] | coordinates as graphs: named, composed, reduced by symmetry |
//! | [`mod@explain`] | a solution move by move: coordinates, bounds, phases |
//! | [`steps`] | solving in steps: edge orientation, domino reduction, blocks; chains of steps |
//! | [`four_arrays`] | moves as four arrays |
//! | [`move_check`] | four arrays compared with the moves of the cube |

pub mod explain;
pub mod four_arrays;
pub mod move_check;
pub mod space;
pub mod steps;

pub use four_arrays::{Convention, FourArrays};
pub use space::expression::plan;
pub use space::memory::Memory;
pub use space::{Space, SpaceError, SpaceLimits, SpaceState};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
