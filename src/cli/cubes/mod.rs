//! The commands that take cubes.

pub mod batch;
pub mod check_solution;
pub mod convert;
pub mod coords;
pub mod diagnose;
pub mod explain;
pub(crate) mod input;
pub mod repair;
pub mod solve;
