//! The opened tables of a metric, and their look-ups.

use std::path::Path;

use super::build::g1_divisor;
use super::coordinates::{SINGLE_MOVES, SingleMoves, StepMoves};
use super::masked::{Masks, StepEffects};
use super::pairs::PairTables;
use super::steps::{Run, StepOrder, StepSet};
use crate::control::{Cancelled, Control};
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
use crate::tables::pruning::near::{self, NearSet};
use crate::tables::pruning::packed;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::metric::Metric;
use superflip_cube::{Corner, Cube, Move, TurnGroup, TurnSet, parity};

/// The tables of a metric other than HTM, or of some turns in any metric: pruning tables, and move tables in memory.
pub struct MetricTables {
    set: StepSet,
    profile: Profile,
    source: Source,
    order: StepOrder,
    moves: StepMoves,
    /// The group that the turns generate, unless all turns are allowed.
    group: Option<TurnGroup>,
    /// The positions at most [`near_radius`] from solved, which give the lower bounds of short cubes.
    near: Vec<u32>,
}

/// Returns the radius of the set of near positions: the greatest with at most 700 000 positions.
const fn near_radius(metric: Metric) -> u8 {
    match metric {
        Metric::Htm | Metric::Etm | Metric::Qtm => near::RADIUS,
        Metric::Stm | Metric::Axqt => 4,
        Metric::Axht => 3,
    }
}

/// Builds the set of near positions. It is empty if runs that count two are not made of steps.
fn near_positions(set: StepSet) -> Vec<u32> {
    let cube = |run: Run| Cube::SOLVED.after(&run.moves().collect::<Vec<_>>());
    let steps: Vec<Cube> = set.steps().into_iter().map(cube).collect();
    let is_made_of_steps = |mv: Move| {
        set.metric.length(&[mv]) == 1 || Move::of(mv.face(), 1).is_some_and(|quarter| set.turns.contains(quarter))
    };
    if set.turns.moves().all(is_made_of_steps) {
        near::build_of_steps(near_radius(set.metric), &steps)
    } else {
        Vec::new()
    }
}

/// The pruning tables.
enum Source {
    /// Mapped from files.
    Files { opened: Opened, masks: Masks, ids: [Id; 3] },
    /// Computed in memory.
    Memory(Box<PairTables>),
}

/// The tables of a metric, as a search reads them.
#[derive(Clone, Copy)]
pub(crate) struct MetricViews<'t> {
    pub(crate) set: StepSet,
    pub(crate) order: &'t StepOrder,
    pub(crate) moves: &'t StepMoves,
    pub(crate) single: &'t SingleMoves,
    entries: Entries<'t>,
    phase_two: PhaseTwo<'t>,
}

