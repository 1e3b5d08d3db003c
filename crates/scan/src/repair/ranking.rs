//! Legal cubes in order of their cost.
//!
//! A best-first search over the slots, corners before edges. The tables of the dynamic program give the exact cost of the
//! best completion of every node, so each expansion from the queue ends in the next cube without backtracking.
#![allow(clippy::cast_possible_truncation)] // the dynamic program stores pieces and orientations in bytes

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::edge_table::EdgeTable;
use super::table::{Table, inversions};
use super::weights::{Costs, Least, Placements, Weight};
use superflip_cube::cubie::Cube;
use superflip_cube::piece::{Corner, Edge};

/// Number of slots.
const SLOTS: usize = Corner::COUNT + Edge::COUNT;

/// A legal cube with its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// Sum of the costs of its placements.
    pub cost: u32,
    /// The cube.
    pub cube: Cube,
}

/// A cube whose first slots are filled. Ordered by the cost of its best completion, then by the placements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    /// Cost of the best completion.
    total: u32,
    /// Piece and orientation in each filled slot; greater pieces and orientations come later.
    path: [(u8, u8); SLOTS],
    filled: usize,
    cost: u32,
    /// Sets of the pieces placed.
    corners: usize,
    edges: usize,
    /// Sum of the orientations placed, of the kind that is being filled.
    sum: usize,
    parity: usize,
}

/// An iterator over all legal cubes: ascending cost, and cubes of equal cost in lexicographic order of the piece and
/// orientation in each slot, corners first. Legal means that moves can reach the cube.
///
/// The tables take a fraction of a millisecond, each cube some microseconds.
pub struct Ranking {
    costs: Costs,
    corners: Table<Least, { Corner::COUNT }, 3>,
    edges: EdgeTable,
    queue: BinaryHeap<Reverse<Node>>,
    /// Greatest cost that is of interest.
    ceiling: u32,
}

impl Ranking {
    /// Prepares the iteration over all legal cubes.
    pub fn new(costs: &Costs) -> Self {
        let corners = Table::after(&costs.0.corners);
        let edges = EdgeTable::after(&costs.0.edges);
        let root =
            Node { total: 0, path: [(u8::MAX, 0); SLOTS], filled: 0, cost: 0, corners: 0, edges: 0, sum: 0, parity: 0 };
        let mut ranking =
            Self { costs: costs.clone(), corners, edges, queue: BinaryHeap::new(), ceiling: Least::NONE.0 - 1 };
        let root = Node { total: ranking.total(&root), ..root };
        ranking.queue.push(Reverse(root));
        ranking
    }

    /// Returns the least cost of a legal cube, before the iteration starts.
    pub fn least(&self) -> u32 {
        self.queue.peek().map_or(Least::NONE.0, |node| node.0.total)
    }

    /// Leaves out cubes that cost more than `ceiling`. This saves memory.
    #[must_use]
    pub fn up_to(mut self, ceiling: u32) -> Self {
        self.ceiling = ceiling.min(Least::NONE.0 - 1);
        self
    }

    /// Returns the cost of the best completion of a node.
    fn total(&self, node: &Node) -> u32 {
        let rest = if node.filled < Corner::COUNT {
            let best = |parity: usize| {
                let corners = self.corners.get(node.corners, (3 - node.sum) % 3, parity ^ node.parity);
                corners.0.saturating_add(self.edges.whole()[parity].0)
            };
            best(0).min(best(1))
        } else {
            self.edges.get(node.edges, node.sum, node.parity).0
        };
        node.cost.saturating_add(rest)
    }

    /// Returns the children of a node: the next slot filled with each piece that is left, in each orientation.
    fn children(&self, node: &Node) -> Vec<Node> {
        if node.filled < Corner::COUNT {
            let placed = placements(&self.costs.0.corners, node.filled, node.corners);
            let is_last = node.filled + 1 == Corner::COUNT;
            // The sum of all twists is 0, so the sum of the flips starts from 0 too.
            let placed = placed.filter(|(_, turned, _)| !is_last || (node.sum + turned).is_multiple_of(3));
            let child = |(piece, turned, cost)| Node {
                corners: node.corners | 1_usize << piece,
                sum: (node.sum + turned) % 3,
                parity: node.parity ^ inversions(node.corners, piece),
                ..node.with(piece, turned, cost)
            };
            placed.map(child).map(|child| Node { total: self.total(&child), ..child }).collect()
        } else {
            let placed = placements(&self.costs.0.edges, node.filled - Corner::COUNT, node.edges);
            let child = |(piece, turned, cost)| Node {
                edges: node.edges | 1_usize << piece,
                sum: (node.sum + turned) % 2,
                parity: node.parity ^ inversions(node.edges, piece),
                ..node.with(piece, turned, cost)
            };
            placed.map(child).map(|child| Node { total: self.total(&child), ..child }).collect()
        }
    }
}

