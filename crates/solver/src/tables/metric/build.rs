//! Builds the tables of a metric by breadth-first search over steps. Coordinates after runs and steps are composed in memory from the moves
//! of single faces.
//!
//! An entry of a masked table of phase 1 has the distance, and the effect of each step on it:
//!
//! ```text
//! bit  0..S         S..S+G         S+G..S+G+4
//!      changes      away           distance
//!      per step     per group
//! ```
//!
//! There are S steps in G groups. One bit per step says whether the distance changes. The distances after the steps of a
//! group differ by at most one, so a group cannot have both a step that leads nearer and a step that leads farther: one
//! bit per group gives the direction. An entry has 32 bits if they suffice (`qtm`: 12 + 12 + 4), else 64.

use std::sync::LazyLock;

use rayon::prelude::*;

use crate::control::Control;
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, FLIP_SLICE, SLICE_SORTED, TWIST, U_EDGES, UD_EDGES, merge_table};
use crate::symmetry::{Classes, SymCoordinate, class_moves, conjugation_table};
use crate::tables::file::sink::{BuildError, Sink};
use crate::tables::metric::steps::{G1_RUNS, Run, StepSet, g1_runs, numbers, step_count};
use crate::tables::pruning::breadth_first::{DepthHistograms, Graph};
use crate::tables::pruning::packed::{store_in_blocks, store_nibbles};
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use crate::tables::pruning::product::{ColumnTables, Columns as _, DigitProduct};
use superflip_cube::metric::Metric;
use superflip_cube::{Move, Symmetry};

/// Classes of one coordinate times the values of another, under runs.
pub(crate) struct RunProduct<'a> {
    /// Number of the runs that are used, and the length of each.
    pub(crate) runs: Vec<(usize, u8)>,
    /// Number of runs in the tables.
    pub(crate) stride: usize,
    /// Class after each run and the symmetry to its representative, as `16 * class + symmetry`.
    pub(crate) classes: &'a [u32],
    pub(crate) self_symmetries: Vec<u64>,
    pub(crate) columns: ColumnTables,
}

impl Graph for RunProduct<'_> {
    fn rows(&self) -> usize {
        self.self_symmetries.len()
    }

    fn moves(&self) -> usize {
        self.runs.len()
    }

    fn length(&self, mv: usize) -> u8 {
        self.runs[mv].1
    }

    fn columns(&self) -> usize {
        self.columns.count()
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        let run = self.runs[mv].0;
        let packed = self.classes[row * self.stride + run] as usize;
        (packed / Symmetry::KEEPING_UD, self.columns.after(run, packed % Symmetry::KEEPING_UD))
    }

    fn equivalents(&self, row: usize, column: usize) -> impl Iterator<Item = usize> {
        let mask = self.self_symmetries[row];
        (1..Symmetry::KEEPING_UD)
            .filter(move |symmetry| mask >> symmetry & 1 == 1)
            .map(move |s| self.columns.conjugate(column, s))
    }

    fn states(&self, row: usize) -> u64 {
        Symmetry::KEEPING_UD as u64 / u64::from(self.self_symmetries[row].count_ones())
    }
}

