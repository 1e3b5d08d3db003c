//! Exact distances over a symmetry-reduced product: the classes of one coordinate times the values of another.
//!
//! Both large pruning tables have this form: flip x slice classes times twist in phase 1, corner classes times the eight
//! U and D edges in phase 2. One row per class, one column per value of the second coordinate, which is seen in the
//! frame of the representative:
//!
//! ```text
//!               column 0 .. columns-1
//! class 0     [ 0 . . . . . . . . . ]      the neighbours of a row under one turn all lie in one other row,
//! class 1     [ . . . . . . . . . . ]      shuffled by a fixed permutation: a row and its neighbours stay
//!   ...                                    in the cache while they are worked on
//! ```
//!
//! Breadth first. Early depths *push* (each entry of the last depth marks its neighbours; a neighbour whose class has
//! self-symmetries has several equivalent entries, and all are marked). Once few entries are left, each of them *pulls*:
//! it looks whether a neighbour has the last depth, and needs no such care, since its equivalents do the same.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use crate::cube::{Move, Symmetry};
use crate::symmetry::SymCoordinate;
use crate::tables::building::Stopped;

/// Marks an entry that no depth has reached yet.
const UNSEEN: u8 = u8::MAX;

/// The number of a column as its tables hold it: two bytes where they are enough, so that the tables stay in the cache.
pub trait Column: Copy + Send + Sync {
    /// The number, 0..columns.
    fn index(self) -> usize;
}

impl Column for u16 {
    #[inline]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Column for u32 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

/// The tables that describe a product, borrowed.
pub struct ReducedProduct<'a, C = u16> {
    /// The turns that lead from state to state.
    pub turns: &'a [Move],
    /// The packed sym-coordinate of each class after each of the 18 turns.
    pub class_moves: &'a [u32],
    /// The self-symmetries of each class, as a mask of 16 bits.
    pub self_symmetries: &'a [u16],
    /// The column after each of `turns`, one entry per column and turn.
    pub column_moves: &'a [C],
    /// The column of `S * x * S^-1` at `16 * column + S`.
    pub column_conjugates: &'a [C],
    /// Number of columns.
    pub columns: usize,
}

/// The distances, and how many entries and states there are at each.
pub struct ProductDistances {
    /// One byte per entry, row by row; 255 where no turns lead, as where the parities of row and column contradict.
    pub entries: Vec<u8>,
    /// Entries at each depth.
    pub entry_histogram: Vec<u64>,
    /// States at each depth.
    pub depth_histogram: Vec<u64>,
}

/// The column permutations of a product, transposed so that a row is walked in order.
pub struct ColumnShuffles<C = u16> {
    columns: usize,
    /// For each turn, the column after it.
    moves: Vec<Vec<C>>,
    /// For each of the 16 symmetries, the conjugate column.
    conjugates: Vec<Vec<C>>,
}

impl<C: Column> ColumnShuffles<C> {
    /// The column that `column` becomes after turn number `turn`, seen through `symmetry`.
    #[inline]
    fn after(&self, column: usize, turn: usize, symmetry: usize) -> usize {
        self.conjugates[symmetry][self.moves[turn][column].index()].index()
    }
}

