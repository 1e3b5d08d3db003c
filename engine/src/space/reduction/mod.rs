//! Symmetry reduction: groups, classes, and coordinates of classes.

pub mod classes;
pub mod group;
pub mod phase_one;
pub mod reduced;
pub mod rule;
