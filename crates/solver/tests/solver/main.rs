//! Tests of the solver: published distributions, round trips, and replays of every solution on an independent cube.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

mod common;

mod coordinates;
mod coset;
mod distributions;
mod optimal;
mod optimal_tables;
mod phases;
mod random_states;
mod scramble_rules;
mod search;
mod several;
mod symmetry;
mod tables;
mod tiny;
mod two_phase;
