//! What a table build receives and returns.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What a build is told from outside, and what it tells.
pub struct Context<'a> {
    /// Set to end the build.
    pub stop: &'a AtomicBool,
    /// Hears how many units are done, of how many.
    pub report: &'a (dyn Fn(u64, u64) + Sync),
}

impl Context<'_> {
    /// `done` of `total` units are done.
    pub fn progress(&self, done: u64, total: u64) {
        (self.report)(done, total);
    }

    /// # Errors
    /// When the build is to stop.
    pub fn check(&self) -> Result<(), BuildError> {
        if self.stop.load(Relaxed) { Err(BuildError::Stopped) } else { Ok(()) }
    }
}

/// How many states each depth has.
#[derive(Default)]
pub struct DepthHistograms {
    /// Entries as stored.
    pub entries: Vec<u64>,
    /// States, each entry weighted by those it stands for.
    pub states: Vec<u64>,
}

/// The work was stopped from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Why one table could not be built.
#[derive(Debug)]
pub enum BuildError {
    /// Its file could not be written.
    Write(io::Error),
    /// It was stopped from outside.
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
