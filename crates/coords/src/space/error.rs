//! Why a space cannot be built or read.

use superflip_solver::Cancelled;

/// Why a space cannot be built or read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpaceError {
    /// The work was stopped by its stop flag.
    #[error("stopped before the space was built")]
    Cancelled(Cancelled),
    /// The space is too large.
    #[error("`{label}` has {at_least}{size} {what}; the limit is {limit}")]
    TooLarge {
        /// The expression.
        label: String,
        /// `at least ` if the size is not known exactly, else empty.
        at_least: &'static str,
        /// Number of values or bytes.
        size: u64,
        /// The counted quantity.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// Composition is turned off.
    #[error("`{label}` is a composed coordinate, and composition is turned off; use a named coordinate")]
    CompositionOff {
        /// The expression.
        label: String,
    },
    /// The space needs more memory than one space may use.
    #[error(
        "the coordinate needs at least {needed} bytes of memory while it is built or sent; the limit for one coordinate is {limit}"
    )]
    TooMuchMemory {
        /// Number of bytes in use, plus the bytes of the allocation that failed.
        needed: u64,
        /// The limit.
        limit: u64,
    },
    /// The memory is in use by other spaces, or the system has none.
    #[error("the memory for coordinates is in use by other requests; retry later")]
    NoMemory,
    /// The coordinate has no table of distances.
    #[error(
        "`{label}` has {size} values, more than 65535, and is not a product of smaller coordinates, so there is no table of its distances"
    )]
    NoDistances {
        /// The coordinate.
        label: String,
        /// Number of its values.
        size: u64,
    },
    /// The distances are stored modulo 3, in the table of the small profile.
    #[error("the profile small keeps the distances of `{label}` modulo 3")]
    OnlyResidues {
        /// The expression.
        label: String,
    },
    /// A symmetry of the group does not act on the coordinate.
    #[error(
        "{}symmetry {symmetry} ({description}) does not act on `{part}`: it carries cubes of one value to cubes of several",
        .group.map_or_else(String::new, |group| format!("the group {group} cannot be used: "))
    )]
    DoesNotAct {
        /// The requested group; `None` if a single symmetry was requested.
        group: Option<&'static str>,
        /// The coordinates.
        part: String,
        /// The first symmetry that does not act.
        symmetry: usize,
        /// Description of the symmetry.
        description: String,
    },
}

impl From<Cancelled> for SpaceError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}
