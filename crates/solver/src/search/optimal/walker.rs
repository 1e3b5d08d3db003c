//! Expands nodes in batches, so that every cache line is prefetched before it is read.
//!
//! ```text
//!   stack --a batch--> for each face the other side's entry --prefetch--> read, prune
//!     ^                                                                      |
//!     '--push-- read, prune <--prefetch-- this side's entry for each remaining move
//! ```
//!
//! *This side* is the side on which a node is expanded. On the other side, R and R' lead to the same bound, and R2
//! leads to the bound of the parent. So six look-ups serve all 18 moves.
//!
//! The other side of a batch is prefetched before this side of the previous batch is read. So no read waits for its
//! cache line.
//!
//! Prefetches are issued in a loop of their own: 20 ns per look-up instead of 26. A prefetch retires only when its
//! address is translated. Long computations between prefetches leave too few of them in the reorder buffer to overlap
//! their translations.

use super::fallback_bound::FallbackBound;
use super::node::{Node, inverse};
use crate::search::shared_nodes::Walker;
use crate::tables::optimal::OptimalTable;
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, ByteMove, Face, Move};

/// Number of nodes taken off the stack at a time.
const BATCH: usize = 32;
/// Length of a half turn for a search without half turns: more than any number of moves left.
pub(crate) const NO_HALF_TURNS: u8 = 100;

/// A face of a node in the batch, and the table entry of the other side after a quarter turn of this face.
struct Quarter {
    entry: usize,
    node: u8,
    face: u8,
}

/// A move of a node in the batch that the bound of the other side does not prune.
struct Candidate {
    moved: ByteCube,
    entry: usize,
    node: u8,
    mv: u8,
    other: u8,
}

/// A stack of nodes and the buffers to expand them.
pub(crate) struct BatchWalker {
    /// Number of nodes expanded.
    pub(crate) nodes: u64,
    stack: Vec<Node>,
    batch: Vec<Node>,
    quarters: Vec<Quarter>,
    /// The previous batch and its candidates.
    before: Vec<Node>,
    candidates: Vec<Candidate>,
}

impl Walker for BatchWalker {
    type Node = Node;

    /// Returns whether the stack is too short to fill a batch.
    fn is_low(&self) -> bool {
        self.stack.len() < BATCH
    }

    fn is_idle(&self) -> bool {
        self.stack.is_empty() && self.candidates.is_empty()
    }

    fn take_over(&mut self, nodes: &[Node]) {
        self.stack.extend_from_slice(nodes);
    }
}

impl BatchWalker {
    /// Creates a walker with an empty stack.
    pub(crate) fn new() -> Self {
        Self {
            nodes: 0,
            stack: Vec::with_capacity(512),
            batch: Vec::with_capacity(BATCH),
            quarters: Vec::with_capacity(BATCH * Face::ALL.len()),
            before: Vec::with_capacity(BATCH),
            candidates: Vec::with_capacity(BATCH * Move::COUNT),
        }
    }

    /// Expands nodes breadth first until there are about `parts` nodes, or none is left. Returns them, or `None` if
    /// `arrive` ended the search.
    pub(crate) fn split(
        &mut self,
        parts: usize,
        rules: PruningRules<'_>,
        mut arrive: impl FnMut(&Node) -> bool,
    ) -> Option<Vec<Node>> {
        while !self.stack.is_empty() && self.stack.len() < parts {
            let count = self.stack.len().min(BATCH);
            self.stack.rotate_left(count);
            // An empty batch completes the previous one.
            for size in [count, 0] {
                if self.expand(size, rules, &mut arrive) {
                    return None;
                }
            }
        }
        Some(std::mem::take(&mut self.stack))
    }

    /// Expands a batch. Leaves go to `arrive`, which returns true to end the search.
    pub(crate) fn batch(&mut self, rules: PruningRules<'_>, arrive: impl FnMut(&Node) -> bool) -> bool {
        self.expand(BATCH, rules, arrive)
    }

