//! Helpers for the tests of coordinates and of moves as four arrays.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

pub mod arrays;
#[path = "../../../../solver/tests/solver/common/mod.rs"]
mod solver;
pub mod spaces;
pub mod steps;

pub use solver::*;
