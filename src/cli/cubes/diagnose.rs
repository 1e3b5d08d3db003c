//! `superflip diagnose`: which moves or actions were missed, doubled, reversed or half made.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::input::{json_of, lift_caps, text_of};
use crate::api::problem::Problem;
use crate::api::request::diagnose::{Sent, share_of};
use crate::api::request::options::Task;
use crate::api::types::{
    CubeRequest, DiagnoseRequest, Diagnosis, SlipBody, SlipExplanation, SlipKindName, SolveRequest, SolvedCube,
    TurnList,
};
use crate::cli::args::Diagnose;
use crate::cli::{Failure, configure, load_turns, log_for_people, print, print_json, refuse, tables_for_one};
use superflip_cube::verify::sticker;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Solver};

/// Explains the stickers after moves or actions.
///
/// # Errors
/// Returns an error if the input is invalid, or the tables are not available. Returns exit code 1 if there is no explanation, or one without a
/// solution.
pub fn run(args: &Diagnose) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let request = args.machine.of(SolveRequest {
        format: args.format,
        target_length: args.target_length,
        max_length: args.max_length,
        time_limit_ms: args.time_limit_ms,
        metric: args.metric,
        faces: args.faces.clone(),
        ..CubeRequest::of_text(text_of(&args.cube)?).into()
    })?;
    let mut sent = DiagnoseRequest {
        moves: args.moves.clone().map(TurnList::Text),
        schedule: args.schedule.as_deref().map(|schedule| json_of("--schedule", schedule)).transpose()?,
        seen: Some(args.seen.clone()),
        max_explanations: args.max_explanations,
        costs: request.costs.clone(),
        machine: request.machine.clone(),
        ..DiagnoseRequest::default()
    };
    let checked = Sent::take(&mut sent).and_then(|sent| {
        let mut task = Task::new(request, &config)?;
        Ok((sent.explain(&mut task, &Control::new())?, task))
    });
    let (explained, mut task) = checked.map_err(|problem| refuse(args.json, &problem, 2))?;
    let cubes = explained.cubes();
    let mut solutions = Vec::with_capacity(cubes.len());
    if !cubes.is_empty() {
        let tables = Arc::new(tables_for_one(&args.configuration, &config, None, &Control::new())?);
        let set = StepSet { metric: task.goal.metric, turns: task.goal.turns };
        let metric = load_turns(&config, tables.profile(), set, &Control::new())?;
        let solver = Solver::new(tables, None).with_metrics(metric);
        let deadline = Instant::now() + task.time_limit;
        for (number, cube) in cubes.iter().enumerate() {
            let share = share_of(deadline, cubes.len() - number);
            task.cube = *cube;
            let outcome = solver.search(cube, &task.goal).until(Instant::now() + share).finish();
            let outcome = outcome.map(|outcome| task.answer(&outcome, Duration::ZERO));
            solutions.push(outcome.map_err(|error| Box::new(Problem::from(error).in_request(""))));
        }
    }
    let is_solved = solutions.iter().all(Result::is_ok);
    let body = explained.answer(solutions);
    if args.json { print_json(&body) } else { print(&text(&body)) }?;
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

fn words(slip: &SlipBody) -> String {
    let SlipBody { number, action, sent, made, kind, .. } = slip;
    let kind = match kind {
        SlipKindName::Missed => "was missed",
        SlipKindName::Reversed => "was reversed",
        SlipKindName::Doubled => "was doubled",
        SlipKindName::HalfMade => "was half made",
    };
    let made = made.as_ref().map_or_else(String::new, |made| format!(": {made}"));
    match action {
        Some(action) if action != sent => format!("action {number}, {action} ({sent}), {kind}{made}"),
        Some(_) => format!("action {number}, {sent}, {kind}{made}"),
        None => format!("move {number}, {sent}, {kind}{made}"),
    }
}
