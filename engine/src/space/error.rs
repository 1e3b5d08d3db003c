//! Why a space cannot be built or read.

use crate::tables::Stopped;

/// Why a space could not be built.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpaceError {
    /// It was stopped from outside.
    #[error("stopped before the space was built")]
    Stopped,
    /// It has too many values.
    #[error("`{label}` has {at_least}{size} {what}, and this server builds spaces of at most {limit}")]
    TooLarge {
        /// The expression.
        label: String,
        /// `at least ` where the size is not known exactly.
        at_least: &'static str,
        /// How many values or bytes.
        size: u64,
        /// What is counted.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// Nothing of it is tabulated.
    #[error(
        "`{label}` has {size} values, more than 65535, and is no product of smaller coordinates, so there is no table of its distances. Download a coordinate that GET /coords lists with `pruning_table`, or compose one"
    )]
    NoDistances {
        /// The coordinate.
        label: String,
        /// How many values it has.
        size: u64,
    },
    /// Its distances are in the table of the small profile, modulo 3.
    #[error(
        "the profile small keeps the distances of `{label}` modulo 3. Download GET /tables/phase_one_residues/raw, ask for single values with GET /coords/{label}/{{value}}, or start the service with --profile standard"
    )]
    OnlyResidues {
        /// The expression.
        label: String,
    },
    /// Some symmetry of the group does not act on it.
    #[error(
        "{}symmetry {symmetry} ({description}) does not act on `{part}`: it carries cubes of one value to cubes of several",
        .group.map_or_else(String::new, |group| format!("the group {group} cannot be used: "))
    )]
    DoesNotAct {
        /// The group that was asked for; `None` when only the symmetry was.
        group: Option<&'static str>,
        /// The coordinates.
        part: String,
        /// The first symmetry that does not act.
        symmetry: usize,
        /// It in words.
        description: String,
    },
}

impl From<Stopped> for SpaceError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
