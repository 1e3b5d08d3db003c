//! `superflip explain`: a solution, move by move.

use std::sync::Arc;
use std::time::Instant;

use super::input::{lift_caps, text_of};
use crate::api::request::explain::ExplainTask;
use crate::api::types::{CubeRequest, ExplainBody, ExplainStep, SolveRequest};
use crate::cli::args::Explain;
use crate::cli::output::{document, or_dash, table};
use crate::cli::{
    Failure, configure, load_metric, log_for_people, print, print_json, refuse, tables_for_one, unsolved,
};
use superflip_cube::Moves;
use superflip_solver::{Control, Solver};

/// Explains one solution.
///
/// # Errors
/// Returns an error if the cube, the solution or an option is invalid, the tables are not available, or there is no solution within the limits.
pub fn run(args: &Explain) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let request = args.machine.of(SolveRequest {
        format: args.format,
        target_length: args.target_length,
        max_length: args.max_length,
        time_limit_ms: args.time_limit_ms,
        metric: args.metric,
        ..args.target.of(CubeRequest::of_text(text_of(&args.cube)?)).into()
    })?;
    let asked =
        ExplainTask::new(args.solution.clone(), request, &config).map_err(|problem| refuse(args.json, &problem, 2))?;
    let (task, control) = (&asked.task, Control::new());
    let tables = Arc::new(tables_for_one(&args.configuration, &config, None, &control)?);
    let metric = load_metric(&config, tables.profile(), task.goal.metric, &control)?;
    let solver = Solver::new(tables, None).with_metrics(metric.clone());
    let found = if asked.solution.is_none() {
        let search = solver.search(&task.cube, &task.goal).until(Instant::now() + task.time_limit);
        search.finish().map_err(|error| unsolved(args.json, error))?.moves
    } else {
        Moves::default()
    };
    let control = control.until(Instant::now() + task.time_limit);
    let body = asked
        .answer(&found, solver.tables(), metric.as_deref(), &control)
        .map_err(|problem| refuse(args.json, &problem, 1))?;
    if args.json { print_json(&body) } else { print(&text(body)?) }
}

/// Formats the explanation as fields, followed by a table of the steps, and one of what a machine does.
fn text(mut body: ExplainBody) -> Result<String, Failure> {
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

fn row(step: &ExplainStep) -> Vec<String> {
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
