//! Distances over a graph, by breadth-first search.
//!
//! The entries of a graph stand in rows. Under one move, the neighbours of a row all lie in one other row. So a row and
//! its neighbours stay in the cache while they are worked on. An entry may have *equivalents*, which stand for the same
//! states.
//!
//! Early depths *push*: each entry of the last depth marks its neighbours, whose equivalents are marked afterwards. When few
//! entries are left, they *pull*: each of them checks whether a neighbour has the last depth. Equivalent entries find the same
//! result by themselves.
//!
//! | graph | module |
//! | --- | --- |
//! | classes of one coordinate times the values of another | [`super::product`]; under runs of turns `metric::build` |
//! | coordinates as the digits of one number, without symmetries | [`crate::tables::pruning::product`] |
//! | corners times edges of a target that leaves pieces open, in 32 bits | `search::partial::distances` |
//!
//! The coset tables for proofs have entries of two bits and a search of their own (`optimal::build`).

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};

use rayon::prelude::*;

use crate::control::{Cancelled, Control};

/// Depth histograms of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DepthHistograms {
    /// Number of entries at each depth, as stored.
    pub entries: Vec<u64>,
    /// Number of states at each depth: each entry is weighted by the number of states that it stands for.
    pub states: Vec<u64>,
}

impl DepthHistograms {
    /// Returns the histograms of a table that stores distances up to `cap`. Entries are counted as stored, so greater
    /// distances count as `cap`.
    pub(crate) fn capped(mut self, cap: u8) -> Self {
        let beyond: u64 = self.entries.iter().skip(usize::from(cap) + 1).sum();
        if beyond > 0 {
            self.entries[usize::from(cap)] += beyond;
            self.entries[usize::from(cap) + 1..].fill(0);
        }
        self
    }
}

/// Marks an entry that no depth has reached.
pub const UNREACHED: u8 = u8::MAX;

/// A graph whose entries stand in rows. The inverse of each move is a move of the graph too.
pub trait Graph: Sync {
    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Returns the number of moves.
    fn moves(&self) -> usize;

    /// Returns the length of a move: 1 or 2.
    fn length(&self, _mv: usize) -> u8 {
        1
    }

    /// Returns the number of entries in a row.
    fn columns(&self) -> usize;

    /// Returns the row to which a move leads from another row, and the column there for each column.
    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize);

    /// Passes on the entries at distance 0.
    fn goals(&self, mut found: impl FnMut(usize)) {
        found(0);
    }

    /// Iterates over the columns of the equivalents of an entry, with or without the entry itself. In a row, the entries of all
    /// columns have some, or none has.
    fn equivalents(&self, _row: usize, _column: usize) -> impl Iterator<Item = usize> {
        std::iter::empty()
    }

    /// Returns the number of states that an entry of a row stands for.
    fn states(&self, _row: usize) -> u64 {
        1
    }
}

/// What is known about a row, so that most rows need not be read at most depths.
struct Row {
    /// Number of unreached entries.
    left: AtomicU32,
    /// The last depth at which it has entries, or [`UNREACHED`].
    last: AtomicU8,
    /// Whether it may have entries that are not counted.
    is_changed: AtomicBool,
    /// The last depth at which it was pushed or pulled, or [`UNREACHED`].
    spread: AtomicU8,
}

/// Greatest number of columns that are worked on between two checks of the control, and whose list is in memory.
const PIECE: usize = 1 << 16;

/// Lists of columns, which a thread uses again for the next row.
#[derive(Default)]
pub struct Found([Vec<u32>; 2]);

/// The byte of one entry: atomic if threads share the rows.
pub trait Entry: Sized {
    /// Returns the distance, or [`UNREACHED`].
    fn load(&self) -> u8;

    /// Stores a distance.
    fn store(&self, distance: u8);

    /// Replaces the distance by the one that `lowered` has for it.
    fn lower(&self, lowered: &[u8; 256]);

    /// Adds up `work` over all rows.
    fn sum(entries: &[Self], rows: usize, work: impl Fn(&[Self], usize, &mut Found) -> [u64; 2] + Sync) -> [u64; 2];
}

impl Entry for AtomicU8 {
    #[inline]
    fn load(&self) -> u8 {
        self.load(Relaxed)
    }

    #[inline]
    fn store(&self, distance: u8) {
        self.store(distance, Relaxed);
    }

    #[inline]
    fn lower(&self, lowered: &[u8; 256]) {
        // Two threads may both find the entry unreached; they write the same depth. A store that changes nothing would take the
        // cache line from the other thread.
        let own = self.load(Relaxed);
        if own != lowered[usize::from(own)] {
            self.store(lowered[usize::from(own)], Relaxed);
        }
    }