/// The distances of phase 1.
#[derive(Clone, Copy)]
enum Entries<'t> {
    Narrow(&'t [u32], &'t Masks),
    Wide(&'t [u64], &'t Masks),
    Compact(&'t [u8]),
    Pairs(&'t PairTables),
}

/// The distances of phase 2.
#[derive(Clone, Copy)]
enum PhaseTwo<'t> {
    /// Of corners and of the U and D edges, then of corners and slice edges; divided by the divisor.
    Files {
        edges: &'t [u8],
        corners: &'t [u8],
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
        let set = StepSet::of_metric(metric);
        let (order, moves) = (StepOrder::new(set), StepMoves::new(&set.steps()));
        let source = Source::Files { opened, masks: Masks::new(set), ids };
        Ok(Self { set, profile, source, order, moves, group: None, near: near_positions(set) })
    }

    /// Computes the tables of a metric and some turns in memory, which takes some tenths of a second. They serve these turns
    /// in every holding of the cube.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn in_memory(metric: Metric, turns: TurnSet, control: &Control) -> Result<Self, Cancelled> {
        let set = StepSet::framed(metric, turns);
        let (order, moves) = (StepOrder::new(set), StepMoves::without_classes(&set.steps()));
        let pairs = PairTables::new(set, &moves, control)?;
        let group = (!turns.is_all()).then(|| TurnGroup::new(set.turns));
        let (source, near) = (Source::Memory(Box::new(pairs)), near_positions(set));
        Ok(Self { set, profile: Profile::Tiny, source, order, moves, group, near })
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.set.metric
    }

    /// Returns what may be turned, and how it counts.
    pub fn set(&self) -> StepSet {
        self.set
    }

    /// Returns whether tables of these turns serve a search: any faces, or turns that generate all cubes, the subgroup of phase 2 along
    /// an axis, or the group of half turns. If they generate all cubes, those of phase 2 must generate its subgroup, and every turn
    /// must be made of turns that count one in the metric.
    pub fn supports(metric: Metric, turns: TurnSet) -> bool {
        const ALL: u128 = 43_252_003_274_489_856_000;
        const PHASE_TWO: u128 = 19_508_428_800;
        const HALF_TURNS: u128 = 663_552;
        let faces: Vec<_> = turns.moves().map(Move::face).collect();
        if turns == TurnSet::of_faces(faces) {
            return !turns.is_empty();
        }
        let turns = StepSet::framed(Metric::Htm, turns).turns;
        let inside: TurnSet = turns.moves().filter(|mv| Move::PHASE_TWO.contains(mv)).collect();
        match TurnGroup::new(turns).order() {
            // Quarter turns of a face make its half turns, which phase 2 may use.
            ALL => {
                let is_made_of_ones = |mv: Move| {
                    metric.length(&[mv]) == 1 || Move::of(mv.face(), 1).is_some_and(|quarter| turns.contains(quarter))
                };
                let halves = turns.moves().filter_map(|mv| Move::of(mv.face(), 2));
                turns.moves().all(is_made_of_ones)
                    && TurnGroup::new(inside.moves().chain(halves).collect()).order() == PHASE_TWO
            }
            PHASE_TWO => inside == turns,
            HALF_TURNS => turns.moves().all(|mv| mv.quarters() == 2),
            _ => false,
        }
    }

    /// Returns whether these are the tables of a metric and some turns.
    pub fn serves(&self, metric: Metric, turns: TurnSet) -> bool {
        self.set.metric == metric
            && self.set.turns.is_all() == turns.is_all()
            && (turns.is_all() || StepSet::framed(metric, turns) == self.set)
    }

    /// Returns the group that the turns generate in the holding of the tables; `None` if they reach every cube.
    pub(crate) fn group(&self) -> Option<&TurnGroup> {
        self.group.as_ref()
    }

    /// Returns the profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns a lower bound on the length of a cube, in the holding of the tables: the length if the cube is near solved, or one more than
    /// near cubes have.
    pub(crate) fn near_bound(&self, cube: &Cube) -> u8 {
        let radius = near_radius(self.set.metric);
        if self.near.is_empty() {
            return u8::from(!cube.is_solved());
        }
        // In rare cases a hash collision makes a far cube near, which lowers the bound.
        let set = NearSet { words: &self.near, radius, half_turn: 1 };
        set.distance(cube).unwrap_or(radius + 1)
    }

    /// Describes the tables.
    pub fn list(&self) -> Vec<TableInfo> {
        self.opened_with_specs().map(|(spec, table)| TableInfo::new(spec, table)).collect()
    }

    /// Iterates over the opened tables with their descriptions; none if they were computed in memory.
    pub(crate) fn opened_with_specs(&self) -> impl Iterator<Item = (&'static Spec, &Table)> {
        let files = match &self.source {
            Source::Files { opened, ids, .. } => Some((opened, ids)),
            Source::Memory(_) => None,
        };
        let tables = files.into_iter().flat_map(|(opened, ids)| ids.iter().map(move |&id| (opened, id)));
        tables.filter_map(|(opened, id)| Some((specs::by_id(id)?, opened.get(id)?)))
    }

    /// Returns the opened tables; `None` if they were computed in memory.
    pub(crate) fn opened(&self) -> Option<&Opened> {
        match &self.source {
            Source::Files { opened, .. } => Some(opened),
            Source::Memory(_) => None,
        }
    }

    /// Returns the table of this name with its description.
    pub fn named(&self, name: &str) -> Option<(TableInfo, &Table)> {
        let (spec, table) = self.opened_with_specs().find(|(spec, _)| spec.name == name)?;
        Some((TableInfo::new(spec, table), table))
    }

    /// Takes the views.
    pub(crate) fn views(&self) -> MetricViews<'_> {
        let (entries, phase_two) = match &self.source {
            Source::Files { opened, masks, ids: [phase_one, edges, corners] } => {
                let entries = match (self.profile, masks.is_narrow()) {
                    (Profile::Standard, true) => Entries::Narrow(opened.u32s(*phase_one), masks),
                    (Profile::Standard, false) => Entries::Wide(opened.u64s(*phase_one), masks),
                    _ => Entries::Compact(opened.bytes(*phase_one)),
                };
                let (edges, corners) = (opened.bytes(*edges), opened.bytes(*corners));
                (entries, PhaseTwo::Files { edges, corners, divisor: g1_divisor(self.set.metric) })
            }
            Source::Memory(pairs) => (Entries::Pairs(pairs), PhaseTwo::Pairs(pairs)),
        };
        let Self { set, order, moves, .. } = self;
        MetricViews { set: *set, order, moves, single: &SINGLE_MOVES, entries, phase_two }
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
        Some(views.corner_bound(corners, slice, parity).max(views.edge_bound([corners, slice, edges], parity)))
    }
}

impl MetricViews<'_> {
    /// Returns the position of a cube, and the symmetry that leads to the representative of its class.
    pub(crate) fn position(&self, cube: &Cube) -> (ClassAndTwist, u8) {
        // Both coordinates have a value on every cube.
        let value = |coordinate: &Descriptor| coordinate.index(cube).unwrap_or_default() as usize;
        if let Entries::Pairs(_) = self.entries {
            return (ClassAndTwist { class: value(&FLIP_SLICE) as u32, twist: value(&TWIST) as u16 }, 0);
        }
        let to = SymCoordinate::unpack(self.single.flip_slice.classes.of_raw[value(&FLIP_SLICE)]);
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
            PhaseTwo::Files { edges: entries, divisor, .. } => {
                g1_distance(packed::nibble(entries, self.edge_entry(corners, edges)), divisor, parity)
            }
            PhaseTwo::Pairs(pairs) => pairs.edge_bound(edges, slice),
        }
    }

    /// Prefetches what [`MetricViews::edge_bound`] reads.
    #[inline]
    pub(crate) fn prefetch_edges(&self, [corners, _, edges]: [u16; 3]) {
        if let PhaseTwo::Files { edges: entries, .. } = self.phase_two {
            prefetch::read(entries, packed::byte_of_nibble(self.edge_entry(corners, edges)));
        }
    }

    #[inline]
    fn edge_entry(&self, corners: u16, edges: u16) -> usize {
        let class = self.single.corners.classes.of_raw[usize::from(corners)] as usize;
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
