//! The roots of phase 1: directions with up to two runs as pre-moves.

use super::directions::MetricDirection;
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, SLICE_SORTED, U_EDGES};
use crate::search::two_phase::premove::Twin;
use crate::tables::metric::steps::{LAST_RUNS, Run, StepOrder, StepSet, g1_runs};
use crate::tables::metric::views::{ClassAndTwist, MetricViews};
use superflip_cube::{Axis, Cube, Move};

/// Quarter turns of the runs that stand for all runs that lead into G1 together. No other of them is shorter in any metric.
const LEADING: [[u8; 2]; 3] = [[1, 0], [0, 1], [1, 3]];
/// Half turns by which they differ from the others.
const HALF_TURNS: [[u8; 2]; 4] = [[0, 0], [2, 0], [0, 2], [2, 2]];

/// One root of phase 1.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Index of the direction, 0..6.
    pub(super) direction: usize,
    /// Pre-moves before the cube.
    pub(super) premoves: Vec<Run>,
    /// Their length.
    pub(super) length: u8,
    pub(super) at: ClassAndTwist,
    pub(super) symmetry: u8,
    /// Steps to G1.
    pub(super) distance: u8,
    /// Corner permutation, sorted slice, edges of the U and of the D layer.
    pub(super) parts: [u16; 4],
    /// Variants of the pre-moves, with the same phase 1.
    pub(super) variants: Vec<PremoveVariant>,
}

/// Pre-moves with half turns before the first run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PremoveVariant {
    /// Additional length; 255 for a variant that is not allowed.
    pub(super) more: u8,
    /// Length of the half turns alone.
    pub(super) half_turns: u8,
    /// The half turns.
    pub(super) twins: [Option<Twin>; 2],
}

impl Root {
    /// Adds the roots of all directions with `runs` runs as pre-moves, of `length` steps in all.
    pub(super) fn add_all(
        roots: &mut Vec<Self>,
        views: &MetricViews<'_>,
        directions: &[MetricDirection],
        runs: usize,
        length: u8,
    ) {
        let variants_of = |first: Run| {
            let variant = |quarters| {
                let half_turns = Run { quarters, ..first };
                let [more, half_turns_alone] = variant_lengths(views.set, first, half_turns);
                let mut twins = half_turns.moves().filter_map(|mv| Twin::of(mv.face()));
                PremoveVariant { more, half_turns: half_turns_alone, twins: [twins.next(), twins.next()] }
            };
            HALF_TURNS.map(variant).to_vec()
        };
        for premoves in premoves(runs).filter(|premoves| length_of(premoves, views.set) == Some(length)) {
            let moves: Vec<Move> = premoves.iter().flat_map(|run| run.moves()).collect();
            let made = Cube::SOLVED.after(&moves);
            for (index, direction) in directions.iter().enumerate() {
                let cube = made.then(&direction.cube);
                let (at, symmetry) = views.position(&cube);
                // All four coordinates have a value on every cube.
                let part = |coordinate: &Descriptor| coordinate.index(&cube).unwrap_or_default() as u16;
                roots.push(Self {
                    direction: index,
                    length,
                    at,
                    symmetry,
                    distance: views.distance(at),
                    parts: [part(&CORNER_PERM), part(&SLICE_SORTED), part(&U_EDGES), part(&D_EDGES)],
                    variants: premoves
                        .first()
                        .map_or_else(|| vec![PremoveVariant::default()], |&first| variants_of(first)),
                    premoves: premoves.clone(),
                });
            }
        }
    }

    /// Returns the pre-moves of a variant.
    pub(super) fn premoves(&self, variant: usize) -> impl Iterator<Item = Move> {
        let first = self.premoves.first().map(|run| run.joined(Run { quarters: HALF_TURNS[variant], ..*run }));
        first.into_iter().chain(self.premoves.iter().skip(1).copied()).flat_map(Run::moves)
    }
}

/// Returns the length of some runs; `None` if one is not allowed.
fn length_of(runs: &[Run], set: StepSet) -> Option<u8> {
    runs.iter().map(|&run| set.length(run)).sum()
}

