//! `superflip steps`: solutions in steps, and the list of goals.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::input::{lift_caps, text_of};
use crate::api::request::read::parse_as;
use crate::api::request::steps::StepsTask;
use crate::api::types::{ChainStepBody, CubeRequest, GoalList, StepList, StepsResponse, StepsSolutionBody};
use crate::cli::args::Steps;
use crate::cli::output::{document, table};
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, tables_for_one};
use crate::service::spaces::Spaces;
use superflip_coords::space::Space;
use superflip_cube::forms::plural;
use superflip_solver::Control;

/// Solves one cube in steps.
///
/// # Errors
/// Returns an error if the cube or the steps are invalid, or the tables of a composed goal are not available. Returns exit code 1 if no
/// solution was found.
pub fn run(args: &Steps) -> Result<(), Failure> {
    if args.goals {
        let goals = GoalList::new();
        return if args.json { print_json(&goals) } else { print(&document(&goals)?) };
    }
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let invalid = |problem| refuse(args.json, &problem, 2);
    let list = steps_of(&args.steps)?;
    let task = StepsTask::new(list, args.solutions, args.time_limit_ms, &config).map_err(invalid)?;
    let text = text_of(args.cube.as_deref().unwrap_or("-"))?;
    let cube = CubeRequest { format: args.format, ..CubeRequest::of_text(text) }.cube().map_err(invalid)?;
    let mut spaces = Vec::new();
    let plans: Vec<_> = task.plans().map(|(_, plan)| plan.clone()).collect();
    if !plans.is_empty() {
        let tables = Arc::new(tables_for_one(&args.configuration, &config, None, &Control::new())?);
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
    let answer = StepsResponse::new(&cube, &found, [began.elapsed(), Duration::ZERO]);
    if args.json { print_json(&answer) } else { print(&text_of_answer(&answer)) }?;
    if answer.solutions.is_empty() { Err(Failure::Reported(1)) } else { Ok(()) }
}

/// Formats each solution as a table of its steps and a line with all moves.
fn text_of_answer(answer: &StepsResponse) -> String {
    if let Some(unreached) = &answer.unreached {
        return unreached.detail.replace("`time_limit_ms`", "--time-limit-ms") + "\n";
    }
    answer.solutions.iter().map(solution).collect::<Vec<_>>().join("\n")
}

fn solution(StepsSolutionBody { steps, solution, length }: &StepsSolutionBody) -> String {
    let row = |step: &ChainStepBody| {
        let ChainStepBody { goal, axis, normal, inverse, length, total, state } = step;
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
