//! Request and response of `/diagnose`: what went wrong when moves were made.

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use super::{PhasesBody, SolveResponse};
use crate::api::problem::Document;
use crate::api::types::strict::{integers, word};
use crate::api::types::{
    ChannelOrder, Colors, CubeValue, Cubies, ExecutedAction, Knowledge, MachineBody, ScheduleStep, SearchMetric,
    SolveRequest, TurnList,
};
use superflip_cube::{Cube, Form, Holding};
use superflip_scan::slips::{Explanation, Slip, SlipKind};
use superflip_solver::search::machine::Costs;

request! {
    schema
    /// The cube before the moves in exactly one of its forms, what was sent, and what is seen after it.
    #[derive(ToSchema)]
    DiagnoseRequest: cube {
        /// Face moves that were sent, at most 200: a text, or a list as in `moves` of the response of POST /solve. Give either `moves` or
        /// `schedule`.
        #[schema(example = "R U R' U'")]
        pub moves: Option<TurnList>,
        /// Actions that `machine` executed from its state `start`, at most 400: their names, or steps as in `schedule` of the response of
        /// POST /solve. With `costs`, the actions are turns.
        #[schema(example = json!(null))]
        pub schedule: Option<Vec<ExecutedAction>>,
        /// Stickers after the moves: 54 symbols in the order U R F D L B, each face row by row; `?` is an unknown sticker. After `moves`, the
        /// cube is held as before them. After a `schedule`, it is held as the machine holds it: U is the layer on top in the machine. Any six
        /// distinct symbols are accepted; the centres define which face each symbol stands for. Give either `seen` or `seen_colors`.
        #[schema(example = "UUUUUUUUFRRRRRRRRRFFUFFUFFDDDFDDDDDDLLLLLLLLLBBBBBBBBB")]
        pub seen: Option<String>,
        /// 54 colour samples of the stickers in `seen`, in a shape of `colors`, which are those of the cube before. `channel_order`
        /// describes both.
        #[schema(value_type = Option<crate::api::types::ColorsSchema>, example = json!(null))]
        pub seen_colors: Option<Colors>,
        /// Maximum number of explanations, each with a solution (default: 3).
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1, maximum = 10)]
        pub max_explanations: Option<u32>,
        /// Letters of the faces that the solutions may turn, as for POST /solve (default: all). After a `schedule`, they are named by their places
        /// in the machine.
        pub faces: Option<String>,
    } limits metrics machines
}

/// Explanations of the stickers after moves or actions. Cubes are held as in `seen`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Diagnosis {
    /// Cube after the moves as they were sent, as 54 letters URFDLB.
    pub expected: String,
    /// Stickers that were read from `seen_colors`, as 54 letters URFDLB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// Cubes after at most two slips that have the known stickers, in the order of the number of slips. If no such cube has them, the list has
    /// the cubes that differ in one sticker, which is `misread`. The list is empty if no such cube exists either.
    pub explanations: Vec<SlipExplanation>,
    /// Whether there are more explanations than listed.
    pub truncated: bool,
    /// Number of legal cubes with the known stickers, in decimal digits. Present if no explanation has all known stickers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<String>,
    /// The only legal cube with the known stickers, and its solution, or the reason why it has none. Present if no explanation has all known
    /// stickers and exactly one legal cube has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<SolvedCube>,
}

/// A cube with its solution, or with the reason why it has none.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct SolvedCube {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// Moves that solve it, separated by one space; empty for a solved cube. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// Moves as a list. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<&'static str>>,
    /// Length: the number of moves, or what they count in the metric of the request. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// Search that found the solution, and its phases. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<PhasesBody>,
    /// With `costs` or `machine`: cost of the cheapest execution of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// With `costs` or `machine`: lower bound on the cost of every solution, as POST /solve returns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_lower_bound: Option<f64>,
    /// With `costs` or `machine`: what the machine does from the state after the schedule, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<ScheduleStep>>,
    /// Reason why there is no solution, as `POST /solve` returns it. The other cubes of the response may have solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Box<Document>>,
}

