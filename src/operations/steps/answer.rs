//! Responses and events of `/steps`, and the goals that a step may have.

use std::time::Duration;

use serde::Serialize;

use crate::api::problem::Document;
use crate::contract::ToSchema;
use crate::http::events::SearchEvent;
use crate::service::micros;
use superflip_coords::steps::catalogue::{self, smaller_steps};
use superflip_coords::steps::{self, AxisState, ChainSolution, CubeState, Needs, StepAnswer, Unreached};
use superflip_cube::Moves;
use superflip_cube::forms::plural;

/// Solutions in steps.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepsResult {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// The shortest solutions found, shortest first. The list is empty if none was found.
    pub solutions: Vec<StepsSolution>,
    /// Reason why the search ended.
    pub stopped_by: StepsStoppedBy,
    /// Greatest number of branches kept after each step in the last complete round of the search; 0 if no round is complete.
    pub width: usize,
    /// Duration of the search in microseconds.
    pub elapsed_us: u64,
    /// Wait for a thread in microseconds.
    pub queue_us: u64,
    /// The step that found nothing. Absent if there is a solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreached: Option<UnreachedStep>,
}

/// The first step without a solution, after the branches of the steps before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UnreachedStep {
    /// Number of the step, from 1.
    pub step: usize,
    /// Goal.
    pub goal: String,
    /// Length up to which every solution of the step was searched; null if no length was.
    pub searched_to: Option<u8>,
    /// Reason why it found nothing.
    pub reason: UnreachedReason,
    /// The same in words, with what to do.
    pub detail: String,
}

/// Reason why a step found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnreachedReason {
    /// The tables of its goal were not built within the time limit. The next request continues the build.
    Unbuilt,
    /// No branch of the steps before it has reached what its goal needs.
    Unprepared,
    /// Every length up to the `max` of the step was searched.
    Exhausted,
    /// The time limit passed, or there was no capacity to continue.
    TimeLimit,
}

/// Reason why a search of steps ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepsStoppedBy {
    /// Every branch was searched, so no shorter solution exists within the limits of the steps.
    Exhausted,
    /// The round with the greatest number of branches ended, but some branches were left out.
    Width,
    /// There was no memory for more branches: other requests use what the server has for searches.
    Memory,
    /// The time limit passed.
    TimeLimit,
    /// There was no capacity to continue the search after its first solutions.
    Overloaded,
}

/// One solution in steps.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepsSolution {
    /// Steps.
    pub steps: Vec<StepsStep>,
    /// All moves as they are made on the cube: the moves on the cube, then the inverse of the moves on the inverse cube. Moves of one face
    /// are merged where the two parts meet. The result was replayed on the cube. Null if the steps do not solve the cube and some moves are
    /// on its inverse: no moves on the cube alone reach the same.
    pub solution: Option<String>,
    /// Number of moves of `solution`, or of all steps if `solution` is null.
    pub length: usize,
}

/// One step of a solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepsStep {
    /// Goal.
    pub goal: String,
    /// Axis, face or slot that was reached, such as `ud`; empty if the goal has only one.
    pub axis: String,
    /// Moves on the cube.
    pub normal: String,
    /// Moves on the inverse cube.
    pub inverse: String,
    /// Number of moves of this step.
    pub length: usize,
    /// Number of moves of this step and those before it.
    pub total: usize,
    /// What the cube has reached after the step.
    pub state: StepState,
}

/// What a cube has reached.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepState {
    /// Name, such as `dr ud 4a1 4e`: domino reduction on the axis UD with the subset `4a1 4e`.
    pub name: String,
    /// What the cube has reached on each axis.
    pub axes: Vec<StepAxisState>,
}

/// What a cube has reached on one axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepAxisState {
    /// Axis: `ud`, `fb` or `rl`.
    pub axis: String,
    /// Number of edges that are not oriented on the axis.
    pub bad_edges: u8,
    /// Number of corners that are not oriented on the axis.
    pub bad_corners: u8,
    /// Number of edges of the middle layer of the axis that are outside this layer.
    pub misplaced_edges: u8,
    /// Subset of domino reduction, such as `4a1 4e`; null outside domino reduction.
    pub subset: Option<String>,
}

impl From<&ChainSolution> for StepsSolution {
    fn from(solution: &ChainSolution) -> Self {
        Self {
            steps: solution.steps.iter().map(Into::into).collect(),
            solution: solution.is_maneuver().then(|| solution.solution.to_string()),
            length: solution.length,
        }
    }
}

impl From<&Unreached> for UnreachedStep {
    fn from(unreached: &Unreached) -> Self {
        let reason = match unreached.reason {
            steps::UnreachedReason::Unbuilt => UnreachedReason::Unbuilt,
            steps::UnreachedReason::Unprepared => UnreachedReason::Unprepared,
            steps::UnreachedReason::Exhausted => UnreachedReason::Exhausted,
            steps::UnreachedReason::Time => UnreachedReason::TimeLimit,
        };
        let (step, Unreached { goal, searched_to, .. }) = (unreached.step + 1, unreached.clone());
        let detail = explained(step, &goal, searched_to, reason);
        Self { step, goal, searched_to, reason, detail }
    }
}

