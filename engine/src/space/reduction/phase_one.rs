//! ReducedDistances of a reduced space: counted when it is built, or those of the mapped phase-1 table.
//!
//! `symcomp(sym(flip_slice,UD16),twist)` is phase 1. Its 140 908 410 states are the entries of the pruning table of the searches, in
//! the same order: classes are numbered by rising representative in both, and the column is the twist as the representative sees it.
//! So this space has no table of its own, and no limit of size applies. The table is reached through the [`Tables`] that a space was
//! given, so that a space which is kept keeps no table mapped.

use super::group::Group;
use super::reduced::{Columns, Reduced};
use crate::coord::{FLIP, SLICE, TWIST};
use crate::space::expression::Plan;
use crate::tables::Tables;

/// Whether a plan describes phase 1.
pub fn is_phase_one(plan: &Plan) -> bool {
    let base_is = |parts: [_; 2]| plan.base == parts;
    let is_ud16 = |group: &Group| group.name == "UD16";
    plan.group.is_some_and(is_ud16) && base_is([&FLIP, &SLICE]) && plan.rest == [&TWIST]
}

/// Where the distances of a reduced space are.
pub enum ReducedDistances {
    /// Counted for this space.
    Counted(Box<Reduced>),
    /// In the mapped phase-1 table.
    PhaseOne {
        /// The twists.
        columns: Columns,
        /// How many classes there are.
        classes: u32,
    },
}

impl ReducedDistances {
    /// The values of the second part.
    pub fn columns(&self) -> &Columns {
        match self {
            Self::Counted(reduced) => reduced.columns(),
            Self::PhaseOne { columns, .. } => columns,
        }
    }

    /// How many states there are, 0..size; not all of them need occur.
    pub fn size(&self) -> u64 {
        match self {
            Self::Counted(reduced) => reduced.size(),
            Self::PhaseOne { columns, classes } => u64::from(*classes) * u64::from(columns.count()),
        }
    }

    /// Whether turns lead from solved to a state in range.
    pub fn occurs(&self, state: u64) -> bool {
        match self {
            Self::Counted(reduced) => reduced.distance(state).is_some(),
            Self::PhaseOne { .. } => true,
        }
    }

    /// The distance of a state, or `None` when it does not occur.
    pub fn distance(&self, tables: Option<&Tables>, state: u64) -> Option<u32> {
        match self {
            Self::Counted(reduced) => reduced.distance(state),
            Self::PhaseOne { columns, .. } => {
                let count = u64::from(columns.count());
                Some(tables?.phase_one().distance((state / count) as u32, (state % count) as u16).into())
            }
        }
    }

    /// Raw states, then entries as stored, at each distance.
    pub fn histograms(&self, tables: Option<&Tables>) -> Option<(Vec<u64>, Vec<u64>)> {
        match self {
            Self::Counted(reduced) => Some((reduced.depth_histogram.clone(), reduced.entry_histogram.clone())),
            Self::PhaseOne { .. } => {
                let info = tables?.phase_one_info()?;
                Some((info.depth_histogram, info.entry_histogram))
            }
        }
    }

    /// Bytes in memory, besides mapped tables.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Counted(reduced) => reduced.bytes(),
            Self::PhaseOne { columns, .. } => columns.bytes(),
        }
    }
}
