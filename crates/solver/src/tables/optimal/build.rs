//! The breadth-first search that fills a coset table.
//!
//! The table has one row for each class of corner cosets. A row is a sequence of orientation sets ([`OrientationSet`]),
//! one for each separation of the edges. Under one move, the neighbours of a row all lie in one other row.
//!
//! - **First depths.** They have few entries and are lists. Each entry marks its neighbours and, if their class has
//!   self-symmetries, all equivalent entries.
//! - **Later depths.** Each row *gathers*: for each move it adds the images of the last depth in the neighbouring row.
//!   The neighbouring rows are read in order. The gathering row stays in the cache, and no other row is written.
//!   Equivalent entries gather the same result.
//!
//! The search keeps three sets: the entries not reached yet, the last depth, and the depth before it. The two bits of
//! an entry distinguish no more than that. So the search ends with `base + 2`, and all other entries are farther. The
//! smallest depth in each orientation set is kept separately.

use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::control::{Cancelled, Control};
use crate::symmetry::coset::{CornerClass, CosetIndex};
use crate::tables::file::sink::{BuildError, Sink};
use crate::tables::optimal::columns::{OrientationSet, OrientationShuffles};
use crate::tables::optimal::{CACHE_LINE_ENTRIES, Size, unit_moves};
use crate::tables::pruning::breadth_first::DepthHistograms;
use superflip_cube::Move;
use superflip_cube::metric::Metric;

/// Number of list entries between two progress reports.
const BETWEEN_REPORTS: usize = 1 << 17;
/// A depth is a list while its number of entries is below the number of all orientation sets divided by this number.
const SPARSE: usize = 64;

/// The depths of all entries up to a base, as sets.
pub(crate) struct DepthSets<S> {
    /// Entries farther than `base + 2`.
    farther: Vec<S>,
    /// Entries at `base + 2`.
    second: Vec<S>,
    /// Entries at `base + 1`.
    first: Vec<S>,
    /// The smallest depth in each orientation set, at most `base + 3`.
    nearest: Vec<u8>,
    separations: usize,
    /// Number of depths computed row by row.
    pub(crate) passes: usize,
    /// Number of entries at each depth; the last number counts those that are farther.
    pub(crate) entries: Vec<u64>,
    /// Number of cosets at each depth: each entry is weighted by the number of corner cosets that its row stands for.
    pub(crate) states: Vec<u64>,
}

impl<S: OrientationSet> DepthSets<S> {
    /// Returns the bytes of some rows, which must fill whole cache lines. Each entry has two bits: its distance minus
    /// the base, at least 0 and at most 3. The first two entries of a cache line are replaced by its smallest depth.
    pub(crate) fn packed(&self, rows: Range<usize>) -> Vec<u8> {
        let sets = rows.start * self.separations..rows.end * self.separations;
        let mut out = Vec::with_capacity((sets.len() << S::BITS) / 4);
        for at in sets.clone() {
            let farther = self.farther[at];
            S::interleave(farther.or(self.first[at]), farther.or(self.second[at]), &mut out);
        }
        let nearest = self.nearest[sets].chunks(CACHE_LINE_ENTRIES >> S::BITS);
        for (bytes, nearest) in out.chunks_mut(CACHE_LINE_ENTRIES / 4).zip(nearest) {
            let nearest = nearest.iter().min().copied().unwrap_or(0);
            bytes[0] = bytes[0] & 0xf0 | nearest;
        }
        out
    }
}

/// The tables that the search uses.
pub(crate) struct CosetSearch<'a, S: OrientationSet> {
    index: &'a CosetIndex,
    shuffles: OrientationShuffles<S>,
    /// For each row, the row to which each move leads, and the symmetry that leads to the frame of that row.
    neighbours: Vec<[CornerClass; Move::COUNT]>,
    separations: usize,
    /// The moves that count 1.
    moves: &'static [Move],
}

/// An entry: row, separation, orientation.
type CosetEntry = (u32, u16, u16);

impl<'a, S: OrientationSet> CosetSearch<'a, S> {
    pub(crate) fn new(index: &'a CosetIndex, moves: &'static [Move]) -> Self {
        let classes = index.classes();
        Self {
            index,
            shuffles: OrientationShuffles::new(index.columns()),
            neighbours: (0..classes.len() as u32).into_par_iter().map(|class| classes.after(class)).collect(),
            separations: index.columns().kind().separations() as usize,
            moves,
        }
    }

    fn at(&self, (row, separation, _): CosetEntry) -> usize {
        row as usize * self.separations + usize::from(separation)
    }

