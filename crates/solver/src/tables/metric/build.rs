//! Builds the tables of a metric by breadth-first search over steps.

use rayon::prelude::*;

use super::coordinates::{SINGLE_MOVES, StepMoves};
use super::masked::Masks;
use super::steps::{G1_RUNS, Run, StepSet, g1_runs, steps};
use crate::control::{Cancelled, Control};
use crate::coord::{CORNER_PERM, FLIP_SLICE, UD_EDGES};
use crate::tables::building::{BuildError, DepthHistograms};
use crate::tables::file::sink::Sink;
use crate::tables::pruning::breadth_first::{Graph, distances};
use crate::tables::pruning::packed::pack_nibbles;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::{CAP, SLICE_ORDERS};
use crate::tables::pruning::product::{ColumnTables, Columns as _, unreached};
use superflip_cube::metric::Metric;

/// Classes of one coordinate times the values of another, under runs.
pub(crate) struct RunProduct<'a> {
    /// Number of the runs that are used, and the length of each.
    pub(crate) runs: Vec<(usize, u8)>,
    /// Number of runs in the tables.
    pub(crate) stride: usize,
    /// Number of symmetries under which the rows are classes.
    pub(crate) order: usize,
    /// Class after each run and the symmetry to its representative, as `order * class + symmetry`.
    pub(crate) classes: &'a [u32],
    pub(crate) self_symmetries: Vec<u64>,
    pub(crate) columns: ColumnTables,
}

impl Graph for RunProduct<'_> {
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
        (packed / self.order, self.columns.after(run, packed % self.order))
    }

    fn equivalents(&self, row: usize, column: usize) -> impl Iterator<Item = usize> {
        let mask = self.self_symmetries[row];
        (1..self.order)
            .filter(move |symmetry| mask >> symmetry & 1 == 1)
            .map(move |s| self.columns.conjugate(column, s))
    }

    fn states(&self, row: usize) -> u64 {
        self.order as u64 / u64::from(self.self_symmetries[row].count_ones())
    }
}

impl RunProduct<'_> {
    pub(crate) fn distances(&self, control: &Control) -> Result<(Vec<u8>, DepthHistograms), Cancelled> {
        let entries = unreached(self.self_symmetries.len() * self.columns.count());
        let histograms = distances(self, &entries, control)?;
        Ok((entries.into_iter().map(std::sync::atomic::AtomicU8::into_inner).collect(), histograms))
    }

    /// Stores the distances, divided by `divisor`, in four bits.
    fn nibbles(&self, divisor: u8, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
        let (mut distances, counts) = self.distances(control)?;
        distances.par_iter_mut().for_each(|distance| *distance = CAP.min(*distance / divisor));
        sink.bytes(&pack_nibbles(&distances))?;
        Ok(counts.capped((CAP * divisor).saturating_add(divisor - 1)))
    }
}

/// Passes the graph of phase 1 to `work`: flip x slice classes times twist, under the steps of the metric.
pub(crate) fn with_phase_one<T>(metric: Metric, work: impl FnOnce(&RunProduct<'_>) -> T) -> T {
    let steps = StepMoves::new(&steps(metric));
    work(&RunProduct {
        runs: (0..steps.steps).map(|step| (step, 1)).collect(),
        stride: steps.steps,
        order: 16,
        classes: &steps.classes,
        self_symmetries: SINGLE_MOVES.flip_slice.self_symmetries(&FLIP_SLICE),
        columns: ColumnTables::new(TWISTS, &steps.twist, &SINGLE_MOVES.twist_conjugates),
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
pub(crate) fn phase_one(metric: Metric, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    with_phase_one(metric, |product| product.nibbles(1, sink, control))
}

/// Builds the masked table of phase 1.
pub(crate) fn phase_one_masked(
    metric: Metric,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    /// Rows per block: about 18 megabytes, enough to occupy all cores.
    const ROWS: usize = 1024;
    with_phase_one(metric, |product| {
        // Writing takes the second half.
        let whole = control.clone();
        let (distances, counts) =
            product.distances(&control.reporting(move |_, done, total| whole.report(done, 2 * total)))?;
        let (masks, rows) = (Masks::new(StepSet::of_metric(metric)), distances.len() / TWISTS);
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
pub(crate) fn phase_two(metric: Metric, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    let single = &*SINGLE_MOVES;
    let product = RunProduct {
        runs: g1_generators(StepSet::of_metric(metric)),
        stride: G1_RUNS,
        order: 16,
        classes: &single.corners.after_runs(&g1_runs()),
        self_symmetries: single.corners.self_symmetries(&CORNER_PERM),
        columns: ColumnTables::new(UD_EDGES.size as usize, &single.g1.edges, &single.ud_edges_conjugates),
    };
    product.nibbles(g1_divisor(metric), sink, control)
}

/// Builds the small table of phase 2: corner permutation times the order of the slice edges.
pub(crate) fn phase_two_corners(
    metric: Metric,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    let single = &*SINGLE_MOVES;
    let each: Vec<u16> = (0..).take(SLICE_ORDERS).collect();
    let corners: Vec<u32> = single.g1.corners.iter().copied().map(u32::from).collect();
    let product = RunProduct {
        runs: g1_generators(StepSet::of_metric(metric)),
        stride: G1_RUNS,
        order: 1,
        classes: &corners,
        self_symmetries: vec![1; CORNER_PERM.size as usize],
        columns: ColumnTables::new(SLICE_ORDERS, &single.g1.slice, &each),
    };
    product.nibbles(g1_divisor(metric), sink, control)
}
