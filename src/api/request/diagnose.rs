//! Checks what was sent to a robot or a person, and explains the stickers that are seen afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::options::{Task, in_range};
use super::scan;
use crate::api::problem::{Code, Document, Problem};
use crate::api::types::{
    ChannelOrder, Colors, DiagnoseRequest, Diagnosis, ExecutedAction, SlipExplanation, SolveResponse, SolvedCube,
};
use crate::service::pool::Refused;
use superflip_cube::{Cube, Moves, Stickers};
use superflip_scan::repair::completions;
use superflip_scan::slips::{Explanations, Step, explain_steps};
use superflip_solver::Control;
use superflip_solver::search::machine::{Machine, MachineFaults, ScheduleFault};

/// Maximum number of moves. All pairs of slips are compared, which takes some tens of milliseconds for this number.
const MAX_MOVES: usize = 200;
/// Maximum number of actions. An action has fewer slips than a move.
const MAX_ACTIONS: usize = 400;
/// Maximum number of explanations, each of which is solved.
pub(crate) const MAX_EXPLANATIONS: u64 = 10;
/// Number of explanations listed without `max_explanations`.
const LISTED: u32 = 3;

/// The checked fields of a request beside the cube and the options of the search.
pub struct Sent {
    steps: SentSteps,
    seen: Seen,
    limit: usize,
}

enum SentSteps {
    Moves(Moves),
    /// Actions of the machine of the request.
    Schedule(Vec<ExecutedAction>),
}

enum Seen {
    Stickers(Stickers),
    Colors(Colors, Option<ChannelOrder>),
}

/// The possible explanations.
pub struct Explained {
    expected: Cube,
    explanations: Explanations,
    /// Number of legal cubes with the known stickers, and the only one, if no slips explain them.
    unexplained: Option<(u128, Option<Cube>)>,
    /// Stickers that were read from colours.
    seen: Option<String>,
    executed: Option<Executed>,
}

/// What is known of a machine after its schedule.
struct Executed {
    state: String,
    /// Names of the actions.
    names: Vec<String>,
}

impl Sent {
    /// Takes the fields out of a request and checks them.
    ///
    /// # Errors
    /// Returns an error that names the first invalid field.
    pub fn take(request: &mut DiagnoseRequest) -> Result<Self, Problem> {
        let limit = request.max_explanations.unwrap_or(LISTED);
        let limit = in_range("max_explanations", limit, 1..=MAX_EXPLANATIONS, "")?;
        let steps = match (request.moves.take(), request.schedule.take()) {
            (Some(_), None) if request.machine.is_some() => {
                let detail = "`machine` needs `schedule`, the actions that it executed: `moves` do not say how it held the cube. Give `schedule` \
                              instead of `moves`, or remove `machine`.";
                return Err(out_of_range("machine", detail));
            }
            (Some(moves), None) => SentSteps::Moves(moves_of(&moves.text())?),
            (None, Some(schedule)) => {
                if request.machine.is_none() && request.costs.is_none() {
                    let detail = "`schedule` needs `machine`, whose actions it names, or `costs`. Add one of them, or give `moves`.";
                    return Err(out_of_range("schedule", detail));
                }
                check_count("schedule", "actions", schedule.len(), MAX_ACTIONS)?;
                SentSteps::Schedule(schedule)
            }
            (Some(_), Some(_)) => {
                let detail = "`schedule` cannot be combined with `moves`: both say what was sent. Remove one of them.";
                return Err(out_of_range("schedule", detail));
            }
            (None, None) => {
                let detail = "`moves` is missing. Give the moves that were sent, or `schedule` with `machine`.";
                return Err(out_of_range("moves", detail));
            }
        };
        let seen = match (request.seen.take(), request.seen_colors.take()) {
            (Some(text), None) => {
                Seen::Stickers(Stickers::parse(&text).map_err(|error| Problem::from(error).within("seen"))?)
            }
            (None, Some(colors)) => {
                let order = request.channel_order;
                // It describes the cube before too, if that is given as colours.
                request.channel_order = order.filter(|_| request.colors.is_some());
                Seen::Colors(colors, order)
            }
            (Some(_), Some(_)) => {
                let detail = "`seen_colors` cannot be combined with `seen`: both say what is seen. Remove one of them.";
                return Err(out_of_range("seen_colors", detail));
            }
            (None, None) => {
                let detail = "`seen` is missing. Give the stickers after the moves, as `seen` or `seen_colors`.";
                return Err(out_of_range("seen", detail));
            }
        };
        Ok(Self { steps, seen, limit })
    }

