//! A coset table, mapped, and its look-ups.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::size::{CACHE_LINE_ENTRIES, GIVEN_UP, Size};
use crate::cube::Cube;
use crate::symmetry::coset::{CosetCell, CosetIndex};
use crate::tables::catalogue::info::TableInfo;
use crate::tables::error::TableError;
use crate::tables::file::open::Unusable;
use crate::tables::file::table::Table;
use crate::tables::file::{open, store};
use crate::tables::observer::Observer;
use crate::tables::opened::Opened;
use crate::tables::options::Trust;
use crate::tables::prefetch;
use crate::tables::pruning::packed;

/// A coset table, mapped read-only, with what finds a cube in it.
pub struct OptimalTable {
    size: Size,
    index: CosetIndex,
    table: Table,
}

impl OptimalTable {
    /// Opens the table of this size in `folder`, building it if it is missing or unusable. Setting `stop` ends it early.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or when it was stopped.
    pub fn open_or_build(
        folder: &Path,
        size: Size,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Self, TableError> {
        Self::trusting(Trust::Files, folder, size, observer, stop)
    }

    /// The same, with what is to be trusted of the file that is there.
    ///
    /// # Errors
    /// As [`OptimalTable::open_or_build`].
    pub fn trusting(
        trust: Trust,
        folder: &Path,
        size: Size,
        observer: &dyn Observer,
        stop: &AtomicBool,
    ) -> Result<Self, TableError> {
        let mut opened: Opened = store::open_or_build(trust, folder, &[size.spec()], observer, stop)?;
        let table = opened.take(size.id());
        Ok(Self { size, index: CosetIndex::new(size.member()), table })
    }

    /// Opens the table of this size if it is in `folder` and sound, where it lies: enough for a look. Nothing is built.
    ///
    /// # Errors
    /// When it is missing, cannot be read or is unsound.
    pub(crate) fn look_at(folder: &Path, size: Size) -> Result<Self, Unusable> {
        Ok(Self { size, table: open::look_at(folder, size.spec())?, index: CosetIndex::new(size.member()) })
    }

    /// The mapped table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What is known of the table.
    pub fn info(&self) -> TableInfo {
        TableInfo::new(self.size.spec(), &self.table)
    }

    /// Finds cubes in the table.
    pub fn index(&self) -> &CosetIndex {
        &self.index
    }

    /// The number of the entry at a place.
    #[inline(always)]
    pub fn entry_of(&self, place: CosetCell) -> usize {
        place.row as usize * self.index.columns().kind().size() as usize + place.column as usize
    }

    /// What an entry holds: how far the distance is beyond the base, 0 for not at all, 3 for three turns or more; 0 for those that are
    /// given up.
    #[inline(always)]
    pub fn value(&self, entry: usize) -> u8 {
        if entry % CACHE_LINE_ENTRIES < GIVEN_UP { 0 } else { packed::pair(self.table.bytes(), entry) }
    }

    /// The smallest distance in the cache line of an entry, at most three turns beyond the base.
    #[inline(always)]
    pub fn nearest(&self, entry: usize) -> u8 {
        packed::nibble(self.table.bytes(), entry / CACHE_LINE_ENTRIES * (CACHE_LINE_ENTRIES / 2))
    }

    /// Starts loading the cache line of an entry.
    #[inline(always)]
    pub fn prefetch(&self, entry: usize) {
        prefetch::read(self.table.bytes(), entry / 4);
    }

    /// At least this many turns lead from a place to solved.
    #[inline]
    pub fn bound_at(&self, place: CosetCell) -> u8 {
        self.bound_of(self.entry_of(place))
    }

    /// At least this many turns lead from the places of an entry to solved.
    #[inline(always)]
    pub fn bound_of(&self, entry: usize) -> u8 {
        match self.value(entry) {
            0 => self.nearest(entry),
            beyond => self.size.base() + beyond,
        }
    }

    /// At least this many turns solve the cube. The inverse takes as many, and is looked up too.
    pub fn bound(&self, cube: &Cube) -> u8 {
        [*cube, cube.inverse()].map(|cube| self.bound_at(self.index.of_cube(&cube))).into_iter().max().unwrap_or(0)
    }
}