/// Passes the graph of phase 1 to `work`: flip x slice classes times twist, under the steps of the set.
pub(crate) fn with_phase_one<T>(set: StepSet, work: impl FnOnce(&RunProduct<'_>) -> T) -> T {
    let steps = StepMoves::new(set);
    let columns = ColumnTables::new(TWISTS, &steps.twist, &SINGLE_MOVES.twist_conjugates);
    work(&RunProduct {
        runs: (0..steps.steps).map(|step| (step, 1)).collect(),
        stride: steps.steps,
        classes: &steps.classes,
        self_symmetries: ROWS[0].classes.self_symmetries.clone(),
        columns,
    })
}

/// Returns the numbers and lengths of the shortest runs inside G1, which generate the others: the runs of lengths 1 and 2.
pub(crate) fn g1_generators(set: StepSet) -> Vec<(usize, u8)> {
    let lengths = g1_runs().into_iter().enumerate().filter_map(|(run, own): (_, Run)| Some((run, set.length(own)?)));
    lengths.filter(|&(_, length)| length <= 2).collect()
}

/// Returns the number by which distances inside G1 are divided. In QTM they reach 30, and the parity of the corners gives
/// the parity of the distance.
pub(crate) const fn g1_divisor(metric: Metric) -> u8 {
    if matches!(metric, Metric::Qtm) { 2 } else { 1 }
}

/// Builds the compact table of phase 1.
pub(crate) fn phase_one(set: StepSet, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    with_phase_one(set, |product| store_nibbles(product, 1, sink, control))
}

/// Builds the masked table of phase 1.
pub(crate) fn phase_one_masked(
    set: StepSet,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    let masks = Masks::new(set);
    with_phase_one(set, |product| {
        store_in_blocks(product, control, |distances, rows| {
            let entries: Vec<u64> =
                rows.into_par_iter().flat_map_iter(|row| masks.row(product, distances, row)).collect();
            if masks.is_narrow() {
                sink.u32s(&entries.iter().map(|&entry| entry as u32).collect::<Vec<_>>())
            } else {
                sink.u64s(&entries)
            }
        })
    })
}

/// Builds the large table of phase 2: corner classes times the permutation of the U and D edges.
pub(crate) fn phase_two(set: StepSet, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    let single = &*SINGLE_MOVES;
    let product = RunProduct {
        runs: g1_generators(set),
        stride: G1_RUNS,
        classes: &ROWS[1].after_runs(&g1_runs()),
        self_symmetries: ROWS[1].classes.self_symmetries.clone(),
        columns: ColumnTables::new(UD_EDGES.size as usize, &single.g1.edges, &single.ud_edges_conjugates),
    };
    store_nibbles(&product, g1_divisor(set.metric), sink, control)
}

/// Builds the small table of phase 2: corner permutation times the order of the slice edges.
pub(crate) fn phase_two_corners(
    set: StepSet,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    let single = &*SINGLE_MOVES;
    let product = DigitProduct::new(&[&single.g1.slice, &single.g1.corners], G1_RUNS, g1_generators(set));
    store_nibbles(&product, g1_divisor(set.metric), sink, control)
}

/// The coordinates under single moves. All metrics share them.
pub(crate) struct SingleMoves {
    pub(crate) twist: Vec<u16>,
    pub(crate) twist_conjugates: Vec<u16>,
    pub(crate) ud_edges_conjugates: Vec<u16>,
    pub(crate) merge: Vec<u16>,
    /// Corner permutation, sorted slice, edges of the U and of the D layer after each move.
    pub(crate) parts: [Vec<u16>; 4],
    /// Phase-2 coordinates after the runs of G1.
    pub(crate) g1: G1Moves,
}

/// Classes of a coordinate, and their moves.
pub(crate) struct Classed {
    pub(crate) classes: Classes,
    /// Sym-coordinate of each class after each move.
    pub(crate) moves: Vec<u32>,
}

/// The classes of the rows of the tables in files: of flip x slice, and of the corner permutation. The symmetries keep every metric.
pub(crate) static ROWS: LazyLock<[Classed; 2]> = LazyLock::new(|| [&FLIP_SLICE, &CORNER_PERM].map(Classed::new));

/// Phase-2 coordinates after each run of [`g1_runs`].
pub(crate) struct G1Moves {
    pub(crate) corners: Vec<u16>,
    pub(crate) slice: Vec<u16>,
    pub(crate) edges: Vec<u16>,
}

/// The coordinates under single moves, computed at first use.
pub(crate) static SINGLE_MOVES: LazyLock<SingleMoves> = LazyLock::new(|| {
    let parts = [&CORNER_PERM, &SLICE_SORTED, &U_EDGES, &D_EDGES].map(Descriptor::move_table);
    let g1 = G1Moves {
        corners: after_runs(&parts[0], &Move::ALL, &g1_runs(), CORNER_PERM.size as usize),
        slice: after_runs(&parts[1], &Move::ALL, &g1_runs(), SLICE_ORDERS),
        edges: after_runs(&UD_EDGES.move_table(), &Move::PHASE_TWO, &g1_runs(), UD_EDGES.size as usize),
    };
    SingleMoves {
        twist: TWIST.move_table(),
        twist_conjugates: conjugation_table(&TWIST),
        ud_edges_conjugates: conjugation_table(&UD_EDGES),
        merge: merge_table(),
        parts,
        g1,
    }
});

impl Classed {
    fn new(coordinate: &'static Descriptor) -> Self {
        let classes = Classes::new(coordinate);
        let moves = class_moves(coordinate, &classes.of_raw, &classes.representatives);
        Self { classes, moves }
    }

    /// Returns the sym-coordinate of each class after each run, seen from the representative.
    pub(crate) fn after_runs(&self, runs: &[Run]) -> Vec<u32> {
        let after = |packed: u32, mv: Move| {
            let SymCoordinate { class, symmetry } = SymCoordinate::unpack(packed);
            let before = symmetry_of(symmetry);
            let at = class as usize * Move::COUNT + before.conjugate_move(mv).index();
            let next = SymCoordinate::unpack(self.moves[at]);
            let symmetry = symmetry_of(next.symmetry).then(before).index() as u8;
            SymCoordinate { class: next.class, symmetry }.pack()
        };
        let classes = 0..self.classes.representatives.len() as u32;
        classes.flat_map(|class| runs.iter().map(move |run| run.moves().fold(16 * class, after))).collect()
    }
}

fn symmetry_of(index: u8) -> Symmetry {
    Symmetry::try_from_index(index.into()).unwrap_or(Symmetry::IDENTITY)
}

/// Returns the value of a coordinate after each run, for its first `values` values. `moves` are the moves of its move table.
pub(crate) fn after_runs(table: &[u16], moves: &[Move], runs: &[Run], values: usize) -> Vec<u16> {
    let number = |mv: Move| moves.iter().position(|own| *own == mv).unwrap_or_default();
    let runs: Vec<Vec<usize>> = runs.iter().map(|run| run.moves().map(number).collect()).collect();
    let after = |value: u16, mv: &usize| table[usize::from(value) * moves.len() + mv];
    (0..values as u16).flat_map(|value| runs.iter().map(move |run| run.iter().fold(value, after))).collect()
}

/// The coordinates of a search after each step of a metric.
pub(crate) struct StepMoves {
    /// Number of steps.
    pub(crate) steps: usize,
    pub(crate) classes: Vec<u32>,
    pub(crate) twist: Vec<u16>,
    /// Corner permutation, sorted slice, edges of the U and of the D layer.
    pub(crate) parts: [Vec<u16>; 4],
}

impl StepMoves {
    /// Composes the tables for the steps of a set that has tables in files.
    pub(crate) fn new(set: StepSet) -> Self {
        let steps = set.steps();
        Self { classes: ROWS[0].after_runs(&steps), ..Self::without_classes(&steps) }
    }

    /// Composes all tables but that of the classes.
    pub(crate) fn without_classes(steps: &[Run]) -> Self {
        let single = &*SINGLE_MOVES;
        let of = |table: &Vec<u16>| after_runs(table, &Move::ALL, steps, table.len() / Move::COUNT);
        Self {
            steps: steps.len(),
            classes: Vec::new(),
            twist: of(&single.twist),
            parts: single.parts.each_ref().map(of),
        }
    }
}

const _: () = assert!(G1_RUNS == 21, "15 of UD, three of RL and of FB");

/// The effect of the steps on the distance, as masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StepEffects {
    /// Steps after which the distance is one less.
    pub(crate) nearer: u64,
    /// Steps after which the distance is not greater.
    pub(crate) not_farther: u64,
}

