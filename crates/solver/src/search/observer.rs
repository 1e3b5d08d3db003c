//! Events of a running search.

use super::solution::Found;

/// An improvement of the result.
#[derive(Clone, Copy, Debug)]
pub enum SearchEvent<'a> {
    /// A solution shorter than all before. It has been replayed on the cube.
    Solution(&'a Found),
    /// A lower bound on the length, greater than all before.
    LowerBound(u8),
}

/// Receives every [`SearchEvent`] in order, with the number of nodes so far. It is called from the searching threads,
/// one call at a time, and must return quickly.
pub type SearchObserver<'w> = &'w mut (dyn FnMut(SearchEvent<'_>, u64) + Send);