/// Returns by how much half turns lengthen a run, and their own length. For a variant that is not allowed, 255 stands for the
/// first.
fn variant_lengths(set: StepSet, run: Run, half_turns: Run) -> [u8; 2] {
    if half_turns.quarters == [0, 0] {
        return [0; 2];
    }
    match (set.length(run), set.length(half_turns), set.length(run.joined(half_turns))) {
        (Some(run), Some(half_turns), Some(joined)) => [joined - run, half_turns],
        _ => [u8::MAX, 0],
    }
}

/// Iterates over the runs that lead into G1, or out of it.
fn leading() -> impl Iterator<Item = Run> {
    [Axis::Rl, Axis::Fb].into_iter().flat_map(|axis| LEADING.map(|quarters| Run { axis, quarters }))
}

/// Iterates over the pre-moves of `runs` runs, 0 to 2: 1, 6 and 180. The first leads out of G1, and the second has another
/// axis.
fn premoves(runs: usize) -> impl Iterator<Item = Vec<Run>> {
    let all = Axis::ALL.into_iter().flat_map(Run::of_axis);
    let out: Vec<Vec<Run>> = match runs {
        0 => vec![Vec::new()],
        1 => leading().map(|run| vec![run]).collect(),
        _ => all
            .flat_map(|second| {
                leading().filter(move |first| first.axis != second.axis).map(move |first| vec![first, second])
            })
            .collect(),
    };
    out.into_iter()
}

/// What a search needs to know of the runs of a metric.
pub(super) struct RunFacts {
    /// The variants of the last run of phase 1; `None` if phase 1 does not end with this run.
    pub(super) endings: [Option<Ending>; LAST_RUNS],
    /// Length of each run of G1; 255 for a run that is not allowed.
    pub(super) g1_lengths: Vec<u8>,
    /// Moves of each run of G1.
    pub(super) g1_moves: Vec<Vec<Move>>,
    /// Length of the longest run of half turns of faces other than U and D.
    pub(super) longest_half_turns: u8,
}

/// The variants of the last run of phase 1.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    /// Axis of the run; phase 2 begins on another.
    pub(super) axis: Axis,
    /// The variants, the unchanged run first.
    pub(super) variants: [EndingVariant; 4],
}

/// The last run of phase 1 with half turns after it.
#[derive(Clone, Copy, Default)]
pub(super) struct EndingVariant {
    /// The half turns, as a run of G1; `None` for none.
    pub(super) run: Option<u8>,
    /// Additional length; 255 for a variant that is not allowed.
    pub(super) more: u8,
    /// Length of the half turns alone.
    pub(super) half_turns: u8,
}

impl RunFacts {
    /// Collects the facts of a set of steps.
    pub(super) fn new(set: StepSet) -> Self {
        let g1 = g1_runs();
        let mut endings = [None; LAST_RUNS];
        for run in leading().filter(|&run| set.length(run).is_some()) {
            let variants = HALF_TURNS.map(|quarters| {
                let half_turns = Run { quarters, ..run };
                let [more, half_turns_alone] = variant_lengths(set, run, half_turns);
                EndingVariant {
                    run: g1.iter().position(|own| *own == half_turns).map(|at| at as u8),
                    more,
                    half_turns: half_turns_alone,
                }
            });
            endings[usize::from(StepOrder::number(run))] = Some(Ending { axis: run.axis, variants });
        }
        let half_turns =
            [Axis::Rl, Axis::Fb].into_iter().flat_map(|axis| HALF_TURNS.map(|quarters| Run { axis, quarters }));
        let longest_half_turns = half_turns.skip(1).filter_map(|run| set.length(run)).max();
        Self {
            endings,
            g1_lengths: g1.iter().map(|&run| set.length(run).unwrap_or(u8::MAX)).collect(),
            longest_half_turns: longest_half_turns.unwrap_or(0),
            g1_moves: g1.iter().map(|run| run.moves().collect()).collect(),
        }
    }
}
