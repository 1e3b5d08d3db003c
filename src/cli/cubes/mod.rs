//! The commands that take cubes.

pub mod batch;
pub mod input;
pub mod lines;
pub mod solve;
