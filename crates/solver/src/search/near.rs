//! Optimal solutions of cubes at most ten moves from solved.
//!
//! The near search is IDA* to depth ten. Above the last five moves, the pruning bounds are the phase-1 distances along the
//! three axes. Before the last move, the cube is in G1 of that move's axis, so at least one move remains along that axis. At five
//! moves left, one look-up in the near set decides. The near set contains all positions at most five moves from solved
//! ([`crate::tables::pruning::near`]). In the profile `tiny`, the look-up is at four moves left, in a set of radius four.
//!
//! For a cube more than ten moves from solved, the distances usually prune the root or its children. In the worst case,
//! a cube in the half-turn group, all three distances are 0 and prune nothing at the root. The search for ten moves
//! then looks up at most 577 368 nodes in the near set, one for each canonical maneuver of five moves.
#![allow(clippy::cast_possible_truncation)] // indices of moves and lengths of at most 10 fit in 8 bits

use std::sync::LazyLock;

use crate::control::{Cancelled, Clock};
use crate::search::phase_one::{Direction, FRAMES, NO_MOVE, PhaseOneNode, PhaseOneTables};
use crate::tables::Tables;
use crate::tables::pruning::near::NearSet;
use crate::tables::pruning::phase_one::{ALL_MOVES, bits};
use crate::tables::set::ByProfile;
use superflip_cube::{Axis, Cube, Move, Symmetry};

/// Greatest distance from solved that the near search covers.
pub const REACH: u8 = 10;

/// One near search.
///
/// # Examples
/// ```no_run
/// use superflip_solver::control::{Clock, Control};
/// use superflip_solver::search::{near::Near, phase_one::Direction};
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
    set: NearSet<'t>,
    tables: ByProfile<'t>,
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

impl ShortestSolutions {
    /// Creates an empty collection that keeps `limit` solutions.
    pub(crate) const fn new(limit: usize) -> Self {
        Self { count: 0, first: Vec::new(), limit }
    }

    /// Counts a solution, and keeps it if there are not enough yet.
    pub(crate) fn add(&mut self, moves: &[Move]) {
        self.count += 1;
        if !self.is_full() {
            self.first.push(moves.to_vec());
        }
    }

    /// Returns whether as many solutions as wanted are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.first.len() >= self.limit
    }
}

