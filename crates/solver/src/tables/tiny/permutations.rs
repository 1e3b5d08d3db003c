//! The classes of the permutations of eight pieces inside G1: of the corners, and of the U and D edges.

use super::inside::{MOVES, SYMMETRIES};
use crate::coord::rank::{FACTORIAL, permutation_unrank};
use crate::symmetry::Classes;
use crate::tables::pruning::product::{ColumnTables, ComposedColumns, ReducedProduct};
use superflip_cube::{Cube, Move, Symmetry};

use super::columns::Columns;

/// The classes of a permutation.
pub(super) struct ByClass {
    /// `16 * class + symmetry` of each value.
    pub(super) of_raw: Vec<u16>,
    /// `16 * class + symmetry` of each class after each of the ten moves.
    pub(super) moves: Vec<u16>,
    pub(super) self_symmetries: Vec<u64>,
}

impl ByClass {
    /// Numbers the classes. `source` is the slot from which a move brings a piece to a slot, `image` the image of a slot
    /// under a symmetry.
    pub(super) fn new(
        ranks: &Ranks,
        source: impl Fn(&Cube, usize) -> usize,
        image: impl Fn(Symmetry, usize) -> usize,
    ) -> Self {
        let slots = |of: &dyn Fn(usize) -> usize| std::array::from_fn::<_, 8, _>(of);
        let moves = Move::PHASE_TWO.map(|mv| slots(&|slot| source(mv.cube(), slot)));
        let symmetries: Vec<_> = Symmetry::all()
            .take(SYMMETRIES)
            .map(|s| (slots(&|slot| image(s, slot)), slots(&|slot| image(s.inverse(), slot))))
            .collect();
        // In `S^-1 * x * S`, the piece in a slot is the image under S^-1 of the piece in the slot that S maps it to.
        let images = |raw| {
            let pieces = permutation_unrank::<8>(raw);
            let number = move |(from, label): &([usize; 8], [usize; 8])| {
                ranks.of(&from.map(|slot| label[usize::from(pieces[slot])]))
            };
            symmetries.iter().map(number).enumerate()
        };
        let Classes { of_raw, representatives, self_symmetries } = Classes::of(FACTORIAL[8], SYMMETRIES as u32, images);
        let after = |&raw: &u32| {
            let pieces = permutation_unrank::<8>(raw);
            moves.map(|from| of_raw[ranks.of(&from.map(|slot| usize::from(pieces[slot]))) as usize] as u16)
        };
        Self {
            moves: representatives.iter().flat_map(after).collect(),
            of_raw: of_raw.iter().map(|&packed| packed as u16).collect(),
            self_symmetries,
        }
    }

    /// Returns the moves as a product reads them: 18 for each class, of which it uses ten.
    pub(super) fn class_moves(&self) -> Vec<u32> {
        let mut class_moves = vec![0; self.self_symmetries.len() * Move::COUNT];
        for (moves, row) in self.moves.chunks(MOVES).zip(class_moves.chunks_mut(Move::COUNT)) {
            Move::PHASE_TWO.iter().zip(moves).for_each(|(mv, &packed)| row[mv.index()] = packed.into());
        }
        class_moves
    }

    /// Returns the product of these classes and the columns.
    pub(super) fn product<'a>(
        &'a self,
        class_moves: &'a [u32],
        columns: &Columns,
    ) -> ReducedProduct<'a, ComposedColumns> {
        let widened = |bytes: &[u8]| -> Vec<u16> { bytes.iter().copied().map(u16::from).collect() };
        ReducedProduct {
            moves: &Move::PHASE_TWO,
            order: SYMMETRIES,
            class_moves,
            self_symmetries: &self.self_symmetries,
            columns: ColumnTables::new(columns.count(), &widened(&columns.moves), &widened(&columns.conjugates)).into(),
        }
    }
}

/// Ranks of permutations of eight pieces, as the sum of what their first and their last four entries add.
pub(super) struct Ranks {
    first: Vec<u16>,
    last: Vec<u16>,
}

impl Ranks {
    pub(super) fn new() -> Self {
        // Four entries with three bits each. The lists also have entries for four that are not different.
        let each = |added: fn([usize; 4]) -> u32| {
            (0..1 << 12).map(|key: usize| added([0, 3, 6, 9].map(|shift| key >> shift & 7)) as u16).collect()
        };
        Self {
            first: each(|pieces| (1..4).map(|i| FACTORIAL[i] * greater_than(pieces[i], &pieces[..i])).sum()),
            // Of the pieces greater than one, those that do not follow it precede it.
            last: each(|pieces| {
                let before =
                    |i: usize| (7 - pieces[i] as u32).saturating_sub(greater_than(pieces[i], &pieces[i + 1..]));
                (0..4).map(|i| FACTORIAL[4 + i] * before(i)).sum()
            }),
        }
    }

    /// Returns the rank of [`permutation_rank`](crate::coord::rank::permutation_rank).
    #[inline]
    pub(super) fn of(&self, pieces: &[usize; 8]) -> u32 {
        let key = |first: usize| (0..4).fold(0, |key, i| key | pieces[first + i] << (3 * i));
        u32::from(self.first[key(0)]) + u32::from(self.last[key(4)])
    }
}

/// Counts the pieces that are greater than one.
fn greater_than(one: usize, pieces: &[usize]) -> u32 {
    pieces.iter().filter(|&&piece| piece > one).count() as u32
}
