//! The distances of a reduced space: computed when it is built, or read from the mapped phase-1 table.
//!
//! The space of `symcomp(sym(flip_slice,UD16),twist)` is phase 1. Its 140 908 410 entries are those of the phase-1
//! pruning table, in the same order. In both, classes are numbered by rising representative, and the column is the
//! twist in the frame of the representative. So this space needs no table of its own, and no size limit applies. It
//! reads the table through the [`Tables`] attached to the space. So a cached space keeps no table mapped.

use super::group::Group;
use super::reduced::{Columns, Reduced};
use crate::space::expression::Plan;
use superflip_solver::coord::{FLIP, SLICE, TWIST};
use superflip_solver::tables::Tables;

/// Returns whether a plan describes phase 1.
pub fn is_phase_one(plan: &Plan) -> bool {
    let base_is = |parts: [_; 2]| plan.base == parts;
    let is_ud16 = |group: &Group| group.name == "UD16";
    plan.group.is_some_and(is_ud16) && base_is([&FLIP, &SLICE]) && plan.rest == [&TWIST]
}

/// The source of the distances of a reduced space.
pub enum ReducedDistances {
    /// Computed for this space.
    Counted(Box<Reduced>),
    /// In the mapped phase-1 table.
    PhaseOne {
        /// Columns: the twists.
        columns: Columns,
        /// Number of classes.
        classes: u32,
    },
}

impl ReducedDistances {
    /// Returns the columns: the values of the second part.
    pub fn columns(&self) -> &Columns {
        match self {
            Self::Counted(reduced) => reduced.columns(),
            Self::PhaseOne { columns, .. } => columns,
        }
    }

    /// Returns the number of entries. They are numbered from 0; some do not occur for any cube.
    pub fn size(&self) -> u64 {
        match self {
            Self::Counted(reduced) => reduced.size(),
            Self::PhaseOne { columns, classes } => u64::from(*classes) * u64::from(columns.count()),
        }
    }

    /// Returns whether an entry (0..size) can be reached from solved.
    pub fn occurs(&self, state: u64) -> bool {
        match self {
            Self::Counted(reduced) => reduced.distance(state).is_some(),
            Self::PhaseOne { .. } => true,
        }
    }

    /// Returns the distance of an entry, or `None` if it does not occur.
    pub fn distance(&self, tables: Option<&Tables>, state: u64) -> Option<u32> {
        match self {
            Self::Counted(reduced) => reduced.distance(state),
            Self::PhaseOne { columns, .. } => {
                let count = u64::from(columns.count());
                let (class, twist) = (u32::try_from(state / count).ok()?, u16::try_from(state % count).ok()?);
                Some(tables?.phase_one().distance(class, twist).into())
            }
        }
    }

    /// Returns the number of states before reduction, then the number of entries, at each distance.
    pub fn histograms(&self, tables: Option<&Tables>) -> Option<(Vec<u64>, Vec<u64>)> {
        match self {
            Self::Counted(reduced) => Some((reduced.histograms.states.clone(), reduced.histograms.entries.clone())),
            Self::PhaseOne { .. } => {
                let info = tables?.phase_one_info()?;
                Some((info.depth_histogram, info.entry_histogram))
            }
        }
    }

    /// Returns the memory used in bytes, without mapped tables.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Counted(reduced) => reduced.bytes(),
            Self::PhaseOne { columns, .. } => columns.bytes(),
        }
    }
}
