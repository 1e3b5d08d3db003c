//! Steps: the turns that count 1 in a metric.
//!
//! A *run* is the joint effect of consecutive turns of one axis: `[a, b]`, clockwise quarter turns of the two faces. A *step*
//! is a run of length 1. Every run is a product of steps, and the length of a maneuver is the least number of steps that
//! make it, so a breadth-first search over steps finds distances in the metric.
//!
//! | metric | steps of an axis | group |
//! | --- | --- | --- |
//! | `qtm` | 4: the quarter turns | 1 |
//! | `stm` | 9: the turns of either face, and the turns of the slice between them | 3 |
//! | `axht` | 15: all runs | 15 |
//! | `axqt` | 8: up to one quarter turn of each face | 1 |
//!
//! Two steps of a *group* differ by a step. So the distances after the steps of a group differ by at most one, as the
//! distances after the turns of one face do in HTM.
//!
//! If not all turns are allowed, a run is written in allowed turns ([`TurnSet::spell`]). Its length is that of these turns.
//!
//! `numbers` has the numbers of each metric, in one place: a new metric begins here.

use std::ops::Range;

use crate::tables::pruning::near;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Face, Move, Symmetry, TurnGroup, TurnSet};

/// Number of runs of an axis, without the empty one.
pub(crate) const RUNS_OF_AXIS: usize = 15;
/// Greatest number of steps.
pub(crate) const MAX_STEPS: usize = Axis::COUNT * RUNS_OF_AXIS;
/// Number of [`LastRun`]s: no run, or any run of any axis.
pub(crate) const LAST_RUNS: usize = 1 + MAX_STEPS;

/// Consecutive turns of one axis, as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The axis.
    pub axis: Axis,
    /// Clockwise quarter turns of its first face (U, R or F) and of the opposite face.
    pub quarters: [u8; 2],
}

impl Run {
    /// Iterates over the runs of an axis, by rising number.
    pub(crate) fn of_axis(axis: Axis) -> impl Iterator<Item = Self> {
        (1..=RUNS_OF_AXIS as u8).map(move |number| Self { axis, quarters: [number % 4, number / 4] })
    }

    /// Returns the turns, at most two.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        let first = Face::ALL[self.axis.index()];
        let turns = [(first, self.quarters[0]), (first.opposite(), self.quarters[1])];
        turns.into_iter().filter_map(|(face, quarters)| Move::of(face, quarters.into()))
    }

    /// Returns the length in a metric.
    pub fn length(self, metric: Metric) -> u8 {
        metric.length(&self.moves().collect::<Vec<_>>()) as u8
    }

    /// Returns whether all turns are moves of G1.
    pub(crate) fn is_in_g1(self) -> bool {
        self.moves().all(|mv| Move::PHASE_TWO.contains(&mv))
    }

    /// Returns the run that has the effect of both, which have the same axis.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        let quarters = [0, 1].map(|side| (self.quarters[side] + other.quarters[side]) % 4);
        Self { quarters, ..self }
    }

    /// Returns the run that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { quarters: self.quarters.map(|quarters| (4 - quarters) % 4), ..self }
    }

    /// Returns the run seen through a symmetry.
    fn conjugate(self, symmetry: Symmetry) -> Self {
        let mut seen = Self { axis: self.axis, quarters: [0; 2] };
        for mv in self.moves() {
            let image = symmetry.conjugate_move(mv);
            seen.axis = image.face().axis();
            seen.quarters[image.face().index() / 3] = image.quarters() as u8;
        }
        seen
    }

    /// Returns the number of the run; 0 for an empty run.
    pub(crate) fn number(self) -> LastRun {
        match self.quarters {
            [0, 0] => 0,
            [first, second] => (RUNS_OF_AXIS * self.axis.index()) as LastRun + first + 4 * second,
        }
    }
}

/// The metrics with tables of their own: all but HTM and ETM.
pub const METRICS: [Metric; 4] = [Metric::Qtm, Metric::Stm, Metric::Axht, Metric::Axqt];

/// Returns the number of steps of a metric.
pub(crate) const fn step_count(metric: Metric) -> usize {
    Axis::COUNT * numbers(metric).steps_of_axis
}

/// What may be turned, and how it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepSet {
    /// The metric.
    pub metric: Metric,
    /// The allowed turns.
    pub turns: TurnSet,
}

impl StepSet {
    /// Returns the set of a metric with all turns.
    pub const fn of_metric(metric: Metric) -> Self {
        Self { metric, turns: TurnSet::ALL }
    }