impl SolvedCube {
    /// Creates the description.
    pub fn new(cube: &Cube, solution: Result<SolveResponse, Box<Document>>) -> Self {
        let facelets = cube.to_string();
        match solution {
            Ok(SolveResponse { solution, moves, length, phases, cost, cost_lower_bound, schedule, .. }) => Self {
                facelets,
                solution: Some(solution),
                moves: Some(moves),
                length: Some(length),
                phases: Some(phases),
                cost,
                cost_lower_bound,
                schedule,
                problem: None,
            },
            Err(problem) => Self { facelets, problem: Some(problem), ..Self::default() },
        }
    }
}

/// A cube that slips may have led to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SlipExplanation {
    /// Least number of slips that lead to this cube; 0 if all moves were made.
    pub slips: usize,
    /// Number of ways to this cube, each with this number of slips. Different slips give the same cube if moves repeat or commute.
    pub total_ways: usize,
    /// The first ten ways, each with its slips in the order of the moves.
    pub ways: Vec<Vec<SlipBody>>,
    /// Sticker of `seen` that must have been misread: 0 to 53 in the order U R F D L B. Absent if the cube has all known stickers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 53)]
    pub misread: Option<u8>,
    /// With `schedule`: state of the machine after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// With `schedule`: how the machine holds the cube after it: the centre on top, then the centre in front, named by their places before the
    /// schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "UF")]
    pub holding: Option<Holding>,
    /// Cube that results, and its solution from here, or the reason why it has none.
    #[serde(flatten)]
    pub solved: SolvedCube,
}

impl SlipExplanation {
    /// Creates the explanation. `machine` has the state of the machine and the names of its actions.
    pub fn new(
        explanation: &Explanation,
        machine: Option<(&str, &[String])>,
        solution: Result<SolveResponse, Box<Document>>,
    ) -> Self {
        let Explanation { cube, holding, misread, slips, total, ways } = explanation;
        let names = machine.map(|(_, names)| names);
        let ways = ways.iter().map(|way| way.iter().map(|slip| SlipBody::new(slip, names)).collect()).collect();
        Self {
            slips: *slips,
            total_ways: *total,
            ways,
            misread: *misread,
            state: machine.map(|(state, _)| state.to_owned()),
            holding: machine.map(|_| *holding),
            solved: SolvedCube::new(cube, solution),
        }
    }
}

/// Move or action that was not made as it was sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Slip)]
pub struct SlipBody {
    /// Index of the move or action, from 0.
    pub index: usize,
    /// Number of the move or action, from 1.
    pub number: usize,
    /// With `schedule`: name of the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Move that was sent. For an action, its turns and its rotation of the cube.
    #[schema(example = "R2")]
    pub sent: String,
    /// Move that was made instead, or turns and rotation; null if nothing moved.
    #[schema(example = "R")]
    pub made: Option<String>,
    /// Kind of the slip.
    pub kind: SlipKindName,
}

/// Kind of a slip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SlipKind)]
pub enum SlipKindName {
    /// Nothing moved.
    Missed,
    /// The turn or rotation was made in the other direction.
    Reversed,
    /// The turn or rotation was made twice: a quarter turn became a half turn.
    Doubled,
    /// A half turn became a quarter turn.
    HalfMade,
}

impl SlipBody {
    fn new(slip: &Slip, actions: Option<&[String]>) -> Self {
        let kind = match slip.kind {
            SlipKind::Missed => SlipKindName::Missed,
            SlipKind::Reversed => SlipKindName::Reversed,
            SlipKind::Doubled => SlipKindName::Doubled,
            SlipKind::HalfMade => SlipKindName::HalfMade,
        };
        Self {
            index: slip.index,
            number: slip.index + 1,
            action: actions.and_then(|names| names.get(slip.index)).cloned(),
            sent: slip.sent.to_string(),
            made: (!slip.made.is_none()).then(|| slip.made.to_string()),
            kind,
        }
    }
}
