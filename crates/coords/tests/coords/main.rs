//! Tests of coordinates as graphs, of steps, and of moves as four arrays.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

mod common;

mod distances;
mod moves;
mod space;
mod steps;
