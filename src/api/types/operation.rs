//! Responses for operation: health, readiness and the index.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::problem::ProgressBody;
use crate::service::tables::memory::Shortage;
use crate::service::tables::readiness::State;
use crate::tables::Profile;
use crate::tables::optimal::{OptimalTable, Size};

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
    pub profile: ProfileName,
    /// Number of mapped tables.
    pub tables: usize,
    /// Total size in bytes.
    pub bytes: u64,
    /// Table for optimal solutions; absent if none is configured. The service is ready without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<OptimalReady>,
    /// Shortage of memory because of which smaller tables than configured are used; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<ShortageBody>,
}

/// Configured tables that do not fit into the memory available to the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MemoryShortage)]
pub struct ShortageBody {
    /// Configured profile.
    pub profile: ProfileName,
    /// Configured table for optimal solutions: `s`, `m`, `l` or `xl`; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<&'static str>,
    /// Bytes needed.
    pub needed_bytes: u64,
    /// Bytes available to the service.
    pub limit_bytes: u64,
}

impl From<&Shortage> for ShortageBody {
    fn from(shortage: &Shortage) -> Self {
        Self {
            profile: shortage.profile.into(),
            optimal: shortage.optimal.map(Size::name),
            needed_bytes: shortage.needed,
            limit_bytes: shortage.limit.bytes,
        }
    }
}

/// State of the table for optimal solutions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OptimalTable)]
pub struct OptimalReady {
    /// Size: `s`, `m`, `l` or `xl`.
    pub table: &'static str,
    /// State.
    pub status: OptimalStatus,
    /// Size in bytes, not included in the total; 0 until it is mapped.
    pub bytes: u64,
    /// Progress while it is being opened or built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressBody>,
    /// Reason why it is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// State of the table for optimal solutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OptimalTableStatus)]
pub enum OptimalStatus {
    /// Being opened or built.
    Starting,
    /// Mapped.
    Ready,
    /// Found damaged; being opened or built anew.
    Rebuilding,
    /// Unavailable.
    Failed,
}

impl OptimalReady {
    /// Creates the state of the table of this size.
    pub fn new(size: Size, state: State<OptimalTable>) -> Self {
        let (status, bytes, progress, reason) = match state {
            State::Starting(step) => (OptimalStatus::Starting, 0, Some(step.into()), None),
            State::Mending { damage, step } => {
                let reason = format!("a check found {} damaged", damage.table);
                (OptimalStatus::Rebuilding, 0, Some(step.into()), Some(reason))
            }
            State::Ready(table) => (OptimalStatus::Ready, table.info().bytes, None, None),
            State::Failed { reason } => (OptimalStatus::Failed, 0, None, Some(reason)),
        };
        Self { table: size.name(), status, bytes, progress, reason }
    }
}

/// Set of tables.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Profile)]
pub enum ProfileName {
    /// About 640 MB.
    Standard,
    /// About 50 MB.
    Small,
}

impl From<Profile> for ProfileName {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Standard => Self::Standard,
            Profile::Small => Self::Small,
        }
    }
}

/// Index of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ServiceIndex)]
pub struct Index {
    /// Name of the service.
    pub name: &'static str,
    /// Version.
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
    /// What the route does.
    pub title: &'static str,
}
