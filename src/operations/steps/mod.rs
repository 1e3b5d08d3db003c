//! `/steps` and `superflip steps`: solutions in steps, and the catalogue of goals. `/steps/stream`: better solutions as they are found.

pub mod answer;
pub mod chain;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use clap::Args;
use tokio::sync::mpsc;
use tokio::time::timeout_at;
use tracing::Instrument as _;

use self::answer::{GoalList, StepsAnswer, StepsEvent, StepsResult, StepsSolution, StepsSolutionEvent, StepsStep};
use self::chain::{StepList, StepsTask};
use crate::api::problem::{Code, Problem};
use crate::api::request::read::parse_as;
use crate::api::types::CubeRequest;
use crate::api::types::fields::fields;
use crate::cli::args::{Configuration, examples, format_of_name, forms_help};
use crate::cli::input::{lift_caps, text_of};
use crate::cli::output::{document, table};
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, solver_for_one};
use crate::contract;
use crate::http::events::{Message, Work};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::http::{AppState, operation};
use crate::service::lanes::{FoundSteps, NoSteps};
use crate::service::pool::{Deadline, Refused};
use crate::service::process::resident_bytes;
use crate::service::spaces::Spaces;
use crate::service::tables::memory::{self, Held};
use superflip_coords::space::Space;
use superflip_coords::space::memory::Memory;
use superflip_coords::steps::{ChainSolution, ChainSolutions, Goal, Unreached};
use superflip_cube::forms::plural;
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Form};
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Cancelled, Control};

fields! {
    /// Limits of a search in steps.
    #[derive(Args)]
    pub struct StepsLimits {
        /// Number of distinct solutions to list, shortest first (default: 1).
        #[schema(minimum = 1, maximum = 100)]
        #[arg(long, value_name = "N", help = "Number of distinct solutions to print, shortest first, 1 to 100 [default: 1]")]
        pub solutions: Option<u32>,
        /// Time limit in milliseconds (default: 1000). The best solutions found in that time are returned. It includes the wait for a
        /// thread and the first build of the tables of a goal. A value above the server's maximum is refused.
        #[schema(minimum = 1)]
        #[arg(long, value_name = "MS", help = "Time limit in milliseconds [default: 1000]")]
        pub time_limit_ms: Option<u64>,
    }
}

fields! {
    /// A cube in exactly one of its forms, and the steps that solve it.
    pub struct Request as StepsRequest {
        ..cube: CubeRequest,
        /// Steps in their order, 1 to 10: a list of objects, or a text such as `EO[ud;fb;max=5;niss=always] > DR > HTR > FIN`.
        #[schema(value_type = chain::StepListSchema)]
        pub steps: StepList,
        ..limits: StepsLimits,
    }
}

fields! {
    /// A cube, and the steps that solve it, as a query.
    pub struct Query in Query {
        ..cube: CubeRequest,
        /// Steps as a text, such as `eo>dr>htr>finish` or `EO[niss=always] > DR > HTR > FIN`.
        #[schema(example = "EO[niss=always] > DR > HTR > FIN")]
        pub steps: Option<String>,
        ..limits: StepsLimits,
    }
}

/// Solve a cube in steps
///
/// Searches the steps together for the shortest total: edge orientation, domino reduction, half-turn reduction and finish, with moves on the
/// inverse cube (NISS) where a step allows them, or the steps of a method for beginners. The search keeps the best branches of each step, and
/// more of them in each round, until the time limit passes or every branch was followed.
#[contract::path(post, path = "/steps", tag = "solve", operation_id = "steps",
    request_body(content = Request, examples(
        ("chain" = (summary = "Four steps, in the grammar of cubelib", value = json!({"scramble": "R' U' F L2 D' B2 U R2 F' D2 L B' R U2",
            "steps": "EO > DR > HTR > FIN"}))),
        ("step" = (summary = "Five ways to orient the edges on one axis", value = json!({"scramble": "R' U' F L2 D' B2 U R2 F' D2 L B' R U2",
            "steps": [{"goal": "eo", "axis": "ud", "side": "mixed"}], "solutions": 5})))
    )),
    responses((status = 200, description = "The solutions", body = StepsResult), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(request): JsonBody<Request>,
) -> Result<Json<StepsResult>, Problem> {
    let asked = Asked::of_body(&state, request).await?;
    asked.answer(&state, |_| ()).await.map(Json)
}

/// Solve a cube in steps, as a query, or list the goals
///
/// With a cube: its solutions, as POST /steps. Without a cube and steps: the goals that a step may have.
#[contract::path(get, path = "/steps", tag = "solve", operation_id = "steps_query", params(Query),
    responses((status = 200, description = "As POST /steps, or the goals", body = StepsAnswer), QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(query): QueryString<Query>,
) -> Result<Json<StepsAnswer>, Problem> {
    if query.cube.has_no_cube() && query.steps.is_none() {
        StepsTask::options(&query.limits, &state.config)?;
        return Ok(Json(StepsAnswer::Goals(GoalList::new())));
    }
    let asked = Asked::of_query(&state, query).await?;
    asked.answer(&state, |_| ()).await.map(StepsAnswer::Solutions).map(Json)
}

