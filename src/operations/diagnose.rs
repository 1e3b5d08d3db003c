//! `/diagnose` and `superflip diagnose`: finds which moves or actions were missed, doubled, reversed or half made.

use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use clap::Args;
use futures_util::FutureExt as _;
use serde::Serialize;

use crate::api::problem::{Code, Document, Problem};
use crate::api::request::colors;
use crate::api::request::machine::MachineOptions;
use crate::api::request::options::{LimitOptions, MAX_EXPLANATIONS, SearchOptions, Task, in_range};
use crate::api::types::fields::fields;
use crate::api::types::{
    ChannelOrder, Colors, CubeRequest, ExecutedAction, Phases, ScanDetails, ScheduleStep, SolveRequest, SolveResult,
    TurnList,
};
use crate::cli::args::{Configuration, examples, format_of_name, forms_help};
use crate::cli::input::{json_of, lift_caps, text_of};
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, solver_for_one};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::http::{AppState, operation};
use crate::service::pool::Refused;
use superflip_cube::verify::sticker;
use superflip_cube::{Cube, Form, Holding, Moves, Stickers};
use superflip_scan::repair::completions;
use superflip_scan::slips::{self, Explanations, Step, explain_steps};
use superflip_solver::search::machine::{Machine, MachineFaults, ScheduleFault};
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Solution};

fields! {
    /// The cube before the moves in exactly one of its forms, what was sent, and what is seen after it.
    pub struct Request as DiagnoseRequest {
        ..cube: CubeRequest,
        /// Face moves that were sent, at most 200: a text, or a list as in `moves` of the response of POST /solve. Give either `moves` or
        /// `schedule`.
        #[schema(example = "R U R' U'")]
        pub moves: Option<TurnList>,
        /// Actions that `machine` executed from its state `start`, at most 400: their names, or steps as in `schedule` of the response of
        /// POST /solve. With `costs`, the actions are turns.
        #[schema(example = json!(null))]
        pub schedule: Option<Vec<ExecutedAction>>,
        /// Stickers after the moves: 54 symbols in the order U R F D L B, each face row by row; `?` is an unknown sticker. After `moves`, the
        /// cube is held as before them. After a `schedule`, it is held as the machine holds it: U is the layer on top in the machine. Any six
        /// distinct symbols are accepted; the centres define which face each symbol stands for. Give either `seen` or `seen_colors`.
        #[schema(example = "UUUUUUUUFRRRRRRRRRFFUFFUFFDDDFDDDDDDLLLLLLLLLBBBBBBBBB")]
        pub seen: Option<String>,
        /// 54 colour samples of the stickers in `seen`, in a shape of `colors`, which are those of the cube before. `channel_order`
        /// describes both.
        #[schema(value_type = Option<crate::api::types::described::Colors>, example = json!(null))]
        pub seen_colors: Option<Colors>,
        /// Maximum number of explanations, each with a solution (default: 3).
        #[schema(minimum = 1, maximum = 10)]
        pub max_explanations: Option<u32>,
        /// Letters of the faces that the solutions may turn, as for POST /solve (default: all). After a `schedule`, they are named by their places
        /// in the machine.
        pub faces: Option<String>,
        ..limits: LimitOptions,
        ..machine: MachineOptions,
    }
}

impl From<Request> for SolveRequest {
    /// Returns how to solve the cubes; the cube is that before the moves.
    fn from(Request { cube, faces, limits, machine, .. }: Request) -> Self {
        let search = SearchOptions { faces, ..SearchOptions::default() };
        Self { cube, limits, search, machine, ..Self::default() }
    }
}

/// Explanations of the stickers after moves or actions. Cubes are held as in `seen`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Diagnosis {
    /// Cube after the moves as they were sent, as 54 letters URFDLB.
    pub expected: String,
    /// Stickers that were read from `seen_colors`, as 54 letters URFDLB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// Cubes after at most two slips that have the known stickers, in the order of the number of slips. If no such cube has them, the list has
    /// the cubes that differ in one sticker, which is `misread`. The list is empty if no such cube exists either.
    pub explanations: Vec<SlipExplanation>,
    /// Whether there are more explanations than listed.
    pub truncated: bool,
    /// Number of legal cubes with the known stickers, in decimal digits. Present if no explanation has all known stickers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<String>,
    /// The only legal cube with the known stickers, and its solution, or the reason why it has none. Present if no explanation has all known
    /// stickers and exactly one legal cube has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<SolvedCube>,
}

