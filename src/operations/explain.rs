//! `/explain` and `superflip explain`: explains a solution, move by move.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use clap::Args;
use serde::Serialize;

use crate::api::problem::{Code, Problem};
use crate::api::request::cube::Start;
use crate::api::request::machine::MachineOptions;
use crate::api::request::options::{LimitOptions, Task};
use crate::api::types::fields::{InQuery, fields};
use crate::api::types::{self, CubeRequest, Direction, ScheduleStep, SolveRequest, TargetOptions, same_fields};
use crate::cli::args::{Configuration, examples, format_of_name, forms_help};
use crate::cli::input::{lift_caps, text_of};
use crate::cli::output::{document, or_dash, table};
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, solver_for_one, unsolved};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::{AppState, operation};
use crate::service::config::Config;
use crate::service::pool::{Deadline, Refused};
use superflip_coords::explain::{self, PhaseSplit, SolutionStep, explain_in, symmetry_of};
use superflip_coords::space::group;
use superflip_cube::forms::plural;
use superflip_cube::metric::Metric;
use superflip_cube::notation::face_moves;
use superflip_cube::{Axis, Cube, Form, Move, Moves, Symmetry, TurnSet};
use superflip_solver::search::machine::Machine;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::tables::{DirectionCoordinates, MetricTables};
use superflip_solver::{Control, Tables};

fields! {
    /// A cube in exactly one of its forms, and its solution, or how to find one.
    pub struct Request as ExplainRequest {
        ..cube: CubeRequest,
        ..target: TargetOptions,
        /// Moves that solve the cube, or lead to `target` (default: the cube is solved first, as by POST /solve). Rotations, wide moves and moves of
        /// middle layers are rewritten as moves of faces. Cannot be combined with `target_length` or `max_length`.
        #[schema(example = "U R U' R'")]
        pub solution: Option<String>,
        ..limits: LimitOptions,
        ..machine: MachineOptions,
    }
}

impl Request {
    /// Splits the request into the given solution, and how to find one.
    fn split(self) -> (Option<String>, SolveRequest) {
        let Self { cube, target, solution, limits, machine } = self;
        (solution, SolveRequest { cube, target, limits, machine, ..SolveRequest::default() })
    }
}

/// Length of a sequence of moves in each metric.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Lengths {
    /// Half-turn metric: each face move counts 1.
    pub htm: usize,
    /// Quarter-turn metric: a half turn counts 2.
    pub qtm: usize,
    /// Slice-turn metric: a slice move, made of moves of two opposite faces, counts 1.
    pub stm: usize,
    /// Axial metric: consecutive moves along one axis count as many as the moves of the face that moves most often, usually 1.
    pub axht: usize,
    /// Axial quarter-turn metric: consecutive moves along one axis count as much as the face that turns most.
    pub axqt: usize,
    /// Execution-turn metric: each physical action counts 1.
    pub etm: usize,
}

impl From<&[Move]> for Lengths {
    fn from(moves: &[Move]) -> Self {
        let [htm, qtm, stm, axht, axqt, etm] = Metric::ALL.map(|metric| metric.length(moves));
        Self { htm, qtm, stm, axht, axqt, etm }
    }
}

/// Bounds along one axis, of the cube or of its inverse.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AxisBounds {
    /// Axis.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Whether the bounds are those of the inverse cube.
    pub inverse: bool,
    /// Exact distance to the subgroup of phase 2 along this axis; a lower bound on the length of every solution.
    pub phase_one_distance: u32,
    /// Lower bound on the length of the solutions that stay in this subgroup. Null if the cube is outside the subgroup.
    pub phase_two_bound: Option<u32>,
}

impl From<&DirectionCoordinates> for AxisBounds {
    fn from(direction: &DirectionCoordinates) -> Self {
        let DirectionCoordinates { inverse, phase_one_distance, phase_two_bound, .. } = *direction;
        Self { axis: direction.axis, inverse, phase_one_distance, phase_two_bound }
    }
}

