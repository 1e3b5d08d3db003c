//! Coordinates, moves and symmetries over HTTP.

mod moves;
mod spaces;
mod symmetries;
mod values;
mod walks;
