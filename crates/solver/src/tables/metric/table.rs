//! The tables of a further metric (QTM, STM and the axial metrics) or of some turns, and their look-ups.
//!
//! Each metric has three tables, built on their own by breadth-first search over [steps](super::steps), which count 1.
//! They do not depend on the tables of a profile; `docs/tables.md` lists them.
//!
//! If not all turns are allowed, the tables are computed in memory: distances in products of two small coordinates ([`PairTables`]):
//!
//! | phase | product | entries |
//! | --- | --- | --- |
//! | 1 | flip x slice | 2048 x 495 |
//! | 1 | twist x slice | 2187 x 495 |
//! | 1 | twist x flip | 2187 x 2048 |
//! | 2 | corner permutation x order of the slice edges | 40320 x 24 |
//! | 2 | permutation of the U and D edges x order of the slice edges | 40320 x 24 |
//!
//! The greatest distance of a phase is a lower bound on its length, and 0 only at its end. It changes by at most one with each
//! step. Entries that the turns do not reach are 255. The tables take 8 MB and some tenths of a second for any metric and turns. They prune less than
//! tables in files.

use crate::control::{Cancelled, Control};
use crate::coord::{Descriptor, FLIP, FLIP_SLICE, SLICE, TWIST, UD_EDGES};
use crate::symmetry::SymCoordinate;
use crate::tables::catalogue::spec::Profile;
use crate::tables::file::table::{Id, Opened};
use crate::tables::metric::build::{
    Masks, ROWS, SINGLE_MOVES, SingleMoves, StepEffects, StepMoves, after_runs, g1_divisor, g1_generators,
};
use crate::tables::metric::steps::{G1_RUNS, Run, StepOrder, StepSet, numbers};
use crate::tables::prefetch;
use crate::tables::pruning::breadth_first::on_all_threads;
use crate::tables::pruning::near::{self, NearSet};
use crate::tables::pruning::packed;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use crate::tables::pruning::product::DigitProduct;
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
    /// The positions within the near radius of the metric, which give the lower bounds of short cubes.
    near: Vec<u32>,
}

/// Builds the set of near positions. It is empty if runs that count two are not made of steps.
fn near_positions(set: StepSet) -> Vec<u32> {
    let cube = |run: Run| Cube::SOLVED.after(&run.moves().collect::<Vec<_>>());
    let steps: Vec<Cube> = set.steps().into_iter().map(cube).collect();
    let is_made_of_steps = |mv: Move| {
        set.metric.length(&[mv]) == 1 || Move::of(mv.face(), 1).is_some_and(|quarter| set.turns.contains(quarter))
    };
    if set.turns.moves().all(is_made_of_steps) {
        near::build_of_steps(numbers(set.metric).near_radius, &steps)
    } else {
        Vec::new()
    }
}

/// The pruning tables.
enum Source {
    /// Mapped from files.
    Files { opened: Opened, masks: Masks },
    /// Computed in memory: distances in pairs of coordinates.
    Memory(Box<PairTables>),
}

impl MetricTables {
    /// Takes the opened tables of a metric.
    pub(crate) fn of_files(set: StepSet, profile: Profile, opened: Opened) -> Self {
        let source = Source::Files { opened, masks: Masks::new(set) };
        let (order, moves) = (StepOrder::new(set), StepMoves::new(set));
        Self { set, profile, source, order, moves, group: None, near: near_positions(set) }
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
        let radius = numbers(self.set.metric).near_radius;
        if self.near.is_empty() {
            return u8::from(!cube.is_solved());
        }
        // In rare cases a hash collision makes a far cube near, which lowers the bound.
        let set = NearSet { words: &self.near, radius, half_turn: 1 };
        set.distance(cube).unwrap_or(radius + 1)
    }

    /// Returns the opened tables; `None` if they were computed in memory.
    pub(crate) fn opened(&self) -> Option<&Opened> {
        match &self.source {
            Source::Files { opened, .. } => Some(opened),
            Source::Memory(_) => None,
        }
    }

