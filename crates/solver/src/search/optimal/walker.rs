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
//! Two batches are in flight. A step prefetches this side of the older batch while it reads the other side of the newer one. Then it takes the next
//! batch off the stack, and prefetches the other side of that while it reads this side of the older one. So no read waits for its
//! cache line.
//!
//! A prefetch retires only when its address is translated, which takes longer than the rest of a look-up. Entries are therefore computed in loops of their own:
//! between two prefetches there are so few instructions that the reorder buffer holds several prefetches, and their translations overlap.
//!
//! The *fallback bound* is a second pruning bound, for nodes near the solved coset: phase-1 distances along the three axes,
//! for the cube and for its inverse. They cost six look-ups per node, and tell apart what differs by flips of a slice. So
//! they are used only for cubes near the solved coset, and only at nodes near it. All cache lines are prefetched before the
//! first read.

use crate::coord::bytes::Orientation;
use crate::coord::coset::NO_TURN;
use crate::search::shared_nodes::Walker;
use crate::search::two_phase::Path;
use crate::symmetry::SymCoordinate;
use crate::tables::metric::table::{ClassAndTwist, MetricViews};
use crate::tables::optimal::OptimalTable;
use crate::tables::pruning::phase_one::{MAX_DISTANCE, PhaseOne};
use crate::tables::{Id, MetricTables, Tables, prefetch};
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{Axis, ByteConjugation, ByteCube, ByteMove, Cube, Face, Move, Symmetry};

/// Number of nodes taken off the stack at a time.
const BATCH: usize = 32;
/// Length of a half turn for a search without half turns: more than any number of moves left.
pub(crate) const NO_HALF_TURNS: u8 = 100;

/// A move of a node that the bound of the other side does not prune.
#[derive(Clone, Copy, Default)]
struct Candidate {
    /// Table entry of this side after the move.
    entry: usize,
    /// Number of the node in its batch.
    node: u8,
    mv: u8,
    /// Bounds of this side, once it is read, and of the other side.
    own: u8,
    other: u8,
}

/// A stack of nodes and the buffers to expand them.
pub(crate) struct BatchWalker {
    /// Number of nodes expanded.
    pub(crate) nodes: u64,
    stack: Vec<Node>,
    /// The newer batch, whose other side is prefetched, and its entries after a quarter turn of each face that may follow, node by node.
    newer: Vec<Node>,
    quarters: Vec<usize>,
    /// The older batch, and its candidates, which are to be prefetched.
    older: Vec<Node>,
    candidates: Vec<Candidate>,
    /// The candidates of the newer batch, and the nodes that are taken off the stack after it.
    newer_candidates: Vec<Candidate>,
    popped: Vec<Node>,
}

impl Walker for BatchWalker {
    type Node = Node;

    /// Returns whether the stack is too short to fill a batch.
    fn is_low(&self) -> bool {
        self.stack.len() < BATCH
    }

    fn is_idle(&self) -> bool {
        self.stack.is_empty() && self.newer.is_empty() && self.candidates.is_empty()
    }

    fn take_over(&mut self, nodes: &[Node], round: Option<usize>) {
        let round = round.map_or(EVERY_ROUND, |round| round as u8);
        self.stack.extend(nodes.iter().map(|node| Node { round, ..*node }));
    }
}

impl BatchWalker {
    /// Creates a walker with an empty stack.
    pub(crate) fn new() -> Self {
        Self {
            nodes: 0,
            stack: Vec::with_capacity(512),
            newer: Vec::with_capacity(BATCH),
            quarters: Vec::with_capacity(BATCH * Face::ALL.len()),
            older: Vec::with_capacity(BATCH),
            candidates: Vec::with_capacity(BATCH * Move::COUNT),
            newer_candidates: Vec::with_capacity(BATCH * Move::COUNT),
            popped: Vec::with_capacity(BATCH),
        }
    }

