//! Phase 1 as a pipeline, like that of the two-phase search: nodes wait in a ring buffer for their table entries.

use super::directions::MetricDirection;
use super::phase_two::PendingPhaseTwo;
use super::roots::{EndingVariant, Root, RunFacts};
use crate::control::{Cancelled, Control};
use crate::search::frames::FRAMES;
use crate::search::incumbent::BestSolutions;
use crate::search::shared_nodes::Walker;
use crate::tables::metric::steps::G1_RUNS;
use crate::tables::metric::views::{ClassAndTwist, MetricViews};
use crate::tables::move_table::NO_MERGE;

/// Number of slots of the ring buffer of phase-1 nodes.
const RING_SIZE: usize = 16;
/// Number of slots of the ring buffer of arrivals that wait for phase 2.
const PHASE_TWO_RING_SIZE: usize = 16;
/// Number of nodes between two checks of deadline and stop flag.
pub(super) const PERIOD: u64 = 1024;

/// The steps of phase 1: six bits each, the last step lowest, below a leading 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepPath(u128);

/// Greatest number of steps that a path holds.
pub(super) const MAX_LEVEL: u8 = 20;

impl StepPath {
    const NONE: Self = Self(1);

    #[inline]
    fn with(self, step: u8) -> Self {
        Self(self.0 << 6 | u128::from(step))
    }

    /// Returns the number of steps.
    #[inline]
    pub(super) fn len(self) -> u8 {
        (self.0.ilog2() / 6) as u8
    }

    /// Returns the steps in order.
    pub(super) fn steps(self) -> impl Iterator<Item = usize> {
        (0..self.len()).rev().map(move |back| (self.0 >> (6 * back) & 63) as usize)
    }
}

/// A node of phase 1 and the path to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingNode {
    path: StepPath,
    at: ClassAndTwist,
    symmetry: u8,
    distance: u8,
    left: u8,
    /// The last run of the path.
    last: u8,
    corners: u16,
    slice: u16,
    root: u16,
}

/// Data that all walkers of a search share.
pub(super) struct Context<'a> {
    pub(super) views: MetricViews<'a>,
    pub(super) facts: &'a RunFacts,
    pub(super) roots: &'a [Root],
    pub(super) directions: &'a [MetricDirection],
    pub(super) best: &'a BestSolutions,
    /// In QTM the parity of the length of every solution.
    pub(super) parity: Option<u8>,
    pub(super) control: &'a Control,
    /// The control while nothing was found.
    pub(super) empty_control: &'a Control,
}

impl Context<'_> {
    /// Returns the greatest length of an acceptable solution that some solution may have.
    #[inline]
    pub(super) fn at_most(&self) -> u8 {
        let at_most = self.best.at_most();
        match self.parity {
            Some(parity) if at_most % 2 != parity => at_most.saturating_sub(1),
            _ => at_most,
        }
    }

    /// Checks whether the search must end.
    pub(super) fn check(&self) -> Result<(), Cancelled> {
        if self.best.best() == u8::MAX { self.empty_control.check() } else { self.control.check() }
    }
}

/// Nodes expanded so far, and the limits on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeCount {
    pub(super) nodes: u64,
    /// Reason for ending early, if it did.
    pub(super) halted: Option<Cancelled>,
    /// Greatest number of nodes that one phase 2 may expand.
    pub(super) phase_two_nodes: u64,
}

/// Searches phase 1 from its roots, and runs phase 2 for every arrival.
pub(super) struct PhaseOneWalker {
    pub(super) effort: NodeCount,
    stack: Vec<PendingNode>,
    ring: [Option<PendingNode>; RING_SIZE],
    phase_two_ring: [Option<PendingPhaseTwo>; PHASE_TWO_RING_SIZE],
    next_slot: usize,
    in_flight: usize,
}

impl Walker for PhaseOneWalker {
    type Node = PendingNode;

    fn is_low(&self) -> bool {
        self.stack.len() < RING_SIZE / 2
    }

    fn is_idle(&self) -> bool {
        self.in_flight == 0 && self.stack.is_empty()
    }

    fn take_over(&mut self, nodes: &[PendingNode]) {
        self.stack.extend_from_slice(nodes);
    }
}

impl PhaseOneWalker {
    /// Creates a walker without work. Each phase-2 search may expand `phase_two_nodes` nodes.
    pub(super) fn new(phase_two_nodes: u64) -> Self {
        Self {
            effort: NodeCount { nodes: 0, halted: None, phase_two_nodes },
            stack: Vec::new(),
            ring: [None; RING_SIZE],
            phase_two_ring: [None; PHASE_TWO_RING_SIZE],
            next_slot: 0,
            in_flight: 0,
        }
    }

    /// Takes all nodes from the stack and expands them until there are about `parts` nodes, or none can be expanded.
    pub(super) fn split(&mut self, parts: usize, context: &Context<'_>) -> Vec<PendingNode> {
        let mut nodes = std::mem::take(&mut self.stack);
        while nodes.len() < parts && nodes.iter().any(|pending| pending.left > 2) {
            for pending in std::mem::take(&mut nodes) {
                if pending.left > 2 {
                    self.expand(pending, context);
                    nodes.append(&mut self.stack);
                } else {
                    nodes.push(pending);
                }
            }
        }
        nodes
    }

