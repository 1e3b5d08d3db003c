//! Tests of coordinates as graphs, of steps, and of moves as four arrays.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::coords as common;

mod distances;
mod moves;
mod space;
mod steps;
