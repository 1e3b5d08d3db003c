//! Phase 1 as a pipeline: one thread with up to 16 nodes in flight.
//!
//! A plain depth-first search reads one table entry per node and waits for the memory at each node. Here a node that is
//! popped from the stack prefetches its cache lines and enters a ring buffer. It is expanded [`RING_SIZE`] nodes later,
//! when the cache lines have arrived:
//!
//! ```text
//!            pop, prefetch                     expand: read, make children
//!   stack  ----------------->  ring buffer  ------------------------------.
//!     ^                                                                   |
//!     '------------------------  push  -----------------------------------'
//! ```
//!
//! A node that reaches G1 is an *arrival*. It takes three steps, one after every [`SLOTS_PER_STEP`] slots of the ring. Each step reads
//! what the last one prefetched ([`ArrivalQueues`]).

use super::context::{NodeCount, SearchContext};
use super::path::MovePath;
use super::phase_two::PendingPhaseTwo;
use super::roots::Root;
use super::views::{Carried, Ends, PhaseTables};
use crate::search::frames::{FRAMES, NO_MOVE};
use crate::search::phase_one::{PhaseOneNode, PhaseOneTables};
use crate::search::shared_nodes::Walker;
use crate::tables::pruning::phase_one::{ALL_MOVES, Neighbours, bits};

/// Number of slots of the ring buffer of phase-1 nodes.
const RING_SIZE: usize = 16;
/// Number of slots of the ring after which arrivals take a step. While a step waits for memory, so many nodes are expanded.
const SLOTS_PER_STEP: usize = 4;
/// Initial capacity of the stack, rarely exceeded.
const STACK_CAPACITY: usize = 256;

/// A node of phase 1 and the path to it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PendingNode {
    path: MovePath,
    node: PhaseOneNode,
    carried: Carried,
    root: u16,
    moves_left: u8,
    last: u8,
}

/// A node in G1, whose bound is not known yet.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    path: MovePath,
    ends: Ends,
    root: u16,
}

/// Arrivals that wait for memory, by what has been prefetched for them.
#[derive(Default)]
struct ArrivalQueues {
    /// The entry of the table of corners and slice edges.
    unbounded: Vec<Arrival>,
    /// The index of the entry of the large phase-2 table.
    bounded: Vec<PendingPhaseTwo>,
    /// That entry.
    ready: Vec<PendingPhaseTwo>,
}

impl ArrivalQueues {
    fn is_empty(&self) -> bool {
        self.unbounded.is_empty() && self.bounded.is_empty() && self.ready.is_empty()
    }

    fn clear(&mut self) {
        self.unbounded.clear();
        self.bounded.clear();
        self.ready.clear();
    }
}

/// Memory of a walker, which the next one can use.
#[derive(Default)]
pub(crate) struct WalkerBuffers {
    stack: Vec<PendingNode>,
    neighbours: Vec<Neighbours>,
    arrivals: ArrivalQueues,
}

/// Searches phase 1 from its roots, and runs phase 2 for every arrival.
pub(crate) struct PhaseOneWalker {
    /// Nodes expanded so far and the limits on them.
    pub(crate) effort: NodeCount,
    stack: Vec<PendingNode>,
    ring: [PendingNode; RING_SIZE],
    /// The occupied slots of `ring`, as a mask.
    occupied: u32,
    /// Of each slot, what is known when its node has passed half of the ring.
    neighbours: Vec<Neighbours>,
    arrivals: ArrivalQueues,
}

impl Walker for PhaseOneWalker {
    type Node = PendingNode;

    fn is_low(&self) -> bool {
        self.stack.len() < RING_SIZE / 2
    }

    fn is_idle(&self) -> bool {
        self.occupied == 0 && self.stack.is_empty() && self.arrivals.is_empty()
    }

    fn take_over(&mut self, nodes: &[PendingNode]) {
        self.stack.extend_from_slice(nodes);
    }
}

impl PhaseOneWalker {
    /// Creates a walker without work.
    pub(crate) fn new(buffers: WalkerBuffers) -> Self {
        let WalkerBuffers { mut stack, mut neighbours, mut arrivals } = buffers;
        neighbours.resize(RING_SIZE, Neighbours::default());
        stack.clear();
        stack.reserve(STACK_CAPACITY);
        arrivals.clear();
        Self {
            effort: NodeCount { nodes: 0, halted: None, phase_two_nodes: u64::MAX },
            stack,
            ring: [PendingNode::default(); RING_SIZE],
            occupied: 0,
            neighbours,
            arrivals,
        }
    }

    /// Creates another walker without work and with the same limits.
    pub(crate) fn sibling(&self) -> Self {
        let mut sibling = Self::new(WalkerBuffers::default());
        sibling.effort.phase_two_nodes = self.effort.phase_two_nodes;
        sibling
    }