    /// Adds a root, for maneuvers of exactly `depth` steps whose last run enters G1.
    pub(super) fn start(&mut self, index: u16, root: &Root, depth: u8) {
        self.stack.push(PendingNode {
            path: StepPath::NONE,
            at: root.at,
            symmetry: root.symmetry,
            distance: root.distance,
            left: depth,
            last: 0,
            corners: root.parts[0],
            slice: root.parts[1],
            root: index,
        });
    }

    /// Passes once over the ring: expands the node in each slot, and refills the slot from the stack.
    pub(super) fn advance(&mut self, context: &Context<'_>) {
        for slot in 0..RING_SIZE {
            if let Some(pending) = self.ring[slot].take() {
                self.in_flight -= 1;
                self.expand(pending, context);
                if context.best.is_reached() || self.effort.halted.is_some() {
                    return;
                }
            }
            if let Some(pending) = self.stack.pop() {
                context.views.prefetch(pending.at);
                context.views.prefetch_corners(pending.corners);
                self.ring[slot] = Some(pending);
                self.in_flight += 1;
            }
        }
        if self.is_idle() || self.ring.iter().all(Option::is_none) {
            self.drain(context);
        }
    }

    fn expand(&mut self, pending: PendingNode, context: &Context<'_>) {
        self.effort.nodes += 1;
        let PendingNode { path, at, symmetry, distance, left, last, corners, slice, root } = pending;
        if left == 0 {
            return self.arrive(pending, context);
        }
        let views = &context.views;
        let (order, steps) = (views.order, views.moves.steps);
        let effects = views.effects(at, distance);
        let useful = effects.below(distance, left) & order.followers[usize::from(symmetry)][usize::from(last)];
        let to_cube = &order.to_cube[usize::from(symmetry)];
        let left = left - 1;
        for step in step_bits(useful) {
            let cube_step = to_cube[step];
            let next_run = order.next[usize::from(last)][usize::from(cube_step)];
            // Phase 1 ends with a run that leads into G1.
            if left == 0 && context.facts.endings[usize::from(next_run)].is_none() {
                continue;
            }
            let distance = effects.distance_after(distance, step);
            if left > 0 && views.leads_nowhere(distance, left) {
                continue;
            }
            let after = |table: &[u16], value: u16| table[usize::from(value) * steps + usize::from(cube_step)];
            let mut next = PendingNode {
                path: path.with(cube_step),
                at,
                symmetry,
                distance,
                left,
                last: next_run,
                corners: after(&views.moves.parts[0], corners),
                slice: after(&views.moves.parts[1], slice),
                root,
            };
            if left == 0 {
                self.arrive(next, context);
                continue;
            }
            let relative;
            (next.at, relative) = views.after(at, step);
            next.symmetry = FRAMES.products[usize::from(relative)][usize::from(symmetry)];
            self.stack.push(next);
        }
    }

    /// Handles an arrival: looks up its variants in the small table, and queues those that are not pruned.
    ///
    /// Half turns change the length of phase 2 by at most their own length, whether they are made before the cube or
    /// after it. So the bound of one variant rules out others without a look-up.
    fn arrive(&mut self, arrival: PendingNode, context: &Context<'_>) {
        let PendingNode { path, last, corners, slice, root: root_index, .. } = arrival;
        let (views, facts, root) = (&context.views, context.facts, &context.roots[usize::from(root_index)]);
        let at_most = context.at_most();
        let Some(most_left) = at_most.checked_sub(path.len() + root.length) else { return };
        let unchanged = [EndingVariant::default()];
        let ending = facts.endings[usize::from(last)].as_ref();
        let endings: &[EndingVariant] = ending.map_or(&unchanged, |ending| &ending.variants);
        let longest_premoves = if root.variants.len() > 1 { facts.longest_half_turns } else { 0 };
        let first_bound = views.corner_bound(corners, slice, most_left);
        if first_bound > most_left + facts.longest_half_turns + longest_premoves {
            return;
        }
        let mut edges_before = None;
        for end in endings {
            // 255 for an ending that is not allowed.
            let Some(left) = most_left.checked_sub(end.more) else { continue };
            if first_bound > left + end.half_turns + longest_premoves {
                continue;
            }
            let g1 = |table: &[u16], value: u16| {
                end.run.map_or(value, |run| table[usize::from(value) * G1_RUNS + usize::from(run)])
            };
            let (corners, slice) = (g1(&views.single.g1.corners, corners), g1(&views.single.g1.slice, slice));
            let end_bound = if end.run.is_some() { views.corner_bound(corners, slice, left) } else { first_bound };
            for (number, premoves) in root.variants.iter().enumerate() {
                let Some(left) = left.checked_sub(premoves.more) else { continue };
                if end_bound > left + premoves.half_turns {
                    continue;
                }
                let twins = || premoves.twins.iter().flatten();
                let (corners, slice) =
                    twins().fold((corners, slice), |(corners, slice), twin| twin.corners_and_slice(corners, slice));
                let bound = if number > 0 { views.corner_bound(corners, slice, left) } else { end_bound };
                if bound > left {
                    continue;
                }
                // The edges take a look-up for each step, so they come last.
                let edges = *edges_before.get_or_insert_with(|| edges_after(views, root, path));
                let edges = twins().fold(g1(&views.single.g1.edges, edges), |edges, twin| twin.edges(edges));
                views.prefetch_edges([corners, slice, edges]);
                let start = PendingPhaseTwo {
                    path,
                    root: root_index,
                    run: end.run,
                    premoves: number as u8,
                    used: at_most - left,
                    bound,
                    axis: ending.map(|ending| ending.axis),
                    inside: [corners, slice, edges],
                };
                self.enqueue_phase_two(start, context);
            }
        }
    }

