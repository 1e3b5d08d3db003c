//! `superflip check-solution`: a written solution of fewest moves.

use super::input::text_of;
use crate::api::request::judge::{check, check_size};
use crate::api::types::{CubeRequest, SolutionCheckBody};
use crate::cli::args::CheckSolution;
use crate::cli::{Failure, print, print_json, refuse};

/// Checks one solution.
///
/// # Errors
/// Returns an error if the cube is invalid, and exit code 1 if the solution is.
pub fn run(args: &CheckSolution) -> Result<(), Failure> {
    let request = CubeRequest { format: args.format, ..CubeRequest::of_text(text_of(&args.cube)?) };
    let body = check_size(&args.solution).and_then(|()| check(request, &args.solution));
    let body = body.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json { print_json(&body) } else { print(&text(&body)) }?;
    if body.valid { Ok(()) } else { Err(Failure::Reported(1)) }
}

/// Formats the length, or a line for each broken rule.
fn text(body: &SolutionCheckBody) -> String {
    if let (true, Some(length)) = (body.valid, body.length) {
        return format!("valid: {length} moves\n");
    }
    let line = |broken: &crate::api::types::BrokenRuleBody| {
        let place = broken.character.map_or_else(String::new, |character| format!(", character {character}"));
        format!("  {}{place}: {}\n", broken.regulation, broken.message)
    };
    let solves = match body.solves {
        Some(true) => "the moves solve the cube",
        Some(false) => "the moves do not solve the cube",
        None => "the moves cannot be read",
    };
    format!("not valid; {solves}\n{}", body.broken_rules.iter().map(line).collect::<String>())
}
