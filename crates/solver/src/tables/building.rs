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

/// Why a table could not be built.
#[derive(Debug)]
pub enum BuildError {
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
