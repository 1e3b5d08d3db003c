//! Problems of machines and of costs: all faults, each with its place in the request.

use serde::Serialize;

use super::{Code, Problem};
use crate::contract::ToSchema;
use superflip_solver::search::machine::{CostsFault, MachineFault, MachineFaults, UnknownStateIn};

/// Greatest number of faults in a problem.
const MAX_FAULTS: usize = 100;
/// Greatest number of faults in its text.
const MAX_IN_DETAIL: usize = 3;

/// A fault of a machine or of costs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Fault {
    /// Kind of the fault, as a stable word.
    pub code: &'static str,
    /// Path of the field concerned, such as `machine.actions[3].cost`.
    pub field: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl From<&MachineFault> for Fault {
    fn from(fault: &MachineFault) -> Self {
        let of_action = |number: &usize, field: &str| format!("machine.actions[{number}].{field}");
        let whole = |field: &str| format!("machine.{field}");
        let (code, field, remedy) = match fault {
            MachineFault::StateCount { .. } => {
                ("state_count", whole("states"), "Leave out states that are never reached")
            }
            MachineFault::ActionCount { .. } => {
                ("action_count", whole("actions"), "Leave out actions, or states in `from`")
            }
            MachineFault::RouteCount { .. } => (
                "route_count",
                whole("actions"),
                "Leave out states and actions without a turn that the robot does not need, or merge states that allow the same actions",
            ),
            MachineFault::RepeatedState { .. } => ("repeated_state", whole("states"), "List each state once"),
            MachineFault::UnknownState { place, .. } => {
                let field = match place {
                    UnknownStateIn::Start => whole("start"),
                    UnknownStateIn::From(number) => of_action(number, "from"),
                    UnknownStateIn::To(number) => of_action(number, "to"),
                };
                ("unknown_state", field, "Add it to `machine.states`, or correct the name")
            }
            MachineFault::NoStates { action } => {
                ("no_states", of_action(action, "from"), "Leave out `from` for an action of every state")
            }
            MachineFault::UnknownTurn { action, .. } => (
                "unknown_turn",
                of_action(action, "turn"),
                "Write one face, or two opposite ones; leave it out for a regrip",
            ),
            MachineFault::UnknownRotation { action, .. } => {
                ("unknown_rotation", of_action(action, "rotates"), "Write rotations only, or leave it out")
            }
            MachineFault::Cost { action, .. } => {
                ("cost_out_of_range", of_action(action, "cost"), "Write a cost in this range")
            }
            MachineFault::DeadEnd { .. } => {
                ("dead_end", whole("actions"), "Add an action from it, or leave the state out")
            }
            MachineFault::MissingTurn { .. } => {
                ("missing_turn", whole("actions"), "Add such actions, or ones that lead to a state that has them")
            }
            _ => ("other", whole("actions"), "Correct the machine"),
        };
        Self { code, field, message: sentences(&fault.to_string(), remedy) }
    }
}

impl From<&CostsFault> for Fault {
    fn from(fault: &CostsFault) -> Self {
        let (code, field, remedy) = match fault {
            CostsFault::UnknownTurn { turn } => {
                ("unknown_turn", format!("costs.{turn}"), "Correct the name, or leave it out")
            }
            CostsFault::Repeated { names, .. } => {
                let name = names.last().cloned().unwrap_or_default();
                ("repeated_turn", format!("costs.{name}"), "Give one cost")
            }
            CostsFault::Cost { turn, .. } => {
                ("cost_out_of_range", format!("costs.{turn}"), "Write a cost in this range")
            }
            CostsFault::Missing { turn } => ("missing_turn", format!("costs.{turn}"), "Give it one"),
            _ => ("other", "costs".to_owned(), "Correct the costs"),
        };
        Self { code, field, message: sentences(&fault.to_string(), remedy) }
    }
}

/// Returns the fault and the remedy as sentences.
fn sentences(fault: &str, remedy: &str) -> String {
    let mut letters = fault.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter();
    format!("{}. {remedy}.", first.chain(letters).collect::<String>())
}

impl From<MachineFaults> for Problem {
    fn from(MachineFaults(faults): MachineFaults) -> Self {
        let advice = " For a machine that cannot make some turns, solve with the option `faces`, which lists the faces that it can turn, such as \
                      `URFDL`, or `moves`, which lists its turns, such as `U U' R R' F F' D D' L L' B B'`. For `/diagnose`, list each half turn as \
                      an action that costs as much as two quarter turns.";
        let is_missing = |fault: &MachineFault| matches!(fault, MachineFault::MissingTurn { .. });
        of_faults(Code::InvalidMachine, "machine", advised(&faults, is_missing, advice))
    }
}

impl From<Vec<CostsFault>> for Problem {
    fn from(faults: Vec<CostsFault>) -> Self {
        let advice = " For a robot that cannot make such a turn, solve with the option `faces` or `moves`. For `/diagnose`, give a half turn a \
                      greater cost than two quarter turns: it is then made as these.";
        let is_missing = |fault: &CostsFault| matches!(fault, CostsFault::Missing { .. });
        of_faults(Code::InvalidCosts, "costs", advised(&faults, is_missing, advice))
    }
}

/// Returns the faults as they are answered. `advice` stands once, at the first fault that it concerns.
fn advised<'f, F>(faults: &'f [F], concerns: impl Fn(&F) -> bool, advice: &str) -> Vec<Fault>
where
    Fault: From<&'f F>,
{
    let mut answered: Vec<Fault> = faults.iter().map(Into::into).collect();
    if let Some((first, _)) = answered.iter_mut().zip(faults).find(|(_, fault)| concerns(fault)) {
        first.message.push_str(advice);
    }
    answered
}

/// Creates the problem that lists the faults.
fn of_faults(code: Code, field: &str, mut faults: Vec<Fault>) -> Problem {
    let count = faults.len();
    let listed: Vec<String> =
        faults.iter().take(MAX_IN_DETAIL).map(|fault| format!("`{}`: {}", fault.field, fault.message)).collect();
    let more = if count > MAX_FAULTS {
        format!(" `faults` lists the first {MAX_FAULTS} of {count} faults.")
    } else if count > MAX_IN_DETAIL {
        format!(" `faults` lists all {count} faults.")
    } else {
        String::new()
    };
    faults.truncate(MAX_FAULTS);
    let first = faults.first().map_or_else(|| field.to_owned(), |fault| fault.field.clone());
    Problem::new(code, listed.join(" ") + &more).in_field(&first).with(|document| document.faults = Some(faults))
}
