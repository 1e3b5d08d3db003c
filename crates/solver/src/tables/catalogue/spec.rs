//! The description of one table: before it is built, and once it is mapped.

use std::path::PathBuf;
use std::time::Duration;

use crate::control::Control;
use crate::tables::catalogue::shape::Shape;
use crate::tables::file::format::{HEADER_BYTES, payload_bytes};
use crate::tables::file::sink::{BuildError, Sink};
use crate::tables::file::table::{Id, Opened, Table};
use crate::tables::optimal::Size;
use crate::tables::pruning::breadth_first::DepthHistograms;
use superflip_cube::metric::Metric;

/// Tables of the two-phase search, by their size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Fast set of about 640 MB.
    #[default]
    Standard,
    /// Small set of about 50 MB.
    Small,
    /// Tiny set of 4 MB, computed in memory, without files.
    Tiny,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Small, Self::Tiny];

    /// `standard`, `small` or `tiny`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Small => "small",
            Self::Tiny => "tiny",
        }
    }
}

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

/// The description of one mapped table, for output and metrics.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// Id of the table.
    pub id: Id,
    /// Name of the table.
    pub name: &'static str,
    /// Purpose, in one line.
    pub purpose: &'static str,
    /// Path of its file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Meaning of its rows, columns and entries.
    pub shape: Shape,
    /// Number of entries.
    pub entries: u64,
    /// Bits per entry.
    pub bits: u32,
    /// Checksum: XXH3 over the checksums of the blocks of its entries.
    pub checksum: u64,
    recipe: u64,
    /// Duration of the build.
    pub build_time: Duration,
    /// Number of entries at each depth as stored; empty for tables without depths.
    pub entry_histogram: Vec<u64>,
    /// Number of states at each depth, each entry weighted by the states it stands for.
    pub depth_histogram: Vec<u64>,
}

impl TableInfo {
    /// Returns the recipe of its entries, which is in the header and the name of its file.
    pub fn recipe(&self) -> u64 {
        self.recipe
    }

    /// Returns the name of its file, without the folder.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub(crate) fn new(spec: &Spec, table: &Table) -> Self {
        let header = &table.header;
        Self {
            id: spec.id,
            name: spec.name,
            purpose: spec.purpose,
            path: table.path().to_owned(),
            bytes: HEADER_BYTES as u64 + header.payload_bytes(),
            shape: spec.shape,
            entries: header.entries,
            bits: header.bits,
            checksum: header.checksum,
            recipe: header.recipe,
            build_time: header.build_time,
            entry_histogram: header.entry_histogram.clone(),
            depth_histogram: header.depth_histogram.clone(),
        }
    }
}
