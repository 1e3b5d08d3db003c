//! Many cubes, one a line.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::problem::Document;
use crate::api::types::{Cubies, SolveRequest, SolveResponse};

/// What a caller knows a line by.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged, expecting = "a string or a number")]
pub enum LineId {
    /// A number; integers of up to 64 bits are echoed exactly.
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    /// A text of at most 256 bytes.
    Text(String),
}

/// One line of a batch: a cube in exactly one of three forms, the options of its search, and a name for it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchLine {
    /// Echoed in the answer; a string of at most 256 bytes, or a number.
    pub id: Option<LineId>,
    /// 54 symbols in the order U R F D L B.
    pub facelets: Option<String>,
    /// A maneuver from the solved cube; the cube to solve is the one standing there after it. Parentheses group, as in `(R U)3`.
    pub scramble: Option<String>,
    /// Kociemba's arrays.
    pub cubies: Option<Cubies>,
    /// Stop at the first solution this short (default: the query's, else 20).
    #[schema(minimum = 0, maximum = 30)]
    pub target_length: Option<u32>,
    /// Never answer longer (default: the query's, else none).
    #[schema(minimum = 0, maximum = 30)]
    pub max_length: Option<u32>,
    /// Milliseconds from the beginning of this cube's search to its end (default: the query's, else 1000).
    #[schema(minimum = 1)]
    pub time_limit_ms: Option<u64>,
    /// How many distinct solutions to find, the best ones (default: the query's, else 1).
    #[schema(minimum = 1, maximum = 100)]
    pub solutions: Option<u32>,
    /// Go on until the solution is proven shortest (default: the query's, else false); `time_limit_ms` is then 60000 unless given. Such
    /// a cube waits until the searches before it have ended, and has the thread to itself.
    pub optimal: Option<bool>,
    /// Only with `optimal`: find all shortest solutions and count them (default: the query's, else false).
    pub all_solutions: Option<bool>,
}

/// The order of the answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BatchOrder {
    /// That of the lines.
    #[default]
    Input,
    /// That in which searches end, so that an easy cube does not wait for a hard one before it.
    Any,
}

/// What holds for every line that does not say otherwise.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BatchQuery {
    /// `input` (default), or `any`: as searches end.
    #[param(inline)]
    pub order: Option<BatchOrder>,
    /// Stop at the first solution this short (default: 20).
    #[param(minimum = 0, maximum = 30)]
    pub target_length: Option<u32>,
    /// Never answer longer (default: none).
    #[param(minimum = 0, maximum = 30)]
    pub max_length: Option<u32>,
    /// Milliseconds for each cube (default: 1000).
    #[param(minimum = 1)]
    pub time_limit_ms: Option<u64>,
    /// How many distinct solutions of each cube (default: 1).
    #[param(minimum = 1, maximum = 100)]
    pub solutions: Option<u32>,
    /// Go on until each solution is proven shortest (default: false).
    pub optimal: Option<bool>,
    /// Only with `optimal`: find all shortest solutions of each cube and count them (default: false).
    pub all_solutions: Option<bool>,
}

impl BatchQuery {
    /// The options, as a request without a cube.
    pub fn options(&self) -> SolveRequest {
        SolveRequest {
            target_length: self.target_length,
            max_length: self.max_length,
            time_limit_ms: self.time_limit_ms,
            solutions: self.solutions,
            optimal: self.optimal,
            all_solutions: self.all_solutions,
            ..SolveRequest::default()
        }
    }
}

impl BatchLine {
    /// The name of the line, and the request for its cube.
    pub fn split(self, defaults: &BatchQuery) -> (Option<LineId>, SolveRequest) {
        let Self { id, facelets, scramble, cubies, target_length, max_length, time_limit_ms, solutions, .. } = self;
        let (optimal, all_solutions) = (self.optimal, self.all_solutions);
        let request = SolveRequest {
            facelets,
            scramble,
            cubies,
            target_length,
            max_length,
            time_limit_ms,
            solutions,
            threads: None,
            optimal,
            all_solutions,
        };
        (id, request.or_options_of(&defaults.options()))
    }
}

/// One line of the answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // written as soon as it is made
pub enum BatchAnswer {
    /// The cube of a line was solved.
    Solved(BatchSolved),
    /// It was not, or the whole batch ends here.
    Problem(BatchProblem),
}

/// What `POST /solve` answers, and which line it is for.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BatchSolution)]
pub struct BatchSolved {
    /// The line, from 1; blank ones are counted.
    pub line: usize,
    /// Its `id`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<LineId>,
    /// The answer.
    #[serde(flatten)]
    pub answer: SolveResponse,
}

/// Why the cube of a line was not solved; without `line` why the batch ends before its last line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BatchProblem {
    /// The line, from 1; blank ones are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Its `id`, if it has one that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<LineId>,
    /// The problem, as another route would answer it.
    pub problem: Document,
}
