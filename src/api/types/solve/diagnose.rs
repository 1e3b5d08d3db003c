//! Request and response of `/diagnose`: what went wrong when moves were made.

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use super::{PhasesBody, SolutionBody};
use crate::api::problem::Document;
use crate::api::types::strict::{integers, word};
use crate::api::types::{ChannelOrder, Colors, CubeValue, Cubies, Knowledge, SearchMetric, SolveRequest, TurnList};
use superflip_cube::{Cube, Form, Move};
use superflip_scan::slips::{Explanation, Slip, SlipKind};

request! {
    schema
    /// The cube before the moves in exactly one of its forms, the moves, and the stickers after them.
    #[derive(ToSchema)]
    DiagnoseRequest: cube {
        /// Face moves that were sent, at most 200: a text, or a list as in `moves` of the response of POST /solve.
        #[schema(example = "R U R' U'")]
        pub moves: TurnList,
        /// Stickers after the moves: 54 symbols in the order U R F D L B, each face row by row; `?` is an unknown sticker. The cube is held
        /// as before the moves. Any six distinct symbols are accepted; the centres define which face each symbol stands for.
        #[schema(example = "UUUUUUUUFRRRRRRRRRFFUFFUFFDDDFDDDDDDLLLLLLLLLBBBBBBBBB")]
        pub seen: String,
        /// Maximum number of explanations, each with a solution (default: 3).
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1, maximum = 10)]
        pub max_explanations: Option<u32>,
    } limits metrics
}

/// Explanations of the stickers after moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Diagnosis {
    /// Cube after the moves as they were sent, as 54 letters URFDLB.
    pub expected: String,
    /// Cubes after at most two slips that have the known stickers: those after the fewest slips first. The list is empty if no such cube has
    /// them.
    pub explanations: Vec<SlipExplanation>,
    /// Whether there are more explanations than listed.
    pub truncated: bool,
    /// Number of legal cubes with the known stickers, in decimal digits. Present if there is no explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<String>,
    /// The only legal cube with the known stickers, and its solution, or the reason why it has none. Present if there is no explanation and exactly one such cube.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<SolvedCube>,
}

/// A cube with its solution, or with the reason why it has none.
#[derive(Clone, Debug, Serialize, ToSchema)]
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
    /// Reason why there is no solution, as `POST /solve` returns it. The other cubes of the response may have solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Box<Document>>,
}

impl SolvedCube {
    /// Creates the description.
    pub fn new(cube: &Cube, solution: Result<SolutionBody, Box<Document>>) -> Self {
        let facelets = cube.to_string();
        match solution {
            Ok(SolutionBody { solution, moves, length, phases, .. }) => Self {
                facelets,
                solution: Some(solution),
                moves: Some(moves),
                length: Some(length),
                phases: Some(phases),
                problem: None,
            },
            Err(problem) => {
                Self { facelets, solution: None, moves: None, length: None, phases: None, problem: Some(problem) }
            }
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
    /// Cube that results, and its solution from here, or the reason why it has none.
    #[serde(flatten)]
    pub solved: SolvedCube,
}

impl SlipExplanation {
    /// Creates the explanation.
    pub fn new(explanation: &Explanation, solution: Result<SolutionBody, Box<Document>>) -> Self {
        let Explanation { cube, slips, total, ways } = explanation;
        let ways = ways.iter().map(|way| way.iter().map(Into::into).collect()).collect();
        Self { slips: *slips, total_ways: *total, ways, solved: SolvedCube::new(cube, solution) }
    }
}

/// Move that was not made as it was sent.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Slip)]
pub struct SlipBody {
    /// Number of the move, from 1.
    pub number: usize,
    /// Move that was sent.
    #[schema(value_type = String, example = "R2")]
    pub sent: Move,
    /// Move that was made instead; null if the face did not turn.
    #[schema(value_type = Option<String>, example = "R")]
    pub made: Option<Move>,
    /// Kind of the slip.
    pub kind: SlipKindName,
}

/// Kind of a slip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SlipKind)]
pub enum SlipKindName {
    /// The face did not turn.
    Missed,
    /// A quarter turn was made in the other direction.
    Reversed,
    /// A quarter turn became a half turn.
    Doubled,
    /// A half turn became a quarter turn.
    HalfMade,
}

impl From<&Slip> for SlipBody {
    fn from(slip: &Slip) -> Self {
        let kind = match slip.kind() {
            SlipKind::Missed => SlipKindName::Missed,
            SlipKind::Reversed => SlipKindName::Reversed,
            SlipKind::Doubled => SlipKindName::Doubled,
            SlipKind::HalfMade => SlipKindName::HalfMade,
        };
        Self { number: slip.index + 1, sent: slip.sent, made: slip.made, kind }
    }
}
