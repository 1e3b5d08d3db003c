//! Tests of coordinates as graphs, and of moves as four arrays.

mod common;

mod distances;
mod moves;
mod space;