    fn enqueue_phase_two(&mut self, start: PendingPhaseTwo, context: &Context<'_>) {
        let before = self.phase_two_ring[self.next_slot].replace(start);
        self.next_slot = (self.next_slot + 1) % PHASE_TWO_RING_SIZE;
        match before {
            Some(before) => before.finish(&mut self.effort, context),
            None => self.in_flight += 1,
        }
    }

    fn drain(&mut self, context: &Context<'_>) {
        for at in 0..PHASE_TWO_RING_SIZE {
            if let Some(start) = self.phase_two_ring[at].take() {
                self.in_flight -= 1;
                start.finish(&mut self.effort, context);
            }
        }
    }
}

/// Returns the permutation of the U and D edges after phase 1.
fn edges_after(views: &MetricViews<'_>, root: &Root, path: StepPath) -> u16 {
    let [_, _, u_moves, d_moves] = &views.moves.parts;
    let steps = views.moves.steps;
    let (u, d) = path.steps().fold((root.parts[2], root.parts[3]), |(u, d), step| {
        (u_moves[usize::from(u) * steps + step], d_moves[usize::from(d) * steps + step])
    });
    let edges = views.single.merge[usize::from(u) * 24 + usize::from(d) % 24];
    debug_assert!(edges != NO_MERGE, "after phase 1, these edges are in their layers");
    edges
}

/// Iterates over the set bits of a mask, lowest first.
#[inline]
fn step_bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::coord::{FLIP_SLICE, TWIST};
    use crate::search::metric::roots::RunFacts;
    use crate::tables::metric::StepSet;
    use crate::tables::metric::steps::{LAST_RUNS, LastRun, NO_RUN, StepOrder};
    use superflip_cube::Cube;

    fn is_in_g1(cube: &Cube) -> bool {
        FLIP_SLICE.index(cube) == Some(0) && TWIST.index(cube) == Some(0)
    }

    /// Returns whether there is a maneuver of `left` steps after the run `last` that enters G1 with its last run.
    fn enters_g1(order: &StepOrder, facts: &RunFacts, cube: &Cube, last: LastRun, left: u8) -> bool {
        (0..order.steps.len()).any(|step| {
            let run = order.next[usize::from(last)][step];
            if run == NO_RUN || left == 1 && facts.endings[usize::from(run)].is_none() {
                return false;
            }
            let next = cube.after(&order.steps[step].moves().collect::<Vec<_>>());
            if left == 1 { is_in_g1(&next) } else { enters_g1(order, facts, &next, run, left - 1) }
        })
    }

    /// Tests [`leads_nowhere`](crate::tables::metric::views::MetricViews::leads_nowhere) after every run. The result depends only on the
    /// coset of the cube, and every coset at distance 1 is reached by one move.
    #[test]
    fn leaving_g1_and_returning_takes_at_least_five_moves_of_five_faces() {
        let set = StepSet::FIVE_FACES;
        let (order, facts) = (StepOrder::new(set), RunFacts::new(set));
        let outside: Vec<&Cube> =
            set.turns.moves().map(superflip_cube::Move::cube).filter(|cube| !is_in_g1(cube)).collect();
        assert_eq!(outside.len(), 6);
        let is_allowed = |last: &usize| order.lengths[*last] != u8::MAX;
        for last in (0..LAST_RUNS).filter(is_allowed).map(|last| last as LastRun) {
            for left in 1..=4 {
                assert!(!enters_g1(&order, &facts, &Cube::SOLVED, last, left), "{left} steps from G1 after {last}");
            }
            for (cube, left) in outside.iter().flat_map(|cube| [2, 3].map(|left| (cube, left))) {
                assert!(!enters_g1(&order, &facts, cube, last, left), "{left} steps from {cube:?} after {last}");
            }
        }
        // With one step more there are such maneuvers.
        assert!(enters_g1(&order, &facts, outside[0], 0, 1) && enters_g1(&order, &facts, outside[0], 0, 4));
    }
}
