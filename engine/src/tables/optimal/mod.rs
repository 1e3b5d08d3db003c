//! Coset tables for proven optimal answers: how far a cube is from the solved coset of tetrads and slices.
//!
//! | size | corners | edges | entries | bytes |
//! | --- | --- | --- | --- | --- |
//! | `s` | 1184 classes | 34650 separations x parities of the slices, 2^2 | 164 102 400 | 41 MB |
//! | `m` | 1184 classes | 5775 separations x orientation up to whole slices, 2^8 | 1 750 425 600 | 438 MB |
//! | `l` | 1184 classes | 34650 separations x orientation up to whole slices, 2^8 | 10 502 553 600 | 2.6 GB |
//! | `xl` | 3393 classes | 34650 separations x orientation up to whole slices, 2^8 | 30 097 267 200 | 7.5 GB |
//!
//! Every one is invariant under all 48 symmetries. The entry of a cube holds, in two bits, how far its distance is beyond
//! a base: 0 for the base or less, 1, 2, and 3 for three or more. The bases are those at which the values of random cubes
//! come out highest on average. Of a cache line of 256 entries the first two are given up for the smallest distance in it, which
//! is the bound of those two and of every 0:
//!
//! ```text
//! bit  0        4    6    8             510
//!      smallest | e2 | e3 | e4 | ... | e255 |
//! ```
//!
//! These tables belong to no profile; [`OptimalTable::open_or_build`] is their door.

mod build;
pub mod check;
mod line;
mod steps;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::open::{self, Unusable};
use super::sink::Sink;
use super::specs::{self, Histograms, Id, Spec};
use super::store::{self, BuildError, Context, Opened, Table};
use super::{Observer, TableError, TableInfo, Trust, packed, prefetch};
use crate::coord::coset::{CornerKind, EdgeKind, Orientation};
use crate::cube::Cube;
use crate::symmetry::coset::{CosetIndex, Member, Place};
use build::Search;
use line::Line;

/// How large the table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// 41 MB.
    S,
    /// 438 MB.
    M,
    /// 2.6 GB.
    L,
    /// 7.5 GB.
    Xl,
}

impl Size {
    /// Every size, the smallest first.
    pub const ALL: [Self; 4] = [Self::S, Self::M, Self::L, Self::Xl];

    /// `s`, `m`, `l` or `xl`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "s",
            Self::M => "m",
            Self::L => "l",
            Self::Xl => "xl",
        }
    }

    /// What the table forgets of a cube.
    pub const fn member(self) -> Member {
        let (corners, relabelled, orientation) = match self {
            Self::S => (CornerKind::Turned, false, Orientation::Parities),
            Self::M => (CornerKind::Turned, true, Orientation::Sliced),
            Self::L => (CornerKind::Turned, false, Orientation::Sliced),
            Self::Xl => (CornerKind::Tetrads, false, Orientation::Sliced),
        };
        Member { corners, edges: EdgeKind { relabelled, orientation } }
    }

    /// The greatest distance that an entry of 0 may stand for.
    pub const fn base(self) -> u8 {
        match self {
            Self::S => 7,
            Self::M => 8,
            Self::L | Self::Xl => 9,
        }
    }

    pub(super) const fn id(self) -> Id {
        match self {
            Self::S => Id::OptimalS,
            Self::M => Id::OptimalM,
            Self::L => Id::OptimalL,
            Self::Xl => Id::OptimalXl,
        }
    }

    /// Its line in the list of tables.
    ///
    /// # Panics
    /// Never: every size is in the list.
    pub fn spec(self) -> &'static Spec {
        specs::OPTIMAL.iter().find(|spec| spec.id == self.id()).expect("every size is in the list")
    }
}

/// Entries in a cache line.
pub(super) const CACHE_LINE_ENTRIES: usize = 256;
/// Entries of a cache line in whose place its smallest distance stands.
pub(super) const GIVEN_UP: usize = 2;
/// Rows that are packed at a time: of every size so many have a whole number of cache lines.
const ROWS_AT_ONCE: usize = 32;

/// Builds a table and writes it; the work of a [`Spec`].
pub(super) fn build(size: Size, sink: &mut Sink<'_>, context: &Context<'_>) -> Result<Histograms, BuildError> {
    match size.member().edges.orientation.bits() {
        <u8 as Line>::BITS => build_lines::<u8>(size, sink, context),
        _ => build_lines::<[u64; 4]>(size, sink, context),
    }
}

fn build_lines<L: Line>(size: Size, sink: &mut Sink<'_>, context: &Context<'_>) -> Result<Histograms, BuildError> {
    let index = CosetIndex::new(size.member());
    let rows = index.classes().len();
    // Each depth that is worked through row by row is as much work as writing all rows, or more.
    let units = |passes: usize| (passes * rows) as u64;
    let search = Search::<L>::new(&index);
    let levels = search.levels(size.base(), &|done, passes| context.progress(done, units(passes + 1)), context.stop)?;
    for first in (0..rows).step_by(2 * ROWS_AT_ONCE) {
        let end = rows.min(first + 2 * ROWS_AT_ONCE);
        let starts: Vec<usize> = (first..end).step_by(ROWS_AT_ONCE).collect();
        let packed: Vec<Vec<u8>> =
            starts.into_par_iter().map(|start| levels.packed(start..end.min(start + ROWS_AT_ONCE))).collect();
        for rows in packed {
            sink.bytes(&rows)?;
        }
        context.progress(units(levels.passes) + end as u64, units(levels.passes + 1));
        context.check()?;
    }
    Ok(Histograms { entries: levels.entries, states: levels.states })
}

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
    pub(super) fn look_at(folder: &Path, size: Size) -> Result<Self, Unusable> {
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
    pub fn entry_of(&self, place: Place) -> usize {
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
    pub fn bound_at(&self, place: Place) -> u8 {
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
