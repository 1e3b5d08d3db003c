//! One step: the request, and every solution of it, shortest first.

use std::ops::ControlFlow;

use super::error::StepError;
use super::goal::frame::Frame;
use super::goal::target::StepGraph;
use super::goal::{Goal, GraphVisitor};
use super::move_set::MoveSet;
use super::sides::Position;
use super::sides::{Side, SideMoves};
use super::state::{is_subset_name, subset};
use super::walk::{Report, Sides, Start, Walker};
use superflip_cube::metric::in_one_order;
use superflip_cube::{Cube, Move, Moves};
use superflip_solver::Cancelled;
use superflip_solver::control::{Clock, Control};

/// Greatest length of a step.
pub const MAX_LENGTH: u8 = 30;
/// Maximum number of solutions of a step that a text may ask for.
pub const MAX_COUNT: usize = 10_000;

/// The request for one step.
///
/// # Examples
/// ```
/// use superflip_coords::steps::{Side, Step};
/// use superflip_cube::Cube;
/// use superflip_solver::Control;
///
/// let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2")?;
/// let mut step = Step::named("eo")?;
/// step.side = Side::Mixed;
/// step.count = 5;
/// let found = step.solutions(&cube, &Control::new())?;
/// for solution in &found.solutions {
///     println!("{} ({}) on {}", solution.moves.normal, solution.moves.inverse, solution.axis);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Step {
    /// What the step reaches.
    pub goal: Goal,
    /// Names of the images that may be reached, such as `ud` or `D`; empty: all. A first part of a name selects every image
    /// that has it.
    pub axes: Vec<String>,
    /// Least length.
    pub min: u8,
    /// Greatest length.
    pub max: u8,
    /// Allowed moves, among the moves of the goal; `None`: all of them.
    pub moves: Option<MoveSet>,
    /// The sides on which moves are made.
    pub side: Side,
    /// Greatest number of solutions; in a chain, of each branch.
    pub count: usize,
    /// Greatest excess over the shortest solution, in moves; `None`: any.
    pub over_best: Option<u8>,
    /// Solutions to leave out, with turns of opposite faces in any order.
    pub exclude: Vec<SideMoves>,
    /// Whether to leave out a solution that differs from another one only in the direction of a last quarter turn. Its last turn on a side
    /// is counter-clockwise, a half turn of that face keeps the goal, and the step may make the clockwise turn. Nissy leaves such solutions
    /// out too.
    pub one_ending: bool,
    /// Whether solutions of `htr` are left out that differ from another by turns of the slice of the axis only. A turn of D becomes one
    /// of U, and the moves that follow are turned along. Nissy leaves them out.
    pub one_slice: bool,
    /// Names of subsets that a domino reduction may be in, such as `4a1` or `4a1 4e`; empty: all. See
    /// [`AxisState::subset`](super::AxisState::subset).
    pub subsets: Vec<String>,
}

/// One solution of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepSolution {
    /// Name of the image that is reached, such as `ud`.
    pub axis: String,
    /// The moves.
    pub moves: SideMoves,
}

impl StepSolution {
    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.normal.len() + self.moves.inverse.len()
    }

    /// Returns whether the goal was reached before.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The solutions of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepSolutions {
    /// The solutions, shortest first.
    pub solutions: Vec<StepSolution>,
    /// The length up to which all solutions within the limits are listed; `None` if there is none.
    pub complete_to: Option<u8>,
    /// Why the search ended early; `None` if it reached one of the limits of the step.
    pub stopped: Option<Cancelled>,
}

impl Step {
    /// Returns the request for a goal, without limits but 100 solutions. A name of nissy also selects the axis.
    ///
    /// # Errors
    /// When no goal has this name.
    pub fn named(goal: &str) -> Result<Self, StepError> {
        let (goal, axis) = Goal::named(goal)?;
        Ok(Self { axes: axis.map(str::to_owned).into_iter().collect(), ..Self::to(goal) })
    }

    /// Returns the request for a goal, without limits but 100 solutions.
    pub fn to(goal: Goal) -> Self {
        Self {
            goal,
            axes: Vec::new(),
            min: 0,
            max: MAX_LENGTH,
            moves: None,
            side: Side::Normal,
            count: 100,
            over_best: None,
            exclude: Vec::new(),
            one_ending: false,
            one_slice: false,
            subsets: Vec::new(),
        }
    }

