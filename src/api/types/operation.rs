//! Responses for operation: health, readiness and the index.

use crate::contract::ToSchema;
use serde::Serialize;

use crate::service::tables::readiness::{LoadProgress, TableState};
use superflip_solver::tables::Profile;
use superflip_solver::tables::optimal::{OptimalTable, Size};

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
    /// Profile of the tables.
    #[schema(value_type = crate::api::types::described::Profile)]
    pub profile: Profile,
    /// Number of loaded tables.
    pub tables: usize,
    /// Total size of the tables in bytes.
    pub bytes: u64,
    /// Table for optimal solutions; absent if none is configured. The service is ready without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<OptimalReady>,
}

/// State of the table for optimal solutions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OptimalTable)]
pub struct OptimalReady {
    /// Size: `s`, `m`, `l` or `xl`.
    pub table: &'static str,
    /// Current state.
    pub status: OptimalStatus,
    /// Size in bytes, not included in the total; 0 until it is loaded.
    pub bytes: u64,
    /// Progress while it is being opened or built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<LoadProgress>,
    /// Reason why it is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// State of the table for optimal solutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OptimalTableStatus)]
pub enum OptimalStatus {
    /// Table being opened or built.
    Starting,
    /// Table loaded and ready for use.
    Ready,
    /// Table that could not be opened or built.
    Failed,
}

impl OptimalReady {
    /// Creates the state of the table of `size`.
    pub fn new(size: Size, state: TableState<OptimalTable>) -> Self {
        let (status, bytes, progress, reason) = match state {
            TableState::Starting(step) => (OptimalStatus::Starting, 0, Some(step), None),
            TableState::Ready(table) => (OptimalStatus::Ready, table.info().bytes, None, None),
            TableState::Failed { reason } => (OptimalStatus::Failed, 0, None, Some(reason)),
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

/// Index of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ServiceIndex)]
pub struct Index {
    /// Name of the service.
    pub name: &'static str,
    /// Version of the service.
    pub version: &'static str,
    /// Links to the routes.
    pub links: Vec<Link>,
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
