//! Routes that read and write cubes without solving them.

pub mod convert;
pub mod repair;
