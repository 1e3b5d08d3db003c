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
//! A node that reaches G1 is an *arrival*. It passes three stages, one after every [`SLOTS_PER_STAGE`] slots of the ring. Each stage reads
//! what the last one prefetched ([`Memory`]).

use super::alphabet::{Alphabet, Carried, Context, NodeCount, PhaseTwoStart, Root};
use super::phase_two;
use crate::search::phase_one::PhaseOneNode;
use crate::search::shared_nodes::Walker;
use crate::tables::pruning::phase_one::Neighbours;

/// Number of slots of the ring buffer of phase-1 nodes.
const RING_SIZE: usize = 16;
/// Number of slots of the ring after which arrivals pass a stage. While a stage waits for memory, so many nodes are expanded.
const SLOTS_PER_STAGE: usize = 4;
/// Initial capacity of the stack, rarely exceeded.
const STACK_CAPACITY: usize = 256;

/// The letters of a phase-1 maneuver: six bits each, the last letter lowest, below a leading 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path(u128);

impl Path {
    /// Greatest number of letters.
    pub(crate) const CAPACITY: u8 = 20;

    #[inline]
    pub(crate) fn with(self, letter: u8) -> Self {
        Self(self.0 << 6 | u128::from(letter))
    }

    /// Returns the number of letters.
    #[inline]
    pub(crate) fn len(self) -> u8 {
        (self.0.ilog2() / 6) as u8
    }

    /// Returns the letters in order.
    pub(crate) fn letters(self) -> impl Iterator<Item = usize> {
        (0..self.len()).rev().map(move |back| (self.0 >> (6 * back) & 63) as usize)
    }

    /// Returns the letters in reverse order.
    #[inline]
    pub(crate) fn letters_backwards(self) -> impl Iterator<Item = usize> {
        // Few paths are longer than ten letters, so the upper half is nearly always 0.
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        std::iter::from_fn(move || {
            if high == 0 && low <= 1 {
                return None;
            }
            let letter = (low & 63) as usize;
            low >>= 6;
            if high != 0 {
                low |= high << 58;
                high >>= 6;
            }
            Some(letter)
        })
    }
}

impl Default for Path {
    fn default() -> Self {
        Self(1)
    }
}

/// A node of phase 1 and the path to it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) path: Path,
    pub(crate) position: PhaseOneNode,
    pub(crate) carried: Carried,
    pub(crate) root: u16,
    /// Number of letters left.
    pub(crate) left: u8,
    /// What the canonical order must know of the path: its last move, or its last run.
    pub(crate) last: u8,
}

/// A node in G1, whose bound is not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) path: Path,
    /// Of the node, and of its twin if it has one.
    pub(crate) carried: [Carried; 2],
    pub(crate) root: u16,
    pub(crate) last: u8,
}

/// What an expansion adds to.
#[derive(Default)]
pub(crate) struct Frontier {
    /// The stack.
    pub(crate) nodes: Vec<Node>,
    /// Arrivals, for which the entry of the table of corners and slice edges was prefetched.
    pub(crate) arrivals: Vec<Arrival>,
}

/// Memory of a walker, which the next one can use.
#[derive(Default)]
pub(crate) struct Memory {
    frontier: Frontier,
    /// Of each slot, what is known when its node has passed half of the ring.
    neighbours: Vec<Neighbours>,
    /// Starts of phase 2, for which the index of the entry of the large table was prefetched.
    bounded: Vec<PhaseTwoStart>,
    /// Those whose entry of the large table was prefetched.
    ready: Vec<PhaseTwoStart>,
}

impl Memory {
    fn clear(&mut self) {
        self.frontier.nodes.clear();
        self.frontier.arrivals.clear();
        self.bounded.clear();
        self.ready.clear();
    }

    fn has_arrivals(&self) -> bool {
        !(self.frontier.arrivals.is_empty() && self.bounded.is_empty() && self.ready.is_empty())
    }
}

/// Searches phase 1 from its roots, and runs phase 2 for every arrival.
pub(crate) struct PhaseOneWalker {
    /// Nodes expanded so far and the limits on them.
    pub(crate) effort: NodeCount,
    ring: [Node; RING_SIZE],
    /// The occupied slots of `ring`, as a mask.
    occupied: u32,
    memory: Memory,
}

impl Walker for PhaseOneWalker {
    type Node = Node;

    fn is_low(&self) -> bool {
        self.memory.frontier.nodes.len() < RING_SIZE / 2
    }

    fn is_idle(&self) -> bool {
        self.occupied == 0 && self.memory.frontier.nodes.is_empty() && !self.memory.has_arrivals()
    }

    fn take_over(&mut self, nodes: &[Node]) {
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

    /// Takes the memory, so that it can be used again.
    pub(crate) fn take_memory(&mut self) -> Memory {
        std::mem::take(&mut self.memory)
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
            phase_two::search(start, &mut self.effort, context);
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
