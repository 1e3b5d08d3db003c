//! Exact distances over a symmetry-reduced product: the classes of one coordinate times the values of another.
//!
//! Both large pruning tables have this form. In phase 1, it is flip x slice classes times twist. In phase 2, it is
//! corner classes times the eight U and D edges. There is one row per class, and one column per value of the second
//! coordinate in the frame of the representative:
//!
//! ```text
//!               column 0 .. columns-1
//! class 0     [ 0 . . . . . . . . . ]      the neighbours of a row under one move all lie in one other row,
//! class 1     [ . . . . . . . . . . ]      shuffled by a fixed permutation: a row and its neighbours stay
//!   ...                                    in the cache while they are worked on
//! ```

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::breadth_first::{self, Graph, UNREACHED};
use crate::control::{Cancelled, Control};
use crate::tables::building::DepthHistograms;
use superflip_cube::Move;

/// The columns of a product, and what moves and symmetries do to them.
pub trait Columns: Sync {
    /// Returns the number of columns.
    fn count(&self) -> usize;

    /// Returns the column after move number `move`, conjugated by a symmetry, for each column.
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize;

    /// Returns the conjugate of a column by a symmetry.
    fn conjugate(&self, column: usize, symmetry: usize) -> usize;
}

/// Permutations of columns as tables, one for each move and one for each symmetry, so that a row is read in order. `C` has
/// two bytes if they suffice, so that the tables stay in the cache.
pub struct ColumnTables<C = u16> {
    moves: Vec<Vec<C>>,
    conjugates: Vec<Vec<C>>,
}

impl<C: Copy> ColumnTables<C> {
    /// Transposes a move table and a conjugation table. `moves` has an entry for each column and move, `conjugates` for each
    /// column and symmetry.
    pub fn new(columns: usize, moves: &[C], conjugates: &[C]) -> Self {
        let transposed = |table: &[C]| {
            let stride = table.len() / columns;
            (0..stride).map(|at| table.iter().skip(at).step_by(stride).copied().collect()).collect()
        };
        Self { moves: transposed(moves), conjugates: transposed(conjugates) }
    }
}

impl<C: Copy + Into<u32> + Sync> Columns for ColumnTables<C> {
    fn count(&self) -> usize {
        self.moves[0].len()
    }

    #[inline]
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize {
        let (moves, conjugates) = (&self.moves[mv], &self.conjugates[symmetry]);
        move |column| conjugates[moves[column].into() as usize].into() as usize
    }

    #[inline]
    fn conjugate(&self, column: usize, symmetry: usize) -> usize {
        self.conjugates[symmetry][column].into() as usize
    }
}

/// Column tables for each move followed by each symmetry: one look-up instead of two. For products with few columns.
pub struct ComposedColumns {
    /// Column after each move and symmetry, at `order * move + symmetry`.
    after: Vec<Vec<u16>>,
    conjugates: Vec<Vec<u16>>,
}

impl From<ColumnTables> for ComposedColumns {
    fn from(ColumnTables { moves, conjugates }: ColumnTables) -> Self {
        let composed = |moves: &Vec<u16>, conjugates: &Vec<u16>| {
            moves.iter().map(|&column| conjugates[usize::from(column)]).collect()
        };
        let after = moves.iter().flat_map(|moves| conjugates.iter().map(|images| composed(moves, images))).collect();
        Self { after, conjugates }
    }
}

impl Columns for ComposedColumns {
    fn count(&self) -> usize {
        self.conjugates[0].len()
    }

    #[inline]
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize {
        let after = &self.after[self.conjugates.len() * mv + symmetry];
        move |column| usize::from(after[column])
    }

    #[inline]
    fn conjugate(&self, column: usize, symmetry: usize) -> usize {
        usize::from(self.conjugates[symmetry][column])
    }
}

/// The tables that describe a product.
pub struct ReducedProduct<'a, C = ColumnTables> {
    /// Moves that lead from state to state.
    pub moves: &'a [Move],
    /// Number of symmetries under which the rows are classes.
    pub order: usize,
    /// Class after each of the 18 moves and the symmetry to its representative, as `order * class + symmetry`.
    pub class_moves: &'a [u32],
    /// Self-symmetries of each class, as a mask.
    pub self_symmetries: &'a [u64],
    /// The columns.
    pub columns: C,
}

