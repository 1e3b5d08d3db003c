//! The alphabet of moves: two-phase searches in HTM with all turns.
//!
//! Phase 1 has the 18 moves, and phase 2 the ten moves of G1. The canonical order needs the last move.
//! [`PhaseTables`] reads the tables of a profile.
//! Pre-moves that differ in the direction of their first turn share a root: they are twins ([`premove`]).

pub(super) mod mapped;
pub(super) mod premove;
mod symmetry_reduction;
mod tiny;

use std::cell::RefCell;
use std::thread::LocalKey;

use super::alphabet::{Alphabet, Carried, Child, Context, Inside, PhaseTwoStart, Root};
use super::driver::Buffers;
use super::walker::{Arrival, Frontier, Node, Path};
use crate::search::directions::Direction;
use crate::search::frames::{FRAMES, NO_MOVE};
use crate::search::phase_one::{PhaseOneNode, PhaseOneTables};
use crate::tables::Tables;
use crate::tables::pruning::phase_one::{ALL_MOVES, Neighbours, bits};
use crate::tables::pruning::phase_two::EdgeEntries;
use premove::{AppliedPremoves, Premoves};
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, Move};
use symmetry_reduction::SymmetryReduction;

/// Level from which roots with two pre-moves are searched.
const TWO_PREMOVES_FROM: u8 = 11;
/// Number of roots whose coordinates are looked up together, so that their memory accesses overlap.
const TOGETHER: usize = 64;

/// Letters of phase 2.
const LETTERS: usize = Move::PHASE_TWO.len();

/// Children of a node of phase 2.
pub(crate) type Children = [Child; LETTERS];

/// What a root has in this alphabet only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveRoot {
    /// Pre-moves before the cube.
    premoves: Premoves,
    /// Moves allowed first, as a mask.
    first_moves: u32,
    /// The cube after the pre-moves.
    cube: ByteCube,
}

/// The moves, and the tables of a profile.
#[derive(Clone, Copy)]
pub(crate) struct MoveAlphabet<'t, T> {
    /// The tables, as phase 1 and phase 2 read them.
    pub(crate) tables: T,
    /// The tables, from which coordinates of roots are computed.
    pub(crate) opened: &'t Tables,
}

/// The six directions of a cube, and the branches that are searched in each.
pub(crate) struct MoveFacts {
    directions: [Direction; 6],
    reduction: SymmetryReduction,
}

impl MoveFacts {
    /// Finds the symmetries of the cube if the search `is_reduced` to one of several branches.
    pub(crate) fn new(directions: &[Direction; 6], is_reduced: bool) -> Self {
        let reduction = if is_reduced { SymmetryReduction::new(directions) } else { SymmetryReduction::none() };
        Self { directions: *directions, reduction }
    }
}

thread_local! {
    static BUFFERS: RefCell<Vec<Buffers<MoveRoot>>> = const { RefCell::new(Vec::new()) };
}

