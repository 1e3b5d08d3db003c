//! Phase 2: solves a cube of G1 within the moves that are left.

use super::context::{NodeCount, PERIOD, SearchContext};
use super::path::MovePath;
use super::views::{Children, Inside, PhaseTables};
use crate::search::frames::NO_MOVE;
use crate::search::solution::{Found, Phases};
use crate::tables::pruning::phase_two::EdgeEntries;
use superflip_cube::Move;
use superflip_cube::metric::merged;

/// Capacity of the phase-2 path. No maneuver of phase 2 takes more than 18 moves.
const DEPTHS: usize = 32;

/// A cube in G1 whose phase-2 bound is not above the moves left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingPhaseTwo {
    path: MovePath,
    root: u16,
    is_twin: bool,
    bound: u8,
    inside: Inside,
    entries: EdgeEntries,
}

impl PendingPhaseTwo {
    pub(crate) fn new(path: MovePath, root: u16, is_twin: bool, inside: Inside, bound: u8) -> Self {
        Self { path, root, is_twin, bound, inside, entries: EdgeEntries::default() }
    }

    /// Prefetches the entries that the search reads first.
    #[inline]
    pub(crate) fn prefetch(&mut self, tables: impl PhaseTables) {
        self.entries = tables.prefetch_inside(self.inside);
    }

    /// Searches for maneuvers inside G1, the shortest first, within the upper bound, and offers the solutions to the
    /// incumbent. If one solution is wanted, it stops at the first.
    pub(crate) fn finish(self, effort: &mut NodeCount, context: &SearchContext<'_, impl PhaseTables>) {
        let used = self.path.len() + context.roots[usize::from(self.root)].premoves.len();
        let bound = self.bound.max(context.tables.inside_bound(self.entries));
        let mut search = PhaseTwoSearch {
            start: self,
            way: [Move::U; DEPTHS],
            give_up_at: effort.nodes.saturating_add(effort.phase_two_nodes),
        };
        let last = self.path.last();
        for moves_left in (bound..).take_while(|moves_left| used + moves_left <= context.best_solutions.at_most()) {
            if search.within(effort, self.inside, last, 0, moves_left, context) || effort.halted.is_some() {
                return;
            }
        }
    }

    /// Offers the solution with these moves in phase 2. Returns whether phase 2 ends: one solution is enough, or the
    /// upper bound has fallen below the length of this one.
    fn offer(&self, inside: &[Move], context: &SearchContext<'_, impl PhaseTables>) -> bool {
        let premoves = context.roots[usize::from(self.root)].premoves;
        let phase_one = self.path.moves().filter_map(Move::try_from_index);
        let mut moves: Vec<Move> = Vec::with_capacity(usize::from(self.path.len() + premoves.len()) + inside.len());
        moves.extend(phase_one.chain(inside.iter().copied()).chain(premoves.moves(self.is_twin)));
        record(&moves, premoves.len(), self.root, context);
        let best_solutions = context.best_solutions;
        !best_solutions.wants_several()
            || best_solutions.is_reached()
            || usize::from(best_solutions.at_most()) < moves.len()
    }
}

/// One phase-2 search.
struct PhaseTwoSearch {
    start: PendingPhaseTwo,
    way: [Move; DEPTHS],
    /// Node count at which the search gives up.
    give_up_at: u64,
}

impl PhaseTwoSearch {
    /// Offers the solutions with exactly `moves_left` moves inside G1, after the moves in `way[..depth]`. Returns
    /// whether phase 2 ends, as [`PendingPhaseTwo::offer`] does.
    fn within(
        &mut self,
        effort: &mut NodeCount,
        inside: Inside,
        last: Option<Move>,
        depth: usize,
        moves_left: u8,
        context: &SearchContext<'_, impl PhaseTables>,
    ) -> bool {
        let tables = &context.tables;
        if moves_left == 0 {
            return tables.is_solved(inside) && self.start.offer(&self.way[..depth], context);
        }
        effort.nodes += 1;
        if effort.nodes >= self.give_up_at || effort.halted.is_some() {
            return false;
        }
        if effort.nodes.is_multiple_of(PERIOD) {
            effort.halted = context.check().err();
        }
        // At the phase boundary both orders of opposite faces are allowed. Phase 1 ends as early as possible. So a half
        // turn that commutes with the last move of phase 1 belongs to phase 2.
        let followers = &FOLLOWERS[usize::from(depth > 0)];
        let allowed = followers[last.map_or(usize::from(NO_MOVE), Move::index)];
        let mut children = Children::default();
        let count = tables.children(inside, allowed, moves_left, &mut children);
        for child in &children[..count] {
            if tables.inside_bound(child.entries) >= moves_left {
                continue;
            }
            let mv = Move::PHASE_TWO[usize::from(child.number)];
            self.way[depth] = mv;
            if self.within(effort, child.inside, Some(mv), depth + 1, moves_left - 1, context) {
                return true;
            }
        }
        false
    }
}

/// Phase-2 moves that may follow a move, as masks of their numbers: at the phase boundary those of another face, later those
/// in canonical order. The last entry is for no move before.
static FOLLOWERS: [[u32; Move::COUNT + 1]; 2] = {
    let mut out = [[(1 << Move::PHASE_TWO.len()) - 1; Move::COUNT + 1]; 2];
    let mut last = 0;
    while last < Move::COUNT {
        let mut number = 0;
        while number < Move::PHASE_TWO.len() {
            let (before, mv) = (Move::ALL[last], Move::PHASE_TWO[number]);
            if before.face() as usize == mv.face() as usize {
                out[0][last] &= !(1 << number);
            }
            if !mv.may_follow(before) {
                out[1][last] &= !(1 << number);
            }
            number += 1;
        }
        last += 1;
    }
    out
};

/// Offers a solution, translated from the root's direction to the original cube. It ends with `premoves` pre-moves.
fn record(moves: &[Move], premoves: u8, root: u16, context: &SearchContext<'_, impl PhaseTables>) {
    let direction = &context.directions[context.roots[usize::from(root)].direction];
    // Moves of one face may meet where two parts join; they are then merged.
    let moves = merged(moves);
    let lengths = part_lengths(&moves, premoves);
    let moves = direction.translate(&moves);
    let lengths = if direction.inverse { [lengths[2], lengths[1], lengths[0]] } else { lengths };
    context.best_solutions.offer(Found {
        moves: moves.into(),
        phases: Phases::TwoPhase { axis: direction.axis, inverse: direction.inverse, lengths },
    });
}

/// Returns the lengths of phase 1, phase 2 and pre-moves, the last of which was `premoves` before merging. Merging may
/// exchange opposite faces across a boundary, or make a part empty. So phase 2 is found again: the longest sequence of
/// G1 moves that ends near the pre-moves.
pub(crate) fn part_lengths(moves: &[Move], premoves: u8) -> [u8; 3] {
    let length = moves.len() as u8;
    let split = |after: u8| {
        let end = length - after;
        let last = moves[..usize::from(end)].iter().rposition(|mv| !Move::PHASE_TWO.contains(mv));
        let before = last.map_or(0, |last| last as u8 + 1);
        [before, end - before, after]
    };
    // A half turn that was exchanged with the first pre-move makes the last part longer by one.
    let splits = (0..=length.min(premoves + 1)).map(split);
    splits.max_by_key(|&[_, inside, after]| (inside, after == premoves)).unwrap_or([length, 0, 0])
}
