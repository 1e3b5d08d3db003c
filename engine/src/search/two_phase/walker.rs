//! Phase 1 as a pipeline: one thread with many nodes in flight.
//!
//! A depth-first search that reads one table entry per node waits for the memory at each node. Here a node passes
//! through a ring buffer between the stack and its expansion. Entering the ring prefetches its cache lines; they have
//! arrived when the ring has come round:
//!
//! ```text
//!            pop, prefetch                     expand: read, make children
//!   stack  ----------------->  ring of LANES  ----------------------------.
//!     ^                                                                    |
//!     '------------------------  push  ------------------------------------'
//! ```
//!
//! A node that reaches G1 and passes the small tables waits for the large phase-2 table in a second ring buffer
//! ([`PhaseTwoStart`]).

use super::context::{Effort, SearchContext};
use super::path::MovePath;
use super::phase_two::PhaseTwoStart;
use super::roots::Root;
use super::table_views::TableViews;
use crate::search::directions::PhaseOneNode;
use crate::search::frames::{FRAMES, NO_TURN, bits};
use crate::tables::pruning::phase_one::ALL_TURNS;

/// Number of phase-1 nodes in flight.
const LANES: usize = 16;
/// Initial capacity of the stack, rarely exceeded.
const STACK_CAPACITY: usize = 256;
/// Number of phase-2 starts in flight.
const PHASE_TWO_LANES: usize = 8;

/// A node of phase 1 and the path to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingNode {
    path: MovePath,
    node: PhaseOneNode,
    corners: u16,
    slice: u16,
    root: u16,
    togo: u8,
    last: u8,
}

/// Searches phase 1 from the given roots and runs phase 2 for every cube that reaches G1.
pub(crate) struct PhaseOneWalker {
    /// Nodes expanded so far and the limits on them.
    pub(crate) effort: Effort,
    stack: Vec<PendingNode>,
    ring: [Option<PendingNode>; LANES],
    phase_two_ring: [Option<PhaseTwoStart>; PHASE_TWO_LANES],
    berth: usize,
    in_flight: usize,
}

impl PhaseOneWalker {
    /// Creates a walker without work. `stack` is memory to reuse.
    pub(crate) fn new(mut stack: Vec<PendingNode>) -> Self {
        stack.clear();
        stack.reserve(STACK_CAPACITY);
        Self {
            effort: Effort { nodes: 0, halted: None, phase_two_nodes: u64::MAX },
            stack,
            ring: [None; LANES],
            phase_two_ring: [None; PHASE_TWO_LANES],
            berth: 0,
            in_flight: 0,
        }
    }

    /// Creates another walker without work and with the same limits.
    pub(crate) fn sibling(&self) -> Self {
        let mut sibling = Self::new(Vec::new());
        sibling.effort.phase_two_nodes = self.effort.phase_two_nodes;
        sibling
    }

    /// Returns the memory of the stack.
    pub(crate) fn into_steps(self) -> Vec<PendingNode> {
        self.stack
    }

    /// Discards all work. From now on one phase 2 may expand `phase_two_nodes` nodes.
    pub(crate) fn reset(&mut self, phase_two_nodes: u64) {
        self.stack.clear();
        self.ring = [None; LANES];
        self.phase_two_ring = [None; PHASE_TWO_LANES];
        self.in_flight = 0;
        self.effort.halted = None;
        self.effort.phase_two_nodes = phase_two_nodes;
    }

    /// Returns whether every phase 2 is searched to its end.
    pub(crate) fn is_thorough(&self) -> bool {
        self.effort.phase_two_nodes == u64::MAX
    }

    /// Removes all work and returns it, expanded until there are about `parts` nodes or none is left to expand.
    pub(crate) fn split(&mut self, parts: usize, context: &SearchContext<'_, '_>) -> Vec<PendingNode> {
        let mut nodes = std::mem::take(&mut self.stack);
        while nodes.len() < parts && nodes.iter().any(|step| step.togo > 2) {
            for step in std::mem::take(&mut nodes) {
                if step.togo > 2 {
                    self.expand(step, context);
                    nodes.append(&mut self.stack);
                } else {
                    nodes.push(step);
                }
            }
        }
        nodes
    }

