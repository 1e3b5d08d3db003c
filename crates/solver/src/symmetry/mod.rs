//! Symmetry reduction of coordinates: classes, representatives and sym-coordinates.
//!
//! The 16 symmetries that keep the UD axis act on the values of a coordinate. Values that they map to one another form
//! a *class*. The smallest value of a class is its *representative*. A symmetry that maps a representative to itself is
//! a *self-symmetry*.
//!
//! A *sym-coordinate* (j, i) is the pair of a class j and a symmetry i, packed as `16 * j + i` (Kociemba). It stands
//! for the raw value of `S(i)^-1 * R(j) * S(i)`, where R(j) is the representative: S(i) maps the value to R(j).
//!
//! A move m takes three look-ups:
//!
//! 1. `m1 = S(i) m S(i)^-1` ([`Symmetry::conjugate_move`]), the move in the frame of the representative.
//! 2. `(j1, i1)` from the class move table at (j, m1).
//! 3. The product `S(i1) * S(i)`, the new symmetry; the new class is j1.
//!
//! [`Symmetry::conjugate_move`]: superflip_cube::Symmetry::conjugate_move

// Values, classes and symmetries are below the sizes of their tables, for which their types are chosen.
#![allow(clippy::cast_possible_truncation)]

pub mod classes;
pub mod coset;
pub(crate) mod joint;

pub use classes::{Classes, SymCoordinate, class_moves, conjugation_table};
pub(crate) use joint::joint_representatives;
