//! Schedules that were executed: the actions, found by their names.

use std::collections::HashSet;

use super::Machine;
use super::action::Action;
use superflip_cube::Motion;

/// A schedule that a machine can execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule<'m> {
    /// The actions, in order.
    pub actions: Vec<ScheduledAction<'m>>,
    /// State after the last action.
    pub state: &'m str,
    end: usize,
}

/// An action of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledAction<'m> {
    /// Name.
    pub name: &'m str,
    /// What it does to the cube.
    pub motion: Motion,
    /// Whether an action of the machine, in any state, makes the inverse motion.
    pub is_reversible: bool,
}

/// A fault of a schedule. Actions are numbered from 1 in messages.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleFault {
    /// A name that no action has.
    #[error("the machine has no action `{name}`")]
    UnknownAction {
        /// Index of the action.
        index: usize,
        /// Name.
        name: String,
    },
    /// An action that is not possible in the state after the actions before it.
    #[error("the action `{name}` is not possible in the state `{state}`, in which the machine is before it")]
    Impossible {
        /// Index of the action.
        index: usize,
        /// Name.
        name: String,
        /// State before it.
        state: String,
    },
    /// An action that does not lead to the state that the schedule says.
    #[error("the action `{name}` does not lead from the state `{state}` to `{to}`")]
    OtherState {
        /// Index of the action.
        index: usize,
        /// Name.
        name: String,
        /// State before it.
        state: String,
        /// State after it, as the schedule says.
        to: String,
    },
    /// A name of several actions that are possible in the same state and differ.
    #[error("several actions are named `{name}` and possible in the state `{state}`")]
    Ambiguous {
        /// Index of the action.
        index: usize,
        /// Name.
        name: String,
        /// State before it.
        state: String,
    },
}

impl ScheduleFault {
    /// Returns the index of the action, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        match self {
            Self::UnknownAction { index, .. }
            | Self::Impossible { index, .. }
            | Self::OtherState { index, .. }
            | Self::Ambiguous { index, .. } => *index,
        }
    }
}

impl Machine {
    /// Finds the actions of a schedule, which the machine executes from its start. Each is given by its name and, if it is known, the state
    /// after it.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn schedule<'a>(
        &self,
        names: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Result<Schedule<'_>, ScheduleFault> {
        let mut end = self.start;
        let mut actions = Vec::new();
        let motions: HashSet<Motion> = self.actions.iter().map(Action::motion).collect();
        for (index, (name, to)) in names.into_iter().enumerate() {
            let action = self.action(index, name, end, to)?;
            let motion = action.motion();
            let is_reversible = motions.contains(&motion.inverse());
            actions.push(ScheduledAction { name: &action.name, motion, is_reversible });
            end = action.state_after(end);
        }
        Ok(Schedule { actions, state: &self.states[end], end })
    }

    fn action(&self, index: usize, name: &str, from: usize, to: Option<&str>) -> Result<&Action, ScheduleFault> {
        let state = self.states[from].clone();
        let named = name.to_owned();
        let mut of_name = self.actions.iter().filter(|action| action.name == name).peekable();
        if of_name.peek().is_none() {
            return Err(ScheduleFault::UnknownAction { index, name: named });
        }
        let mut possible = of_name.filter(|action| action.from.contains(&from)).peekable();
        if possible.peek().is_none() {
            return Err(ScheduleFault::Impossible { index, name: named, state });
        }
        let leads = |action: &&Action| to.is_none_or(|to| self.states[action.state_after(from)] == to);
        let mut possible = possible.filter(leads);
        let Some(action) = possible.next() else {
            let to = to.unwrap_or_default().to_owned();
            return Err(ScheduleFault::OtherState { index, name: named, state, to });
        };
        // Actions that differ only in their costs are one here.
        let differs =
            |other: &Action| other.motion() != action.motion() || other.state_after(from) != action.state_after(from);
        if possible.any(differs) {
            return Err(ScheduleFault::Ambiguous { index, name: named, state });
        }
        Ok(action)
    }

    /// Returns the machine as it is after a schedule: it starts in the state after the last action.
    #[must_use]
    pub fn starting_after(&self, schedule: &Schedule<'_>) -> Self {
        Self { start: schedule.end, ..self.clone() }
    }
}

impl Action {
    /// Returns what it does to the cube.
    fn motion(&self) -> Motion {
        Motion::new(self.turns.iter().copied(), self.rotation)
    }
}