    /// Expands nodes level by level until a level has at least `parts` nodes, or none is left. Returns them, or `None` if
    /// `arrive` or `is_halted` ended the search.
    pub(crate) fn split(
        &mut self,
        parts: usize,
        rules: PruningRules<'_>,
        mut arrive: impl FnMut(&Node) -> bool,
        is_halted: impl Fn() -> bool,
    ) -> Option<Vec<Node>> {
        let mut level = std::mem::take(&mut self.stack);
        while !level.is_empty() && level.len() < parts {
            let mut next = Vec::new();
            // Two empty batches complete the level.
            for batch in level.chunks(BATCH).chain([[].as_slice(); 2]) {
                self.stack.extend_from_slice(batch);
                if is_halted() || self.expand(batch.len(), rules, &mut arrive) {
                    return None;
                }
                next.append(&mut self.stack);
            }
            level = next;
        }
        Some(level)
    }

    /// Expands a batch. Leaves go to `arrive`, which returns true to end the search.
    pub(crate) fn batch(&mut self, rules: PruningRules<'_>, arrive: impl FnMut(&Node) -> bool) -> bool {
        self.expand(BATCH, rules, arrive)
    }

    fn expand(&mut self, size: usize, rules: PruningRules<'_>, arrive: impl FnMut(&Node) -> bool) -> bool {
        match (rules.half_turn, rules.table.index().is_plain()) {
            (1, true) => dispatch(Expansion::<_, 1, true> { walker: self, size, rules, arrive }),
            (1, false) => dispatch(Expansion::<_, 1, false> { walker: self, size, rules, arrive }),
            (2, true) => dispatch(Expansion::<_, 2, true> { walker: self, size, rules, arrive }),
            (2, false) => dispatch(Expansion::<_, 2, false> { walker: self, size, rules, arrive }),
            _ => dispatch(Expansion::<_, NO_HALF_TURNS, false> { walker: self, size, rules, arrive }),
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
struct Expansion<'a, A, const HALF: u8, const PLAIN: bool> {
    walker: &'a mut BatchWalker,
    size: usize,
    rules: PruningRules<'a>,
    arrive: A,
}

impl<A: FnMut(&Node) -> bool, const HALF: u8, const PLAIN: bool> Kernel for Expansion<'_, A, HALF, PLAIN> {
    /// Whether to end the search.
    type Output = bool;

    #[inline(always)]
    fn run<K: Simd>(mut self, simd: K) -> bool {
        let (PruningRules { table, leaf, fallback, .. }, moves) = (self.rules, ByteMove::all());
        let (index, entries) = (table.index(), table.entries());
        let length = |mv: usize| if mv % 3 == 1 { HALF } else { 1 };
        let BatchWalker { nodes, stack, newer, quarters, older, candidates, newer_candidates, popped } = self.walker;
        // The other side of the newer batch is read, while this side of the older one is prefetched.
        let mut to_prefetch = candidates.iter();
        let at_once = candidates.len().div_ceil(newer.len().max(1));
        let mut read = quarters.iter();
        newer_candidates.clear();
        for (number, node) in newer.iter().enumerate() {
            for candidate in to_prefetch.by_ref().take(at_once) {
                entries.prefetch(candidate.entry);
            }
            let side = node.side::<HALF>();
            let after_half = node.bounds[1 - side];
            for (face, &entry) in ones(node.followers(side)).zip(&mut read) {
                let after_quarter = entries.bound(entry);
                for (turn, other) in [(0, after_quarter), (1, after_half), (2, after_quarter)] {
                    if other + length(turn) <= node.moves_left {
                        newer_candidates.push(Candidate {
                            entry: 0,
                            node: number as u8,
                            mv: (3 * face + turn) as u8,
                            own: 0,
                            other,
                        });
                    }
                }
            }
        }
        for candidate in to_prefetch {
            entries.prefetch(candidate.entry);
        }
        let mut labels = None;
        for candidate in &mut *newer_candidates {
            let own = match labels {
                Some((number, own)) if number == candidate.node => own,
                _ => {
                    let node = &newer[usize::from(candidate.node)];
                    let own = index.read(simd, &node.sides[node.side::<HALF>()], NO_TURN);
                    labels = Some((candidate.node, own));
                    own
                }
            };
            candidate.entry = entries.of(index.cell::<K, PLAIN>(simd, index.after(simd, own, candidate.mv.into())));
        }
        // The next batch is taken off the stack. Its other side is prefetched, while this side of the older batch is read.
        let known = stack.len().saturating_sub(self.size);
        popped.clear();
        popped.extend_from_slice(&stack[known..]);
        stack.truncate(known);
        *nodes += popped.len() as u64;
        quarters.clear();
        for node in &*popped {
            let side = node.side::<HALF>();
            for face in ones(node.followers(side)) {
                let labels = index.read(simd, &node.sides[1 - side], face);
                quarters.push(entries.of(index.cell::<K, PLAIN>(simd, labels)));
            }
        }
        let mut to_prefetch = quarters.iter();
        let at_once = quarters.len().div_ceil(candidates.len().max(1));
        candidates.retain_mut(|candidate| {
            for &entry in to_prefetch.by_ref().take(at_once) {
                entries.prefetch(entry);
            }
            candidate.own = entries.bound(candidate.entry);
            candidate.own + length(candidate.mv.into()) <= older[usize::from(candidate.node)].moves_left
        });
        for &entry in to_prefetch {
            entries.prefetch(entry);
        }
        for &Candidate { node, mv, own, other, .. } in &*candidates {
            let (node, mv) = (&older[usize::from(node)], usize::from(mv));
            let (side, way) = (node.side::<HALF>(), (mv, length(mv)));
            if node.round != EVERY_ROUND && node.round != round_of(node.moves_left - way.1, own + other, table.base()) {
                continue;
            }
            if node.moves_left - length(mv) > leaf {
                stack.push(*node);
                if let Some(next) = stack.last_mut() {
                    next.advance(simd, moves, side, way, [own, other]);
                }
            } else {
                let mut next = *node;
                next.advance(simd, moves, side, way, [own, other]);
                if (self.arrive)(&next) {
                    return true;
                }
            }
        }
        if let Some(fallback) = fallback {
            fallback.retain_possible(stack, known);
        }
        // The newer batch becomes the older, and the nodes taken off the stack become the newer.
        std::mem::swap(newer, older);
        std::mem::swap(newer, popped);
        std::mem::swap(candidates, newer_candidates);
        false
    }
}

/// Iterates over the places of the ones in a mask, the lowest first.
#[inline(always)]
fn ones(mut mask: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        place
    })
}

