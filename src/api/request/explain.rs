//! What is to be explained, from request to checked values.

use super::options::Task;
use crate::api::problem::{Code, Problem};
use crate::api::types::SolveRequest;
use crate::cube::input::{parse_turns, to_facelets};
use crate::cube::{Cube, Move, Symmetry, invert, join};
use crate::service::config::Config;
use crate::space::group;

/// The most turns of a solution that are explained.
const MOST_TURNS: usize = 200;

/// What is to be explained, every value checked.
pub struct Asked {
    /// The cube and the limits of the search.
    pub task: Task,
    /// The solution that was given.
    pub solution: Option<Vec<Move>>,
}

impl Asked {
    /// Checks a request.
    ///
    /// # Errors
    /// What [`Task::new`] refuses, a solution that cannot be read or does not solve, options of a search that is not made.
    pub fn new(solution: Option<String>, request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let given = [("target_length", request.target_length), ("max_length", request.max_length)];
        if let (Some(_), Some((name, _))) = (&solution, given.iter().find(|(_, value)| value.is_some())) {
            let detail =
                format!("`{name}` says how to search, and with a `solution` there is no search. Leave one out.");
            return Err(
                Problem::new(Code::OptionOutOfRange, detail).with(|document| document.field = Some((*name).into()))
            );
        }
        let task = Task::new(request, config)?;
        let solution = solution.map(|text| parse_turns(&text)).transpose();
        let solution = solution.map_err(|error| Problem::from(error).within("solution"))?;
        if let Some(moves) = &solution {
            check(&task.cube, moves)?;
        }
        Ok(Self { task, solution })
    }
}

/// Refuses what does not solve the cube, and says what it does instead.
fn check(cube: &Cube, moves: &[Move]) -> Result<(), Problem> {
    if moves.len() > MOST_TURNS {
        let detail = format!("`solution` has {} turns when written out; {MOST_TURNS} are the most.", moves.len());
        return Err(
            Problem::new(Code::OptionOutOfRange, detail).with(|document| document.field = Some("solution".into()))
        );
    }
    let end = cube.after(moves);
    if end.is_solved() {
        return Ok(());
    }
    let solves = |moves: &[Move]| cube.after(moves).is_solved();
    let early = (0..moves.len()).find(|&turns| solves(&moves[..turns]));
    let seen = |s: Symmetry| moves.iter().map(|&turn| s.conjugate_move(turn)).collect::<Vec<_>>();
    let held = Symmetry::all().skip(1).find(|&s| solves(&seen(s)));
    let hint = if let Some(turns) = early {
        format!(" After {turns} turns the cube is solved, and the rest of them undoes that.")
    } else if solves(&invert(moves)) {
        " Its inverse solves the cube: was it written for the scramble?".to_owned()
    } else if let Some(s) = held {
        format!(" Seen another way it does: {} ({}).", join(&seen(s)), group::describe(s))
    } else {
        String::new()
    };
    let detail = format!("These turns do not solve the cube; they end at {}.{hint}", to_facelets(&end));
    Err(Problem::new(Code::NotASolution, detail).with(|document| document.field = Some("solution".into())))
}
