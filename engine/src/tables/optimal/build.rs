//! The breadth-first search that fills a coset table.
//!
//! There is one row for each class of corners, and one line of bits for each separation of the edges. Under one turn,
//! the neighbours of a row all lie in one other row, line for line. So each depth is computed row by row: the lines of
//! the last depth are read in order, and their neighbours are gathered in a row that stays in the cache. A row gathers
//! from its neighbours and writes nowhere else. Equivalent entries of a row with self-symmetries gather the same. The
//! first depths have few entries and are lists instead; these must mark all equivalents.
//!
//! Three sets are kept: the entries not reached yet, the last depth and the one before. Two bits per entry hold no
//! more, so the search ends with `base + 2`; whatever is left is farther. The smallest depth of each line is kept
//! separately.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::line::OrientationSet;
use super::size::{CACHE_LINE_ENTRIES, Size};
use super::steps::OrientationShuffles;
use crate::cube::Move;
use crate::symmetry::coset::{CornerClass, CosetIndex};
use crate::tables::building::{BuildError, Context, DepthHistograms, Stopped};
use crate::tables::file::sink::Sink;

/// Number of list entries between two progress reports.
const BETWEEN_REPORTS: usize = 1 << 17;
/// A depth is a list as long as it has fewer entries than this fraction of all lines.
const SPARSE: usize = 64;

/// The depths of all entries up to a base, as sets.
pub(crate) struct Levels<L> {
    /// Entries farther than `base + 2`.
    farther: Vec<L>,
    /// Entries at `base + 2`.
    second: Vec<L>,
    /// Entries at `base + 1`.
    first: Vec<L>,
    /// The smallest depth in each line, at most `base + 3`.
    nearest: Vec<u8>,
    separations: usize,
    /// Number of depths computed row by row.
    pub(crate) passes: usize,
    /// Number of entries at each depth; the last number counts those that are farther.
    pub(crate) entries: Vec<u64>,
    /// Number of cosets at each depth: entries weighted by the cosets that a row stands for.
    pub(crate) states: Vec<u64>,
}

impl<L: OrientationSet> Levels<L> {
    /// Returns the bytes of some rows, a whole number of cache lines. Each entry has two bits: its distance beyond the
    /// base, 3 for three turns or more. The first two entries of a cache line are replaced by its smallest depth.
    pub(crate) fn packed(&self, rows: Range<usize>) -> Vec<u8> {
        let lines = rows.start * self.separations..rows.end * self.separations;
        let mut out = Vec::with_capacity((lines.len() << L::BITS) / 4);
        for at in lines.clone() {
            let farther = self.farther[at];
            L::interleave(farther.or(self.first[at]), farther.or(self.second[at]), &mut out);
        }
        let nearest = self.nearest[lines].chunks(CACHE_LINE_ENTRIES >> L::BITS);
        for (bytes, nearest) in out.chunks_mut(CACHE_LINE_ENTRIES / 4).zip(nearest) {
            let nearest = nearest.iter().min().copied().unwrap_or(0);
            bytes[0] = bytes[0] & 0xf0 | nearest;
        }
        out
    }
}

/// The tables that the search uses.
pub(crate) struct CosetSearch<'a, L: OrientationSet> {
    index: &'a CosetIndex,
    shuffles: OrientationShuffles<L>,
    /// Row to which each turn leads, and the symmetry that leads to its frame, for each row.
    neighbours: Vec<[CornerClass; Move::COUNT]>,
    separations: usize,
}

/// An entry: row, separation, orientation.
type CosetEntry = (u32, u16, u16);

impl<'a, L: OrientationSet> CosetSearch<'a, L> {
    pub(crate) fn new(index: &'a CosetIndex) -> Self {
        let classes = index.classes();
        Self {
            index,
            shuffles: OrientationShuffles::new(index.columns()),
            neighbours: (0..classes.len() as u32).into_par_iter().map(|class| classes.after(class)).collect(),
            separations: index.columns().kind().separations() as usize,
        }
    }

    fn at(&self, (row, separation, _): CosetEntry) -> usize {
        row as usize * self.separations + usize::from(separation)
    }

    /// Searches up to `base + 2`. `progress` receives the number of rows done and of passes over all rows. The depths
    /// that are lists count as one pass.
    pub(crate) fn levels(
        &self,
        base: u8,
        progress: &(dyn Fn(u64, usize) + Sync),
        stop: &AtomicBool,
    ) -> Result<Levels<L>, Stopped> {
        let mut unseen = vec![L::FULL; self.neighbours.len() * self.separations];
        let mut nearest = vec![base + 3; unseen.len()];
        let mut list = Vec::new();
        self.reach((0, 0, 0), &mut unseen, &mut list);
        self.note(0, &list, &mut nearest);
        let mut entries = vec![list.len() as u64];
        let mut states = vec![self.states_of(&list)];
        let (most, rows) = (unseen.len() / SPARSE, self.neighbours.len());
        while entries.len() <= usize::from(base) && list.len() < most {
            let passes = usize::from(base) + 4 - entries.len();
            let grown = |length: usize| progress((rows * length.min(most) / most) as u64, passes);
            grown(list.len());
            list = self.push(&list, &mut unseen, stop, &grown)?;
            self.note(entries.len() as u8, &list, &mut nearest);
            entries.push(list.len() as u64);
            states.push(self.states_of(&list));
        }
        let mut last = vec![L::default(); unseen.len()];
        for &entry in &list {
            last[self.at(entry)].insert(entry.2);
        }
        drop(list);
        let mut next = vec![L::default(); unseen.len()];
        let (done, passes) = (AtomicU64::new(rows as u64), usize::from(base) + 4 - entries.len());
        while entries.len() < usize::from(base) + 3 {
            let (reached, weighted) = self.gather(&last, &mut unseen, &mut next, stop, &|| {
                progress(done.fetch_add(1, Relaxed) + 1, passes);
            });
            let depth = entries.len() as u8;
            nearest.par_iter_mut().zip(&next).for_each(|(nearest, line)| {
                if !line.is_empty() {
                    *nearest = depth.min(*nearest);
                }
            });
            if stop.load(Relaxed) {
                return Err(Stopped);
            }
            entries.push(reached);
            states.push(weighted);
            std::mem::swap(&mut last, &mut next);
        }
        let left = self.index.places() - entries.iter().sum::<u64>();
        let left_states: u64 =
            unseen.par_chunks(self.separations).enumerate().map(|(row, lines)| self.weighted(row, lines)).sum();
        entries.push(left);
        states.push(left_states);
        Ok(Levels {
            farther: unseen,
            second: last,
            first: next,
            nearest,
            separations: self.separations,
            passes,
            entries,
            states,
        })
    }

