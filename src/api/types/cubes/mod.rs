//! Cubes as they are given and returned: objects, other forms, and scans.

mod colors;
mod scan;
mod stickers;
mod value;

pub use colors::*;
pub use scan::*;
pub use stickers::Faces;
pub use value::*;