/// A cube with its solution, or with the reason why it has none.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct SolvedCube {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// Moves that solve it, separated by one space; empty for a solved cube. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// Moves as a list. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<&'static str>>,
    /// Length: the number of moves, or what they count in the metric of the request. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// Search that found the solution, and its phases. Absent if there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<Phases>,
    /// With `costs` or `machine`: cost of the cheapest execution of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// With `costs` or `machine`: lower bound on the cost of every solution, as POST /solve returns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_lower_bound: Option<f64>,
    /// With `costs` or `machine`: what the machine does from the state after the schedule, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<ScheduleStep>>,
    /// Reason why there is no solution, as `POST /solve` returns it. The other cubes of the response may have solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Box<Document>>,
}

impl SolvedCube {
    /// Creates the description.
    pub(crate) fn new(cube: &Cube, solution: Result<SolveResult, Box<Document>>) -> Self {
        let facelets = cube.to_string();
        match solution {
            Ok(SolveResult { solution, moves, length, phases, cost, cost_lower_bound, schedule, .. }) => Self {
                facelets,
                solution: Some(solution),
                moves: Some(moves),
                length: Some(length),
                phases: Some(phases),
                cost,
                cost_lower_bound,
                schedule,
                problem: None,
            },
            Err(problem) => Self { facelets, problem: Some(problem), ..Self::default() },
        }
    }
}

/// A cube that slips may have led to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SlipExplanation {
    /// Least number of slips that lead to this cube; 0 if all moves were made.
    pub slips: usize,
    /// Number of ways to this cube, each with this number of slips. Different slips give the same cube if moves repeat or commute.
    pub total_ways: usize,
    /// The first ten ways, each with its slips in the order of the moves.
    pub ways: Vec<Vec<Slip>>,
    /// Sticker of `seen` that must have been misread: 0 to 53 in the order U R F D L B. Absent if the cube has all known stickers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 53)]
    pub misread: Option<u8>,
    /// With `schedule`: state of the machine after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// With `schedule`: how the machine holds the cube after it: the centre on top, then the centre in front, named by their places before the
    /// schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "UF")]
    pub holding: Option<Holding>,
    /// Cube that results, and its solution from here, or the reason why it has none.
    #[serde(flatten)]
    pub solved: SolvedCube,
}

impl SlipExplanation {
    /// Creates the explanation. `machine` has the state of the machine and the names of its actions.
    pub(crate) fn new(
        explanation: &slips::Explanation,
        machine: Option<(&str, &[String])>,
        solved: SolvedCube,
    ) -> Self {
        let slips::Explanation { holding, misread, slips, total, ways, .. } = explanation;
        let names = machine.map(|(_, names)| names);
        let ways = ways.iter().map(|way| way.iter().map(|slip| Slip::new(slip, names)).collect()).collect();
        Self {
            slips: *slips,
            total_ways: *total,
            ways,
            misread: *misread,
            state: machine.map(|(state, _)| state.to_owned()),
            holding: machine.map(|_| *holding),
            solved,
        }
    }
}

/// Move or action that was not made as it was sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Slip {
    /// Index of the move or action, from 0.
    pub index: usize,
    /// Number of the move or action, from 1.
    pub number: usize,
    /// With `schedule`: name of the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Move that was sent. For an action, its turns and its rotation of the cube.
    #[schema(example = "R2")]
    pub sent: String,
    /// Move that was made instead, or turns and rotation; null if nothing moved.
    #[schema(example = "R")]
    pub made: Option<String>,
    /// Kind of the slip.
    pub kind: SlipKind,
}

/// Kind of a slip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SlipKind {
    /// Nothing moved.
    Missed,
    /// The turn or rotation was made in the other direction.
    Reversed,
    /// The turn or rotation was made twice: a quarter turn became a half turn.
    Doubled,
    /// A half turn became a quarter turn.
    HalfMade,
}

impl Slip {
    fn new(slip: &slips::Slip, actions: Option<&[String]>) -> Self {
        let kind = match slip.kind {
            slips::SlipKind::Missed => SlipKind::Missed,
            slips::SlipKind::Reversed => SlipKind::Reversed,
            slips::SlipKind::Doubled => SlipKind::Doubled,
            slips::SlipKind::HalfMade => SlipKind::HalfMade,
        };
        Self {
            index: slip.index,
            number: slip.index + 1,
            action: actions.and_then(|names| names.get(slip.index)).cloned(),
            sent: slip.sent.to_string(),
            made: (!slip.made.is_none()).then(|| slip.made.to_string()),
            kind,
        }
    }
}

