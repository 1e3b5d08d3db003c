//! Coordinates as spaces to walk in: every named one and every one that a caller composes, by one set of operations.
//!
//! | module | what |
//! | --- | --- |
//! | [`build`] | an expression made into a space, within limits |
//! | [`bulk`] | the distances of all values as one file |
//! | [`catalogue`] | the named coordinates and what others call them |
//! | [`cosets`] | tetrads and slices, on which all 48 symmetries act |
//! | [`group`] | groups of symmetries, and which act on a coordinate |
//! | [`expression`] | `comp(...)`, `sym(...)`, `symcomp(...)`: what a caller composes |
//! | [`product`] | raw values, their graph and distances |
//! | [`classes`] | classes of raw values under a group |
//! | [`reduced`] | classes of one part times another part, with the extra pass over self-symmetries |
//! | [`phase_one`] | where the distances of a reduced space are: counted, or in the mapped phase-1 table |
//! | [`rule`] | how a coordinate of classes turns, look-up by look-up |
//! | [`cube_values`] | the values of a cube, without building anything |
//!
//! A [`Space`] is what an expression describes, built: value to cube, turn, transform, distance. It keeps a *state*, the
//! raw values of its two parts, beneath the value, because a class alone forgets how the cube is held:
//!
//! ```text
//! value (what is asked for)  <->  SpaceState { base, rest } (what turns act on)  <->  cube
//! ```

pub mod build;
pub mod bulk;
pub mod catalogue;
pub mod cosets;
pub mod cube_values;
pub mod error;
pub mod expression;
pub mod graph;
pub mod product;
pub mod reduction;

pub use build::SpaceLimits;
pub use cube_values::ClassOf;
pub use error::SpaceError;
pub use graph::{Space, SpaceState, kind};
pub use reduction::rule::{Frame, SymRule};
pub use reduction::{classes, group, reduced};