impl<T: PhaseTables> Alphabet for MoveAlphabet<'_, T> {
    type Facts = MoveFacts;
    type Own = MoveRoot;
    type Children = Children;

    const NO_LAST: u8 = NO_MOVE;
    const PARALLEL_FROM: u8 = 10;

    fn buffers() -> &'static LocalKey<RefCell<Vec<Buffers<MoveRoot>>>> {
        &BUFFERS
    }

    fn directions(facts: &MoveFacts) -> &[Direction] {
        &facts.directions
    }

    fn premoves_from(&self) -> [u8; 2] {
        [self.tables.one_premove_from(), TWO_PREMOVES_FROM]
    }

    /// Leaves out symmetric duplicates.
    fn add_roots(&self, facts: &MoveFacts, count: u8, length: u8, joins: u8, roots: &mut Vec<Root<MoveRoot>>) {
        let MoveFacts { directions, reduction } = facts;
        if length != count {
            return;
        }
        let premoves = Premoves::of_length(length);
        let before = roots.len();
        for (index, direction) in directions.iter().enumerate().filter(|(index, _)| reduction.has_direction(*index)) {
            // A root with pre-moves is not symmetric.
            let first_moves = if length == 0 { reduction.first_moves(index) } else { ALL_MOVES };
            let plain = Root {
                direction: index as u8,
                length,
                joins,
                start: direction.start,
                carried: Carried::default(),
                own: MoveRoot { premoves: Premoves::NONE, first_moves, cube: direction.cube },
            };
            if length == 0 {
                roots.push(plain);
            } else {
                dispatch(Prepended { plain, premoves: reduction.premoves(index, premoves), roots });
            }
        }
        if length > 0 {
            for some in roots[before..].chunks_mut(TOGETHER) {
                PhaseOneNode::of_each(self.opened, some, |root| (&root.own.cube, &mut root.start));
            }
        }
    }

    fn carried(&self, root: &Root<MoveRoot>) -> Carried {
        self.tables.carried(&root.own.cube)
    }

    #[inline(always)]
    fn prefetch(&self, node: &Node) {
        self.tables.phase_one().prefetch(node.position);
        self.tables.prefetch_carried(node.carried);
    }

    #[inline(always)]
    fn has_neighbours(&self) -> bool {
        self.tables.phase_one().has_neighbours()
    }

    #[inline(always)]
    fn prefetch_neighbours(&self, node: &Node, neighbours: &mut Neighbours) {
        self.tables.phase_one().prefetch_neighbours(node.position, neighbours);
    }

    #[inline(always)]
    fn expand(&self, node: Node, neighbours: Option<&Neighbours>, context: &Context<'_, Self>, out: &mut Frontier) {
        let (tables, phase_one) = (self.tables, self.tables.phase_one());
        let Node { path, position, carried, root, left, last } = node;
        // The last move must enter G1. A move of the subgroup cannot do that.
        if left == 1 && position.distance == 0 {
            return;
        }
        let effects = match neighbours {
            Some(neighbours) => phase_one.prefetched_effects(position, neighbours),
            None => phase_one.move_effects(position),
        };
        let symmetry = usize::from(position.symmetry);
        let useful = phase_one.useful(position, &effects, left) & FRAMES.followers[symmetry][usize::from(last)];
        let to_cube = &FRAMES.to_cube[symmetry];
        let left = left - 1;
        let first_moves = if last == NO_MOVE { context.root(root).own.first_moves } else { ALL_MOVES };
        for mv in bits(useful) {
            let cube_move = to_cube[mv];
            if first_moves >> cube_move & 1 == 0 {
                continue;
            }
            let (path, carried) = (path.with(cube_move), tables.carried_after(carried, usize::from(cube_move)));
            let child = |position| Node { path, position, carried, root, left, last: cube_move };
            if left == 0 {
                out.arrivals.push(self.arrive(&child(position), context));
                continue;
            }
            let position = phase_one.after(position, &effects, mv);
            if !tables.leads_nowhere(position, left) {
                out.nodes.push(child(position));
            }
        }
    }

    #[inline]
    fn arrive(&self, node: &Node, context: &Context<'_, Self>) -> Arrival {
        let &Node { path, root, last, .. } = node;
        let carried = self.tables.prefetch_bounds(&context.root(root).own, node.carried);
        Arrival { path, carried, root, last }
    }

    #[inline]
    fn enter(&self, arrival: Arrival, context: &Context<'_, Self>, out: &mut Vec<PhaseTwoStart>) {
        let Arrival { path, root, last, .. } = arrival;
        let Root { length, own, .. } = context.root(root);
        let used = path.len() + length;
        let Some(left) = context.best.at_most().checked_sub(used) else { return };
        for (variant, inside) in (0..).zip(self.tables.arrivals(own, &arrival, left)) {
            if let Some((inside, bound)) = inside {
                self.tables.prefetch_index(inside);
                let entries = EdgeEntries::default();
                out.push(PhaseTwoStart { path, root, last, variant, used, bound, inside, entries });
            }
        }
    }

    #[inline]
    fn prefetch_entries(&self, start: &mut PhaseTwoStart) {
        start.entries = self.tables.prefetch_inside(start.inside);
    }

    #[inline]
    fn boundary(_: &MoveFacts, last: u8) -> u8 {
        LETTERS as u8 + last
    }

    #[inline]
    fn length(_: &MoveFacts, _: u8) -> u8 {
        1
    }

    #[inline]
    fn children(&self, _: &MoveFacts, inside: Inside, last: u8, left: u8, out: &mut Children) -> usize {
        self.tables.children(inside, FOLLOWERS[usize::from(last)], left, out)
    }

    #[inline]
    fn bound(&self, _: Inside, entries: EdgeEntries, _: u8) -> u8 {
        self.tables.inside_bound(entries)
    }

    #[inline]
    fn is_solved(&self, inside: Inside) -> bool {
        self.tables.is_solved(inside)
    }

    fn write(&self, start: &PhaseTwoStart, way: &[u8], context: &Context<'_, Self>) -> (Vec<Move>, u8) {
        let premoves = context.root(start.root).own.premoves;
        let mut moves = Vec::with_capacity(usize::from(start.used) + way.len());
        moves.extend(start.path.letters().filter_map(Move::try_from_index));
        moves.extend(way.iter().map(|&letter| Move::PHASE_TWO[usize::from(letter)]));
        moves.extend(premoves.moves(start.variant == 1));
        (moves, premoves.len())
    }
}

