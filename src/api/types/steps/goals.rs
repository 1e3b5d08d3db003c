//! The goals that a step may have.

use crate::contract::ToSchema;
use serde::Serialize;

use superflip_coords::steps::{Goal, Needs, catalogue};
use superflip_cube::Moves;

/// The goals that a step may have.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GoalList {
    /// The named goals. A step may also have an expression of coordinates as its goal.
    pub goals: Vec<GoalBody>,
    /// Names that nissy gives to goals. They are accepted too.
    pub aliases: Vec<&'static str>,
}

/// A named goal.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Goal)]
pub struct GoalBody {
    /// Name.
    #[schema(example = "eo")]
    pub name: &'static str,
    /// What the step reaches.
    pub summary: &'static str,
    /// What the cube must have reached before the step; null if nothing.
    pub needs: Option<&'static str>,
    /// Names of the axes, faces or slots that may be reached. Empty if there is only one.
    pub axes: Vec<String>,
    /// Moves of the step, for its first axis.
    pub moves: String,
    /// Whether moves on the inverse cube are allowed.
    pub inverse: bool,
}

impl GoalList {
    /// Lists the goals.
    pub fn new() -> Self {
        let goals: Vec<GoalBody> = catalogue::all().map(GoalBody::new).collect();
        let is_alias = |name: &&str| goals.iter().all(|goal| goal.name != *name);
        Self { aliases: catalogue::names().filter(is_alias).collect(), goals }
    }
}

impl Default for GoalList {
    fn default() -> Self {
        Self::new()
    }
}

impl GoalBody {
    fn new(entry: &'static catalogue::Entry) -> Self {
        let goal = Goal::named(entry.name).map(|(goal, _)| goal);
        let axes = goal.map(|goal| goal.axes().filter(|axis| !axis.is_empty()).map(str::to_owned).collect());
        Self {
            name: entry.name,
            summary: entry.summary,
            needs: (entry.needs != Needs::Nothing).then(|| entry.needs.text()),
            axes: axes.unwrap_or_default(),
            moves: entry.moves.iter().collect::<Moves>().to_string(),
            inverse: entry.is_group,
        }
    }
}
