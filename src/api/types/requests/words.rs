//! Options of requests that are words or identifiers.

use std::borrow::Cow;

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};
use superflip_cube::Form;
use superflip_cube::metric::Metric;

/// A metric in which lengths count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchMetric {
    /// Half-turn metric: each move is 1.
    Htm,
    /// Quarter-turn metric: a half turn is 2.
    Qtm,
    /// Slice-turn metric: turns of opposite faces that turn the slice between them are 1 together.
    Stm,
    /// Axial half-turn metric: a turn and the next turn of the opposite face are 1 together.
    Axht,
    /// Axial quarter-turn metric: consecutive turns of opposite faces count as many as the quarter turns of the face that turns most.
    Axqt,
}

impl SearchMetric {
    /// Every metric.
    pub const ALL: [Self; 5] = [Self::Htm, Self::Qtm, Self::Stm, Self::Axht, Self::Axqt];
}

impl From<SearchMetric> for Metric {
    fn from(metric: SearchMetric) -> Self {
        match metric {
            SearchMetric::Htm => Self::Htm,
            SearchMetric::Qtm => Self::Qtm,
            SearchMetric::Stm => Self::Stm,
            SearchMetric::Axht => Self::Axht,
            SearchMetric::Axqt => Self::Axqt,
        }
    }
}

/// Returns the metric of this name, for flags.
///
/// # Errors
/// Lists the names of the metrics.
pub fn metric_of_name(name: &str) -> Result<SearchMetric, String> {
    let of_name = |metric: &SearchMetric| Metric::from(*metric).name() == name;
    SearchMetric::ALL.into_iter().find(of_name).ok_or_else(|| "expected htm, qtm, stm, axht or axqt".to_owned())
}

/// Returns the form of this name, for flags.
///
/// # Errors
/// Lists the names of the forms.
pub fn format_of_name(name: &str) -> Result<Form, String> {
    let known = Form::ALL.map(Form::name).join(", ");
    Form::from_name(name).ok_or_else(|| format!("expected one of {known}"))
}

/// Moves in a text or in a list.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected moves such as `U U2 U'`, as a text or a list of texts")]
pub enum TurnList {
    /// Moves, separated by spaces.
    Text(String),
    /// One move in each text.
    List(Vec<String>),
}

impl TurnList {
    /// Returns the moves with spaces between them.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::List(moves) => moves.join(" ").into(),
        }
    }
}

impl Default for TurnList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// Identifier of a line of a batch, chosen by the client.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged, expecting = "expected a string or a number")]
pub enum LineId {
    /// Number; integers of up to 64 bits are repeated exactly.
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    /// String of at most 256 bytes.
    Text(String),
}

/// Order of the answers of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BatchOrder {
    /// Order of the lines.
    #[default]
    Input,
    /// Order in which searches end, so that an easy cube does not wait for a hard one before it.
    Any,
}
