//! Goals: a named one, or a coordinate that the caller composes.

use std::fmt;
use std::sync::Arc;

use super::error::StepError;
use super::move_set::MoveSet;
use crate::space::expression::ExpressionError;
use crate::space::{Space, SpaceState};
use superflip_cube::{Cube, Face, Move};
use superflip_solver::tables::Tables;
use superflip_solver::{Cancelled, Control};

pub mod catalogue;
mod corners;
pub(super) mod digit;
pub(super) mod frame;
mod solver_tables;
pub(super) mod target;
mod teaching;

use catalogue::{Entry, Needs};
use frame::{Frame, Place};
use solver_tables::{DominoGraph, FinishGraph, SliceGraph};
use target::{DIGITS, StepGraph, Target, Walk};

/// What a step reaches.
///
/// # Examples
/// ```
/// use superflip_coords::steps::Goal;
///
/// let (goal, axis) = Goal::named("drud-eofb")?;
/// assert_eq!((goal.name(), axis), ("dr-eo", Some("ud-fb")));
/// assert_eq!(goal.axes().count(), 6);
/// # Ok::<(), superflip_coords::steps::StepError>(())
/// ```
#[derive(Clone)]
pub struct Goal {
    kind: Kind,
    frames: Arc<[Frame]>,
    /// Tables of the solver, if their distances are used.
    tables: Option<Arc<Tables>>,
}

#[derive(Clone)]
enum Kind {
    Named(&'static Entry),
    Composed(Arc<Space>),
}

impl Goal {
    /// Returns the goal of this name, and the axis if the name selects one. Names of nissy are accepted.
    ///
    /// # Errors
    /// When no goal has this name.
    pub fn named(name: &str) -> Result<(Self, Option<&'static str>), StepError> {
        let (entry, axis) =
            catalogue::find(name.trim()).ok_or_else(|| StepError::UnknownGoal { name: name.to_owned() })?;
        Ok((Self::of(entry), axis))
    }

    /// Returns the goal that a coordinate has the value of the solved cube.
    ///
    /// # Errors
    /// When the distances of the coordinate are not known.
    pub fn composed(space: Arc<Space>) -> Result<Self, StepError> {
        let distance = space.state_of_cube(&Cube::SOLVED).and_then(|state| space.distance(state));
        if distance != Some(0) {
            return Err(StepError::NoDistances { label: space.plan().label.clone() });
        }
        let frames = Frame::all(&[Place::Axis(Face::U), Place::Axis(Face::F)]);
        // The coordinate as it is written is the image `ud`; the other two are turned about the diagonal.
        let mut out: Vec<Frame> = Vec::new();
        for mut frame in frames {
            frame.name.truncate(2);
            if out.iter().all(|known| known.name != frame.name) {
                out.push(frame);
            }
        }
        Ok(Self { kind: Kind::Composed(space), frames: out.into(), tables: None })
    }

    /// Parses an expression of coordinates, such as `sym(flip_slice,UD16)`; see [`Space::named`].
    ///
    /// # Errors
    /// When the text is not an expression.
    pub fn plan(text: &str) -> Result<crate::space::expression::Plan, ExpressionError> {
        Space::named(text)
    }

    fn of(entry: &'static Entry) -> Self {
        Self { kind: Kind::Named(entry), frames: Frame::all(entry.places).into(), tables: None }
    }

    /// Returns the same goal with exact distances where tables of the solver have them: `dr` reads the distances of phase 1,
    /// except in the profile tiny. `slice` and `finish` read the distances of phase 2 in the profile standard. The solutions are
    /// the same, and are found sooner.
    #[must_use]
    pub fn reading(self, tables: &Arc<Tables>) -> Self {
        let has_table = match self.name() {
            "dr" => DominoGraph::new(tables).is_some(),
            "slice" | "finish" => FinishGraph::new(tables).is_some(),
            _ => false,
        };
        Self { tables: has_table.then(|| Arc::clone(tables)), ..self }
    }

