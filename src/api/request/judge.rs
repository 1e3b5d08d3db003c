//! Judges moves: a written solution of fewest moves, and moves that went wrong on a machine.

use std::time::{Duration, Instant};

use super::cube::ReadCube;
use super::options::in_range;
use crate::api::problem::{Code, Document, Problem};
use crate::api::types::{CubeRequest, Diagnosis, SlipExplanation, SolutionBody, SolutionCheckBody, SolvedCube};
use superflip_cube::notation::fewest_moves::{SolutionCheck, moves_of_inverse};
use superflip_cube::{Cube, Moves, Stickers};
use superflip_scan::repair::completions;
use superflip_scan::slips::{Explanations, explain_slips};
use superflip_solver::Solution;

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

/// Maximum number of moves. All pairs of slips are compared, which takes some tens of milliseconds for this number.
const MAX_MOVES: usize = 200;
/// Maximum number of explanations, each of which is solved.
pub(crate) const MAX_EXPLANATIONS: u64 = 10;
/// Number of explanations listed without `max_explanations`.
const LISTED: u32 = 3;

/// The checked fields of a request beside the cube.
pub struct SentMoves {
    sent: Moves,
    seen: Stickers,
    limit: usize,
}

/// The possible explanations.
pub struct Explained {
    expected: Cube,
    explanations: Explanations,
    /// Number of legal cubes with the known stickers, and the only one, if no slips explain them.
    unexplained: Option<(u128, Option<Cube>)>,
}

impl SentMoves {
    /// Checks the fields.
    ///
    /// # Errors
    /// Returns an error that names the first invalid field.
    pub fn new(moves: &str, seen: &str, max_explanations: Option<u32>) -> Result<Self, Problem> {
        let limit = max_explanations.unwrap_or(LISTED);
        let limit = in_range("max_explanations", limit, 1..=MAX_EXPLANATIONS, "")?;
        let sent = moves.parse::<Moves>().map_err(|error| Problem::from(error).within("moves"))?;
        if sent.len() > MAX_MOVES {
            let detail = format!(
                "`moves` has {} moves when expanded; it must have at most {MAX_MOVES}. Diagnose the cube after fewer moves.",
                sent.len()
            );
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("moves"));
        }
        let seen = Stickers::parse(seen).map_err(|error| Problem::from(error).within("seen"))?;
        Ok(Self { sent, seen, limit })
    }

    /// Finds the explanations. It takes some milliseconds, and some tens for the longest lists of moves.
    pub fn explain(&self, before: &Cube) -> Explained {
        let explanations = explain_slips(before, &self.sent, &self.seen, self.limit);
        let unexplained = explanations.found.is_empty().then(|| {
            let completions = completions(&self.seen);
            (completions.total, completions.unique().map(|only| only.cube))
        });
        Explained { expected: before.after(&self.sent), explanations, unexplained }
    }
}

impl Explained {
    /// Returns the cubes to solve, in the order in which [`Explained::answer`] takes their solutions.
    pub fn cubes(&self) -> Vec<Cube> {
        let found = self.explanations.found.iter().map(|explanation| explanation.cube);
        found.chain(self.unexplained.and_then(|(_, only)| only)).collect()
    }

    /// Returns the response, with the solution of each cube, or the reason why it has none.
    pub fn answer(&self, solutions: Vec<Result<Solution, Box<Document>>>) -> Diagnosis {
        let body = |outcome: Solution| SolutionBody::new(&outcome.moves, outcome.phases, outcome.metric);
        let mut bodies = solutions.into_iter().map(|solution| solution.map(body));
        let explanations = self.explanations.found.iter().zip(bodies.by_ref());
        let explanations = explanations.map(|(found, solution)| SlipExplanation::new(found, solution)).collect();
        let only = self.unexplained.and_then(|(_, only)| only);
        Diagnosis {
            expected: self.expected.to_string(),
            explanations,
            truncated: self.explanations.truncated,
            completions: self.unexplained.map(|(total, _)| total.to_string()),
            now: only.zip(bodies.next()).map(|(cube, solution)| SolvedCube::new(&cube, solution)),
        }
    }
}

/// Returns an equal share of the time that is left for this number of searches.
pub fn share_of(deadline: Instant, searches: usize) -> Duration {
    let left = deadline.saturating_duration_since(Instant::now());
    left / u32::try_from(searches.max(1)).unwrap_or(u32::MAX)
}
