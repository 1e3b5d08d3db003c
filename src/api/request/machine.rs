//! The machine of a request, from costs or states.

use std::sync::Arc;

use clap::Args;

use super::options::{Range, in_range};
use super::read::JsonOrFile;
use crate::api::problem::{Code, Problem};
use crate::api::types::MachineBody;
use crate::api::types::fields::{Fields as _, fields};
use crate::service::pool::Refused;
use superflip_cube::Move;
use superflip_solver::search::machine::{Costs, Machine, MachineBytes, MachineDescription, MachineFaults};
use superflip_solver::search::{MAX_CANDIDATES, USUAL_CANDIDATES};
use superflip_solver::{Cancelled, Control, Goal};

fields! {
    /// The machine that executes the moves.
    #[derive(Args)]
    pub struct MachineOptions {
        /// Cost of each turn of a robot, by the name of the turn; every turn of one face that the answer may have needs a cost. A pair
        /// of turns of opposite faces, such as `U D'`, costs the sum of both, unless the pair has a smaller cost of its own. The response has the
        /// cheapest of `candidates` solutions.
        #[schema(value_type = Option<std::collections::HashMap<String, f64>>, example = json!(null))]
        #[arg(long, value_name = "FILE|JSON", value_parser = JsonOrFile::<Costs>::NEW, conflicts_with = "machine",
            help = "Return the cheapest solution by these costs: a file, or JSON such as {\"U\": 1, \"U2\": 1.5, ...}",
            long_help = "Return the cheapest solution by these costs: a file, or JSON such as {\"U\": 1, \"U2\": 1.5, ...}\n\n\
                Every turn of one face that the answer may have needs a cost. A pair of turns of opposite faces, such as \"U D'\", costs the \
                sum of both, unless the pair has a smaller cost of its own.")]
        pub costs: Option<Costs>,
        /// Machine that executes the moves. The response has the cheapest of `candidates` solutions, with a `schedule`.
        #[arg(long, value_name = "FILE|JSON", value_parser = JsonOrFile::<Box<MachineBody>>::NEW,
            help = "Return the cheapest solution on this machine: a file, or JSON, with its states and actions, as in docs/machines.md")]
        pub machine: Option<Box<MachineBody>>,
        /// Only with `costs` or `machine`: number of solutions to find and compare (default: 100). The search continues until each of them
        /// satisfies `target_length`.
        #[schema(minimum = 1, maximum = 1000)]
        #[arg(long, value_name = "N")]
        pub candidates: Option<u32>,
    } bodies { costs machine candidates }
}

/// Greatest number of moves of a solution, but for a few in other metrics.
const LONGEST: usize = 24;

impl MachineOptions {
    pub(super) const RANGES: [(&str, Range); 1] = [("candidates", (1, Some(MAX_CANDIDATES as u64)))];

    /// Sets the machine of a goal that has its turns, each of which the machine must be able to make, and the number of candidates.
    pub(super) fn set(&self, goal: &mut Goal, control: &Control) -> Result<(), Problem> {
        goal.machine = self.machine(&goal.turns.moves().collect::<Vec<_>>(), None, control)?;
        goal.candidates = match self.candidates {
            Some(_) if goal.machine.is_none() => {
                let detail = "`candidates` needs `costs` or `machine` to compare the candidates. Add one of them, or remove `candidates`.";
                return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("candidates"));
            }
            Some(count) => in_range("candidates", count, 1..=MAX_CANDIDATES as u64, "")?,
            None => USUAL_CANDIDATES,
        };
        Ok(())
    }

    /// Checks the machine. It must be able to make every turn in use, or to execute the moves of a given solution. Returns it, if there is one.
    ///
    /// # Errors
    /// Returns an error that lists the faults, or for an option that contradicts another, or if `control` ended the work.
    pub(crate) fn machine(
        &self,
        in_use: &[Move],
        given: Option<&[Move]>,
        control: &Control,
    ) -> Result<Option<Arc<Machine>>, Problem> {
        let executes = |machine: &Machine| given.is_some_and(|moves| machine.cost(moves).is_some());
        let machine = match (&self.costs, &self.machine) {
            (Some(_), Some(_)) => {
                let detail = "`costs` cannot be combined with `machine`: the actions of a machine have costs of their own. Remove one of them.";
                return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("costs"));
            }
            (Some(costs), None) => {
                // A given solution may have only turns of pairs that have a cost, and its half turns may be made as other turns.
                let of_given = given.and_then(|_| costs.machine(&costs.turns()).ok().filter(executes));
                of_given.map_or_else(|| costs.machine(in_use), Ok)?
            }
            (None, Some(body)) => {
                let machine = found(&MachineDescription::from(&**body), given.map_or(LONGEST, <[Move]>::len), control)?;
                if !executes(&machine) {
                    let missing = machine.missing_turns(in_use);
                    if !missing.is_empty() {
                        return Err(MachineFaults(missing).into());
                    }
                }
                machine
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(Arc::new(machine)))
    }

    /// Takes absent options of a line from the query. A line with costs of its own has no other machine, and the reverse.
    pub(crate) fn or_of_query(self, query: &Self) -> Self {
        let own = (self.costs.is_some() || self.machine.is_some()).then(|| (self.costs.clone(), self.machine.clone()));
        let options = self.or(query);
        let (costs, machine) = own.unwrap_or((options.costs, options.machine));
        Self { costs, machine, ..options }
    }
}

/// Finds the routes of a machine that executes up to so many moves. It claims its memory until it is dropped.
fn found(description: &MachineDescription, moves: usize, control: &Control) -> Result<Machine, Problem> {
    let MachineBytes { kept, work } = description.bytes(moves);
    let claims = control.claim(kept).zip(control.claim(work));
    let (claim, _of_work) = claims.ok_or_else(Problem::short_of_memory)?;
    Ok(Machine::within(description, control).map_err(unfinished)??.claiming(claim))
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
