//! Coordinates: the catalogue, the values of a cube, and the values themselves.

mod apply;
mod catalogue;
mod cube;
mod direction;
mod index_cube;
mod symmetries;
mod value;

pub use apply::*;
pub use catalogue::*;
pub use cube::*;
pub use direction::*;
pub use index_cube::*;
pub use symmetries::*;
pub use value::*;
