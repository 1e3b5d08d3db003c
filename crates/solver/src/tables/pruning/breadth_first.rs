//! Distances over a graph, by breadth-first search.
//!
//! The entries of a graph stand in rows. Under one move, the neighbours of a row all lie in one other row. So a row and
//! its neighbours stay in the cache while they are worked on. An entry may have *equivalents*, which stand for the same
//! states.
//!
//! Early depths *push*: each entry of the last depth marks its neighbours, whose equivalents are marked afterwards. When few
//! entries are left, they *pull*: each of them checks whether a neighbour has the last depth. Equivalent entries find the same
//! result by themselves.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::control::{Cancelled, Control};
use crate::tables::building::DepthHistograms;

/// Marks an entry that no depth has reached.
pub const UNREACHED: u8 = u8::MAX;

/// A graph whose entries stand in rows. Entry 0 is solved. The inverse of each move is a move of the graph too.
pub trait Graph: Sync {
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
    /// The last depth of which it has entries, or [`UNREACHED`].
    last: AtomicU8,
    /// Whether it may have entries that are not counted.
    is_changed: AtomicBool,
}

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

    /// Returns whether it is certain, at little cost, that no entry has this distance.
    fn is_absent(entries: &[Self], distance: u8) -> bool;

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

    #[inline]
    fn is_absent(_: &[Self], _: u8) -> bool {
        false
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

    #[inline]
    fn is_absent(entries: &[Self], distance: u8) -> bool {
        // Vector instructions compare many entries at once.
        count(entries, distance) == 0
    }

    fn sum(entries: &[Self], rows: usize, work: impl Fn(&[Self], usize, &mut Found) -> [u64; 2] + Sync) -> [u64; 2] {
        let mut found = Found::default();
        (0..rows).map(|row| work(entries, row, &mut found)).fold([0; 2], add)
    }
}

fn add(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Computes the distance of each entry from solved. All `entries` must be [`UNREACHED`] before; those without a path to
/// solved remain so. Reports the number of entries done.
///
/// # Errors
/// When `control` ended the work.
pub fn distances<E: Entry, G: Graph>(
    graph: &G,
    entries: &[E],
    control: &Control,
) -> Result<DepthHistograms, Cancelled> {
    let (columns, total) = (graph.columns(), entries.len() as u64);
    let new_row = |row| Row {
        left: AtomicU32::new(columns as u32),
        last: AtomicU8::new(UNREACHED),
        is_changed: AtomicBool::new(row == 0),
    };
    let rows: Vec<Row> = (0..entries.len() / columns).map(new_row).collect();
    entries[0].store(0);
    let (mut counts, mut done) = (DepthHistograms::default(), 0);
    let longest = (0..graph.moves()).map(|mv| graph.length(mv)).max().unwrap_or(1);
    let (mut empty, mut has_pulled) = (0, false);
    for depth in 0..UNREACHED {
        let [found, states] = E::sum(entries, rows.len(), |entries, row, Found([list, _])| {
            let Row { left, last, is_changed } = &rows[row];
            if !is_changed.load(Relaxed) {
                return [0; 2];
            }
            is_changed.store(false, Relaxed);
            let own = &entries[row * columns..][..columns];
            if !has_pulled {
                mark_equivalents(graph, own, row, depth, list);
            }
            let found = count(own, depth);
            if found > 0 {
                left.store(left.load(Relaxed) - found as u32, Relaxed);
                last.store(depth, Relaxed);
            }
            [found, found * graph.states(row)]
        });
        // A move of length 2 may lead from the last depth but one to the next depth.
        empty = if found == 0 { empty + 1 } else { 0 };
        if empty == longest {
            counts.entries.truncate(counts.entries.len() + 1 - usize::from(longest));
            counts.states.truncate(counts.entries.len());
            break;
        }
        counts.entries.push(found);
        counts.states.push(states);
        done += found;
        if depth > 0 {
            control.report(done, total);
        }
        if done == total {
            break;
        }
        // Pulling reads every remaining entry. Pushing reads every neighbour of the last depth.
        has_pulled = found * 2 > total - done;
        E::sum(entries, rows.len(), |entries, row, found| {
            if control.check().is_ok() {
                let Row { left, last, .. } = &rows[row];
                if has_pulled {
                    if left.load(Relaxed) > 0 {
                        pull(graph, entries, &rows, row, depth, found);
                    }
                } else if last.load(Relaxed) != UNREACHED && last.load(Relaxed) + longest > depth {
                    push(graph, entries, &rows, row, depth, found);
                }
            }
            [0; 2]
        });
        control.check()?;
    }
    Ok(counts)
}

/// Gives the equivalents of the entries of a row at this depth the same depth.
fn mark_equivalents<E: Entry>(graph: &impl Graph, own: &[E], row: usize, depth: u8, found: &mut Vec<u32>) {
    if graph.equivalents(row, 0).next().is_none() {
        return;
    }
    for &column in &*find(own, depth, found) {
        graph.equivalents(row, column as usize).for_each(|column| own[column].store(depth));
    }
}

/// Marks the neighbours at `depth + 1` of the entries of a row. A move of length 1 leads there from an entry at `depth`, a move of
/// length 2 from one at `depth - 1`.
fn push<E: Entry>(
    graph: &impl Graph,
    entries: &[E],
    rows: &[Row],
    row: usize,
    depth: u8,
    Found([found, more]): &mut Found,
) {
    let columns = graph.columns();
    let own = &entries[row * columns..][..columns];
    let before = depth.checked_sub(1).filter(|_| (0..graph.moves()).any(|mv| graph.length(mv) > 1));
    let sources = [find(own, depth, found), before.map_or(&mut [], |before| find(own, before, more))];
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
        let target = &entries[to * columns..][..columns];
        for &source in sources {
            target[map(source as usize)].lower(&lowered);
        }
    }
}