    /// Returns the name, or the expression.
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Named(entry) => entry.name,
            Kind::Composed(space) => &space.plan().label,
        }
    }

    /// Returns the names of its images, such as `ud`, `ud-fb` or `D`. A goal with one image has the empty name.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.frames.iter().map(|frame| frame.name.as_str())
    }

    /// Returns what the cube must have reached before.
    pub fn needs(&self) -> Needs {
        match &self.kind {
            Kind::Named(entry) => entry.needs,
            Kind::Composed(_) => Needs::Nothing,
        }
    }

    /// Builds the tables of the goal, if they are not in memory yet. The largest take some seconds. A search does so first, within
    /// its time. If `control` ends the work, the next call goes on where it was.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn prepare(&self, control: &Control) -> Result<(), Cancelled> {
        match (&self.kind, &self.tables) {
            (Kind::Named(entry), None) => entry.prepare(control).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Returns the size in bytes of the tables that [`Goal::prepare`] would build. They stay in memory.
    pub fn unbuilt_bytes(&self) -> u64 {
        match (&self.kind, &self.tables) {
            (Kind::Named(entry), None) => entry.unbuilt_bytes(),
            _ => 0,
        }
    }

    /// Returns whether [`Goal::prepare`] has nothing to build.
    pub fn is_prepared(&self) -> bool {
        !matches!((&self.kind, &self.tables), (Kind::Named(entry), None) if !entry.is_prepared())
    }

    /// Returns the moves of the step in the base frame.
    pub fn moves(&self) -> MoveSet {
        match &self.kind {
            Kind::Named(entry) => entry.moves,
            Kind::Composed(space) => space.moves().iter().copied().collect(),
        }
    }

    /// Returns whether moves on the inverse cube can be combined with normal moves: the reached cubes form a group.
    pub fn is_group(&self) -> bool {
        match &self.kind {
            Kind::Named(entry) => entry.is_group,
            // A coordinate numbers the cosets of a group; a class under symmetries that contains solved contains it alone.
            Kind::Composed(_) => true,
        }
    }

    /// Returns the number of values at each distance, if one table holds the distances of the goal.
    pub fn depth_histogram(&self) -> Option<Vec<u64>> {
        match &self.kind {
            Kind::Named(entry) => entry.target().depth_histogram(),
            Kind::Composed(space) => space.depth_histogram(),
        }
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Returns whether the solved cube alone reaches the goal.
    pub(crate) fn is_one_cube(&self) -> bool {
        self.is("finish") || self.is("htr-finish")
    }

    /// Returns whether it is the goal of the catalogue with this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        matches!(self.kind, Kind::Named(entry) if entry.name == name)
    }

    /// Returns whether a cube in the base frame may start the step.
    pub(crate) fn accepts(&self, cube: &Cube) -> bool {
        match &self.kind {
            Kind::Named(entry) => entry.needs.is_met(cube),
            Kind::Composed(space) => space.state_of_cube(cube).is_some(),
        }
    }

    /// Returns the moves of the base frame after which the reached cubes are reached still.
    pub(crate) fn keeping(&self) -> MoveSet {
        match &self.kind {
            Kind::Named(entry) => entry.keeping(|mv| self.bound(mv.cube()) == 0),
            Kind::Composed(_) => self.moves().iter().filter(|mv| self.bound(mv.cube()) == 0).collect(),
        }
    }

    /// Returns a lower bound on the number of moves from a cube in the base frame, which the goal accepts.
    pub(crate) fn bound(&self, cube: &Cube) -> u8 {
        self.visit(BoundOf(cube))
    }

    /// Runs a visitor with the graph of the goal.
    pub(crate) fn visit<V: GraphVisitor>(&self, visitor: V) -> V::Output {
        if let Some(tables) = self.tables.as_deref() {
            match self.name() {
                "slice" => {
                    if let Some(graph) = SliceGraph::new(tables) {
                        return visitor.visit(&graph);
                    }
                }
                "finish" => {
                    if let Some(graph) = FinishGraph::new(tables) {
                        return visitor.visit(&graph);
                    }
                }
                _ => {
                    if let Some(graph) = DominoGraph::new(tables) {
                        return visitor.visit(&graph);
                    }
                }
            }
        }
        match &self.kind {
            Kind::Named(entry) => {
                let target: &Target = entry.target();
                match target.digits() {
                    1 => visitor.visit(&Walk::<1>(target)),
                    2 => visitor.visit(&Walk::<2>(target)),
                    3 | 4 => visitor.visit(&Walk::<4>(target)),
                    5..=8 => visitor.visit(&Walk::<8>(target)),
                    _ => visitor.visit(&Walk::<DIGITS>(target)),
                }
            }
            Kind::Composed(space) => visitor.visit(&SpaceGraph(space)),
        }
    }
}

impl fmt::Debug for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Goal").field(&self.name()).finish()
    }
}

/// Work that is generic over the graph of a goal.
pub(crate) trait GraphVisitor {
    type Output;

    fn visit<G: StepGraph>(self, graph: &G) -> Self::Output;
}

/// The lower bound of a cube.
struct BoundOf<'c>(&'c Cube);

impl GraphVisitor for BoundOf<'_> {
    type Output = u8;

    fn visit<G: StepGraph>(self, graph: &G) -> u8 {
        graph.bound(graph.state(self.0))
    }
}

/// A composed coordinate as a graph.
pub(crate) struct SpaceGraph<'s>(&'s Space);

impl StepGraph for SpaceGraph<'_> {
    type State = SpaceState;

    fn state(&self, cube: &Cube) -> SpaceState {
        self.0.state_of_cube(cube).unwrap_or(SpaceState { base: 0, rest: 0 })
    }

    fn after(&self, state: SpaceState, mv: Move) -> SpaceState {
        self.0.after(state, mv).unwrap_or(state)
    }

    fn bound(&self, state: SpaceState) -> u8 {
        self.0.distance(state).and_then(|distance| u8::try_from(distance).ok()).unwrap_or(0)
    }

    fn is_reached(&self, state: SpaceState) -> bool {
        self.0.distance(state) == Some(0)
    }
}