    /// Returns the set for which there are tables: these turns in the holding of the cube in which phase 2 has most of them.
    /// `frames` leads to this holding.
    pub(crate) fn framed(metric: Metric, turns: TurnSet) -> Self {
        if turns.is_all() {
            return Self::of_metric(metric);
        }
        let inside = |turns: TurnSet| turns.moves().filter(|mv| Move::PHASE_TWO.contains(mv)).count();
        let seen = Symmetry::all().map(|symmetry| turns.conjugate(symmetry));
        let turns = seen.max_by_key(|&turns| (inside(turns), turns)).unwrap_or(turns);
        Self { metric, turns }
    }

    /// Returns whether tables of these turns serve a search: any faces, or turns that generate all cubes, the subgroup of phase 2 along
    /// an axis, or the group of half turns. The inverse of each turn must be allowed. If they generate all cubes, the turns of phase 2 must generate its subgroup, and every turn
    /// must be made of turns that count one in the metric.
    pub fn supports(metric: Metric, turns: TurnSet) -> bool {
        const ALL: u128 = 43_252_003_274_489_856_000;
        const PHASE_TWO: u128 = 19_508_428_800;
        const HALF_TURNS: u128 = 663_552;
        let faces: Vec<_> = turns.moves().map(Move::face).collect();
        if turns == TurnSet::of_faces(faces) {
            return !turns.is_empty();
        }
        if turns.without_inverse().is_some() {
            return false;
        }
        let turns = Self::framed(Metric::Htm, turns).turns;
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

    /// Returns each axis that a symmetry brings to UD, and these turns to the turns of the set, with the symmetry.
    pub(crate) fn frames(self, turns: TurnSet) -> Vec<(Axis, Symmetry)> {
        let frame = |axis: Axis| {
            // The same symmetry as for all turns comes first.
            let usual = (0..axis.index()).fold(Symmetry::IDENTITY, |symmetry, _| symmetry.then(Symmetry::DIAGONAL));
            let leads = |symmetry: &Symmetry| {
                let face = Move::of(Face::ALL[axis.index()], 1).map(|mv| symmetry.conjugate_move(mv).face());
                face.is_some_and(|face| face.axis() == Axis::Ud) && turns.conjugate(*symmetry) == self.turns
            };
            std::iter::once(usual).chain(Symmetry::all()).find(leads).map(|symmetry| (axis, symmetry))
        };
        Axis::ALL.into_iter().filter_map(frame).collect()
    }

    /// Returns whether all turns are moves of G1, so that phase 1 has nothing to do.
    pub(crate) fn is_inside(self) -> bool {
        self.turns.moves().all(|mv| Move::PHASE_TWO.contains(&mv))
    }

    /// Returns the length of a run; `None` if the allowed turns do not make it.
    pub fn length(self, run: Run) -> Option<u8> {
        let spelled = self.turns.spell(&run.moves().collect::<Vec<_>>(), self.metric)?;
        Some(self.metric.length(&spelled.concat()) as u8)
    }

    /// Returns the steps, axis by axis, group by group.
    pub fn steps(self) -> Vec<Run> {
        let of_axis = |axis| {
            let mut steps: Vec<Run> = Run::of_axis(axis).filter(|run| self.length(*run) == Some(1)).collect();
            // The turns of one face, of the other, of both.
            steps.sort_by_key(|run| run.quarters.map(|quarters| quarters > 0).map(u8::from));
            steps
        };
        Axis::ALL.into_iter().flat_map(of_axis).collect()
    }

    /// Iterates over the symmetries that keep the UD axis and the turns.
    pub(crate) fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        let keeps = move |symmetry: &Symmetry| self.turns.conjugate(*symmetry) == self.turns;
        Symmetry::all().take(Symmetry::KEEPING_UD).filter(keeps)
    }

    /// Returns the steps of each group, as masks.
    pub(crate) fn groups(self) -> Vec<u64> {
        let steps = self.steps();
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let fits = |group: &Range<usize>| {
                numbers(self.metric).group_size > 1
                    && steps[group.clone()]
                        .iter()
                        .all(|other| step.axis == other.axis && self.length(step.joined(other.inverse())) == Some(1))
            };
            match groups.last_mut().filter(|group| fits(group)) {
                Some(group) => group.end = number + 1,
                None => groups.push(number..number + 1),
            }
        }
        groups.into_iter().map(|group| group.map(|step| 1 << step).sum()).collect()
    }
}

/// The last run of a maneuver: its number, or 0 for no run.
pub(crate) type LastRun = u8;

/// Marks a step that may not follow.
pub(crate) const NO_RUN: LastRun = LastRun::MAX;