/// Maximum number of moves. All pairs of slips are compared, which takes some tens of milliseconds for this number.
const MAX_MOVES: usize = 200;
/// Maximum number of actions. An action has fewer slips than a move.
const MAX_ACTIONS: usize = 400;
/// Number of explanations listed without `max_explanations`.
const LISTED: u32 = 3;

/// The checked fields of a request beside the cube and the options of the search.
struct Sent {
    steps: SentSteps,
    seen: Seen,
    limit: usize,
}

enum SentSteps {
    Moves(Moves),
    /// Actions of the machine of the request.
    Schedule(Vec<ExecutedAction>),
}

enum Seen {
    Stickers(Stickers),
    Colors(Colors, Option<ChannelOrder>),
}

/// The possible explanations.
struct Explained {
    expected: Cube,
    explanations: Explanations,
    /// Number of legal cubes with the known stickers, and the only one, if no slips explain them.
    unexplained: Option<(u128, Option<Cube>)>,
    /// Stickers that were read from colours.
    seen: Option<String>,
    executed: Option<Executed>,
}

/// What is known of a machine after its schedule.
struct Executed {
    state: String,
    /// Names of the actions.
    names: Vec<String>,
}

impl Sent {
    /// Takes the fields out of a request and checks them.
    ///
    /// # Errors
    /// Returns an error that names the first invalid field.
    fn take(request: &mut Request) -> Result<Self, Problem> {
        let limit = request.max_explanations.unwrap_or(LISTED);
        let limit = in_range("max_explanations", limit, 1..=MAX_EXPLANATIONS, "")?;
        let steps = match (request.moves.take(), request.schedule.take()) {
            (Some(_), None) if request.machine.machine.is_some() => {
                let detail = "`machine` needs `schedule`, the actions that it executed: `moves` do not say how it held the cube. Give `schedule` \
                              instead of `moves`, or remove `machine`.";
                return Err(out_of_range("machine", detail));
            }
            (Some(moves), None) => SentSteps::Moves(moves_of(&moves.text())?),
            (None, Some(schedule)) => {
                if request.machine.machine.is_none() && request.machine.costs.is_none() {
                    let detail = "`schedule` needs `machine`, whose actions it names, or `costs`. Add one of them, or give `moves`.";
                    return Err(out_of_range("schedule", detail));
                }
                check_count("schedule", "actions", schedule.len(), MAX_ACTIONS)?;
                SentSteps::Schedule(schedule)
            }
            (Some(_), Some(_)) => {
                let detail = "`schedule` cannot be combined with `moves`: both say what was sent. Remove one of them.";
                return Err(out_of_range("schedule", detail));
            }
            (None, None) => {
                let detail = "`moves` is missing. Give the moves that were sent, or `schedule` with `machine`.";
                return Err(out_of_range("moves", detail));
            }
        };
        let seen = match (request.seen.take(), request.seen_colors.take()) {
            (Some(text), None) => {
                Seen::Stickers(Stickers::parse(&text).map_err(|error| Problem::from(error).within("seen"))?)
            }
            (None, Some(colors)) => {
                let order = request.cube.channel_order;
                // It describes the cube before too, if that is given as colours.
                request.cube.channel_order = order.filter(|_| request.cube.colors.is_some());
                Seen::Colors(colors, order)
            }
            (Some(_), Some(_)) => {
                let detail = "`seen_colors` cannot be combined with `seen`: both say what is seen. Remove one of them.";
                return Err(out_of_range("seen_colors", detail));
            }
            (None, None) => {
                let detail = "`seen` is missing. Give the stickers after the moves, as `seen` or `seen_colors`.";
                return Err(out_of_range("seen", detail));
            }
        };
        Ok(Self { steps, seen, limit })
    }

