//! Phase 1 as a pipeline: one thread with up to 16 nodes in flight. Phase 2 solves each cube of G1 within the length that is left.
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
//! A node that reaches G1 is an *arrival*. It passes three stages, one after every [`SLOTS_PER_STAGE`] slots of the ring. Each stage reads
//! what the last one prefetched ([`Memory`]).

use crate::search::shared_nodes::Walker;
use crate::search::solution::{Found, Phases};
use crate::search::two_phase::alphabet::{
    Alphabet, Child, Context, Inside, Memory, Node, NodeCount, PERIOD, Path, PhaseTwoStart, Root,
};
use crate::tables::pruning::phase_one::Neighbours;
use superflip_cube::Move;
use superflip_cube::metric::merged;

/// Number of slots of the ring buffer of phase-1 nodes.
const RING_SIZE: usize = 16;
/// Number of slots of the ring after which arrivals pass a stage. While a stage waits for memory, so many nodes are expanded.
const SLOTS_PER_STAGE: usize = 4;
/// Initial capacity of the stack, rarely exceeded.
const STACK_CAPACITY: usize = 256;

/// Searches phase 1 from its roots, and runs phase 2 for every arrival.
pub(crate) struct PhaseOneWalker {
    /// Nodes expanded so far and the limits on them.
    pub(crate) effort: NodeCount,
    ring: [Node; RING_SIZE],
    /// The occupied slots of `ring`, as a mask.
    occupied: u32,
    pub(super) memory: Memory,
}

impl Walker for PhaseOneWalker {
    type Node = Node;

    fn is_low(&self) -> bool {
        self.memory.frontier.nodes.len() < RING_SIZE / 2
    }

    fn is_idle(&self) -> bool {
        self.occupied == 0 && self.memory.frontier.nodes.is_empty() && !self.memory.has_arrivals()
    }

    fn take_over(&mut self, nodes: &[Node], _round: Option<usize>) {
        self.memory.frontier.nodes.extend_from_slice(nodes);
    }
}

impl PhaseOneWalker {
    /// Creates a walker without work. Each phase 2 may expand `phase_two_nodes` nodes.
    pub(crate) fn new(mut memory: Memory, phase_two_nodes: u64) -> Self {
        memory.neighbours.resize(RING_SIZE, Neighbours::default());
        memory.clear();
        memory.frontier.nodes.reserve(STACK_CAPACITY);
        Self {
            effort: NodeCount { nodes: 0, halted: None, phase_two_nodes },
            ring: [Node::default(); RING_SIZE],
            occupied: 0,
            memory,
        }
    }

    /// Discards all work. Each later phase 2 may expand `phase_two_nodes` nodes.
    pub(crate) fn reset(&mut self, phase_two_nodes: u64) {
        self.memory.clear();
        self.occupied = 0;
        self.effort.halted = None;
        self.effort.phase_two_nodes = phase_two_nodes;
    }

    /// Returns whether every phase 2 is searched to its end.
    pub(crate) fn is_thorough(&self) -> bool {
        self.effort.phase_two_nodes == u64::MAX
    }

    /// Takes all nodes from the stack and expands them until there are about `parts` nodes, or none can be expanded.
    /// Returns them.
    pub(crate) fn split<A: Alphabet>(&mut self, parts: usize, context: &Context<'_, A>) -> Vec<Node> {
        let mut nodes = std::mem::take(&mut self.memory.frontier.nodes);
        while nodes.len() < parts && nodes.iter().any(|node| node.left > 2) {
            for node in std::mem::take(&mut nodes) {
                if node.left > 2 {
                    self.expand(context.alphabet, node, None, context);
                    nodes.append(&mut self.memory.frontier.nodes);
                } else {
                    nodes.push(node);
                }
            }
        }
        nodes
    }

    /// Adds a root, for maneuvers of exactly `depth` letters whose last letter enters G1.
    pub(crate) fn start<A: Alphabet>(&mut self, index: u16, root: &Root<A::Own>, depth: u8) {
        self.memory.frontier.nodes.push(Node {
            path: Path::default(),
            position: root.start,
            carried: root.carried,
            root: index,
            left: depth,
            last: A::NO_LAST,
        });
    }

