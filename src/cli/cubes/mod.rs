//! The commands that take cubes.

pub mod batch;
pub mod convert;
pub mod coords;
pub mod explain;
pub mod input;
pub mod lines;
pub mod repair;
pub mod solve;
pub mod steps;
