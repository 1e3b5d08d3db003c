//! Symmetry reduction: groups of symmetries, classes, and coordinates that number classes.

pub mod classes;
pub mod group;
pub mod reduced;
pub mod rule;