/// Solve a cube in steps, with each better solution
///
/// Takes the request of POST /steps. The response is a stream of Server-Sent Events: `solution` for each solution shorter than all before,
/// then one `result` (the response of POST /steps) or `problem`. A comment is sent every second as a heartbeat. A request that is refused
/// before the search starts gets a problem with its own status. Closing the connection stops the search.
#[contract::path(post, path = "/steps/stream", tag = "solve", operation_id = "steps_stream",
    request_body(content = Request, examples(
        ("chain" = (summary = "Three steps and the finish, for half a second", value = json!({"scramble": "R' U' F L2 D' B2 U R2 F' D2 L B' R U2",
            "steps": "EO[max=5] > DR[niss=before] > HTR > FIN", "time_limit_ms": 500})))
    )),
    responses((status = 200, description = "Events", body = StepsEvent, content_type = "text/event-stream"), Problems))]
pub(crate) async fn post_stream(
    State(state): State<AppState>,
    name: RequestIdText,
    facts: RequestFacts,
    _: NoQuery,
    JsonBody(request): JsonBody<Request>,
) -> Result<Response, Problem> {
    let asked = Asked::of_body(&state, request).await?;
    stream(state, name, facts, asked).await
}

/// Solve a cube in steps, with each better solution, as a query
///
/// As POST /steps/stream. `EventSource` reconnects when a stream ends; close it on `result` and on `problem`. With
/// `Accept: text/event-stream`, as `EventSource` sends, every problem is an event `problem` with status 200.
#[contract::path(get, path = "/steps/stream", tag = "solve", operation_id = "steps_stream_query", params(Query),
    responses((status = 200, description = "As POST /steps/stream", body = StepsEvent, content_type = "text/event-stream"),
        QueryProblems))]
pub(crate) async fn get_stream(
    State(state): State<AppState>,
    name: RequestIdText,
    facts: RequestFacts,
    QueryString(query): QueryString<Query>,
) -> Result<Response, Problem> {
    let asked = Asked::of_query(&state, query).await?;
    stream(state, name, facts, asked).await
}

/// A checked request.
struct Asked {
    task: StepsTask,
    cube: Cube,
    deadline: Instant,
}

impl Asked {
    async fn of_body(state: &AppState, Request { cube, steps, limits }: Request) -> Result<Self, Problem> {
        Self::new(state, cube, StepsTask::new(steps, &limits, &state.config)?).await
    }

    async fn of_query(state: &AppState, Query { cube, steps, limits }: Query) -> Result<Self, Problem> {
        let steps = StepsTask::of_query(steps)?;
        Self::new(state, cube, StepsTask::new(steps, &limits, &state.config)?).await
    }

    async fn new(state: &AppState, cube: CubeRequest, task: StepsTask) -> Result<Self, Problem> {
        let deadline = Instant::now() + task.time_limit;
        let cube = state.read(cube, CubeRequest::cube).await?;
        Ok(Self { task, cube, deadline })
    }

    /// Searches in the lanes. Calls `better` with each better solution. Tables of goals that are not in memory yet are built first, within the
    /// time limit.
    async fn answer(
        self,
        state: &AppState,
        better: impl FnMut(&ChainSolution) + Send + 'static,
    ) -> Result<StepsResult, Problem> {
        let Self { task, cube, deadline } = self;
        let unbuilt = |number: usize, name: &str| {
            let unreached = Some(Unreached::unbuilt(number, name));
            let found = ChainSolutions { stopped: Some(Cancelled::Deadline), unreached, ..ChainSolutions::default() };
            StepsResult::new(&cube, &FoundSteps { found, ..FoundSteps::default() })
        };
        let mut spaces = Vec::new();
        for (number, plan) in task.plans() {
            let Ok(space) = timeout_at(deadline.into(), state.space(plan.clone())).await else {
                return Ok(unbuilt(number, &plan.label));
            };
            spaces.push(space?);
        }
        let mut chain = task.chain(spaces)?;
        chain.memory = Arc::clone(&state.memory);
        // Without tables, the goals have those of their own.
        if let Ok(tables) = state.tables() {
            chain = chain.reading(&tables);
        }
        for (number, step) in chain.steps().iter().enumerate().filter(|(_, step)| !step.goal.is_prepared()) {
            let Ok(built) = timeout_at(deadline.into(), prepare(state, step.goal.clone())).await else {
                return Ok(unbuilt(number, step.goal.name()));
            };
            built?;
        }
        match state.lanes.search_steps(Arc::new(chain), cube, deadline, better).await {
            Ok(found) => Ok(StepsResult::new(&cube, &found)),
            Err(NoSteps::Refused(refused)) => Err(refused.into()),
            Err(NoSteps::Search(error)) => Err(task.problem(&error)),
        }
    }
}

