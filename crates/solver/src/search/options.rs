//! Options of a search.

use std::time::Instant;

/// Greatest number of solutions that one search returns.
pub const MAX_SOLUTIONS: usize = 100;

/// The options of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The search ends at the first solution of at most this many turns.
    pub target_length: u8,
    /// Greatest length of an acceptable solution; `None` for no limit. A longer solution is reported as an error.
    pub max_length: Option<u8>,
    /// Time at which to stop improving the incumbent. Without an incumbent, the search continues until it has one.
    pub deadline: Option<Instant>,
    /// Number of distinct solutions, 1 to [`MAX_SOLUTIONS`]. The search keeps the shortest ones, and ends when each
    /// has at most `target_length` turns.
    pub solutions: usize,
    /// Whether an optimal search counts all optimal solutions and lists up to `solutions` of them.
    pub all_optimal: bool,
    /// Number of threads for this search, at least 1.
    pub threads: usize,
}

impl Default for Options {
    /// One solution of at most 20 turns, which every cube allows; no deadline, one thread.
    fn default() -> Self {
        Self { target_length: 20, max_length: None, deadline: None, solutions: 1, all_optimal: false, threads: 1 }
    }
}
