//! The breadth-first search that fills a coset table.
//!
//! One row for each class of corners, one line of bits for each separation of the edges. Seen from one row, the
//! neighbours under one turn all lie in one other row, line for line, so that a depth is worked through row by row: the
//! lines of the last depth stream through, and what they lead to is gathered in a row that stays in the cache. A row
//! gathers from its neighbours and writes nowhere else; equivalent entries of a row with self-symmetries gather the same,
//! each by itself. The first depths, of few entries, are lists instead, and these have to mark all equivalents.
//!
//! Three sets are kept: what no depth has reached, the last depth and the one before. They are all that two bits an entry
//! can tell, so that the search ends with `base + 2`: whatever is left is farther. Beside them stands the smallest depth of each line.

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

/// Entries of a list between two reports of its growth.
const BETWEEN_REPORTS: usize = 1 << 17;
/// As long as a depth has fewer entries than this part of all lines, it is a list.
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
    /// How many depths were worked through row by row.
    pub(crate) passes: usize,
    /// Entries at each depth; the last number is of those that are farther.
    pub(crate) entries: Vec<u64>,
    /// The same, weighted by the cosets for which a row stands.
    pub(crate) states: Vec<u64>,
}

impl<L: OrientationSet> Levels<L> {
    /// The bytes of some rows, a whole number of cache lines: two bits for each entry, how far it is beyond the base, 3 for three turns or
    /// more; instead of the first two entries of a cache line the smallest depth in it.
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

/// What the search works on.
pub(crate) struct CosetSearch<'a, L: OrientationSet> {
    index: &'a CosetIndex,
    shuffles: OrientationShuffles<L>,
    /// For each row, the row to which each turn leads, and the symmetry that leads to its view.
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

    /// Searches until `base + 2` is done. `progress` hears how many rows are done, in how many passes over all rows; the depths
    /// that are lists count as one pass, done as far as the list has grown.
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

    /// Marks an entry and its equivalents, and lists those that are new.
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

    /// Notes the depth for the lines in which it is the first.
    fn note(&self, depth: u8, list: &[CosetEntry], nearest: &mut [u8]) {
        for &entry in list {
            let nearest = &mut nearest[self.at(entry)];
            *nearest = depth.min(*nearest);
        }
    }

    /// The next depth as a list; `grown` is called with its length now and then.
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
                // Turned, then seen through the symmetry: the same as seen, then turned as the symmetry has it.
                let step = self.shuffles.seen_then(symmetry, symmetry.conjugate_move(turn));
                let (separation, orientation) = step.image(separation, orientation);
                self.reach((class, separation, orientation), unseen, &mut next);
            }
        }
        Ok(next)
    }

    /// The next depth, row by row: how many entries it has, and how many states.
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
                // Back from the view of the neighbour, and back by the turn.
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

/// Rows that are packed at a time: of every size so many have a whole number of cache lines.
const ROWS_AT_ONCE: usize = 32;

/// Builds a table and writes it; the work of a [`Spec`].
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
    // Each depth that is worked through row by row is as much work as writing all rows, or more.
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
