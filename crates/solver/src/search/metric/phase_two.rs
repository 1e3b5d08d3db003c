//! Phase 2: solves a cube of G1 within the length that is left.

use super::walker::{Context, NodeCount, PERIOD, StepPath};
use crate::search::solution::{Found, Phases};
use crate::search::two_phase::part_lengths;
use crate::tables::metric::steps::{G1_RUNS, g1_runs_of};
use superflip_cube::metric::merged;
use superflip_cube::{Axis, Move};

/// Capacity of the path, in runs.
const DEPTHS: usize = 64;

/// A cube in G1 whose bound from the small table is not above the length left.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingPhaseTwo {
    pub(super) path: StepPath,
    pub(super) root: u16,
    /// The run of G1 that joins the last run of phase 1.
    pub(super) run: Option<u8>,
    /// Variant of the pre-moves.
    pub(super) premoves: u8,
    /// Length of phase 1 and pre-moves.
    pub(super) used: u8,
    /// Lower bound on the length of phase 2.
    pub(super) bound: u8,
    /// Axis of the last run of phase 1.
    pub(super) axis: Option<Axis>,
    /// Corners, slice edges, U and D edges.
    pub(super) inside: [u16; 3],
}

impl PendingPhaseTwo {
    /// Searches for runs inside G1, the shortest first, within the upper bound, and offers the solutions. If one solution is
    /// wanted, it stops at the first.
    pub(super) fn finish(self, effort: &mut NodeCount, context: &Context<'_>) {
        let bound = self.bound.max(context.views.edge_bound(self.inside, self.bound));
        if bound > context.best.at_most().saturating_sub(self.used) {
            return;
        }
        // In QTM, all lengths have the parity of the bound.
        let stride = if context.parity.is_some() { 2 } else { 1 };
        let give_up_at = effort.nodes.saturating_add(effort.phase_two_nodes);
        let mut search = PhaseTwoSearch { start: self, way: [0; DEPTHS], give_up_at };
        let lengths = (bound..).step_by(stride);
        for left in lengths.take_while(|left| self.used + left <= context.best.at_most()) {
            if search.within(effort, self.inside, self.axis, 0, left, context) || effort.halted.is_some() {
                return;
            }
        }
    }

    /// Offers the solution with these runs in phase 2. Returns whether phase 2 ends: one solution is enough, or the upper
    /// bound has fallen below the length of this one.
    fn offer(&self, runs: &[u8], context: &Context<'_>) -> bool {
        let (order, facts, root) = (context.views.order, context.facts, &context.roots[usize::from(self.root)]);
        let inside = self.run.iter().chain(runs).flat_map(|&run| facts.g1_moves[usize::from(run)].iter().copied());
        let mut moves: Vec<Move> = self.path.steps().flat_map(|step| order.steps[step].moves()).collect();
        moves.extend(inside);
        let premoves: Vec<Move> = root.premoves(self.premoves.into()).collect();
        moves.extend(&premoves);
        // Turns of one face may meet within a run and where two parts join; they are then merged.
        let moves = merged(&moves);
        let set = context.views.set;
        // A run is made of allowed turns, so there is a way to write it.
        let spelled = set.turns.spell(&moves, set.metric).unwrap_or_default();
        let mut parts = part_lengths(&moves, premoves.len() as u8);
        let mut from = 0;
        for part in &mut parts {
            let turns = &spelled[from..from + usize::from(*part)];
            (from, *part) = (from + turns.len(), turns.iter().map(Vec::len).sum::<usize>() as u8);
        }
        let [first, second, third] = parts;
        let moves = spelled.concat();
        let length = set.metric.length(&moves);
        let direction = &context.directions[root.direction];
        context.best.offer(Found {
            moves: direction.translate(&moves),
            phases: Phases::TwoPhase {
                axis: direction.axis,
                inverse: direction.inverse,
                lengths: if direction.inverse { [third, second, first] } else { [first, second, third] },
            },
        });
        !context.best.wants_several() || context.best.is_reached() || usize::from(context.best.at_most()) < length
    }
}

/// One phase-2 search.
struct PhaseTwoSearch {
    start: PendingPhaseTwo,
    way: [u8; DEPTHS],
    /// Node count at which the search gives up.
    give_up_at: u64,
}

impl PhaseTwoSearch {
    /// Offers the solutions of exactly this length inside G1, after the runs in `way[..depth]`. Returns whether phase 2 ends.
    fn within(
        &mut self,
        effort: &mut NodeCount,
        inside: [u16; 3],
        last: Option<Axis>,
        depth: usize,
        left: u8,
        context: &Context<'_>,
    ) -> bool {
        if left == 0 {
            return inside == [0; 3] && self.start.offer(&self.way[..depth], context);
        }
        effort.nodes += 1;
        if effort.nodes >= self.give_up_at || effort.halted.is_some() {
            return false;
        }
        if effort.nodes.is_multiple_of(PERIOD) {
            effort.halted = context.check().err();
        }
        let views = &context.views;
        let g1 = &views.single.g1;
        let mut children = [(0, 0, [0; 3], Axis::Ud); G1_RUNS];
        let mut count = 0;
        for axis in Axis::ALL.into_iter().filter(|&axis| Some(axis) != last) {
            for run in g1_runs_of(axis) {
                // Runs that are not allowed are longer than any length.
                let Some(left) = left.checked_sub(context.facts.g1_lengths[run]) else { continue };
                let after = |table: &[u16], value: u16| table[usize::from(value) * G1_RUNS + run];
                let (corners, slice) = (after(&g1.corners, inside[0]), after(&g1.slice, inside[1]));
                if views.corner_bound(corners, slice, left) <= left {
                    let child = [corners, slice, after(&g1.edges, inside[2])];
                    views.prefetch_edges(child);
                    children[count] = (run as u8, left, child, axis);
                    count += 1;
                }
            }
        }
        for &(run, left, child, axis) in &children[..count] {
            if views.edge_bound(child, left) <= left {
                self.way[depth] = run;
                if self.within(effort, child, Some(axis), depth + 1, left, context) {
                    return true;
                }
            }
        }
        false
    }
}
