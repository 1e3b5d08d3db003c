//! Tests of coordinates as graphs, and of moves as four arrays.

mod common;

mod aliases;
mod moves;
mod space;
