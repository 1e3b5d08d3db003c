//! Requests and responses of `/steps`: solutions in steps.

use std::fmt;
use std::time::Duration;

use crate::contract::{IntoParams, ToSchema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::api::problem::Document;
use crate::api::types::strict::{integers, objects, word};
use crate::api::types::{ChannelOrder, Colors, CubeValue, Cubies, Knowledge, SolveRequest};
use crate::service::micros;
use superflip_coords::steps::{AxisState, ChainSolution, CubeState, Goal, Needs, Side, StepAnswer, catalogue};
use superflip_cube::{Form, Moves};

request! {
    schema
    /// A cube in exactly one of its forms, and the steps that solve it.
    #[derive(ToSchema)]
    StepsRequest: cube {
        /// Steps in their order, 1 to 10: a list of objects, or a text such as `EO[ud;fb;max=5;niss=always] > DR > HTR > FIN`.
        #[schema(value_type = crate::api::types::StepListSchema)]
        pub steps: StepList,
        /// Number of distinct solutions to list, shortest first (default: 1).
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1, maximum = 100)]
        pub solutions: Option<u32>,
        /// Time limit in milliseconds (default: 1000). The best solutions found in that time are returned. It includes the wait for a
        /// thread and the first build of the tables of a goal. A value above the server's maximum is refused.
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1)]
        pub time_limit_ms: Option<u64>,
    }
}

request! {
    param
    /// A cube, and the steps that solve it, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    ChainQuery: cube_text {
        /// Steps as a text, such as `eo>dr>htr>finish` or `EO[niss=always] > DR > HTR > FIN`.
        #[param(example = "EO[niss=always] > DR > HTR > FIN")]
        pub steps: Option<String>,
        /// Number of distinct solutions to list, shortest first (default: 1).
        #[serde(default, deserialize_with = "integers")]
        #[param(minimum = 1, maximum = 100)]
        pub solutions: Option<u32>,
        /// Time limit in milliseconds (default: 1000). The best solutions found in that time are returned.
        #[serde(default, deserialize_with = "integers")]
        #[param(minimum = 1)]
        pub time_limit_ms: Option<u64>,
    }
}

/// The steps of a request.
#[derive(Clone, Debug)]
pub enum StepList {
    /// A text in the grammar of chains.
    Text(String),
    /// One object for each step.
    List(Vec<StepRequest>),
}

impl Default for StepList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl<'de> Deserialize<'de> for StepList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrList;

        impl<'de> Visitor<'de> for TextOrList {
            type Value = StepList;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string or a list of steps")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<StepList, E> {
                Ok(StepList::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, steps: A) -> Result<StepList, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(steps)).map(StepList::List)
            }
        }

        deserializer.deserialize_any(TextOrList)
    }
}

/// Steps as a text, or as a list.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[schema(as = StepList)]
#[serde(untagged)]
pub enum StepListSchema {
    /// Steps separated by `>`. Each is a goal, and in brackets its options, separated by semicolons.
    Text(String),
    /// One object for each step.
    List(Vec<StepRequest>),
}

/// One step.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct StepRequest {
    /// What the step reaches: a name of GET /steps, a name of nissy such as `eofb` or `drud-eofb`, or a coordinate such as
    /// `sym(flip,UD16)`, whose value must become that of the solved cube.
    #[schema(example = "eo")]
    pub goal: String,
    /// Axes, faces or slots of the goal that may be reached, separated by commas, such as `ud,fb` (default: all).
    #[schema(example = "ud")]
    pub axis: Option<String>,
    /// Least number of moves (default: 0).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub min: Option<u32>,
    /// Greatest number of moves (default: 30).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub max: Option<u32>,
    /// Moves that may be made, such as `R L U2 D2` (default: all moves of the goal).
    #[schema(example = "U R F")]
    pub moves: Option<String>,
    /// Sides on which moves may be made (default: `normal`; in a text `mixed` where the goal allows it).
    #[serde(default, deserialize_with = "word")]
    pub side: Option<SideName>,
    /// Greatest number of solutions of this step for each branch of the steps before it (default: any).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub count: Option<u32>,
    /// Greatest number of moves above the shortest solution of this step for the same branch (default: any).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub over_best: Option<u32>,
    /// Solutions of this step to leave out; moves on the inverse cube stand in parentheses, as in `R U (F2)`.
    #[schema(max_items = 100)]
    pub exclude: Option<Vec<String>>,
    /// Subsets that a domino reduction may be in, such as `4a1` or `4a1 4e` (default: all).
    #[schema(example = json!(["4a1"]))]
    pub subsets: Option<Vec<String>>,
}

