//! `superflip solve` for one cube.

use std::io::Write;
use std::time::{Duration, Instant};

use super::input::{cube_of, lift_caps, optimal_table, request};
use crate::api::request::options::Task;
use crate::cli::args::Solve;
use crate::cli::{Failure, configure, load_optimal, load_tables, log_for_people, print, print_json, refuse};
use superflip_cube::join;
use superflip_solver::search::{self, Options, Outcome, Proof, SearchError, Stop};

/// Solves one cube.
///
/// # Errors
/// Returns an error if the cube or an option is invalid, the tables are not available, there is no solution within the limits, or a
/// requested proof is not finished in time.
pub fn run(args: &Solve) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    config.search.max_threads_per_solve = 256;
    let cube = cube_of(args.cube.as_deref(), &args.scan)?;
    let task = Task::new(request(args, cube), &config).map_err(|problem| refuse(args.json, &problem, 2))?;

    let (size, stop) = (optimal_table(args, &config), Stop::default());
    let tables = load_tables(&config, size, stop.flag())?;
    let within_limit = || Options { deadline: Some(Instant::now() + task.time_limit), ..task.options() };
    let outcome = if let Some(size) = size {
        let prove = |proof: Proof, options| proof.solve(&tables, &task.cube, &options, &stop, &mut |_, _| {});
        match prove(Proof::Near, within_limit()) {
            // Only a cube far from solved needs the table, so open it only now.
            Err(SearchError::Unproven { .. }) => {
                let table = load_optimal(&config, size, stop.flag())?;
                let threads = args.threads.map_or_else(|| config.search.threads(), usize::from);
                prove(Proof::Table(table), Options { threads, ..within_limit() })
            }
            other => other,
        }
    } else {
        search::solve(&tables, &task.cube, &within_limit(), &stop)
    };
    match outcome {
        Ok(outcome) => {
            print_solutions(args, &task, &outcome)?;
            if !args.optimal || outcome.proven_optimal {
                return Ok(());
            }
            Err(Failure::Unproven(format!(
                "time limit reached before the proof; the lower bound is {} turns. Raise --time-limit-ms.",
                outcome.lower_bound
            )))
        }
        Err(error @ (SearchError::NoSolutionWithinLimits { .. } | SearchError::Unproven { .. })) => {
            Err(refuse(args.json, &error.into(), 1))
        }
        Err(error @ SearchError::Cancelled { .. }) => Err(Failure::runtime(error)),
    }
}

/// Prints the solutions, and on standard error whether some are missing.
fn print_solutions(args: &Solve, task: &Task, outcome: &Outcome) -> Result<(), Failure> {
    if args.json {
        return print_json(&task.answer(outcome, Duration::ZERO));
    }
    let listed = 1 + outcome.others.len() as u64;
    let missing = match outcome.optimal_solutions {
        Some(count) if count > listed => format!("{count} shortest solutions; the first {listed} are listed"),
        None if args.all_solutions && outcome.proven_optimal => {
            "time limit reached before all shortest solutions were found. Raise --time-limit-ms.".to_owned()
        }
        _ => String::new(),
    };
    if !missing.is_empty() {
        // Ignore a closed standard error: the result is on standard output.
        let _ = writeln!(std::io::stderr(), "superflip: {missing}");
    }
    let others = outcome.others.iter().map(|found| &found.moves);
    print(&std::iter::once(&outcome.moves).chain(others).map(|moves| join(moves) + "\n").collect::<String>())
}
