//! Cubes from scans that contain errors.
//!
//! | module | contents |
//! | --- | --- |
//! | [`repair`] | stickers, some wrong or unknown: the nearest legal cubes, completions, unknown rotations of faces |
//! | [`colours`] | colour samples of a camera: the most likely legal cube |

pub mod colours;
mod orders;
pub mod repair;

pub use orders::order_of;
