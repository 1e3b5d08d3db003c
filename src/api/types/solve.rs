//! Responses of `/solve` and `/solve/batch`.

use serde::Serialize;

use super::{LineId, Scan, ScannedFaces, ScheduleStep};
use crate::api::batch::{SolvedLine, Unsolved};
use crate::api::problem::Document;
use crate::contract::ToSchema;
use crate::service::micros;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Cube, Holding, Move, Moves};
use superflip_solver::search::machine::{Cost, Machine};
use superflip_solver::{self as solver, Iteration, Profile, ProofSearch, StoppedBy};

/// Search that found the solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchMethod {
    /// Two-phase search.
    TwoPhase,
    /// Optimal search for cubes near the solved one.
    Near,
    /// Optimal search with a large pruning table.
    Optimal,
}

/// Search that found the solution, and its phases.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Phases {
    /// Search that found the solution.
    pub method: SearchMethod,
    /// Axis of the subgroup of the two-phase search; null for other searches.
    #[schema(value_type = Option<crate::api::types::described::Axis>)]
    pub axis: Option<Axis>,
    /// Whether the solution was found on the inverse cube.
    pub inverse: bool,
    /// Number of moves of each part, in the order of the solution: into the subgroup, inside it, and out of it. One number for
    /// searches other than the two-phase search.
    pub lengths: Vec<u8>,
}

impl Phases {
    fn new(phases: solver::Phases, length: usize) -> Self {
        let whole = || vec![u8::try_from(length).unwrap_or(u8::MAX)];
        match phases {
            solver::Phases::Near => Self { method: SearchMethod::Near, axis: None, inverse: false, lengths: whole() },
            solver::Phases::Optimal => {
                Self { method: SearchMethod::Optimal, axis: None, inverse: false, lengths: whole() }
            }
            solver::Phases::TwoPhase { axis, inverse, lengths } => {
                Self { method: SearchMethod::TwoPhase, axis: Some(axis), inverse, lengths: lengths.to_vec() }
            }
        }
    }
}

/// One of several solutions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Solution {
    /// Moves separated by one space; empty for a solved cube.
    pub solution: String,
    /// Moves as a list.
    pub moves: Vec<&'static str>,
    /// Length: the number of moves, or what they count in the metric of the request.
    pub length: usize,
    /// Search that found the solution, and its phases.
    pub phases: Phases,
    /// With `costs` or `machine`: cost of the cheapest execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Solution {
    /// Creates the solution from its moves and phases.
    pub fn new(moves: &[Move], phases: solver::Phases, metric: Metric) -> Self {
        Self {
            solution: Moves::from(moves).to_string(),
            moves: moves.iter().map(|mv| mv.name()).collect(),
            length: metric.length(moves),
            phases: Phases::new(phases, moves.len()),
            cost: None,
        }
    }
}

/// A solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveResult {
    /// Moves separated by one space; empty for a solved cube. The solution was verified on the cube.
    pub solution: String,
    /// Moves as a list.
    pub moves: Vec<&'static str>,
    /// Length: the number of moves, or what they count in the metric of the request.
    pub length: usize,
    /// Search that found the solution, and its phases.
    pub phases: Phases,
    /// Lower bound on the length of every solution.
    pub lower_bound: u8,
    /// Whether the solution is proven optimal.
    pub proven_optimal: bool,
    /// Reason why the search ended.
    #[schema(value_type = crate::api::types::described::StoppedBy)]
    pub stopped_by: StoppedBy,
    /// Profile of the tables that the search used: the configured one, or `tiny` until that is loaded or if it cannot be loaded.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Number of nodes expanded.
    pub nodes: u64,
    /// Duration of the search in microseconds, without the time in which its thread searched other lines of a batch.
    pub elapsed_us: u64,
    /// Wait for a thread in microseconds.
    pub queue_us: u64,
    /// Cube that was solved, as 54 letters URFDLB.
    pub facelets: String,
    /// With `target`: the cube after the moves, as 54 letters URFDLB, held as the cube in `facelets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// With `target_up_to_rotation`: how to hold the cube after the moves to see the target: the centre on top, then the centre in front,
    /// named by their places in `target`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "UF")]
    pub target_holding: Option<Holding>,
    /// With `target_up_to_turn`: the turn that leads from the cube after the moves to the target itself; empty if none is missing. With
    /// `target_up_to_rotation`, the cube is held in `target_holding`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "U'")]
    pub target_turn: Option<String>,
    /// The best distinct solutions, shortest first, or with `costs` or `machine` cheapest first; the first is `solution`. Absent unless more
    /// than one was requested. There are fewer than requested if no more exist or were found in time. With `all_solutions` they are optimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<Solution>>,
    /// With `costs` or `machine`: cost of the cheapest execution of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// With `costs` or `machine`: lower bound on the cost of every solution: `lower_bound` times the least cost per unit of length of the
    /// actions that turn a face. The bound may be weak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_lower_bound: Option<f64>,
    /// With `costs` or `machine`: what the machine does, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<ScheduleStep>>,
    /// With `all_solutions`: number of optimal solutions. Those that differ only in the order of moves of opposite faces count once.
    /// Absent if the time limit passed before all were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_solutions: Option<u64>,
    /// With `optimal`: the iterations of the proof, also if the time limit passed before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Box<Proof>>,
    /// Cube that was read from `colors`; absent for other forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<Box<Scan>>,
    /// How the scanned faces were put together; present if their rotations or order are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<Box<ScannedFaces>>,
}