impl StepEffects {
    /// Returns the steps after which the distance, now `distance`, is below `left`.
    #[inline]
    pub(crate) fn below(self, distance: u8, left: u8) -> u64 {
        match left.wrapping_sub(distance) {
            0 => self.nearer,
            1 => self.not_farther,
            2..=127 => u64::MAX,
            _ => 0,
        }
    }

    /// Returns the distance after a step.
    #[inline]
    pub(crate) fn distance_after(self, distance: u8, step: usize) -> u8 {
        distance + 1 - ((self.nearer >> step & 1) + (self.not_farther >> step & 1)) as u8
    }
}

/// The layout of the entries of a set of steps.
pub(crate) struct Masks {
    steps: usize,
    /// Number of groups.
    groups: usize,
    /// Group of each step.
    group_of: Vec<u8>,
    /// The steps of each set of groups, if groups have more than one step.
    of_groups: Vec<u64>,
}

/// Returns the number of bits of an entry, 32 or 64.
pub(crate) const fn entry_bits(metric: Metric) -> u32 {
    let steps = step_count(metric);
    if steps + steps / numbers(metric).group_size + 4 <= 32 { 32 } else { 64 }
}

impl Masks {
    /// Returns the layout of a set of steps.
    pub(crate) fn new(set: StepSet) -> Self {
        let (steps, groups) = (set.steps().len(), set.groups());
        let group_of = |step: usize| groups.iter().position(|group| group >> step & 1 == 1).unwrap_or_default() as u8;
        let joined = |set: u64| (0..).zip(&groups).filter(|(at, _)| set >> at & 1 == 1).map(|(_, group)| group).sum();
        Self {
            steps,
            groups: groups.len(),
            group_of: (0..steps).map(group_of).collect(),
            of_groups: if groups.len() == steps { Vec::new() } else { (0..1 << groups.len()).map(joined).collect() },
        }
    }

