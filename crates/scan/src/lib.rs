//! Cubes from scans that contain errors, and from scans after moves that went wrong.
//!
//! | module | contents |
//! | --- | --- |
//! | [`repair`] | stickers, some wrong or unknown: the nearest legal cubes, completions, unknown rotations of faces |
//! | [`slips`] | the cube before, moves or actions of a machine, and stickers after them: what went wrong |
//! | [`arrangement`] | order, rotations and mirroring of scanned faces |
//! | [`colours`] | colour samples of a camera: the most likely legal cube |

pub mod arrangement;
pub mod colours;
mod orders;
pub mod repair;
pub mod slips;

pub use arrangement::{Arrangement, legal_arrangements};
pub use colours::{ColourReading, Samples, read_colours, read_colours_in_any_rotation};
pub use orders::order_of;
pub use repair::{Costs, Ranking, Stickers, completions, nearest, read_faces, reassemble};
pub use slips::explain_slips;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
