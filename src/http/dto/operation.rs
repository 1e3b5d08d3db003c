//! For those who run the service.

use serde::Serialize;
use utoipa::ToSchema;

use crate::tables::Profile;

/// The process lives.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Live {
    /// Always `alive`.
    pub status: &'static str,
}

/// The service can solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Ready {
    /// Always `ready`.
    pub status: &'static str,
    /// The profile of its tables.
    pub profile: ProfileName,
    /// How many tables are mapped.
    pub tables: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// A set of tables.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
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
