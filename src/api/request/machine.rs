//! The machine of a request, from costs or states.

use std::sync::Arc;

use super::options::in_range;
use crate::api::problem::{Code, Problem};
use crate::api::types::SolveRequest;
use crate::service::pool::Refused;
use superflip_cube::Move;
use superflip_solver::search::machine::{Machine, MachineDescription, MachineFaults};
use superflip_solver::search::{MAX_CANDIDATES, USUAL_CANDIDATES};
use superflip_solver::{Cancelled, Control};

/// Checks the machine. It must be able to make every turn in use, or to execute the moves of a given solution. Returns it, if there is one,
/// and the number of candidates.
///
/// # Errors
/// Returns an error that lists the faults, or for an option that is out of range or contradicts another, or if `control` ended the work.
pub(crate) fn machine_of(
    request: &SolveRequest,
    in_use: &[Move],
    given: Option<&[Move]>,
    control: &Control,
) -> Result<(Option<Arc<Machine>>, usize), Problem> {
    let executes = |machine: &Machine| given.is_some_and(|moves| machine.cost(moves).is_some());
    let machine = match (&request.costs, &request.machine) {
        (Some(_), Some(_)) => {
            let detail = "`costs` cannot be combined with `machine`: the actions of a machine have costs of their own. Remove one of them.";
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("costs"));
        }
        (Some(costs), None) => {
            // A given solution may have only turns of pairs that have a cost, and its half turns may be made as other turns.
            let of_given = given.and_then(|_| costs.machine(&costs.turns()).ok().filter(executes));
            Some(of_given.map_or_else(|| costs.machine(in_use), Ok)?)
        }
        (None, Some(body)) => {
            let machine = Machine::within(&MachineDescription::from(&**body), control).map_err(unfinished)??;
            if !executes(&machine) {
                let missing = machine.missing_turns(in_use);
                if !missing.is_empty() {
                    return Err(MachineFaults(missing).into());
                }
            }
            Some(machine)
        }
        (None, None) => None,
    };
    let candidates = match request.candidates {
        Some(_) if machine.is_none() => {
            let detail = "`candidates` needs `costs` or `machine` to compare the candidates. Add one of them, or remove `candidates`.";
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("candidates"));
        }
        Some(count) => in_range("candidates", count, 1..=MAX_CANDIDATES as u64, "")?,
        None => USUAL_CANDIDATES,
    };
    Ok((machine.map(Arc::new), candidates))
}

/// Returns the problem of a machine whose routes were not found in time.
fn unfinished(cancelled: Cancelled) -> Problem {
    match cancelled {
        Cancelled::ByCaller => Refused::ShuttingDown.into(),
        Cancelled::Deadline => {
            let detail = "The time limit passed before the routes of the machine were found. Raise `time_limit_ms`, or leave out states and actions.";
            let problem = Problem::new(Code::DeadlineUnreachable, detail).in_field("machine");
            problem.with(|document| document.retry_after_s = Some(1))
        }
    }
}
