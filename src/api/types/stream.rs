//! What is heard of a search that goes on.

use std::time::Duration;

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::problem::Document;
use crate::api::types::{SolutionBody, SolveResponse};
use crate::search::Found;

/// The data of the event `solution`: shorter than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolutionEvent {
    /// The solution.
    #[serde(flatten)]
    pub solution: SolutionBody,
    /// Positions expanded so far.
    pub nodes: u64,
    /// Microseconds since the search began.
    pub elapsed_us: u64,
}

impl SolutionEvent {
    /// From what the search told.
    pub fn new(found: &Found, nodes: u64, elapsed: Duration) -> Self {
        let solution = SolutionBody::new(&found.moves, found.phases);
        Self { solution, nodes, elapsed_us: elapsed.as_micros() as u64 }
    }
}

/// The data of the event `lower_bound`: higher than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LowerBoundEvent {
    /// No solution is shorter than this.
    pub lower_bound: u8,
    /// Positions expanded so far.
    pub nodes: u64,
    /// Microseconds since the search began.
    pub elapsed_us: u64,
}

/// The data of one event. Its name says which: `solution` and `lower_bound` as they come, then one `result` or `problem`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // some tens of them in a search
pub enum SolveEvent {
    /// `solution`.
    Solution(SolutionEvent),
    /// `lower_bound`.
    LowerBound(LowerBoundEvent),
    /// `result`: as `POST /solve` answers.
    Result(SolveResponse),
    /// `problem`.
    Problem(Document),
}

impl SolveEvent {
    /// The name of the event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solution(_) => "solution",
            Self::LowerBound(_) => "lower_bound",
            Self::Result(_) => "result",
            Self::Problem(_) => "problem",
        }
    }
}
