//! Cubes to solve, and solutions.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::cube::{Axis, Cube, Move, input, join};
use crate::search::{Outcome, Phases, StoppedBy};

/// Kociemba's arrays, "replaced-by": entry i is the piece that now stands in slot i.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"cp": [0, 1, 2, 3, 4, 5, 6, 7], "co": [0, 0, 0, 0, 0, 0, 0, 0],
    "ep": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "eo": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}))]
pub struct Cubies {
    /// Corners 0 to 7 in the slots URF UFL ULB UBR DFR DLF DBL DRB.
    pub cp: Vec<u32>,
    /// Their clockwise twists, 0 to 2.
    pub co: Vec<u32>,
    /// Edges 0 to 11 in the slots UR UF UL UB DR DF DL DB FR FL BL BR.
    pub ep: Vec<u32>,
    /// Their flips, 0 or 1.
    pub eo: Vec<u32>,
}

impl From<&Cube> for Cubies {
    fn from(cube: &Cube) -> Self {
        let entries = |numbers: &[u8]| numbers.iter().copied().map(u32::from).collect();
        Self {
            cp: cube.corners().iter().map(|piece| piece.index() as u32).collect(),
            co: entries(cube.twists()),
            ep: cube.edges().iter().map(|piece| piece.index() as u32).collect(),
            eo: entries(cube.flips()),
        }
    }
}

/// A cube in exactly one of three forms, and how to solve it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// 54 symbols in the order U R F D L B, each face row by row; white space is ignored. Any six distinct symbols: the
    /// centres say which face a symbol stands for.
    #[schema(example = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB")]
    pub facelets: Option<String>,
    /// A maneuver from the solved cube in WCA or `SiGN` notation. The cube to solve is the one standing there after it. Parentheses
    /// always group, as in `(R U)3`; they never mean turns on the inverse. Comments begin with `//` and end with their line.
    #[schema(example = "R U R' U'")]
    pub scramble: Option<String>,
    /// Kociemba's arrays.
    pub cubies: Option<Cubies>,
    /// Stop at the first solution this short (default: 20).
    #[schema(minimum = 0, maximum = 30)]
    pub target_length: Option<u32>,
    /// Never answer longer (default: none).
    #[schema(minimum = 0, maximum = 30)]
    pub max_length: Option<u32>,
    /// The best solution found after this many milliseconds is answered, waiting for a thread included (default: 1000).
    /// More than the server's cap is refused.
    #[schema(minimum = 1)]
    pub time_limit_ms: Option<u64>,
    /// How many distinct solutions to find, the best ones (default: 1). More than one are listed in `solutions`, and the
    /// search goes on until `target_length` holds for each.
    #[schema(minimum = 1, maximum = 100)]
    pub solutions: Option<u32>,
    /// Threads for this one search (default: 1). More than the server's cap is refused.
    #[schema(minimum = 1)]
    pub threads: Option<u32>,
    /// Go on until the solution is proven shortest (default: false). Cubes more than ten turns from solved need a server with a table
    /// for it (`optimal.table`: `s`, `m`, `l` or `xl`). The time limit and its cap are those of proofs (default: 60000 ms), and
    /// `target_length` has no place beside it.
    pub optimal: Option<bool>,
    /// Only with `optimal`: find all shortest solutions, list the first `solutions` of them (default then: 100) and count all
    /// (default: false). Those that differ in the order of turns of opposite faces alone are one.
    pub all_solutions: Option<bool>,
}

impl SolveRequest {
    /// The same with options of `defaults` where it has none of its own, but for those that make no sense beside its own.
    #[must_use]
    pub fn or_options_of(self, defaults: &Self) -> Self {
        let optimal = self.optimal.or(defaults.optimal);
        let is_optimal = optimal == Some(true);
        let all_solutions = self.all_solutions.or(defaults.all_solutions.filter(|_| is_optimal));
        let lists = !is_optimal || all_solutions == Some(true);
        Self {
            target_length: self.target_length.or(defaults.target_length.filter(|_| !is_optimal)),
            max_length: self.max_length.or(defaults.max_length),
            time_limit_ms: self.time_limit_ms.or(defaults.time_limit_ms),
            solutions: self.solutions.or(defaults.solutions.filter(|_| lists)),
            optimal,
            all_solutions,
            ..self
        }
    }
}

/// The same as a query.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SolveQuery {
    /// 54 symbols in the order U R F D L B; this or `scramble`.
    pub facelets: Option<String>,
    /// A maneuver from the solved cube; parentheses group, as in `(R U)3`; this or `facelets`.
    pub scramble: Option<String>,
    /// Stop at the first solution this short (default: 20).
    #[param(minimum = 0, maximum = 30)]
    pub target_length: Option<u32>,
    /// Never answer longer (default: none).
    #[param(minimum = 0, maximum = 30)]
    pub max_length: Option<u32>,
    /// The best solution found after this many milliseconds is answered (default: 1000).
    #[param(minimum = 1)]
    pub time_limit_ms: Option<u64>,
    /// How many distinct solutions to find, the best ones (default: 1).
    #[param(minimum = 1, maximum = 100)]
    pub solutions: Option<u32>,
    /// Threads for this one search (default: 1).
    #[param(minimum = 1)]
    pub threads: Option<u32>,
    /// Go on until the solution is proven shortest (default: false); its time limit is 60000 unless given.
    pub optimal: Option<bool>,
    /// Only with `optimal`: find all shortest solutions and count them (default: false).
    pub all_solutions: Option<bool>,
}

impl From<SolveQuery> for SolveRequest {
    fn from(query: SolveQuery) -> Self {
        let SolveQuery { facelets, scramble, .. } = query;
        Self {
            facelets,
            scramble,
            cubies: None,
            target_length: query.target_length,
            max_length: query.max_length,
            time_limit_ms: query.time_limit_ms,
            solutions: query.solutions,
            threads: query.threads,
            optimal: query.optimal,
            all_solutions: query.all_solutions,
        }
    }
}

/// The options alone, beside facelets in the path.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SolveOptions {
    /// Stop at the first solution this short (default: 20).
    #[param(minimum = 0, maximum = 30)]
    pub target_length: Option<u32>,
    /// Never answer longer (default: none).
    #[param(minimum = 0, maximum = 30)]
    pub max_length: Option<u32>,
    /// The best solution found after this many milliseconds is answered (default: 1000).
    #[param(minimum = 1)]
    pub time_limit_ms: Option<u64>,
    /// How many distinct solutions to find, the best ones (default: 1).
    #[param(minimum = 1, maximum = 100)]
    pub solutions: Option<u32>,
    /// Threads for this one search (default: 1).
    #[param(minimum = 1)]
    pub threads: Option<u32>,
    /// Go on until the solution is proven shortest (default: false); its time limit is 60000 unless given.
    pub optimal: Option<bool>,
    /// Only with `optimal`: find all shortest solutions and count them (default: false).
    pub all_solutions: Option<bool>,
}

impl SolveOptions {
    /// The request for the cube in the path.
    pub fn with_facelets(self, facelets: String) -> SolveRequest {
        SolveRequest {
            facelets: Some(facelets),
            scramble: None,
            cubies: None,
            target_length: self.target_length,
            max_length: self.max_length,
            time_limit_ms: self.time_limit_ms,
            solutions: self.solutions,
            threads: self.threads,
            optimal: self.optimal,
            all_solutions: self.all_solutions,
        }
    }
}

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
