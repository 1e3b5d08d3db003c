//! The distance of each pair of values of corners and edges from the target.
//!
//! The move tables have 32 bits and quarter turns only, because either part may have some hundred million values. So the pairs are a
//! graph of their own.
#![allow(clippy::cast_possible_truncation)] // values fit in 32 bits

use super::orbit::{MoveTable, Orbit};
use crate::control::{Cancelled, Control};
use crate::tables::pruning::breadth_first::{self, Graph};
use superflip_cube::Move;

/// The distances, one byte for each pair, and the move tables.
pub(crate) struct Distances {
    pairs: Pairs,
    by_pair: breadth_first::Distances,
}

/// The pairs of values as a graph. The part with more values has the columns.
struct Pairs {
    /// The move tables of the corners and of the edges.
    tables: [MoveTable; 2],
    /// The part of the rows, and the part of the columns.
    parts: [usize; 2],
}

/// The pairs with the values of each part that the target allows.
struct Targeted<'p>(&'p Pairs, [Vec<u32>; 2]);

impl Graph for Targeted<'_> {
    fn rows(&self) -> usize {
        self.0.size(0)
    }

    fn columns(&self) -> usize {
        self.0.size(1)
    }

    fn moves(&self) -> usize {
        Move::COUNT
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        let [rows, columns] = self.0.parts.map(|part| &self.0.tables[part]);
        let mv = Move::ALL[mv];
        (rows.after(row as u32, mv) as usize, move |column| columns.after(column as u32, mv) as usize)
    }

    fn goals(&self, mut found: impl FnMut(usize)) {
        let [corners, edges] = &self.1;
        corners.iter().flat_map(|&c| edges.iter().map(move |&e| [c, e])).for_each(|at| found(self.0.index(at)));
    }
}

impl Pairs {
    fn size(&self, side: usize) -> usize {
        self.tables[self.parts[side]].size()
    }

    #[inline]
    fn index(&self, at: [u32; 2]) -> usize {
        let [row, column] = self.parts.map(|part| at[part] as usize);
        row * self.size(1) + column
    }
}

impl std::fmt::Debug for Distances {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Distances").field("values", &self.by_pair.entries().len()).finish_non_exhaustive()
    }
}

impl Distances {
    /// Computes the distances by a breadth-first search from the target.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(super) fn new(corners: &Orbit, edges: &Orbit, control: &Control) -> Result<Self, Cancelled> {
        let (of_corners, corners) = corners.table(control)?;
        let (of_edges, edges) = edges.table(control)?;
        let parts = if corners.size() > edges.size() { [1, 0] } else { [0, 1] };
        let pairs = Pairs { tables: [corners, edges], parts };
        let mut by_pair = breadth_first::Distances::default();
        by_pair.grow(&Targeted(&pairs, [of_corners, of_edges]), control)?;
        Ok(Self { pairs, by_pair })
    }

    /// Returns the pair of values after a move.
    pub(crate) fn after(&self, [corners, edges]: [u32; 2], mv: Move) -> [u32; 2] {
        let [of_corners, of_edges] = &self.pairs.tables;
        [of_corners.after(corners, mv), of_edges.after(edges, mv)]
    }

    /// Returns the number of pairs at each distance.
    pub(super) fn histogram(&self) -> Vec<u64> {
        self.by_pair.histograms().entries
    }

    /// Returns the number of moves from a pair of values to the target.
    pub(crate) fn get(&self, at: [u32; 2]) -> u8 {
        self.by_pair.entries()[self.pairs.index(at)]
    }
}