impl<C: Column> ReducedProduct<'_, C> {
    fn rows(&self) -> usize {
        self.self_symmetries.len()
    }

    /// Transposes the column tables.
    pub fn shuffles(&self) -> ColumnShuffles<C> {
        let turns = self.turns.len();
        let pick = |table: &[C], stride: usize, offset: usize| -> Vec<C> {
            (0..self.columns).map(|column| table[column * stride + offset]).collect()
        };
        ColumnShuffles {
            columns: self.columns,
            moves: (0..turns).map(|turn| pick(self.column_moves, turns, turn)).collect(),
            conjugates: (0..Symmetry::KEEPING_UD).map(|s| pick(self.column_conjugates, 16, s)).collect(),
        }
    }

    /// Row and symmetry of the neighbours of row `row` under each turn.
    fn neighbours(&self, row: usize) -> Vec<(usize, usize)> {
        self.turns
            .iter()
            .map(|turn| {
                let to = SymCoordinate::unpack(self.class_moves[row * Move::COUNT + turn.index()]);
                (to.class as usize, usize::from(to.symmetry))
            })
            .collect()
    }

    /// ProductDistances of all entries from entry 0 and those of the same state. `progress` hears how many entries are done, of how many.
    ///
    /// # Errors
    /// [`Stopped`] when `stop` was set.
    pub fn distances(
        &self,
        progress: &(dyn Fn(u64, u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<ProductDistances, Stopped> {
        let total = (self.rows() * self.columns) as u64;
        let shuffles = self.shuffles();
        let cells: Vec<AtomicU8> = (0..total).into_par_iter().map(|_| AtomicU8::new(UNSEEN)).collect();
        // Home may have several names as any state may: one for each column that a self-symmetry of its class leads to.
        for symmetry in (0..Symmetry::KEEPING_UD).filter(|s| self.self_symmetries[0] >> s & 1 == 1) {
            cells[shuffles.conjugates[symmetry][0].index()].store(0, Relaxed);
        }
        let (entries, states) = self.count(&cells, 0);
        let (mut entry_histogram, mut depth_histogram) = (vec![entries], vec![states]);
        let mut done = entries;
        let mut depth = 0;
        while *entry_histogram.last().unwrap_or(&0) > 0 {
            // Pulling looks at every entry that is left, pushing at every neighbour of the last depth.
            let left = total - done;
            if entry_histogram[depth as usize] * 8 > left {
                self.pull(&shuffles, &cells, depth, stop);
            } else {
                self.push(&shuffles, &cells, depth, stop);
            }
            if stop.load(Relaxed) {
                return Err(Stopped);
            }
            depth += 1;
            let (entries, states) = self.count(&cells, depth);
            entry_histogram.push(entries);
            depth_histogram.push(states);
            done += entries;
            progress(done, total);
        }
        entry_histogram.pop();
        depth_histogram.pop();
        Ok(ProductDistances {
            // One after the other, the vector keeps its memory; in parallel there would be two for a while.
            entries: cells.into_iter().map(AtomicU8::into_inner).collect(),
            entry_histogram,
            depth_histogram,
        })
    }

    /// How many raw values of the first coordinate a row stands for.
    fn states(&self, row: usize) -> u64 {
        u64::from(16 / self.self_symmetries[row].count_ones())
    }

    fn count(&self, cells: &[AtomicU8], depth: u8) -> (u64, u64) {
        cells
            .par_chunks(self.columns)
            .enumerate()
            .map(|(row, cells)| {
                let entries = cells.iter().filter(|cell| cell.load(Relaxed) == depth).count() as u64;
                (entries, entries * self.states(row))
            })
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    fn push(&self, shuffles: &ColumnShuffles<C>, cells: &[AtomicU8], depth: u8, stop: &AtomicBool) {
        let columns = shuffles.columns;
        cells.par_chunks(columns).enumerate().with_min_len(16).for_each(|(row, own)| {
            let mut sources = (0..columns).filter(|&column| own[column].load(Relaxed) == depth).peekable();
            if sources.peek().is_none() || stop.load(Relaxed) {
                return;
            }
            let sources: Vec<usize> = sources.collect();
            for (turn, (to, symmetry)) in self.neighbours(row).into_iter().enumerate() {
                let target = &cells[to * columns..(to + 1) * columns];
                let mask = self.self_symmetries[to];
                for &column in &sources {
                    let column = shuffles.after(column, turn, symmetry);
                    // Two threads may both see the cell unseen; they write the same depth.
                    if target[column].load(Relaxed) != UNSEEN {
                        continue;
                    }
                    target[column].store(depth + 1, Relaxed);
                    let mut others = mask & !1;
                    while others != 0 {
                        let image = shuffles.conjugates[others.trailing_zeros() as usize][column].index();
                        if target[image].load(Relaxed) == UNSEEN {
                            target[image].store(depth + 1, Relaxed);
                        }
                        others &= others - 1;
                    }
                }
            }
        });
    }

    fn pull(&self, shuffles: &ColumnShuffles<C>, cells: &[AtomicU8], depth: u8, stop: &AtomicBool) {
        let columns = shuffles.columns;
        cells.par_chunks(columns).enumerate().with_min_len(16).for_each(|(row, own)| {
            let mut unseen: Vec<usize> = (0..columns).filter(|&column| own[column].load(Relaxed) == UNSEEN).collect();
            if unseen.is_empty() || stop.load(Relaxed) {
                return;
            }
            for (turn, (to, symmetry)) in self.neighbours(row).into_iter().enumerate() {
                let source = &cells[to * columns..(to + 1) * columns];
                unseen.retain(|&column| {
                    let near = source[shuffles.after(column, turn, symmetry)].load(Relaxed) == depth;
                    if near {
                        own[column].store(depth + 1, Relaxed);
                    }
                    !near
                });
            }
        });
    }

    /// One row beside its neighbours, one item for each turn.
    pub fn neighbour_rows<'e>(
        &self,
        shuffles: &'e ColumnShuffles<C>,
        entries: &'e [u8],
        row: usize,
    ) -> impl Iterator<Item = NeighbourRow<'e, C>> {
        let columns = shuffles.columns;
        let turns = self.turns.iter().copied().enumerate();
        turns.zip(self.neighbours(row)).map(move |((number, turn), (to, symmetry))| NeighbourRow {
            turn,
            own: &entries[row * columns..(row + 1) * columns],
            neighbours: &entries[to * columns..(to + 1) * columns],
            moved: &shuffles.moves[number],
            conjugate: &shuffles.conjugates[symmetry],
        })
    }
}

/// A row of distances and the row that a turn leads to.
pub struct NeighbourRow<'e, C = u16> {
    /// The turn.
    pub turn: Move,
    own: &'e [u8],
    neighbours: &'e [u8],
    moved: &'e [C],
    conjugate: &'e [C],
}

impl<C: Column> NeighbourRow<'_, C> {
    /// For each column, the distance of the entry and that of its neighbour.
    #[inline]
    pub fn pairs(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let neighbour = |column: &C| self.neighbours[self.conjugate[column.index()].index()];
        self.own.iter().copied().zip(self.moved.iter().map(neighbour))
    }
}