/// Cube after a move of the solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ExplanationStep {
    /// Move that led here; null at the start.
    #[serde(rename = "move")]
    pub mv: Option<&'static str>,
    /// Number of remaining moves.
    pub moves_left: usize,
    /// Length of the remaining moves in `metric`.
    pub length_left: usize,
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// Phase of the move, 1 or 2, in the two-phase split; null at the start.
    pub phase: Option<u8>,
    /// Coordinates along the axis of the two-phase split, of the cube, or of its inverse if the split is on the inverse. Its distance and its
    /// bound count in `metric`.
    pub coordinates: Direction,
    /// Bounds along the three axes, of the cube and of its inverse, in `metric`.
    pub bounds: Vec<AxisBounds>,
    /// Lower bound on the distance from solved, in `metric`.
    pub lower_bound: u32,
    /// Exact distance from solved, in `metric`; null if unknown.
    pub exact: Option<u32>,
    /// Whether the remaining moves are an optimal solution; null if unknown.
    pub shortest_from_here: Option<bool>,
    /// With `costs` or `machine`: cost of the move, and of all actions between the turn before it and the move. Of two moves that are made
    /// at once, the first one has the cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Moves that can be merged into fewer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RedundantMoves {
    /// Number of moves before them.
    pub after: usize,
    /// Moves.
    pub moves: String,
}

/// Last position from which an optimal solution is shorter than the rest of the given solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Detour {
    /// Number of moves before this position.
    pub after: usize,
    /// Move that the given solution makes there; null if the cube is solved there.
    #[serde(rename = "move")]
    pub mv: Option<&'static str>,
    /// Optimal solution from there.
    pub shorter: String,
    /// Length of that solution.
    pub shorter_length: usize,
    /// Number of moves of the given solution from there.
    pub moves_left: usize,
}

/// Optimal part of the solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ShortestPart {
    /// Number of moves after which the rest is proven optimal.
    pub proven_from: usize,
    /// Last position at which a shorter solution was missed; null if none is known.
    pub detour: Option<Detour>,
    /// Whether optimality is unknown for some moves.
    pub unknown_before: bool,
}

/// Symmetry of the cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CubeSymmetry {
    /// Number of symmetries, of 48, under which the cube is invariant.
    pub order: usize,
    /// Symmetries with s C s^-1 = C.
    pub symmetries: Vec<SymmetrySummary>,
    /// Indices of the symmetries with s C s^-1 = C^-1.
    pub antisymmetries: Vec<usize>,
    /// Number of different cubes that are this one up to symmetry.
    pub positions_like_it: usize,
}

/// Symmetry by index and description.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SymmetrySummary {
    /// Index, as in GET /symmetries.
    pub index: usize,
    /// Description.
    pub description: String,
}

impl From<explain::CubeSymmetry> for CubeSymmetry {
    fn from(symmetry: explain::CubeSymmetry) -> Self {
        let order = symmetry.symmetries.len();
        let named = symmetry.symmetries.into_iter().map(|s| {
            let types::Symmetry { index, description, .. } = s.into();
            SymmetrySummary { index, description }
        });
        Self {
            order,
            symmetries: named.collect(),
            antisymmetries: symmetry.antisymmetries.into_iter().map(Symmetry::index).collect(),
            positions_like_it: 48 / order.max(1),
        }
    }
}

/// Explanation of a solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Explanation {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// With `target`: the cube after the moves, as 54 letters URFDLB. Coordinates, bounds and symmetry are then those of the cube that the
    /// same moves solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The solution, as face moves.
    pub solution: String,
    /// Whether the service searched for the solution, because none was given.
    pub searched: bool,
    /// Metric of the request, in which all distances and bounds count.
    #[schema(example = "htm")]
    pub metric: &'static str,
    /// Length of the solution in `metric`.
    pub length: usize,
    /// Length of the solution in each metric.
    pub lengths: Lengths,
    /// Lower bound on the length of every solution, in `metric`.
    pub lower_bound: u32,
    /// Whether the solution is proven optimal.
    pub proven_optimal: bool,
    /// Two-phase split with the longest part inside a subgroup.
    pub reading: TwoPhaseReading,
    /// Parts inside the subgroup of each axis.
    pub boundaries: Vec<Boundary>,
    /// Moves of one face that are separated by moves of the same axis only.
    pub redundant: Vec<RedundantMoves>,
    /// Solution with such moves merged; null if there are none.
    pub merged: Option<String>,
    /// Optimal part of the solution.
    pub shortest: ShortestPart,
    /// Symmetry of the cube.
    pub symmetry: CubeSymmetry,
    /// With `costs` or `machine`: cost of the cheapest execution of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// With `costs` or `machine`: lower bound on the cost of every solution, as for POST /solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_lower_bound: Option<f64>,
    /// With `costs` or `machine`: what the machine does, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<ScheduleStep>>,
    /// Cube before the first move and after each move.
    pub steps: Vec<ExplanationStep>,
}

