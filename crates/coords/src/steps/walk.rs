//! The search of one step in one frame: every solution of a given length.
//!
//! Moves on the normal side follow the cube, moves on the inverse side follow its inverse. If the reached cubes form a group, a
//! cube is in it exactly if its inverse is. So a solution with moves on both sides can be searched one side after the other:
//! first the shorter part without a bound, then the other with the bounds of the inverse of the cube reached.
//!
//! Left out are solutions that reach the goal before their last move, and those with a move that can be dropped from a
//! group of turns of opposite faces at their end.

use super::goal::target::StepGraph;
use super::move_set::MoveSet;
use superflip_cube::{Cube, Face, Move};
use superflip_solver::Cancelled;
use superflip_solver::control::Clock;

/// The sides on which the moves of a step are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sides {
    pub(crate) normal: bool,
    pub(crate) inverse: bool,
    /// Whether one solution may have moves on both sides.
    pub(crate) both: bool,
}

/// The start of a search in one frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// The cube and its inverse, in the base frame.
    pub(crate) cubes: [Cube; 2],
    /// The moves of the step in the base frame.
    pub(crate) moves: MoveSet,
    /// The moves that may come first on each side.
    pub(crate) first: [MoveSet; 2],
    /// The moves that keep the goal, if the reached cubes form a group.
    pub(crate) keeping: MoveSet,
    /// Whether one solution stands for all that are equal up to turns of the slice between U and D.
    pub(crate) one_slice: bool,
}

/// Receives the moves on the normal and on the inverse side. Returns whether the search ends.
pub(crate) type Report<'r> = &'r mut dyn FnMut(&[Move], &[Move]) -> bool;

/// A search in one frame.
pub(crate) struct Walker<'w, 'c, G: StepGraph> {
    pub(crate) graph: &'w G,
    pub(crate) start: &'w Start,
    pub(crate) clock: &'w mut Clock<'c>,
    pub(crate) report: Report<'w>,
    /// The moves on each side.
    paths: [Vec<Move>; 2],
}

impl<'w, 'c, G: StepGraph> Walker<'w, 'c, G> {
    pub(crate) fn new(graph: &'w G, start: &'w Start, clock: &'w mut Clock<'c>, report: Report<'w>) -> Self {
        Self { graph, start, clock, report, paths: [Vec::new(), Vec::new()] }
    }

