//! Cosets on which all 48 symmetries act: tetrads of corners, slices of edges, and the axes of their pieces.
//!
//! Symmetries permute the two *tetrads* of corners (four corners that half turns permute among themselves) and the
//! three *slices* of edges. An *axis map* is the orientation of a piece in a slot, without a reference
//! face. Each slot is labelled with the tetrad or slice and the axis map of its piece.
//!
//! The cubes with the labels of the solved cube form a subgroup. It contains all half turns, and every symmetry maps it
//! to itself. The same holds for the larger subgroups of [`CornerKind`] and [`EdgeKind`]. So the number of a
//! coset after a move, or conjugated by a symmetry, depends on the number alone.

mod axes;
mod columns;
mod corners;
mod edges;

pub use columns::{EdgeColumns, EdgeKind, Orientation};
pub use corners::{CornerCosets, CornerKind};
pub(crate) use edges::EdgeMap;
pub use edges::EdgeReader;
