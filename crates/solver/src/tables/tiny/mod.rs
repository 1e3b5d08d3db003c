//! The tables of the profile `tiny`: four megabytes, computed in memory, so that a search can begin at once.
//!
//! | tables | used by | entries |
//! | --- | --- | --- |
//! | [`pairs`] | phase 1 | for each pair of twist, flip and slice: change of the distance to G1 under each move |
//! | [`inside`] | phase 2 | corners or edges, with the order of the slice edges; corners with the slots of the S edges; edges with those of the U corners |
//! | [`near`] | near search | the positions at most four moves from solved |
//!
//! They fit into the last-level cache of most processors, so the search rarely waits for memory.
#![allow(clippy::cast_possible_truncation)] // classes, columns and symmetries fit in 16 bits; packing is checked by the tests

mod columns;
mod entries;
pub(crate) mod inside;
mod maps;
mod orbits;
pub(crate) mod pairs;
mod permutations;

use inside::InsideTables;
use pairs::Pairs;

use crate::tables::pruning::near;

/// Radius of the near set in moves.
pub(crate) const RADIUS: u8 = 4;

/// The tables of the profile `tiny`.
pub(crate) struct Tiny {
    /// Phase 1.
    pub(crate) pairs: Pairs,
    /// Phase 2.
    pub(crate) inside: InsideTables,
    /// Words of the near set.
    pub(crate) near: Vec<u32>,
}

impl Tiny {
    /// Computes the tables, which takes 20 to 40 ms.
    pub(crate) fn new() -> Self {
        let (pairs, (inside, near)) = rayon::join(Pairs::new, || (InsideTables::new(), near::build(RADIUS).0));
        Self { pairs, inside, near }
    }
}
