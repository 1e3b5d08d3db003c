//! Responses for operation: health, readiness and the index.

use crate::contract::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};

use crate::service::tables::readiness::{TableProgress, TableState};
use superflip_solver::tables::Role;
use superflip_solver::{Profile, SetKey};

/// Liveness of the process.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Liveness {
    /// Always `alive`.
    pub status: &'static str,
}

/// Readiness of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// Always `ready`.
    pub status: &'static str,
    /// Profile of the tables in use.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Number of table files in use; 0 for `tiny`, whose tables are computed in memory.
    pub tables: usize,
    /// Total size of these files in bytes.
    pub bytes: u64,
    /// State of every set of tables that is configured or that requests asked for: first that of the configured profile, then those for
    /// proofs (`optimal`), of other metrics, and of some turns only (`faces` and `moves`, at most 16 sets). While the first is not ready, the
    /// service answers with the tables of `profile`.
    pub sets: Vec<TableSet>,
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

/// State of a set of tables.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableSet {
    /// Metric of the lengths.
    #[schema(example = "htm")]
    pub metric: &'static str,
    /// Letters of the faces, or moves, if not all turns are allowed. A set and its images under rotations and mirrors share their tables; one
    /// of them is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "U F D L B")]
    pub turns: Option<String>,
    /// Profile of the tables of a search. Those of `tiny` are computed in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::api::types::described::Profile>)]
    pub profile: Option<Profile>,
    /// Size of the table of proofs: `s`, `m`, `l` or `xl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<&'static str>,
    /// Current state.
    pub status: TableStatus,
    /// Size of the files in bytes; 0 until they are loaded.
    pub bytes: u64,
    /// Progress while the tables are being opened, built or computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<TableProgress>,
    /// Reason why they are unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl TableSet {
    /// Creates the state of a set.
    pub fn new(key: SetKey, state: TableState) -> Self {
        let (status, bytes, progress, reason) = match state {
            TableState::Starting(step) => (TableStatus::Starting, 0, Some(step), None),
            TableState::Ready(set) => (TableStatus::Ready, set.file_bytes(), None, None),
            TableState::Failed { reason } => (TableStatus::Failed, 0, None, Some(reason)),
        };
        let (profile, optimal) = match key.role {
            Role::Phases(profile) => (Some(profile), None),
            Role::Proofs(size) => (None, Some(size.name())),
        };
        let (metric, turns) = (key.steps.metric.name(), key.steps.turns);
        let turns = (!turns.is_all()).then(|| turns.to_string());
        Self { metric, turns, profile, optimal, status, bytes, progress, reason }
    }
}

/// Whether a set of tables is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TableStatus {
    /// Tables being opened or built.
    Starting,
    /// Tables loaded and ready for use.
    Ready,
    /// Tables that could not be opened or built.
    Failed,
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
