//! `superflip scramble`: random-state scrambles.

use std::time::{Duration, Instant};

use super::args::Scramble;
use super::cubes::input::text_of;
use super::{Failure, configure, load_turns, log_for_people, print, print_json, refuse, tables_for_one};
use crate::api::problem::Problem;
use crate::api::request::scramble::{checked, given_cubes, with_cube_format};
use crate::api::types::{CubeRequest, ScrambleQuery, ScramblesBody};
use superflip_cube::metric::Metric;
use superflip_solver::Control;
use superflip_solver::search::scramble::{ScrambleError, ScrambleRequest, generate_with};
use superflip_solver::tables::metric::StepSet;

/// Writes scrambles.
///
/// # Errors
/// Returns an error if an option is invalid, the tables are not available, or the time limit passes.
pub fn run(args: &Scramble) -> Result<(), Failure> {
    let config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    let query = ScrambleQuery {
        kind: args.kind.clone(),
        count: args.count,
        max_length: args.max_length,
        min_length: args.min_length,
        cube: args.cube.as_deref().map(text_of).transpose()?,
        cube_format: args.cube_format,
        target: args.target.as_deref().map(text_of).transpose()?,
        target_format: args.target_format,
        target_up_to_rotation: args.target_up_to_rotation.then_some(true),
        target_up_to_turn: args.target_up_to_turn.clone(),
        subset: args.subset.clone(),
        faces: args.faces.clone(),
        cross_length: args.cross_length,
        cross_face: args.cross_face.clone(),
        seed: args.seed.clone(),
        format: None,
    };
    let given = given_cubes(&query);
    let request = checked(query).map_err(|problem| refuse(args.json, &problem, 2))?;
    let cubes = given.map_or_else(|| Ok(Vec::new()), CubeRequest::destinations);
    let cubes = cubes.map_err(|problem| refuse(args.json, &with_cube_format(problem), 2))?;
    let control = Control::new();
    let tables = tables_for_one(&args.configuration, &config, None, &control)?;
    let set = StepSet { metric: Metric::Htm, turns: request.turns };
    let metrics: Vec<_> = load_turns(&config, tables.profile(), set, &control)?.into_iter().collect();
    let deadline = Instant::now() + Duration::from_millis(config.search.max_time_limit_ms);
    let request = ScrambleRequest { cubes, ..request };
    let found = generate_with(&tables, &metrics, &request, &control.until(deadline)).map_err(|error| match error {
        ScrambleError::NoRandomness { .. } | ScrambleError::Cancelled => Failure::runtime(error),
        error => refuse(args.json, &Problem::from(error), 1),
    })?;
    let body = ScramblesBody::new(&request, found);
    if args.json { print_json(&body) } else { print(&body.text()) }
}
