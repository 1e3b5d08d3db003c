//! Tests of the solver: published distributions, round trips, and replays of every solution on an independent cube.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::solver as common;

mod coords;
mod machines;
mod metrics;
mod optimal;
mod phases;
mod scrambles;
mod search;
mod several;
mod tables;
mod targets;
mod tiny;
mod turns;
mod two_phase;