/// Returns the problem of a goal for whose tables there is no memory.
fn no_room(goal: &str, reason: &str) -> Problem {
    let detail = format!("The tables of the goal `{goal}` {reason}. Goals whose tables are in memory still work.");
    Problem::new(Code::Overloaded, detail).in_field("steps").with(|document| document.retry_after_s = Some(60))
}

/// Builds the tables of a goal, even if the request that asked for them has ended.
///
/// # Errors
/// Returns an error if the queue is full, if there is no memory for the tables, or the service stops.
async fn prepare(state: &AppState, goal: Goal) -> Result<(), Problem> {
    let (builder, asked) = (state.clone(), state.clone());
    let latest_start = Instant::now() + state.config.server.request_timeout();
    let build = async move {
        // One thread builds, so the sizes of goals add up.
        let build = move |control: &Control| {
            let (config, limit) = (&asked.config, memory::limit(Path::new("/")));
            let unused = |memory: &Memory| memory.limit().saturating_sub(memory.used());
            let held = Held {
                resident: resident_bytes(),
                unused_by_searches: unused(&asked.memory),
                unused_by_spaces: unused(asked.spaces.memory()),
            };
            memory::check_now(config, goal.unbuilt_bytes(), held, limit)
                .map_err(|reason| no_room(goal.name(), &reason))?;
            Ok::<_, Problem>(goal.prepare(control))
        };
        builder.lanes.spaces().run(Deadline::StartBy(latest_start), build).await
    };
    match tokio::spawn(build.in_current_span()).await {
        Ok(Ok(Ok(Ok(())))) => Ok(()),
        Ok(Ok(Ok(Err(_)))) => Err(Refused::ShuttingDown.into()),
        Ok(Ok(Err(problem))) => Err(problem),
        Ok(Err(refused)) => Err(refused.into()),
        Err(_) => Err(Problem::internal()),
    }
}

async fn stream(state: AppState, name: RequestIdText, facts: RequestFacts, asked: Asked) -> Result<Response, Problem> {
    // Each event shortens the solution, so there are at most some tens of them. The channel needs no capacity limit.
    let channel = mpsc::unbounded_channel();
    let (sender, began) = (channel.0.clone(), Instant::now());
    let search = async move {
        let better = move |solution: &ChainSolution| {
            let event = StepsEvent::Solution(StepsSolutionEvent::new(solution, began.elapsed()));
            // Sending fails only after the client has disconnected; the search then stops.
            let _ = sender.send(Message::Event(event));
        };
        asked.answer(&state, better).await.map(StepsEvent::Result)
    };
    Work::new(channel, search).response(name, facts, |_, _| ()).await
}

operation! {
    routes {
        "/steps": post post, get get;
        "/steps/stream": post post_stream, get get_stream;
    }
    links {
        POST "/steps" "Solve a cube in steps";
        GET "/steps" "The goals of steps";
        POST "/steps/stream" "Solve a cube in steps, with each better solution";
    }
    problems {
        /// Problems of `POST /steps` and `POST /steps/stream`.
        Problems: BODY QUERY CUBE SPACE TABLES [OptionOutOfRange UnpreparedStep];
        /// Problems of `GET /steps` and `GET /steps/stream`.
        QueryProblems: QUERY CUBE SPACE TABLES [OptionOutOfRange UnpreparedStep];
    }
}

/// The chain without `--steps`.
const USUAL: &str = "EO > DR > HTR > FIN";

