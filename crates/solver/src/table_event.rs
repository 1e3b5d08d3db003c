//! Progress events of opening and building tables.

use std::path::Path;
use std::time::Duration;

/// An event of opening or building tables.
#[derive(Debug)]
#[allow(missing_docs)] // the fields are what their names say
pub enum TableEvent<'a> {
    /// Another process builds in this folder; this process waits.
    Waiting { folder: &'a Path },
    /// A file is unusable and will be rebuilt.
    Rejected { table: &'a str, path: &'a Path, reason: &'a str },
    /// A file is used without a lock, because the file system has none.
    Unlocked { path: &'a Path, reason: &'a std::io::Error },
    /// Tables are about to be built. `bytes` will be written to the folder, which has `free_bytes` left.
    Planned { folder: &'a Path, tables: &'a [&'static str], bytes: u64, free_bytes: Option<u64> },
    /// A table is being read and checked. `overall_permille` (0..=1000) is the share of all wanted tables, by bytes.
    Opening { table: &'a str, overall_permille: u32 },
    /// A table is being built: `done` of `total` units of this table, `overall_permille` (0..=1000) of all.
    Building { table: &'a str, done: u64, total: u64, overall_permille: u32 },
    /// A table was built, written and mapped.
    Built { table: &'a str, elapsed: Duration, bytes: u64 },
    /// A table was found intact and mapped.
    Opened { table: &'a str, bytes: u64 },
}

impl TableEvent<'_> {
    /// Returns the share of the work that is done, 0 to 1: of opening, or of building. Other events have none.
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        match self {
            Self::Opening { overall_permille, .. } | Self::Building { overall_permille, .. } => {
                Some(f64::from(*overall_permille) / 1000.0)
            }
            _ => None,
        }
    }
}
