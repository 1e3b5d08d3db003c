//! The tables of a metric as a search reads them, and their look-ups.

use super::coordinates::{SingleMoves, StepMoves};
use super::masked::{Masks, StepEffects};
use super::pairs::PairTables;
use super::steps::{StepOrder, StepSet};
use crate::coord::{Descriptor, FLIP_SLICE, TWIST, UD_EDGES};
use crate::symmetry::SymCoordinate;
use crate::tables::prefetch;
use crate::tables::pruning::packed;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::Cube;

/// The tables of a metric, as a search reads them.
#[derive(Clone, Copy)]
pub(crate) struct MetricViews<'t> {
    pub(crate) set: StepSet,
    pub(crate) order: &'t StepOrder,
    pub(crate) moves: &'t StepMoves,
    pub(crate) single: &'t SingleMoves,
    /// Packed sym-coordinate of each flip x slice; empty without files.
    pub(crate) flip_slice_classes: &'t [u32],
    pub(super) entries: Entries<'t>,
    pub(super) phase_two: PhaseTwo<'t>,
}

/// The distances of phase 1.
#[derive(Clone, Copy)]
pub(super) enum Entries<'t> {
    Narrow(&'t [u32], &'t Masks),
    Wide(&'t [u64], &'t Masks),
    Compact(&'t [u8]),
    Pairs(&'t PairTables),
}

/// The distances of phase 2.
#[derive(Clone, Copy)]
pub(super) enum PhaseTwo<'t> {
    /// Of corners and of the U and D edges, then of corners and slice edges; divided by the divisor.
    Files {
        edges: &'t [u8],
        corners: &'t [u8],
        /// Packed sym-coordinate of each corner permutation.
        corner_classes: &'t [u32],
        divisor: u8,
    },
    Pairs(&'t PairTables),
}

/// A position of phase 1: class of flip x slice, twist seen from the representative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClassAndTwist {
    pub(crate) class: u32,
    pub(crate) twist: u16,
}