impl<C: Columns> Graph for ReducedProduct<'_, C> {
    fn moves(&self) -> usize {
        self.moves.len()
    }

    fn columns(&self) -> usize {
        self.columns.count()
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        let packed = self.class_moves[row * Move::COUNT + self.moves[mv].index()] as usize;
        (packed / self.order, self.columns.after(mv, packed % self.order))
    }

    #[inline]
    fn equivalents(&self, row: usize, column: usize) -> impl Iterator<Item = usize> {
        // Without the identity, bit 0.
        let mut left = self.self_symmetries[row] & !1;
        std::iter::from_fn(move || {
            let symmetry = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(self.columns.conjugate(column, symmetry))
        })
    }

    fn states(&self, row: usize) -> u64 {
        self.order as u64 / u64::from(self.self_symmetries[row].count_ones())
    }
}

/// Returns entries that no depth has reached.
pub(crate) fn unreached(entries: usize) -> Vec<AtomicU8> {
    (0..entries).into_par_iter().map(|_| AtomicU8::new(UNREACHED)).collect()
}

impl<C: Columns> ReducedProduct<'_, C> {
    /// Computes the distances of all entries from solved, one byte per entry, row by row. Entries that no path leads to
    /// (row and column with contradicting parities) are 255. Reports the number of entries done.
    ///
    /// # Errors
    /// [`Cancelled`] when `control` ended the work.
    pub fn distances(&self, control: &Control) -> Result<(Vec<u8>, DepthHistograms), Cancelled> {
        let size = self.self_symmetries.len() * self.columns.count();
        let entries = unreached(size);
        let histograms = breadth_first::distances(self, &entries, control)?;
        // Converted in place: the vector keeps its memory. A parallel conversion would need twice the memory.
        Ok((entries.into_iter().map(AtomicU8::into_inner).collect(), histograms))
    }

    /// Does the same for a small product, on one thread.
    pub(crate) fn all_distances(&self) -> Vec<u8> {
        search(self, self.self_symmetries.len() * self.columns.count())
    }

    /// Returns the distances of a small product, and the masked entries as
    /// [`masked_rows`](super::phase_one::masked_rows) does, without the distance in them. The search meets each neighbour
    /// anyway, so this takes half the time of both.
    pub(crate) fn distances_and_effects(&self) -> (Vec<u8>, Vec<u32>) {
        let size = self.self_symmetries.len() * self.columns.count();
        let observed = Observed { product: self, effects: (0..size).map(|_| AtomicU32::new(0)).collect() };
        let distances = search(&observed, size);
        (distances, observed.effects.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Returns the distances of a row's neighbour under a move, for each column of the row.
    #[inline]
    pub fn neighbour_distances<'e>(&'e self, distances: &'e [u8], row: usize, mv: usize) -> impl Fn(usize) -> u8 + 'e {
        let (to, map) = self.neighbour(row, mv);
        let row = &distances[to * self.columns.count()..][..self.columns.count()];
        move |column| row[map(column)]
    }
}

/// Computes the distances of a small graph on one thread.
fn search(graph: &impl Graph, size: usize) -> Vec<u8> {
    let mut distances = vec![UNREACHED; size];
    let entries = Cell::from_mut(&mut distances[..]).as_slice_of_cells();
    // Nothing cancels this control.
    let _ = breadth_first::distances(graph, entries, &Control::new());
    distances
}

/// A product that collects what each move changes.
struct Observed<'p, C> {
    product: &'p ReducedProduct<'p, C>,
    effects: Vec<AtomicU32>,
}

impl<C: Columns> Graph for Observed<'_, C> {
    fn moves(&self) -> usize {
        self.product.moves()
    }

    fn columns(&self) -> usize {
        self.product.columns()
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        self.product.neighbour(row, mv)
    }

    #[inline]
    fn equivalents(&self, row: usize, column: usize) -> impl Iterator<Item = usize> {
        self.product.equivalents(row, column)
    }

    const OBSERVES: bool = true;

    #[inline]
    fn observer(&self, row: usize, mv: usize) -> impl Fn(usize, u8, u8) {
        let columns = self.columns();
        let effects = &self.effects[row * columns..][..columns];
        let away = Move::COUNT + self.product.moves[mv].face().index();
        move |column, distance, after| {
            let change = u32::from(after != distance) << mv | u32::from(after > distance) << away;
            // Only the turn of this row writes its entries.
            effects[column].store(effects[column].load(Relaxed) | change, Relaxed);
        }
    }
}
