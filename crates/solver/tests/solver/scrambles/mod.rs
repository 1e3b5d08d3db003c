//! Scrambles: random cubes, and the maneuvers that lead to them.

mod random_states;
mod rules;
