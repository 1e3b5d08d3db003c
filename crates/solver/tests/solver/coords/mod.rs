//! Coordinates: their values, cosets, symmetry classes, and published distributions.

mod coset;
mod distributions;
mod numbering;
