//! A mapped coset table and its look-ups.

use std::path::Path;

use crate::symmetry::coset::{CosetCell, CosetIndex};
use crate::tables::catalogue::spec::{Spec, TableInfo};
use crate::tables::file::store::{self, Unusable};
use crate::tables::file::table::{Opened, Table};
use crate::tables::optimal::{CACHE_LINE_ENTRIES, REPLACED, Size};
use crate::tables::prefetch;
use crate::tables::pruning::packed;
use superflip_cube::Cube;
use superflip_cube::metric::Metric;

/// A mapped coset table with the index that finds cubes in it.
pub struct OptimalTable {
    spec: &'static Spec,
    size: Size,
    index: CosetIndex,
    table: Table,
}

impl OptimalTable {
    /// Takes the opened table.
    pub(crate) fn of_file(spec: &'static Spec, size: Size, mut opened: Opened) -> Self {
        Self { spec, size, index: CosetIndex::new(size.member()), table: opened.take(spec.id) }
    }

    /// Opens a table of this size without a copy in memory. Nothing is built.
    ///
    /// # Errors
    /// When the file is missing, cannot be read or is damaged.
    pub(crate) fn look_at(folder: &Path, spec: &'static Spec, size: Size) -> Result<Self, Unusable> {
        Ok(Self { spec, size, table: store::look_at(folder, spec)?, index: CosetIndex::new(size.member()) })
    }

    /// Returns the mapped table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the size of the table.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the metric of its distances.
    pub fn metric(&self) -> Metric {
        self.spec.metric
    }

    /// Returns the base: the greatest distance that an entry of 0 stands for.
    #[inline(always)]
    pub fn base(&self) -> u8 {
        self.size.base(self.spec.metric)
    }

    /// Describes the table.
    pub fn info(&self) -> TableInfo {
        TableInfo::new(self.spec, &self.table)
    }

    /// Returns the index that finds cubes in the table.
    pub fn index(&self) -> &CosetIndex {
        &self.index
    }

    /// Returns the entries, for look-ups.
    #[inline(always)]
    pub fn entries(&self) -> Entries<'_> {
        let columns = self.index.columns().kind().size() as usize;
        Entries { bytes: self.table.bytes(), columns, base: self.base() }
    }

    /// Returns a lower bound on the number of moves from a cell to solved.
    #[inline]
    pub(crate) fn bound_at(&self, cell: CosetCell) -> u8 {
        let entries = self.entries();
        entries.bound(entries.of(cell))
    }

    /// Returns a lower bound on the number of moves that solve the cube. It is the greater of the bounds of the cube
    /// and of its inverse, which has the same distance.
    pub fn bound(&self, cube: &Cube) -> u8 {
        [*cube, cube.inverse()].map(|cube| self.bound_at(self.index.of_cube(&cube))).into_iter().max().unwrap_or(0)
    }
}

/// The entries of a coset table.
#[derive(Clone, Copy)]
pub struct Entries<'t> {
    bytes: &'t [u8],
    columns: usize,
    base: u8,
}

impl Entries<'_> {
    /// Returns the number of the entry of a cell.
    #[inline(always)]
    pub fn of(self, cell: CosetCell) -> usize {
        cell.row as usize * self.columns + cell.column as usize
    }

    /// Returns the value of an entry. 0 means a distance of at most the base, 1 and 2 mean base + 1 and base + 2, 3
    /// means more. Replaced entries have the value 0.
    #[inline(always)]
    pub fn value(self, entry: usize) -> u8 {
        if entry % CACHE_LINE_ENTRIES < REPLACED { 0 } else { packed::pair(self.bytes, entry) }
    }

    /// Returns the smallest distance in the cache line of an entry, at most base + 3.
    #[inline(always)]
    pub fn nearest(self, entry: usize) -> u8 {
        packed::nibble(self.bytes, entry / CACHE_LINE_ENTRIES * (CACHE_LINE_ENTRIES / 2))
    }

    /// Prefetches the cache line of an entry.
    #[inline(always)]
    pub fn prefetch(self, entry: usize) {
        prefetch::read(self.bytes, entry / 4);
    }

    /// Returns a lower bound on the number of moves from an entry to solved.
    #[inline(always)]
    pub fn bound(self, entry: usize) -> u8 {
        match self.value(entry) {
            0 => self.nearest(entry),
            beyond => self.base + beyond,
        }
    }
}