    /// Takes the memory, so that it can be used again.
    pub(crate) fn take_buffers(&mut self) -> WalkerBuffers {
        WalkerBuffers {
            stack: std::mem::take(&mut self.stack),
            neighbours: std::mem::take(&mut self.neighbours),
            arrivals: std::mem::take(&mut self.arrivals),
        }
    }

    /// Discards all work. Each later phase-2 search may expand `phase_two_nodes` nodes.
    pub(crate) fn reset(&mut self, phase_two_nodes: u64) {
        self.stack.clear();
        self.occupied = 0;
        self.arrivals.clear();
        self.effort.halted = None;
        self.effort.phase_two_nodes = phase_two_nodes;
    }

    /// Returns whether every phase 2 is searched to its end.
    pub(crate) fn is_thorough(&self) -> bool {
        self.effort.phase_two_nodes == u64::MAX
    }

    /// Takes all nodes from the stack and expands them until there are about `parts` nodes, or none can be expanded.
    /// Returns them.
    pub(crate) fn split(&mut self, parts: usize, context: &SearchContext<'_, impl PhaseTables>) -> Vec<PendingNode> {
        let mut nodes = std::mem::take(&mut self.stack);
        while nodes.len() < parts && nodes.iter().any(|pending| pending.moves_left > 2) {
            for pending in std::mem::take(&mut nodes) {
                if pending.moves_left > 2 {
                    let effects = context.tables.phase_one().move_effects(pending.node);
                    self.expand(pending, &effects, context);
                    nodes.append(&mut self.stack);
                } else {
                    nodes.push(pending);
                }
            }
        }
        nodes
    }

    /// Adds a root, for maneuvers of exactly `depth` moves whose last move enters G1.
    pub(crate) fn start(&mut self, index: u16, root: &Root, depth: u8) {
        self.stack.push(PendingNode {
            path: MovePath::NONE,
            node: root.start,
            carried: root.carried,
            root: index,
            moves_left: depth,
            last: NO_MOVE,
        });
    }

    /// Passes once over the ring: expands the node in each slot, and refills the slot from the stack.
    pub(crate) fn advance(&mut self, context: &SearchContext<'_, impl PhaseTables>) {
        if context.tables.phase_one().has_neighbours() {
            self.pass::<_, true>(context);
        } else {
            self.pass::<_, false>(context);
        }
    }