/// The last face at a root, where no move was made.
const NO_FACE: u8 = Face::ALL.len() as u8;

/// Faces that may follow in canonical order, as a mask, for each last face and for none.
static FOLLOWERS: [u8; Face::ALL.len() + 1] = {
    let mut out = [0; Face::ALL.len() + 1];
    let mut last = 0;
    while last <= Face::ALL.len() {
        let mut face = 0;
        while face < Face::ALL.len() {
            if last == Face::ALL.len() || Move::ALL[3 * face].may_follow(Move::ALL[3 * last]) {
                out[last] |= 1 << face;
            }
            face += 1;
        }
        last += 1;
    }
    out
};

/// Greatest number of moves that fits into a path. In QTM, cubes need up to 26 quarter turns. The near set makes the last five.
const MAX_MOVES: u32 = 21;

/// A node of the search. It stores the cube and its inverse as bytes, its two *sides*, and the moves made at the front and at the back of
/// the solution: `solution of the root = front moves | solution of the cube here | back moves`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The cube and its inverse.
    pub(crate) sides: [ByteCube; 2],
    /// Moves at the front of the solution (side 0), and at its back (side 1) as moves of the inverse cube.
    path: Path,
    /// Lower bounds on the number of moves left, as seen from either side.
    pub(crate) bounds: [u8; 2],
    /// Last face moved on either side.
    last: [u8; 2],
    /// Number of moves left; in QTM of quarter turns.
    pub(crate) moves_left: u8,
    /// The round whose children are searched below this node, or [`EVERY_ROUND`].
    round: u8,
}

/// For a node whose children are all searched.
const EVERY_ROUND: u8 = u8::MAX;
/// Number of rounds in which the children of a node may be searched.
pub(crate) const ROUNDS: usize = 4;

/// Returns the round of a node: the first for those with most moves to spare, the last for those whose bounds are as great as they can be with
/// these moves left.
fn round_of(moves_left: u8, bounds: u8, base: u8) -> u8 {
    let greatest = 2 * moves_left.min(base + 3);
    (ROUNDS as u8 - 1).saturating_sub(greatest.saturating_sub(bounds))
}

