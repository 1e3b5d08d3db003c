//! Where results become statuses: every code with its status, its log level and its public text.
//!
//! The rule between 400 and 422: what cannot be read as the documented schema (syntax, unknown or repeated names, wrong types) is
//! 400; what can be read but makes no cube, no search or no answer is 422.

use crate::api::contract::ToSchema;
use serde::Serialize;
use tracing::Level;

/// What went wrong, as a word that does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ProblemCode)]
pub enum Code {
    /// The body is not JSON, or not UTF-8.
    MalformedJson,
    /// A name that is not documented.
    UnknownField,
    /// A name given twice.
    DuplicateField,
    /// A value of the wrong type.
    InvalidField,
    /// A path that is not UTF-8.
    InvalidPath,
    /// No cube, or more than one.
    CubeForm,
    /// The cube cannot exist; `violations` lists every reason.
    ImpossibleCube,
    /// A scramble that cannot be read; `position` says where.
    Notation,
    /// An option outside its limits.
    OptionOutOfRange,
    /// `max_length` was not met in time.
    NoSolutionWithinLimits,
    /// Turns that do not solve the cube.
    NotASolution,
    /// An expression that cannot be read or makes no sense; `position` says where.
    Expression,
    /// A value that the coordinate does not have.
    ValueOutOfRange,
    /// A value in range that no cube has.
    NoSuchValue,
    /// A turn that leads out of where the coordinate is valid.
    TurnNotValid,
    /// A symmetry that does not act on the coordinate.
    DoesNotAct,
    /// A composed space larger than the server builds.
    SpaceTooLarge,
    /// A coordinate whose distances cannot be downloaded.
    NoDistances,
    /// Nothing is here.
    NotFound,
    /// No coordinate or group of symmetries has this name.
    UnknownCoordinate,
    /// No table of the running service has this name.
    UnknownTable,
    /// The table has fewer rows.
    UnknownRow,
    /// No turn of a face has this name or index.
    UnknownMove,
    /// The path exists, the method does not; `Allow` lists those that do.
    MethodNotAllowed,
    /// The table file is not the one that `If-Match` or `If-Unmodified-Since` asks for.
    PreconditionFailed,
    /// The range lies beyond the end of the file.
    RangeNotSatisfiable,
    /// The client was too slow to send the body.
    SlowRequest,
    /// The body is too long.
    BodyTooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// The server asks for an API key, and none was sent.
    MissingKey,
    /// The server does not know the API key that was sent.
    UnknownKey,
    /// A preflight while CORS is off (no origin is configured); `detail` names the configuration key.
    OriginNotAllowed,
    /// This client has begun as many requests as it may in a time.
    RateLimited,
    /// This client has as many requests under way as it may.
    ClientLimit,
    /// Every thread is busy and the queue is full, or every connection is taken.
    Overloaded,
    /// The time limit passed in the queue, or would have.
    DeadlineUnreachable,
    /// The tables are still being opened or built.
    TablesNotReady,
    /// The tables could not be opened or built.
    TablesFailed,
    /// The server has no table for optimal answers, and how to give it one.
    OptimalNotEnabled,
    /// The table for optimal answers is still being opened or built.
    OptimalTableNotReady,
    /// The table for optimal answers could not be opened or built.
    OptimalTableFailed,
    /// The service is shutting down.
    ShuttingDown,
    /// The request took longer than the server allows.
    TimedOut,
    /// A defect of the server.
    Internal,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 44] = [
        Self::MalformedJson,
        Self::UnknownField,
        Self::DuplicateField,
        Self::InvalidField,
        Self::InvalidPath,
        Self::CubeForm,
        Self::ImpossibleCube,
        Self::Notation,
        Self::OptionOutOfRange,
        Self::NoSolutionWithinLimits,
        Self::NotASolution,
        Self::Expression,
        Self::ValueOutOfRange,
        Self::NoSuchValue,
        Self::TurnNotValid,
        Self::DoesNotAct,
        Self::SpaceTooLarge,
        Self::NoDistances,
        Self::NotFound,
        Self::UnknownCoordinate,
        Self::UnknownTable,
        Self::UnknownRow,
        Self::UnknownMove,
        Self::MethodNotAllowed,
        Self::PreconditionFailed,
        Self::RangeNotSatisfiable,
        Self::SlowRequest,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::MissingKey,
        Self::UnknownKey,
        Self::OriginNotAllowed,
        Self::RateLimited,
        Self::ClientLimit,
        Self::Overloaded,
        Self::DeadlineUnreachable,
        Self::TablesNotReady,
        Self::TablesFailed,
        Self::OptimalNotEnabled,
        Self::OptimalTableNotReady,
        Self::OptimalTableFailed,
        Self::ShuttingDown,
        Self::TimedOut,
        Self::Internal,
    ];

    /// Status, name on the wire, and title.
    const fn parts(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::MalformedJson => (400, "malformed_json", "The body is not JSON"),
            Self::UnknownField => (400, "unknown_field", "Unknown field"),
            Self::DuplicateField => (400, "duplicate_field", "A field given twice"),
            Self::InvalidField => (400, "invalid_field", "A field is missing or of the wrong type"),
            Self::InvalidPath => (400, "invalid_path", "The path cannot be read"),
            Self::CubeForm => (422, "cube_form", "Not exactly one cube"),
            Self::ImpossibleCube => (422, "impossible_cube", "Impossible cube"),
            Self::Notation => (422, "notation", "The turns cannot be read"),
            Self::OptionOutOfRange => (422, "option_out_of_range", "Option out of range"),
            Self::NoSolutionWithinLimits => (422, "no_solution_within_limits", "No solution within the limits"),
            Self::NotASolution => (422, "not_a_solution", "No solution of this cube"),
            Self::Expression => (422, "expression", "The expression cannot be read"),
            Self::ValueOutOfRange => (422, "value_out_of_range", "Value out of range"),
            Self::NoSuchValue => (422, "no_such_value", "No cube has this value"),
            Self::TurnNotValid => (422, "turn_not_valid", "The turn leads out of phase 2"),
            Self::DoesNotAct => (422, "does_not_act", "The symmetry does not act here"),
            Self::SpaceTooLarge => (422, "space_too_large", "The space is too large"),
            Self::NoDistances => (422, "no_distances", "No distances to download"),
            Self::UnknownCoordinate => (404, "unknown_coordinate", "No such coordinate"),
            Self::NotFound => (404, "not_found", "Nothing is here"),
            Self::UnknownTable => (404, "unknown_table", "No such table"),
            Self::UnknownRow => (404, "unknown_row", "No such row"),
            Self::PreconditionFailed => (412, "precondition_failed", "Another file"),
            Self::RangeNotSatisfiable => (416, "range_not_satisfiable", "The range is beyond the end"),
            Self::UnknownMove => (404, "unknown_move", "No such move"),
            Self::MethodNotAllowed => (405, "method_not_allowed", "Method not allowed"),
            Self::SlowRequest => (408, "slow_request", "The body came too slowly"),
            Self::BodyTooLarge => (413, "body_too_large", "The body is too long"),
            Self::UnsupportedMediaType => (415, "unsupported_media_type", "Content not in a form that is read"),
            Self::MissingKey => (401, "missing_key", "An API key is asked for"),
            Self::UnknownKey => (401, "unknown_key", "No such API key"),
            Self::OriginNotAllowed => (403, "origin_not_allowed", "CORS is off"),
            Self::RateLimited => (429, "rate_limited", "Too many requests"),
            Self::ClientLimit => (429, "client_limit", "Too many requests at once"),
            Self::Overloaded => (503, "overloaded", "Overloaded"),
            Self::DeadlineUnreachable => (503, "deadline_unreachable", "No time left to search"),
            Self::TablesNotReady => (503, "tables_not_ready", "Tables not ready"),
            Self::TablesFailed => (503, "tables_failed", "No tables"),
            Self::OptimalNotEnabled => (501, "optimal_not_enabled", "Optimal answers are not enabled here"),
            Self::OptimalTableNotReady => {
                (503, "optimal_table_not_ready", "The table for optimal answers is not ready")
            }
            Self::OptimalTableFailed => (503, "optimal_table_failed", "No table for optimal answers"),
            Self::ShuttingDown => (503, "shutting_down", "Shutting down"),
            Self::TimedOut => (504, "timed_out", "The server took too long"),
            Self::Internal => (500, "internal", "Internal error"),
        }
    }

    /// The status that goes with it.
    pub const fn status(self) -> u16 {
        self.parts().0
    }

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        self.parts().1
    }

    /// A few words for people.
    pub const fn title(self) -> &'static str {
        self.parts().2
    }

    /// How loudly the access log says it: defects as errors, lack of capacity as warnings, callers' slips as information.
    pub const fn level(self) -> Level {
        match self {
            Self::Internal | Self::TablesFailed | Self::OptimalTableFailed | Self::TimedOut => Level::ERROR,
            Self::Overloaded
            | Self::DeadlineUnreachable
            | Self::TablesNotReady
            | Self::OptimalTableNotReady
            | Self::ShuttingDown => Level::WARN,
            _ => Level::INFO,
        }
    }
}
