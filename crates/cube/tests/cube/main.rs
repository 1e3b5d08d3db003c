//! Tests of the cube: geometry, text forms, notation, and the faults of impossible cubes.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::cube as common;

mod any_input;
mod fewest_moves;
mod forms;
mod input;
mod scramble;
mod spellings;
