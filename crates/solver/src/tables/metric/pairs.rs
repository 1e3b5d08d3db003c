//! Tables of a set of turns, computed in memory: distances in products of two small coordinates.
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

use super::build::g1_generators;
use super::coordinates::{SINGLE_MOVES, StepMoves, after_runs};
use super::steps::{G1_RUNS, StepSet};
use super::views::ClassAndTwist;
use crate::control::{Cancelled, Control};
use crate::coord::{FLIP, SLICE};
use crate::tables::pruning::breadth_first::on_all_threads;
use crate::tables::pruning::digits::DigitProduct;
use crate::tables::pruning::phase_one::TWISTS;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::Move;

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

    /// Returns a lower bound on the length of phase 2 that corners and slice edges need.
    #[inline]
    pub(crate) fn corner_bound(&self, corners: u16, slice: u16) -> u8 {
        self.corners[usize::from(corners) * SLICE_ORDERS + usize::from(slice)]
    }

    /// Returns a lower bound on the length of phase 2 that U and D edges and slice edges need.
    #[inline]
    pub(crate) fn edge_bound(&self, edges: u16, slice: u16) -> u8 {
        self.edges[usize::from(edges) * SLICE_ORDERS + usize::from(slice)]
    }
}
