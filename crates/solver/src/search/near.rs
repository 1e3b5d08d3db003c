//! Optimal solutions of cubes at most ten moves from solved.
//!
//! The near search is IDA* to depth ten. Above the last five moves, the pruning bounds are the exact phase-1 distances
//! along the three axes. At five moves left, one look-up in the near set decides. The near set contains all positions
//! at most five moves from solved ([`crate::tables::pruning::near`]).
//!
//! For a cube more than ten moves from solved, the distances usually prune the root or its children. In the worst case,
//! a cube in the half-turn group, all three distances are 0 and prune nothing at the root. The search for ten moves
//! then looks up at most 577 368 nodes in the near set, one for each canonical maneuver of five moves.
#![allow(clippy::cast_possible_truncation)] // indices of moves and lengths of at most 10 fit in 8 bits

use std::ops::RangeInclusive;

use super::directions::Direction;
use super::frames::{FRAMES, NO_MOVE};
use super::phase_one::{PhaseOneNode, PhaseOneTables};
use crate::control::{Cancelled, Clock};
use crate::tables::pruning::near::{RADIUS, distance, way_home};
use crate::tables::pruning::phase_one::PhaseOne;
use crate::tables::{Id, Tables};
use superflip_cube::{Axis, Cube, Move, Symmetry};

/// Greatest distance from solved that the near search covers.
pub const REACH: u8 = 10;

/// One near search.
///
/// # Examples
/// ```no_run
/// use superflip_solver::control::{Clock, Control};
/// use superflip_solver::search::{directions::Direction, near::Near};
/// use superflip_solver::Solver;
///
/// let solver = Solver::open_default()?;
/// let (tables, control, cube) = (solver.tables(), Control::new(), "R U F".parse()?);
/// let near = Near::new(tables, &cube, &Direction::all(tables, &cube));
/// let found = near.search(1, &mut Clock::new(&control)).map_err(|_| "cancelled")?;
/// assert_eq!(found.map(|moves| moves.len()), Ok(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Near<'t> {
    set: &'t [u32],
    phase_one: PhaseOne<'t>,
    cube: Cube,
    start: [PhaseOneNode; Axis::COUNT],
    path: Vec<Move>,
    /// Solutions found so far, when all solutions of one length are collected.
    all: Option<ShortestSolutions>,
}

/// All optimal solutions of a cube. Solutions that differ only in the order of moves of opposite faces count once.
#[derive(Debug)]
pub struct ShortestSolutions {
    /// Number of solutions.
    pub count: u64,
    /// The first solutions, in the order of moves.
    pub first: Vec<Vec<Move>>,
    /// Number of solutions to keep.
    limit: usize,
}

impl<'t> Near<'t> {
    /// Creates a search. `directions` are those of `cube`, its own three first.
    pub fn new(tables: &'t Tables, cube: &Cube, directions: &[Direction; 6]) -> Self {
        Self {
            set: tables.opened().u32s(Id::Near),
            phase_one: tables.phase_one(),
            cube: *cube,
            start: std::array::from_fn(|axis| directions[axis].start),
            path: Vec::new(),
            all: None,
        }
    }

    /// Returns an optimal solution, or a lower bound on its length: the greater of `lower_bound` and [`REACH`] + 1.
    ///
    /// # Errors
    /// Why the search ended early, and a lower bound: all shorter lengths were exhausted.
    pub fn search(self, lower_bound: u8, clock: &mut Clock<'_>) -> Result<Result<Vec<Move>, u8>, (Cancelled, u8)> {
        Ok(self.shortest(lower_bound..=REACH, clock)?.ok_or(lower_bound.max(REACH + 1)))
    }

    /// Returns a solution of the least of these lengths that has one.
    fn shortest(
        mut self,
        lengths: RangeInclusive<u8>,
        clock: &mut Clock<'_>,
    ) -> Result<Option<Vec<Move>>, (Cancelled, u8)> {
        for length in lengths {
            let (cube, start) = (self.cube, self.start);
            if self.deepen(&cube, &start, length, NO_MOVE, clock).map_err(|halt| (halt, length))? {
                return Ok(Some(self.path));
            }
        }
        Ok(None)
    }

