//! The opened tables of a metric, and their look-ups.

use std::path::Path;

use super::build::g1_divisor;
use super::coordinates::{SINGLE_MOVES, SingleMoves, StepMoves};
use super::masked::{Masks, StepEffects};
use super::steps::{StepOrder, steps};
use crate::control::Control;
use crate::coord::{Descriptor, FLIP_SLICE, TWIST, UD_EDGES};
use crate::symmetry::SymCoordinate;
use crate::tables::catalogue::id::Id;
use crate::tables::catalogue::info::TableInfo;
use crate::tables::catalogue::spec::Spec;
use crate::tables::catalogue::specs;
use crate::tables::error::TableError;
use crate::tables::file::store;
use crate::tables::file::table::Table;
use crate::tables::opened::Opened;
use crate::tables::options::{Profile, Trust};
use crate::tables::prefetch;
use crate::tables::pruning::packed;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::metric::Metric;
use superflip_cube::{Corner, Cube, parity};

/// The tables of a metric other than HTM: mapped pruning tables, and move tables in memory.
pub struct MetricTables {
    metric: Metric,
    profile: Profile,
    opened: Opened,
    order: StepOrder,
    moves: StepMoves,
    masks: Masks,
    ids: [Id; 3],
}

/// The tables of a metric, as a search reads them.
#[derive(Clone, Copy)]
pub(crate) struct MetricViews<'t> {
    pub(crate) metric: Metric,
    pub(crate) order: &'t StepOrder,
    pub(crate) moves: &'t StepMoves,
    pub(crate) single: &'t SingleMoves,
    masks: &'t Masks,
    entries: Entries<'t>,
    phase_two: &'t [u8],
    phase_two_corners: &'t [u8],
}