impl Explanation {
    /// Creates the response from the explanation of `moves`. `start` is the cube before them, which differs from the explained cube if
    /// there is a target.
    pub(crate) fn new(
        start: &Cube,
        moves: &[Move],
        metric: Metric,
        searched: bool,
        explanation: &explain::Explanation,
    ) -> Self {
        let explain::Explanation { steps, boundaries, reading, redundant, merged, shortest_from, detour } = explanation;
        let first = &steps[0];
        let step = |(number, step)| ExplanationStep::new(number, step, &start.after(&moves[..number]), reading);
        Self {
            facelets: start.to_string(),
            target: None,
            solution: Moves::from(moves).to_string(),
            searched,
            metric: metric.name(),
            length: metric.length(moves),
            lengths: moves.into(),
            lower_bound: first.lower_bound,
            proven_optimal: first.shortest_from_here == Some(true),
            reading: (*reading).into(),
            boundaries: boundaries.iter().copied().map(Into::into).collect(),
            redundant: redundant
                .iter()
                .map(|&(after, count)| RedundantMoves {
                    after,
                    moves: Moves::from(&moves[after..after + count]).to_string(),
                })
                .collect(),
            merged: (merged.len() < moves.len()).then(|| Moves::from(merged).to_string()),
            shortest: ShortestPart {
                proven_from: *shortest_from,
                detour: detour.as_ref().map(|detour| Detour {
                    after: detour.after,
                    mv: moves.get(detour.after).filter(|_| !detour.shorter.is_empty()).map(|mv| mv.name()),
                    shorter: Moves::from(&detour.shorter).to_string(),
                    shorter_length: detour.shorter.len(),
                    moves_left: moves.len() - detour.after,
                }),
                unknown_before: steps.iter().any(|step| step.shortest_from_here.is_none()),
            },
            symmetry: symmetry_of(&first.cube).into(),
            cost: None,
            cost_lower_bound: None,
            schedule: None,
            steps: steps.iter().enumerate().map(step).collect(),
        }
    }

    /// Adds what a machine does to make the moves, if it can.
    #[must_use]
    pub(crate) fn executed(mut self, moves: &[Move], machine: &Machine, metric: Metric) -> Self {
        let Some(execution) = machine.execute(moves) else { return self };
        self.cost = Some(execution.cost.as_f64());
        self.cost_lower_bound = Some(machine.lower_bound(metric, self.lower_bound as usize).as_f64());
        self.schedule = Some(ScheduleStep::all(&execution));
        for (step, cost) in self.steps.iter_mut().skip(1).zip(execution.costs_by_move(moves)) {
            step.cost = Some(cost.as_f64());
        }
        self
    }
}

impl ExplanationStep {
    fn new(number: usize, step: &SolutionStep, cube: &Cube, reading: &PhaseSplit) -> Self {
        let direction = reading.axis.index() + if reading.inverse { 3 } else { 0 };
        let second = number > reading.lengths[0];
        // On the inverse cube, the part inside the subgroup comes first and is phase 2.
        let phase = if second == reading.inverse { 1 } else { 2 };
        Self {
            mv: step.mv.map(Move::name),
            moves_left: step.moves_left,
            length_left: step.length_left,
            facelets: cube.to_string(),
            phase: (number > 0).then_some(phase),
            coordinates: (&step.directions[direction]).into(),
            bounds: step.directions.iter().map(Into::into).collect(),
            lower_bound: step.lower_bound,
            exact: step.exact,
            shortest_from_here: step.shortest_from_here,
            cost: None,
        }
    }
}

/// Parts of the solution inside the subgroup of one axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Boundary {
    /// Axis.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Number of moves after which the cube stays inside the subgroup.
    pub inside_from: usize,
    /// Number of moves from the start that stay inside the subgroup.
    pub inside_until: usize,
}

same_fields! {
    explain::Boundary => Boundary { axis, inside_from, inside_until }
    PhaseSplit => TwoPhaseReading { axis, inverse, lengths }
}

/// Split of the solution into two phases.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TwoPhaseReading {
    /// Axis of the subgroup.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Whether the split is on the inverse cube, so that the part inside the subgroup comes first.
    pub inverse: bool,
    /// Number of moves of each part, in the order of the solution.
    pub lengths: [usize; 2],
}

/// Maximum length of a solution to explain.
const MAX_MOVES: usize = 200;

/// A checked request to explain a solution.
struct ExplainTask {
    /// Cube, and limits of the search for a solution or for proofs.
    task: Task,
    /// Solution to explain, as face moves in the holding of the start; if absent, one is searched for.
    solution: Option<Moves>,
}

