//! Tests of the cube: geometry, text forms, notation, and the faults of impossible cubes.

mod common;

mod forms;
mod input;
mod scramble;
