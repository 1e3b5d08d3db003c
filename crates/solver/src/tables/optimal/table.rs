//! A mapped coset table and its look-ups.

use std::path::Path;

use super::size::{CACHE_LINE_ENTRIES, REPLACED, Size};
use crate::control::Control;
use crate::symmetry::coset::{CosetCell, CosetIndex};
use crate::tables::catalogue::info::TableInfo;
use crate::tables::error::TableError;
use crate::tables::file::open::Unusable;
use crate::tables::file::table::Table;
use crate::tables::file::{naming, open, store};
use crate::tables::opened::Opened;
use crate::tables::options::Trust;
use crate::tables::prefetch;
use crate::tables::pruning::packed;
use superflip_cube::Cube;

/// A mapped coset table with the index that finds cubes in it.
pub struct OptimalTable {
    size: Size,
    index: CosetIndex,
    table: Table,
}

impl OptimalTable {
    /// Opens the table of this size in `folder`, and builds it if it is missing or unusable. Cancelling `control` ends it
    /// early; its observer gets the events.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or the work was stopped.
    pub fn open_or_build(folder: &Path, size: Size, control: &Control) -> Result<Self, TableError> {
        Self::trusting(Trust::Files, folder, size, control)
    }

    /// Does the same as [`OptimalTable::open_or_build`], with a choice of which existing files to trust.
    ///
    /// # Errors
    /// As [`OptimalTable::open_or_build`].
    pub fn trusting(trust: Trust, folder: &Path, size: Size, control: &Control) -> Result<Self, TableError> {
        let mut opened: Opened = store::open_or_build(trust, folder, &[size.spec()], control)?;
        let table = opened.take(size.id());
        Ok(Self { size, index: CosetIndex::new(size.member()), table })
    }

    /// Opens the table of this size without a copy in memory. Nothing is built.
    ///
    /// # Errors
    /// When the file is missing, cannot be read or is damaged.
    pub(crate) fn look_at(folder: &Path, size: Size) -> Result<Self, Unusable> {
        Ok(Self { size, table: open::look_at(folder, size.spec())?, index: CosetIndex::new(size.member()) })
    }

    /// Returns the mapped table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the size of the table.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the recipe of its entries.
    pub fn recipe(&self) -> u64 {
        naming::recipe(self.size.spec())
    }

    /// Describes the table.
    pub fn info(&self) -> TableInfo {
        TableInfo::new(self.size.spec(), &self.table)
    }

    /// Returns the index that finds cubes in the table.
    pub fn index(&self) -> &CosetIndex {
        &self.index
    }

    /// Returns the number of the entry of a cell.
    #[inline(always)]
    pub fn entry_of(&self, cell: CosetCell) -> usize {
        cell.row as usize * self.index.columns().kind().size() as usize + cell.column as usize
    }

    /// Returns the value of an entry. 0 means a distance of at most the base, 1 and 2 mean base + 1 and base + 2, 3
    /// means more. Replaced entries have the value 0.
    #[inline(always)]
    pub fn value(&self, entry: usize) -> u8 {
        if entry % CACHE_LINE_ENTRIES < REPLACED { 0 } else { packed::pair(self.table.bytes(), entry) }
    }

    /// Returns the smallest distance in the cache line of an entry, at most base + 3.
    #[inline(always)]
    pub fn nearest(&self, entry: usize) -> u8 {
        packed::nibble(self.table.bytes(), entry / CACHE_LINE_ENTRIES * (CACHE_LINE_ENTRIES / 2))
    }

    /// Prefetches the cache line of an entry.
    #[inline(always)]
    pub fn prefetch(&self, entry: usize) {
        prefetch::read(self.table.bytes(), entry / 4);
    }

    /// Returns a lower bound on the number of moves from a cell to solved.
    #[inline]
    pub(crate) fn bound_at(&self, cell: CosetCell) -> u8 {
        self.bound_of(self.entry_of(cell))
    }

    /// Returns a lower bound on the number of moves from an entry to solved.
    #[inline(always)]
    pub fn bound_of(&self, entry: usize) -> u8 {
        match self.value(entry) {
            0 => self.nearest(entry),
            beyond => self.size.base() + beyond,
        }
    }

    /// Returns a lower bound on the number of moves that solve the cube. It is the greater of the bounds of the cube
    /// and of its inverse, which has the same distance.
    pub fn bound(&self, cube: &Cube) -> u8 {
        [*cube, cube.inverse()].map(|cube| self.bound_at(self.index.of_cube(&cube))).into_iter().max().unwrap_or(0)
    }
}
