//! One iteration of iterative deepening, on all threads. It finds a solution of one length, or all of them, or proves
//! that there is none.
//!
//! # All solutions
//!
//! Two solutions are the same if they differ only in the order of moves of opposite faces. The search meets each
//! solution exactly once, for two reasons:
//!
//! - Moves are made in canonical order at the front and at the back of the solution. As many moves as the radius of the near set lie between the
//!   two ends. So two adjacent moves of opposite faces are never at different ends.
//! - This module enumerates these moves in the middle. They are in canonical order after the front. The last of them
//!   are accepted only if they are in canonical order before the back.
//!
//! # Roots
//!
//! The roots of an iteration are the cube itself, or the branches of a symmetric cube after symmetry reduction. If `S C S^-1 = C`, then S maps every solution to a solution. Of these images only the smallest, in the order of
//! moves, is searched. Its first move is the least of its orbit under all such S. Its second move is the least of its
//! orbit under those S that keep the first move, and so on. The smallest image is in canonical order, because otherwise
//! exchanging two opposite faces would make it smaller.
//! An iteration of the superflip has two parts, as `docs/search.md` explains.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::control::{Cancelled, Control};
use crate::search::optimal::walker::{BatchWalker, FallbackBound, NO_HALF_TURNS, Node, PruningRules, ROUNDS};
use crate::search::shared_nodes::{SharedNodes, Walker, on_threads, with_idle_threads};
use crate::tables::optimal::OptimalTable;
use crate::tables::pruning::near::NearSet;
use superflip_cube::metric::{Metric, in_one_order};
use superflip_cube::simd::Scalar;
use superflip_cube::{ByteMove, Cube, Move, Symmetry};

/// Least number of nodes that an iteration is split into. In HTM these are the nodes after three moves, up to 3240.
const PARTS: usize = 1024;
/// Number of nodes that a thread takes at a time.
const TAKEN_AT_ONCE: usize = 4;
/// Batches between two checks of deadline and stop flag, about 100 microseconds.
const PERIOD: u32 = 16;

/// One cube with the tables and limits of its search.
pub(crate) struct DeepeningContext<'a> {
    pub(crate) table: &'a OptimalTable,
    /// All positions near solved.
    pub(crate) near_set: NearSet<'a>,
    pub(crate) cube: Cube,
    /// Bounds of the table for the cube and for its inverse.
    pub(crate) bounds: [u8; 2],
    /// Second pruning bound, for cubes near the solved coset.
    pub(crate) fallback: Option<FallbackBound<'a>>,
    /// Symmetries of the cube other than the identity.
    pub(crate) symmetries: Vec<Symmetry>,
    pub(crate) control: Control,
    pub(crate) threads: usize,
}

/// The result of one iteration.
pub(crate) struct Deepened {
    /// A solution, if one was wanted and found.
    pub(crate) found: Option<Vec<Move>>,
    /// Why the iteration ended early, if it did.
    pub(crate) halted: Option<Cancelled>,
    pub(crate) nodes: u64,
}