/// The canonical order of steps: each run has one sequence of steps.
///
/// For each run, one sequence of steps is chosen. A sequence of steps of one axis is canonical if it and its beginnings are
/// chosen. Steps of another axis may always follow.
pub(crate) struct StepOrder {
    /// The steps.
    pub(crate) steps: Vec<Run>,
    /// The last run after a step, by the last run before it; [`NO_RUN`] if the step may not follow.
    pub(crate) next: [[LastRun; MAX_STEPS]; LAST_RUNS],
    /// Length of each run; 0 for no run, 255 for a run that is not allowed.
    pub(crate) lengths: [u8; LAST_RUNS],
    /// Step of the cube, by symmetry and step of the representative.
    pub(crate) to_cube: [[u8; MAX_STEPS]; 16],
    /// Steps of the representative that may follow, as a mask, by symmetry and last run of the cube.
    pub(crate) followers: [[u64; LAST_RUNS]; 16],
}

impl StepOrder {
    /// Computes the order of some steps.
    pub(crate) fn new(set: StepSet) -> Self {
        let steps = set.steps();
        let mut order = Self {
            next: [[NO_RUN; MAX_STEPS]; LAST_RUNS],
            lengths: [0; LAST_RUNS],
            to_cube: [[0; MAX_STEPS]; 16],
            followers: [[0; LAST_RUNS]; 16],
            steps,
        };
        let runs: Vec<Run> = Axis::ALL.into_iter().flat_map(Run::of_axis).collect();
        for run in &runs {
            order.lengths[usize::from(run.number())] = set.length(*run).unwrap_or(u8::MAX);
        }
        let mut is_chosen = [false; LAST_RUNS];
        for last in std::iter::once(None).chain(runs.iter().copied().map(Some)) {
            let before = usize::from(last.map_or(0, Run::number));
            for (number, step) in order.steps.iter().enumerate() {
                let Some(last) = last.filter(|last| last.axis == step.axis) else {
                    order.next[before][number] = step.number();
                    continue;
                };
                let after = last.joined(*step).number();
                let length = order.lengths[usize::from(after)];
                if order.lengths[before].checked_add(1) == Some(length) && !is_chosen[usize::from(after)] {
                    is_chosen[usize::from(after)] = true;
                    order.next[before][number] = after;
                }
            }
        }
        for symmetry in set.symmetries() {
            for (number, step) in order.steps.iter().enumerate() {
                let seen = step.conjugate(symmetry);
                // These symmetries permute the steps.
                let seen = order.steps.iter().position(|other| *other == seen).unwrap_or_default();
                order.to_cube[symmetry.index()][seen] = number as u8;
                for (last, next) in order.next.iter().enumerate() {
                    order.followers[symmetry.index()][last] |= u64::from(next[number] != NO_RUN) << seen;
                }
            }
        }
        order
    }
}

/// The runs inside G1 by which phase 2 moves: all runs of the UD axis, then the half turns of RL and of FB.
pub(crate) const G1_RUNS: usize = RUNS_OF_AXIS + 3 + 3;

/// Returns the runs inside G1 by which phase 2 moves.
pub(crate) fn g1_runs() -> Vec<Run> {
    Axis::ALL.into_iter().flat_map(Run::of_axis).filter(|run| run.is_in_g1()).collect()
}

/// Returns the range of the runs of an axis in [`g1_runs`].
pub(crate) const fn g1_runs_of(axis: Axis) -> Range<usize> {
    match axis {
        Axis::Ud => 0..RUNS_OF_AXIS,
        Axis::Rl => RUNS_OF_AXIS..RUNS_OF_AXIS + 3,
        Axis::Fb => RUNS_OF_AXIS + 3..G1_RUNS,
    }
}

/// What differs between metrics, beside how they count a maneuver ([`Metric::length`]).
pub(crate) struct Numbers {
    /// Number of steps of one axis.
    pub(crate) steps_of_axis: usize,
    /// Number of steps of a group. Groups are consecutive in [`StepSet::steps`].
    pub(crate) group_size: usize,
    /// Radius of the set of near positions: the greatest with at most 700 000 positions.
    pub(crate) near_radius: u8,
    /// A length that a search of a random cube reaches within a millisecond on average, with the tables of the profile `standard`: the
    /// default target length.
    pub(crate) usual_target: u8,
    /// Upper bound of a search at its start. A bound at which nearly every cube has its first solution within a millisecond gave the
    /// shortest solutions after 10 ms.
    pub(crate) first_bound: u8,
    /// Levels from which one and two pre-moves are searched too.
    pub(crate) premoves_from: [u8; 2],
    /// A length that suffices for every cube: 20 in HTM and so in every metric that counts no more, 26 in QTM (Rokicki, Davidson 2014).
    pub(crate) sufficient_length: u8,
}

