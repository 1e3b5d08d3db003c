//! The tables of the profile `tiny`: four megabytes, computed in memory, so that a search can begin at once.
//!
//! | tables | of | entries |
//! | --- | --- | --- |
//! | [`pairs`] | phase 1 | for each pair of twist, flip and slice: which moves lead nearer to G1 or farther |
//! | [`inside`] | phase 2 | corners or edges, with the order of the slice edges or with the places of the other U pieces |
//! | [`near`](super::pruning::near) | near search | the positions at most four moves from solved |
//!
//! They fit into the second-level cache of most processors. So the search waits for memory hardly ever.
#![allow(clippy::cast_possible_truncation)] // classes, columns and symmetries fit in 16 bits; packing is checked by the tests

pub mod inside;
pub mod pairs;

use inside::InsideTables;
use pairs::Pairs;

use crate::tables::pruning::near;

/// Radius of the near set in moves.
pub(crate) const RADIUS: u8 = 4;

/// The tables of the profile `tiny`.
pub struct Tiny {
    /// Phase 1.
    pub(crate) pairs: Pairs,
    /// Phase 2.
    pub(crate) inside: InsideTables,
    /// Words of the near set.
    pub(crate) near: Vec<u32>,
}

impl Tiny {
    /// Computes the tables, which takes some ten milliseconds.
    #[must_use]
    pub fn new() -> Self {
        Self { pairs: Pairs::new(), inside: InsideTables::new(), near: near::build(RADIUS).0 }
    }

    /// Returns the size of all tables in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.pairs.bytes() + self.inside.bytes() + size_of_val(&*self.near)
    }
}

impl Default for Tiny {
    fn default() -> Self {
        Self::new()
    }
}
