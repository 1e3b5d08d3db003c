//! The commands that take cubes.

pub mod batch;
pub mod convert;
pub mod coords;
pub mod explain;
mod input;
pub mod repair;
pub mod solve;