    /// Takes the views.
    pub(crate) fn views(&self) -> MetricViews<'_> {
        let (entries, phase_two, flip_slice_classes) = match &self.source {
            Source::Files { opened, masks } => {
                let entries = match (self.profile, masks.is_narrow()) {
                    (Profile::Standard, true) => Entries::Narrow(opened.u32s(Id::MetricPhaseOneMasked), masks),
                    (Profile::Standard, false) => Entries::Wide(opened.u64s(Id::MetricPhaseOneMasked), masks),
                    _ => Entries::Compact(opened.bytes(Id::MetricPhaseOne)),
                };
                let (edges, corners) = (opened.bytes(Id::MetricPhaseTwo), opened.bytes(Id::MetricPhaseTwoCorners));
                let (corner_classes, divisor) = (&ROWS[1].classes.of_raw[..], g1_divisor(self.set.metric));
                let phase_two = PhaseTwo::Files { edges, corners, corner_classes, divisor };
                (entries, phase_two, &ROWS[0].classes.of_raw[..])
            }
            Source::Memory(pairs) => (Entries::Pairs(pairs), PhaseTwo::Pairs(pairs), &[][..]),
        };
        let Self { set, order, moves, .. } = self;
        MetricViews { set: *set, order, moves, single: &SINGLE_MOVES, flip_slice_classes, entries, phase_two }
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
            PhaseTwo::Pairs(pairs) => pairs.corners[usize::from(corners) * SLICE_ORDERS + usize::from(slice)],
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
            PhaseTwo::Pairs(pairs) => pairs.edges[usize::from(edges) * SLICE_ORDERS + usize::from(slice)],
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

const FLIPS: usize = FLIP.size as usize;

/// Distances in pairs of coordinates.
pub(crate) struct PairTables {
    /// Slice and flip after each step.
    slice: Vec<u16>,
    flip: Vec<u16>,
    flip_slice: Vec<u8>,
    twist_slice: Vec<u8>,
    twist_flip: Vec<u8>,
    corners: Vec<u8>,
    edges: Vec<u8>,
}

impl PairTables {
    /// Computes the tables.
    pub(crate) fn new(set: StepSet, moves: &StepMoves, control: &Control) -> Result<Self, Cancelled> {
        let steps = set.steps();
        let [slice, flip] = [&SLICE, &FLIP]
            .map(|coordinate| after_runs(&coordinate.move_table(), &Move::ALL, &steps, coordinate.size as usize));
        let distances = |digits: [&[u16]; 2], stride, moves: Vec<(usize, u8)>| {
            if stride == 0 {
                // Half turns, which count two, and no other turns. Phase 1 has nothing to do, and leads nowhere.
                return Ok(vec![0]);
            }
            Ok(on_all_threads(&DigitProduct::new(&digits, stride, moves), control)?.0)
        };
        let each: Vec<(usize, u8)> = (0..steps.len()).map(|step| (step, 1)).collect();
        let phase_one = |rows: &[u16], columns: &[u16]| distances([columns, rows], steps.len(), each.clone());
        let g1 = &SINGLE_MOVES.g1;
        let phase_two = |rows: &[u16]| distances([&g1.slice, rows], G1_RUNS, g1_generators(set));
        Ok(Self {
            flip_slice: phase_one(&slice, &flip)?,
            twist_slice: phase_one(&slice, &moves.twist)?,
            twist_flip: phase_one(&flip, &moves.twist)?,
            corners: phase_two(&g1.corners)?,
            edges: phase_two(&g1.edges)?,
            slice,
            flip,
        })
    }

    /// Returns the position after a step.
    #[inline]
    pub(crate) fn after(&self, at: ClassAndTwist, step: usize, moves: &StepMoves) -> ClassAndTwist {
        let after = |table: &[u16], value: usize| table[value * moves.steps + step];
        let (slice, flip) = (at.class as usize / FLIPS, at.class as usize % FLIPS);
        let class = u32::from(after(&self.slice, slice)) * FLIP.size + u32::from(after(&self.flip, flip));
        ClassAndTwist { class, twist: after(&moves.twist, at.twist.into()) }
    }

    /// Returns a lower bound on the distance of a position from G1. Its class is the value of flip x slice.
    #[inline]
    pub(crate) fn distance(&self, at: ClassAndTwist) -> u8 {
        let (slice, flip, twist) = (at.class as usize / FLIPS, at.class as usize % FLIPS, usize::from(at.twist));
        let distance = |table: &[u8], entry: usize| table.get(entry).copied().unwrap_or(u8::MAX);
        let first = distance(&self.flip_slice, slice * FLIPS + flip);
        let second = distance(&self.twist_slice, slice * TWISTS + twist);
        first.max(second).max(distance(&self.twist_flip, flip * TWISTS + twist))
    }
}