    /// Returns whether the cube has a solution of at most `length` moves, which is at most [`REACH`].
    ///
    /// # Errors
    /// Why the search ended early.
    pub fn is_within(self, length: u8, clock: &mut Clock<'_>) -> Result<bool, Cancelled> {
        self.shortest(0..=length, clock).map(|found| found.is_some()).map_err(|(halt, _)| halt)
    }

    /// Collects all solutions of `length` moves and keeps the first `limit`. The cube must have no shorter ones. If the
    /// search ended early, it also returns the reason, and some solutions are missing.
    pub fn collect(
        mut self,
        length: u8,
        limit: usize,
        clock: &mut Clock<'_>,
    ) -> (ShortestSolutions, Option<Cancelled>) {
        let (cube, start) = (self.cube, self.start);
        self.all = Some(ShortestSolutions { count: 0, first: Vec::new(), limit });
        let result = self.deepen(&cube, &start, length, NO_MOVE, clock);
        let all = self.all.take().unwrap_or(ShortestSolutions { count: 0, first: Vec::new(), limit });
        (all, result.err())
    }

    /// Returns whether the cube can be solved in `moves_left` moves, and appends them to the path. While all solutions
    /// are collected, it returns false for each, so that the search continues.
    fn deepen(
        &mut self,
        cube: &Cube,
        nodes: &[PhaseOneNode; Axis::COUNT],
        moves_left: u8,
        last: u8,
        clock: &mut Clock<'_>,
    ) -> Result<bool, Cancelled> {
        clock.tick()?;
        if moves_left <= RADIUS {
            if distance(self.set, cube).is_none_or(|left| left > moves_left) {
                return Ok(false);
            }
            if self.all.is_some() {
                self.walk_all(cube, moves_left, last, clock)?;
                return Ok(false);
            }
            return Ok(self.walk_home(cube));
        }
        let effects = nodes.map(|node| PhaseOneTables::move_effects(&self.phase_one, &node));
        let useful: [u32; Axis::COUNT] =
            std::array::from_fn(|axis| self.phase_one.useful(&nodes[axis], &effects[axis], moves_left));
        for mv in Move::ALL.into_iter().filter(|mv| may_follow(*mv, last)) {
            let seen: [usize; Axis::COUNT] = std::array::from_fn(|axis| seen_along(axis, mv, nodes[axis].symmetry));
            if !(0..Axis::COUNT).all(|axis| useful[axis] >> seen[axis] & 1 == 1) {
                continue;
            }
            let after = std::array::from_fn(|axis| {
                PhaseOneTables::after(&self.phase_one, &nodes[axis], &effects[axis], seen[axis])
            });
            self.path.push(mv);
            if self.deepen(&cube.then(mv.cube()), &after, moves_left - 1, mv.index() as u8, clock)? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }

    /// Appends the last moves of the solution. Returns false if there are none, because a hash collision made the set
    /// report a position that it does not contain.
    fn walk_home(&mut self, cube: &Cube) -> bool {
        let way = way_home(self.set, cube);
        self.path.extend(way.iter().flatten());
        way.is_some()
    }

    /// Collects every solution of `moves_left` moves from this node.
    fn walk_all(&mut self, cube: &Cube, moves_left: u8, last: u8, clock: &mut Clock<'_>) -> Result<(), Cancelled> {
        if moves_left == 0 {
            if let Some(all) = self.all.as_mut().filter(|_| cube.is_solved()) {
                all.count += 1;
                if all.first.len() < all.limit {
                    all.first.push(self.path.clone());
                }
            }
            return Ok(());
        }
        for mv in Move::ALL.into_iter().filter(|mv| may_follow(*mv, last)) {
            clock.tick()?;
            let after = cube.then(mv.cube());
            if distance(self.set, &after).is_some_and(|left| left < moves_left) {
                self.path.push(mv);
                self.walk_all(&after, moves_left - 1, mv.index() as u8, clock)?;
                self.path.pop();
            }
        }
        Ok(())
    }
}

fn may_follow(mv: Move, last: u8) -> bool {
    Move::try_from_index(usize::from(last)).is_none_or(|last| mv.may_follow(last))
}

/// Translates a move of the cube into the frame of its representative along an axis.
fn seen_along(axis: usize, mv: Move, symmetry: u8) -> usize {
    let along = (0..axis).fold(mv, |mv, _| Symmetry::DIAGONAL.conjugate_move(mv));
    usize::from(FRAMES.to_representative[usize::from(symmetry)][along.index()])
}