    /// Finds the explanations. After a schedule, the machine of the task starts in the state after it. It takes some milliseconds, and some tens
    /// for the longest lists of moves.
    ///
    /// # Errors
    /// Returns an error for a schedule that the machine cannot execute, for a machine that cannot make every turn from there, and for colours
    /// that cannot be read, or if `control` ended the work.
    fn explain(&self, task: &mut Task, control: &Control) -> Result<Explained, Problem> {
        let (steps, executed) = match &self.steps {
            SentSteps::Moves(moves) => (moves.iter().map(|mv| Step::from(*mv)).collect(), None),
            SentSteps::Schedule(schedule) => {
                let (steps, executed) = follow(task, schedule)?;
                (steps, Some(executed))
            }
        };
        let (stickers, seen) = match &self.seen {
            Seen::Stickers(stickers) => (stickers.clone(), None),
            Seen::Colors(colors, order) => {
                let text = colors::read_seen(colors, *order)?.to_string();
                (Stickers::parse(&text)?, Some(text))
            }
        };
        let explanations = explain_steps(&task.cube, &steps, &stickers, self.limit, || control.check().is_err());
        let explanations = explanations.ok_or(Refused::ShuttingDown)?;
        let is_exact = explanations.found.first().is_some_and(|explanation| explanation.misread.is_none());
        let unexplained = (!is_exact).then(|| {
            let completions = completions(&stickers);
            (completions.total, completions.unique().map(|only| only.cube))
        });
        let expected = steps.iter().fold(task.cube, |cube, step| step.motion.after(&cube));
        Ok(Explained { expected, explanations, unexplained, seen, executed })
    }
}

/// Finds the actions of a schedule, and changes the start of the machine of the task to the state after them. Returns what they do.
fn follow(task: &mut Task, schedule: &[ExecutedAction]) -> Result<(Vec<Step>, Executed), Problem> {
    let machine = task.goal.machine.take().ok_or_else(Problem::internal)?;
    let followed = machine.schedule(schedule.iter().map(ExecutedAction::parts)).map_err(|fault| unfollowed(&fault))?;
    let actions = || followed.actions.iter();
    let steps =
        actions().map(|action| Step { motion: action.motion.clone(), is_reversible: action.is_reversible }).collect();
    let names = actions().map(|action| action.name.to_owned()).collect();
    let after: Machine = machine.starting_after(&followed);
    let missing = after.missing_turns(&task.goal.turns.moves().collect::<Vec<_>>());
    if !missing.is_empty() {
        return Err(MachineFaults(missing).into());
    }
    let state = followed.state.to_owned();
    task.goal.machine = Some(Arc::new(after));
    Ok((steps, Executed { state, names }))
}

/// Returns the problem of a schedule that the machine cannot execute.
fn unfollowed(fault: &ScheduleFault) -> Problem {
    let advice = match fault {
        ScheduleFault::UnknownAction { .. } => {
            "Give the names as `schedule` of POST /solve returns them for this machine"
        }
        ScheduleFault::Ambiguous { .. } => {
            "Give the steps with `action` and `state`, as POST /solve returns them, or give the actions different names"
        }
        _ => "Give every action that was executed since `start`, in order",
    };
    let index = fault.index();
    let detail = format!("Action {} of `schedule`: {fault}. {advice}.", index + 1);
    Problem::new(Code::OptionOutOfRange, detail).in_field(&format!("schedule[{index}]"))
}

fn moves_of(text: &str) -> Result<Moves, Problem> {
    let moves = text.parse::<Moves>().map_err(|error| Problem::from(error).within("moves"))?;
    check_count("moves", "moves when expanded", moves.len(), MAX_MOVES)?;
    Ok(moves)
}

fn check_count(field: &str, what: &str, count: usize, most: usize) -> Result<(), Problem> {
    if count <= most {
        return Ok(());
    }
    let detail = format!("`{field}` has {count} {what}; it must have at most {most}. Diagnose the cube after fewer.");
    Err(out_of_range(field, &detail))
}

fn out_of_range(field: &str, detail: &str) -> Problem {
    Problem::new(Code::OptionOutOfRange, detail).in_field(field)
}

impl Explained {
    /// Returns the cubes to solve: those of the explanations, then the only legal one.
    fn cubes(&self) -> Vec<Cube> {
        let found = self.explanations.found.iter().map(|explanation| explanation.cube);
        found.chain(self.unexplained.and_then(|(_, only)| only)).collect()
    }