/// Counts the entries that have this distance.
fn count<E: Entry>(entries: &[E], distance: u8) -> u64 {
    // Bytes are added up as long as they cannot overflow, because a vector of 16 holds more of them.
    let in_chunk = |chunk: &[E]| chunk.iter().map(|entry| u8::from(entry.load() == distance)).sum::<u8>();
    entries.chunks(240).map(|chunk| u64::from(in_chunk(chunk))).sum()
}

/// Returns the columns that have this distance. Writes to `found`.
fn find<'f, E: Entry>(entries: &[E], distance: u8, found: &'f mut Vec<u32>) -> &'f mut [u32] {
    const CHUNK: u32 = 64;
    if found.len() <= entries.len() {
        found.resize(entries.len() + 1, 0);
    }
    let mut count = 0;
    for (number, chunk) in (0..).zip(entries.chunks(CHUNK as usize)) {
        if E::is_absent(chunk, distance) {
            continue;
        }
        for (column, entry) in (CHUNK * number..).zip(chunk) {
            // Branch-free, because the outcome is unpredictable.
            found[count] = column;
            count += usize::from(entry.load() == distance);
        }
    }
    &mut found[..count]
}

/// Marks the unreached entries of a row that have a neighbour of this depth, or by a move of length 2 of the depth before it.
fn pull<E: Entry>(
    graph: &impl Graph,
    entries: &[E],
    rows: &[Row],
    row: usize,
    depth: u8,
    Found([unreached, _]): &mut Found,
) {
    let columns = graph.columns();
    let own = &entries[row * columns..][..columns];
    let mut unreached = find(own, UNREACHED, unreached);
    for mv in 0..graph.moves() {
        if unreached.is_empty() {
            return;
        }
        let Some(depth_before) = (depth + 1).checked_sub(graph.length(mv)) else { continue };
        let (to, map) = graph.neighbour(row, mv);
        let source = &entries[to * columns..][..columns];
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