    #[inline(always)]
    fn pass<T: PhaseTables, const HAS_NEIGHBOURS: bool>(&mut self, context: &SearchContext<'_, T>) {
        let phase_one = context.tables.phase_one();
        for slot in 0..RING_SIZE {
            if self.occupied >> slot & 1 == 1 {
                self.occupied ^= 1 << slot;
                let pending = self.ring[slot];
                let effects = if HAS_NEIGHBOURS {
                    phase_one.prefetched_effects(pending.node, &self.neighbours[slot])
                } else {
                    phase_one.move_effects(pending.node)
                };
                self.expand(pending, &effects, context);
                if context.best_solutions.is_reached() || self.effort.halted.is_some() {
                    return;
                }
            }
            if let Some(pending) = self.stack.pop() {
                phase_one.prefetch(pending.node);
                context.tables.prefetch_carried(pending.carried);
                self.ring[slot] = pending;
                self.occupied |= 1 << slot;
            }
            let halfway = slot ^ (RING_SIZE / 2);
            if HAS_NEIGHBOURS && self.occupied >> halfway & 1 == 1 {
                phase_one.prefetch_neighbours(self.ring[halfway].node, &mut self.neighbours[halfway]);
            }
            if slot % SLOTS_PER_STEP == SLOTS_PER_STEP - 1 && !self.arrivals.is_empty() {
                self.step_arrivals(context);
                if context.best_solutions.is_reached() || self.effort.halted.is_some() {
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn expand<T: PhaseTables>(
        &mut self,
        pending: PendingNode,
        effects: &<T::PhaseOne as PhaseOneTables>::Effects,
        context: &SearchContext<'_, T>,
    ) {
        self.effort.nodes += 1;
        let PendingNode { path, node, carried, root, moves_left, last } = pending;
        if moves_left == 0 {
            return self.arrive(path, carried, root, context);
        }
        // The last move must enter G1. A move of the subgroup cannot do that.
        if moves_left == 1 && node.distance == 0 {
            return;
        }
        let (tables, phase_one) = (context.tables, context.tables.phase_one());
        let symmetry = usize::from(node.symmetry);
        let useful = phase_one.useful(node, effects, moves_left) & FRAMES.followers[symmetry][usize::from(last)];
        let to_cube = &FRAMES.to_cube[symmetry];
        let moves_left = moves_left - 1;
        let first_moves = if last == NO_MOVE { context.roots[usize::from(root)].first_moves } else { ALL_MOVES };
        for mv in bits(useful) {
            let cube_move = to_cube[mv];
            if first_moves >> cube_move & 1 == 0 {
                continue;
            }
            let carried = tables.carried_after(carried, usize::from(cube_move));
            let path = path.with(cube_move);
            if moves_left == 0 {
                self.arrive(path, carried, root, context);
                continue;
            }
            let node = phase_one.after(node, effects, mv);
            if !tables.leads_nowhere(node, moves_left) {
                self.stack.push(PendingNode { path, node, carried, root, moves_left, last: cube_move });
            }
        }
    }

    /// Queues an arrival.
    #[inline]
    fn arrive(&mut self, path: MovePath, carried: Carried, root: u16, context: &SearchContext<'_, impl PhaseTables>) {
        let ends = context.tables.prefetch_bounds(&context.roots[usize::from(root)], carried);
        self.arrivals.unbounded.push(Arrival { path, ends, root });
    }

    /// Runs phase 2 of the arrivals that are ready, and moves the others one step on.
    fn step_arrivals(&mut self, context: &SearchContext<'_, impl PhaseTables>) {
        let tables = context.tables;
        let ArrivalQueues { unbounded, bounded, ready } = &mut self.arrivals;
        for start in ready.drain(..) {
            start.finish(&mut self.effort, context);
            if context.best_solutions.is_reached() || self.effort.halted.is_some() {
                return;
            }
        }
        std::mem::swap(bounded, ready);
        for start in &mut *ready {
            start.prefetch(tables);
        }
        for Arrival { path, ends, root: index } in unbounded.drain(..) {
            let root = &context.roots[usize::from(index)];
            let used = path.len() + root.premoves.len();
            let Some(left) = context.best_solutions.at_most().checked_sub(used) else { continue };
            for (arrival, is_twin) in tables.arrivals(root, path, ends, left).into_iter().zip([false, true]) {
                if let Some((inside, bound)) = arrival {
                    tables.prefetch_index(inside);
                    bounded.push(PendingPhaseTwo::new(path, index, is_twin, inside, bound));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::coord::{FLIP_SLICE, TWIST};
    use superflip_cube::Cube;
    use superflip_cube::Move;

    fn is_in_g1(cube: &Cube) -> bool {
        (FLIP_SLICE.index)(cube) == Some(0) && (TWIST.index)(cube) == Some(0)
    }

    /// Counts the canonical maneuvers of `moves_left` moves that enter G1 with their last move. A maneuver is not
    /// counted if exchanging its last two moves, which commute, makes it enter G1 one move earlier.
    fn maneuvers_into_g1(cube: &Cube, moves_left: u8, last: Option<Move>) -> usize {
        let follows = Move::ALL.into_iter().filter(|mv| last.is_none_or(|last| mv.may_follow(last)));
        match moves_left {
            0 => 0,
            1 if is_in_g1(cube) => 0,
            1 => {
                let in_time =
                    |mv: &Move| last.is_none_or(|last| last.quarters() != 2 || last.face().axis() != mv.face().axis());
                follows.filter(in_time).filter(|mv| is_in_g1(&cube.then(mv.cube()))).count()
            }
            _ => follows.map(|mv| maneuvers_into_g1(&cube.then(mv.cube()), moves_left - 1, Some(mv))).sum(),
        }
    }

    /// Tests the pruning rule in [`PhaseOneWalker::expand`]. The result depends only on the coset of the cube. Every coset
    /// at distance 1 is reached by one of the 18 moves, so testing these is enough.
    #[test]
    fn leaving_g1_and_returning_takes_at_least_five_moves() {
        for moves_left in 1..=4 {
            assert_eq!(maneuvers_into_g1(&Cube::SOLVED, moves_left, None), 0, "{moves_left} moves from G1 itself");
        }
        let outside: Vec<&Cube> = Move::ALL.iter().map(|mv| mv.cube()).filter(|cube| !is_in_g1(cube)).collect();
        assert_eq!(outside.len(), 8);
        for cube in outside {
            assert_ne!(maneuvers_into_g1(cube, 1, None), 0);
            for moves_left in [2, 3] {
                assert_eq!(maneuvers_into_g1(cube, moves_left, None), 0, "{moves_left} moves from {cube:?}");
            }
        }
        // With one move more there are such maneuvers.
        assert_ne!(maneuvers_into_g1(&Cube::SOLVED, 5, None) + maneuvers_into_g1(Move::R.cube(), 4, None), 0);
    }
}