impl DeepeningContext<'_> {
    /// Looks for a solution of exactly `length` moves. A long iteration is divided into rounds.
    pub(crate) fn deepen(&self, length: u8, is_long: bool) -> Deepened {
        let found = Mutex::new(None);
        let arrive = |node: &Node| {
            let Some(here) = self.near_set.way_home(&node.sides[0].cube()) else { return false };
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(node.solution(&here));
            true
        };
        let mut out = Deepened { found: None, halted: None, nodes: 0 };
        for &part in Part::of_cube(&self.cube) {
            let deepened = self.walk(length, &self.symmetries, (part, if is_long { ROUNDS } else { 1 }), &arrive);
            out.nodes += deepened.nodes;
            out.halted = deepened.halted;
            out.found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
            if out.found.is_some() || out.halted.is_some() {
                break;
            }
        }
        out
    }

    /// Collects the solutions of exactly `length` moves; there must be none of fewer.
    pub(crate) fn collect(&self, length: u8, collection: &Collection<'_>) -> Deepened {
        self.walk(length, &[], (Part::All, 1), &|node| {
            collection.add(node);
            false
        })
    }

    /// Visits every node of a part with as many moves left as the radius of the near set until `arrive` returns true.
    fn walk(
        &self,
        length: u8,
        symmetries: &[Symmetry],
        (part, rounds): (Part, usize),
        arrive: &(dyn Fn(&Node) -> bool + Sync),
    ) -> Deepened {
        let root = Node::root(&self.cube, self.bounds, length);
        if length <= self.near_set.radius {
            arrive(&root);
            return Deepened { found: None, halted: None, nodes: 1 };
        }
        let rules = PruningRules {
            table: self.table,
            leaf: self.near_set.radius,
            half_turn: if part == Part::QuarterTurns { NO_HALF_TURNS } else { self.near_set.half_turn },
            fallback: self.fallback.as_ref(),
        };
        let mut opener = BatchWalker::new();
        // A half turn may count two.
        let least = self.near_set.radius + self.near_set.half_turn;
        let mut roots = Vec::new();
        add_root_branches(self.table, root, symmetries, (part, true), least, &mut roots);
        opener.take_over(&roots, None);
        let halted = OnceLock::new();
        let is_halted = || {
            let checked = self.control.check();
            checked.inspect_err(|&cancelled| _ = halted.get_or_init(|| cancelled)).is_err()
        };
        let parts = opener.split(PARTS, rules, arrive, is_halted);
        let is_over = AtomicBool::new(parts.is_none());
        let mut parts = parts.unwrap_or_default();
        // Nodes with more moves to spare lead to more solutions for the same work. So they come first, and each round searches the children
        // with a certain number of moves to spare, most first. A list of all children would take 4 MB.
        parts.sort_by_key(|part| Reverse(2 * part.moves_left - part.bounds[0] - part.bounds[1]));
        let parts = SharedNodes::new(parts, TAKEN_AT_ONCE, rounds);
        let search = || {
            // A thread that was idle may come when the work is done.
            if parts.is_empty() {
                return 0;
            }
            let mut walker = BatchWalker::new();
            let mut batches = 0_u32;
            parts.search(&mut walker, |walker| {
                if is_over.load(Relaxed) {
                    return true;
                }
                if walker.batch(rules, arrive) {
                    is_over.store(true, Relaxed);
                }
                batches += 1;
                if batches.is_multiple_of(PERIOD) && is_halted() {
                    is_over.store(true, Relaxed);
                }
                false
            });
            walker.nodes
        };
        let searched =
            if self.threads == 1 { with_idle_threads(search) } else { on_threads(self.threads, search, search) };
        let nodes = opener.nodes + searched.into_iter().sum::<u64>();
        Deepened { found: None, halted: halted.into_inner(), nodes }
    }
}

/// Collects solutions as they are found.
pub(crate) struct Collection<'a> {
    near_set: NearSet<'a>,
    /// Number of solutions to keep.
    limit: usize,
    found: Mutex<(u64, BTreeSet<Vec<Move>>)>,
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
                kept.insert(in_one_order(&node.solution(way)));
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
    pub(crate) fn finish(self) -> (u64, Vec<Vec<Move>>) {
        let (count, kept) = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        (count, kept.into_iter().collect())
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

/// Returns the symmetries of the cube other than the identity.
pub(crate) fn symmetries(cube: &Cube) -> Vec<Symmetry> {
    Symmetry::all().skip(1).filter(|symmetry| symmetry.conjugate(cube) == *cube).collect()
}

/// Which solutions a search visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    All,
    /// Those that begin with a half turn.
    HalfTurnFirst,
    /// Those without half turns.
    QuarterTurns,
}

impl Part {
    /// Returns the parts that are enough to find whether a cube has a solution.
    pub(crate) fn of_cube(cube: &Cube) -> &'static [Self] {
        let commutes = Move::ALL.into_iter().all(|mv| cube.then(mv.cube()) == mv.cube().then(cube));
        if commutes { &[Self::HalfTurnFirst, Self::QuarterTurns] } else { &[Self::All] }
    }

    /// Returns whether a move may come first, or later.
    fn has(self, mv: Move, is_first: bool) -> bool {
        let is_half_turn = mv.quarters() == 2;
        match self {
            Self::All => true,
            Self::HalfTurnFirst => is_half_turn || !is_first,
            Self::QuarterTurns => !is_half_turn,
        }
    }
}

/// Returns the length of a half turn in HTM or QTM.
pub(crate) const fn half_turn(metric: Metric) -> u8 {
    if matches!(metric, Metric::Qtm) { 2 } else { 1 }
}

