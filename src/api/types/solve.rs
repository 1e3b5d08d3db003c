//! Cubes to solve, and solutions.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::cube::{Axis, Cube, Move, input, join};
use crate::search::{Outcome, Phases, StoppedBy};

/// An axis, named by its two faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Axis)]
pub enum AxisName {
    /// Up and down.
    #[serde(rename = "UD")]
    Ud,
    /// Right and left.
    #[serde(rename = "RL")]
    Rl,
    /// Front and back.
    #[serde(rename = "FB")]
    Fb,
}

impl From<Axis> for AxisName {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::Ud => Self::Ud,
            Axis::Rl => Self::Rl,
            Axis::Fb => Self::Fb,
        }
    }
}

/// Which search found the solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SearchMethod)]
pub enum Method {
    /// The two-phase search.
    TwoPhase,
    /// The search for shortest solutions of cubes that are nearly solved.
    Near,
    /// The search that proves its answers shortest.
    Optimal,
}

/// How the solution came about.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Phases)]
pub struct PhasesBody {
    /// Which search found it.
    pub method: Method,
    /// The axis of its subgroup; null for the near search.
    pub axis: Option<AxisName>,
    /// Whether it was found on the inverse cube.
    pub inverse: bool,
    /// Turns of each part, in the order of the solution: into the subgroup, inside it, and out of it again; one number for
    /// the near search.
    pub lengths: Vec<u8>,
}

impl PhasesBody {
    fn new(phases: Phases, length: usize) -> Self {
        match phases {
            Phases::Near => Self { method: Method::Near, axis: None, inverse: false, lengths: vec![length as u8] },
            Phases::Optimal => {
                Self { method: Method::Optimal, axis: None, inverse: false, lengths: vec![length as u8] }
            }
            Phases::TwoPhase { axis, inverse, lengths } => {
                Self { method: Method::TwoPhase, axis: Some(axis.into()), inverse, lengths: lengths.to_vec() }
            }
        }
    }
}

/// One of several solutions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Solution)]
pub struct SolutionBody {
    /// Face turns with one space between them; empty for a solved cube.
    pub solution: String,
    /// The same, one turn each.
    pub moves: Vec<&'static str>,
    /// How many turns.
    pub length: usize,
    /// How it came about.
    pub phases: PhasesBody,
}

impl SolutionBody {
    /// The turns, and how they came about.
    pub fn new(moves: &[Move], phases: Phases) -> Self {
        Self {
            solution: join(moves),
            moves: moves.iter().map(|turn| turn.name()).collect(),
            length: moves.len(),
            phases: PhasesBody::new(phases, moves.len()),
        }
    }
}

/// Why the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = StoppedBy)]
pub enum StoppedByName {
    /// A solution of `target_length` or shorter was found.
    TargetLength,
    /// The time was over.
    TimeLimit,
    /// Nothing shorter exists.
    ProvenOptimal,
}

impl StoppedByName {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TargetLength => "target_length",
            Self::TimeLimit => "time_limit",
            Self::ProvenOptimal => "proven_optimal",
        }
    }
}

/// A solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SolveResult)]
pub struct SolveResponse {
    /// Face turns with one space between them; empty for a solved cube. It was replayed on the cube before it was sent.
    pub solution: String,
    /// The same, one turn each.
    pub moves: Vec<&'static str>,
    /// How many turns.
    pub length: usize,
    /// How it came about.
    pub phases: PhasesBody,
    /// No solution is shorter than this.
    pub lower_bound: u8,
    /// Whether it is proven that none is shorter than this one.
    pub proven_optimal: bool,
    /// Why the search ended.
    pub stopped_by: StoppedByName,
    /// Positions expanded.
    pub nodes: u64,
    /// Microseconds of search.
    pub elapsed_us: u64,
    /// Microseconds of waiting for a thread.
    pub queue_us: u64,
    /// The cube that was solved, in the letters URFDLB.
    pub facelets: String,
    /// The best distinct solutions, rising in length, the one above first; only when more than one was asked for. Fewer than
    /// asked for were found in time, or exist. With `all_solutions` they are the shortest ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<SolutionBody>>,
    /// With `all_solutions`: how many shortest solutions there are, those counted once that differ in the order of turns of opposite
    /// faces alone. Absent when the time was over before all were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<u64>,
}

impl SolveResponse {
    /// The answer for `cube`.
    pub fn new(cube: &Cube, outcome: &Outcome, queued: std::time::Duration) -> Self {
        let SolutionBody { solution, moves, length, phases } = SolutionBody::new(&outcome.moves, outcome.phases);
        Self {
            solution,
            moves,
            length,
            phases,
            lower_bound: outcome.lower_bound,
            proven_optimal: outcome.proven_optimal,
            stopped_by: match outcome.stopped_by {
                StoppedBy::TargetLength => StoppedByName::TargetLength,
                StoppedBy::TimeLimit => StoppedByName::TimeLimit,
                StoppedBy::ProvenOptimal => StoppedByName::ProvenOptimal,
            },
            nodes: outcome.nodes,
            elapsed_us: outcome.elapsed.as_micros() as u64,
            queue_us: queued.as_micros() as u64,
            facelets: input::to_facelets(cube),
            solutions: None,
            optimal_solutions: outcome.optimal_solutions,
        }
    }

    /// The same with the list of all solutions, if `is_list`.
    #[must_use]
    pub fn listing(mut self, is_list: bool, outcome: &Outcome) -> Self {
        if is_list {
            let others = outcome.others.iter().map(|found| SolutionBody::new(&found.moves, found.phases));
            let best = SolutionBody::new(&outcome.moves, outcome.phases);
            self.solutions = Some(std::iter::once(best).chain(others).collect());
        }
        self
    }
}
