//! Many cubes, one a line.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::problem::Document;
use crate::api::types::{LineId, SolveResponse};

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
