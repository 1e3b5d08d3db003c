//! Requests of clients of other programs, as those programs read them.

pub mod kociemba;
mod rotations;
pub mod twips;