    /// Checks the request without a cube.
    ///
    /// # Errors
    /// When an axis is unknown, no move is allowed, the range of lengths is empty, or the goal does not allow the side.
    pub fn check(&self) -> Result<(), StepError> {
        let goal = || self.goal.name().to_owned();
        for axis in &self.axes {
            if !self.goal.frames().iter().any(|frame| frame.is_named(axis)) {
                let known = self.goal.axes().map(|axis| format!("`{axis}`")).collect::<Vec<_>>().join(", ");
                return Err(StepError::UnknownAxis { goal: goal(), axis: axis.clone(), known });
            }
        }
        if self.min > self.max {
            return Err(StepError::EmptyRange { goal: goal(), min: self.min, max: self.max });
        }
        if self.side != Side::Normal && !self.goal.is_group() {
            return Err(StepError::NoInverse { goal: goal() });
        }
        if !self.subsets.is_empty() && !self.reaches_domino() {
            return Err(StepError::NoSubsets { goal: goal() });
        }
        if let Some(name) = self.subsets.iter().find(|name| !is_subset_name(name)) {
            return Err(StepError::UnknownSubset { name: name.clone() });
        }
        let is_usable = |frame: &Frame| !self.moves_in(frame).is_empty();
        if !self.selected().any(is_usable) {
            let known = self.goal.moves().iter().collect::<Moves>().to_string();
            return Err(StepError::NoMoves { goal: goal(), known });
        }
        Ok(())
    }

    /// Returns the solutions of the step on a cube. If the deadline of `control` passes, some are missing. The first search for a goal
    /// builds its tables within this time; the next goes on where it was.
    ///
    /// # Errors
    /// As [`Step::check`], and when the cube is not ready for the step, or `control` was cancelled.
    pub fn solutions(&self, cube: &Cube, control: &Control) -> Result<StepSolutions, StepError> {
        let mut solutions = Vec::new();
        let (complete_to, stopped) = self.each(cube, control, &mut |solution| {
            solutions.push(solution);
            ControlFlow::Continue(())
        })?;
        Ok(StepSolutions { solutions, complete_to, stopped })
    }

    /// Passes each solution to `found` as soon as it is found, shortest first. Returns the length up to which all were found,
    /// and why the search ended early.
    ///
    /// # Errors
    /// As [`Step::solutions`].
    pub fn each(
        &self,
        cube: &Cube,
        control: &Control,
        found: &mut dyn FnMut(StepSolution) -> ControlFlow<()>,
    ) -> Result<(Option<u8>, Option<Cancelled>), StepError> {
        self.check()?;
        self.check_ready(cube)?;
        match self.goal.prepare(control) {
            Err(Cancelled::Deadline) => return Ok((None, Some(Cancelled::Deadline))),
            built => built?,
        }
        let position = Position::new(cube);
        let prepared = self.prepare(&position);
        let mut clock = Clock::new(control);
        let mut left = self.count;
        let mut complete_to = None;
        let mut greatest = self.max;
        for length in self.min..=self.max {
            if length > greatest || left == 0 {
                break;
            }
            for start in &prepared {
                let mut is_ended = false;
                let result = start.of_length(self, length, &mut clock, &mut |moves| {
                    greatest = greatest.min(length.saturating_add(self.over_best.unwrap_or(MAX_LENGTH)));
                    left -= 1;
                    let solution = StepSolution { axis: start.frame.name.clone(), moves };
                    is_ended = found(solution).is_break() || left == 0;
                    is_ended
                });
                match result {
                    Ok(()) if is_ended => return Ok((complete_to, None)),
                    Ok(()) => {}
                    Err(Cancelled::ByCaller) => return Err(Cancelled::ByCaller.into()),
                    Err(deadline) => return Ok((complete_to, Some(deadline))),
                }
            }
            complete_to = Some(length);
        }
        Ok((complete_to, None))
    }

    /// Returns whether the goal is domino reduction on its first axis.
    fn reaches_domino(&self) -> bool {
        self.goal.is("dr") || self.goal.is("dr-eo")
    }

    /// Checks that a cube has reached what the step needs on some image of its goal. No tables of the goal are needed.
    pub(crate) fn check_ready(&self, cube: &Cube) -> Result<(), StepError> {
        let is_ready =
            |frame: &Frame| !self.moves_in(frame).is_empty() && self.goal.accepts(&frame.to_base.conjugate(cube));
        if self.selected().any(is_ready) {
            return Ok(());
        }
        let axis = Some(self.axes.join(", ")).filter(|axes| !axes.is_empty());
        Err(StepError::NotReady { goal: self.goal.name().to_owned(), needs: self.goal.needs().text(), axis })
    }

    fn selected(&self) -> impl Iterator<Item = &Frame> {
        let frames = self.goal.frames().iter();
        frames.filter(|frame| self.axes.is_empty() || self.axes.iter().any(|axis| frame.is_named(axis)))
    }

    /// Returns the moves of the step in the base frame of an image.
    fn moves_in(&self, frame: &Frame) -> MoveSet {
        let own = self.goal.moves();
        self.moves.map_or(own, |moves| own.and(moves.seen_through(frame.to_base)))
    }

