//! Checks a description, and finds all of its faults.

use std::collections::HashMap;

use super::action::{Action, Cost, compact};
use super::description::{ActionDescription, MAX_ACTIONS, MAX_STATES, MachineDescription};
use super::routes::MAX_ROUTES;
use superflip_cube::forms::Read;
use superflip_cube::{Holding, Move, Moves};

/// A fault of a machine. Actions are numbered from 0.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MachineFault {
    /// No state, or too many.
    #[error("there are {count} states; a machine has from 1 to {MAX_STATES}")]
    StateCount {
        /// Number of states.
        count: usize,
    },
    /// Too many actions, counted once for each state in which they are possible.
    #[error("there are {count} actions, counted once for each state before them; a machine has at most {MAX_ACTIONS}")]
    ActionCount {
        /// Number of actions.
        count: usize,
    },
    /// Too many routes.
    #[error(
        "the first {counted} of {states} states have {routes} routes, ways to make a turn that no other way replaces; a machine has at most {MAX_ROUTES}"
    )]
    RouteCount {
        /// Number of the states whose routes were counted.
        counted: usize,
        /// Number of all states.
        states: usize,
        /// Number of the routes.
        routes: usize,
    },
    /// Two states of one name.
    #[error("the state `{name}` is listed more than once")]
    RepeatedState {
        /// Name.
        name: String,
    },
    /// A name that no state has.
    #[error("there is no state `{name}`")]
    UnknownState {
        /// Where the name is used.
        place: UnknownStateIn,
        /// Name.
        name: String,
    },
    /// An empty list of the states before an action.
    #[error("the list of states is empty, so the action is never possible")]
    NoStates {
        /// Number of the action.
        action: usize,
    },
    /// A turn that is neither a turn of one face nor of two opposite ones.
    #[error("`{turn}` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`")]
    UnknownTurn {
        /// Number of the action.
        action: usize,
        /// The text.
        turn: String,
    },
    /// A rotation that cannot be read.
    #[error("`{rotation}` is not a rotation of the cube, such as `x`, `y2` or `z'`")]
    UnknownRotation {
        /// Number of the action.
        action: usize,
        /// The text.
        rotation: String,
    },
    /// A cost out of range.
    #[error("the cost {} is not from {} to {}", compact(*cost), Cost::MIN, Cost::MAX)]
    Cost {
        /// Number of the action.
        action: usize,
        /// Cost.
        cost: f64,
    },
    /// A state from which no action leads.
    #[error("no action is possible in the state `{state}`")]
    DeadEnd {
        /// Name of the state.
        state: String,
    },
    /// A state from which no actions make a turn.
    #[error("no actions from the state `{state}`, with the cube held {holding}, make the turn {turn} of the cube")]
    MissingTurn {
        /// Name of the state.
        state: String,
        /// The turn, named by the place of the face when the machine receives the cube.
        turn: Move,
        /// Holding of the cube.
        holding: Holding,
    },
}

/// Where an unknown state is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownStateIn {
    /// The start.
    Start,
    /// The states before the action of this number.
    From(usize),
    /// The state after the action of this number.
    To(usize),
}

/// Returns the number of the start and the actions.
pub(super) fn checked(description: &MachineDescription) -> Result<(usize, Vec<Action>), Vec<MachineFault>> {
    let MachineDescription { start, states, actions } = description;
    let mut faults = Vec::new();
    if !(1..=MAX_STATES).contains(&states.len()) {
        return Err(vec![MachineFault::StateCount { count: states.len() }]);
    }
    let mut numbers = HashMap::new();
    for (number, name) in states.iter().enumerate() {
        if numbers.insert(name.as_str(), number).is_some() {
            faults.push(MachineFault::RepeatedState { name: name.clone() });
        }
    }
    let number_of = |name: &str, place: UnknownStateIn, faults: &mut Vec<MachineFault>| {
        let number = numbers.get(name).copied();
        if number.is_none() {
            faults.push(MachineFault::UnknownState { place, name: name.to_owned() });
        }
        number
    };
    let start = number_of(start, UnknownStateIn::Start, &mut faults);
    let mut read = Vec::with_capacity(actions.len());
    let mut count = 0;
    for (index, action) in actions.iter().enumerate() {
        let from: Vec<usize> = match &action.from {
            None => (0..states.len()).collect(),
            Some(names) => {
                if names.names().is_empty() {
                    faults.push(MachineFault::NoStates { action: index });
                }
                let state = |name: &String| number_of(name, UnknownStateIn::From(index), &mut faults);
                names.names().iter().filter_map(state).collect()
            }
        };
        count += from.len();
        let to = action.to.as_ref().map(|name| number_of(name, UnknownStateIn::To(index), &mut faults));
        let turns = turns_of(action)
            .ok_or_else(|| MachineFault::UnknownTurn { action: index, turn: action.turn.clone().unwrap_or_default() });
        let rotation = rotation_of(action).ok_or_else(|| MachineFault::UnknownRotation {
            action: index,
            rotation: action.rotates.clone().unwrap_or_default(),
        });
        let cost = Cost::of(action.cost).ok_or(MachineFault::Cost { action: index, cost: action.cost });
        let (turns, rotation, cost) =
            (noted(turns, &mut faults), noted(rotation, &mut faults), noted(cost, &mut faults));
        if let (Some(turns), Some(rotation), Some(cost)) = (turns, rotation, cost) {
            read.push(Action { name: name_of(action), turns, from, to: to.flatten(), cost, rotation });
        }
    }
    if count > MAX_ACTIONS {
        faults.push(MachineFault::ActionCount { count });
    }
    // An action with a fault may be the one that is possible in a state.
    if faults.is_empty() {
        let is_dead_end = |state: &usize| !read.iter().any(|action| action.from.contains(state));
        let dead_ends = (0..states.len()).filter(is_dead_end);
        faults.extend(dead_ends.map(|state| MachineFault::DeadEnd { state: states[state].clone() }));
    }
    match start {
        Some(start) if faults.is_empty() => Ok((start, read)),
        _ => Err(faults),
    }
}

/// Returns the value, or notes the fault.
fn noted<T>(value: Result<T, MachineFault>, faults: &mut Vec<MachineFault>) -> Option<T> {
    value.map_err(|fault| faults.push(fault)).ok()
}

fn name_of(action: &ActionDescription) -> String {
    let parts = || [&action.turn, &action.rotates].into_iter().flatten().cloned().collect::<Vec<_>>();
    action.name.clone().unwrap_or_else(|| if parts().is_empty() { "regrip".to_owned() } else { parts().join(", ") })
}

fn turns_of(action: &ActionDescription) -> Option<Vec<Move>> {
    action.turn.as_deref().map_or_else(|| Some(Vec::new()), turns)
}

/// Reads a turn of one face, or of two opposite ones.
pub(super) fn turns(text: &str) -> Option<Vec<Move>> {
    let mut moves = text.parse::<Moves>().ok()?.to_vec();
    moves.sort_by_key(|mv| mv.face());
    match *moves {
        [_] => Some(moves),
        [first, second] if first.face().opposite() == second.face() => Some(moves),
        _ => None,
    }
}

fn rotation_of(action: &ActionDescription) -> Option<Holding> {
    let Some(text) = &action.rotates else { return Some(Holding::HOME) };
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let is_rotation = letters().count() > 0 && letters().all(|letter| "xyz".contains(letter));
    Read::of_scramble(text).ok().filter(|_| is_rotation)?.holding
}