    /// Passes once over the ring: expands the node in each slot, and refills the slot from the stack.
    pub(crate) fn advance<A: Alphabet>(&mut self, context: &Context<'_, A>) {
        if context.alphabet.has_neighbours() {
            self.pass::<_, true>(context);
        } else {
            self.pass::<_, false>(context);
        }
    }

    #[inline(always)]
    fn pass<A: Alphabet, const HAS_NEIGHBOURS: bool>(&mut self, context: &Context<'_, A>) {
        let alphabet = context.alphabet;
        for slot in 0..RING_SIZE {
            if self.occupied >> slot & 1 == 1 {
                self.occupied ^= 1 << slot;
                self.expand(alphabet, self.ring[slot], HAS_NEIGHBOURS.then_some(slot), context);
                if context.is_over(&self.effort) {
                    return;
                }
            }
            if let Some(node) = self.memory.frontier.nodes.pop() {
                alphabet.prefetch(&node);
                self.ring[slot] = node;
                self.occupied |= 1 << slot;
            }
            let halfway = slot ^ (RING_SIZE / 2);
            if HAS_NEIGHBOURS && self.occupied >> halfway & 1 == 1 {
                alphabet.prefetch_neighbours(&self.ring[halfway], &mut self.memory.neighbours[halfway]);
            }
            if slot % SLOTS_PER_STAGE == SLOTS_PER_STAGE - 1 && self.memory.has_arrivals() {
                self.pass_stage(context);
                if context.is_over(&self.effort) {
                    return;
                }
            }
        }
    }

    /// Expands a node, with the neighbours of a slot if they are known.
    #[inline(always)]
    fn expand<A: Alphabet>(&mut self, alphabet: A, node: Node, slot: Option<usize>, context: &Context<'_, A>) {
        self.effort.nodes += 1;
        let Memory { frontier, neighbours, .. } = &mut self.memory;
        if node.left == 0 {
            frontier.arrivals.push(alphabet.arrive(&node, context));
        } else {
            alphabet.expand(node, slot.map(|slot| &neighbours[slot]), context, frontier);
        }
    }

    /// Runs phase 2 from the starts that are ready, and moves the others and the arrivals one stage on.
    fn pass_stage<A: Alphabet>(&mut self, context: &Context<'_, A>) {
        let (alphabet, Memory { frontier, bounded, ready, .. }) = (context.alphabet, &mut self.memory);
        for start in ready.drain(..) {
            search(start, &mut self.effort, context);
            if context.is_over(&self.effort) {
                return;
            }
        }
        std::mem::swap(bounded, ready);
        for start in &mut *ready {
            alphabet.prefetch_entries(start);
        }
        for arrival in frontier.arrivals.drain(..) {
            alphabet.enter(arrival, context, bounded);
        }
    }
}

/// Capacity of the phase-2 path, in letters.
const DEPTHS: usize = 64;

/// Searches for maneuvers inside G1, the shortest first, within the upper bound, and offers the solutions to the incumbent. If one
/// solution is wanted, it stops at the first.
pub(crate) fn search<A: Alphabet>(start: PhaseTwoStart, effort: &mut NodeCount, context: &Context<'_, A>) {
    let PhaseTwoStart { inside, used, bound, .. } = start;
    let bound = bound.max(context.alphabet.bound(inside, start.entries, bound));
    // If all lengths have the same parity, the bound has it too.
    let stride = if context.alphabet.parity().is_some() { 2 } else { 1 };
    let last = A::boundary(context.facts, start.last);
    let give_up_at = effort.nodes.saturating_add(effort.phase_two_nodes);
    let mut search = PhaseTwoSearch { start, way: [0; DEPTHS], length: 0, give_up_at };
    // A bound is 255 where the allowed turns do not solve the cube.
    let fits = |left: &u8| used.checked_add(*left).is_some_and(|length| length <= context.best.at_most());
    for left in (bound..).step_by(stride).take_while(fits) {
        search.length = used + left;
        if search.within(effort, inside, last, 0, left, context) || effort.halted.is_some() {
            return;
        }
    }
}