    fn sum(entries: &[Self], rows: usize, work: impl Fn(&[Self], usize, &mut Found) -> [u64; 2] + Sync) -> [u64; 2] {
        let rows = (0..rows).into_par_iter().with_min_len(16);
        rows.map_init(Found::default, |found, row| work(entries, row, found)).reduce(|| [0; 2], add)
    }
}

impl Entry for Cell<u8> {
    #[inline]
    fn load(&self) -> u8 {
        self.get()
    }

    #[inline]
    fn store(&self, distance: u8) {
        self.set(distance);
    }

    #[inline]
    fn lower(&self, lowered: &[u8; 256]) {
        // By a table, because the outcome is unpredictable, and the compiler makes a branch of a minimum of bytes.
        self.set(lowered[usize::from(self.get())]);
    }

    fn sum(entries: &[Self], rows: usize, work: impl Fn(&[Self], usize, &mut Found) -> [u64; 2] + Sync) -> [u64; 2] {
        let mut found = Found::default();
        (0..rows).map(|row| work(entries, row, &mut found)).fold([0; 2], add)
    }
}

fn add(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Computes the distance of each entry from the goals. All `entries` must be [`UNREACHED`] before; those without a path to a goal
/// remain so. Reports the number of entries done.
///
/// # Errors
/// When `control` ended the work.
pub fn distances<E: Entry>(graph: &impl Graph, entries: &[E], control: &Control) -> Result<DepthHistograms, Cancelled> {
    let mut search = Search::new(graph, entries);
    search.run(graph, entries, control)?;
    Ok(search.counts)
}

/// Computes the distances of all entries on all threads, one byte per entry, row by row; [`UNREACHED`] without a path to a goal.
///
/// # Errors
/// When `control` ended the work.
pub fn on_all_threads(graph: &impl Graph, control: &Control) -> Result<(Vec<u8>, DepthHistograms), Cancelled> {
    let size = graph.rows() * graph.columns();
    let entries: Vec<AtomicU8> = (0..size).into_par_iter().map(|_| AtomicU8::new(UNREACHED)).collect();
    let histograms = distances(graph, &entries, control)?;
    // Converted in place: the vector keeps its memory. A parallel conversion would need twice the memory.
    Ok((entries.into_iter().map(AtomicU8::into_inner).collect(), histograms))
}

/// The distances of all entries of a graph, which one thread computes in one call or in several.
#[derive(Default)]
pub struct Distances {
    entries: Vec<u8>,
    search: Option<Search>,
}

impl Distances {
    /// Computes the distances. If `control` ends the work, the next call goes on where it was.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn grow(&mut self, graph: &impl Graph, control: &Control) -> Result<(), Cancelled> {
        self.entries.resize(graph.rows() * graph.columns(), UNREACHED);
        let entries = Cell::from_mut(&mut self.entries[..]).as_slice_of_cells();
        self.search.get_or_insert_with(|| Search::new(graph, entries)).run(graph, entries, control)
    }

    /// Returns whether all distances are known.
    pub fn is_complete(&self) -> bool {
        self.search.as_ref().is_some_and(|search| matches!(search.stage, Stage::Complete))
    }

    /// Returns the distance of each entry, [`UNREACHED`] without a path to a goal.
    #[inline]
    pub fn entries(&self) -> &[u8] {
        &self.entries
    }

    /// Returns the number of entries and of states at each distance so far.
    pub fn histograms(&self) -> DepthHistograms {
        self.search.as_ref().map(|search| search.counts.clone()).unwrap_or_default()
    }
}

/// Computes the distances of all entries of a small graph on one thread. Overwrites `entries`.
pub(crate) fn on_one_thread(graph: &impl Graph, entries: &mut [u8]) {
    entries.fill(UNREACHED);
    // Nothing cancels this control.
    let _ = distances(graph, Cell::from_mut(entries).as_slice_of_cells(), &Control::new());
}

/// What a search does next.
enum Stage {
    /// Counts the entries of the depth.
    Count,
    /// Finds the entries of the next depth.
    Spread,
    Complete,
}

/// A search that can be interrupted. Work on a depth may be repeated, since it only stores distances that are final.
struct Search {
    rows: Vec<Row>,
    counts: DepthHistograms,
    depth: u8,
    stage: Stage,
    /// Number of entries found.
    done: u64,
    /// Number of depths without entries since the last entry.
    empty: u8,
    /// Whether the entries of the depth were pulled.
    has_pulled: bool,
}

