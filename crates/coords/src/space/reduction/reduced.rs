//! Distances in a space reduced by symmetry: the classes of the first part times the values of the second part (Nissy's
//! SYMCOMP).
//!
//! A *state* is a pair of raw values, one of each part. An *entry* is a pair (j, c). j is a class of the first part. c
//! is a value of the second part, in the frame of the representative of j. The entry of a state is found by conjugating
//! both values so that the first becomes the representative. Entry number `j * columns + c` is one byte, its distance.
//! Solved is entry 0.
//!
//! A symmetry t that maps the representative of j to itself is a *self-symmetry*. Then the entries (j, c) and (j, t c
//! t^-1) are *equivalent*: they stand for the same states. A move reaches only one of them. So the search sets the
//! distance at every equivalent entry. This step is the *extra pass over self-symmetries*. Without it the other entries
//! are reached later or never, and their distances are too large.
//!
//! The space of `symcomp(sym(flip_slice,UD16),twist)` is phase 1. Its 140 908 410 entries are the entries of the phase-1
//! pruning table, in the same order. In both, classes are numbered by rising representative, and the column is the
//! twist in the frame of the representative. So this space needs no table of its own, and no size limit applies. It
//! reads the table through the [`Tables`] attached to the space. So a cached space keeps no table mapped.

// Classes, columns and symmetries are below 2^32, because values of products are. Entries are in memory.
#![allow(clippy::cast_possible_truncation)]

use std::sync::Arc;

use super::classes::SpaceClasses;
use super::group::Group;
use crate::space::error::SpaceError;
use crate::space::expression::Plan;
use crate::space::memory::{Array, Memory};
use crate::space::product::{Product, distances};
use superflip_cube::Move;
use superflip_solver::Control;
use superflip_solver::coord::{FLIP, SLICE, TWIST};
use superflip_solver::tables::pruning::breadth_first::UNREACHED;
use superflip_solver::tables::pruning::product;
use superflip_solver::tables::pruning::product::ReducedProduct;
use superflip_solver::tables::{DepthHistograms, Tables};

/// The values of the second part, and the action of the group on them.
pub struct Columns {
    count: usize,
    order: usize,
    /// Column of `S * x * S^-1`, at `order * column + index of S`.
    conjugates: Array<u32>,
}

impl Columns {
    /// Computes the conjugates of every value. A value that no cube has is its own conjugate.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `control` ended the work.
    pub fn new(rest: &Product, group: &Group, memory: &Arc<Memory>, control: &Control) -> Result<Self, SpaceError> {
        let count = rest.size() as usize;
        let order = group.order();
        let mut conjugates = memory.array(count * order)?;
        for (column, row) in (0..).zip(conjugates.chunks_exact_mut(order)) {
            if column % 4096 == 0 {
                control.check()?;
            }
            if rest.occurs(column) {
                for (entry, seen) in row.iter_mut().zip(rest.conjugates(column, group.symmetries.iter().copied())) {
                    *entry = seen;
                }
            } else {
                row.fill(column);
            }
        }
        Ok(Self { count, order, conjugates })
    }

    /// Returns the number of columns.
    pub fn count(&self) -> u32 {
        self.count as u32
    }

    /// Returns the conjugate of `column` by the symmetry with index `symmetry` in the group.
    pub fn conjugate(&self, column: u32, symmetry: u32) -> u32 {
        self.conjugates[column as usize * self.order + symmetry as usize]
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        4 * self.conjugates.len() as u64
    }
}

/// The columns and their move table, while the distances are computed.
struct MovedColumns<'r> {
    columns: &'r Columns,
    /// Column after each move of the second part, at `count * move + column`.
    moves: Array<u32>,
}

impl<'r> MovedColumns<'r> {
    fn new(columns: &'r Columns, rest: &Product, memory: &Arc<Memory>) -> Result<Self, SpaceError> {
        let mut moves: Array<u32> = memory.array(columns.count * rest.moves().len())?;
        for (row, &mv) in moves.chunks_exact_mut(columns.count).zip(rest.moves()) {
            for (column, entry) in (0..).zip(row) {
                // The moves are the moves of the second part, so it has a value after each.
                *entry = rest.after(column, mv).unwrap_or(column);
            }
        }
        Ok(Self { columns, moves })
    }
}

impl product::Columns for MovedColumns<'_> {
    fn count(&self) -> usize {
        self.columns.count
    }

    fn after(&self, mv: usize, symmetry: usize) -> impl Fn(usize) -> usize {
        let moves = &self.moves[mv * self.columns.count..][..self.columns.count];
        move |column| self.columns.conjugate(moves[column], symmetry as u32) as usize
    }

    fn conjugate(&self, column: usize, symmetry: usize) -> usize {
        self.columns.conjugate(column as u32, symmetry as u32) as usize
    }
}