/// The roots of a direction with each of some pre-moves.
struct Prepended<'a, P> {
    /// The root without pre-moves.
    plain: Root<MoveRoot>,
    premoves: P,
    roots: &'a mut Vec<Root<MoveRoot>>,
}

impl<'a, P: Iterator<Item = &'a AppliedPremoves>> Kernel for Prepended<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) {
        for AppliedPremoves { premoves, effect } in self.premoves {
            let cube = self.plain.own.cube.with_before(simd, effect);
            let own = MoveRoot { premoves: *premoves, cube, ..self.plain.own };
            self.roots.push(Root { own, ..self.plain });
        }
    }
}

/// Letters of phase 2 that may follow, as masks: after each letter of phase 2, the letters in canonical order; after each move of phase 1,
/// the letters of other faces; after no move, all letters. At the phase boundary both orders of opposite faces are allowed. Phase 1 ends as early as
/// possible. So a half turn that commutes with the last move of phase 1 belongs to phase 2.
static FOLLOWERS: [u32; LETTERS + Move::COUNT + 1] = {
    let mut out = [(1 << LETTERS) - 1; LETTERS + Move::COUNT + 1];
    let mut last = 0;
    while last < LETTERS + Move::COUNT {
        let mut letter = 0;
        while letter < LETTERS {
            let mv = Move::PHASE_TWO[letter];
            let follows = if last < LETTERS {
                mv.may_follow(Move::PHASE_TWO[last])
            } else {
                Move::ALL[last - LETTERS].face() as usize != mv.face() as usize
            };
            if !follows {
                out[last] &= !(1 << letter);
            }
            letter += 1;
        }
        last += 1;
    }
    out
};

/// The tables of a profile, as the two-phase search reads them.
pub(crate) trait PhaseTables: Copy + Sync {
    /// The tables of phase 1.
    type PhaseOne: PhaseOneTables;

    /// Returns the level from which roots with one pre-move are searched.
    fn one_premove_from(&self) -> u8;

    /// Returns the tables of phase 1.
    fn phase_one(&self) -> Self::PhaseOne;

    /// Returns whether no canonical maneuver of `moves_left` moves enters G1 with its last move. It may be true for a
    /// node with such a maneuver if another node leads to the same solutions.
    fn leads_nowhere(&self, node: PhaseOneNode, moves_left: u8) -> bool;

    /// Returns the phase-2 coordinates that the root of a cube carries.
    fn carried(&self, cube: &ByteCube) -> Carried;

    /// Returns the coordinates after one of the 18 moves.
    fn carried_after(&self, carried: Carried, mv: usize) -> Carried;

    /// Prefetches what [`PhaseTables::carried_after`] reads.
    fn prefetch_carried(&self, carried: Carried);

    /// Computes what a twin carries, and prefetches the bounds that [`PhaseTables::arrivals`] reads.
    fn prefetch_bounds(&self, root: &MoveRoot, carried: Carried) -> [Carried; 2];

    /// Returns the phase-2 nodes of an arrival: of the cube, and of its twin. Each has a lower bound on the length of
    /// phase 2. A node whose bound exceeds `left` is `None`.
    fn arrivals(&self, root: &MoveRoot, arrival: &Arrival, left: u8) -> [Option<(Inside, u8)>; 2];

    /// Prefetches what [`PhaseTables::prefetch_inside`] reads.
    fn prefetch_index(&self, inside: Inside);

    /// Finds and prefetches the entries that [`PhaseTables::inside_bound`] reads.
    fn prefetch_inside(&self, inside: Inside) -> EdgeEntries;

    /// Returns the lower bound that [`PhaseTables::children`] has not applied; 0 if it applied all.
    fn inside_bound(&self, entries: EdgeEntries) -> u8;

    /// Returns whether the cube is solved.
    fn is_solved(&self, inside: Inside) -> bool;

    /// Stores the children after the phase-2 moves in the mask `allowed` whose lower bound is below `moves_left`, and returns
    /// their number. The lower bound of the node itself is at most `moves_left`. A child may still be ruled out by [`PhaseTables::inside_bound`].
    fn children(&self, inside: Inside, allowed: u32, moves_left: u8, out: &mut Children) -> usize;
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

    /// Tests the pruning rule in [`MoveAlphabet`](super::MoveAlphabet). The result depends only on the coset of the cube. Every coset
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
