//! Phase 2: solves a cube of G1 within the length that is left.

use super::alphabet::{Alphabet, Child, Context, Inside, NodeCount, PERIOD, PhaseTwoStart};
use crate::search::solution::{Found, Phases};
use superflip_cube::Move;
use superflip_cube::metric::merged;

/// Capacity of the phase-2 path, in letters.
const DEPTHS: usize = 64;

/// Searches for maneuvers inside G1, the shortest first, within the upper bound, and offers the solutions to the incumbent. If one
/// solution is wanted, it stops at the first.
pub(crate) fn search<A: Alphabet>(start: PhaseTwoStart, effort: &mut NodeCount, context: &Context<'_, A>) {
    let PhaseTwoStart { inside, used, bound, .. } = start;
    let bound = bound.max(context.alphabet.bound(inside, start.entries, bound));
    // If all lengths have the same parity, the bound has it too.
    let stride = if context.alphabet.parity().is_some() { 2 } else { 1 };
    let last = A::boundary(context.facts, start.last);
    let give_up_at = effort.nodes.saturating_add(effort.phase_two_nodes);
    let mut search = PhaseTwoSearch { start, way: [0; DEPTHS], length: 0, give_up_at };
    // A bound is 255 where the allowed turns do not solve the cube.
    let fits = |left: &u8| used.checked_add(*left).is_some_and(|length| length <= context.best.at_most());
    for left in (bound..).step_by(stride).take_while(fits) {
        search.length = used + left;
        if search.within(effort, inside, last, 0, left, context) || effort.halted.is_some() {
            return;
        }
    }
}

/// One phase-2 search.
struct PhaseTwoSearch {
    start: PhaseTwoStart,
    way: [u8; DEPTHS],
    /// Length of the solutions, before moves are merged where two parts join.
    length: u8,
    /// Node count at which the search gives up.
    give_up_at: u64,
}

impl PhaseTwoSearch {
    /// Offers the solutions with exactly the length `left` inside G1, after the letters in `way[..depth]`. Returns
    /// whether phase 2 ends, as [`PhaseTwoSearch::offer`] does.
    fn within<A: Alphabet>(
        &mut self,
        effort: &mut NodeCount,
        inside: Inside,
        last: u8,
        depth: usize,
        left: u8,
        context: &Context<'_, A>,
    ) -> bool {
        let alphabet = &context.alphabet;
        if left == 0 {
            return alphabet.is_solved(inside) && self.offer(&self.way[..depth], context);
        }
        effort.nodes += 1;
        if effort.nodes >= self.give_up_at || effort.halted.is_some() {
            return false;
        }
        if effort.nodes.is_multiple_of(PERIOD) {
            effort.halted = context.check().err();
        }
        let mut children = A::Children::default();
        let count = alphabet.children(context.facts, inside, last, left, &mut children);
        for &Child { letter, inside, entries } in &children.as_mut()[..count] {
            let left = left - A::length(context.facts, letter);
            if alphabet.bound(inside, entries, left) > left {
                continue;
            }
            self.way[depth] = letter;
            if self.within(effort, inside, letter, depth + 1, left, context) {
                return true;
            }
        }
        false
    }

    /// Offers the solution with these letters in phase 2, translated from the root's direction to the original cube. Returns whether
    /// phase 2 ends: one solution is enough, or the upper bound has fallen below the length of this one.
    fn offer<A: Alphabet>(&self, way: &[u8], context: &Context<'_, A>) -> bool {
        let best = context.best;
        let direction = &A::directions(context.facts)[usize::from(context.root(self.start.root).direction)];
        let (moves, premoves) = context.alphabet.write(&self.start, way, context);
        // Moves of one face may meet where two parts join; they are then merged.
        let mut moves = merged(&moves);
        let mut lengths = part_lengths(&moves, premoves);
        let turns = best.goal().turns;
        if !turns.is_all() {
            // Phase 2 is made of runs of allowed turns, so there is a way to write them.
            let spelled = turns.conjugate(direction.symmetry).spell(&moves, best.goal().metric).unwrap_or_default();
            let mut words = spelled.iter().map(Vec::len);
            lengths = lengths.map(|length| words.by_ref().take(length.into()).sum::<usize>() as u8);
            moves = spelled.concat();
        }
        if direction.inverse {
            lengths.reverse();
        }
        best.offer(Found {
            moves: direction.translate(&moves),
            phases: Phases::TwoPhase { axis: direction.axis, inverse: direction.inverse, lengths },
        });
        !best.wants_several() || best.is_reached() || best.at_most() < self.length
    }
}

/// Returns the lengths of phase 1, phase 2 and pre-moves. The pre-moves were `premoves` moves before merging. Merging may
/// exchange opposite faces across a boundary, or make a part empty. So phase 2 is found again: the longest sequence of
/// G1 moves that ends near the pre-moves.
fn part_lengths(moves: &[Move], premoves: u8) -> [u8; 3] {
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