    fn states_of(&self, list: &[CosetEntry]) -> u64 {
        list.iter().map(|&(row, ..)| self.index.classes().orbit(row)).sum()
    }

    fn weighted(&self, row: usize, lines: &[L]) -> u64 {
        let entries: u64 = lines.iter().map(|line| u64::from(line.count())).sum();
        entries * self.index.classes().orbit(row as u32)
    }

    /// Marks an entry and its equivalents, and lists the new ones.
    fn reach(&self, entry: CosetEntry, unseen: &mut [L], list: &mut Vec<CosetEntry>) {
        let (row, separation, orientation) = entry;
        if !unseen[self.at(entry)].contains(orientation) {
            return;
        }
        for symmetry in self.index.classes().self_symmetries(row) {
            let (separation, orientation) = self.shuffles.seen(symmetry).image(separation, orientation);
            let image = (row, separation, orientation);
            let line = &mut unseen[self.at(image)];
            if line.contains(orientation) {
                let mut one = L::default();
                one.insert(orientation);
                *line = line.without(one);
                list.push(image);
            }
        }
    }

    /// Records the depth for the lines in which it is the first.
    fn note(&self, depth: u8, list: &[CosetEntry], nearest: &mut [u8]) {
        for &entry in list {
            let nearest = &mut nearest[self.at(entry)];
            *nearest = depth.min(*nearest);
        }
    }

    /// Computes the next depth as a list; `grown` periodically receives its length.
    fn push(
        &self,
        list: &[CosetEntry],
        unseen: &mut [L],
        stop: &AtomicBool,
        grown: &dyn Fn(usize),
    ) -> Result<Vec<CosetEntry>, Stopped> {
        let (mut next, mut report_at) = (Vec::new(), list.len() + BETWEEN_REPORTS);
        for &(row, separation, orientation) in list {
            if stop.load(Relaxed) {
                return Err(Stopped);
            }
            if next.len() >= report_at {
                report_at += BETWEEN_REPORTS;
                grown(next.len());
            }
            for turn in Move::ALL {
                let CornerClass { class, symmetry } = self.neighbours[row as usize][turn.index()];
                // A turn followed by the symmetry equals the symmetry followed by the conjugated turn.
                let step = self.shuffles.seen_then(symmetry, symmetry.conjugate_move(turn));
                let (separation, orientation) = step.image(separation, orientation);
                self.reach((class, separation, orientation), unseen, &mut next);
            }
        }
        Ok(next)
    }

    /// Computes the next depth row by row; returns the number of entries and of states.
    fn gather(
        &self,
        last: &[L],
        unseen: &mut [L],
        next: &mut [L],
        stop: &AtomicBool,
        row_done: &(dyn Fn() + Sync),
    ) -> (u64, u64) {
        let rows = unseen.par_chunks_mut(self.separations).zip(next.par_chunks_mut(self.separations)).enumerate();
        rows.map(|(row, (unseen, next))| {
            if stop.load(Relaxed) {
                return (0, 0);
            }
            next.fill(L::default());
            for turn in Move::ALL {
                let CornerClass { class, symmetry } = self.neighbours[row][turn.index()];
                let from = class as usize * self.separations;
                // Undoes the frame of the neighbour, then the turn.
                let step = self.shuffles.seen_then(symmetry.inverse(), turn.inverse());
                step.add_images(&last[from..from + self.separations], next);
            }
            let mut reached = 0;
            for (unseen, next) in unseen.iter_mut().zip(next) {
                *next = next.and(*unseen);
                *unseen = unseen.without(*next);
                reached += u64::from(next.count());
            }
            row_done();
            (reached, reached * self.index.classes().orbit(row as u32))
        })
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }
}

/// Number of rows packed at a time; for every size they fill whole cache lines.
const ROWS_AT_ONCE: usize = 32;

/// Builds a table and writes it.
pub(crate) fn build(size: Size, sink: &mut Sink<'_>, context: &Context<'_>) -> Result<DepthHistograms, BuildError> {
    match size.member().edges.orientation.bits() {
        <u8 as OrientationSet>::BITS => build_lines::<u8>(size, sink, context),
        _ => build_lines::<[u64; 4]>(size, sink, context),
    }
}

fn build_lines<L: OrientationSet>(
    size: Size,
    sink: &mut Sink<'_>,
    context: &Context<'_>,
) -> Result<DepthHistograms, BuildError> {
    let index = CosetIndex::new(size.member());
    let rows = index.classes().len();
    // Each depth computed row by row takes at least as long as writing all rows.
    let units = |passes: usize| (passes * rows) as u64;
    let search = CosetSearch::<L>::new(&index);
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
    Ok(DepthHistograms { entries: levels.entries, states: levels.states })
}
