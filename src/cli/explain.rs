//! `superflip explain`: a solution, turn by turn.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::args::Explain;
use super::input::{cube_forms, text_of};
use super::{Failure, configure, load, log_for_people, print, print_json, refuse};
use crate::api::request::explain::Asked;
use crate::api::types::{ExplainBody, ExplainStep, SolveRequest};
use crate::search::explain::explain;
use crate::search::{self, Options, SearchError, Stop};

/// Explains one solution.
///
/// # Errors
/// Returns an error if the cube, the solution or an option is invalid, the tables are not available, or there is no solution within the limits.
pub fn run(args: &Explain) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    config.search.max_time_limit_ms = u64::from(u32::MAX);
    let forms = cube_forms(&text_of(&args.cube)?);
    let request = SolveRequest {
        facelets: forms.facelets,
        scramble: forms.scramble,
        target_length: args.target_length,
        max_length: args.max_length,
        time_limit_ms: args.time_limit_ms,
        ..SolveRequest::default()
    };
    let asked =
        Asked::new(args.solution.clone(), request, &config).map_err(|problem| refuse(args.json, &problem, 2))?;
    let tables = load::tables(&config, &AtomicBool::new(false))?;
    let (task, stop) = (asked.task, Stop::default());
    let searched = asked.solution.is_none();
    let moves = if let Some(moves) = asked.solution {
        moves
    } else {
        let deadline = Some(Instant::now() + task.time_limit);
        let options =
            Options { target_length: task.target_length, max_length: task.max_length, deadline, ..Options::default() };
        match search::solve(&tables, &task.cube, &options, &stop) {
            Ok(outcome) => outcome.moves,
            Err(error @ (SearchError::NoSolutionWithinLimits { .. } | SearchError::Unproven { .. })) => {
                return Err(refuse(args.json, &error.into(), 1));
            }
            Err(error @ SearchError::Cancelled { .. }) => return Err(Failure::runtime(error)),
        }
    };
    let deadline = Some(Instant::now() + task.time_limit);
    let explained = explain(&tables, &task.cube, &moves, deadline, &stop);
    let Ok(Some(explanation)) = explained else {
        return Err(Failure::Runtime("the search was stopped before the solution was explained".into()));
    };
    let body = ExplainBody::new(&task.cube, &moves, searched, &explanation);
    if args.json { print_json(&body) } else { print(&text(&body)) }
}

fn text(body: &ExplainBody) -> String {
    let mut out = format!("{}\n", body.facelets);
    let l = &body.lengths;
    let _ = writeln!(
        out,
        "{}\n{} turns: htm {}, qtm {}, stm {}, axht {}, axqt {}, etm {}",
        if body.solution.is_empty() { "(solved)" } else { &body.solution },
        l.htm,
        l.htm,
        l.qtm,
        l.stm,
        l.axht,
        l.axqt,
        l.etm
    );
    let _ = writeln!(
        out,
        "symmetry: kept by {} of 48 symmetries, turned into its inverse by {}\n",
        body.symmetry.order,
        body.symmetry.antisymmetries.len()
    );
    let _ = writeln!(
        out,
        "turn left phase  twist  flip slice  corners  edges  to {} bound exact  shortest from here",
        body.reading.axis.name()
    );
    for step in &body.steps {
        row(&mut out, step);
    }
    out.push('\n');
    for line in conclusions(body) {
        let _ = writeln!(out, "- {line}");
    }
    out
}

fn row(out: &mut String, step: &ExplainStep) {
    let dash = |value: Option<u32>| value.map_or("-".to_owned(), |value| value.to_string());
    let c = &step.coordinates;
    let _ = writeln!(
        out,
        "{:4} {:>4} {:>5}  {:>5} {:>5} {:>5}  {:>7} {:>6}  {:>5} {:>5} {:>5}  {}",
        step.turn.unwrap_or_default(),
        step.turns_left,
        step.phase.map_or("-".to_owned(), |phase| phase.to_string()),
        c.twist,
        c.flip,
        c.slice,
        c.corner_perm,
        dash(c.ud_edges),
        c.phase_one_distance,
        step.lower_bound,
        dash(step.exact),
        step.shortest_from_here.map_or("?", |is| if is { "yes" } else { "no" })
    );
}

/// Returns the conclusions as sentences.
fn conclusions(body: &ExplainBody) -> Vec<String> {
    let r = &body.reading;
    let (inside, where_) = if r.inverse { (r.lengths[0], "first") } else { (r.lengths[1], "last") };
    let held = if r.inverse { ", as the second phase of the inverse cube" } else { "" };
    let mut out = vec![format!("The {where_} {inside} turns stay inside the subgroup of {}{held}.", r.axis.name())];
    if let Some(merged) = &body.merged {
        let spots: Vec<&str> = body.redundant.iter().map(|r| r.turns.as_str()).collect();
        out.push(format!("Turns of one face that can be merged: {}. Merged: {merged}.", spots.join("; ")));
    }
    if body.proven_optimal {
        out.push("The solution is proven to be shortest.".into());
        return out;
    }
    if let Some(exact) = body.steps[0].exact {
        out.push(format!("The solution takes {} turns where {exact} are enough.", body.lengths.htm));
    }
    if let Some(detour) = &body.shortest.detour {
        let shorter = if detour.shorter.is_empty() { "the cube is solved" } else { &detour.shorter };
        out.push(format!(
            "After {} turns {} are left where {} are enough ({shorter}).",
            detour.after, detour.turns_left, detour.shorter_length
        ));
    }
    let from = body.shortest.proven_from;
    out.push(format!("From turn {} on the solution is proven to be shortest.", from + 1));
    if body.shortest.unknown_before {
        out.push(format!(
            "For the turns before that it is unknown; no solution has fewer than {} turns.",
            body.lower_bound
        ));
    }
    out
}
