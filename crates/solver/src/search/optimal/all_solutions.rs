//! Counts all optimal solutions and collects the first of them.
//!
//! Two solutions are the same if they differ only in the order of moves of opposite faces. The search meets each
//! solution exactly once, for two reasons:
//!
//! - Moves are made in canonical order at the front and at the back of the solution. As many moves as the radius of the near set lie between the
//!   two ends. So two adjacent moves of opposite faces are never at different ends.
//! - This module enumerates these moves in the middle. They are in canonical order after the front. The last of them
//!   are accepted only if they are in canonical order before the back.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::node::Node;
use crate::tables::pruning::near::NearSet;
use superflip_cube::{Cube, Move};

/// Collects solutions as they are found.
pub(crate) struct Collection<'a> {
    near_set: NearSet<'a>,
    /// Number of solutions to keep.
    limit: usize,
    found: Mutex<(u64, BTreeSet<Vec<Move>>)>,
}

/// The result of a collection.
pub(crate) struct CollectedSolutions {
    /// Number of solutions.
    pub(crate) count: u64,
    /// The first solutions, in the order of moves.
    pub(crate) first: Vec<Vec<Move>>,
}

impl<'a> Collection<'a> {
    /// Creates an empty collection.
    pub(crate) fn new(near_set: NearSet<'a>, limit: usize) -> Self {
        Self { near_set, limit, found: Mutex::new((0, BTreeSet::new())) }
    }

    /// Adds every solution through a node with at most as many moves left as the radius of the near set.
    pub(crate) fn add(&self, node: &Node) {
        let cube = node.sides[0].cube();
        if self.near_set.distance(&cube).is_some_and(|distance| distance <= node.moves_left) {
            self.extend(node, &cube, &mut Vec::with_capacity(self.near_set.radius.into()));
        }
    }

    fn extend(&self, node: &Node, cube: &Cube, way: &mut Vec<Move>) {
        let left = node.moves_left - way.iter().map(|&mv| self.near_set.length(mv)).sum::<u8>();
        if left == 0 {
            if cube.is_solved() && fits(way, node) {
                let (count, kept) = &mut *self.found.lock().unwrap_or_else(PoisonError::into_inner);
                *count += 1;
                kept.insert(in_order(node.solution(way)));
                if kept.len() > self.limit {
                    kept.pop_last();
                }
            }
            return;
        }
        let faces = way.last().map_or(node.followers(0), |last| {
            Move::ALL.iter().filter(|mv| mv.may_follow(*last)).fold(0, |faces, mv| faces | 1 << mv.face().index())
        });
        for mv in Move::ALL.into_iter().filter(|mv| faces >> mv.face().index() & 1 == 1) {
            let after = cube.then(mv.cube());
            if self.near_set.distance(&after).is_some_and(|distance| distance + self.near_set.length(mv) <= left) {
                way.push(mv);
                self.extend(node, &after, way);
                way.pop();
            }
        }
    }

    /// Returns the number of solutions and the first of them, in the order of moves.
    pub(crate) fn finish(self) -> CollectedSolutions {
        let (count, kept) = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        CollectedSolutions { count, first: kept.into_iter().collect() }
    }
}

/// Returns whether the path may precede the back of a node. Its last move must be allowed next on the side of the
/// inverse cube. If the last two moves are of opposite faces, both must be allowed.
fn fits(way: &[Move], node: &Node) -> bool {
    let Some(last) = way.last() else { return true };
    let axis = last.face().axis();
    let ending = way.iter().rev().take_while(|mv| mv.face().axis() == axis);
    ending.into_iter().all(|mv| node.followers(1) >> mv.face().index() & 1 == 1)
}

/// Returns the same solution with the lower of two opposite faces first.
fn in_order(mut moves: Vec<Move>) -> Vec<Move> {
    for at in 1..moves.len() {
        let (first, second) = (moves[at - 1].face(), moves[at].face());
        if first.axis() == second.axis() && first > second {
            moves.swap(at - 1, at);
        }
    }
    moves
}