/// Returns a legal cube of the least cost: usually in microseconds, and otherwise from the [`Ranking`].
pub(crate) fn cheapest(costs: &Costs) -> Option<Ranked> {
    cheapest_placements(costs).or_else(|| Ranking::new(costs).next())
}

/// Returns the cube with the cheapest placement in each slot, if this is a legal cube. Then no cube costs less.
pub(crate) fn cheapest_placements(costs: &Costs) -> Option<Ranked> {
    let (corners, twists, odd_corners, corner_cost) = in_each_slot(&costs.0.corners)?;
    let (edges, flips, odd_edges, edge_cost) = in_each_slot(&costs.0.edges)?;
    let sum = |turns: &[u8]| turns.iter().map(|turn| usize::from(*turn)).sum::<usize>();
    let is_legal = odd_corners == odd_edges && sum(&twists).is_multiple_of(3) && sum(&flips).is_multiple_of(2);
    let cube = || Cube::assemble(corners.map(|at| Corner::ALL[at]), twists, edges.map(|at| Edge::ALL[at]), flips);
    is_legal.then(|| Ranked { cost: corner_cost + edge_cost, cube: cube() })
}

/// Returns the cheapest piece and orientation of each slot, the parity of the permutation, and the cost of all. Returns `None` if
/// a piece is cheapest in two slots.
#[allow(clippy::type_complexity)] // four values that are used once
fn in_each_slot<const N: usize, const M: usize>(
    weights: &Placements<Least, N, M>,
) -> Option<([usize; N], [u8; N], usize, u32)> {
    let (mut pieces, mut turns, mut set, mut parity, mut cost) = ([0; N], [0; N], 0, 0, 0);
    for slot in 0..N {
        let (piece, turned, least) = placements(weights, slot, 0).min_by_key(|(.., cost)| *cost)?;
        if set >> piece & 1 == 1 {
            return None;
        }
        (pieces[slot], turns[slot]) = (piece, turned as u8);
        parity ^= inversions(set, piece);
        set |= 1 << piece;
        cost += least;
    }
    Some((pieces, turns, parity, cost))
}

/// Returns the pieces outside the set with their orientations and costs in a slot.
fn placements<const N: usize, const M: usize>(
    weights: &Placements<Least, N, M>,
    slot: usize,
    set: usize,
) -> impl Iterator<Item = (usize, usize, u32)> {
    let left = (0..N).filter(move |piece| set >> piece & 1 == 0);
    left.flat_map(move |piece| (0..M).map(move |turned| (piece, turned, weights[slot][piece][turned].0)))
}

impl Node {
    /// Returns the node with the next slot filled; sets, sum, parity and total remain to be updated.
    fn with(&self, piece: usize, turned: usize, cost: u32) -> Self {
        let mut next = Self { filled: self.filled + 1, cost: self.cost + cost, ..*self };
        next.path[self.filled] = (piece as u8, turned as u8);
        next
    }

    /// Returns the cube of a node without empty slots.
    fn cube(&self) -> Cube {
        let corners: [_; Corner::COUNT] = std::array::from_fn(|slot| self.path[slot]);
        let edges: [_; Edge::COUNT] = std::array::from_fn(|slot| self.path[Corner::COUNT + slot]);
        Cube::assemble(
            corners.map(|(piece, _)| Corner::ALL[usize::from(piece)]),
            corners.map(|(_, twist)| twist),
            edges.map(|(piece, _)| Edge::ALL[usize::from(piece)]),
            edges.map(|(_, flip)| flip),
        )
    }
}

impl Iterator for Ranking {
    type Item = Ranked;

    fn next(&mut self) -> Option<Ranked> {
        let Reverse(mut node) = self.queue.pop()?;
        if node.total > self.ceiling {
            return None;
        }
        while node.filled < SLOTS {
            let mut best = None;
            for child in self.children(&node) {
                if child.total == node.total && best.is_none() {
                    best = Some(child);
                } else if child.total <= self.ceiling {
                    self.queue.push(Reverse(child));
                }
            }
            // The total of a node is the least total of its children.
            node = best?;
        }
        Some(Ranked { cost: node.total, cube: node.cube() })
    }
}
