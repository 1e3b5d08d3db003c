//! Coset tables for optimal solutions: the distance of a cube from the solved coset of tetrads and slices.
//!
//! | size | corners | edges | entries | bytes |
//! | --- | --- | --- | --- | --- |
//! | `s` | 1184 classes | 34650 separations x parities of the slices, 2^2 | 164 102 400 | 41 MB |
//! | `m` | 1184 classes | 5775 separations x orientation up to whole slices, 2^8 | 1 750 425 600 | 438 MB |
//! | `l` | 1184 classes | 34650 separations x orientation up to whole slices, 2^8 | 10 502 553 600 | 2.6 GB |
//! | `xl` | 3393 classes | 34650 separations x orientation up to whole slices, 2^8 | 30 097 267 200 | 7.5 GB |
//!
//! A *separation* is the slice of the edge in each slot: there are 12! / 4!^3 = 34650, or 5775 up to permuting the
//! slices. *Parities of the slices* and *orientation up to whole slices* are parts of the edge orientation
//! (`coord::coset`). A row is a class of corner cosets, a column an edge coset. All sizes
//! are invariant under the 48 symmetries.
//!
//! An entry has two bits and counts from the *base*, a constant of the size. 0 means a distance of at most the base. 1
//! and 2 mean base + 1 and base + 2. 3 means base + 3 or more. The bases were chosen to maximise the average bound of
//! random cubes. In a cache line of 256 entries, the first two are replaced by the smallest distance in the cache line.
//! It is the bound of these two entries and of every entry 0:
//!
//! ```text
//! bit  0        4    6    8             510
//!      smallest | e2 | e3 | e4 | ... | e255 |
//! ```
//!
//! Coset tables belong to no profile. [`TableSet::open`](super::TableSet::open) opens one.

// Rows, columns and distances are below the sizes of their tables, for which their types are chosen. Sets of bits are cut.
#![allow(clippy::cast_possible_truncation)]

pub(crate) mod build;
pub mod check;
mod column_map;
mod orientation_set;
pub(crate) mod size;
pub(crate) mod table;

pub use size::Size;
pub use table::OptimalTable;