impl Search {
    fn new<E: Entry>(graph: &impl Graph, entries: &[E]) -> Self {
        let columns = graph.columns();
        let new_row = |_| Row {
            left: AtomicU32::new(columns as u32),
            last: AtomicU8::new(UNREACHED),
            is_changed: AtomicBool::new(false),
            spread: AtomicU8::new(UNREACHED),
        };
        let rows: Vec<Row> = (0..graph.rows()).map(new_row).collect();
        graph.goals(|entry| {
            entries[entry].store(0);
            rows[entry / columns].is_changed.store(true, Relaxed);
        });
        let counts = DepthHistograms::default();
        Self { rows, counts, depth: 0, stage: Stage::Count, done: 0, empty: 0, has_pulled: false }
    }

    fn run<E: Entry>(&mut self, graph: &impl Graph, entries: &[E], control: &Control) -> Result<(), Cancelled> {
        loop {
            match self.stage {
                Stage::Count => self.count(graph, entries, control),
                Stage::Spread => {
                    self.spread(graph, entries, control)?;
                    (self.depth, self.stage) = (self.depth + 1, Stage::Count);
                }
                Stage::Complete => return Ok(()),
            }
        }
    }

    /// Counts the entries of the depth, and marks their equivalents.
    fn count<E: Entry>(&mut self, graph: &impl Graph, entries: &[E], control: &Control) {
        let (columns, total) = (graph.columns(), entries.len() as u64);
        let Self { rows, depth, has_pulled, .. } = &*self;
        let [found, states] = E::sum(entries, rows.len(), |entries, row, Found([list, _])| {
            let Row { left, last, is_changed, .. } = &rows[row];
            if !is_changed.load(Relaxed) {
                return [0; 2];
            }
            is_changed.store(false, Relaxed);
            let own = &entries[row * columns..][..columns];
            if !has_pulled {
                mark_equivalents(graph, own, row, *depth, list);
            }
            let found = count(own, *depth);
            if found > 0 {
                left.store(left.load(Relaxed) - found as u32, Relaxed);
                last.store(*depth, Relaxed);
            }
            [found, found * graph.states(row)]
        });
        self.counts.entries.push(found);
        self.counts.states.push(states);
        // A move of length 2 may lead from the last depth but one to the next depth.
        self.empty = if found == 0 { self.empty + 1 } else { 0 };
        self.done += found;
        if self.depth > 0 && found > 0 {
            control.report(self.done, total);
        }
        self.stage = if self.empty == longest(graph) || self.done == total || self.depth + 1 == UNREACHED {
            let depths = self.counts.entries.len() - usize::from(self.empty);
            self.counts.entries.truncate(depths);
            self.counts.states.truncate(depths);
            Stage::Complete
        } else {
            Stage::Spread
        };
        // Pulling reads every remaining entry. Pushing reads every neighbour of the last depth.
        self.has_pulled = found * 2 > total - self.done;
    }

    /// Finds the entries of the next depth.
    fn spread<E: Entry>(&self, graph: &impl Graph, entries: &[E], control: &Control) -> Result<(), Cancelled> {
        let (columns, longest, depth) = (graph.columns(), longest(graph), self.depth);
        E::sum(entries, self.rows.len(), |entries, row, found| {
            let Row { left, last, spread, .. } = &self.rows[row];
            let (left, last) = (left.load(Relaxed), last.load(Relaxed));
            let has_work = if self.has_pulled { left > 0 } else { last != UNREACHED && last + longest > depth };
            if !has_work || spread.load(Relaxed) == depth {
                return [0; 2];
            }
            for first in (0..columns).step_by(PIECE) {
                if control.check().is_err() {
                    return [0; 2];
                }
                let piece = first..columns.min(first + PIECE);
                let work = Work { graph, entries, rows: &self.rows, row, piece, depth };
                if self.has_pulled { work.pull(found) } else { work.push(found) }
            }
            spread.store(depth, Relaxed);
            [0; 2]
        });
        control.check()
    }
}

/// Returns the greatest length of a move.
fn longest(graph: &impl Graph) -> u8 {
    (0..graph.moves()).map(|mv| graph.length(mv)).max().unwrap_or(1)
}

/// Gives the equivalents of the entries of a row at this depth the same depth.
fn mark_equivalents<E: Entry>(graph: &impl Graph, own: &[E], row: usize, depth: u8, found: &mut Vec<u32>) {
    if graph.equivalents(row, 0).next().is_none() {
        return;
    }
    for &column in &*find(0, own, depth, found) {
        graph.equivalents(row, column as usize).for_each(|column| own[column].store(depth));
    }
}

