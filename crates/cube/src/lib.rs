//! The cube: faces, pieces, moves, symmetries, and the text forms of a cube.
//!
//! ```
//! use superflip_cube::{Cube, Form, FormError, Moves};
//!
//! let moves: Moves = "R U R' U'".parse()?;
//! let cube = Cube::SOLVED.after(&moves);
//! assert_eq!(cube.after(&moves.inverse()), Cube::SOLVED);
//!
//! // Any form is recognised. The error lists all that is wrong.
//! let scanned: Cube = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB".parse()?;
//! assert_eq!(scanned, Cube::SOLVED);
//! println!("{}", cube.to_form(Form::Reid));
//! # Ok::<(), FormError>(())
//! ```
//!
//! Conventions of the whole crate:
//!
//! - **Space**: x points right (R), y up (U), z to the viewer (F).
//! - **Facelets** 0..54: faces in the order U R F D L B, each row by row as seen from outside (picture in [`geometry`]).
//! - **Corners** 0..8: URF UFL ULB UBR DFR DLF DBL DRB. **Edges** 0..12: UR UF UL UB DR DF DL DB FR FL BL BR.
//! - **Cubie arrays** are "replaced-by": entry `i` is the piece now in slot `i`.
//! - **Composition**: `a.then(&b)`, written `a * b`, is first `a`, then `b`.
//! - **Moves** 0..18: `U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'`. Letters mean places, never colours.
//! - **Conjugation** by a symmetry: `s * g * s^-1`, the same position seen through `s`.

pub mod byte_cube;
pub mod cubie;
pub mod face;
pub mod forms;
pub mod geometry;
mod holding;
pub mod metric;
mod motion;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod simd;
pub mod symmetry;
mod turns;
pub mod verify;

pub use byte_cube::{ByteConjugation, ByteCube, ByteMove, corner_byte, edge_byte};
pub use cubie::{Cube, random_cube};
pub use face::{Axis, Face};
pub use forms::{Form, FormError, Violation};
pub use holding::Holding;
pub use motion::Motion;
pub use moves::{Move, Moves};
pub use piece::kind::{PieceKind, parity};
pub use piece::{Corner, Edge};
pub use symmetry::Symmetry;
pub use turns::TurnSet;
pub use turns::group::TurnGroup;
pub use verify::Stickers;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
