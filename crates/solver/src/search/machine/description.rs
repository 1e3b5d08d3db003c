//! The description of a machine, as its builder writes it.

/// Greatest number of states of a machine.
pub const MAX_STATES: usize = 100;
/// Greatest number of actions, counted once for each state in which they are possible.
pub const MAX_ACTIONS: usize = 10_000;

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
