//! Helpers for the tests of coordinates and of moves as four arrays.

pub mod arrays;
pub mod spaces;
pub mod steps;

pub use crate::solver::*;
