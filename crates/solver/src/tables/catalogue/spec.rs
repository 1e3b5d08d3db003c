//! The description of one table, and the result of its build.

use std::io;

use super::id::Id;
use super::shape::Shape;
use crate::control::{Cancelled, Control};
use crate::tables::file::format::payload_bytes;
use crate::tables::file::sink::Sink;
use crate::tables::file::table::Opened;
use crate::tables::optimal::size::Size;
use crate::tables::set::Profile;
use superflip_cube::metric::Metric;

/// The description of one table: all that is known before it is built.
pub struct Spec {
    /// Id of the table.
    pub id: Id,
    /// Name in logs and metrics; the file name begins with it.
    pub name: &'static str,
    /// Purpose, in one line.
    pub purpose: &'static str,
    /// Meaning of its rows, columns and entries.
    pub shape: Shape,
    /// Number of entries.
    pub entries: u64,
    /// Bits per entry.
    pub bits: u32,
    /// Increased when the meaning or the shape of the entries changes, to distinguish files of different versions.
    pub revision: u32,
    /// Metric of its distances. Tables without distances belong to HTM.
    pub metric: Metric,
    /// Size, if it is a coset table.
    pub size: Option<Size>,
    /// The only profile that needs the table, or `None` for `standard` and `small`. Unused for coset tables.
    pub profile: Option<Profile>,
    /// Approximate share of the build, for the progress bar.
    pub weight: u32,
    /// Build function.
    pub(crate) build: Build,
    /// Tables needed to check it: those it is rebuilt from, or that define its rows.
    pub(crate) sources: &'static [Id],
}

impl Spec {
    /// Returns the size of all entries in bytes.
    pub const fn payload_bytes(&self) -> u64 {
        payload_bytes(self.entries, self.bits)
    }
}

/// Builds the entries of a table. Reports units of its own.
pub(crate) type Build = fn(&Opened, &mut Sink<'_>, &Control) -> Result<DepthHistograms, BuildError>;

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
