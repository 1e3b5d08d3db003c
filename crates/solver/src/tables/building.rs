//! Context and result of a table build.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Stop flag and progress report of a build.
pub struct Context<'a> {
    /// Ends the build when set.
    pub stop: &'a AtomicBool,
    /// Receives the number of units done and the total number.
    pub report: &'a (dyn Fn(u64, u64) + Sync),
}

impl Context<'_> {
    /// Reports that `done` of `total` units are done.
    pub fn progress(&self, done: u64, total: u64) {
        (self.report)(done, total);
    }

    /// # Errors
    /// When the stop flag is set.
    pub fn check(&self) -> Result<(), BuildError> {
        if self.stop.load(Relaxed) { Err(BuildError::Stopped) } else { Ok(()) }
    }
}

/// Depth histograms of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DepthHistograms {
    /// Number of entries at each depth, as stored.
    pub entries: Vec<u64>,
    /// Number of states at each depth: each entry is weighted by the number of states that it stands for.
    pub states: Vec<u64>,
}

/// The work was stopped by its stop flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Why a table could not be built.
#[derive(Debug)]
pub enum BuildError {
    /// The file could not be written.
    Write(io::Error),
    /// The build was stopped.
    Stopped,
}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}
