//! What a search is asked for.

use std::time::Instant;

/// Most solutions that one search may be asked for.
pub const MOST_SOLUTIONS: usize = 100;

/// The limits of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Stop at the first solution of at most this many turns.
    pub target_length: u8,
    /// Never answer with more turns than this.
    pub max_length: Option<u8>,
    /// When to stop improving. The first solution is found all the same.
    pub deadline: Option<Instant>,
    /// How many distinct solutions to find, the best ones, 1 to [`MOST_SOLUTIONS`]. The target holds for each.
    pub solutions: usize,
    /// Whether an optimal search counts all optimal solutions, and lists so many as `solutions` says.
    pub all_optimal: bool,
    /// Threads for this one search, at least 1.
    pub threads: usize,
}

impl Default for Options {
    /// One solution of at most 20 turns, which every cube allows; no deadline, one thread.
    fn default() -> Self {
        Self { target_length: 20, max_length: None, deadline: None, solutions: 1, all_optimal: false, threads: 1 }
    }
}
