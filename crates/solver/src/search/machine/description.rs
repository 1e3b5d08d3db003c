//! The description of a machine, as its builder writes it.

use super::faults::{MAX_ACTIONS, MAX_STATES};
use super::{execution, routes};
use superflip_cube::Holding;

/// States and actions of a machine, not checked. serde reads it from JSON.
#[derive(Clone, PartialEq, Debug, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct MachineDescription {
    /// State in which the machine receives the cube, held with U on top and F in front.
    pub start: String,
    /// Names of all states.
    pub states: Vec<String>,
    /// Actions.
    pub actions: Vec<ActionDescription>,
}

/// Greatest memory of a machine in bytes, as its description tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineBytes {
    /// Of the machine and its executions.
    pub kept: u64,
    /// In addition, while its routes are found.
    pub work: u64,
}

impl MachineDescription {
    /// Returns the greatest memory of the machine, if it is not refused, and of an execution of so many moves.
    #[must_use]
    pub fn bytes(&self, moves: usize) -> MachineBytes {
        /// A name, the turns and the list of states, without its entries.
        const ACTION: u64 = 256;
        let states = self.states.len().min(MAX_STATES) as u64;
        let from = |action: &ActionDescription| action.from.as_ref().map_or(states, |from| from.names().len() as u64);
        let [mut edges, mut turning] = [0; 2];
        for action in &self.actions {
            edges += from(action);
            turning += action.turn.as_ref().map_or(0, |_| from(action));
        }
        let actions = self.actions.len().min(MAX_ACTIONS) as u64;
        let executed = moves as u64 * states * Holding::COUNT as u64 * execution::NODE_BYTES;
        let (routes, work) = routes::bytes(states, edges.min(MAX_ACTIONS as u64), turning);
        // The description is read once more than it is kept.
        MachineBytes { kept: actions * ACTION + routes + executed, work: actions * ACTION + work }
    }
}

/// An action, not checked.
#[derive(Clone, PartialEq, Debug, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct ActionDescription {
    /// Turn of one face (`U`), or of two opposite faces at once (`U D'`), named by their places in the machine before the
    /// action; `None` for a regrip or a flip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Name (default: the turn and the rotation).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// States in which it is possible (default: every state).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<StateNames>,
    /// State after it (default: the state before it).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Cost, from 0.000001 to a million.
    pub cost: f64,
    /// Rotation of the whole cube in the machine, after the turn, such as `x` or `y2` (default: none).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotates: Option<String>,
}

/// One state or several.
#[derive(Clone, PartialEq, Eq, Debug, serde::Deserialize, serde::Serialize)]
#[serde(untagged, expecting = "expected the name of a state, or a list of names")]
pub enum StateNames {
    /// One state.
    One(String),
    /// Several states.
    Several(Vec<String>),
}

impl StateNames {
    /// Returns the names.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

impl ActionDescription {
    /// Creates an action that turns nothing, is possible in every state and keeps it.
    #[must_use]
    pub fn new(name: impl Into<String>, cost: f64) -> Self {
        Self { turn: None, name: Some(name.into()), from: None, to: None, cost, rotates: None }
    }

    /// Sets the turn.
    #[must_use]
    pub fn turn(self, turn: Option<&str>) -> Self {
        Self { turn: turn.map(str::to_owned), ..self }
    }

    /// Sets the rotation of the cube.
    #[must_use]
    pub fn rotates(self, rotates: Option<&str>) -> Self {
        Self { rotates: rotates.map(str::to_owned), ..self }
    }

    /// Sets the states before and after.
    #[must_use]
    pub fn between(self, from: &str, to: &str) -> Self {
        Self { from: Some(StateNames::One(from.to_owned())), to: Some(to.to_owned()), ..self }
    }
}
