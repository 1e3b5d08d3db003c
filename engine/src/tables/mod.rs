//! Precomputed tables: what they hold, how they are built, how they lie on disk, and how they are mapped.
//!
//! [`Tables::open_or_build`] is the entry point. Every table is described in [`specs`]; [`store`] opens and builds them, [`files`] names
//! their files, [`inventory`] lists and removes them, [`format`](mod@format) is the layout of a file, `mapping` the one unsafe line
//! that maps it. The two large pruning tables come from one breadth-first search ([`product`]); [`phase_one`] and [`phase_two`] explain
//! their entries.

pub mod files;
pub(crate) mod folder;
pub mod format;
pub mod inspect;
pub mod inventory;
pub mod layers;
pub(crate) mod mapping;
pub mod move_table;
pub mod near;
pub mod open;
pub mod optimal;
pub mod packed;
pub mod phase_one;
pub mod phase_two;
pub(crate) mod prefetch;
pub mod product;
pub mod sample;
pub mod shape;
pub mod sink;
pub mod specs;
pub mod store;
pub mod verify;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::symmetry::joint_representatives;

pub use inspect::{DirectionCoordinates, SymValue};
pub use open::Unusable;
pub use optimal::{OptimalTable, Size};
pub use shape::Shape;
pub use specs::Id;
pub use verify::{Conclusion, Effort, Stopped, Verdict, Watch, survey, survey_one, verify};

/// Which set of tables: how much memory buys how much speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// About 640 MB: one read answers for all 18 turns of a node.
    #[default]
    Standard,
    /// About 50 MB, for small containers and tests.
    Small,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Small];

    /// `standard` or `small`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Small => "small",
        }
    }
}

/// What happens while tables are opened or built.
#[derive(Debug)]
#[allow(missing_docs)] // the fields are what their names say
pub enum Event<'a> {
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

/// Hears of every [`Event`], from whichever thread works.
pub trait Observer: Sync {
    /// Called for one event.
    fn observe(&self, event: &Event<'_>);
}

/// Ignores every event.
pub struct Quiet;

impl Observer for Quiet {
    fn observe(&self, _: &Event<'_>) {}
}

/// Why tables could not be had; each message names the remedy.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum TableError {
    /// The folder or a file in it cannot be used.
    #[error("cannot {action} {path}: {source}. {remedy}.", path = path.display())]
    Io { action: &'static str, path: PathBuf, remedy: &'static str, source: std::io::Error },
    /// Tables have to be built, and their folder cannot be made or locked.
    #[error(
        "cannot {action} {path}: {source}. That is needed to build what cannot be used as it is: {missing}. {remedy}.",
        path = path.display()
    )]
    NoFolder { action: &'static str, path: PathBuf, remedy: &'static str, source: std::io::Error, missing: String },
    /// A file that was just written cannot be read back as it was.
    #[error("{path} was just written and is unsound: {reason}. Check the disk, or choose another folder with --tables-dir.", path = path.display())]
    Unsound { path: PathBuf, reason: String },
    /// The build was stopped from outside.
    #[error("stopped before the tables were ready")]
    Stopped,
}

/// One table as people and metrics see it.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// Which.
    pub id: Id,
    /// Its name.
    pub name: &'static str,
    /// What it is for, in one line.
    pub purpose: &'static str,
    /// Its file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub bytes: u64,
    /// What its rows, columns and entries stand for.
    pub shape: Shape,
    /// Number of entries.
    pub entries: u64,
    /// Bits per entry.
    pub bits: u32,
    /// XXH3 over the checksums of the blocks of its entries.
    pub checksum: u64,
    /// How long it took to build.
    pub build_time: Duration,
    /// Entries at each depth as stored; empty for tables without depths.
    pub entry_histogram: Vec<u64>,
    /// States at each depth, each entry weighted by the states it stands for.
    pub depth_histogram: Vec<u64>,
}

impl TableInfo {
    /// The recipe of its entries, which its file has in its header and in its name.
    pub fn recipe(&self) -> u64 {
        specs::named(self.name).map_or(0, files::recipe)
    }

    /// The name of its file, without the folder.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn new(spec: &specs::Spec, table: &store::Table) -> Self {
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

/// How far files are trusted that are there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Those whose checksums are right are used.
    Files,
    /// Their bytes are as they were written and yet wrong: all are built anew.
    Nothing,
}

/// Every table of a profile, mapped read-only; shared behind an `Arc`, never changed.
pub struct Tables {
    profile: Profile,
    opened: store::Opened,
}

impl Tables {
    /// Opens the tables in `folder`, building what is missing or unusable. Setting `stop` ends it early.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or when it was stopped.
    pub fn open_or_build(
        folder: &Path,
        profile: Profile,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Self, TableError> {
        Self::trusting(Trust::Files, folder, profile, observer, stop)
    }

    /// The same, with what is to be trusted of the files that are there.
    ///
    /// # Errors
    /// As [`Tables::open_or_build`].
    pub fn trusting(
        trust: Trust,
        folder: &Path,
        profile: Profile,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Self, TableError> {
        let wanted: Vec<&specs::Spec> = specs::of_profile(profile).collect();
        Ok(Self { profile, opened: store::open_or_build(trust, folder, &wanted, observer, stop)? })
    }

    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The tables themselves.
    pub fn opened(&self) -> &store::Opened {
        &self.opened
    }

    /// The representative of each class of flip x sorted slice, rising. In `small`, which has no such table, found at first
    /// use and kept.
    pub fn flip_slice_sorted_representatives(&self) -> &[u32] {
        static FOUND: LazyLock<Vec<u32>> = LazyLock::new(joint_representatives);
        match self.profile {
            Profile::Standard => self.opened.u32s(Id::FlipSliceSortedRepresentative),
            Profile::Small => &FOUND,
        }
    }

    /// Every table, in the order in which they are built.
    pub fn list(&self) -> Vec<TableInfo> {
        self.opened.iter().map(|(spec, table)| TableInfo::new(spec, table)).collect()
    }

    /// The table of this name, and what is known of it.
    pub fn named(&self, name: &str) -> Option<(TableInfo, &store::Table)> {
        let (spec, table) = self.opened.iter().find(|(spec, _)| spec.name == name)?;
        Some((TableInfo::new(spec, table), table))
    }
}