    /// Finds the explanations. After a schedule, the machine of the task starts in the state after it. It takes some milliseconds, and some tens
    /// for the longest lists of moves.
    ///
    /// # Errors
    /// Returns an error for a schedule that the machine cannot execute, for a machine that cannot make every turn from there, and for colours
    /// that cannot be read, or if `control` ended the work.
    pub fn explain(&self, task: &mut Task, control: &Control) -> Result<Explained, Problem> {
        let (steps, executed) = match &self.steps {
            SentSteps::Moves(moves) => (moves.iter().map(|mv| Step::from(*mv)).collect(), None),
            SentSteps::Schedule(schedule) => {
                let (steps, executed) = follow(task, schedule)?;
                (steps, Some(executed))
            }
        };
        let (stickers, seen) = match &self.seen {
            Seen::Stickers(stickers) => (stickers.clone(), None),
            Seen::Colors(colors, order) => {
                let text = scan::colors::read_seen(colors, *order)?.to_string();
                (Stickers::parse(&text)?, Some(text))
            }
        };
        let explanations = explain_steps(&task.cube, &steps, &stickers, self.limit, || control.check().is_err());
        let explanations = explanations.ok_or(Refused::ShuttingDown)?;
        let is_exact = explanations.found.first().is_some_and(|explanation| explanation.misread.is_none());
        let unexplained = (!is_exact).then(|| {
            let completions = completions(&stickers);
            (completions.total, completions.unique().map(|only| only.cube))
        });
        let expected = steps.iter().fold(task.cube, |cube, step| step.motion.after(&cube));
        Ok(Explained { expected, explanations, unexplained, seen, executed })
    }
}

/// Finds the actions of a schedule, and changes the start of the machine of the task to the state after them. Returns what they do.
fn follow(task: &mut Task, schedule: &[ExecutedAction]) -> Result<(Vec<Step>, Executed), Problem> {
    let machine = task.goal.machine.take().ok_or_else(Problem::internal)?;
    let followed = machine.schedule(schedule.iter().map(ExecutedAction::parts)).map_err(|fault| unfollowed(&fault))?;
    let actions = || followed.actions.iter();
    let steps =
        actions().map(|action| Step { motion: action.motion.clone(), is_reversible: action.is_reversible }).collect();
    let names = actions().map(|action| action.name.to_owned()).collect();
    let after: Machine = machine.starting_after(&followed);
    let missing = after.missing_turns(&task.goal.turns.moves().collect::<Vec<_>>());
    if !missing.is_empty() {
        return Err(MachineFaults(missing).into());
    }
    let state = followed.state.to_owned();
    task.goal.machine = Some(Arc::new(after));
    Ok((steps, Executed { state, names }))
}

/// Returns the problem of a schedule that the machine cannot execute.
fn unfollowed(fault: &ScheduleFault) -> Problem {
    let advice = match fault {
        ScheduleFault::UnknownAction { .. } => {
            "Give the names as `schedule` of POST /solve returns them for this machine"
        }
        ScheduleFault::Ambiguous { .. } => {
            "Give the steps with `action` and `state`, as POST /solve returns them, or give the actions different names"
        }
        _ => "Give every action that was executed since `start`, in order",
    };
    let index = fault.index();
    let detail = format!("Action {} of `schedule`: {fault}. {advice}.", index + 1);
    Problem::new(Code::OptionOutOfRange, detail).in_field(&format!("schedule[{index}]"))
}

fn moves_of(text: &str) -> Result<Moves, Problem> {
    let moves = text.parse::<Moves>().map_err(|error| Problem::from(error).within("moves"))?;
    check_count("moves", "moves when expanded", moves.len(), MAX_MOVES)?;
    Ok(moves)
}

fn check_count(field: &str, what: &str, count: usize, most: usize) -> Result<(), Problem> {
    if count <= most {
        return Ok(());
    }
    let detail = format!("`{field}` has {count} {what}; it must have at most {most}. Diagnose the cube after fewer.");
    Err(out_of_range(field, &detail))
}

fn out_of_range(field: &str, detail: &str) -> Problem {
    Problem::new(Code::OptionOutOfRange, detail).in_field(field)
}

impl Explained {
    /// Returns the cubes to solve, in the order in which [`Explained::answer`] takes their solutions.
    pub fn cubes(&self) -> Vec<Cube> {
        let found = self.explanations.found.iter().map(|explanation| explanation.cube);
        found.chain(self.unexplained.and_then(|(_, only)| only)).collect()
    }

    /// Returns the response, with the solution of each cube, or the reason why it has none.
    pub fn answer(self, solutions: Vec<Result<SolveResponse, Box<Document>>>) -> Diagnosis {
        let mut solutions = solutions.into_iter();
        let machine = self.executed.as_ref().map(|Executed { state, names }| (state.as_str(), names.as_slice()));
        let explanations = self.explanations.found.iter().zip(solutions.by_ref());
        let explanations =
            explanations.map(|(found, solution)| SlipExplanation::new(found, machine, solution)).collect();
        let only = self.unexplained.and_then(|(_, only)| only);
        Diagnosis {
            expected: self.expected.to_string(),
            seen: self.seen,
            explanations,
            truncated: self.explanations.truncated,
            completions: self.unexplained.map(|(total, _)| total.to_string()),
            now: only.zip(solutions.next()).map(|(cube, solution)| SolvedCube::new(&cube, solution)),
        }
    }
}

/// Returns an equal share of the time that is left for this number of searches.
pub fn share_of(deadline: Instant, searches: usize) -> Duration {
    let left = deadline.saturating_duration_since(Instant::now());
    left / u32::try_from(searches.max(1)).unwrap_or(u32::MAX)
}
