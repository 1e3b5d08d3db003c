//! Batches of nodes: every table line is asked for before the first is waited for.
//!
//! ```text
//!   stack --16 nodes--> for each face the other side's place --prefetch--> read, drop
//!                                                                            |
//!   stack <--push-- read, drop <--prefetch-- this side's place for each turn that is left
//! ```
//!
//! The other side's bound after R is that after R', and after R2 it is what it was: six look-ups serve 18 turns.

use super::node::{Node, inverse};
use crate::cube::kit::{Kit, Work, with_best_kit};
use crate::cube::{ByteCube, ByteTurn, Face, Move};
use crate::tables::optimal::OptimalTable;

/// Nodes that are taken off the stack at a time.
const BATCH: usize = 16;

/// A face of a node of the batch, and the entry of its other side after a quarter turn of it.
struct Quarter {
    entry: usize,
    node: u8,
    face: u8,
}

/// A turn of a node of the batch that the other side allows.
struct Candidate {
    turned: ByteCube,
    entry: usize,
    node: u8,
    turn: u8,
    other: u8,
}

/// A stack of nodes, and room to work.
pub(super) struct Walker {
    /// Nodes expanded.
    pub(super) nodes: u64,
    stack: Vec<Node>,
    batch: Vec<Node>,
    quarters: Vec<Quarter>,
    candidates: Vec<Candidate>,
}

impl Walker {
    /// A walker with nowhere to go.
    pub(super) fn new() -> Self {
        Self {
            nodes: 0,
            stack: Vec::with_capacity(512),
            batch: Vec::with_capacity(BATCH),
            quarters: Vec::with_capacity(BATCH * Face::ALL.len()),
            candidates: Vec::with_capacity(BATCH * Move::COUNT),
        }
    }

    /// Adds nodes.
    pub(super) fn take_over(&mut self, nodes: &[Node]) {
        self.stack.extend_from_slice(nodes);
    }

    /// Takes everything away.
    pub(super) fn give_up(&mut self) -> Vec<Node> {
        std::mem::take(&mut self.stack)
    }

    /// Nodes on the stack.
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    /// As [`Walker::batch`], but of the nodes that have waited longest: breadth first, as long as the stack is short.
    pub(super) fn batch_from_below(
        &mut self,
        table: &OptimalTable,
        leaf: u8,
        arrive: impl FnMut(&Node) -> bool,
    ) -> bool {
        let count = self.stack.len().min(BATCH);
        self.stack.rotate_left(count);
        self.batch(table, leaf, arrive)
    }

    /// Whether it would soon wait for work.
    pub(super) fn is_hungry(&self) -> bool {
        self.stack.len() < BATCH
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_idle(&self) -> bool {
        self.stack.is_empty()
    }

    /// Expands a batch. Nodes with `leaf` turns left go to `arrive`, which says whether to stop.
    pub(super) fn batch(&mut self, table: &OptimalTable, leaf: u8, arrive: impl FnMut(&Node) -> bool) -> bool {
        with_best_kit(Expansion { walker: self, table, leaf, arrive })
    }
}

/// The work on one batch.
struct Expansion<'a, A> {
    walker: &'a mut Walker,
    table: &'a OptimalTable,
    leaf: u8,
    arrive: A,
}

impl<A: FnMut(&Node) -> bool> Work for Expansion<'_, A> {
    /// Whether to stop.
    type Output = bool;

    #[inline(always)]
    fn run<K: Kit>(mut self, kit: K) -> bool {
        let (table, turns) = (self.table, ByteTurn::all());
        let Walker { nodes, stack, batch, quarters, candidates } = self.walker;
        batch.clear();
        batch.extend(stack.drain(stack.len().saturating_sub(BATCH)..));
        *nodes += batch.len() as u64;
        quarters.clear();
        candidates.clear();
        for (number, node) in batch.iter().enumerate() {
            let side = node.side();
            let mut faces = node.followers(side);
            while faces != 0 {
                let face = faces.trailing_zeros() as usize;
                faces &= faces - 1;
                let turned = node.sides[1 - side].with_before(kit, &turns[inverse(3 * face)]);
                quarters.push(Quarter { entry: find(table, kit, &turned), node: number as u8, face: face as u8 });
            }
        }
        for &Quarter { entry, node: number, face } in &*quarters {
            let node = &batch[usize::from(number)];
            let side = node.side();
            let after_quarter = table.bound_of(entry);
            let after_half = node.bounds[1 - side];
            for (turn, other) in [(0, after_quarter), (1, after_half), (2, after_quarter)] {
                if other < node.togo {
                    let turn = 3 * face + turn;
                    let turned = node.sides[side].then(kit, &turns[usize::from(turn)]);
                    let entry = find(table, kit, &turned);
                    candidates.push(Candidate { turned, entry, node: number, turn, other });
                }
            }
        }
        for candidate in &*candidates {
            let node = &batch[usize::from(candidate.node)];
            let bound = table.bound_of(candidate.entry);
            if bound < node.togo {
                let turn = usize::from(candidate.turn);
                let next = node.after(kit, node.side(), turn, candidate.turned, [bound, candidate.other]);
                if next.togo > self.leaf {
                    stack.push(next);
                } else if (self.arrive)(&next) {
                    return true;
                }
            }
        }
        false
    }
}

/// The entry of a cube, its line on the way.
#[inline(always)]
fn find<K: Kit>(table: &OptimalTable, kit: K, cube: &ByteCube) -> usize {
    let entry = table.entry_of(table.index().of_bytes(kit, cube));
    table.prefetch(entry);
    entry
}
