//! The distances of all corners, reduced by symmetry: 2768 classes of the permutation times 2187 twists, a byte each.
//!
//! The 16 symmetries that keep the axis UD act on the permutation and on the twist. The entry of a state is (class, twist seen from
//! the representative of the class).

use super::digit::Digit;
use superflip_cube::{Move, Symmetry};
use superflip_solver::coord::{CORNER_PERM, TWIST};
use superflip_solver::symmetry::class_moves;
use superflip_solver::symmetry::{Classes, SymCoordinate, conjugation_table};
use superflip_solver::tables::pruning::breadth_first::Distances;
use superflip_solver::tables::pruning::product::{ColumnTables, ReducedProduct};
use superflip_solver::{Cancelled, Control};

const TWISTS: usize = TWIST.size as usize;

/// The distances of all corners.
pub(super) struct CornerDistances {
    classes: Classes,
    class_moves: Vec<u32>,
    /// Twist seen through a symmetry, at `16 * twist + symmetry`.
    conjugates: Vec<u16>,
    distances: Distances,
}

impl CornerDistances {
    pub(super) fn new() -> Self {
        let classes = Classes::new(&CORNER_PERM);
        let class_moves = class_moves(&CORNER_PERM, &classes.of_raw, &classes.representatives);
        Self { classes, class_moves, conjugates: conjugation_table(&TWIST), distances: Distances::default() }
    }

    /// Returns the size of the table in bytes, once it is filled.
    pub(super) fn bytes(&self) -> u64 {
        (self.classes.representatives.len() * TWISTS) as u64
    }

    /// Fills the table. If `control` ends the work, the next call goes on where it was.
    pub(super) fn grow(&mut self, twist: &Digit, control: &Control) -> Result<(), Cancelled> {
        let graph = ReducedProduct {
            moves: &Move::ALL,
            order: Symmetry::KEEPING_UD,
            class_moves: &self.class_moves,
            self_symmetries: &self.classes.self_symmetries,
            columns: &ColumnTables::new(TWISTS, twist.moves(), &self.conjugates),
        };
        self.distances.grow(&graph, control)
    }

    /// Returns the distance of a permutation and a twist.
    #[inline]
    pub(super) fn of(&self, permutation: u16, twist: u16) -> u8 {
        let SymCoordinate { class, symmetry } = SymCoordinate::unpack(self.classes.of_raw[usize::from(permutation)]);
        let column = self.conjugates[Symmetry::KEEPING_UD * usize::from(twist) + usize::from(symmetry)];
        self.distances.entries()[class as usize * TWISTS + usize::from(column)]
    }

    /// Returns the number of states at each distance.
    pub(super) fn histogram(&self) -> Vec<u64> {
        self.distances.histograms().states
    }
}