/// Solve a cube in steps
///
/// Searches the steps together for the shortest total. CHAIN is a list of goals separated by `>`, each with options in brackets: axes (ud, fb,
/// rl), min, max, limit (solutions of the step for each branch), `over_best`, `one_ending` (true: list only one of the solutions that differ in
/// the direction of their last turn), subsets, and niss (always, before or none: moves on the inverse cube). Names of nissy (eofb, drud-eofb)
/// and of cubelib (EO, DR, HTR, FIN) are accepted. CHAIN may also be a JSON list of steps as in POST /steps. In the answer, moves on the
/// inverse cube stand in parentheses.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip steps \"R' U' F L2 D' B2 U R2 F' D2 L B' R U2\"
  superflip steps \"R U F2 D\" --steps \"eo[ud;max=5] > dr > htr > finish\" --time-limit-ms 5000
  superflip steps \"R U F2 D\" --steps \"eo[one_ending=true]\" --solutions 5
  superflip steps --goals"),
    after_long_help = "Exit codes: 0 solved, 1 no solution was found, or it failed, 2 the cube, the steps or a flag is invalid."
)]
pub struct Flags {
    /// Facelets, a scramble, another form, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true, required_unless_present = "goals")]
    pub cube: Option<String>,
    /// Steps, separated by `>`, or a JSON list
    #[arg(long, value_name = "CHAIN", default_value = USUAL)]
    pub steps: String,
    /// Limits of the search.
    #[command(flatten)]
    pub limits: StepsLimits,
    /// List the goals that a step may have
    #[arg(long, conflicts_with_all = ["cube", "solutions", "time_limit_ms", "format"])]
    pub goals: bool,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// Write JSON as POST /steps does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Solves one cube in steps.
///
/// # Errors
/// Returns an error if the cube or the steps are invalid, or the tables of a composed goal are not available. Returns exit code 1 if no
/// solution was found.
pub fn run(args: &Flags) -> Result<(), Failure> {
    if args.goals {
        let goals = GoalList::new();
        return if args.json { print_json(&goals) } else { print(&document(&goals)?) };
    }
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let invalid = |problem| refuse(args.json, &problem, 2);
    let list = steps_of(&args.steps)?;
    let task = StepsTask::new(list, &args.limits, &config).map_err(invalid)?;
    let text = text_of(args.cube.as_deref().unwrap_or("-"))?;
    let cube = CubeRequest { format: args.format, ..CubeRequest::of_text(text) }.cube().map_err(invalid)?;
    let mut spaces = Vec::new();
    let plans: Vec<_> = task.plans().map(|(_, plan)| plan.clone()).collect();
    if !plans.is_empty() {
        let steps = StepSet::of_metric(Metric::Htm);
        let solver = solver_for_one(&args.configuration, &config, steps, None, &Control::new())?;
        let tables = Arc::clone(solver.tables());
        let limits = Spaces::new(&config.coords);
        for plan in plans {
            let space = Space::new(plan, limits.limits(), limits.memory(), &tables, &Control::new());
            spaces.push(Arc::new(space.map_err(|error| refuse(args.json, &error.into(), 2))?));
        }
    }
    let chain = task.chain(spaces).map_err(invalid)?;
    // The tables are built before the time limit begins: they would be lost with the process.
    let built = chain.steps().iter().try_for_each(|step| step.goal.prepare(&Control::new()));
    built.map_err(|error| refuse(args.json, &task.problem(&error.into()), 2))?;
    let began = Instant::now();
    let found = chain.search(&cube, &Control::new().until(began + task.time_limit), &mut |_| ());
    let found = found.map_err(|error| refuse(args.json, &task.problem(&error), 2))?;
    let searched = began.elapsed();
    let answer = StepsResult::new(&cube, &FoundSteps { found, searched, ..FoundSteps::default() });
    if args.json { print_json(&answer) } else { print(&text_of_answer(&answer)) }?;
    if answer.solutions.is_empty() { Err(Failure::Reported(1)) } else { Ok(()) }
}

/// Formats each solution as a table of its steps and a line with all moves.
fn text_of_answer(answer: &StepsResult) -> String {
    if let Some(unreached) = &answer.unreached {
        return unreached.detail.replace("`time_limit_ms`", "--time-limit-ms") + "\n";
    }
    answer.solutions.iter().map(solution).collect::<Vec<_>>().join("\n")
}

fn solution(StepsSolution { steps, solution, length }: &StepsSolution) -> String {
    let row = |step: &StepsStep| {
        let StepsStep { goal, axis, normal, inverse, length, total, state } = step;
        let inverse = if inverse.is_empty() { String::new() } else { format!("({inverse})") };
        let moves = [normal.as_str(), &inverse].join(" ").trim().to_owned();
        vec![
            format!("{goal} {axis}").trim().to_owned(),
            moves,
            length.to_string(),
            total.to_string(),
            state.name.clone(),
        ]
    };
    let header = ["step", "moves", "length", "total", "state"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(steps.iter().map(row)).collect();
    let last = match solution {
        Some(moves) => format!("solution: {moves} ({length} move{})\n", plural(*length)),
        // The cube is not solved, so the two sides are not joined.
        None => format!("total: {length} move{}\n", plural(*length)),
    };
    table(&rows) + &last
}

/// Reads the steps: a text, or a list as JSON, as in a body of POST /steps.
fn steps_of(text: &str) -> Result<StepList, Failure> {
    match text.trim_start().chars().next() {
        Some('[') => parse_as("list", text.as_bytes(), None)
            .map_err(|problem| Failure::Input(format!("cannot read --steps: {}", problem.document().detail))),
        Some('{') => Err(Failure::Input("cannot read --steps: put the step in a list, `[{...}]`".to_owned())),
        _ => Ok(StepList::Text(text.to_owned())),
    }
}
