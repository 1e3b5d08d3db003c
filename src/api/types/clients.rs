//! Requests and responses of `twips serve`. Unknown members are ignored, as twips does.

use std::collections::BTreeMap;

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use super::Pattern;
use super::strict::{integers, objects};

/// A pattern to solve, and the puzzle it belongs to.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsRequest {
    /// Puzzle: the 3x3x3 of cubing.js.
    pub definition: TwipsDefinition,
    /// Pattern to solve, as `KPattern` data.
    #[schema(value_type = Object)]
    pub pattern: Pattern,
    /// Pattern after the solution (default: the default pattern of the puzzle).
    #[schema(value_type = Option<Object>)]
    pub start_pattern: Option<Pattern>,
    /// Options of the search.
    pub search_args: Option<TwipsSearchArgs>,
}

/// A puzzle, as a `KPuzzle` definition. Its face moves must be those of the 3x3x3 of cubing.js.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsDefinition {
    /// Kinds of pieces: `EDGES`, `CORNERS` and perhaps `CENTERS`.
    pub orbits: Vec<TwipsOrbit>,
    /// Solved pattern.
    #[schema(value_type = Object)]
    pub default_pattern: Pattern,
    /// Moves by name; of each, the effect on each orbit by name.
    pub moves: BTreeMap<String, BTreeMap<String, TwipsTransformation>>,
}

/// Pieces of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsOrbit {
    /// Name, such as `EDGES`.
    pub orbit_name: String,
    /// Number of pieces.
    #[serde(deserialize_with = "integers")]
    pub num_pieces: u32,
    /// Number of orientations of each piece.
    #[serde(deserialize_with = "integers")]
    pub num_orientations: u32,
}

/// Effect of a move on one orbit.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsTransformation {
    /// Slot from which the piece in each slot comes.
    #[serde(deserialize_with = "integers")]
    pub permutation: Vec<u32>,
    /// Orientation that is added to the piece in each slot.
    #[serde(deserialize_with = "integers")]
    pub orientation_delta: Vec<u32>,
}

/// Options of the search. `checkBeforeSolve`, `randomStart` and `startPruneDepth` are accepted and change nothing.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct TwipsSearchArgs {
    /// Least number of moves; only 0 is supported.
    #[serde(default, deserialize_with = "integers")]
    pub min_depth: Option<u32>,
    /// Number of moves that every solution must stay below.
    #[serde(default, deserialize_with = "integers")]
    pub max_depth: Option<u32>,
    /// Count quarter turns; only false is supported.
    pub quantum_metric: Option<bool>,
    /// Moves of the solution; the six faces must be among them.
    pub generator_moves: Option<Vec<String>>,
}

objects! { TwipsRequest TwipsDefinition TwipsOrbit TwipsTransformation TwipsSearchArgs }

/// A solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TwipsSolution {
    /// Moves, separated by one space.
    #[schema(example = "U R2 F'")]
    pub alg: String,
}
