//! Builds the tables of a metric by breadth-first search over steps.

use rayon::prelude::*;

use super::coordinates::{ROWS, SINGLE_MOVES, StepMoves};
use super::masked::Masks;
use super::steps::{G1_RUNS, Run, StepSet, g1_runs};
use crate::control::Control;
use crate::coord::UD_EDGES;
use crate::tables::catalogue::spec::{BuildError, DepthHistograms};
use crate::tables::file::sink::Sink;
use crate::tables::pruning::breadth_first::{Graph, on_all_threads};
use crate::tables::pruning::digits::DigitProduct;
use crate::tables::pruning::packed::store_nibbles;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::product::{ColumnTables, Columns as _};
use superflip_cube::Symmetry;
use superflip_cube::metric::Metric;

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

/// Returns the numbers and lengths of the shortest runs inside G1, which generate the others: those of lengths 1 and 2.
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
    /// Rows per block: about 18 megabytes, enough to occupy all cores.
    const ROWS: usize = 1024;
    with_phase_one(set, |product| {
        // Writing takes the second half.
        let whole = control.clone();
        let (distances, counts) =
            on_all_threads(product, &control.reporting(move |_, done, total| whole.report(done, 2 * total)))?;
        let (masks, rows) = (Masks::new(set), distances.len() / TWISTS);
        for first in (0..rows).step_by(ROWS) {
            let end = (first + ROWS).min(rows);
            let entries: Vec<u64> =
                (first..end).into_par_iter().flat_map_iter(|row| masks.row(product, &distances, row)).collect();
            if masks.is_narrow() {
                sink.u32s(&entries.iter().map(|&entry| entry as u32).collect::<Vec<_>>())?;
            } else {
                sink.u64s(&entries)?;
            }
            control.report((rows + end) as u64, 2 * rows as u64);
            control.check()?;
        }
        Ok(counts)
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
