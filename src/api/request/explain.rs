//! Checks a request to explain a solution, and answers it.

use super::options::Task;
use crate::api::problem::{Code, Problem};
use crate::api::types::{ExplainBody, SolveRequest};
use crate::service::config::Config;
use crate::service::pool::Refused;
use superflip_coords::explain::explain;
use superflip_coords::space::group;
use superflip_cube::{Cube, Move, Moves, Symmetry};
use superflip_solver::{Control, Tables};

/// Maximum length of a solution to explain.
const MAX_MOVES: usize = 200;

/// A checked request to explain a solution.
pub struct ExplainTask {
    /// Cube, and limits of the search for a solution or for proofs.
    pub task: Task,
    /// Solution to explain; if absent, one is searched for.
    pub solution: Option<Moves>,
}

impl ExplainTask {
    /// Checks a request.
    ///
    /// # Errors
    /// Returns the error of [`Task::new`], and an error for an invalid solution, or for search options together with a solution.
    pub fn new(solution: Option<String>, request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        check_options(solution.as_deref(), &request)?;
        Self::of_task(Task::new(request, config)?, solution)
    }

    /// Checks the solution of a request whose options were checked.
    ///
    /// # Errors
    /// Returns an error for an invalid solution.
    pub fn of_task(task: Task, solution: Option<String>) -> Result<Self, Problem> {
        let solution = solution.map(|text| text.parse::<Moves>()).transpose();
        let solution = solution.map_err(|error| Problem::from(error).within("solution"))?;
        if let Some(moves) = &solution {
            check(&task.cube, moves)?;
        }
        Ok(Self { task, solution })
    }

    /// Explains the given solution, or `found` if none is given.
    ///
    /// # Errors
    /// Returns an error if `control` was cancelled, or an internal error if the moves do not solve the cube.
    pub fn answer(&self, found: &[Move], tables: &Tables, control: &Control) -> Result<ExplainBody, Problem> {
        let (cube, moves) = (&self.task.cube, self.solution.as_deref().unwrap_or(found));
        let explanation = explain(tables, cube, moves, control).map_err(|_| Refused::ShuttingDown)?;
        // Not reached: a given solution was checked, and a found one was verified.
        let explanation = explanation.ok_or_else(Problem::internal)?;
        Ok(ExplainBody::new(cube, moves, self.solution.is_none(), &explanation))
    }
}

/// Refuses search options together with a solution.
///
/// # Errors
/// Returns an error that names the option.
pub fn check_options(solution: Option<&str>, request: &SolveRequest) -> Result<(), Problem> {
    let given = [("target_length", request.target_length), ("max_length", request.max_length)];
    if let (Some(_), Some((name, _))) = (solution, given.iter().find(|(_, value)| value.is_some())) {
        let detail = format!(
            "`{name}` cannot be combined with `solution`: a given solution is not searched for. Remove one of them."
        );
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(name));
    }
    Ok(())
}

/// Checks that the moves solve the cube. The error hints at the likely mistake.
fn check(cube: &Cube, moves: &[Move]) -> Result<(), Problem> {
    if moves.len() > MAX_MOVES {
        let detail = format!("`solution` has {} moves when expanded; it must have at most {MAX_MOVES}.", moves.len());
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"));
    }
    let end = cube.after(moves);
    if end.is_solved() {
        return Ok(());
    }
    let solves = |moves: &[Move]| cube.after(moves).is_solved();
    let early = (0..moves.len()).find(|&count| solves(&moves[..count]));
    let seen = |s: Symmetry| moves.iter().map(|&mv| s.conjugate_move(mv)).collect::<Moves>();
    let held = Symmetry::all().skip(1).find(|&s| solves(&seen(s)));
    let hint = if let Some(count) = early {
        format!(" The cube is solved after {count} moves; remove the rest.")
    } else if solves(&Moves::from(moves).inverse()) {
        " The inverse of `solution` solves the cube; `solution` may be the scramble.".to_owned()
    } else if let Some(s) = held {
        format!(" With the cube held differently they do: {} ({}).", seen(s), group::describe(s))
    } else {
        String::new()
    };
    let detail = format!("`solution` does not solve the cube; it leads to {end}.{hint}");
    Err(Problem::new(Code::NotASolution, detail).in_field("solution"))
}