    /// Adds nodes that another walker split off.
    pub(crate) fn take_over(&mut self, steps: &[PendingNode]) {
        self.stack.extend_from_slice(steps);
    }

    /// Returns whether the stack is about to run empty.
    pub(crate) fn is_hungry(&self) -> bool {
        self.stack.len() < LANES / 2
    }

    /// Returns whether no work is left.
    pub(crate) fn is_idle(&self) -> bool {
        self.in_flight == 0 && self.stack.is_empty()
    }

    /// Adds a root, for maneuvers of exactly `depth` turns whose last turn enters G1.
    pub(crate) fn start(&mut self, index: u16, root: &Root, depth: u8, views: &TableViews<'_>) {
        views.phase_one.prefetch(root.start.class, root.start.twist);
        self.stack.push(PendingNode {
            path: MovePath::NONE,
            node: root.start,
            corners: root.parts.corners,
            slice: root.parts.slice,
            root: index,
            togo: depth,
            last: NO_TURN,
        });
    }

    /// Advances every node in flight by one step.
    pub(crate) fn slice(&mut self, context: &SearchContext<'_, '_>) {
        for lane in 0..LANES {
            if let Some(step) = self.ring[lane].take() {
                self.in_flight -= 1;
                self.expand(step, context);
                if context.incumbent.is_reached() || self.effort.halted.is_some() {
                    return;
                }
            }
            if let Some(step) = self.stack.pop() {
                context.views.phase_one.prefetch(step.node.class, step.node.twist);
                context.views.prefetch_corners(step.corners);
                self.ring[lane] = Some(step);
                self.in_flight += 1;
            }
        }
        if self.is_idle() || self.ring.iter().all(Option::is_none) {
            self.drain(context);
        }
    }

    fn expand(&mut self, step: PendingNode, context: &SearchContext<'_, '_>) {
        self.effort.nodes += 1;
        let PendingNode { path, node, corners, slice, root, togo, last } = step;
        if togo == 0 {
            return self.arrive(path, corners, slice, root, context);
        }
        let phase_one = &context.views.phase_one;
        let steps = phase_one.steps(node.class, node.twist);
        // The last turn must enter G1, and a turn that enters G1 is never a G1 turn.
        let useful = match togo - node.distance {
            0 => steps.nearer,
            1 if togo > 1 => steps.not_farther,
            1 => 0,
            _ => ALL_TURNS,
        };
        let symmetry = usize::from(node.symmetry);
        let useful = useful & FRAMES.followers[symmetry][usize::from(last)];
        let to_cube = &FRAMES.to_cube[symmetry];
        let togo = togo - 1;
        let first_turns = if last == NO_TURN { context.roots[usize::from(root)].first_turns } else { ALL_TURNS };
        for turn in bits(useful) {
            let cube_turn = to_cube[turn];
            if first_turns >> cube_turn & 1 == 0 {
                continue;
            }
            let (corners, slice) = context.views.corners_and_slice(corners, slice, usize::from(cube_turn));
            let path = path.with(cube_turn);
            if togo == 0 {
                self.arrive(path, corners, slice, root, context);
                continue;
            }
            let node = node.after(phase_one, steps, turn);
            // A node near G1 that is not on a shortest path cannot return in fewer than five turns in all. The
            // exception is a path like R2 L: phase 1 leaves it as L, with R2 in phase 2.
            if node.distance < togo && node.distance + togo < 5 {
                continue;
            }
            self.stack.push(PendingNode { path, node, corners, slice, root, togo, last: cube_turn });
        }
    }

