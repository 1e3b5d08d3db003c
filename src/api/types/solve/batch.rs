//! Responses of `/solve/batch`, one per line.

use crate::contract::ToSchema;
use serde::Serialize;

use crate::api::batch::{SolvedLine, Unsolved};
use crate::api::problem::Document;
use crate::api::types::{LineId, SolveResponse};

/// One line of the response of a batch.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // serialized immediately
pub enum BatchAnswer {
    /// Solution of a line.
    Solved(BatchSolved),
    /// Problem of a line, or of the whole batch.
    Problem(BatchProblem),
}

impl BatchAnswer {
    /// Returns the answer of a line. `request_id` is that of the batch.
    pub fn of_line(line: usize, id: Option<LineId>, result: Result<SolvedLine, Unsolved>, request_id: &str) -> Self {
        match result {
            Ok(SolvedLine { answer, .. }) => Self::Solved(BatchSolved { line, id, answer: *answer }),
            Err(Unsolved { problem, .. }) => {
                Self::Problem(BatchProblem { line: Some(line), id, problem: problem.in_request(request_id) })
            }
        }
    }
}

/// Solution of one line, as `POST /solve` returns it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = BatchSolution)]
pub struct BatchSolved {
    /// Number of the line, from 1; blank lines count.
    pub line: usize,
    /// `id` of the line, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<LineId>,
    /// Solution.
    #[serde(flatten)]
    pub answer: SolveResponse,
}

/// Problem of one line. Without `line` it is the problem that ended the batch before its last line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BatchProblem {
    /// Number of the line, from 1; blank lines count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// `id` of the line, if it has one that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<LineId>,
    /// Problem, as `POST /solve` returns it.
    pub problem: Document,
}
