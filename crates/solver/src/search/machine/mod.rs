//! Costs of a real machine: what a maneuver costs, and how the machine executes it.
//!
//! A [`Machine`] has states, such as the positions of its grippers, and [actions](ActionDescription). An action turns one
//! face, or two opposite ones, or none (a regrip), may rotate the whole cube in the machine, and leads to a state. Its cost is
//! usually its duration. A robot without states is a list of [`Costs`].
//!
//! ```text
//!   maneuver     R       U          F2        turns of the cube, named by its places at the start
//!   machine        D   x'   D  y'  D2         actions: the machine turns its bottom layer only
//! ```
//!
//! The cheapest execution is a shortest path over (position in the maneuver, state, holding of the cube in the machine):
//!
//! - **Routes.** The actions know places in the machine, not holdings. So the 24 holdings share one computation: from each
//!   state, Dijkstra's algorithm over actions without a turn, then each action with a turn. A route is dropped if another
//!   route has the same end at no higher cost.
//! - **Positions.** Turns of opposite faces commute: consecutive turns of one axis are made in either order, or jointly if an action
//!   makes both. At each position, a node is dropped if a route from another node reaches it at no higher cost.
//!
//! Costs are whole numbers of millionths ([`Cost`]), so that sums are exact.
#![allow(clippy::cast_possible_truncation)] // numbers of states, holdings and actions fit in 8 or 16 bits

mod action;
mod costs;
mod description;
mod execution;
mod faults;
mod routes;
mod schedule;

pub use action::Cost;
pub use costs::{Costs, CostsFault};
pub use description::{ActionDescription, MAX_ACTIONS, MAX_STATES, MachineDescription, StateNames};
pub use execution::{Execution, ExecutionStep, MachineBytes};
pub use faults::{MachineFault, UnknownStateIn};
pub use routes::MAX_ROUTES;
pub use schedule::{Schedule, ScheduleFault, ScheduledAction};

use std::sync::Arc;

use crate::control::{Cancelled, Claim, Control};
use action::Action;
use routes::Routes;
use superflip_cube::metric::Metric;
use superflip_cube::{Holding, Move, TurnSet};

/// A machine that turns a cube: states, and actions with costs.
///
/// # Examples
/// A robot that turns only the bottom layer, and rolls and spins the cube:
/// ```
/// use superflip_cube::Moves;
/// use superflip_solver::search::machine::{ActionDescription, Machine, MachineDescription};
///
/// let action = |name, turn, rotates, cost| ActionDescription::new(name, cost).turn(turn).rotates(rotates);
/// let turns = ["D", "D2", "D'"].map(|turn| action(turn, Some(turn), None, 0.8));
/// let rolls = [("roll", "x'"), ("spin", "y"), ("spin back", "y'")].map(|(name, by)| action(name, None, Some(by), 0.6));
/// let machine = Machine::new(&MachineDescription {
///     start: "ready".to_owned(),
///     states: vec!["ready".to_owned()],
///     actions: turns.into_iter().chain(rolls).collect(),
/// })?;
///
/// let moves: Moves = "F D".parse().expect("two moves");
/// let execution = machine.execute(&moves).expect("the machine can turn every face");
/// let names: Vec<&str> = execution.steps.iter().map(|step| step.action).collect();
/// // The front comes down, is turned, and the former bottom, now at the back, comes down in three rolls.
/// assert_eq!(names, ["roll", "D", "roll", "roll", "roll", "D"]);
/// assert_eq!(execution.cost.as_f64(), 4.0);
/// # Ok::<(), superflip_solver::search::machine::MachineFaults>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    states: Vec<String>,
    start: usize,
    actions: Vec<Action>,
    routes: Arc<Routes>,
    /// Quarter turns of the cube that may be made twice instead of a half turn.
    quarters: TurnSet,
    /// What counts its memory.
    claim: Claim,
}

/// All faults of a machine.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("the machine has {} fault(s), the first: {}", .0.len(), .0[0])]
pub struct MachineFaults(pub Vec<MachineFault>);

impl Machine {
    /// Checks a machine and finds its routes.
    ///
    /// # Errors
    /// Returns all faults of the description. Whether the machine can make every turn that it needs is another question:
    /// see [`Machine::missing_turns`].
    pub fn new(description: &MachineDescription) -> Result<Self, MachineFaults> {
        let checked = Self::within(description, &Control::new());
        // Nothing ends the work early.
        checked.unwrap_or_else(|_| Err(MachineFaults(Vec::new())))
    }

    /// Checks a machine and finds its routes, unless `control` ends the work first.
    ///
    /// # Errors
    /// When `control` ended the work, or as [`Machine::new`].
    pub fn within(
        description: &MachineDescription,
        control: &Control,
    ) -> Result<Result<Self, MachineFaults>, Cancelled> {
        let (start, actions) = match faults::checked(description) {
            Ok(checked) => checked,
            Err(faults) => return Ok(Err(MachineFaults(faults))),
        };
        let states = description.states.clone();
        Ok(match Routes::new(states.len(), &actions, control)? {
            Ok(routes) => Ok(Self {
                states,
                start,
                actions,
                routes: Arc::new(routes),
                quarters: TurnSet::NONE,
                claim: Claim::default(),
            }),
            Err((counted, routes)) => {
                Err(MachineFaults(vec![MachineFault::RouteCount { counted, states: states.len(), routes }]))
            }
        })
    }

    /// Returns the machine with a claim on its memory, which ends with its last clone.
    #[must_use]
    pub fn claiming(self, claim: Claim) -> Self {
        Self { claim, ..self }
    }

    /// Returns the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Returns a fault for each state from which some of these turns of the cube cannot be made. Only states and holdings that
    /// the machine reaches while it makes such turns are considered.
    #[must_use]
    pub fn missing_turns(&self, turns: &[Move]) -> Vec<MachineFault> {
        let missing = self.routes.missing(self.start, turns);
        let fault = |(state, turn, holding): (usize, Move, Holding)| MachineFault::MissingTurn {
            state: self.states[state].clone(),
            turn,
            holding,
        };
        missing.into_iter().map(fault).collect()
    }

    /// Returns a lower bound on the cost of every maneuver whose length in `metric` is at least `length`: the length times the
    /// least cost per unit of length of the actions that turn a face.
    ///
    /// The bound holds because the lengths of the parts of a maneuver add up to its length or more. It is weak for machines
    /// that regrip.
    #[must_use]
    pub fn lower_bound(&self, metric: Metric, length: usize) -> Cost {
        let bound = |action: &Action| {
            let turned = metric.length(&action.turns) as u64;
            (turned > 0).then(|| (action.cost.millionths() * length as u64).div_ceil(turned))
        };
        Cost::of_millionths(self.actions.iter().filter_map(bound).min().unwrap_or(0))
    }
}
