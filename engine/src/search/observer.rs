//! What a search tells while it goes on.

use super::solution::Found;

/// Something that got better.
#[derive(Clone, Copy, Debug)]
pub enum SearchEvent<'a> {
    /// A solution shorter than all before; it was replayed.
    Solution(&'a Found),
    /// No solution is shorter than this, which is more than was known before.
    LowerBound(u8),
}

/// Hears of every [`SearchEvent`] in order, with the number of positions looked at so far. It is called from the threads that
/// search, one call at a time, and should take no longer than handing the news on.
pub type SearchObserver<'w> = &'w mut (dyn FnMut(SearchEvent<'_>, u64) + Send);
