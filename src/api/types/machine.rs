//! Costs of turns, machines, and what a machine does.

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use super::strict::objects;
use superflip_cube::{Holding, Moves};
use superflip_solver::search::machine::{ActionDescription, Execution, MachineDescription, StateNames};

/// A machine that turns the cube: states, and actions with costs. The service finds the cheapest sequence of actions that makes the moves,
/// and follows the holding of the cube in the machine.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schema(as = Machine)]
pub struct MachineBody {
    /// State in which the machine receives the cube, with U on top and F in front.
    #[schema(example = "home")]
    pub start: String,
    /// Names of all states.
    #[schema(example = json!(["home"]), min_items = 1, max_items = 100)]
    pub states: Vec<String>,
    /// Actions, at most 10 000, counted once for each state in `from`.
    pub actions: Vec<MachineAction>,
}

/// An action of a machine.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct MachineAction {
    /// Turn of one face, or of two opposite faces at once (`U D'`), named by their places in the machine before the action; null for an
    /// action that turns no face.
    #[schema(example = "D2")]
    pub turn: Option<String>,
    /// Name in the schedule (default: the turn and the rotation, or `regrip`).
    pub name: Option<String>,
    /// State in which the action is possible, or a list of them (default: every state).
    #[schema(value_type = Option<crate::api::types::described::StateNames>)]
    pub from: Option<StateNames>,
    /// State after the action (default: the state before it).
    pub to: Option<String>,
    /// Cost, such as a duration in seconds, from 0.000001 to 1000000. It is rounded to millionths.
    #[schema(example = 0.8)]
    pub cost: f64,
    /// Rotation of the whole cube in the machine, after the turn, such as `x` or `y2` (default: none).
    #[schema(example = "x'")]
    pub rotates: Option<String>,
}

objects! { MachineBody MachineAction }

impl MachineBody {
    /// Returns the number of states times that of actions, counted once for each state before them.
    pub fn size(&self) -> usize {
        let states = |action: &MachineAction| action.from.as_ref().map_or(self.states.len(), |from| from.names().len());
        self.states.len() * self.actions.iter().map(states).sum::<usize>()
    }
}

impl From<&MachineBody> for MachineDescription {
    fn from(from: &MachineBody) -> Self {
        let MachineBody { start, states, actions } = from.clone();
        Self { start, states, actions: actions.into_iter().map(Into::into).collect() }
    }
}

same_fields! {
    MachineAction => ActionDescription { turn, name, from, to, cost, rotates }
}

/// An action that a machine executed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected the name of an action, or an object with `action` and `state`")]
pub enum ExecutedAction {
    /// Name of the action.
    Name(String),
    /// Step of `schedule` in the response of POST /solve. Its other fields are ignored.
    Step(ExecutedStep),
}

/// Name of an action, and the state after it, which tells actions of one name apart.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
pub struct ExecutedStep {
    /// Name of the action.
    pub action: String,
    /// State after the action.
    pub state: String,
}

impl ExecutedAction {
    /// Returns the name, and the state after the action if it is known.
    pub fn parts(&self) -> (&str, Option<&str>) {
        match self {
            Self::Name(name) => (name, None),
            Self::Step(ExecutedStep { action, state }) => (action, Some(state)),
        }
    }
}

/// One action of the cheapest execution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ScheduleStep {
    /// Name of the action.
    pub action: String,
    /// Turn, named by places in the machine before the action; null if the action turns no face.
    pub turn: Option<String>,
    /// The same turn as moves of the solution: none, one, or two of opposite faces. Turns of opposite faces may be made in another order
    /// than in `solution`. With `costs`, a half turn may be made as two quarter turns.
    pub moves: Vec<&'static str>,
    /// State after the action; `ready` with `costs`.
    pub state: String,
    /// Holding of the cube after the action: the centre on top, then the centre in front, named by their places at the start.
    #[schema(value_type = String, example = "UF")]
    pub holding: Holding,
    /// Cost of the action.
    pub cost: f64,
    /// Cost so far.
    pub total: f64,
}

impl ScheduleStep {
    /// Returns the steps of an execution.
    #[must_use]
    pub fn all(execution: &Execution<'_>) -> Vec<Self> {
        let step = execution.steps.iter().map(|step| Self {
            action: step.action.to_owned(),
            turn: (!step.turns.is_empty()).then(|| Moves::from(step.turns).to_string()),
            moves: step.moves.iter().map(|mv| mv.name()).collect(),
            state: step.state.to_owned(),
            holding: step.holding,
            cost: step.cost.as_f64(),
            total: step.total.as_f64(),
        });
        step.collect()
    }
}
