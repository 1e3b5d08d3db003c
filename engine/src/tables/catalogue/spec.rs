//! The description of one table.

use super::id::Id;
use super::shape::Shape;
use crate::tables::building::{BuildError, Context, DepthHistograms};
use crate::tables::file::format::payload_bytes;
use crate::tables::file::sink::Sink;
use crate::tables::opened::Opened;
use crate::tables::options::Profile;

/// One table: everything that is known of it before it is built.
pub struct Spec {
    /// Which.
    pub id: Id,
    /// Its name in logs and metrics, with which that of its file begins.
    pub name: &'static str,
    /// One line for people.
    pub purpose: &'static str,
    /// What its rows, columns and entries stand for.
    pub shape: Shape,
    /// Number of entries.
    pub entries: u64,
    /// Bits per entry.
    pub bits: u32,
    /// Raised when the meaning of entries or their shape changes: files of different versions are told apart by it.
    pub revision: u32,
    /// The one profile that needs it, or `None` for both; means nothing for the tables of [`OPTIMAL`].
    pub profile: Option<Profile>,
    /// Rough share of the build, for the progress bar.
    pub weight: u32,
    /// Makes it.
    pub(crate) build: Build,
}

impl Spec {
    /// Bytes of all entries.
    pub const fn payload_bytes(&self) -> u64 {
        payload_bytes(self.entries, self.bits)
    }
}

/// Builds the entries of a table.
pub(crate) type Build = fn(&Opened, &mut Sink<'_>, &Context<'_>) -> Result<DepthHistograms, BuildError>;
