//! Pruning tables: lower bounds on the number of turns, and the searches that compute them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`product`] | the breadth-first search that fills both large tables |
//! | [`phase_one`], [`phase_two`] | entries and look-ups of the two phases |
//! | [`layers`] | the columns of the small phase-2 table |
//! | [`near`] | the set of all positions within five turns of solved |
//! | [`packed`] | entries of two and four bits |

pub mod layers;
pub mod near;
pub mod packed;
pub mod phase_one;
pub mod phase_two;
pub mod product;
