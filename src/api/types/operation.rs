//! For those who run the service.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::problem::ProgressBody;
use crate::service::tables::memory::Shortage;
use crate::service::tables::readiness::State;
use crate::tables::Profile;
use crate::tables::optimal::{OptimalTable, Size};

/// The process lives.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Liveness)]
pub struct Live {
    /// Always `alive`.
    pub status: &'static str,
}

/// The service can solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Readiness)]
pub struct Ready {
    /// Always `ready`.
    pub status: &'static str,
    /// The profile of its tables.
    pub profile: ProfileName,
    /// How many tables are mapped.
    pub tables: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The table for optimal answers; absent when it is off. The service is ready without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<OptimalReady>,
    /// Why these are not the tables that were configured; absent when they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<ShortageBody>,
}

/// What was configured and does not fit into the memory that the service may use.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MemoryShortage)]
pub struct ShortageBody {
    /// The profile that was configured.
    pub profile: ProfileName,
    /// The table for optimal answers that was: `s`, `m`, `l` or `xl`; absent when none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<&'static str>,
    /// Bytes that they need.
    pub needed_bytes: u64,
    /// Bytes that the service may use.
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

/// How far the table for optimal answers is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OptimalTable)]
pub struct OptimalReady {
    /// Its size: `s`, `m`, `l` or `xl`.
    pub table: &'static str,
    /// How far it is.
    pub status: OptimalStatus,
    /// Its bytes once it is mapped, beside those above; 0 before.
    pub bytes: u64,
    /// How much of it is done while it starts or is mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressBody>,
    /// Why it cannot be had, or is mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How far the table for optimal answers is, as a word.
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
    /// It cannot be had.
    Failed,
}

impl OptimalReady {
    /// Of the table of this size.
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

/// A set of tables.
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

/// What is here.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ServiceIndex)]
pub struct Index {
    /// The name of the service.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Where to go.
    pub links: Vec<Link>,
}

/// One place to go.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Link {
    /// The method.
    pub method: &'static str,
    /// The path, to be followed as it is where the method is GET.
    pub href: &'static str,
    /// What is there.
    pub title: &'static str,
}