/// Adds the nodes from which every solution of a part is found up to the given symmetries. No node has fewer than `least` moves left.
/// Below the nodes the search itself has to leave out half turns.
fn add_root_branches(
    table: &OptimalTable,
    node: Node,
    symmetries: &[Symmetry],
    (part, is_first): (Part, bool),
    least: u8,
    out: &mut Vec<Node>,
) {
    if symmetries.is_empty() || node.moves_left <= least {
        out.push(node);
        return;
    }
    for mv in Move::ALL {
        if !is_least(mv, symmetries) || !part.has(mv, is_first) || node.followers(0) >> mv.face().index() & 1 == 0 {
            continue;
        }
        let length = if mv.quarters() == 2 { half_turn(table.metric()) } else { 1 };
        let mut next = node;
        next.advance(Scalar, ByteMove::all(), 0, (mv.index(), length), [0; 2]);
        next.bounds = next.sides.map(|side| table.bound_at(table.index().of_bytes(Scalar, &side)));
        if next.bounds.into_iter().all(|bound| bound <= next.moves_left) {
            add_root_branches(table, next, &keeping(mv, symmetries), (part, false), least, out);
        }
    }
}

/// Returns whether no symmetry leads to a smaller move.
fn is_least(mv: Move, symmetries: &[Symmetry]) -> bool {
    symmetries.iter().all(|symmetry| symmetry.conjugate_move(mv) >= mv)
}

/// Returns the symmetries that keep a move.
fn keeping(mv: Move, symmetries: &[Symmetry]) -> Vec<Symmetry> {
    symmetries.iter().copied().filter(|symmetry| symmetry.conjugate_move(mv) == mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use superflip_cube::metric::{merged, runs};
    use superflip_cube::{Moves, random_cube};

    fn superflip() -> Cube {
        let moves: Moves = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".parse().unwrap();
        moves.iter().fold(Cube::SOLVED, |cube, mv| cube.then(mv.cube()))
    }

    #[test]
    fn only_the_superflip_commutes_with_every_move() {
        let mut rng = StdRng::seed_from_u64(6);
        assert_eq!(Part::of_cube(&superflip()).len(), 2);
        for _ in 0..1000 {
            let cube = random_cube(&mut rng);
            assert_eq!(Part::of_cube(&cube), [Part::All]);
            assert_eq!(Part::of_cube(&superflip().then(Move::ALL[rng.random_range(0..18)].cube())), [Part::All]);
        }
    }

    /// Returns the moves in canonical order, without two moves of a face in a row.
    fn in_order(moves: &[Move]) -> Vec<Move> {
        let moves = merged(moves);
        runs(&moves)
            .flat_map(|run| {
                let mut run = run.to_vec();
                run.sort();
                run
            })
            .collect()
    }

    /// Returns whether the search of a part visits these moves.
    fn visits(part: Part, moves: &[Move]) -> bool {
        let mut symmetries = symmetries(&superflip());
        moves.iter().enumerate().all(|(at, &mv)| {
            let is_visited = is_least(mv, &symmetries) && part.has(mv, at == 0);
            symmetries = keeping(mv, &symmetries);
            is_visited
        })
    }

    /// Of every sequence, the search visits one that begins elsewhere, as seen after some symmetry.
    #[test]
    fn a_sequence_that_may_begin_anywhere_is_visited() {
        let mut rng = StdRng::seed_from_u64(7);
        let mut counts = [0; 2];
        for round in 0..400 {
            // Half turns in one sequence of two: otherwise hardly any is without.
            let moves: Vec<Move> = (0..20).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
            let moves: Vec<Move> = moves.into_iter().filter(|mv| round % 2 == 0 || mv.quarters() != 2).collect();
            let moves = in_order(&moves);
            let images: Vec<Vec<Move>> =
                (0..moves.len()).map(|at| in_order(&[&moves[at..], &moves[..at]].concat())).collect();
            // If moves cancel where the end meets the beginning, there is a shorter solution.
            if images.iter().any(|image| Metric::Qtm.length(image) < Metric::Qtm.length(&moves)) {
                continue;
            }
            let mut images = images.iter().flat_map(|image| {
                Symmetry::all()
                    .map(|symmetry| in_order(&image.iter().map(|&mv| symmetry.conjugate_move(mv)).collect::<Vec<_>>()))
            });
            let part = images.find_map(|image| {
                [Part::HalfTurnFirst, Part::QuarterTurns].into_iter().position(|part| visits(part, &image))
            });
            counts[part.unwrap_or_else(|| panic!("{}", Moves::from(moves)))] += 1;
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }
}
