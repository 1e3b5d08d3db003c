//! Costs of turns, for a robot whose turns do not depend on what it did before.

use std::fmt;
use std::sync::Arc;

use super::Machine;
use super::action::{Action, Cost, compact};
use super::faults::turns;
use super::routes::Routes;
use crate::control::{Claim, Control};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use superflip_cube::{Holding, Move, Moves};

/// The state of a machine of costs.
const STATE: &str = "ready";

/// A cost for each turn, and for pairs of turns of opposite faces that are made at once: not checked. serde reads it from an
/// object such as `{"U": 1, "U2": 1.5, "U D'": 1.2}`.
///
/// # Examples
/// ```
/// use superflip_cube::{Move, Moves};
/// use superflip_solver::search::machine::Costs;
///
/// // Half turns cost more, and equal turns of the top and the bottom together cost what one costs.
/// let cost = |mv: Move| (mv.name().to_owned(), if mv.quarters() == 2 { 1.5 } else { 1.0 });
/// let costs = Costs(Move::ALL.map(cost).into_iter().chain([("U D'".to_owned(), 1.2)]).collect());
/// let machine = costs.machine(&Move::ALL).expect("every turn has a cost");
///
/// let moves: Moves = "R U D' F2".parse().expect("four moves");
/// assert_eq!(machine.cost(&moves).map(|cost| cost.as_f64()), Some(1.0 + 1.2 + 1.5));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Costs(pub Vec<(String, f64)>);

/// A fault of [`Costs`].
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CostsFault {
    /// A name that is neither a turn of one face nor of two opposite ones.
    #[error("`{turn}` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`")]
    UnknownTurn {
        /// The name.
        turn: String,
    },
    /// Two costs of one turn, or of one pair.
    #[error("{turn} has several costs: it is written as {}", list(names))]
    Repeated {
        /// The turn or the pair.
        turn: Moves,
        /// Its names.
        names: Vec<String>,
    },
    /// A cost out of range.
    #[error("the cost of {turn} is {}; it is not from {} to {}", compact(*cost), Cost::MIN, Cost::MAX)]
    Cost {
        /// The name of the turn.
        turn: String,
        /// Its cost.
        cost: f64,
    },
    /// A turn in use has no cost.
    #[error("{turn} has no cost")]
    Missing {
        /// The turn.
        turn: Move,
    },
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

impl Costs {
    /// Returns the machine with these costs. Each turn in use must have a cost. A pair without a cost is made one turn after
    /// the other, and so is a pair that costs more than its turns. A half turn that costs more than two quarter turns in use is made as
    /// these.
    ///
    /// # Errors
    /// Returns all faults.
    pub fn machine(&self, in_use: &[Move]) -> Result<Machine, Vec<CostsFault>> {
        let mut faults = Vec::new();
        let mut actions: Vec<(Action, Vec<String>)> = Vec::new();
        for (name, cost) in &self.0 {
            let Some(turns) = turns(name) else {
                faults.push(CostsFault::UnknownTurn { turn: name.clone() });
                continue;
            };
            let Some(millionths) = Cost::of(*cost) else {
                faults.push(CostsFault::Cost { turn: name.clone(), cost: *cost });
                continue;
            };
            if let Some((_, names)) = actions.iter_mut().find(|(action, _)| action.turns == turns) {
                names.push(name.clone());
                continue;
            }
            let (rotation, from, to) = (Holding::HOME, vec![0], None);
            let written = Moves::from(&*turns).to_string();
            actions.push((Action { name: written, turns, from, to, cost: millionths, rotation }, vec![name.clone()]));
        }
        for (action, names) in &actions {
            if names.len() > 1 {
                faults.push(CostsFault::Repeated { turn: Moves::from(&*action.turns), names: names.clone() });
            }
        }
        let missing = in_use.iter().filter(|mv| !self.names(**mv));
        faults.extend(missing.map(|mv| CostsFault::Missing { turn: *mv }));
        if !faults.is_empty() {
            return Err(faults);
        }
        let actions: Vec<Action> = actions.into_iter().map(|(action, _)| action).collect();
        let quarters = in_use.iter().copied().filter(|mv| mv.quarters() != 2).collect();
        // Each of the 45 turns and pairs is a route, and nothing ends the work early.
        let Ok(Ok(routes)) = Routes::new(1, &actions, &Control::new()) else { return Err(faults) };
        Ok(Machine {
            states: vec![STATE.to_owned()],
            start: 0,
            actions,
            routes: Arc::new(routes),
            quarters,
            claim: Claim::default(),
        })
    }

    /// Returns the turns of one face that have a cost.
    #[must_use]
    pub fn turns(&self) -> Vec<Move> {
        Move::ALL.into_iter().filter(|mv| self.names(*mv)).collect()
    }

    /// Returns whether a cost is given for a turn.
    fn names(&self, mv: Move) -> bool {
        self.0.iter().any(|(name, _)| turns(name).is_some_and(|turns| turns == [mv]))
    }
}

impl<'de> Deserialize<'de> for Costs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Costs;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Costs, A::Error> {
                let mut costs = Vec::new();
                while let Some(cost) = map.next_entry()? {
                    costs.push(cost);
                }
                Ok(Costs(costs))
            }
        }

        deserializer.deserialize_map(Object)
    }
}