    /// Handles a cube in G1: checks the small tables, then queues it for the large one.
    #[inline]
    fn arrive(&mut self, path: MovePath, corners: u16, slice: u16, root: u16, context: &SearchContext<'_, '_>) {
        let root_index = root;
        let root = &context.roots[usize::from(root)];
        let used = path.len() + root.premoves.len();
        let Some(left) = context.incumbent.at_most().checked_sub(used) else { return };
        let phase_two = &context.views.phase_two;
        let twin = root.premoves.twin().map(|twin| (twin, twin.corners_and_slice(corners, slice)));
        let bound = phase_two.corner_bound(corners, slice);
        let twin = twin
            .map(|(twin, (corners, slice))| (twin, corners, slice, phase_two.corner_bound(corners, slice)))
            .filter(|&(.., bound)| bound <= left);
        if bound > left && twin.is_none() {
            return;
        }
        let layers = path
            .turns()
            .fold((root.parts.u_edges, root.parts.d_edges), |(u, d), turn| context.views.layers(u, d, turn));
        let edges = context.views.merged(layers.0, layers.1);
        if bound <= left {
            self.berth(
                PhaseTwoStart::new(path, root_index, false, (corners, edges, slice), bound, context.views),
                context,
            );
        }
        if let Some((twin, corners, slice, bound)) = twin {
            let edges = twin.edges(edges);
            self.berth(
                PhaseTwoStart::new(path, root_index, true, (corners, edges, slice), bound, context.views),
                context,
            );
        }
    }

    fn berth(&mut self, start: PhaseTwoStart, context: &SearchContext<'_, '_>) {
        let before = self.phase_two_ring[self.berth].replace(start);
        self.berth = (self.berth + 1) % PHASE_TWO_LANES;
        match before {
            Some(before) => before.finish(&mut self.effort, context),
            None => self.in_flight += 1,
        }
    }

    fn drain(&mut self, context: &SearchContext<'_, '_>) {
        for at in 0..PHASE_TWO_LANES {
            if let Some(start) = self.phase_two_ring[at].take() {
                self.in_flight -= 1;
                start.finish(&mut self.effort, context);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::coord::{FLIP_SLICE, TWIST};
    use crate::cube::Cube;
    use crate::cube::Move;

    fn is_in_g1(cube: &Cube) -> bool {
        (FLIP_SLICE.index)(cube) == Some(0) && (TWIST.index)(cube) == Some(0)
    }

    /// How many canonical maneuvers of `togo` turns lead from the cube to G1, enter it with their last turn, and could not have
    /// done so earlier by exchanging their last two turns.
    fn ways_in(cube: &Cube, togo: u8, last: Option<Move>) -> usize {
        let follows = Move::ALL.into_iter().filter(|turn| last.is_none_or(|last| turn.may_follow(last)));
        match togo {
            0 => 0,
            1 if is_in_g1(cube) => 0,
            1 => {
                let in_time = |turn: &Move| {
                    last.is_none_or(|last| last.quarters() != 2 || last.face().axis() != turn.face().axis())
                };
                follows.filter(in_time).filter(|turn| is_in_g1(&cube.then(turn.cube()))).count()
            }
            _ => follows.map(|turn| ways_in(&cube.then(turn.cube()), togo - 1, Some(turn))).sum(),
        }
    }

    /// What [`PhaseOneWalker::expand`] leaves out without looking. Only the coset of the cube counts, so that every place one turn from G1 is
    /// the place after one of the 18 turns.
    #[test]
    fn leaving_g1_and_returning_takes_at_least_five_turns() {
        for togo in 1..=4 {
            assert_eq!(ways_in(&Cube::SOLVED, togo, None), 0, "{togo} turns from G1 itself");
        }
        let outside: Vec<&Cube> = Move::ALL.iter().map(|turn| turn.cube()).filter(|cube| !is_in_g1(cube)).collect();
        assert_eq!(outside.len(), 8);
        for cube in outside {
            assert_ne!(ways_in(cube, 1, None), 0);
            for togo in [2, 3] {
                assert_eq!(ways_in(cube, togo, None), 0, "{togo} turns from {cube:?}");
            }
        }
        // With one turn more there are ways.
        assert_ne!(ways_in(&Cube::SOLVED, 5, None) + ways_in(Move::R.cube(), 4, None), 0);
    }
}