    /// Returns whether an entry has 32 bits.
    pub(crate) fn is_narrow(&self) -> bool {
        self.steps + self.groups + 4 <= 32
    }

    /// Decodes an entry.
    #[inline]
    pub(crate) fn effects(&self, entry: u64) -> StepEffects {
        let (all, away) = ((1 << self.steps) - 1, entry >> self.steps);
        let away = if self.of_groups.is_empty() {
            away & all
        } else {
            self.of_groups[away as usize & (self.of_groups.len() - 1)]
        };
        let changes = entry & all;
        StepEffects { nearer: changes & !away, not_farther: all & !(changes & away) }
    }

    /// Returns the distance of an entry.
    #[inline]
    pub(crate) fn distance(&self, entry: u64) -> u8 {
        (entry >> (self.steps + self.groups) & 15) as u8
    }

    /// Computes the entries of a row from the distances.
    pub(crate) fn row(&self, product: &RunProduct<'_>, distances: &[u8], row: usize) -> Vec<u64> {
        let own = &distances[row * TWISTS..][..TWISTS];
        let mut entries: Vec<u64> =
            own.iter().map(|&distance| u64::from(distance) << (self.steps + self.groups)).collect();
        for step in 0..self.steps {
            let (to, map) = product.neighbour(row, step);
            let other = &distances[to * TWISTS..][..TWISTS];
            for (twist, entry) in entries.iter_mut().enumerate() {
                let after = other[map(twist)];
                *entry |= u64::from(after != own[twist]) << step;
                *entry |= u64::from(after > own[twist]) << (self.steps + usize::from(self.group_of[step]));
            }
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_separates_nearer_level_and_farther() {
        let masks = Masks::new(StepSet::of_metric(Metric::Stm));
        assert_eq!((entry_bits(Metric::Stm), entry_bits(Metric::Qtm)), (64, 32));
        // Steps 0 and 1 of group 0 lead nearer, step 5 of group 1 farther; all others level; distance 7.
        let effects = masks.effects(7 << 36 | 0b10 << 27 | 0b10_0011);
        assert_eq!(masks.distance(7 << 36 | 0b10 << 27 | 0b10_0011), 7);
        assert_eq!((effects.nearer, effects.not_farther), (0b11, ((1 << 27) - 1) & !0b10_0000));
        assert_eq!((effects.below(7, 6), effects.below(7, 7), effects.below(7, 8)), (0, 0b11, effects.not_farther));
        assert_eq!([0, 5, 6].map(|step| effects.distance_after(7, step)), [6, 8, 7]);
    }
}