impl<'t> Near<'t> {
    /// Creates a search. `directions` are the six directions of `cube`, the three of the cube itself first.
    pub fn new(tables: &'t Tables, cube: &Cube, directions: &[Direction; 6]) -> Self {
        Self {
            set: tables.near(),
            tables: tables.by_profile(),
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
    pub fn search(mut self, lower_bound: u8, clock: &mut Clock<'_>) -> Result<Result<Vec<Move>, u8>, (Cancelled, u8)> {
        for length in lower_bound..=REACH {
            if let Some(moves) = self.of_length(length, clock).map_err(|halt| (halt, length))? {
                return Ok(Ok(moves));
            }
        }
        Ok(Err(lower_bound.max(REACH + 1)))
    }

    /// Returns a solution of `length` moves, which is at most [`REACH`]. The cube must have no shorter ones.
    ///
    /// # Errors
    /// Why the search ended early.
    pub(crate) fn of_length(&mut self, length: u8, clock: &mut Clock<'_>) -> Result<Option<Vec<Move>>, Cancelled> {
        Ok(self.run(length, clock)?.then(|| std::mem::take(&mut self.path)))
    }

    /// Returns whether the cube has a solution of at most `length` moves, which is at most [`REACH`].
    ///
    /// # Errors
    /// Why the search ended early.
    pub fn is_within(mut self, length: u8, clock: &mut Clock<'_>) -> Result<bool, Cancelled> {
        for length in 0..=length {
            if self.of_length(length, clock)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Collects all solutions of `length` moves and keeps the first `limit`. The cube must have no shorter ones. If the
    /// search ended early, it also returns the reason, and some solutions are missing.
    pub fn collect(
        mut self,
        length: u8,
        limit: usize,
        clock: &mut Clock<'_>,
    ) -> (ShortestSolutions, Option<Cancelled>) {
        self.all = Some(ShortestSolutions::new(limit));
        let result = self.run(length, clock);
        (self.all.unwrap_or(ShortestSolutions::new(limit)), result.err())
    }

    /// Searches from the cube, as [`Near::deepen`] does.
    fn run(&mut self, length: u8, clock: &mut Clock<'_>) -> Result<bool, Cancelled> {
        let cube = self.cube;
        let start = self.start;
        match self.tables {
            ByProfile::Mapped { phase_one, .. } => self.deepen(phase_one, &cube, &start, length, NO_MOVE, clock),
            ByProfile::Tiny(tiny) => self.deepen(&tiny.pairs, &cube, &start, length, NO_MOVE, clock),
        }
    }

    /// Returns whether the cube can be solved in `moves_left` moves, and appends them to the path. While all solutions
    /// are collected, it returns false for each, so that the search continues.
    fn deepen(
        &mut self,
        phase_one: impl PhaseOneTables,
        cube: &Cube,
        nodes: &[PhaseOneNode; Axis::COUNT],
        moves_left: u8,
        last: u8,
        clock: &mut Clock<'_>,
    ) -> Result<bool, Cancelled> {
        clock.tick()?;
        if moves_left <= self.set.radius {
            if self.set.distance(cube).is_none_or(|left| left > moves_left) {
                return Ok(false);
            }
            if self.all.is_some() {
                self.walk_all(cube, moves_left, last, clock)?;
                return Ok(false);
            }
            return Ok(self.walk_home(cube));
        }
        let effects = nodes.map(|node| phase_one.move_effects(node));
        let below = |axis: usize, moves_left| {
            let useful = phase_one.useful(nodes[axis], &effects[axis], moves_left);
            if useful == ALL_MOVES {
                return ALL_MOVES;
            }
            let to_cube = &ALONG.to_cube[axis][usize::from(nodes[axis].symmetry)];
            bits(useful).fold(0, |mask, mv| mask | 1_u32 << to_cube[mv])
        };
        let mut useful = FRAMES.followers[0][usize::from(last)];
        for axis in 0..Axis::COUNT {
            useful &= below(axis, moves_left);
        }
        if useful != 0 {
            useful &= (0..Axis::COUNT).fold(0, |mask, axis| mask | below(axis, moves_left - 1));
        }
        for mv in bits(useful).filter_map(Move::try_from_index) {
            let seen: [usize; Axis::COUNT] = std::array::from_fn(|axis| {
                usize::from(ALONG.to_representative[axis][usize::from(nodes[axis].symmetry)][mv.index()])
            });
            let after = std::array::from_fn(|axis| phase_one.after(nodes[axis], &effects[axis], seen[axis]));
            self.path.push(mv);
            if self.deepen(phase_one, &cube.then(mv.cube()), &after, moves_left - 1, mv.index() as u8, clock)? {
                return Ok(true);
            }
            self.path.pop();
        }
        Ok(false)
    }

    /// Appends the last moves of the solution. Returns false if there are none, because a hash collision made the set
    /// report a position that it does not contain.
    fn walk_home(&mut self, cube: &Cube) -> bool {
        let way = self.set.way_home(cube);
        self.path.extend(way.iter().flatten());
        way.is_some()
    }

    /// Collects every solution of `moves_left` moves from this node.
    fn walk_all(&mut self, cube: &Cube, moves_left: u8, last: u8, clock: &mut Clock<'_>) -> Result<(), Cancelled> {
        if moves_left == 0 {
            if let Some(all) = self.all.as_mut().filter(|_| cube.is_solved()) {
                all.add(&self.path);
            }
            return Ok(());
        }
        for mv in Move::ALL.into_iter().filter(|mv| may_follow(*mv, last)) {
            clock.tick()?;
            let after = cube.then(mv.cube());
            if self.set.distance(&after).is_some_and(|left| left < moves_left) {
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

/// Conversion of moves between the frame of a cube and the frame of its representative along each axis.
struct Along {
    /// Move of the cube, by axis, symmetry and move of the representative.
    to_cube: [[[u8; Move::COUNT]; 16]; Axis::COUNT],
    /// Move of the representative, by axis, symmetry and move of the cube.
    to_representative: [[[u8; Move::COUNT]; 16]; Axis::COUNT],
}

static ALONG: LazyLock<Along> = LazyLock::new(|| {
    let mut along = Along {
        to_cube: [[[0; Move::COUNT]; 16]; Axis::COUNT],
        to_representative: [[[0; Move::COUNT]; 16]; Axis::COUNT],
    };
    for axis in 0..Axis::COUNT {
        for symmetry in 0..16 {
            for mv in Move::ALL {
                let turned = (0..axis).fold(mv, |mv, _| Symmetry::DIAGONAL.conjugate_move(mv));
                let seen = FRAMES.to_representative[symmetry][turned.index()];
                along.to_representative[axis][symmetry][mv.index()] = seen;
                along.to_cube[axis][symmetry][usize::from(seen)] = mv.index() as u8;
            }
        }
    }
    along
});
