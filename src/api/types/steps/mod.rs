//! Requests and responses of `/steps`: solutions in steps.

mod answer;
mod goals;

pub use answer::*;
pub use goals::*;

use std::fmt;

use crate::contract::{IntoParams, ToSchema};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::api::types::request;
use crate::api::types::strict::{integers, objects, word};
use superflip_coords::steps::Side;

request! {
    schema
    /// A cube in exactly one of its forms, and the steps that solve it.
    #[derive(ToSchema)]
    StepsRequest: cube {
        /// Steps in their order, 1 to 10: a list of objects, or a text such as `EO[ud;fb;max=5;niss=always] > DR > HTR > FIN`.
        #[schema(value_type = crate::api::types::StepListSchema)]
        pub steps: StepList,
        /// Number of distinct solutions to list, shortest first (default: 1).
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1, maximum = 100)]
        pub solutions: Option<u32>,
        /// Time limit in milliseconds (default: 1000). The best solutions found in that time are returned. It includes the wait for a
        /// thread and the first build of the tables of a goal. A value above the server's maximum is refused.
        #[serde(default, deserialize_with = "integers")]
        #[schema(minimum = 1)]
        pub time_limit_ms: Option<u64>,
    }
}

request! {
    param
    /// A cube, and the steps that solve it, as a query.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    ChainQuery: cube_text {
        /// Steps as a text, such as `eo>dr>htr>finish` or `EO[niss=always] > DR > HTR > FIN`.
        #[param(example = "EO[niss=always] > DR > HTR > FIN")]
        pub steps: Option<String>,
        /// Number of distinct solutions to list, shortest first (default: 1).
        #[serde(default, deserialize_with = "integers")]
        #[param(minimum = 1, maximum = 100)]
        pub solutions: Option<u32>,
        /// Time limit in milliseconds (default: 1000). The best solutions found in that time are returned.
        #[serde(default, deserialize_with = "integers")]
        #[param(minimum = 1)]
        pub time_limit_ms: Option<u64>,
    }
}

/// The steps of a request.
#[derive(Clone, Debug)]
pub enum StepList {
    /// A text in the grammar of chains.
    Text(String),
    /// One object for each step.
    List(Vec<StepRequest>),
}

impl Default for StepList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl<'de> Deserialize<'de> for StepList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrList;

        impl<'de> Visitor<'de> for TextOrList {
            type Value = StepList;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string or a list of steps")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<StepList, E> {
                Ok(StepList::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, steps: A) -> Result<StepList, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(steps)).map(StepList::List)
            }
        }

        deserializer.deserialize_any(TextOrList)
    }
}

/// Steps as a text, or as a list.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[schema(as = StepList)]
#[serde(untagged)]
pub enum StepListSchema {
    /// Steps separated by `>`. Each is a goal, and in brackets its options, separated by semicolons.
    Text(String),
    /// One object for each step.
    List(Vec<StepRequest>),
}

/// One step.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct StepRequest {
    /// What the step reaches: a name of GET /steps, a name of nissy such as `eofb` or `drud-eofb`, or a coordinate such as
    /// `sym(flip_slice,UD16)`, whose value must become that of the solved cube.
    #[schema(example = "eo")]
    pub goal: String,
    /// Axes, faces or slots of the goal that may be reached, separated by commas, such as `ud,fb` (default: all).
    #[schema(example = "ud")]
    pub axis: Option<String>,
    /// Least number of moves (default: 0).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub min: Option<u32>,
    /// Greatest number of moves (default: 30).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub max: Option<u32>,
    /// Moves that may be made, such as `R L U2 D2` (default: all moves of the goal).
    #[schema(example = "U R F")]
    pub moves: Option<String>,
    /// Sides on which moves may be made (default: `normal`; in a text `mixed` where the goal allows it).
    #[serde(default, deserialize_with = "word")]
    pub side: Option<SideName>,
    /// Greatest number of solutions of this step for each branch of the steps before it (default: any).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub count: Option<u32>,
    /// Greatest number of moves above the shortest solution of this step for the same branch (default: any).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub over_best: Option<u32>,
    /// Whether to list only one of the solutions that differ in the direction of their last turn, such as `R U F` and `R U F'`: the clockwise
    /// one (default: false).
    pub one_ending: Option<bool>,
    /// Solutions of this step to leave out; moves on the inverse cube stand in parentheses, as in `R U (F2)`.
    #[schema(max_items = 100)]
    pub exclude: Option<Vec<String>>,
    /// Subsets that a domino reduction may be in, such as `4a1` or `4a1 4e` (default: all).
    #[schema(example = json!(["4a1"]))]
    pub subsets: Option<Vec<String>>,
}

objects! { StepRequest }

/// Sides on which the moves of a step are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Side)]
pub enum SideName {
    /// The cube.
    Normal,
    /// The inverse of the cube.
    Inverse,
    /// One of the two sides, for all moves of the step.
    Linear,
    /// Both sides (NISS).
    Mixed,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::Normal => Self::Normal,
            SideName::Inverse => Self::Inverse,
            SideName::Linear => Self::Linear,
            SideName::Mixed => Self::Mixed,
        }
    }
}
