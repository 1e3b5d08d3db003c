//! Products of coordinates as graphs.
//!
//! A symmetry-reduced product ([`ReducedProduct`]) has the classes of one coordinate times the values of another. Both large pruning tables
//! have this form. In phase 1, it is flip x slice classes times twist. In phase 2, it is
//! corner classes times the eight U and D edges. There is one row per class, and one column per value of the second
//! coordinate in the frame of the representative:
//!
//! ```text
//!               column 0 .. columns-1
//! class 0     [ 0 . . . . . . . . . ]      the neighbours of a row under one move all lie in one other row,
//! class 1     [ . . . . . . . . . . ]      shuffled by a fixed permutation: a row and its neighbours stay
//!   ...                                    in the cache while they are worked on
//! ```
//!
//! In a product without symmetries ([`DigitProduct`]), each coordinate is a digit of the index of an entry. A move acts on each digit by the move table of its coordinate. The columns are the values of the first digit, or of several if it
//! has few. The rows are the values of the others.

use crate::tables::pruning::breadth_first::Graph;
use superflip_cube::Move;

/// The columns of a product, and what moves and symmetries do to them.
pub trait Columns: Sync {
    /// Returns the number of columns.
    fn count(&self) -> usize;

    /// Returns the column after move number `move`, conjugated by a symmetry, for each column.
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize;

    /// Reads the byte of a row at the column after move number `move`, conjugated by a symmetry, for each column.
    fn read(&self, mv: usize, symmetry: usize, row: &[u8], out: &mut [u8]) {
        let after = self.after(mv, symmetry);
        out.iter_mut().enumerate().for_each(|(column, byte)| *byte = row[after(column)]);
    }

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
        let (moves, conjugates) = (&self.moves[mv][..], &self.conjugates[symmetry][..]);
        move |column| conjugates[moves[column].into() as usize].into() as usize
    }

    #[inline]
    fn conjugate(&self, column: usize, symmetry: usize) -> usize {
        self.conjugates[symmetry][column].into() as usize
    }
}

/// Column tables for each move followed by each symmetry: one look-up instead of two. For products with few columns.
pub(crate) struct ComposedColumns {
    /// Number of columns.
    count: usize,
    /// Each column after each move and symmetry: those of a move and a symmetry are together, and those of a move.
    after: Vec<u16>,
    /// Each column seen through each symmetry; those of a symmetry are together.
    conjugates: Vec<u16>,
}

impl ComposedColumns {
    /// Composes a move table and a conjugation table, as [`ColumnTables::new`] takes them.
    pub(crate) fn new<T: Copy + Into<u16>>(count: usize, moves: &[T], conjugates: &[T]) -> Self {
        let (stride, order) = (moves.len() / count, conjugates.len() / count);
        let mut after = Vec::with_capacity(stride * conjugates.len());
        for (mv, symmetry) in (0..stride).flat_map(|mv| (0..order).map(move |symmetry| (mv, symmetry))) {
            let moved = moves[mv..].iter().step_by(stride);
            after.extend(moved.map(|&column| conjugates[usize::from(column.into()) * order + symmetry].into()));
        }
        let seen = |symmetry| conjugates[symmetry..].iter().step_by(order).map(|&column| column.into());
        Self { count, after, conjugates: (0..order).flat_map(seen).collect() }
    }

    /// Returns each column after a move and a symmetry.
    #[inline]
    fn row(&self, mv: usize, symmetry: usize) -> &[u16] {
        &self.after[mv * self.conjugates.len() + symmetry * self.count..][..self.count]
    }
}

impl Columns for ComposedColumns {
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize {
        let after = self.row(mv, symmetry);
        move |column| usize::from(after[column])
    }

    #[inline]
    fn read(&self, mv: usize, symmetry: usize, row: &[u8], out: &mut [u8]) {
        // In blocks of a fixed size, because the compiler unrolls no other loop with checks.
        let ((after, last), (out, rest)) = (self.row(mv, symmetry).as_chunks::<8>(), out.as_chunks_mut::<8>());
        let read = |(byte, &column): (&mut u8, &u16)| *byte = row[usize::from(column)];
        out.iter_mut().zip(after).for_each(|(out, after)| out.iter_mut().zip(after).for_each(read));
        rest.iter_mut().zip(last).for_each(read);
    }

    #[inline]
    fn conjugate(&self, column: usize, symmetry: usize) -> usize {
        usize::from(self.conjugates[symmetry * self.count + column])
    }
}

