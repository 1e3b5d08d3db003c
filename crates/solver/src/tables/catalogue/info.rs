//! The description of one mapped table.

use std::path::PathBuf;
use std::time::Duration;

use super::id::Id;
use super::shape::Shape;
use super::spec::Spec;
use super::specs;
use crate::tables::file::table::Table;
use crate::tables::file::{format, naming};

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
        specs::named(self.name).map_or(0, naming::recipe)
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
            bytes: format::HEADER_BYTES as u64 + header.payload_bytes(),
            shape: spec.shape,
            entries: header.entries,
            bits: header.bits,
            checksum: header.checksum,
            build_time: header.build_time,
            entry_histogram: header.entry_histogram.clone(),
            depth_histogram: header.depth_histogram.clone(),
        }
    }
}
