//! Cosets that all 48 symmetries understand: tetrads, slices, and how the axes of their pieces lie.
//!
//! The two tetrads of corners and the three slices of edges are what the symmetries permute among themselves, and an
//! [*axis map*](axes::AxisMap) says how a piece stands in a slot without a reference face. The subgroup of the cubes that
//! look solved in these terms holds all half turns, and each symmetry maps it to itself; so do the greater subgroups that
//! the kinds of [`corners`] and [`columns`] name. Hence the number of a coset after a turn, or seen through a symmetry,
//! follows from the number alone.

pub mod axes;
pub mod columns;
pub mod corners;
pub mod edges;

pub use axes::AxisMap;
pub use columns::{EdgeColumns, EdgeKind, Orientation};
pub use corners::{CornerCosets, CornerKind};
pub use edges::{EdgeLabels, EdgeMap, EdgeReader};
