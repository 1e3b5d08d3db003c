//! Responses for operation: health, readiness and the index.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use crate::service::tables::readiness::{LoadProgress, TableState};
use superflip_cube::metric::Metric;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::tables::optimal::{OptimalTable, Size};
use superflip_solver::tables::{MetricTables, Profile};

/// Liveness of the process.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Liveness)]
pub struct Live {
    /// Always `alive`.
    pub status: &'static str,
}

/// Readiness of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Readiness)]
pub struct Ready {
    /// Always `ready`.
    pub status: &'static str,
    /// Profile of the tables in use.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Number of table files in use; 0 for `tiny`, whose tables are computed in memory.
    pub tables: usize,
    /// Total size of these files in bytes.
    pub bytes: u64,
    /// State of the tables of the configured profile; absent once they are loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NextTables>,
    /// Table for optimal solutions; absent if none is configured. The service is ready without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<OptimalReady>,
    /// Tables of further metrics: those of `search.metrics` and those that requests asked for. The service is ready without them.
    pub metrics: Vec<MetricReady>,
    /// Tables of some turns only (`faces` and `moves`) that requests asked for, at most 16 sets; absent if there are none. The service is ready
    /// without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnsReady>,
}

/// Parameters of `GET /readyz`.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadyQuery {
    /// `configured`: 503 until the tables of the configured profile are loaded, even while others answer.
    #[param(inline)]
    pub profile: Option<ReadyProfile>,
}

/// Profile whose tables must be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReadyProfile {
    /// The configured profile.
    Configured,
}

/// State of the tables of the configured profile until they are loaded.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct NextTables {
    /// The configured profile.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Current state: `starting` or `failed`.
    pub status: LoadStatus,
    /// Progress while they are being opened or built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<LoadProgress>,
    /// Reason why they are unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl NextTables {
    /// Creates the state of the configured profile; `None` if its tables are ready.
    pub fn new(profile: Profile, state: TableState) -> Option<Self> {
        let (status, progress, reason) = match state {
            TableState::Starting(step) => (LoadStatus::Starting, Some(step), None),
            TableState::Failed { reason } => (LoadStatus::Failed, None, Some(reason)),
            TableState::Ready(_) => return None,
        };
        Some(Self { profile, status, progress, reason })
    }
}

/// State of the table for optimal solutions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OptimalTable)]
pub struct OptimalReady {
    /// Size: `s`, `m`, `l` or `xl`.
    pub table: &'static str,
    /// Current state.
    pub status: LoadStatus,
    /// Size in bytes, not included in the total; 0 until it is loaded.
    pub bytes: u64,
    /// Progress while it is being opened or built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<LoadProgress>,
    /// Reason why it is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// State of the tables of a metric.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MetricTables)]
pub struct MetricReady {
    /// Name of the metric.
    #[schema(example = "qtm")]
    pub metric: &'static str,
    /// Current state.
    pub status: LoadStatus,
    /// Size in bytes, not included in the total; 0 until they are loaded.
    pub bytes: u64,
    /// Progress while they are being opened or built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<LoadProgress>,
    /// Reason why they are unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Table for optimal solutions in this metric, once it is asked for. Only `qtm` has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<OptimalReady>,
}

impl MetricReady {
    /// Creates the state of the tables of `metric`, and of its coset table.
    pub fn new(metric: Metric, state: TableState<MetricTables>, optimal: Option<OptimalReady>) -> Self {
        let bytes = |tables: &MetricTables| tables.list().iter().map(|table| table.bytes).sum();
        let (status, bytes, progress, reason) = match state {
            TableState::Starting(step) => (LoadStatus::Starting, 0, Some(step), None),
            TableState::Ready(tables) => (LoadStatus::Ready, bytes(&tables), None, None),
            TableState::Failed { reason } => (LoadStatus::Failed, 0, None, Some(reason)),
        };
        Self { metric: metric.name(), status, bytes, progress, reason, optimal }
    }
}

/// State of the tables of some turns only.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TurnTables)]
pub struct TurnsReady {
    /// Name of the metric.
    #[schema(example = "htm")]
    pub metric: &'static str,
    /// Letters of the faces, or moves. A set and its images under rotations and mirrors share their tables; one of them is named.
    #[schema(example = "U F D L B")]
    pub turns: String,
    /// Current state.
    pub status: LoadStatus,
    /// Size of their files in bytes: 0, because they are computed in memory.
    pub bytes: u64,
    /// Progress while they are computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<LoadProgress>,
    /// Reason why they are unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl TurnsReady {
    /// Creates the state of the tables of `set`.
    pub fn new(set: StepSet, state: TableState<MetricTables>) -> Self {
        let MetricReady { metric, status, bytes, progress, reason, .. } = MetricReady::new(set.metric, state, None);
        Self { metric, turns: set.turns.to_string(), status, bytes, progress, reason }
    }
}

/// State of a set of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TableStatus)]
pub enum LoadStatus {
    /// Tables being opened or built.
    Starting,
    /// Tables loaded and ready for use.
    Ready,
    /// Tables that could not be opened or built.
    Failed,
}

impl OptimalReady {
    /// Creates the state of the table of `size`.
    pub fn new(size: Size, state: TableState<OptimalTable>) -> Self {
        let (status, bytes, progress, reason) = match state {
            TableState::Starting(step) => (LoadStatus::Starting, 0, Some(step), None),
            TableState::Ready(table) => (LoadStatus::Ready, table.info().bytes, None, None),
            TableState::Failed { reason } => (LoadStatus::Failed, 0, None, Some(reason)),
        };
        Self { table: size.name(), status, bytes, progress, reason }
    }
}

/// Version of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Version {
    /// Version of the program.
    pub version: &'static str,
    /// Commit that the program was built from; null if the build did not name one.
    pub commit: Option<&'static str>,
    /// Configured profile of the tables.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Version of the contract, as in its `info.version`.
    pub contract: &'static str,
}

/// Link to a route.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Link {
    /// HTTP method.
    pub method: &'static str,
    /// Path; a complete URL path if the method is GET.
    pub href: &'static str,
    /// Title of the route.
    pub title: &'static str,
}