    /// Returns the starts of the search on a position: one for each image that the cube is ready for.
    pub(crate) fn prepare<'s>(&'s self, position: &Position) -> Vec<Prepared<'s>> {
        let keeping = if self.goal.is_group() { self.goal.keeping() } else { MoveSet::default() };
        let cubes = [position.cube, position.cube.inverse()];
        let mut out = Vec::new();
        for frame in self.selected() {
            let seen = cubes.map(|cube| frame.to_base.conjugate(&cube));
            let moves = self.moves_in(frame);
            if self.goal.accepts(&seen[0]) && !moves.is_empty() {
                let first = position.first_moves().map(|first| first.seen_through(frame.to_base));
                let one_slice = self.one_slice && self.goal.is("htr");
                let start = Start { cubes: seen, moves, first, keeping, one_slice };
                out.push(Prepared { frame, start, to_cube: Move::ALL.map(|mv| frame.to_cube(mv)) });
            }
        }
        out
    }
}

/// The start of a step on one cube for one image of its goal.
pub(crate) struct Prepared<'s> {
    pub(crate) frame: &'s Frame,
    start: Start,
    /// Each move of the base frame as it is made on the cube.
    to_cube: [Move; Move::COUNT],
}

impl Prepared<'_> {
    /// Returns a lower bound on the number of moves on one side.
    pub(crate) fn bound(&self, step: &Step) -> u8 {
        let bound = |cube: &Cube| step.goal.bound(cube);
        match step.side {
            Side::Normal => bound(&self.start.cubes[0]),
            Side::Inverse => bound(&self.start.cubes[1]),
            Side::Linear | Side::Mixed => self.start.cubes.iter().map(bound).min().unwrap_or(0),
        }
    }

    /// Reports the moves of every solution of this length. The search ends when the report returns true.
    pub(crate) fn of_length(
        &self,
        step: &Step,
        length: u8,
        clock: &mut Clock<'_>,
        report: &mut dyn FnMut(SideMoves) -> bool,
    ) -> Result<(), Cancelled> {
        let mut translated = |normal: &[Move], inverse: &[Move]| {
            let is_one = |moves: &&[Move]| ends_clockwise(moves, &self.start);
            if step.one_ending && ![normal, inverse].iter().all(is_one) {
                return false;
            }
            if !step.subsets.is_empty() && !self.reaches_subset(&step.subsets, normal, inverse) {
                return false;
            }
            let moves = SideMoves { normal: self.on_cube(normal), inverse: self.on_cube(inverse) };
            !step.exclude.iter().any(|excluded| excluded.equals(&moves)) && report(moves)
        };
        let search =
            LengthSearch { start: &self.start, length, sides: step.side.sides(), clock, report: &mut translated };
        step.goal.visit(search).map(|_| ())
    }

    /// Returns whether a domino reduction is in one of these subsets after moves of the base frame.
    fn reaches_subset(&self, subsets: &[String], normal: &[Move], inverse: &[Move]) -> bool {
        let moves = SideMoves { normal: normal.into(), inverse: inverse.into() };
        let reached = subset(&moves.after(&self.start.cubes[0]));
        let is_named = |name: &String| {
            reached.strip_prefix(name.trim()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        subsets.iter().any(is_named)
    }

    /// Returns moves of the base frame as they are made on the cube. Turns of opposite faces are written in the order of faces.
    fn on_cube(&self, moves: &[Move]) -> Moves {
        in_one_order(&moves.iter().map(|mv| self.to_cube[mv.index()]).collect::<Vec<_>>()).into()
    }
}

/// Returns whether every last turn is clockwise, or cannot be made clockwise: because a half turn of its face does not keep the
/// goal, or because the step may not make the clockwise turn. Of turns of two opposite faces, both are last.
fn ends_clockwise(moves: &[Move], Start { keeping, moves: allowed, .. }: &Start) -> bool {
    let is_in =
        |moves: &MoveSet, mv: &Move, quarters| Move::of(mv.face(), quarters).is_some_and(|mv| moves.contains(mv));
    let is_free = |mv: &Move| is_in(keeping, mv, 2) && is_in(allowed, mv, 1);
    let last = moves.chunk_by(|a, b| a.face().axis() == b.face().axis()).next_back();
    last.is_none_or(|run| run.iter().all(|mv| mv.quarters() == 1 || !is_free(mv)))
}

/// The search of one length, generic over the graph of the goal.
struct LengthSearch<'w, 'c> {
    start: &'w Start,
    length: u8,
    sides: Sides,
    clock: &'w mut Clock<'c>,
    report: Report<'w>,
}

impl GraphVisitor for LengthSearch<'_, '_> {
    type Output = Result<bool, Cancelled>;

    fn visit<G: StepGraph>(self, graph: &G) -> Self::Output {
        Walker::new(graph, self.start, self.clock, self.report).of_length(self.length, self.sides)
    }
}