    /// Searches up to depth `base + 2`. Reports the number of rows done. The total is the number of rows in all passes,
    /// plus one pass for writing. The depths that are lists count as one pass.
    pub(crate) fn depth_sets(&self, base: u8, control: &Control) -> Result<DepthSets<S>, Cancelled> {
        let mut unseen = vec![S::FULL; self.neighbours.len() * self.separations];
        let mut nearest = vec![base + 3; unseen.len()];
        let mut list = Vec::new();
        self.reach((0, 0, 0), &mut unseen, &mut list);
        self.note(0, &list, &mut nearest);
        let mut entries = vec![list.len() as u64];
        let mut states = vec![self.states_of(&list)];
        let (most, rows) = (unseen.len() / SPARSE, self.neighbours.len());
        let report = |done: u64, passes: usize| control.report(done, ((passes + 1) * rows) as u64);
        while entries.len() <= usize::from(base) && list.len() < most {
            let passes = usize::from(base) + 4 - entries.len();
            let grown = |length: usize| report((rows * length.min(most) / most) as u64, passes);
            grown(list.len());
            list = self.push(&list, &mut unseen, control, &grown)?;
            self.note(entries.len() as u8, &list, &mut nearest);
            entries.push(list.len() as u64);
            states.push(self.states_of(&list));
        }
        let mut last = vec![S::default(); unseen.len()];
        for &entry in &list {
            last[self.at(entry)].insert(entry.2);
        }
        drop(list);
        let mut next = vec![S::default(); unseen.len()];
        let (done, passes) = (AtomicU64::new(rows as u64), usize::from(base) + 4 - entries.len());
        while entries.len() < usize::from(base) + 3 {
            let (reached, weighted) = self.gather(&last, &mut unseen, &mut next, control, &|| {
                report(done.fetch_add(1, Relaxed) + 1, passes);
            });
            let depth = entries.len() as u8;
            nearest.par_iter_mut().zip(&next).for_each(|(nearest, set)| {
                if !set.is_empty() {
                    *nearest = depth.min(*nearest);
                }
            });
            control.check()?;
            entries.push(reached);
            states.push(weighted);
            std::mem::swap(&mut last, &mut next);
        }
        let left = self.index.cells() - entries.iter().sum::<u64>();
        let left_states: u64 =
            unseen.par_chunks(self.separations).enumerate().map(|(row, sets)| self.weighted(row, sets)).sum();
        entries.push(left);
        states.push(left_states);
        Ok(DepthSets {
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

    fn weighted(&self, row: usize, sets: &[S]) -> u64 {
        let entries: u64 = sets.iter().map(|set| u64::from(set.count())).sum();
        entries * self.index.classes().orbit(row as u32)
    }

    /// Marks an entry and its equivalents, and lists the new ones.
    fn reach(&self, entry: CosetEntry, unseen: &mut [S], list: &mut Vec<CosetEntry>) {
        let (row, separation, orientation) = entry;
        if !unseen[self.at(entry)].contains(orientation) {
            return;
        }
        for symmetry in self.index.classes().self_symmetries(row) {
            let (separation, orientation) = self.shuffles.seen(symmetry).image(separation, orientation);
            let image = (row, separation, orientation);
            let set = &mut unseen[self.at(image)];
            if set.contains(orientation) {
                let mut one = S::default();
                one.insert(orientation);
                *set = set.without(one);
                list.push(image);
            }
        }
    }

    /// Records the depth for the orientation sets in which it is the smallest.
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
        unseen: &mut [S],
        control: &Control,
        grown: &dyn Fn(usize),
    ) -> Result<Vec<CosetEntry>, Cancelled> {
        let (mut next, mut report_at) = (Vec::new(), list.len() + BETWEEN_REPORTS);
        for &(row, separation, orientation) in list {
            control.check()?;
            if next.len() >= report_at {
                report_at += BETWEEN_REPORTS;
                grown(next.len());
            }
            for &mv in self.moves {
                let CornerClass { class, symmetry } = self.neighbours[row as usize][mv.index()];
                // A move followed by the symmetry equals the symmetry followed by the conjugated move.
                let map = self.shuffles.seen_then(symmetry, symmetry.conjugate_move(mv));
                let (separation, orientation) = map.image(separation, orientation);
                self.reach((class, separation, orientation), unseen, &mut next);
            }
        }
        Ok(next)
    }

    /// Computes the next depth row by row; returns the number of entries and of states.
    fn gather(
        &self,
        last: &[S],
        unseen: &mut [S],
        next: &mut [S],
        control: &Control,
        row_done: &(dyn Fn() + Sync),
    ) -> (u64, u64) {
        let rows = unseen.par_chunks_mut(self.separations).zip(next.par_chunks_mut(self.separations)).enumerate();
        rows.map(|(row, (unseen, next))| {
            if control.check().is_err() {
                return (0, 0);
            }
            next.fill(S::default());
            for &mv in self.moves {
                let CornerClass { class, symmetry } = self.neighbours[row][mv.index()];
                let from = class as usize * self.separations;
                // Undoes the frame of the neighbour, then the move.
                let map = self.shuffles.seen_then(symmetry.inverse(), mv.inverse());
                map.add_images(&last[from..from + self.separations], next);
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
pub(crate) fn build(
    metric: Metric,
    size: Size,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    match size.member().edges.orientation.bits() {
        <u8 as OrientationSet>::BITS => build_sets::<u8>(metric, size, sink, control),
        _ => build_sets::<[u64; 4]>(metric, size, sink, control),
    }
}

fn build_sets<S: OrientationSet>(
    metric: Metric,
    size: Size,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    let index = CosetIndex::new(size.member());
    let rows = index.classes().len();
    let sets = CosetSearch::<S>::new(&index, unit_moves(metric)).depth_sets(size.base(metric), control)?;
    for first in (0..rows).step_by(2 * ROWS_AT_ONCE) {
        let end = rows.min(first + 2 * ROWS_AT_ONCE);
        let starts: Vec<usize> = (first..end).step_by(ROWS_AT_ONCE).collect();
        let packed: Vec<Vec<u8>> =
            starts.into_par_iter().map(|start| sets.packed(start..end.min(start + ROWS_AT_ONCE))).collect();
        for rows in packed {
            sink.bytes(&rows)?;
        }
        // Writing all rows counts as a pass. Each depth computed row by row takes at least as long.
        control.report((sets.passes * rows + end) as u64, ((sets.passes + 1) * rows) as u64);
        control.check()?;
    }
    Ok(DepthHistograms { entries: sets.entries, states: sets.states })
}