/// Returns the numbers of a metric.
pub(crate) const fn numbers(metric: Metric) -> Numbers {
    let htm = Numbers {
        steps_of_axis: 6,
        group_size: 3,
        near_radius: near::RADIUS,
        usual_target: 20,
        first_bound: 20,
        premoves_from: [9, 11],
        sufficient_length: 20,
    };
    match metric {
        Metric::Htm | Metric::Etm => htm,
        Metric::Qtm => Numbers {
            steps_of_axis: 4,
            group_size: 1,
            usual_target: 27,
            first_bound: 28,
            premoves_from: [10, 12],
            sufficient_length: 26,
            ..htm
        },
        Metric::Stm => Numbers { steps_of_axis: 9, near_radius: 4, usual_target: 19, ..htm },
        Metric::Axht => Numbers {
            steps_of_axis: 15,
            group_size: 15,
            near_radius: 3,
            usual_target: 17,
            first_bound: 17,
            premoves_from: [7, 9],
            ..htm
        },
        Metric::Axqt => Numbers {
            steps_of_axis: 8,
            group_size: 1,
            near_radius: 4,
            usual_target: 23,
            first_bound: 24,
            premoves_from: [8, 10],
            sufficient_length: 26,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_group_differ_by_a_step() {
        for metric in METRICS {
            let steps = StepSet::of_metric(metric).steps();
            assert_eq!(steps.len(), step_count(metric), "{metric:?}");
            let groups = StepSet::of_metric(metric).groups();
            let size = numbers(metric).group_size;
            assert!(groups.iter().enumerate().all(|(at, group)| *group == ((1 << size) - 1) << (at * size)));
            for group in steps.chunks(numbers(metric).group_size) {
                for (a, b) in group.iter().flat_map(|a| group.iter().map(move |b| (a, b))) {
                    assert_eq!(a.axis, b.axis);
                    let difference = Run { quarters: [0, 1].map(|i| (4 + a.quarters[i] - b.quarters[i]) % 4), ..*a };
                    assert!(a == b || difference.length(metric) == 1, "{metric:?}: {a:?} and {b:?}");
                }
            }
        }
    }

    fn run_of(last: usize) -> Option<Run> {
        Axis::ALL.into_iter().flat_map(Run::of_axis).find(|run| usize::from(run.number()) == last)
    }

    /// Every run is reached by exactly one canonical sequence of steps, whose number is the length of the run.
    #[test]
    fn each_run_has_one_canonical_sequence() {
        let of_faces = |faces: &str| TurnSet::of_faces(faces.chars().filter_map(Face::from_letter));
        let quarters: TurnSet = Move::ALL.into_iter().filter(|mv| mv.quarters() != 2).collect();
        let mixed: TurnSet = Move::ALL.into_iter().filter(|mv| mv.face() != Face::D || mv.quarters() == 2).collect();
        let without_l2: TurnSet = Move::ALL.into_iter().filter(|&mv| mv != Move::L2).collect();
        let turns = [TurnSet::ALL, of_faces("URFDL"), of_faces("UR"), quarters, mixed, without_l2];
        let sets = turns.into_iter().flat_map(|turns| Metric::ALL.map(|metric| StepSet { metric, turns }));
        // In these metrics a face with half turns only has no step. Such sets are refused, unless they keep G1.
        let counts_quarters = |metric| matches!(metric, Metric::Qtm | Metric::Axqt);
        let sets = sets.filter(|set| set.turns != mixed || !counts_quarters(set.metric));
        for set in sets {
            let order = StepOrder::new(set);
            let mut count = [0; LAST_RUNS];
            let mut open = vec![(0_usize, 0)];
            while let Some((last, length)) = open.pop() {
                for (step, &next) in order.steps.iter().zip(&order.next[last]) {
                    let is_same_axis = run_of(last).is_none_or(|run| run.axis == step.axis);
                    assert!(is_same_axis || next == step.number());
                    if is_same_axis && next != NO_RUN {
                        count[usize::from(next)] += 1;
                        assert_eq!(order.lengths[usize::from(next)], length + 1);
                        open.push((next.into(), length + 1));
                    }
                }
            }
            assert_eq!(count[0], 0);
            for (last, count) in count.iter().enumerate().skip(1) {
                let is_allowed = run_of(last).is_some_and(|run| set.length(run).is_some());
                assert_eq!(*count, u8::from(is_allowed), "{set:?}: {:?}", run_of(last));
            }
        }
    }
}
