//! Coordinates as graphs: every named coordinate and every composed one, with one set of operations.
//!
//! | module | what |
//! | --- | --- |
//! | `build` | builds a space from an expression, within limits |
//! | [`bulk`] | the distances of all values as one file |
//! | [`catalogue`] | the named coordinates and their names in other programs |
//! | `cosets` | cosets of tetrads and slices, on which all 48 symmetries act |
//! | [`expression`] | parses `comp(...)`, `sym(...)`, `symcomp(...)` |
//! | [`memory`] | large arrays, counted against a limit |
//! | `graph` | [`Space`]: values, moves, distances, classes, cubes |
//! | [`product`] | raw values, their graph and distances |
//! | `reduction` | groups, classes, and coordinates of classes |
//! | [`cube_values`] | the values of a cube, without building a space |
//!
//! A *space* is a coordinate together with its graph: the effect of moves and symmetries on its values, and their
//! distances. A [`Space`] is built from an expression. A coordinate has a first part and, in `symcomp(...)`, a second
//! part. The *state* of a cube is the pair of raw values of both parts. Moves act on states, because a class alone does
//! not determine the value after a move:
//!
//! ```text
//! value  <->  SpaceState { base, rest } (on which moves act)  <->  cube
//! ```

pub(crate) mod build;
pub mod bulk;
pub mod catalogue;
pub(crate) mod cosets;
pub mod cube_values;
pub(crate) mod error;
pub mod expression;
pub(crate) mod graph;
pub mod memory;
pub mod product;
/// Symmetry reduction: groups of symmetries, classes, and coordinates that number classes.
pub(crate) mod reduction {
    pub mod classes;
    pub mod group;
    pub mod reduced;
    pub mod rule;
}

pub use build::SpaceLimits;
pub use cube_values::ClassOf;
pub use error::SpaceError;
pub use graph::{Space, SpaceState, kind};
pub use reduction::rule::{Frame, SymRule};
pub use reduction::{classes, group, reduced, rule};
