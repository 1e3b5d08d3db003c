//! The description of one table.

use super::id::Id;
use super::shape::Shape;
use crate::control::Control;
use crate::tables::building::{BuildError, DepthHistograms};
use crate::tables::file::format::payload_bytes;
use crate::tables::file::sink::Sink;
use crate::tables::opened::Opened;
use crate::tables::options::Profile;

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
    /// The only profile that needs the table, or `None` for `standard` and `small`. Unused for [`OPTIMAL`](super::specs::OPTIMAL).
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