impl Node {
    /// Creates the root.
    pub(crate) fn root(cube: &Cube, bounds: [u8; 2], moves_left: u8) -> Self {
        debug_assert!(u32::from(moves_left) <= MAX_MOVES + 5, "no cube needs more moves");
        let sides = [ByteCube::of(cube), ByteCube::of(&cube.inverse())];
        Self { sides, path: Path::default(), bounds, last: [NO_FACE; 2], moves_left, round: EVERY_ROUND }
    }

    /// Returns the side to expand. If the bound of one side equals the moves left, the other side is expanded. Half
    /// turns on that side leave the bound unchanged, so they are pruned.
    ///
    /// `HALF` is the length of a half turn. If it is 2, half turns are pruned at one move to spare too.
    #[inline(always)]
    pub(crate) fn side<const HALF: u8>(&self) -> usize {
        let is_tight = self.bounds[0] + HALF > self.moves_left;
        usize::from(is_tight && self.bounds[1] < self.bounds[0])
    }

    /// Returns the faces that may come next on a side, in canonical order, as a mask.
    #[inline(always)]
    pub(crate) fn followers(&self, side: usize) -> u8 {
        FOLLOWERS[usize::from(self.last[side])]
    }

    /// Makes a move of this length on a side. `bounds` are the bounds of that side and of the other. The node is changed in place: a copy
    /// of what was just written in parts would wait until all parts are in the cache.
    #[inline(always)]
    pub(crate) fn advance<K: Simd>(
        &mut self,
        simd: K,
        moves: &[ByteMove; Move::COUNT],
        side: usize,
        (mv, length): (usize, u8),
        bounds: [u8; 2],
    ) {
        self.sides[side] = self.sides[side].then(simd, &moves[mv]);
        self.sides[1 - side] = self.sides[1 - side].with_before(simd, &moves[inverse(mv)]);
        self.bounds[side] = bounds[0];
        self.bounds[1 - side] = bounds[1];
        self.path = self.path.with((side << 5 | mv) as u8);
        self.last[side] = (mv / 3) as u8;
        self.moves_left -= length;
        self.round = EVERY_ROUND;
    }

    /// Returns the moves of one side in order. A letter of the path is a move with its side.
    fn of_side(&self, side: usize) -> impl DoubleEndedIterator<Item = Move> {
        let moves = self.path.letters().filter(move |mv| mv >> 5 == side);
        moves.filter_map(|mv| Move::try_from_index(mv & 31))
    }

    /// Returns the solution of the root, given a solution of this node.
    pub(crate) fn solution(&self, here: &[Move]) -> Vec<Move> {
        // The moves of the inverse cube undo the last moves of the solution.
        let back = self.of_side(1).rev().map(Move::inverse);
        self.of_side(0).chain(here.iter().copied()).chain(back).collect()
    }
}

/// Returns the inverse of a move.
#[inline(always)]
pub(crate) const fn inverse(mv: usize) -> usize {
    3 * (mv / 3) + 2 - mv % 3
}

/// Prunes nodes by their phase-1 distances.
pub(crate) struct FallbackBound<'a> {
    distances: Distances<'a>,
    /// Class of each flip x slice, and the symmetry that leads to its representative.
    classes: &'a [u32],
    twist_conjugates: &'a [u16],
    /// Conjugation that brings the next axis to UD.
    next_axis: ByteConjugation,
    /// Nodes with a greater table bound are not checked.
    base: u8,
}

/// The phase-1 distances in HTM or another metric.
enum Distances<'a> {
    Htm(PhaseOne<'a>),
    Metric(MetricViews<'a>),
}

impl Distances<'_> {
    #[inline]
    fn prefetch(&self, class: u32, twist: u16) {
        match self {
            Self::Htm(phase_one) => phase_one.prefetch_distance(class, twist),
            Self::Metric(views) => views.prefetch_distance(ClassAndTwist { class, twist }),
        }
    }

    #[inline]
    fn distance(&self, class: u32, twist: u16) -> u8 {
        match self {
            Self::Htm(phase_one) => phase_one.distance(class, twist),
            Self::Metric(views) => views.distance(ClassAndTwist { class, twist }),
        }
    }
}

