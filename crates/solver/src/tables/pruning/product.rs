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

use super::breadth_first::Graph;
use superflip_cube::Move;

/// The columns of a product, and what moves and symmetries do to them.
pub trait Columns: Sync {
    /// Returns the number of columns.
    fn count(&self) -> usize;

    /// Returns the column after move number `move`, conjugated by a symmetry, for each column.
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize;

    /// Reads the byte of a row at the column after a move, conjugated by a symmetry, for each column, and stores what `map`
    /// makes of it.
    fn read(&self, mv: usize, symmetry: usize, row: &[u8], out: &mut [u8], map: impl Fn(u8) -> u8) {
        let after = self.after(mv, symmetry);
        out.iter_mut().enumerate().for_each(|(column, byte)| *byte = map(row[after(column)]));
    }

    /// Returns the conjugate of a column by a symmetry.
    fn conjugate(&self, column: usize, symmetry: usize) -> usize;
}

impl<C: Columns> Columns for &C {
    fn count(&self) -> usize {
        (*self).count()
    }

    #[inline]
    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize {
        (*self).after(mv, symmetry)
    }

    #[inline]
    fn read(&self, mv: usize, symmetry: usize, row: &[u8], out: &mut [u8], map: impl Fn(u8) -> u8) {
        (*self).read(mv, symmetry, row, out, map);
    }

    #[inline]
    fn conjugate(&self, column: usize, symmetry: usize) -> usize {
        (*self).conjugate(column, symmetry)
    }
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
    /// Column after each move and symmetry, at `order * move + symmetry`.
    pub(crate) after: Vec<Vec<u16>>,
    /// Column seen through each symmetry.
    pub(crate) conjugates: Vec<Vec<u16>>,
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
        let after = &self.after[self.conjugates.len() * mv + symmetry][..];
        move |column| usize::from(after[column])
    }

    #[inline]
    fn read(&self, mv: usize, symmetry: usize, row: &[u8], out: &mut [u8], map: impl Fn(u8) -> u8) {
        let after = &self.after[self.conjugates.len() * mv + symmetry];
        out.iter_mut().zip(after).for_each(|(byte, &column)| *byte = map(row[usize::from(column)]));
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
    /// Number of symmetries under which the rows are classes, a power of two.
    pub order: usize,
    /// Class after each of the 18 moves and the symmetry to its representative, as `order * class + symmetry`.
    pub class_moves: &'a [u32],
    /// Self-symmetries of each class, as a mask.
    pub self_symmetries: &'a [u64],
    /// The columns.
    pub columns: C,
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

    /// Reads the distance of the neighbour under a move for each column of a row.
    pub(crate) fn neighbour_distances(&self, distances: &[u8], row: usize, mv: usize, out: &mut [u8]) {
        let (to, symmetry) = self.class_after(row, mv);
        self.columns.read(
            mv,
            symmetry,
            &distances[to * self.columns.count()..][..self.columns.count()],
            out,
            |distance| distance,
        );
    }
}
