//! Coordinates, moves and symmetries over HTTP.

mod moves;
mod symmetries;
mod values;
