//! Batches of nodes: every table line is asked for before the first is waited for.
//!
//! ```text
//!   stack --16 nodes--> for each face the other side's place --prefetch--> read, drop
//!                                                                            |
//!   stack <--push-- read, drop <--prefetch-- this side's place for each turn that is left
//! ```
//!
//! The other side's bound after R is that after R', and after R2 it is what it was: six look-ups serve 18 turns.

use super::node::{Bytes, Node, inverse};
use crate::cube::{Face, Move};
use crate::symmetry::coset::Place;
use crate::tables::optimal::OptimalTable;

/// Nodes that are taken off the stack at a time.
const BATCH: usize = 16;

/// A face of a node of the batch, and where its other side is found after a quarter turn of it.
struct Quarter {
    node: usize,
    face: usize,
    place: Place,
}

/// A turn of a node of the batch that the other side allows.
struct Candidate {
    node: usize,
    turn: usize,
    turned: Bytes,
    place: Place,
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
    pub(super) fn batch(&mut self, table: &OptimalTable, leaf: u8, mut arrive: impl FnMut(&Node) -> bool) -> bool {
        let from = self.stack.len().saturating_sub(BATCH);
        self.batch.clear();
        self.batch.extend(self.stack.drain(from..));
        self.nodes += self.batch.len() as u64;
        self.quarters.clear();
        self.candidates.clear();
        for (number, node) in self.batch.iter().enumerate() {
            let side = node.side();
            for face in 0..Face::ALL.len() {
                if node.may_turn(side, face) {
                    let place = place(table, &node.sides[1 - side].with_before(inverse(3 * face)));
                    self.quarters.push(Quarter { node: number, face, place });
                }
            }
        }
        for &Quarter { node: number, face, place: at } in &self.quarters {
            let node = &self.batch[number];
            let side = node.side();
            let after_quarter = table.bound_at(at);
            let after_half = node.bounds[1 - side];
            for (turn, other) in [(0, after_quarter), (1, after_half), (2, after_quarter)] {
                if other < node.togo {
                    let turn = 3 * face + turn;
                    let turned = node.sides[side].then(turn);
                    self.candidates.push(Candidate { node: number, turn, place: place(table, &turned), turned, other });
                }
            }
        }
        for candidate in &self.candidates {
            let node = &self.batch[candidate.node];
            let bound = table.bound_at(candidate.place);
            if bound < node.togo {
                let next = node.after(node.side(), candidate.turn, candidate.turned, [bound, candidate.other]);
                if next.togo > leaf {
                    self.stack.push(next);
                } else if arrive(&next) {
                    return true;
                }
            }
        }
        false
    }
}

/// Where a cube is found, its line on the way.
#[inline]
fn place(table: &OptimalTable, bytes: &Bytes) -> Place {
    let place = table.index().of_bytes(&bytes.corners, &bytes.edges);
    table.prefetch(table.entry_of(place));
    place
}