impl ExplainTask {
    /// Checks a request.
    ///
    /// # Errors
    /// Returns the errors of [`Given::take`], [`Task::of_options`] and [`ExplainTask::of_start`], and those of the cube.
    fn new(solution: Option<String>, mut request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let control = Control::new();
        let given = Given::take(solution, &mut request, &control)?;
        let task = Task::of_options(&request, config, &control)?;
        Self::of_start(task, request.take_ends().start()?, given)
    }

    /// Gives a task its cube and its target, which only for a search have to go together with the options, and checks a given solution.
    ///
    /// # Errors
    /// Returns the errors of [`Task::of_start`], and an error for moves that do not solve the cube or do not lead to the target.
    fn of_start(task: Task, start: Start, Given { solution, machine }: Given) -> Result<Self, Problem> {
        let Some(moves) = &solution else { return Ok(Self { task: task.of_start(start)?, solution }) };
        let mut task = task.without_search(start)?;
        check(&task, moves)?;
        task.goal.machine = machine;
        Ok(Self { task, solution })
    }

    /// Explains the given solution, or `found` if none is given, in the metric of `metric`.
    ///
    /// # Errors
    /// Returns an error if `control` was cancelled, or an internal error if the moves do not solve the cube.
    fn answer(
        &self,
        found: &[Move],
        tables: &Tables,
        metric: Option<&MetricTables>,
        control: &Control,
    ) -> Result<Explanation, Problem> {
        let (cube, moves) = (&self.task.cube, self.solution.as_deref().unwrap_or(found));
        let end = cube.after(moves);
        // The cube that the moves solve is itself if they lead to the solved cube.
        let explanation =
            explain_in(tables, metric, &end.inverse().then(cube), moves, control).map_err(|_| Refused::ShuttingDown)?;
        // Not reached: a given solution was checked, and a found one was verified.
        let explanation = explanation.ok_or_else(Problem::internal)?;
        let body = Explanation::new(cube, moves, self.task.goal.metric, self.solution.is_none(), &explanation);
        let body = match self.task.goal.machine.as_deref() {
            Some(machine) => body.executed(moves, machine, self.task.goal.metric),
            None => body,
        };
        let target = self.task.target.as_ref().map(|_| end.to_string());
        Ok(Explanation { target, ..body })
    }
}

/// The given solution of a request, and the machine that executes it.
struct Given {
    solution: Option<Moves>,
    machine: Option<Arc<Machine>>,
}

impl Given {
    /// Reads the solution, and takes the machine out of the request. It must be able to execute the solution; [`Task::of_options`] would ask
    /// for all turns. Without a solution, the request stays as it is.
    ///
    /// # Errors
    /// Returns an error for moves that cannot be read, for too many of them, for a fault of the machine, or for a search option together
    /// with a solution, or if `control` ended the work on a machine.
    fn take(solution: Option<String>, request: &mut SolveRequest, control: &Control) -> Result<Self, Problem> {
        let Some(text) = solution else { return Ok(Self { solution: None, machine: None }) };
        refuse_search(request)?;
        let moves = face_moves(&text).map_err(|error| Problem::from(error).within("solution"))?;
        if moves.len() > MAX_MOVES {
            let detail =
                format!("`solution` has {} moves when expanded; it must have at most {MAX_MOVES}.", moves.len());
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"));
        }
        let turns: TurnSet = moves.iter().copied().collect();
        let machine = std::mem::take(&mut request.machine);
        let machine = machine.machine(&turns.moves().collect::<Vec<_>>(), Some(&moves), control)?;
        Ok(Self { solution: Some(moves), machine })
    }
}

/// Refuses search options, for a request with a solution.
fn refuse_search(request: &SolveRequest) -> Result<(), Problem> {
    let given = [
        ("target_length", request.limits.target_length),
        ("max_length", request.limits.max_length),
        ("candidates", request.machine.candidates),
    ];
    if let Some((name, _)) = given.iter().find(|(_, value)| value.is_some()) {
        let detail = format!(
            "`{name}` cannot be combined with `solution`: a given solution is not searched for. Remove one of them."
        );
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(name));
    }
    Ok(())
}

