//! The alphabet of moves: two-phase searches in HTM with all turns.
//!
//! Phase 1 has the 18 moves, and phase 2 the ten moves of G1. The canonical order needs the last move.
//! [`PhaseTables`] reads the tables of a profile.
//! Pre-moves that differ in the direction of their first turn share a root: they are twins (`premove`).
//!
//! Symmetry reduction: of several branches that a symmetry of the cube maps to one another, one is searched.
//!
//! If `S C S^-1 = C`, then S maps every solution of C to a solution of the same length. So if S maps several
//! directions, first moves or pre-moves to one another, one of them is enough. For directions, the same holds if `S C
//! S^-1` is the inverse cube.
//!
//! Hardly any random cube is symmetric, so the test must be cheap for such cubes. But the hardest cubes are symmetric:
//! the superflip has all 48 symmetries and is its own inverse.

use std::cell::RefCell;
use std::thread::LocalKey;

use crate::search::phase_one::{Direction, FRAMES, NO_MOVE, PhaseOneNode, PhaseOneTables};
use crate::search::two_phase::alphabet::{
    Alphabet, Arrival, Buffers, Carried, Context, Frontier, Inside, Node, PhaseTwoStart, Root,
};
use crate::search::two_phase::phase_tables::{Children, LETTERS, MoveRoot, PhaseTables};
use crate::search::two_phase::premove::{AppliedPremoves, Premoves};
use crate::tables::Tables;
use crate::tables::pruning::phase_one::{ALL_MOVES, Neighbours, bits};
use crate::tables::pruning::phase_two::EdgeEntries;
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, Edge, Move, Symmetry};

/// Level from which roots with two pre-moves are searched.
const TWO_PREMOVES_FROM: u8 = 11;
/// Number of roots whose coordinates are looked up together, so that their memory accesses overlap.
const TOGETHER: usize = 64;

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
        for (index, direction) in directions.iter().enumerate().filter(|(index, _)| reduction.keeping[*index].is_some())
        {
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

/// The branches to search in each direction.
#[derive(Debug)]
pub(crate) struct SymmetryReduction {
    /// For each direction, the symmetries of its cube that keep the axis, without the identity. `None` if the direction
    /// is the image of an earlier one.
    keeping: [Option<Vec<Symmetry>>; 6],
}

impl SymmetryReduction {
    /// Searches every branch. Solutions that must avoid axes need it, because the image of one under a symmetry may not
    /// avoid them. A search for several solutions needs it, because the images are solutions too.
    pub(crate) fn none() -> Self {
        Self { keeping: std::array::from_fn(|_| Some(Vec::new())) }
    }

    /// Finds the symmetries of a cube, given its six directions.
    pub(crate) fn new(directions: &[Direction; 6]) -> Self {
        let (cube, inverse) = (&directions[0].cube, &directions[3].cube);
        let is_symmetric = leads(Symmetry::IDENTITY, cube, inverse)
            || INVOLUTIONS.iter().any(|&s| leads(s, cube, cube) || leads(s, cube, inverse))
            || THIRD_TURNS.iter().any(|&s| leads(s, cube, cube));
        if !is_symmetric {
            return Self::none();
        }
        let keeping_axis = || Symmetry::all().take(Symmetry::KEEPING_UD);
        Self {
            keeping: std::array::from_fn(|i| {
                let cube = &directions[i].cube;
                let is_image =
                    directions[..i].iter().any(|before| keeping_axis().any(|s| leads(s, &before.cube, cube)));
                (!is_image).then(|| keeping_axis().skip(1).filter(|&s| leads(s, cube, cube)).collect())
            }),
        }
    }

    /// Returns the moves of the direction that are not images of earlier moves, as a mask.
    pub(crate) fn first_moves(&self, direction: usize) -> u32 {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let is_first = |mv: &Move| keeping.iter().all(|s| s.conjugate_move(*mv) >= *mv);
        Move::ALL.iter().filter(|mv| is_first(mv)).fold(0, |mask, mv| mask | 1 << mv.index())
    }

    /// Returns the given pre-moves of one length that are not images of earlier ones.
    pub(crate) fn premoves<'a>(
        &'a self,
        direction: usize,
        premoves: &'a [AppliedPremoves],
    ) -> impl Iterator<Item = &'a AppliedPremoves> {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let place = move |image: Premoves| premoves.iter().position(|other| other.premoves == image);
        // A pre-move whose image is not in the list (opposite faces in the other order) is searched too; that only
        // costs time.
        let is_first = move |at: usize| {
            let image = |s: &Symmetry| premoves[at].premoves.map(|mv| s.conjugate_move(mv));
            keeping.iter().all(|s| place(image(s)).is_none_or(|image| image >= at))
        };
        premoves.iter().enumerate().filter(move |(at, _)| is_first(*at)).map(|(_, premoves)| premoves)
    }
}

/// The symmetries of order 2, and the symmetries of order 3. If a symmetry other than the identity maps a cube to itself, so do its
/// powers, and one power is among these. If a symmetry maps the cube to its inverse, its square maps the cube to itself. So these decide
/// whether a cube has symmetries.
static INVOLUTIONS: [Symmetry; 19] = of_order(2);
static THIRD_TURNS: [Symmetry; 8] = of_order(3);

/// Returns the symmetries of a prime order.
const fn of_order<const N: usize>(order: usize) -> [Symmetry; N] {
    let mut out = [Symmetry::IDENTITY; N];
    let (mut number, mut index) = (0, 1);
    while index < Symmetry::COUNT {
        let symmetry = Symmetry::try_from_index(index).expect("one of the 48");
        let (mut power, mut exponent) = (symmetry, 1);
        while exponent < order {
            power = power.then(symmetry);
            exponent += 1;
        }
        if power.index() == 0 {
            out[number] = symmetry;
            number += 1;
        }
        index += 1;
    }
    assert!(number == N, "there are as many");
    out
}

/// Returns whether `s` maps one cube to the other. The edges are compared first; the first of them nearly always decides.
fn leads(s: Symmetry, from: &ByteCube, to: &ByteCube) -> bool {
    let piece = |cube: &ByteCube, slot: Edge| Edge::ALL[usize::from(cube.edges.0[slot.index()] & 15)];
    let is_image = |&slot: &Edge| piece(to, s.conjugate_edge(slot)) == s.conjugate_edge(piece(from, slot));
    is_image(&Edge::ALL[0]) && Edge::ALL.iter().all(is_image) && s.conjugate(&from.cube()) == to.cube()
}

#[cfg(test)]
mod tests {
    use crate::coord::{FLIP_SLICE, TWIST};
    use superflip_cube::{Cube, Move};

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

    /// Tests the pruning rule in [`MoveAlphabet`](MoveAlphabet). The result depends only on the coset of the cube. Every coset
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
