//! Tests of the engine: geometry, published distributions, round trips, and replays of every solution on an independent cube.

mod common;

mod coordinates;
mod coset;
mod distributions;
mod forms;
mod input;
mod moves;
mod optimal;
mod optimal_tables;
mod phases;
mod random_states;
mod repair;
mod repair_faces;
mod scan;
mod scramble;
mod scramble_rules;
mod search;
mod several;
mod space;
mod symmetry;
mod tables;
mod two_phase;
