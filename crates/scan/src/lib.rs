//! Cubes from scans that contain errors.
//!
//! | module | contents |
//! | --- | --- |
//! | [`repair`] | stickers, some wrong or unknown: the nearest legal cubes, completions, unknown rotations of faces |
//! | [`colours`] | colour samples of a camera: the most likely legal cube |

pub mod colours;
mod orders;
pub mod repair;

pub use colours::{ColourReading, Samples, read_colours, read_colours_in_any_rotation};
pub use orders::order_of;
pub use repair::{Costs, Ranking, Stickers, completions, nearest, read_faces, reassemble};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