impl<'a> FallbackBound<'a> {
    /// Creates a bound for nodes whose table bound is at most `base`; `None` for tables without exact phase-1 distances.
    pub(crate) fn new(tables: &'a Tables, base: u8) -> Option<Self> {
        let distances = Distances::Htm(tables.phase_one()?);
        let classes = tables.opened().u32s(Id::FlipSliceClass);
        Some(Self::of(distances, classes, tables.opened().u16s(Id::TwistConjugate), base))
    }

    /// Creates a bound in a metric with all turns.
    pub(crate) fn in_metric(tables: &'a MetricTables, base: u8) -> Self {
        let views = tables.views();
        let (classes, conjugates) = (views.flip_slice_classes, &views.single.twist_conjugates);
        Self::of(Distances::Metric(views), classes, conjugates, base)
    }

    fn of(distances: Distances<'a>, classes: &'a [u32], twist_conjugates: &'a [u16], base: u8) -> Self {
        Self {
            distances,
            classes,
            twist_conjugates,
            next_axis: ByteConjugation::of(Symmetry::DIAGONAL).expect("it is a rotation of the whole cube"),
            base,
        }
    }

    /// Removes the nodes from index `from` on that have too few moves left.
    pub(crate) fn retain_possible(&self, nodes: &mut Vec<Node>, from: usize) {
        for side in 0..2 {
            dispatch(FallbackFilter { fallback: self, nodes, from, side });
        }
    }

    /// Returns whether a node is looked up. Its table bounds must be small, and the moves left must not exceed the greatest
    /// phase-1 distance: [`MAX_DISTANCE`], or 13 in QTM.
    fn concerns(&self, node: &Node) -> bool {
        let longest = if matches!(self.distances, Distances::Htm(_)) { MAX_DISTANCE } else { MAX_DISTANCE_IN_QTM };
        node.moves_left <= longest && node.bounds.into_iter().all(|bound| bound <= self.base)
    }
}

/// Greatest phase-1 distance in QTM.
const MAX_DISTANCE_IN_QTM: u8 = 13;

/// The check of one side of the nodes.
struct FallbackFilter<'n, 'd, 't> {
    fallback: &'d FallbackBound<'t>,
    nodes: &'n mut Vec<Node>,
    from: usize,
    side: usize,
}