/// One phase-2 search.
struct PhaseTwoSearch {
    start: PhaseTwoStart,
    way: [u8; DEPTHS],
    /// Length of the solutions, before moves are merged where two parts join.
    length: u8,
    /// Node count at which the search gives up.
    give_up_at: u64,
}

impl PhaseTwoSearch {
    /// Offers the solutions with exactly the length `left` inside G1, after the letters in `way[..depth]`. Returns
    /// whether phase 2 ends, as [`PhaseTwoSearch::offer`] does.
    fn within<A: Alphabet>(
        &mut self,
        effort: &mut NodeCount,
        inside: Inside,
        last: u8,
        depth: usize,
        left: u8,
        context: &Context<'_, A>,
    ) -> bool {
        let alphabet = &context.alphabet;
        if left == 0 {
            return alphabet.is_solved(inside) && self.offer(&self.way[..depth], context);
        }
        effort.nodes += 1;
        if effort.nodes >= self.give_up_at || effort.halted.is_some() {
            return false;
        }
        if effort.nodes.is_multiple_of(PERIOD) {
            effort.halted = context.check().err();
        }
        let mut children = A::Children::default();
        let count = alphabet.children(context.facts, inside, last, left, &mut children);
        for &Child { letter, inside, entries } in &children.as_mut()[..count] {
            let left = left - A::length(context.facts, letter);
            if alphabet.bound(inside, entries, left) > left {
                continue;
            }
            self.way[depth] = letter;
            if self.within(effort, inside, letter, depth + 1, left, context) {
                return true;
            }
        }
        false
    }

    /// Offers the solution with these letters in phase 2, translated from the root's direction to the original cube. Returns whether
    /// phase 2 ends: one solution is enough, or the upper bound has fallen below the length of this one.
    fn offer<A: Alphabet>(&self, way: &[u8], context: &Context<'_, A>) -> bool {
        let best = context.best;
        let direction = &A::directions(context.facts)[usize::from(context.root(self.start.root).direction)];
        let (moves, premoves) = context.alphabet.write(&self.start, way, context);
        // Moves of one face may meet where two parts join; they are then merged.
        let mut moves = merged(&moves);
        let mut lengths = part_lengths(&moves, premoves);
        let turns = best.goal().turns;
        if !turns.is_all() {
            // Phase 2 is made of runs of allowed turns, so there is a way to write them.
            let spelled = turns.conjugate(direction.symmetry).spell(&moves, best.goal().metric).unwrap_or_default();
            let mut words = spelled.iter().map(Vec::len);
            lengths = lengths.map(|length| words.by_ref().take(length.into()).sum::<usize>() as u8);
            moves = spelled.concat();
        }
        if direction.inverse {
            lengths.reverse();
        }
        best.offer(Found {
            moves: direction.translate(&moves),
            phases: Phases::TwoPhase { axis: direction.axis, inverse: direction.inverse, lengths },
        });
        !best.wants_several() || best.is_reached() || best.at_most() < self.length
    }
}

/// Returns the lengths of phase 1, phase 2 and pre-moves. The pre-moves were `premoves` moves before merging. Merging may
/// exchange opposite faces across a boundary, or make a part empty. So phase 2 is found again: the longest sequence of
/// G1 moves that ends near the pre-moves.
fn part_lengths(moves: &[Move], premoves: u8) -> [u8; 3] {
    let length = moves.len() as u8;
    let split = |after: u8| {
        let end = length - after;
        let last = moves[..usize::from(end)].iter().rposition(|mv| !Move::PHASE_TWO.contains(mv));
        let before = last.map_or(0, |last| last as u8 + 1);
        [before, end - before, after]
    };
    // A half turn that was exchanged with the first pre-move makes the last part longer by one.
    let splits = (0..=length.min(premoves + 1)).map(split);
    splits.max_by_key(|&[_, inside, after]| (inside, after == premoves)).unwrap_or([length, 0, 0])
}
