//! Checks a request to explain a solution, and answers it.

use std::sync::Arc;

use super::cube::Start;
use super::machine::machine_of;
use super::options::Task;
use crate::api::problem::{Code, Problem};
use crate::api::types::{ExplainBody, SolveRequest};
use crate::service::config::Config;
use crate::service::pool::Refused;
use superflip_coords::explain::explain_in;
use superflip_coords::space::group;
use superflip_cube::forms::plural;
use superflip_cube::notation::face_moves;
use superflip_cube::{Move, Moves, Symmetry, TurnSet};
use superflip_solver::search::machine::Machine;
use superflip_solver::tables::MetricTables;
use superflip_solver::{Control, Tables};

/// Maximum length of a solution to explain.
const MAX_MOVES: usize = 200;

/// A checked request to explain a solution.
pub struct ExplainTask {
    /// Cube, and limits of the search for a solution or for proofs.
    pub task: Task,
    /// Solution to explain, as face moves in the holding of the start; if absent, one is searched for.
    pub solution: Option<Moves>,
}

impl ExplainTask {
    /// Checks a request.
    ///
    /// # Errors
    /// Returns the errors of [`Given::take`], [`Task::of_options`] and [`ExplainTask::of_start`], and those of the cube.
    pub fn new(solution: Option<String>, mut request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let control = Control::new();
        let given = Given::take(solution, &mut request, &control)?;
        let task = Task::of_options(&request, config, &control)?;
        Self::of_start(task, request.take_cube().start()?, given)
    }

    /// Gives a task its cube and its target, which only for a search have to go together with the options, and checks a given solution.
    ///
    /// # Errors
    /// Returns the errors of [`Task::of_start`], and an error for moves that do not solve the cube or do not lead to the target.
    pub fn of_start(task: Task, start: Start, Given { solution, machine }: Given) -> Result<Self, Problem> {
        let Some(moves) = &solution else { return Ok(Self { task: task.of_start(start)?, solution }) };
        let mut task = task.without_search(start)?;
        check(&task, moves)?;
        task.goal.machine = machine;
        Ok(Self { task, solution })
    }

    /// Explains the given solution, or `found` if none is given, in the metric of `metric`.
    ///
    /// # Errors
    /// Returns an error if `control` was cancelled, or an internal error if the moves do not solve the cube.
    pub fn answer(
        &self,
        found: &[Move],
        tables: &Tables,
        metric: Option<&MetricTables>,
        control: &Control,
    ) -> Result<ExplainBody, Problem> {
        let (cube, moves) = (&self.task.cube, self.solution.as_deref().unwrap_or(found));
        let end = cube.after(moves);
        // The cube that the moves solve is itself if they lead to the solved cube.
        let explanation =
            explain_in(tables, metric, &end.inverse().then(cube), moves, control).map_err(|_| Refused::ShuttingDown)?;
        // Not reached: a given solution was checked, and a found one was verified.
        let explanation = explanation.ok_or_else(Problem::internal)?;
        let body = ExplainBody::new(cube, moves, self.task.goal.metric, self.solution.is_none(), &explanation);
        let body = match self.task.goal.machine.as_deref() {
            Some(machine) => body.executed(moves, machine, self.task.goal.metric),
            None => body,
        };
        let target = self.task.target.as_ref().map(|_| end.to_string());
        Ok(ExplainBody { target, ..body })
    }
}

/// The given solution of a request, and the machine that executes it.
pub struct Given {
    solution: Option<Moves>,
    machine: Option<Arc<Machine>>,
}

impl Given {
    /// Reads the solution, and takes the machine out of the request. It must be able to execute the solution; [`Task::of_options`] would ask
    /// for all turns. Without a solution, the request stays as it is.
    ///
    /// # Errors
    /// Returns an error for moves that cannot be read, for too many of them, for a fault of the machine, or for a search option together
    /// with a solution, or if `control` ended the work on a machine.
    pub fn take(solution: Option<String>, request: &mut SolveRequest, control: &Control) -> Result<Self, Problem> {
        let Some(text) = solution else { return Ok(Self { solution: None, machine: None }) };
        refuse_search(request)?;
        let moves = face_moves(&text).map_err(|error| Problem::from(error).within("solution"))?;
        if moves.len() > MAX_MOVES {
            let detail =
                format!("`solution` has {} moves when expanded; it must have at most {MAX_MOVES}.", moves.len());
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"));
        }
        let turns: TurnSet = moves.iter().copied().collect();
        let (machine, _) = machine_of(request, &turns.moves().collect::<Vec<_>>(), Some(&moves), control)?;
        (request.costs, request.machine) = (None, None);
        Ok(Self { solution: Some(moves), machine })
    }
}

/// Refuses search options, for a request with a solution.
fn refuse_search(request: &SolveRequest) -> Result<(), Problem> {
    let given = [
        ("target_length", request.target_length),
        ("max_length", request.max_length),
        ("candidates", request.candidates),
    ];
    if let Some((name, _)) = given.iter().find(|(_, value)| value.is_some()) {
        let detail = format!(
            "`{name}` cannot be combined with `solution`: a given solution is not searched for. Remove one of them."
        );
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(name));
    }
    Ok(())
}

/// Checks that the moves solve the cube, or lead to the target. The error hints at the likely mistake.
fn check(Task { cube: start, goal, target, .. }: &Task, moves: &[Move]) -> Result<(), Problem> {
    let solves = |moves: &[Move]| goal.is_target(&start.after(moves));
    if solves(moves) {
        return Ok(());
    }
    let (does_not, does, is_done) = match target {
        None => ("does not solve the cube", "solves the cube", "The cube is solved"),
        Some(_) => ("does not lead to `target`", "leads to `target`", "`target` is reached"),
    };
    let early = (0..moves.len()).find(|&count| solves(&moves[..count]));
    let seen = |s: Symmetry| moves.iter().map(|&mv| s.conjugate_move(mv)).collect::<Moves>();
    let held = Symmetry::all().skip(1).find(|&s| solves(&seen(s)));
    let hint = if let Some(count) = early {
        format!(" {is_done} after {count} move{}; remove the rest.", plural(count))
    } else if solves(&Moves::from(moves).inverse()) {
        format!(" The inverse of `solution` {does}; `solution` may be the scramble.")
    } else if let Some(s) = held {
        format!(" With the cube held differently they do: {} ({}).", seen(s), group::describe(s))
    } else {
        String::new()
    };
    let detail = format!("`solution` {does_not}; it leads to {}.{hint}", start.after(moves));
    Err(Problem::new(Code::NotASolution, detail).in_field("solution"))
}