impl SolveResult {
    /// Creates the response for `cube`.
    pub fn new(cube: &Cube, outcome: &solver::Solution, queued: std::time::Duration) -> Self {
        let Solution { solution, moves, length, phases, .. } =
            Solution::new(&outcome.moves, outcome.phases, outcome.metric);
        Self {
            solution,
            moves,
            length,
            phases,
            lower_bound: outcome.lower_bound,
            proven_optimal: outcome.is_optimal(),
            stopped_by: outcome.stopped_by,
            profile: outcome.profile,
            nodes: outcome.nodes,
            elapsed_us: micros(outcome.elapsed),
            queue_us: micros(queued),
            facelets: cube.to_string(),
            target: None,
            target_holding: None,
            target_turn: None,
            solutions: None,
            cost: None,
            cost_lower_bound: None,
            schedule: None,
            optimal_solutions: outcome.optimal_solutions,
            proof: outcome.proof.as_ref().map(|proof| Box::new(proof.into())),
            scan: None,
            faces: None,
        }
    }

    /// Adds the list of solutions, if `is_list`.
    #[must_use]
    pub fn listing(mut self, is_list: bool, outcome: &solver::Solution) -> Self {
        if is_list {
            let others = outcome.others.iter().map(|found| Solution::new(&found.moves, found.phases, outcome.metric));
            let best = Solution::new(&outcome.moves, outcome.phases, outcome.metric);
            self.solutions = Some(std::iter::once(best).chain(others).collect());
        }
        self
    }

    /// Adds what a machine does, if there is one, and the costs of the listed solutions.
    #[must_use]
    pub fn executed(mut self, outcome: &solver::Solution, machine: Option<&Machine>) -> Self {
        let Some((machine, execution)) = machine.and_then(|machine| Some((machine, machine.execute(&outcome.moves)?)))
        else {
            return self;
        };
        self.cost = Some(execution.cost.as_f64());
        self.cost_lower_bound = Some(machine.lower_bound(outcome.metric, outcome.lower_bound.into()).as_f64());
        self.schedule = Some(ScheduleStep::all(&execution));
        for (body, moves) in self.solutions.iter_mut().flatten().zip(outcome.all()) {
            body.cost = machine.cost(moves).map(Cost::as_f64);
        }
        self
    }
}

/// One line of the response of a batch.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // serialized immediately
pub enum BatchAnswer {
    /// Solution of a line.
    Solved(BatchSolution),
    /// Problem of a line, or of the whole batch.
    Problem(BatchProblem),
}

impl BatchAnswer {
    /// Returns the answer of a line. `request_id` is that of the batch.
    pub(crate) fn of_line(
        line: usize,
        id: Option<LineId>,
        result: Result<SolvedLine, Unsolved>,
        request_id: &str,
    ) -> Self {
        match result {
            Ok(SolvedLine { answer, .. }) => Self::Solved(BatchSolution { line, id, answer: *answer }),
            Err(Unsolved { problem, .. }) => {
                Self::Problem(BatchProblem { line: Some(line), id, problem: problem.in_request(request_id) })
            }
        }
    }
}

/// Solution of one line, as `POST /solve` returns it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BatchSolution {
    /// Number of the line, from 1; blank lines count.
    pub line: usize,
    /// `id` of the line, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<LineId>,
    /// Solution.
    #[serde(flatten)]
    pub answer: SolveResult,
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

/// Iterations of a proof, in order. With one thread, the same request to a server with the same tables repeats them exactly, except for
/// their durations. A proof that ends by its time limit has the iterations until then.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Proof {
    /// Lower bound of the tables before any search; 0 if none was looked up.
    pub first_bound: u8,
    /// Iterations. Their nodes add up to `nodes` of the response, unless the time limit came first.
    pub iterations: Vec<ProofIteration>,
    /// Coset table that was used; null without one.
    pub table: Option<ProofTable>,
}

/// One iteration of a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProofIteration {
    /// Search that ran.
    pub search: SearchMethod,
    /// Length that the iteration searched. Null for the two-phase search, which searches several lengths.
    pub length: Option<u8>,
    /// Lower bound after the iteration: all shorter lengths are exhausted.
    pub lower_bound: u8,
    /// Length of the shortest solution known after the iteration; null if none is known.
    pub best_length: Option<u8>,
    /// Number of nodes expanded.
    pub nodes: u64,
    /// Duration in microseconds.
    pub elapsed_us: u64,
}

/// Coset table of a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProofTable {
    /// Name, as in GET /tables.
    #[schema(example = "optimal_l")]
    pub name: &'static str,
    /// Recipe: a fingerprint of everything that determines the entries, as 16 hexadecimal digits.
    #[schema(example = "5bf03635deaf0a2e")]
    pub recipe: String,
}

impl From<&solver::Proof> for Proof {
    fn from(proof: &solver::Proof) -> Self {
        let solver::Proof { first_bound, iterations, table } = proof;
        Self {
            first_bound: *first_bound,
            iterations: iterations.iter().map(Into::into).collect(),
            table: table
                .map(|solver::ProofTable { name, recipe }| ProofTable { name, recipe: format!("{recipe:016x}") }),
        }
    }
}

impl From<&Iteration> for ProofIteration {
    fn from(iteration: &Iteration) -> Self {
        let Iteration { search, length, lower_bound, best_length, nodes, elapsed } = *iteration;
        Self {
            search: match search {
                ProofSearch::Near => SearchMethod::Near,
                ProofSearch::TwoPhase => SearchMethod::TwoPhase,
                ProofSearch::Table => SearchMethod::Optimal,
            },
            length,
            lower_bound,
            best_length,
            nodes,
            elapsed_us: micros(elapsed),
        }
    }
}