/// Returns whether a plan describes phase 1.
pub fn is_phase_one(plan: &Plan) -> bool {
    let is_ud16 = |group: &Group| group.name == "UD16";
    plan.group.is_some_and(is_ud16) && plan.base == [&FLIP, &SLICE] && plan.rest == [&TWIST]
}

/// The columns and distances of a reduced space.
pub(crate) struct Reduced {
    columns: Columns,
    classes: u32,
    /// Distance of each entry, shared with downloads, and the number of entries and of states at each distance. `None` if the
    /// distances are in the mapped phase-1 table.
    counted: Option<(Arc<Array<u8>>, DepthHistograms)>,
}

impl Reduced {
    /// Returns the memory in bytes of a space of this many classes, columns and symmetries.
    pub(crate) fn bytes_of(classes: u64, columns: u64, order: u64) -> u64 {
        classes * columns + 4 * columns * order + 4 * 18 * classes
    }

    /// Computes all distances. Reports the number of entries done.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `control` ended the work.
    pub(crate) fn new(
        base: &Product,
        classes: &SpaceClasses,
        rest: &Product,
        memory: &Arc<Memory>,
        control: &Control,
    ) -> Result<Self, SpaceError> {
        let columns = Columns::new(rest, classes.group, memory, control)?;
        let order = columns.order;
        let count = classes.representatives.len();
        let mut class_moves: Array<u32> = memory.array(count * Move::COUNT)?;
        // The self-symmetries of each representative: bit `place`.
        let mut keeping: Array<u64> = memory.array(count)?;
        let rows = class_moves.chunks_exact_mut(Move::COUNT).zip(keeping.iter_mut());
        for (class, (&representative, (row, keeping))) in classes.representatives.iter().zip(rows).enumerate() {
            if class % 4096 == 0 {
                control.check()?;
            }
            for (entry, &mv) in row.iter_mut().zip(&Move::ALL) {
                *entry = base.after(representative, mv).map_or(0, |after| {
                    let member = classes.of(base, after);
                    order as u32 * member.class + member.place
                });
            }
            let places = classes.self_symmetries(base, representative);
            let places = places.iter().filter_map(|&s| classes.group.position(s));
            *keeping = places.fold(0, |mask, place| mask | 1 << place);
        }
        let second = MovedColumns::new(&columns, rest, memory)?;
        let moves = rest.moves();
        let class_moves = &class_moves[..];
        let self_symmetries = &keeping[..];
        let graph = ReducedProduct { moves, order, class_moves, self_symmetries, columns: &second };
        let counted = Some(distances(&graph, memory, control)?);
        Ok(Self { columns, classes: classes.len(), counted })
    }

    /// Returns the space of phase 1, without computing distances.
    ///
    /// # Errors
    /// As [`Reduced::new`].
    pub(crate) fn phase_one(
        classes: &SpaceClasses,
        rest: &Product,
        memory: &Arc<Memory>,
        control: &Control,
    ) -> Result<Self, SpaceError> {
        Ok(Self { columns: Columns::new(rest, classes.group, memory, control)?, classes: classes.len(), counted: None })
    }

    /// Returns the number of entries. They are numbered from 0; some do not occur for any cube.
    pub(crate) fn size(&self) -> u64 {
        u64::from(self.classes) * u64::from(self.columns.count())
    }

    /// Returns the columns.
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the distance of every entry, 255 for entries that do not occur, or `None` if a mapped table has them.
    pub(crate) fn distances(&self) -> Option<&Arc<Array<u8>>> {
        self.counted.as_ref().map(|(distances, _)| distances)
    }

    /// Returns whether an entry (0..size) can be reached from solved.
    pub(crate) fn occurs(&self, entry: u64) -> bool {
        self.distances().is_none_or(|distances| distances[entry as usize] != UNREACHED)
    }

    /// Returns the distance of an entry, or `None` if it does not occur.
    pub(crate) fn distance(&self, tables: Option<&Tables>, entry: u64) -> Option<u32> {
        let Some(distances) = self.distances() else {
            let count = u64::from(self.columns.count());
            let class = u32::try_from(entry / count).ok()?;
            let twist = u16::try_from(entry % count).ok()?;
            return Some(tables?.phase_one()?.distance(class, twist).into());
        };
        Some(distances[entry as usize]).filter(|distance| *distance != UNREACHED).map(u32::from)
    }

    /// Returns the number of entries and of states (each entry weighted by the size of its class) at each distance.
    pub(crate) fn histograms(&self, tables: Option<&Tables>) -> Option<DepthHistograms> {
        let Some((_, histograms)) = &self.counted else {
            let info = tables?.phase_one_info()?;
            return Some(DepthHistograms { entries: info.entry_histogram, states: info.depth_histogram });
        };
        Some(histograms.clone())
    }

    /// Returns the memory used in bytes, without mapped tables.
    pub(crate) fn bytes(&self) -> u64 {
        self.distances().map_or(0, |distances| distances.len() as u64) + self.columns.bytes()
    }
}