/// Says which step found nothing, down to which length it was searched, and what to do.
fn explained(step: usize, goal: &str, searched_to: Option<u8>, reason: UnreachedReason) -> String {
    // Lengths of other steps are those of the branches that were kept.
    let after = if step > 1 { " after the branches that were kept" } else { "" };
    let moves = |length: u8| format!("{length} move{}", plural(length.into()));
    match reason {
        UnreachedReason::Unbuilt => format!(
            "Step {step} (`{goal}`) was not searched, because its tables were not built within the time limit. Repeat the request, which continues \
             the build, or raise `time_limit_ms`."
        ),
        UnreachedReason::Unprepared => {
            let needs = steps::Goal::named(goal).map_or("a value in this coordinate", |(goal, _)| goal.needs().text());
            format!(
                "Step {step} (`{goal}`) needs a cube with {needs}, which the steps before it do not reach on its axes. Add a step before it."
            )
        }
        UnreachedReason::Exhausted => format!(
            "Step {step} (`{goal}`) has no solution of at most {}{after}. Raise its `max`, or allow more moves, axes, sides or subsets{}.",
            moves(searched_to.unwrap_or_default()),
            if step > 1 { ", or raise `limit` (in a list `count`) of the steps before it" } else { "" }
        ),
        UnreachedReason::TimeLimit => {
            let searched = searched_to.map_or_else(
                || "No length was searched to its end.".to_owned(),
                |length| format!("All solutions of at most {} were searched.", moves(length)),
            );
            let steps = smaller_steps(goal).map_or_else(String::new, |steps| format!(", such as `{steps}`"));
            format!(
                "Step {step} (`{goal}`) found nothing{after} within the time limit. {searched} Raise `time_limit_ms`, or add smaller steps \
                 before it{steps}."
            )
        }
    }
}

impl From<&StepAnswer> for StepsStep {
    fn from(step: &StepAnswer) -> Self {
        let StepAnswer { goal, axis, moves, length, total, state } = step;
        Self {
            goal: goal.clone(),
            axis: axis.clone(),
            normal: moves.normal.to_string(),
            inverse: moves.inverse.to_string(),
            length: *length,
            total: *total,
            state: state.into(),
        }
    }
}

impl From<&CubeState> for StepState {
    fn from(state: &CubeState) -> Self {
        Self { name: state.to_string(), axes: state.axes.iter().map(Into::into).collect() }
    }
}

impl From<&AxisState> for StepAxisState {
    fn from(state: &AxisState) -> Self {
        let AxisState { axis, bad_edges, bad_corners, misplaced_edges, subset } = state.clone();
        Self { axis, bad_edges, bad_corners, misplaced_edges, subset }
    }
}

/// Data of the event `solution`: a solution shorter than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StepsSolutionEvent {
    /// Solution that was found.
    #[serde(flatten)]
    pub solution: StepsSolution,
    /// Microseconds since the request was checked.
    pub elapsed_us: u64,
}

impl StepsSolutionEvent {
    /// Creates the event.
    pub fn new(solution: &ChainSolution, elapsed: Duration) -> Self {
        Self { solution: solution.into(), elapsed_us: micros(elapsed) }
    }
}

/// Data of one event. The events are any number of `solution`, then one `result` or `problem`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // a search has some tens of events
pub enum StepsEvent {
    /// Data of the event `solution`.
    Solution(StepsSolutionEvent),
    /// Data of the event `result`: the response of `POST /steps`.
    Result(StepsResult),
    /// Data of the event `problem`.
    Problem(Document),
}

impl SearchEvent for StepsEvent {
    fn name(&self) -> &'static str {
        match self {
            Self::Solution(_) => "solution",
            Self::Result(_) => "result",
            Self::Problem(_) => "problem",
        }
    }

    fn of_problem(problem: Document) -> Self {
        Self::Problem(problem)
    }
}

/// Response of `GET /steps`: solutions, or the goals if the query has no cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum StepsAnswer {
    /// Solutions of the cube.
    Solutions(StepsResult),
    /// The goals that a step may have.
    Goals(GoalList),
}

/// The goals that a step may have.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GoalList {
    /// The named goals. A step may also have an expression of coordinates as its goal.
    pub goals: Vec<Goal>,
    /// Names that nissy gives to goals. They are accepted too.
    pub aliases: Vec<&'static str>,
}

/// A named goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Goal {
    /// Name.
    #[schema(example = "eo")]
    pub name: &'static str,
    /// What the step reaches.
    pub summary: &'static str,
    /// What the cube must have reached before the step; null if nothing.
    pub needs: Option<&'static str>,
    /// Names of the axes, faces or slots that may be reached. Empty if there is only one.
    pub axes: Vec<String>,
    /// Moves of the step, for its first axis.
    pub moves: String,
    /// Whether moves on the inverse cube are allowed.
    pub inverse: bool,
}

impl GoalList {
    /// Lists the goals.
    pub fn new() -> Self {
        let goals: Vec<Goal> = catalogue::all().map(Goal::new).collect();
        let is_alias = |name: &&str| goals.iter().all(|goal| goal.name != *name);
        Self { aliases: catalogue::names().filter(is_alias).collect(), goals }
    }
}

impl Default for GoalList {
    fn default() -> Self {
        Self::new()
    }
}

impl Goal {
    fn new(entry: &'static catalogue::Entry) -> Self {
        let goal = steps::Goal::named(entry.name).map(|(goal, _)| goal);
        let axes = goal.map(|goal| goal.axes().filter(|axis| !axis.is_empty()).map(str::to_owned).collect());
        Self {
            name: entry.name,
            summary: entry.summary,
            needs: (entry.needs != Needs::Nothing).then(|| entry.needs.text()),
            axes: axes.unwrap_or_default(),
            moves: entry.moves.iter().collect::<Moves>().to_string(),
            inverse: entry.is_group,
        }
    }
}