    /// Solves the cubes with `search`, one after another within the time limit of the task, and returns the response. `search` returns the
    /// task with a solution and its wait for a thread.
    async fn answer<F: Future<Output = (Task, Result<(Solution, Duration), Problem>)>>(
        self,
        mut task: Task,
        request_id: &str,
        mut search: impl FnMut(Task) -> F,
    ) -> Diagnosis {
        let (deadline, cubes) = (Instant::now() + task.time_limit, self.cubes());
        // What was scanned is the cube before the moves.
        task.scan = ScanDetails::default();
        let mut solved = Vec::with_capacity(cubes.len());
        let mut searches = u32::try_from(cubes.len()).unwrap_or(u32::MAX);
        for cube in &cubes {
            task.cube = *cube;
            task.time_limit = deadline.saturating_duration_since(Instant::now()) / searches;
            searches -= 1;
            let found;
            (task, found) = search(task).await;
            let solution = found.map(|(outcome, queued)| task.answer(&outcome, queued));
            let solution = solution.map_err(|problem| Box::new(problem.in_request(request_id)));
            solved.push(SolvedCube::new(cube, solution));
        }
        let mut solved = solved.into_iter();
        let machine = self.executed.as_ref().map(|Executed { state, names }| (state.as_str(), names.as_slice()));
        let explanations = self.explanations.found.iter().zip(solved.by_ref());
        Diagnosis {
            expected: self.expected.to_string(),
            seen: self.seen,
            explanations: explanations.map(|(found, solved)| SlipExplanation::new(found, machine, solved)).collect(),
            truncated: self.explanations.truncated,
            completions: self.unexplained.map(|(total, _)| total.to_string()),
            now: solved.next(),
        }
    }
}

/// Find which moves went wrong
///
/// A slip is a move that was missed, reversed, doubled (a quarter turn became a half turn) or half made (a half turn became a quarter turn).
/// With `schedule`, it is an action of a machine: a turn, or a rotation of the whole cube. The stickers after the moves are compared with all
/// cubes after at most two slips. `explanations` lists the cubes that have the known stickers, those after the fewest slips first. Each has a
/// solution, the number of ways that lead to it, and the first ten of them. With 0 slips, all moves were made as sent. If no such cube has the
/// stickers, the list has the cubes that differ in one sticker, which is `misread`. If exactly one legal cube has the stickers then, `now` is
/// this cube with a solution. With `costs` or `machine`, each solution has a schedule that starts in the state after the given one. The searches
/// share the time limit. A cube whose search has no solution, or is refused, has a `problem` instead.
#[contract::path(post, path = "/diagnose", tag = "solve", operation_id = "diagnose", params(crate::api::types::WaitHeader),
    request_body(content = Request, examples(
        ("half" = (summary = "A half turn that became a quarter turn", value = json!({"scramble": "F2 L D", "moves": "R U2 F'",
            "seen": "BBBDUUDFFLBDFRRFRRLUULFRDURFLUDDBDDBUFFLLFBBRLLLUBDURR"}))),
        ("flip" = (summary = "A flip that a robot missed", value = json!({"scramble": "D' F'",
            "schedule": ["flip", "D", "flip", "flip", "flip", "D"],
            "seen": "UUUUUURRRDRRDRRFFFFFFFFFLLUDDLDDLDDLLLULLUBBBBBBBBBDRR", "machine": {"start": "ready", "states": ["ready"], "actions": [
                {"turn": "D", "cost": 0.8}, {"turn": "D'", "cost": 0.8}, {"turn": "D2", "cost": 1.6},
                {"name": "flip", "rotates": "x'", "cost": 0.6},
                {"name": "spin", "rotates": "y", "cost": 0.7}, {"name": "spin back", "rotates": "y'", "cost": 0.7}]}}))),
        ("unknown" = (summary = "Only three faces are seen", value = json!({"scramble": "", "moves": "R U R' U'",
            "seen": "UULUUFUUFRRUBRRURRFFDFFUFFF????D????????L????????B????"})))
    )),
    responses((status = 200, description = "The explanations", body = Diagnosis), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    RequestIdText(id): RequestIdText,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(mut request): JsonBody<Request>,
) -> Result<Json<Diagnosis>, Problem> {
    let sent = Sent::take(&mut request)?;
    let mut task = state.task(request.into()).await?;
    let explain = move |control: &Control| Ok((sent.explain(&mut task, control)?, task));
    let (explained, mut task) = state.work_under(explain).await?;
    let solver = state.solver_for(&mut task, &facts).await;
    let (state, facts, solver) = (&state, &facts, &solver);
    let search = |task: Task| async move {
        let solved = match solver.clone() {
            Ok(solver) => state.search(solver, &task, facts.listener()).await,
            Err(problem) => Err(problem),
        };
        (task, solved.map(|solved| (solved.outcome, solved.queued)))
    };
    Ok(Json(explained.answer(task, &id, search).await))
}