/// The tables that describe a product.
pub struct ReducedProduct<'a, C = ColumnTables> {
    /// Moves that lead from state to state.
    pub moves: &'a [Move],
    /// Number of symmetries under which the rows are classes, a power of two.
    pub order: usize,
    /// Class after each of the 18 moves and the symmetry to its representative, as `order * class + symmetry`.
    pub class_moves: &'a [u32],
    /// Self-symmetries of each class, as a mask.
    pub self_symmetries: &'a [u64],
    /// The columns.
    pub columns: &'a C,
}

impl<C: Columns> Graph for ReducedProduct<'_, C> {
    fn rows(&self) -> usize {
        self.self_symmetries.len()
    }

    fn moves(&self) -> usize {
        self.moves.len()
    }

    fn columns(&self) -> usize {
        self.columns.count()
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        let (to, symmetry) = self.class_after(row, mv);
        (to, self.columns.after(mv, symmetry))
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

impl<C: Columns> ReducedProduct<'_, C> {
    /// Returns the class after a move, and the symmetry to its representative.
    #[inline]
    pub(crate) fn class_after(&self, class: usize, mv: usize) -> (usize, usize) {
        let packed = self.class_moves[class * Move::COUNT + self.moves[mv].index()] as usize;
        (packed >> self.order.trailing_zeros(), packed & (self.order - 1))
    }
}

/// Digits are joined to columns until there are as many, because a row costs some time whatever its length.
const COLUMNS: usize = 512;

/// Some coordinates as the digits of one number.
pub struct DigitProduct<'a> {
    /// Column after each move, at `columns * move + column`.
    after: Vec<u16>,
    columns: usize,
    /// Number of values, and move table, of each other digit.
    others: Vec<(usize, &'a [u16])>,
    /// Number of entries of the move tables for each value.
    stride: usize,
    /// Number in the move tables, and length, of each move.
    moves: Vec<(usize, u8)>,
    goals: Vec<usize>,
}

impl<'a> DigitProduct<'a> {
    /// Takes the move tables of the digits, the lowest digit first. They have `stride` entries for each value. `moves` are the numbers
    /// of those that are used, with their lengths. The goal is entry 0.
    pub fn new(tables: &[&'a [u16]], stride: usize, moves: Vec<(usize, u8)>) -> Self {
        let size = |table: &[u16]| table.len() / stride;
        let (mut joined, mut columns) = (0, 1);
        while joined < tables.len() && columns < COLUMNS && u16::try_from(columns * size(tables[joined])).is_ok() {
            columns *= size(tables[joined]);
            joined += 1;
        }
        let after = moves.iter().flat_map(|&(mv, _)| {
            tables[..joined].iter().fold(vec![0_u16], |low, table| {
                let images = table.iter().skip(mv).step_by(stride);
                let weight = low.len() as u16;
                images.flat_map(|&image| low.iter().map(move |low| low + weight * image)).collect()
            })
        });
        let after = after.collect();
        let others = tables[joined..].iter().map(|&table| (size(table), table)).collect();
        Self { after, columns, others, stride, moves, goals: vec![0] }
    }

    /// Takes move tables for all 18 moves, and the moves that are used.
    pub fn of_moves(tables: &[&'a [u16]], moves: impl IntoIterator<Item = Move>) -> Self {
        Self::new(tables, Move::COUNT, moves.into_iter().map(|mv| (mv.index(), 1)).collect())
    }

    /// Returns the product with other goals.
    #[must_use]
    pub fn with_goals(self, goals: Vec<usize>) -> Self {
        Self { goals, ..self }
    }
}

impl Graph for DigitProduct<'_> {
    fn rows(&self) -> usize {
        self.others.iter().map(|(size, _)| size).product()
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn moves(&self) -> usize {
        self.moves.len()
    }

    fn length(&self, mv: usize) -> u8 {
        self.moves[mv].1
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        let (mut left, mut to, mut weight) = (row, 0, 1);
        for &(size, table) in &self.others {
            to += weight * usize::from(table[left % size * self.stride + self.moves[mv].0]);
            (left, weight) = (left / size, weight * size);
        }
        let after = &self.after[self.columns * mv..][..self.columns];
        (to, move |column| usize::from(after[column]))
    }

    fn goals(&self, found: impl FnMut(usize)) {
        self.goals.iter().copied().for_each(found);
    }
}
