//! Distances over the classes of a coordinate and the values of another one, by the breadth-first search of the tables.

use superflip_solver::symmetry::Classes;
use superflip_solver::tables::pruning::breadth_first::on_all_threads;
use superflip_solver::tables::pruning::product::{ColumnTables, Columns, ReducedProduct};

use super::prelude::*;

pub const SYMMETRIES: usize = 16;

/// The columns of a move table with all 18 moves that belong to `moves`.
fn only(table: &[u16], moves: &[Move]) -> Vec<u16> {
    table.chunks(Move::COUNT).flat_map(|row| moves.iter().map(|mv| row[mv.index()])).collect()
}

/// The coordinate whose classes are the rows, with its tables.
pub struct Rows {
    class_moves: &'static [u32],
    self_symmetries: Vec<u64>,
}

impl Rows {
    fn new(coordinate: &Descriptor, class_moves: Id, representatives: Id) -> Self {
        let opened = SMALL.opened();
        let self_symmetries = Classes::self_symmetries(coordinate, opened.u32s(representatives));
        Self { class_moves: opened.u32s(class_moves), self_symmetries }
    }

    pub fn flip_slice() -> Self {
        Self::new(&FLIP_SLICE, Id::FlipSliceMove, Id::FlipSliceRepresentative)
    }

    pub fn corners() -> Self {
        Self::new(&CORNER_PERM, Id::CornerMove, Id::CornerRepresentative)
    }

    /// States at each depth, with the columns given by their tables.
    pub fn states<C: Copy>(
        &self,
        moves: &[Move],
        column_moves: &[C],
        column_conjugates: &[C],
        control: &Control,
    ) -> Vec<u64>
    where
        ColumnTables<C>: Columns,
    {
        let product = ReducedProduct {
            moves,
            order: SYMMETRIES,
            class_moves: self.class_moves,
            self_symmetries: &self.self_symmetries,
            columns: &ColumnTables::new(column_conjugates.len() / SYMMETRIES, column_moves, column_conjugates),
        };
        on_all_threads(&product, control).expect("it is not stopped").1.states
    }

    /// States at each depth, with twist as the columns.
    pub fn states_with_twist(&self, moves: &[Move]) -> Vec<u64> {
        let opened = SMALL.opened();
        let twists = only(opened.u16s(Id::TwistMove), moves);
        self.states(moves, &twists, opened.u16s(Id::TwistConjugate), &Control::new())
    }
}
