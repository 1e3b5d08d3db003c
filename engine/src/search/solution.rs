//! What a search answers.

use std::time::Duration;

use crate::cube::{Axis, Move};

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoppedBy {
    /// A solution of at most `target_length` turns was found.
    TargetLength,
    /// The deadline passed; the best solution so far is the answer.
    TimeLimit,
    /// No shorter solution exists.
    ProvenOptimal,
}

/// How a solution came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phases {
    /// In one piece, by the near search.
    Near,
    /// In one piece, by the optimal search.
    Optimal,
    /// Through the subgroup of one axis.
    TwoPhase {
        /// The axis of the subgroup.
        axis: Axis,
        /// Whether it was found on the inverse cube.
        inverse: bool,
        /// Turns that lead into the subgroup, turns inside it, and turns that leave it for solved again, in the order of
        /// the solution. One of the outer two may be 0.
        lengths: [u8; 3],
    },
}

/// A solution and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The turns.
    pub moves: Vec<Move>,
    /// How it came about.
    pub phases: Phases,
}

/// The answer to a search; its turns have been replayed on the cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The turns that solve the cube; none for a solved one.
    pub moves: Vec<Move>,
    /// How they came about.
    pub phases: Phases,
    /// Further solutions, if more than one was asked for: distinct, rising in length, none shorter than this one.
    pub others: Vec<Found>,
    /// How many optimal solutions there are, told apart up to the order of turns of opposite faces; if they were asked for and
    /// the search came to its end.
    pub optimal_solutions: Option<u64>,
    /// No solution is shorter than this.
    pub lower_bound: u8,
    /// Whether the solution is as short as the bound.
    pub proven_optimal: bool,
    /// Why the search ended.
    pub stopped_by: StoppedBy,
    /// Positions looked at.
    pub nodes: u64,
    /// Time from start to end.
    pub elapsed: Duration,
}

impl SearchError {
    /// Positions looked at.
    pub const fn nodes(&self) -> u64 {
        match self {
            Self::NoSolutionWithinLimits { nodes, .. } | Self::Unproven { nodes, .. } | Self::Cancelled { nodes } => {
                *nodes
            }
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// The caller has gone.
    #[error("the search was cancelled")]
    Cancelled {
        /// Positions looked at.
        nodes: u64,
    },
    /// A proof was asked for, and the cube is farther from solved than the near search reaches.
    #[error(
        "no solution of this cube has fewer than {lower_bound} turns; without a table for optimal answers only cubes at most {} turns from solved are proven",
        super::near::REACH
    )]
    Unproven {
        /// No solution has fewer turns.
        lower_bound: u8,
        /// Positions looked at.
        nodes: u64,
    },
    /// Nothing as short as asked for was found.
    #[error(
        "no solution of at most {max_length} turns was found; the shortest found has {best_length}, and none has fewer than {lower_bound}"
    )]
    NoSolutionWithinLimits {
        /// What was asked for.
        max_length: u8,
        /// Turns of the shortest solution found.
        best_length: u8,
        /// No solution has fewer turns.
        lower_bound: u8,
        /// Positions looked at.
        nodes: u64,
    },
}
