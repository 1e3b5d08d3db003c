//! Progress events of opening and building tables.

use std::path::Path;
use std::time::Duration;

/// What happens while tables are opened or built.
#[derive(Debug)]
#[allow(missing_docs)] // the fields are what their names say
pub enum TableEvent<'a> {
    /// Another process builds in this folder; this one waits for it.
    Waiting { folder: &'a Path },
    /// A file is there but cannot be used, and will be built anew.
    Rejected { table: &'a str, path: &'a Path, reason: &'a str },
    /// A file with the name that earlier versions gave it was renamed to `path`.
    Renamed { table: &'a str, path: &'a Path },
    /// A file is used without a lock, because there is none to be had.
    Unlocked { path: &'a Path, reason: &'a std::io::Error },
    /// Tables are going to be built, and `bytes` written in the folder, where `free_bytes` are free.
    Planned { folder: &'a Path, tables: &'a [&'static str], bytes: u64, free_bytes: Option<u64> },
    /// A table is being read and checked; of all that are wanted `overall_permille` were, by their bytes (0..=1000).
    Opening { table: &'a str, overall_permille: u32 },
    /// A table is being built: `done` of `total` units of its own work, `overall_permille` of the whole job (0..=1000).
    Building { table: &'a str, done: u64, total: u64, overall_permille: u32 },
    /// A table was built, written and mapped.
    Built { table: &'a str, elapsed: Duration, bytes: u64 },
    /// A table was found sound and mapped.
    Opened { table: &'a str, bytes: u64 },
}

/// Hears of every [`TableEvent`], from whichever thread works.
pub trait Observer: Sync {
    /// Called for one event.
    fn observe(&self, event: &TableEvent<'_>);
}

/// Ignores every event.
pub struct Quiet;

impl Observer for Quiet {
    fn observe(&self, _: &TableEvent<'_>) {}
}