#[derive(Clone, Copy)]
enum Entries<'t> {
    Narrow(&'t [u32]),
    Wide(&'t [u64]),
    Compact(&'t [u8]),
}

/// A position of phase 1: class of flip x slice, twist seen from the representative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClassAndTwist {
    pub(crate) class: u32,
    pub(crate) twist: u16,
}

impl MetricTables {
    /// Opens the tables of a metric in `folder`, and builds those that are missing or unusable. With [`Profile::Standard`] the
    /// table of phase 1 is the masked one, which is faster and larger; otherwise the compact one. Cancelling `control` ends it
    /// early; its observer gets the events.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or the work was stopped.
    ///
    /// # Panics
    /// When the metric is HTM or ETM, which need no tables of their own.
    pub fn open_or_build(
        folder: &Path,
        metric: Metric,
        profile: Profile,
        control: &Control,
    ) -> Result<Self, TableError> {
        Self::trusting(Trust::Files, folder, metric, profile, control)
    }

    /// Does the same as [`MetricTables::open_or_build`], with a choice of which existing files to trust.
    ///
    /// # Errors
    /// As [`MetricTables::open_or_build`].
    ///
    /// # Panics
    /// As [`MetricTables::open_or_build`].
    pub fn trusting(
        trust: Trust,
        folder: &Path,
        metric: Metric,
        profile: Profile,
        control: &Control,
    ) -> Result<Self, TableError> {
        let wanted: Vec<_> = specs::of_metric(metric, profile).collect();
        let ids = wanted.iter().map(|spec| spec.id).collect::<Vec<_>>().try_into();
        let ids = ids.expect("a metric with steps has three tables in each profile");
        let opened = store::open_or_build(trust, folder, &wanted, control)?;
        let (order, moves) = (StepOrder::new(metric), StepMoves::new(&steps(metric)));
        Ok(Self { metric, profile, opened, order, moves, masks: Masks::new(metric), ids })
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Describes the tables.
    pub fn list(&self) -> Vec<TableInfo> {
        self.opened_with_specs().map(|(spec, table)| TableInfo::new(spec, table)).collect()
    }

    /// Iterates over the opened tables with their descriptions.
    pub(crate) fn opened_with_specs(&self) -> impl Iterator<Item = (&'static Spec, &Table)> {
        self.ids.iter().filter_map(|&id| Some((specs::by_id(id)?, self.opened.get(id)?)))
    }

    /// Returns the table of this name with its description.
    pub fn named(&self, name: &str) -> Option<(TableInfo, &Table)> {
        let info = self.list().into_iter().find(|info| info.name == name)?;
        let table = self.opened.get(info.id)?;
        Some((info, table))
    }

    /// Takes the views.
    pub(crate) fn views(&self) -> MetricViews<'_> {
        let [phase_one, phase_two, phase_two_corners] = self.ids;
        MetricViews {
            metric: self.metric,
            order: &self.order,
            moves: &self.moves,
            single: &SINGLE_MOVES,
            masks: &self.masks,
            entries: match (self.profile, self.masks.is_narrow()) {
                (Profile::Standard, true) => Entries::Narrow(self.opened.u32s(phase_one)),
                (Profile::Standard, false) => Entries::Wide(self.opened.u64s(phase_one)),
                _ => Entries::Compact(self.opened.bytes(phase_one)),
            },
            phase_two: self.opened.bytes(phase_two),
            phase_two_corners: self.opened.bytes(phase_two_corners),
        }
    }

    /// Returns the distance of a cube from G1 along the UD axis.
    pub fn phase_one_distance(&self, cube: &Cube) -> u8 {
        let views = self.views();
        views.distance(views.position(cube).0)
    }

    /// Returns a lower bound on the distance of a cube of G1 from solved; `None` outside G1.
    pub fn phase_two_bound(&self, cube: &Cube) -> Option<u8> {
        let value = |coordinate: &Descriptor| coordinate.index(cube).and_then(|value| u16::try_from(value).ok());
        let is_inside = value(&TWIST) == Some(0) && FLIP_SLICE.index(cube) == Some(0);
        let (corners, slice) = (value(&crate::coord::CORNER_PERM)?, value(&crate::coord::SLICE_SORTED)?);
        let views = self.views();
        let edges = is_inside.then(|| value(&UD_EDGES))??;
        let parity = u8::from(parity(&cube.corners().map(Corner::index)) == Some(true));
        Some(views.corner_bound(corners, slice, parity).max(views.edge_bound(corners, edges, parity)))
    }
}

impl MetricViews<'_> {
    /// Returns the position of a cube, and the symmetry that leads to the representative of its class.
    pub(crate) fn position(&self, cube: &Cube) -> (ClassAndTwist, u8) {
        // Both coordinates have a value on every cube.
        let value = |coordinate: &Descriptor| coordinate.index(cube).unwrap_or_default() as usize;
        let to = SymCoordinate::unpack(self.single.flip_slice.classes.of_raw[value(&FLIP_SLICE)]);
        let twist = self.single.twist_conjugates[16 * value(&TWIST) + usize::from(to.symmetry)];
        (ClassAndTwist { class: to.class, twist }, to.symmetry)
    }

    /// Returns the position after a step, in the frame of the representative, and the relative symmetry.
    #[inline]
    pub(crate) fn after(&self, at: ClassAndTwist, step: usize) -> (ClassAndTwist, u8) {
        let to = SymCoordinate::unpack(self.moves.classes[at.class as usize * self.moves.steps + step]);
        let twist = self.moves.twist[usize::from(at.twist) * self.moves.steps + step];
        let twist = self.single.twist_conjugates[16 * usize::from(twist) + usize::from(to.symmetry)];
        (ClassAndTwist { class: to.class, twist }, to.symmetry)
    }

    /// Returns the distance from G1.
    pub(crate) fn distance(&self, at: ClassAndTwist) -> u8 {
        let entry = entry_of(at);
        match self.entries {
            Entries::Narrow(entries) => self.masks.distance(entries[entry].into()),
            Entries::Wide(entries) => self.masks.distance(entries[entry]),
            Entries::Compact(entries) => packed::nibble(entries, entry),
        }
    }

    /// Returns the effects of the steps. `distance` is that of the position.
    #[inline]
    pub(crate) fn effects(&self, at: ClassAndTwist, distance: u8) -> StepEffects {
        let entry = entry_of(at);
        let entries = match self.entries {
            Entries::Narrow(entries) => return self.masks.effects(entries[entry].into()),
            Entries::Wide(entries) => return self.masks.effects(entries[entry]),
            Entries::Compact(entries) => entries,
        };
        let mut effects = StepEffects::default();
        for step in 0..self.moves.steps {
            let after = packed::nibble(entries, entry_of(self.after(at, step).0));
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
            Entries::Narrow(entries) => prefetch::read(entries, entry),
            Entries::Wide(entries) => prefetch::read(entries, entry),
            Entries::Compact(entries) => {
                for step in 0..self.moves.steps {
                    prefetch::read(entries, packed::byte_of_nibble(entry_of(self.after(at, step).0)));
                }
            }
        }
        prefetch_row(&self.moves.classes, at.class as usize * self.moves.steps, self.moves.steps);
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
        let entry = usize::from(corners) * SLICE_ORDERS + usize::from(slice);
        self.g1_distance(packed::nibble(self.phase_two_corners, entry), parity)
    }

    /// Returns a lower bound on the length of phase 2 that corners (0..40320) and U and D edges (0..40320) need; `parity` as
    /// above.
    #[inline]
    pub(crate) fn edge_bound(&self, corners: u16, edges: u16, parity: u8) -> u8 {
        self.g1_distance(packed::nibble(self.phase_two, self.edge_entry(corners, edges)), parity)
    }

    #[inline]
    fn g1_distance(&self, entry: u8, parity: u8) -> u8 {
        if g1_divisor(self.metric) == 2 { 2 * entry + (parity & 1) } else { entry }
    }

    /// Prefetches what [`MetricViews::edge_bound`] reads.
    #[inline]
    pub(crate) fn prefetch_edges(&self, corners: u16, edges: u16) {
        prefetch::read(self.phase_two, packed::byte_of_nibble(self.edge_entry(corners, edges)));
    }

    #[inline]
    fn edge_entry(&self, corners: u16, edges: u16) -> usize {
        let class = self.single.corners.classes.of_raw[usize::from(corners)] as usize;
        let column = self.single.ud_edges_conjugates[usize::from(edges) * 16 + class % 16];
        class / 16 * UD_EDGES.size as usize + usize::from(column)
    }
}

#[inline]
fn entry_of(at: ClassAndTwist) -> usize {
    at.class as usize * TWISTS + usize::from(at.twist)
}

/// Prefetches the cache lines of a row.
#[inline]
fn prefetch_row<T>(table: &[T], from: usize, entries: usize) {
    let line = 64 / size_of::<T>();
    for at in (from..from + entries - 1).step_by(line) {
        prefetch::read(table, at);
    }
    prefetch::read(table, from + entries - 1);
}
