//! `superflip solve` for one cube.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::input::{cube_of, lift_caps, optimal_table, request};
use crate::api::request::options::Task;
use crate::cli::args::Solve;
use crate::cli::{
    Failure, configure, load_optimal, load_turns, log_for_people, print, print_json, refuse, tables_for_one, unsolved,
};
use superflip_cube::Moves;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Goal, Solution, SolveError, Solver};

/// Solves one cube.
///
/// # Errors
/// Returns an error if the cube or an option is invalid, the tables are not available, there is no solution within the limits, or a
/// requested proof is not finished in time.
pub fn run(args: &Solve) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let cube = cube_of(args.cube.as_deref(), &args.scan)?;
    let task = Task::new(request(args, cube)?, &config).map_err(|problem| refuse(args.json, &problem, 2))?;

    let (size, control) = (optimal_table(args, &config), Control::new());
    let tables = Arc::new(tables_for_one(&args.configuration, &config, size, &control)?);
    let set = StepSet { metric: task.goal.metric, turns: task.goal.turns };
    let metric = load_turns(&config, tables.profile(), set, &control)?;
    let solve = |optimal, goal: &Goal| {
        let solver = Solver::new(Arc::clone(&tables), optimal).with_metrics(metric.clone());
        solver.search(&task.cube, goal).until(Instant::now() + task.time_limit).finish()
    };
    let outcome = match (solve(None, &task.goal), size) {
        // In HTM, only a cube far from solved needs the table, so open it only now.
        (Err(SolveError::Unproven { .. } | SolveError::Metric { is_proof: true, .. }), Some(size)) => {
            let table = load_optimal(&config, size, &control)?;
            let threads = args.threads.map_or_else(|| config.search.threads(), usize::from);
            solve(Some(table), &task.goal.clone().threads(threads))
        }
        (outcome, _) => outcome,
    };
    match outcome {
        Ok(outcome) => {
            print_solutions(args, &task, &outcome)?;
            if !args.optimal || outcome.is_optimal() {
                return Ok(());
            }
            Err(Failure::Unproven(format!(
                "time limit reached before the proof; the lower bound is {} moves. Raise --time-limit-ms.",
                outcome.lower_bound
            )))
        }
        Err(error) => Err(unsolved(args.json, error)),
    }
}

/// Prints the solutions, and on standard error whether some are missing.
fn print_solutions(args: &Solve, task: &Task, outcome: &Solution) -> Result<(), Failure> {
    if args.json {
        return print_json(&task.answer(outcome, Duration::ZERO));
    }
    if let Some(machine) = &task.goal.machine
        && let Some(cost) = machine.cost(&outcome.moves)
    {
        let bound = machine.lower_bound(outcome.metric, outcome.lower_bound.into());
        // Ignore a closed standard error: the result is on standard output.
        let _ = writeln!(
            std::io::stderr(),
            "superflip: cost {cost}; no solution costs less than {bound}. `superflip explain` and --json show the schedule."
        );
    }
    let listed = 1 + outcome.others.len() as u64;
    let missing = match outcome.optimal_solutions {
        Some(count) if count > listed => format!("{count} shortest solutions; the first {listed} are listed"),
        None if args.all_solutions && outcome.is_optimal() => {
            "time limit reached before all shortest solutions were found. Raise --time-limit-ms.".to_owned()
        }
        _ => String::new(),
    };
    if !missing.is_empty() {
        // Ignore a closed standard error: the result is on standard output.
        let _ = writeln!(std::io::stderr(), "superflip: {missing}");
    }
    print(&outcome.all().map(|moves| Moves::from(moves).to_string() + "\n").collect::<String>())
}