/// Checks that the moves solve the cube, or lead to the target. The error hints at the likely mistake.
fn check(Task { cube: start, goal, target, .. }: &Task, moves: &[Move]) -> Result<(), Problem> {
    let solves = |moves: &[Move]| goal.is_target(&start.after(moves));
    if solves(moves) {
        return Ok(());
    }
    let (does_not, does, is_done) = match target {
        None => ("does not solve the cube", "solves the cube", "The cube is solved"),
        Some(_) => ("does not lead to `target`", "leads to `target`", "`target` is reached"),
    };
    let early = (0..moves.len()).find(|&count| solves(&moves[..count]));
    let seen = |s: Symmetry| moves.iter().map(|&mv| s.conjugate_move(mv)).collect::<Moves>();
    let held = Symmetry::all().skip(1).find(|&s| solves(&seen(s)));
    let hint = if let Some(count) = early {
        format!(" {is_done} after {count} move{}; remove the rest.", plural(count))
    } else if solves(&Moves::from(moves).inverse()) {
        format!(" The inverse of `solution` {does}; `solution` may be the scramble.")
    } else if let Some(s) = held {
        format!(" With the cube held differently they do: {} ({}).", seen(s), group::describe(s))
    } else {
        String::new()
    };
    let detail = format!("`solution` {does_not}; it leads to {}.{hint}", start.after(moves));
    Err(Problem::new(Code::NotASolution, detail).in_field("solution"))
}

/// Explain a solution
///
/// Explains the given solution, or solves the cube first if none is given. Returns the coordinates and bounds after every move, the split
/// into two phases, moves that can be merged, the optimal part of the solution, the symmetry of the cube, and lengths in every metric. With
/// `metric`, distances and bounds count in it, and are known only where the tables of the metric prove them.
#[contract::path(post, path = "/explain", tag = "solve", operation_id = "explain", params(crate::api::types::WaitHeader),
    request_body(content = Request, examples(
        ("solution" = (summary = "A wasteful solution",
            value = json!({"scramble": "R U R' U'", "solution": "U R2 R' U D D' U2 R'"}))),
        ("cube" = (summary = "A cube alone", value = json!({"scramble": "R U F2 L'"})))
    )),
    responses((status = 200, description = "The explanation", body = Explanation), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(request): JsonBody<Request>,
) -> Result<Json<Explanation>, Problem> {
    answer(&state, &facts, request).await.map(Json)
}

/// Explain a solution, as a query
#[contract::path(get, path = "/explain", tag = "solve", operation_id = "explain_query", params(Request, crate::api::types::WaitHeader),
    responses((status = 200, description = "As POST /explain", body = Explanation), QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    facts: RequestFacts,
    QueryString(InQuery(request)): QueryString<InQuery<Request>>,
) -> Result<Json<Explanation>, Problem> {
    answer(&state, &facts, request).await.map(Json)
}

async fn answer(state: &AppState, facts: &RequestFacts, request: Request) -> Result<Explanation, Problem> {
    let (solution, request) = request.split();
    let take = |mut request, control: &Control| Ok((Given::take(solution, &mut request, control)?, request));
    let (given, request) = state.with_machine(request, take).await?;
    let mut asked = state.task_started(request, |task, start| ExplainTask::of_start(task, start, given)).await?;
    let solver = state.solver_for(&mut asked.task, facts).await?;
    let (tables, goal) = (solver.tables().clone(), &asked.task.goal);
    let metric = solver.serving(goal.metric, goal.turns).cloned();
    let found = if asked.solution.is_none() {
        state.search(solver, &asked.task, facts.listener()).await?.outcome.moves
    } else {
        Moves::default()
    };
    // Give the proofs a separate time limit, because the search may have used all of its time.
    let deadline = Instant::now() + asked.task.time_limit;
    let job = move |control: &Control| asked.answer(&found, &tables, metric.as_deref(), &control.until(deadline));
    state.lanes.quick().run(Deadline::EndBy(deadline), job).await?
}

operation! {
    routes {
        "/explain": post post, get get;
    }
    links {
        POST "/explain" "Explain a solution, move by move";
        GET "/explain?scramble=R%20U%20F" "Solve a scramble and explain the solution";
    }
    problems {
        /// Problems of `POST /explain`.
        Problems: BODY QUERY CUBE TARGET SEARCH MACHINE TABLES METRIC [NotASolution];
        /// Problems of `GET /explain`.
        QueryProblems: QUERY CUBE TARGET SEARCH TABLES METRIC [NotASolution];
    }
}