impl MetricViews<'_> {
    /// Returns the position of a cube, and the symmetry that leads to the representative of its class.
    pub(crate) fn position(&self, cube: &Cube) -> (ClassAndTwist, u8) {
        // Both coordinates have a value on every cube.
        let value = |coordinate: &Descriptor| coordinate.index(cube).unwrap_or_default() as usize;
        if let Entries::Pairs(_) = self.entries {
            return (ClassAndTwist { class: value(&FLIP_SLICE) as u32, twist: value(&TWIST) as u16 }, 0);
        }
        let to = SymCoordinate::unpack(self.flip_slice_classes[value(&FLIP_SLICE)]);
        let twist = self.single.twist_conjugates[16 * value(&TWIST) + usize::from(to.symmetry)];
        (ClassAndTwist { class: to.class, twist }, to.symmetry)
    }

    /// Returns the position after a step, in the frame of the representative, and the relative symmetry.
    #[inline]
    pub(crate) fn after(&self, at: ClassAndTwist, step: usize) -> (ClassAndTwist, u8) {
        if let Entries::Pairs(pairs) = self.entries {
            return (pairs.after(at, step, self.moves), 0);
        }
        let to = SymCoordinate::unpack(self.moves.classes[at.class as usize * self.moves.steps + step]);
        let twist = self.moves.twist[usize::from(at.twist) * self.moves.steps + step];
        let twist = self.single.twist_conjugates[16 * usize::from(twist) + usize::from(to.symmetry)];
        (ClassAndTwist { class: to.class, twist }, to.symmetry)
    }

    /// Returns the distance from G1.
    pub(crate) fn distance(&self, at: ClassAndTwist) -> u8 {
        let entry = entry_of(at);
        match self.entries {
            Entries::Narrow(entries, masks) => masks.distance(entries[entry].into()),
            Entries::Wide(entries, masks) => masks.distance(entries[entry]),
            Entries::Compact(entries) => packed::nibble(entries, entry),
            Entries::Pairs(pairs) => pairs.distance(at),
        }
    }

    /// Returns the effects of the steps. `distance` is that of the position.
    #[inline]
    pub(crate) fn effects(&self, at: ClassAndTwist, distance: u8) -> StepEffects {
        let entry = entry_of(at);
        match self.entries {
            Entries::Narrow(entries, masks) => return masks.effects(entries[entry].into()),
            Entries::Wide(entries, masks) => return masks.effects(entries[entry]),
            Entries::Compact(_) | Entries::Pairs(_) => {}
        }
        let mut effects = StepEffects::default();
        for step in 0..self.moves.steps {
            let after = self.distance(self.after(at, step).0);
            effects.nearer |= u64::from(after < distance) << step;
            effects.not_farther |= u64::from(after <= distance) << step;
        }
        effects
    }

    /// Prefetches what [`MetricViews::effects`] and [`MetricViews::after`] read.
    #[inline]
    pub(crate) fn prefetch(&self, at: ClassAndTwist) {
        let entry = entry_of(at);
        match self.entries {
            Entries::Narrow(entries, _) => prefetch::read(entries, entry),
            Entries::Wide(entries, _) => prefetch::read(entries, entry),
            // These tables are small, and most of what is read stays in the cache.
            Entries::Pairs(_) => return,
            Entries::Compact(entries) => {
                for step in 0..self.moves.steps {
                    prefetch::read(entries, packed::byte_of_nibble(entry_of(self.after(at, step).0)));
                }
            }
        }
        prefetch_row(&self.moves.classes, at.class as usize * self.moves.steps, self.moves.steps);
    }

    /// Prefetches what [`MetricViews::distance`] reads.
    #[inline]
    pub(crate) fn prefetch_distance(&self, at: ClassAndTwist) {
        let entry = entry_of(at);
        match self.entries {
            Entries::Narrow(entries, _) => prefetch::read(entries, entry),
            Entries::Wide(entries, _) => prefetch::read(entries, entry),
            Entries::Compact(entries) => prefetch::read(entries, packed::byte_of_nibble(entry)),
            Entries::Pairs(_) => {}
        }
    }

    /// Prefetches the row of the corner permutation after each step.
    #[inline]
    pub(crate) fn prefetch_corners(&self, corners: u16) {
        prefetch_row(&self.moves.parts[0], usize::from(corners) * self.moves.steps, self.moves.steps);
    }

    /// Returns a lower bound on the length of phase 2 that corners (0..40320) and slice edges (0..24) need. In QTM the length
    /// has the parity `parity`; otherwise it is not used.
    #[inline]
    pub(crate) fn corner_bound(&self, corners: u16, slice: u16, parity: u8) -> u8 {
        match self.phase_two {
            PhaseTwo::Files { corners: entries, divisor, .. } => {
                let entry = usize::from(corners) * SLICE_ORDERS + usize::from(slice);
                g1_distance(packed::nibble(entries, entry), divisor, parity)
            }
            PhaseTwo::Pairs(pairs) => pairs.corner_bound(corners, slice),
        }
    }

    /// Returns a lower bound on the length of phase 2 that corners, slice edges, and U and D edges (0..40320) need; `parity` as
    /// above.
    #[inline]
    pub(crate) fn edge_bound(&self, [corners, slice, edges]: [u16; 3], parity: u8) -> u8 {
        match self.phase_two {
            PhaseTwo::Files { edges: entries, corner_classes, divisor, .. } => {
                let entry = self.edge_entry(corner_classes, corners, edges);
                g1_distance(packed::nibble(entries, entry), divisor, parity)
            }
            PhaseTwo::Pairs(pairs) => pairs.edge_bound(edges, slice),
        }
    }

    /// Prefetches what [`MetricViews::edge_bound`] reads.
    #[inline]
    pub(crate) fn prefetch_edges(&self, [corners, _, edges]: [u16; 3]) {
        if let PhaseTwo::Files { edges: entries, corner_classes, .. } = self.phase_two {
            prefetch::read(entries, packed::byte_of_nibble(self.edge_entry(corner_classes, corners, edges)));
        }
    }

    #[inline]
    fn edge_entry(&self, corner_classes: &[u32], corners: u16, edges: u16) -> usize {
        let class = corner_classes[usize::from(corners)] as usize;
        let column = self.single.ud_edges_conjugates[usize::from(edges) * 16 + class % 16];
        class / 16 * UD_EDGES.size as usize + usize::from(column)
    }
}

#[inline]
fn g1_distance(entry: u8, divisor: u8, parity: u8) -> u8 {
    if divisor == 2 { 2 * entry + (parity & 1) } else { entry }
}

#[inline]
fn entry_of(at: ClassAndTwist) -> usize {
    at.class as usize * TWISTS + usize::from(at.twist)
}

/// Prefetches the cache lines of a row.
#[inline]
fn prefetch_row<T>(table: &[T], from: usize, entries: usize) {
    let line = 64 / size_of::<T>();
    let Some(last) = (from + entries).checked_sub(1).filter(|_| entries > 0) else { return };
    for at in (from..last).step_by(line) {
        prefetch::read(table, at);
    }
    prefetch::read(table, last);
}
