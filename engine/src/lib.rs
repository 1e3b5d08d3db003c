//! The engine of superflip: a 3x3x3 cube, its coordinates and tables, and the searches that solve it.
//!
//! This crate performs no network I/O and starts no runtime. The HTTP service and the command line live in the `superflip` crate.
//! The crate is one chain of modules. Each module may use those before it, never those after it:
//!
//! ```text
//! cube -> coord -> symmetry -> tables -> space -> search
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`cube`] | pieces, moves, symmetries, facelets, notation, and the reasons why a cube is impossible |
//! | [`coord`] | coordinates: numbers for parts of a cube, as descriptors |
//! | [`symmetry`] | classes of coordinates under the 16 symmetries that keep an axis |
//! | [`tables`] | move and pruning tables: built, stored in files, memory-mapped |
//! | [`space`] | every coordinate as a graph: named, composed, reduced by symmetry |
//! | [`search`] | near search, two-phase search in six directions, optimal search, and the explanation of a solution |

pub mod coord;
pub mod cube;
pub mod search;
pub mod space;
pub mod symmetry;
pub mod tables;
