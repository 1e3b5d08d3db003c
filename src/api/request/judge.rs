//! Judges a written solution of fewest moves.

use super::cube::ReadCube;
use crate::api::problem::{Code, Problem};
use crate::api::types::{CubeRequest, SolutionCheckBody};
use superflip_cube::notation::fewest_moves::{SolutionCheck, moves_of_inverse};

/// Maximum number of characters of a solution. 80 moves, the most that are allowed, have at most 399 with a space between them.
const MAX_CHARACTERS: usize = 1000;

/// Checks the length of a solution, before anything is read.
///
/// # Errors
/// Returns an error for a text that is too long.
pub fn check_size(solution: &str) -> Result<(), Problem> {
    let characters = solution.chars().count();
    if characters <= MAX_CHARACTERS {
        return Ok(());
    }
    let detail = format!("`solution` has {characters} characters; it must have at most {MAX_CHARACTERS}.");
    Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"))
}

/// Reads the cube and checks the solution.
///
/// # Errors
/// Returns the errors of [`CubeRequest::read`]. Faults of the solution are part of the answer.
pub fn check(request: CubeRequest, solution: &str) -> Result<SolutionCheckBody, Problem> {
    let ReadCube { cube, moves, .. } = request.read()?;
    let shared = moves.and_then(|moves| moves_of_inverse(&moves.setup, solution));
    Ok(SolutionCheckBody::new(&SolutionCheck::new(&cube, solution), shared))
}