objects! { StepRequest }

/// Sides on which the moves of a step are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Side)]
pub enum SideName {
    /// The cube.
    Normal,
    /// The inverse of the cube.
    Inverse,
    /// One of the two sides, for all moves of the step.
    Linear,
    /// Both sides (NISS).
    Mixed,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::Normal => Self::Normal,
            SideName::Inverse => Self::Inverse,
            SideName::Linear => Self::Linear,
            SideName::Mixed => Self::Mixed,
        }
    }
}

/// Solutions in steps.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StepsResult)]
pub struct StepsResponse {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// The shortest solutions found, shortest first. The list is empty if none was found.
    pub solutions: Vec<StepsSolutionBody>,
    /// Reason why the search ended.
    pub stopped_by: StepsStoppedBy,
    /// Greatest number of branches kept after each step in the last complete round of the search; 0 if no round is complete.
    pub width: usize,
    /// Duration of the search in microseconds.
    pub elapsed_us: u64,
    /// Wait for a thread in microseconds.
    pub queue_us: u64,
}

/// Reason why a search of steps ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepsStoppedBy {
    /// Every branch was searched, so no shorter solution exists within the limits of the steps.
    Exhausted,
    /// The round with the greatest number of branches ended, but some branches were left out.
    Width,
    /// The time limit passed.
    TimeLimit,
    /// There was no capacity to continue the search after its first solutions.
    Overloaded,
}

/// One solution in steps.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StepsSolution)]
pub struct StepsSolutionBody {
    /// Steps.
    pub steps: Vec<ChainStepBody>,
    /// All moves as they are made on the cube: the moves on the cube, then the inverse of the moves on the inverse cube. Moves of one face
    /// are merged where the two parts meet. The result was replayed on the cube. Null if the steps do not solve the cube and some moves are
    /// on its inverse: no moves on the cube alone reach the same.
    pub solution: Option<String>,
    /// Number of moves of `solution`, or of all steps if `solution` is null.
    pub length: usize,
}

/// One step of a solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StepsStep)]
pub struct ChainStepBody {
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
    pub state: StateBody,
}

/// What a cube has reached.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StepState)]
pub struct StateBody {
    /// Name, such as `dr ud 4a1 4e`: domino reduction on the axis UD with the subset `4a1 4e`.
    pub name: String,
    /// What the cube has reached on each axis.
    pub axes: Vec<AxisStateBody>,
}

/// What a cube has reached on one axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = StepAxisState)]
pub struct AxisStateBody {
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

impl From<&ChainSolution> for StepsSolutionBody {
    fn from(solution: &ChainSolution) -> Self {
        Self {
            steps: solution.steps.iter().map(Into::into).collect(),
            solution: solution.is_maneuver().then(|| solution.solution.to_string()),
            length: solution.length,
        }
    }
}

impl From<&StepAnswer> for ChainStepBody {
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

impl From<&CubeState> for StateBody {
    fn from(state: &CubeState) -> Self {
        Self { name: state.to_string(), axes: state.axes.iter().map(Into::into).collect() }
    }
}

impl From<&AxisState> for AxisStateBody {
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
    pub solution: StepsSolutionBody,
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
    Result(StepsResponse),
    /// Data of the event `problem`.
    Problem(Document),
}

impl StepsEvent {
    /// Returns the name of the event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solution(_) => "solution",
            Self::Result(_) => "result",
            Self::Problem(_) => "problem",
        }
    }
}

/// Response of `GET /steps`: solutions, or the goals if the query has no cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum StepsAnswer {
    /// Solutions of the cube.
    Solutions(StepsResponse),
    /// The goals that a step may have.
    Goals(GoalList),
}

/// The goals that a step may have.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GoalList {
    /// The named goals. A step may also have an expression of coordinates as its goal.
    pub goals: Vec<GoalBody>,
    /// Names that nissy gives to goals. They are accepted too.
    pub aliases: Vec<&'static str>,
}

/// A named goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Goal)]
pub struct GoalBody {
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
        let goals: Vec<GoalBody> = catalogue::all().map(GoalBody::new).collect();
        let is_alias = |name: &&str| goals.iter().all(|goal| goal.name != *name);
        Self { aliases: catalogue::names().filter(is_alias).collect(), goals }
    }
}

impl Default for GoalList {
    fn default() -> Self {
        Self::new()
    }
}

impl GoalBody {
    fn new(entry: &'static catalogue::Entry) -> Self {
        let goal = Goal::named(entry.name).map(|(goal, _)| goal);
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