operation! {
    routes {
        "/diagnose": post post;
    }
    links {
        POST "/diagnose" "Find which moves went wrong";
    }
    problems {
        /// Problems of `POST /diagnose`. Those of its searches are in the answer.
        Problems: BODY QUERY CUBE MACHINE [OptionOutOfRange UnsupportedMoves];
    }
}

/// Find which moves went wrong
///
/// CUBE is the cube before the moves. Compares the stickers seen after the moves with the cubes after up to two slips: moves that were missed,
/// reversed, doubled (a quarter turn became a half turn) or half made (a half turn became a quarter turn). Prints the cubes that have these
/// stickers, those after the fewest slips first, and a solution of each.
///
/// With --schedule, slips are slips of the actions of a machine. The cube is then named by places in the machine after them, and the solution
/// has a schedule from the state there.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip diagnose \"F2 L D\" --moves \"R U2 F'\" --seen BBBDUUDFFLBDFRRFRRLUULFRDURFLUDDBDDBUFFLLFBBRLLLUBDURR
  superflip diagnose - --moves \"R U R' U'\" --seen UULUUFUUFRRUBRRURRFFDFFUFFF????D????????L????????B???? < before.txt
  superflip diagnose \"D' F'\" --machine examples/machines/cubotino.json --schedule schedule.json --seen UUUUUURRRDRRDRRFFFFFFFFFLLUDDLDDLDDLLLULLUBBBBBBBBBDRR"),
    after_long_help = "Exit codes: 0 explained, 1 no explanation, or it failed, 2 the cube, what was sent, the stickers or a flag is invalid."
)]
pub struct Flags {
    /// Cube before the moves: facelets, a scramble, another form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Face moves that were sent
    #[arg(long, value_name = "MOVES", required_unless_present = "schedule", conflicts_with = "schedule")]
    pub moves: Option<String>,
    /// Actions that the machine of --machine or --costs executed: a file, or JSON, with a list of their names
    ///
    /// Instead of a name, the list may have a step of the schedule that superflip solve --json prints, which tells actions of the same name apart.
    #[arg(long, value_name = "FILE|JSON")]
    pub schedule: Option<String>,
    /// Stickers after the moves: 54 symbols in the order U R F D L B; ? is an unknown sticker
    ///
    /// After --moves, the cube is held as before them. After --schedule, it is held as the machine holds it.
    #[arg(long, value_name = "STICKERS")]
    pub seen: String,
    /// Maximum number of explanations, 1 to 10 [default: 3]
    #[arg(long, value_name = "N")]
    pub max_explanations: Option<u32>,
    /// Form of CUBE, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// The machine that executed the schedule, and executes the solutions.
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Turn these faces only in the solutions, such as URFDL [default: all]
    #[arg(long, value_name = "FACES")]
    pub faces: Option<String>,
    /// Limits of the searches.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Write JSON as POST /diagnose does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Explains the stickers after moves or actions.
///
/// # Errors
/// Returns an error if the input is invalid, or the tables are not available. Returns exit code 1 if there is no explanation, or one without a
/// solution.
pub(crate) fn run(args: &Flags) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let mut request = Request {
        cube: CubeRequest { format: args.format, ..CubeRequest::of_text(text_of(&args.cube)?) },
        moves: args.moves.clone().map(TurnList::Text),
        schedule: args.schedule.as_deref().map(|schedule| json_of("--schedule", schedule)).transpose()?,
        seen: Some(args.seen.clone()),
        max_explanations: args.max_explanations,
        faces: args.faces.clone(),
        limits: args.limits.clone(),
        machine: args.machine.clone(),
        ..Request::default()
    };
    let checked = Sent::take(&mut request).and_then(|sent| {
        let mut task = Task::new(request.into(), &config)?;
        Ok((sent.explain(&mut task, &Control::new())?, task))
    });
    let (explained, task) = checked.map_err(|problem| refuse(args.json, &problem, 2))?;
    let solver = if explained.cubes().is_empty() {
        None
    } else {
        let steps = StepSet { metric: task.goal.metric, turns: task.goal.turns };
        Some(solver_for_one(&args.configuration, &config, steps, None, &Control::new())?)
    };
    let search = |task: Task| {
        let found = solver.as_ref().ok_or_else(Problem::internal).and_then(|solver| {
            let search = solver.search(&task.cube, &task.goal).until(Instant::now() + task.time_limit);
            Ok((search.finish()?, Duration::ZERO))
        });
        ready((task, found))
    };
    // Not reached: `search` does not wait.
    let body = explained.answer(task, "", search).now_or_never().ok_or_else(Problem::internal)?;
    if args.json { print_json(&body) } else { print(&text(&body)) }?;
    let mut cubes = body.explanations.iter().map(|explanation| &explanation.solved).chain(&body.now);
    let is_solved = cubes.all(|cube| cube.problem.is_none());
    if body.explanations.is_empty() || !is_solved { Err(Failure::Reported(1)) } else { Ok(()) }
}

