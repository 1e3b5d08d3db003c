//! The tables of a metric, opened, built or computed.

use super::build::g1_divisor;
use super::coordinates::{ROWS, SINGLE_MOVES, StepMoves};
use super::masked::Masks;
use super::numbers::numbers;
use super::pairs::PairTables;
use super::steps::{Run, StepOrder, StepSet};
use super::views::{Entries, MetricViews, PhaseTwo};
use crate::control::{Cancelled, Control};
use crate::coord::{Descriptor, FLIP_SLICE, TWIST, UD_EDGES};
use crate::tables::catalogue::id::Id;
use crate::tables::catalogue::spec::Spec;
use crate::tables::file::table::Opened;
use crate::tables::pruning::near::{self, NearSet};
use crate::tables::set::Profile;
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
    Files { opened: Opened, masks: Masks, ids: [Id; 3] },
    /// Computed in memory: distances in pairs of coordinates.
    Memory(Box<PairTables>),
}

impl MetricTables {
    /// Takes the opened tables of a metric: of phase 1, of phase 2, and of the corners in phase 2.
    pub(crate) fn of_files(set: StepSet, profile: Profile, opened: Opened, specs: &[&Spec]) -> Self {
        let ids = specs.iter().map(|spec| spec.id).collect::<Vec<_>>().try_into();
        let source = Source::Files {
            opened,
            masks: Masks::new(set),
            ids: ids.expect("a metric has three tables in each profile"),
        };
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

    /// Returns whether these are the tables of a metric and some turns.
    pub fn serves(&self, metric: Metric, turns: TurnSet) -> bool {
        StepSet::framed(metric, turns) == self.set
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
            Source::Files { opened, masks, ids: [phase_one, edges, corners] } => {
                let entries = match (self.profile, masks.is_narrow()) {
                    (Profile::Standard, true) => Entries::Narrow(opened.u32s(*phase_one), masks),
                    (Profile::Standard, false) => Entries::Wide(opened.u64s(*phase_one), masks),
                    _ => Entries::Compact(opened.bytes(*phase_one)),
                };
                let (edges, corners) = (opened.bytes(*edges), opened.bytes(*corners));
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