impl Kernel for FallbackFilter<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) {
        let FallbackFilter { fallback, nodes, from, side } = self;
        // Coordinates along each axis: first flip x slice and twist, then the class and the twist in the frame of its
        // representative.
        let mut places: Vec<[(u32, u16); Axis::COUNT]> = Vec::with_capacity(nodes.len() - from);
        for node in nodes[from..].iter().filter(|node| fallback.concerns(node)) {
            let mut cube = node.sides[side];
            places.push([(); Axis::COUNT].map(|()| {
                let along = Orientation::of(simd, &cube);
                prefetch::read(fallback.classes, along.flip_slice() as usize);
                cube = fallback.next_axis.apply(simd, &cube);
                (along.flip_slice(), along.twist)
            }));
        }
        for (flip_slice, twist) in places.as_flattened_mut() {
            let to = SymCoordinate::unpack(fallback.classes[*flip_slice as usize]);
            *flip_slice = to.class;
            *twist = fallback.twist_conjugates[usize::from(*twist) * 16 + usize::from(to.symmetry)];
            fallback.distances.prefetch(*flip_slice, *twist);
        }
        let mut places = places.iter();
        let mut number = 0;
        nodes.retain(|node| {
            number += 1;
            if number <= from || !fallback.concerns(node) {
                return true;
            }
            let Some(axes) = places.next() else { return true };
            let distances = axes.map(|(class, twist)| fallback.distances.distance(class, twist));
            // The last move lies in the subgroup of its own axis, so it enters at most the other two. If all three
            // distances are equal and not 0, one more move is needed.
            let alike = distances[0] > 0 && distances.iter().all(|&distance| distance == distances[0]);
            distances.into_iter().all(|distance| distance + u8::from(alike) <= node.moves_left)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::search::phase_one::Direction;
    use crate::tables::Profile;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use superflip_cube::simd::Scalar;
    use superflip_cube::{ByteCube, Cube, random_cube};

    #[test]
    fn an_inverse_undoes() {
        assert!(Move::ALL.into_iter().all(|mv| inverse(mv.index()) == mv.inverse().index()));
    }

    /// So the children of a node are searched once each, those with more moves to spare first.
    #[test]
    fn every_node_has_one_round() {
        for (moves_left, base) in (0..=26).flat_map(|moves_left| [7, 8, 9, 11].map(|base| (moves_left, base))) {
            let greatest = 2 * moves_left.min(base + 3);
            let rounds: Vec<u8> = (0..=greatest).rev().map(|bounds| round_of(moves_left, bounds, base)).collect();
            assert!(rounds.is_sorted_by(|round, next| round >= next), "{moves_left} {base}: {rounds:?}");
            assert!(usize::from(rounds[0]) == ROUNDS - 1 && rounds.get(ROUNDS).is_none_or(|&round| round == 0));
        }
    }

    #[test]
    fn moves_at_both_ends_make_one_solution() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..100 {
            let cube = random_cube(&mut rng);
            let mut node = Node::root(&cube, [0; 2], 20);
            for _ in 0..6 {
                let (side, mv) = (rng.random_range(0..2), rng.random_range(0..18));
                node.advance(Scalar, ByteMove::all(), side, (mv, 1), [0; 2]);
                assert_eq!(node.sides[1].cube(), node.sides[0].cube().inverse());
                assert_eq!(usize::from(node.last[side]), mv / 3);
            }
            // Were `rest` the solution here, the whole would solve the root.
            let whole = node.solution(&[]);
            let front = node.of_side(0).count();
            let here = cube.after(&whole[..front]);
            let back = whole[front..].iter().fold(Cube::SOLVED, |cube, mv| cube.then(mv.cube()));
            // here = x, and x r = back^-1 for the solution r of the cube of the node.
            assert_eq!(back.then(&here), node.sides[0].cube());
        }
    }

    /// The coordinates read off the bytes equal the coordinates of each direction.
    #[test]
    fn nodes_are_judged_by_the_distances_of_all_six_directions() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/tables");
        let tables = Tables::open_or_build(&folder, Profile::Small, &Control::new()).expect("tables");
        let fallback = FallbackBound::new(&tables, 9).expect("exact distances");
        let mut rng = StdRng::seed_from_u64(3);
        let (mut kept, mut left_out) = (0, 0);
        for _ in 0..500 {
            let cube = random_cube(&mut rng);
            let directions = Direction::all(&tables, &cube);
            for (axis, direction) in directions[..Axis::COUNT].iter().enumerate() {
                let bytes = (0..axis).fold(ByteCube::of(&cube), |cube, _| fallback.next_axis.apply(Scalar, &cube));
                let along = Orientation::of(Scalar, &bytes);
                let to = SymCoordinate::unpack(fallback.classes[along.flip_slice() as usize]);
                let twist = fallback.twist_conjugates[usize::from(along.twist) * 16 + usize::from(to.symmetry)];
                assert_eq!((to.class, twist), (direction.start.class, direction.start.twist));
            }
            for moves_left in 8..=MAX_DISTANCE {
                let is_too_far = directions.chunks(Axis::COUNT).any(|axes| {
                    let alike = axes.iter().all(|axis| axis.start.distance == axes[0].start.distance);
                    axes.iter().any(|axis| axis.start.distance + u8::from(alike) > moves_left)
                });
                let known = Node::root(&Cube::SOLVED, [0; 2], 0);
                let mut nodes =
                    vec![known, Node::root(&cube, [0; 2], moves_left), Node::root(&cube, [10, 0], moves_left)];
                fallback.retain_possible(&mut nodes, 1);
                // What came before, and what the table knows well, is not judged.
                assert_eq!(nodes.len(), 3 - usize::from(is_too_far), "{cube:?} {moves_left}");
                *if is_too_far { &mut left_out } else { &mut kept } += 1;
            }
        }
        assert!(kept > 300 && left_out > 300, "{kept} {left_out}");
    }
}
