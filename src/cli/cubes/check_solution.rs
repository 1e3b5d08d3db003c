//! `superflip check-solution`: a written solution of fewest moves.

use super::input::{solution_of, text_of};
use crate::api::request::judge::{check, check_size};
use crate::api::types::{CubeRequest, SolutionCheckBody};
use crate::cli::args::CheckSolution;
use crate::cli::{Failure, print, print_json, refuse};
use superflip_cube::forms::plural;

/// Number of first moves of the inverse scramble from which on a solution may be disqualified (guideline E2e++).
const MANY_OF_INVERSE: usize = 4;

/// Checks one solution.
///
/// # Errors
/// Returns an error if the cube is invalid, and exit code 1 if the solution is.
pub fn run(args: &CheckSolution) -> Result<(), Failure> {
    if args.cube == "-" && args.solution == "-" {
        let message =
            "CUBE and SOLUTION are both `-`, but standard input is read once; give one of them as an argument";
        return Err(Failure::Input(message.to_owned()));
    }
    let request = CubeRequest { format: args.format, ..CubeRequest::of_text(text_of(&args.cube)?) };
    let solution = solution_of(&args.solution)?;
    let body = check_size(&solution).and_then(|()| check(request, &solution));
    let body = body.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json { print_json(&body) } else { print(&text(&body)) }?;
    if body.valid { Ok(()) } else { Err(Failure::Reported(1)) }
}

/// Formats the length, or a line for each broken rule, and a warning about the moves of the inverse scramble.
fn text(body: &SolutionCheckBody) -> String {
    let shared = body.inverse_scramble_moves.filter(|shared| *shared >= MANY_OF_INVERSE).map_or_else(String::new, |shared| {
        format!(
            "  E2e: the inverse scramble begins with the same {shared} moves; with {MANY_OF_INVERSE} or more, the solution may be \
             disqualified\n"
        )
    });
    if let (true, Some(length)) = (body.valid, body.length) {
        return format!("valid: {length} move{}\n{shared}", plural(length));
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
    format!("not valid; {solves}\n{}{shared}", body.broken_rules.iter().map(line).collect::<String>())
}