    fn expand(&mut self, size: usize, rules: PruningRules<'_>, arrive: impl FnMut(&Node) -> bool) -> bool {
        match rules.half_turn {
            1 => dispatch(Expansion::<_, 1> { walker: self, size, rules, arrive }),
            2 => dispatch(Expansion::<_, 2> { walker: self, size, rules, arrive }),
            _ => dispatch(Expansion::<_, NO_HALF_TURNS> { walker: self, size, rules, arrive }),
        }
    }
}

/// What prunes the nodes.
#[derive(Clone, Copy)]
pub(crate) struct PruningRules<'a> {
    /// The coset table.
    pub(crate) table: &'a OptimalTable,
    /// Number of moves left at which a node is a leaf.
    pub(crate) leaf: u8,
    /// Length of a half turn: 1 in HTM, 2 in QTM, or [`NO_HALF_TURNS`].
    pub(crate) half_turn: u8,
    /// The second bound, applied after the table.
    pub(crate) fallback: Option<&'a FallbackBound<'a>>,
}

/// The expansion of one batch of at most `size` nodes from the top of the stack. `HALF` is the length of a half turn.
struct Expansion<'a, A, const HALF: u8> {
    walker: &'a mut BatchWalker,
    size: usize,
    rules: PruningRules<'a>,
    arrive: A,
}

impl<A: FnMut(&Node) -> bool, const HALF: u8> Kernel for Expansion<'_, A, HALF> {
    /// Whether to end the search.
    type Output = bool;

    #[inline(always)]
    fn run<K: Simd>(mut self, simd: K) -> bool {
        let (PruningRules { table, leaf, fallback, .. }, moves) = (self.rules, ByteMove::all());
        let length = |mv: usize| if mv % 3 == 1 { HALF } else { 1 };
        let BatchWalker { nodes, stack, batch, quarters, before, candidates } = self.walker;
        batch.clear();
        batch.extend(stack.drain(stack.len().saturating_sub(self.size)..));
        *nodes += batch.len() as u64;
        quarters.clear();
        for (number, node) in batch.iter().enumerate() {
            let side = node.side::<HALF>();
            let mut faces = node.followers(side);
            while faces != 0 {
                let face = faces.trailing_zeros() as usize;
                faces &= faces - 1;
                let moved = node.sides[1 - side].with_before(simd, &moves[inverse(3 * face)]);
                let entry = table.entry_of(table.index().of_bytes(simd, &moved));
                quarters.push(Quarter { entry, node: number as u8, face: face as u8 });
            }
        }
        for quarter in &*quarters {
            table.prefetch(quarter.entry);
        }
        let known = stack.len();
        for candidate in &*candidates {
            let node = &before[usize::from(candidate.node)];
            let bound = table.bound_of(candidate.entry);
            let mv = usize::from(candidate.mv);
            if bound + length(mv) <= node.moves_left {
                let way = (mv, length(mv));
                let next = node.after(simd, node.side::<HALF>(), way, candidate.moved, [bound, candidate.other]);
                if next.moves_left > leaf {
                    stack.push(next);
                } else if (self.arrive)(&next) {
                    return true;
                }
            }
        }
        if let Some(fallback) = fallback {
            fallback.retain_possible(stack, known);
        }
        std::mem::swap(batch, before);
        candidates.clear();
        for &Quarter { entry, node: number, face } in &*quarters {
            let node = &before[usize::from(number)];
            let side = node.side::<HALF>();
            let after_quarter = table.bound_of(entry);
            let after_half = node.bounds[1 - side];
            for (mv, other) in [(0, after_quarter), (1, after_half), (2, after_quarter)] {
                if other + length(usize::from(mv)) <= node.moves_left {
                    let mv = 3 * face + mv;
                    let moved = node.sides[side].then(simd, &moves[usize::from(mv)]);
                    let entry = table.entry_of(table.index().of_bytes(simd, &moved));
                    candidates.push(Candidate { moved, entry, node: number, mv, other });
                }
            }
        }
        for candidate in &*candidates {
            table.prefetch(candidate.entry);
        }
        false
    }
}
