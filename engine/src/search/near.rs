//! Shortest solutions for cubes at most ten turns from solved.
//!
//! Iterative deepening from the cube's side, cut by the exact phase-1 distances along all three axes, meets the set of
//! all positions at most five turns from solved ([`crate::tables::pruning::near`]): with five turns left a look-up says whether
//! they suffice. A far cube is cut at its root. A cube inside the half-turn group, where those distances are all 0, is
//! cut by nothing, and still costs at most the 622 000 positions five turns around it: the set sees everything.

use super::directions::{Direction, PhaseOneNode};
use super::frames::{FRAMES, NO_TURN};
use super::stop::{Clock, Halt};
use crate::cube::{Axis, Cube, Move, Symmetry};
use crate::tables::pruning::near::{RADIUS, distance, way_home};
use crate::tables::pruning::phase_one::PhaseOne;
use crate::tables::{Id, Tables};

/// How far the search reaches.
pub const REACH: u8 = 10;

/// One near search.
pub struct Near<'t> {
    ball: &'t [u32],
    phase_one: PhaseOne<'t>,
    cube: Cube,
    start: [PhaseOneNode; Axis::COUNT],
    path: Vec<Move>,
    /// The solutions found so far, when all of one length are collected.
    all: Option<ShortestSolutions>,
}

/// All shortest solutions of a cube, those counted once that differ in the order of turns of opposite faces.
#[derive(Debug)]
pub struct ShortestSolutions {
    /// Number of solutions.
    pub count: u64,
    /// The first of them, in the order of turns.
    pub first: Vec<Vec<Move>>,
    /// Number of solutions to keep.
    limit: usize,
}

impl<'t> Near<'t> {
    /// `directions` are those of `cube`, its own three first.
    pub fn new(tables: &'t Tables, cube: &Cube, directions: &[Direction; 6]) -> Self {
        Self {
            ball: tables.opened().u32s(Id::Near),
            phase_one: tables.phase_one(),
            cube: *cube,
            start: std::array::from_fn(|axis| directions[axis].start),
            path: Vec::new(),
            all: None,
        }
    }

    /// A shortest solution, or how many turns any solution takes at least: more than [`REACH`], or `lower_bound` when
    /// that is more already.
    ///
    /// # Errors
    /// Why the search was halted before it knew, and how many turns any solution takes at least: all shorter lengths were exhausted.
    pub fn search(mut self, lower_bound: u8, clock: &mut Clock<'_>) -> Result<Result<Vec<Move>, u8>, (Halt, u8)> {
        for length in lower_bound..=REACH {
            let (cube, start) = (self.cube, self.start);
            if self.deepen(&cube, &start, length, NO_TURN, clock).map_err(|halt| (halt, length))? {
                return Ok(Ok(self.path));
            }
        }
        Ok(Err(lower_bound.max(REACH + 1)))
    }

    /// Collects all solutions of `length` turns and keeps the first `limit`, for a cube with no shorter ones.
    ///
    /// # Errors
    /// The reason why the search was halted, with what it had found before.
    pub fn collect(
        mut self,
        length: u8,
        limit: usize,
        clock: &mut Clock<'_>,
    ) -> Result<ShortestSolutions, (Halt, ShortestSolutions)> {
        let (cube, start) = (self.cube, self.start);
        self.all = Some(ShortestSolutions { count: 0, first: Vec::new(), limit });
        let result = self.deepen(&cube, &start, length, NO_TURN, clock);
        let all = self.all.take().unwrap_or(ShortestSolutions { count: 0, first: Vec::new(), limit });
        match result {
            Ok(_) => Ok(all),
            Err(halt) => Err((halt, all)),
        }
    }

    /// Whether the cube can be solved in `togo` turns; the turns are then in the path. Always false while solutions are collected.
    fn deepen(
        &mut self,
        cube: &Cube,
        nodes: &[PhaseOneNode; Axis::COUNT],
        togo: u8,
        last: u8,
        clock: &mut Clock<'_>,
    ) -> Result<bool, Halt> {
        clock.tick()?;
        if togo <= RADIUS {
            if distance(self.ball, cube).is_none_or(|left| left > togo) {
                return Ok(false);
            }
            if self.all.is_some() {
                self.walk_all(cube, togo, last, clock)?;
                return Ok(false);
            }
            return Ok(self.walk_home(cube));
        }
        let steps = nodes.map(|node| self.phase_one.steps(node.class, node.twist));
        for turn in Move::ALL.into_iter().filter(|turn| may_follow(*turn, last)) {
            let seen: [usize; Axis::COUNT] = std::array::from_fn(|axis| seen_along(axis, turn, nodes[axis].symmetry));
            let fits = |axis: usize| {
                let steps = steps[axis];
                let nearer = steps.nearer >> seen[axis] & 1;
                let not_farther = steps.not_farther >> seen[axis] & 1;
                u32::from(nodes[axis].distance) + 1 - nearer - not_farther < u32::from(togo)
            };
            if !(0..Axis::COUNT).all(fits) {
                continue;
            }
            let after = std::array::from_fn(|axis| nodes[axis].after(&self.phase_one, steps[axis], seen[axis]));
            self.path.push(turn);
            if self.deepen(&cube.then(turn.cube()), &after, togo - 1, turn.index() as u8, clock)? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }

    /// Adds the way to solved; there is none should the set have taken the cube for another.
    fn walk_home(&mut self, cube: &Cube) -> bool {
        let way = way_home(self.ball, cube);
        self.path.extend(way.iter().flatten());
        way.is_some()
    }

    /// Collects the solutions that go on with `togo` turns from here.
    fn walk_all(&mut self, cube: &Cube, togo: u8, last: u8, clock: &mut Clock<'_>) -> Result<(), Halt> {
        if togo == 0 {
            if let Some(all) = self.all.as_mut().filter(|_| cube.is_solved()) {
                all.count += 1;
                if all.first.len() < all.limit {
                    all.first.push(self.path.clone());
                }
            }
            return Ok(());
        }
        for turn in Move::ALL.into_iter().filter(|turn| may_follow(*turn, last)) {
            clock.tick()?;
            let after = cube.then(turn.cube());
            if distance(self.ball, &after).is_some_and(|left| left < togo) {
                self.path.push(turn);
                self.walk_all(&after, togo - 1, turn.index() as u8, clock)?;
                self.path.pop();
            }
        }
        Ok(())
    }
}

fn may_follow(turn: Move, last: u8) -> bool {
    Move::try_from_index(usize::from(last)).is_none_or(|last| turn.may_follow(last))
}

/// A turn of the cube in the frame of the representative that the cube has along an axis.
fn seen_along(axis: usize, turn: Move, symmetry: u8) -> usize {
    let along = (0..axis).fold(turn, |turn, _| Symmetry::DIAGONAL.conjugate_move(turn));
    usize::from(FRAMES.to_representative[usize::from(symmetry)][along.index()])
}
