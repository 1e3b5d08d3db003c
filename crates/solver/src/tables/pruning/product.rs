//! Exact distances over a symmetry-reduced product: the classes of one coordinate times the values of another.
//!
//! Both large pruning tables have this form. In phase 1, it is flip x slice classes times twist. In phase 2, it is
//! corner classes times the eight U and D edges. There is one row per class, and one column per value of the second
//! coordinate in the frame of the representative:
//!
//! ```text
//!               column 0 .. columns-1
//! class 0     [ 0 . . . . . . . . . ]      the neighbours of a row under one turn all lie in one other row,
//! class 1     [ . . . . . . . . . . ]      shuffled by a fixed permutation: a row and its neighbours stay
//!   ...                                    in the cache while they are worked on
//! ```
//!
//! The search is breadth first. Early depths *push*: each entry of the last depth marks its neighbours. If the class of
//! a neighbour has self-symmetries, the neighbour has several equivalent entries, and all of them are marked. When few
//! entries are left, they *pull*: each of them checks whether a neighbour has the last depth. Equivalent entries find
//! the same result by themselves.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use crate::symmetry::SymCoordinate;
use crate::tables::building::Stopped;
use superflip_cube::{Move, Symmetry};

/// Marks an entry that no depth has reached yet.
const UNSEEN: u8 = u8::MAX;

/// A column number as stored in the tables: two bytes if they suffice, so that the tables stay in the cache.
pub trait Column: Copy + Send + Sync {
    /// Returns the number, 0..columns.
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
    /// Turns that lead from state to state.
    pub turns: &'a [Move],
    /// Packed sym-coordinate of each class after each of the 18 turns.
    pub class_moves: &'a [u32],
    /// Self-symmetries of each class, as a mask of 16 bits.
    pub self_symmetries: &'a [u16],
    /// Column after each of `turns`, one entry per column and turn.
    pub column_moves: &'a [C],
    /// Column of `S * x * S^-1`, at `16 * column + S`.
    pub column_conjugates: &'a [C],
    /// Number of columns.
    pub columns: usize,
}

/// Distances of all entries, with the number of entries and of states at each distance.
pub struct ProductDistances {
    /// One byte per entry, row by row; 255 for unreachable entries (row and column with contradicting parities).
    pub entries: Vec<u8>,
    /// Number of entries at each depth.
    pub entry_histogram: Vec<u64>,
    /// Number of states at each depth.
    pub depth_histogram: Vec<u64>,
}

/// The column permutations of a product, transposed so that a row is read in order.
pub struct ColumnShuffles<C = u16> {
    columns: usize,
    /// Column after each turn.
    moves: Vec<Vec<C>>,
    /// Conjugate column for each of the 16 symmetries.
    conjugates: Vec<Vec<C>>,
}

impl<C: Column> ColumnShuffles<C> {
    /// Returns the column after turn number `turn`, conjugated by `symmetry`.
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

    /// Returns row and symmetry of the neighbours of row `row` under each turn.
    fn neighbours(&self, row: usize) -> Vec<(usize, usize)> {
        self.turns
            .iter()
            .map(|turn| {
                let to = SymCoordinate::unpack(self.class_moves[row * Move::COUNT + turn.index()]);
                (to.class as usize, usize::from(to.symmetry))
            })
            .collect()
    }

    /// Computes the distances of all entries from solved: entry 0 and its equivalent entries. `progress` receives the
    /// number of entries done and the total.
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
        // Like any state, solved may have several equivalent entries: one for each column to which a self-symmetry of
        // its class leads.
        for symmetry in (0..Symmetry::KEEPING_UD).filter(|s| self.self_symmetries[0] >> s & 1 == 1) {
            cells[shuffles.conjugates[symmetry][0].index()].store(0, Relaxed);
        }
        let (entries, states) = self.count(&cells, 0);
        let (mut entry_histogram, mut depth_histogram) = (vec![entries], vec![states]);
        let mut done = entries;
        let mut depth = 0;
        while *entry_histogram.last().unwrap_or(&0) > 0 {
            // Pulling reads every remaining entry. Pushing reads every neighbour of the last depth.
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
            // Converted in place: the vector keeps its memory. A parallel conversion would need twice the memory.
            entries: cells.into_iter().map(AtomicU8::into_inner).collect(),
            entry_histogram,
            depth_histogram,
        })
    }

    /// Returns how many raw values of the first coordinate a row stands for.
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

    /// Iterates over a row together with the row of each neighbour, one item per turn.
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
    /// Returns for each column the distance of the entry and that of its neighbour.
    #[inline]
    pub fn pairs(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let neighbour = |column: &C| self.neighbours[self.conjugate[column.index()].index()];
        self.own.iter().copied().zip(self.moved.iter().map(neighbour))
    }
}
