//! Symmetry reduction of coordinates: classes, representatives and sym-coordinates.
//!
//! The 16 symmetries that keep the UD axis act on the values of a coordinate. Values mapped to one another form a
//! *class*, which one of them, its *representative*, stands for. A *sym-coordinate* is the pair of class and symmetry,
//! packed as `16 * class + symmetry` (Kociemba). It means the raw value of `S(i)^-1 * R(j) * S(i)`: the representative
//! R(j) seen through the inverse of S(i).
//!
//! A turn m leads from (j, i) to another pair by three look-ups: `m1 = S(i) m S(i)^-1` ([`Symmetry::conjugate_move`]),
//! then `(j1, i1)` from the class move table at (j, m1), and the new symmetry is the product `S(i1) * S(i)`.
//!
//! [`Symmetry::conjugate_move`]: crate::cube::Symmetry::conjugate_move

pub mod classes;
pub mod conjugate;
pub mod coset;
pub mod joint;

pub use classes::{Classes, SymCoordinate};
pub use conjugate::conjugation_table;
pub use joint::joint_representatives;