    /// Reports every solution of `length` moves. Returns whether the report ended the search.
    pub(crate) fn of_length(&mut self, length: u8, sides: Sides) -> Result<bool, Cancelled> {
        let state = self.graph.state(&self.start.cubes[0]);
        if self.is_reached(state) {
            return Ok(length == 0 && (self.report)(&[], &[]));
        }
        if length == 0 {
            return Ok(false);
        }
        for (side, is_wanted) in [sides.normal, sides.inverse].into_iter().enumerate() {
            if is_wanted && self.one_side(side, length)? {
                return Ok(true);
            }
        }
        if sides.both {
            for normal in 1..length {
                let inverse = length - normal;
                // The shorter part comes first.
                let (side, part) = if normal <= length / 2 { (0, normal) } else { (1, inverse) };
                let state = self.graph.state(&self.start.cubes[side]);
                let other = self.start.cubes[1 - side];
                if self.first_part(side, state, &other, part, length - part)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_reached(&self, state: G::State) -> bool {
        self.graph.bound(state) == 0 && self.graph.is_reached(state)
    }

    /// Returns the moves that may come next on a side.
    fn next(&self, side: usize) -> MoveSet {
        let next = match self.paths[side].last() {
            None => self.start.first[side],
            Some(last) => MoveSet::followers(*last),
        };
        let next = self.start.moves.and(next);
        if self.start.one_slice { next.without(self.slice_variants(side)) } else { next }
    }

    /// Returns the next moves on a side with which the solution would be equal to another up to turns of the slice between U and D.
    ///
    /// A turn of D is one of U with a turn of that slice and a rotation of the cube, which turns the moves that follow along. So U can
    /// stand for D, but the quarter turns of D must stay even or odd in number, because a quarter rotation does not keep the goal:
    /// only the first quarter turn may be one of D. The normal side comes first. A turn of U and one of D in a row are one turn or none,
    /// unless both are the only quarter turns.
    fn slice_variants(&self, side: usize) -> MoveSet {
        let quarters = |side: usize| self.paths[side].iter().filter(|mv| MoveSet::UD_QUARTERS.contains(**mv));
        let of_d = MoveSet::face(Face::D);
        let quarters_of_d = MoveSet::UD_QUARTERS.and(of_d);
        let mut out = MoveSet::of(&[Move::D2]);
        let last = self.paths[side].last().copied();
        let before = if side == 0 { 0 } else { quarters(0).count() };
        let is_first = match before + quarters(side).count() {
            0 => last != Some(Move::U2),
            1 => matches!(last, Some(Move::U | Move::Ui)),
            _ => false,
        };
        if !is_first {
            out = out.or(quarters_of_d);
        }
        if last.is_some_and(|last| last.face() == Face::D) {
            out = out.or(MoveSet::face(Face::U));
        }
        // The inverse side may have been walked before.
        if side == 0 && quarters(1).any(|mv| of_d.contains(*mv)) {
            out = out.or(MoveSet::UD_QUARTERS);
        }
        out
    }

    /// Walks `left` moves on one side, then searches `rest` moves on the other. `other` is the inverse of the cube reached.
    fn first_part(
        &mut self,
        side: usize,
        state: G::State,
        other: &Cube,
        left: u8,
        rest: u8,
    ) -> Result<bool, Cancelled> {
        for mv in self.next(side).iter() {
            self.clock.tick()?;
            let after = self.graph.after(state, mv);
            if self.is_reached(after) {
                continue;
            }
            // A last move that keeps the goal could be dropped.
            if left == 1 && self.start.keeping.contains(mv) {
                continue;
            }
            let opposite = self.paths[side].last().filter(|last| last.face() == mv.face().opposite());
            if left == 1 && opposite.is_some_and(|&last| self.start.keeping.contains(last)) {
                continue;
            }
            let other = mv.inverse().cube().then(other);
            self.paths[side].push(mv);
            let is_ended = if left == 1 {
                self.search_cube(1 - side, &other, rest)
            } else {
                self.first_part(side, after, &other, left - 1, rest)
            };
            if is_ended? {
                return Ok(true);
            }
            self.paths[side].pop();
        }
        Ok(false)
    }

    fn one_side(&mut self, side: usize, length: u8) -> Result<bool, Cancelled> {
        let cube = self.start.cubes[side];
        self.search_cube(side, &cube, length)
    }

    fn search_cube(&mut self, side: usize, cube: &Cube, length: u8) -> Result<bool, Cancelled> {
        let state = self.graph.state(cube);
        if self.graph.bound(state) > length {
            return Ok(false);
        }
        let moves = self.next(side);
        self.deepen(side, None, state, moves, length)
    }

    /// Searches `left` moves on one side. `before` is the state before the last move.
    fn deepen(
        &mut self,
        side: usize,
        before: Option<G::State>,
        state: G::State,
        moves: MoveSet,
        left: u8,
    ) -> Result<bool, Cancelled> {
        for mv in moves.iter() {
            let after = self.graph.after(state, mv);
            let bound = self.graph.bound(after);
            if bound >= left {
                continue;
            }
            if left == 1 {
                if self.graph.is_reached(after) && !self.is_last_but_one_spare(side, before, mv) {
                    self.paths[side].push(mv);
                    if (self.report)(&self.paths[0], &self.paths[1]) {
                        return Ok(true);
                    }
                    self.paths[side].pop();
                }
                continue;
            }
            if bound == 0 && self.graph.is_reached(after) {
                continue;
            }
            self.clock.tick()?;
            self.paths[side].push(mv);
            let next = self.next(side);
            if self.deepen(side, Some(state), after, next, left - 1)? {
                return Ok(true);
            }
            self.paths[side].pop();
        }
        Ok(false)
    }

    /// Returns whether the last move alone reaches the goal from the state before the move that it commutes with.
    fn is_last_but_one_spare(&self, side: usize, before: Option<G::State>, mv: Move) -> bool {
        let commutes = self.paths[side].last().is_some_and(|last| last.face() == mv.face().opposite());
        commutes && before.is_some_and(|before| self.is_reached(self.graph.after(before, mv)))
    }
}
