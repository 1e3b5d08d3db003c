//! What a search is asked for.

use std::time::Instant;

/// The limits of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Stop at the first solution of at most this many turns.
    pub target_length: u8,
    /// Never answer with more turns than this.
    pub max_length: Option<u8>,
    /// When to stop improving. The first solution is found all the same.
    pub deadline: Option<Instant>,
}

impl Default for Options {
    /// At most 20 turns, which every cube allows; no deadline.
    fn default() -> Self {
        Self { target_length: 20, max_length: None, deadline: None }
    }
}
