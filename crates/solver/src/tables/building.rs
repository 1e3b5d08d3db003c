//! Result of a table build.

use std::io;

use crate::control::Cancelled;

/// Depth histograms of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DepthHistograms {
    /// Number of entries at each depth, as stored.
    pub entries: Vec<u64>,
    /// Number of states at each depth: each entry is weighted by the number of states that it stands for.
    pub states: Vec<u64>,
}

impl DepthHistograms {
    /// Returns the histograms of a table that stores distances up to `cap`. Entries are counted as stored, so greater
    /// distances count as `cap`.
    pub(crate) fn capped(mut self, cap: u8) -> Self {
        let beyond: u64 = self.entries.iter().skip(usize::from(cap) + 1).sum();
        if beyond > 0 {
            self.entries[usize::from(cap)] += beyond;
            self.entries[usize::from(cap) + 1..].fill(0);
        }
        self
    }
}

/// Why a table could not be built.
#[derive(Debug)]
pub(crate) enum BuildError {
    /// The file could not be written.
    Write(io::Error),
    /// The build was cancelled.
    Cancelled(Cancelled),
}

impl From<Cancelled> for BuildError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}
