//! Events of `/solve/stream`.

use std::time::Duration;

use crate::contract::ToSchema;
use crate::service::micros;
use serde::Serialize;

use crate::api::problem::Document;
use crate::api::types::{SolutionBody, SolveResponse};
use superflip_cube::metric::Metric;
use superflip_solver::Found;

/// Data of the event `solution`: a solution shorter than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolutionEvent {
    /// Solution that was found.
    #[serde(flatten)]
    pub solution: SolutionBody,
    /// Number of nodes expanded so far.
    pub nodes: u64,
    /// Microseconds since the search started.
    pub elapsed_us: u64,
}

impl SolutionEvent {
    /// Creates the event from an event of the search in a metric.
    pub fn new(found: &Found, metric: Metric, nodes: u64, elapsed: Duration) -> Self {
        let solution = SolutionBody::new(&found.moves, found.phases, metric);
        Self { solution, nodes, elapsed_us: micros(elapsed) }
    }
}

/// Data of the event `lower_bound`: a bound higher than all before it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LowerBoundEvent {
    /// Lower bound on the length of every solution.
    pub lower_bound: u8,
    /// Number of nodes expanded so far.
    pub nodes: u64,
    /// Microseconds since the search started.
    pub elapsed_us: u64,
}

/// Data of one event. The events are any number of `solution` and `lower_bound`, then one `result` or `problem`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // a search has some tens of events
pub enum SolveEvent {
    /// Data of the event `solution`.
    Solution(SolutionEvent),
    /// Data of the event `lower_bound`.
    LowerBound(LowerBoundEvent),
    /// Data of the event `result`: the response of `POST /solve`.
    Result(SolveResponse),
    /// Data of the event `problem`.
    Problem(Document),
}

impl SolveEvent {
    /// Returns the name of the event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solution(_) => "solution",
            Self::LowerBound(_) => "lower_bound",
            Self::Result(_) => "result",
            Self::Problem(_) => "problem",
        }
    }
}
