//! Products of coordinates without symmetries: each coordinate is a digit of the index of an entry.
//!
//! A move acts on each digit by the move table of its coordinate. The columns are the values of the first digit, or of several if it
//! has few. The rows are the values of the others.

use super::breadth_first::Graph;
use superflip_cube::Move;

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

    /// Takes move tables for all 18 moves, of which some are used.
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
