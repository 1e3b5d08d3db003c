//! Tests of the solver: published distributions, round trips, and replays of every solution on an independent cube.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::solver as common;

mod coords {
    //! Coordinates: their values, cosets and symmetry classes.

    mod coset;
    mod numbering;
}
mod machines {
    //! Costs on machines, and searches for the least.

    mod costs;
    mod executions;
    mod faults;
    mod model;
    mod schedules;
    mod search;
}
mod metrics;
mod optimal;
mod phases;
mod scrambles {
    //! Scrambles: random cubes, and the maneuvers that lead to them.

    mod random_states;
    mod rules;
}
mod search;
mod several;
mod tables;
mod targets;
mod tiny;
mod turns;
mod two_phase;
