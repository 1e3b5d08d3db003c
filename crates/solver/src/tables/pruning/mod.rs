//! Pruning tables: lower bounds on the number of moves, and the searches that compute them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`breadth_first`] | distances over a graph |
//! | [`digits`] | the graph of coordinates as digits of one number |
//! | [`product`] | the graph of the two phases: classes of one coordinate times the values of another |
//! | [`phase_one`], [`phase_two`] | entries and look-ups of the two phases |
//! | [`layers`] | the columns of the small phase-2 table |
//! | [`near`] | the set of all positions within five moves of solved |
//! | [`packed`] | entries of two and four bits |

// Values, columns and distances are below the sizes of their tables, for which their types are chosen.
#![allow(clippy::cast_possible_truncation)]

pub mod breadth_first;
pub mod digits;
pub mod layers;
pub mod near;
pub mod packed;
pub mod phase_one;
pub mod phase_two;
pub mod product;