/// Formats each explanation as its cube, its ways and its solution.
fn text(body: &Diagnosis) -> String {
    let mut out = String::new();
    for explanation in &body.explanations {
        out += &ways(explanation);
        out += &solved(&explanation.solved);
    }
    if body.truncated {
        out += "more explanations exist; raise --max-explanations, or read more stickers\n";
    }
    let none = body.completions.as_ref().map_or_else(String::new, |completions| {
        let next = match completions.as_str() {
            "0" => "a sticker is wrong: read the stickers again, or let `superflip repair` find the wrong ones",
            "1" => "it was reached in another way; this is a solution from there",
            _ => "read more stickers",
        };
        format!("no cube after at most two slips has these stickers; legal cubes with these stickers: {completions}\n{next}\n")
    });
    out + &none + &body.now.as_ref().map_or_else(String::new, solved)
}

fn solved(SolvedCube { facelets, solution, problem, cost, cost_lower_bound, schedule, .. }: &SolvedCube) -> String {
    let reason = || problem.as_ref().map_or_else(String::new, |problem| format!("none. {}", problem.detail));
    let moves = match solution.as_deref() {
        Some("") => "none, it is solved".to_owned(),
        moves => moves.map_or_else(reason, str::to_owned),
    };
    let cost = cost.zip(*cost_lower_bound);
    let executed =
        schedule.as_ref().filter(|schedule| !schedule.is_empty()).zip(cost).map(|(schedule, (cost, bound))| {
            let actions: Vec<&str> = schedule.iter().map(|step| step.action.as_str()).collect();
            format!("  schedule: {}\n  cost: {cost}; no solution costs less than {bound}\n", actions.join(", "))
        });
    format!("  cube: {facelets}\n  solution: {moves}\n{}", executed.unwrap_or_default())
}

fn ways(explanation: &SlipExplanation) -> String {
    let SlipExplanation { slips, total_ways, ways, misread, state, holding, .. } = explanation;
    let misread =
        misread.map_or_else(String::new, |facelet| format!(", if sticker {} was misread", sticker(facelet.into())));
    let machine = state.as_ref().zip(*holding);
    let machine = machine.map(|(state, holding)| format!("  state: {state}\n  holding: {holding}\n"));
    if *slips == 0 {
        let what = if machine.is_some() { "actions" } else { "moves" };
        return format!("all {what} were made{misread}\n{}", machine.unwrap_or_default());
    }
    let lines = ways.iter().enumerate().map(|(number, way)| {
        let slips: Vec<String> = way.iter().map(words).collect();
        format!("{}{}{misread}\n", if number == 0 { "" } else { "or " }, slips.join(", and "))
    });
    let rest = total_ways - ways.len();
    let rest = if rest == 0 { String::new() } else { format!("or {rest} more ways\n") };
    lines.collect::<String>() + &rest + &machine.unwrap_or_default()
}

fn words(slip: &Slip) -> String {
    let Slip { number, action, sent, made, kind, .. } = slip;
    let kind = match kind {
        SlipKind::Missed => "was missed",
        SlipKind::Reversed => "was reversed",
        SlipKind::Doubled => "was doubled",
        SlipKind::HalfMade => "was half made",
    };
    let made = made.as_ref().map_or_else(String::new, |made| format!(": {made}"));
    match action {
        Some(action) if action != sent => format!("action {number}, {action} ({sent}), {kind}{made}"),
        Some(_) => format!("action {number}, {sent}, {kind}{made}"),
        None => format!("move {number}, {sent}, {kind}{made}"),
    }
}