/// Explain a solution
///
/// Shows the effect of each move: coordinates and bounds, where phase 2 begins, moves that can be merged, and where a shorter solution
/// exists. Also shows the symmetry of the cube and the length in every metric. Without --solution the cube is solved first.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip explain \"R U F2 L'\"
  superflip explain \"R U F2 L'\" --machine examples/machines/cubotino.json
  superflip explain \"R U R' U'\" --solution \"U R2 R' U D D' U2 R'\"
  superflip explain UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB --time-limit-ms 5000 --json"),
    after_long_help = "Exit codes: 0 it worked, 1 it failed or found no solution within the limits, 2 the cube, the solution or a flag is \
        invalid.",
    mut_arg("time_limit_ms", |arg| {
        arg.help("Time limit of the search in milliseconds; the proofs of distances after it have the same limit [default: 1000]")
    })
)]
pub struct Flags {
    /// Facelets, a scramble, another form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// The cube that the moves must lead to.
    #[command(flatten)]
    pub target: TargetOptions,
    /// Face moves that solve the cube, or lead to --target
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["target_length", "max_length"])]
    pub solution: Option<String>,
    /// Limits of the search, and the metric.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// The machine that executes the moves.
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Write JSON as POST /explain does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Explains one solution.
///
/// # Errors
/// Returns an error if the cube, the solution or an option is invalid, the tables are not available, or there is no solution within the limits.
pub(crate) fn run(args: &Flags) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let request = SolveRequest {
        cube: CubeRequest { format: args.format, ..CubeRequest::of_text(text_of(&args.cube)?) },
        target: args.target.of_flags(),
        limits: args.limits.clone(),
        machine: args.machine.clone(),
        ..SolveRequest::default()
    };
    let asked =
        ExplainTask::new(args.solution.clone(), request, &config).map_err(|problem| refuse(args.json, &problem, 2))?;
    let (task, control) = (&asked.task, Control::new());
    let steps = StepSet::of_metric(task.goal.metric);
    let solver = solver_for_one(&args.configuration, &config, steps, None, &control)?;
    let found = if asked.solution.is_none() {
        let search = solver.search(&task.cube, &task.goal).until(Instant::now() + task.time_limit);
        search.finish().map_err(|error| unsolved(args.json, error))?.moves
    } else {
        Moves::default()
    };
    let control = control.until(Instant::now() + task.time_limit);
    let body = asked
        .answer(&found, solver.tables(), solver.serving(steps.metric, steps.turns).map(Arc::as_ref), &control)
        .map_err(|problem| refuse(args.json, &problem, 1))?;
    if args.json { print_json(&body) } else { print(&text(body)?) }
}

/// Formats the explanation as fields, followed by a table of the steps, and one of what a machine does.
fn text(mut body: Explanation) -> Result<String, Failure> {
    let header = format!(
        "move,left,phase,twist,flip,slice,corners,edges,to {},bound,exact,shortest from here",
        body.reading.axis
    );
    let steps = std::mem::take(&mut body.steps);
    let rows = |header: &str, rows: Vec<Vec<String>>| {
        let header = header.split(',').map(str::to_owned).collect();
        table(&std::iter::once(header).chain(rows).collect::<Vec<Vec<String>>>())
    };
    let schedule = body.schedule.take().map(|schedule| {
        let steps = schedule.iter().map(|step| {
            let (turn, moves) = (or_dash(step.turn.as_deref()), step.moves.join(" "));
            let holding = step.holding.to_string();
            vec![
                step.action.clone(),
                turn,
                moves,
                step.state.clone(),
                holding,
                step.cost.to_string(),
                step.total.to_string(),
            ]
        });
        "\n".to_owned() + &rows("action,turn,moves,state,holding,cost,total", steps.collect())
    });
    Ok(document(&body)? + &rows(&header, steps.iter().map(row).collect()) + &schedule.unwrap_or_default())
}

fn row(step: &ExplanationStep) -> Vec<String> {
    let c = &step.coordinates;
    let [moves_left, twist, flip, slice, corners, to_subgroup, bound] = [
        u32::try_from(step.length_left).unwrap_or(u32::MAX),
        c.twist,
        c.flip,
        c.slice,
        c.corner_perm,
        c.phase_one_distance,
        step.lower_bound,
    ]
    .map(|number| number.to_string());
    let (mv, phase, edges, exact) = (or_dash(step.mv), or_dash(step.phase), or_dash(c.ud_edges), or_dash(step.exact));
    let shortest = step.shortest_from_here.map_or("?", |is| if is { "yes" } else { "no" }).to_owned();
    vec![mv, moves_left, phase, twist, flip, slice, corners, edges, to_subgroup, bound, exact, shortest]
}