/// The work on a piece of a row at a depth.
struct Work<'w, E, G> {
    graph: &'w G,
    entries: &'w [E],
    rows: &'w [Row],
    row: usize,
    /// The columns of the piece.
    piece: Range<usize>,
    depth: u8,
}

impl<E: Entry, G: Graph> Work<'_, E, G> {
    /// Returns the entries of a row.
    fn row(&self, row: usize) -> &[E] {
        let columns = self.graph.columns();
        &self.entries[row * columns..][..columns]
    }

    /// Returns the columns of the piece that have this distance. Writes to `found`.
    fn find<'f>(&self, distance: u8, found: &'f mut Vec<u32>) -> &'f mut [u32] {
        find(self.piece.start, &self.row(self.row)[self.piece.clone()], distance, found)
    }

    /// Marks the neighbours at `depth + 1`. A move of length 1 leads there from an entry at `depth`, a move of length 2 from one at
    /// `depth - 1`.
    fn push(&self, Found([found, more]): &mut Found) {
        let &Self { graph, rows, row, depth, .. } = self;
        let before = depth.checked_sub(1).filter(|_| (0..graph.moves()).any(|mv| graph.length(mv) > 1));
        let sources = [self.find(depth, found), before.map_or(&mut [], |before| self.find(before, more))];
        let lowered = std::array::from_fn(|distance| (depth + 1).min(distance as u8));
        for mv in 0..graph.moves() {
            let sources = &*sources[usize::from(graph.length(mv) - 1)];
            if sources.is_empty() {
                continue;
            }
            let (to, map) = graph.neighbour(row, mv);
            if rows[to].left.load(Relaxed) == 0 {
                continue;
            }
            rows[to].is_changed.store(true, Relaxed);
            let target = self.row(to);
            for &source in sources {
                target[map(source as usize)].lower(&lowered);
            }
        }
    }

    /// Marks the unreached entries that have a neighbour at `depth`, or by a move of length 2 one at `depth - 1`.
    fn pull(&self, Found([unreached, _]): &mut Found) {
        let &Self { graph, rows, row, depth, .. } = self;
        let own = self.row(row);
        let mut unreached = self.find(UNREACHED, unreached);
        for mv in 0..graph.moves() {
            if unreached.is_empty() {
                return;
            }
            let Some(depth_before) = (depth + 1).checked_sub(graph.length(mv)) else { continue };
            let (to, map) = graph.neighbour(row, mv);
            let source = self.row(to);
            let mut left = 0;
            for at in 0..unreached.len() {
                let column = unreached[at];
                let is_near = source[map(column as usize)].load() == depth_before;
                // Branch-free, because the outcome is unpredictable. Only this thread writes the unreached entries of the row.
                own[column as usize].store((depth + 1) | u8::from(!is_near).wrapping_neg());
                unreached[left] = column;
                left += usize::from(!is_near);
            }
            if left < unreached.len() {
                rows[row].is_changed.store(true, Relaxed);
            }
            unreached = &mut unreached[..left];
        }
    }
}

/// Counts the entries that have this distance.
fn count<E: Entry>(entries: &[E], distance: u8) -> u64 {
    // Bytes are added up as long as they cannot overflow, because a vector of 16 holds more of them.
    let in_chunk = |chunk: &[E]| chunk.iter().map(|entry| u8::from(entry.load() == distance)).sum::<u8>();
    entries.chunks(240).map(|chunk| u64::from(in_chunk(chunk))).sum()
}

/// The low seven bits of each byte.
const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Returns the columns that have this distance, of entries from column `first` on. Writes to `found`.
fn find<'f, E: Entry>(first: usize, entries: &[E], distance: u8, found: &'f mut Vec<u32>) -> &'f mut [u32] {
    if found.len() <= entries.len() {
        found.resize(entries.len() + 1, 0);
    }
    let mut count = 0;
    let (words, last) = entries.as_chunks::<8>();
    let words = words.iter().map(|word| word.each_ref().map(E::load));
    let last = std::array::from_fn(|at| last.get(at).map_or(!distance, E::load));
    for (first, bytes) in (first as u32..).step_by(8).zip(words.chain([last])) {
        let differences = u64::from_le_bytes(bytes) ^ (u64::from(distance) * 0x0101_0101_0101_0101);
        // The highest bit of each byte without a difference.
        let equal = !(((differences & LOW_BITS) + LOW_BITS) | differences | LOW_BITS);
        if equal != 0 {
            // Branch-free, because the outcome is unpredictable.
            for at in 0..8 {
                found[count] = first + at;
                count += usize::from(equal >> (8 * at) & 0x80 != 0);
            }
        }
    }
    &mut found[..count]
}
