//! The table of problem codes: each with its status, name, log level, title and meaning.
//!
//! 400 is for requests that cannot be read: syntax, unknown or repeated names, wrong types, texts that are no numbers. 422 is for values of the
//! right type that are not allowed: out of range, not one of those listed, empty lists, and texts that are no cube, moves or colours. Codes
//! are stable; titles and meanings may change.

use crate::contract::ToSchema;
use serde::Serialize;
use tracing::Level;

macro_rules! codes {
    ($($(#[$meaning:meta])+ $variant:ident = $status:literal $name:literal $level:ident $title:literal,)*) => {
        /// Kind of the problem, as a stable word.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(as = ProblemCode)]
        pub enum Code { $($(#[$meaning])+ $variant,)* }

        impl Code {
            /// Every code.
            pub const ALL: [Self; [$(Self::$variant,)*].len()] = [$(Self::$variant,)*];

            /// Returns the HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }

            /// Returns the name in responses.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns a short title, the same for every problem of this code.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }

            /// Returns the level in the request log: ERROR for defects, WARN for a lack of capacity, INFO for errors of the client.
            pub const fn level(self) -> Level {
                match self { $(Self::$variant => Level::$level,)* }
            }
        }
    };
}

codes! {
    /// The body is not JSON, or not UTF-8.
    MalformedJson = 400 "malformed_json" INFO "Body is not JSON",
    /// The body ended early, or its chunks cannot be read.
    IncompleteBody = 400 "incomplete_body" INFO "Body is incomplete",
    /// The request has an unknown field or parameter.
    UnknownField = 400 "unknown_field" INFO "Unknown field",
    /// A field or parameter is given more than once.
    DuplicateField = 400 "duplicate_field" INFO "Duplicate field",
    /// A required field is missing, or a value has the wrong type, such as a text that is no number.
    InvalidField = 400 "invalid_field" INFO "Missing field or wrong type",
    /// A segment of the path cannot be read.
    InvalidPath = 400 "invalid_path" INFO "Invalid path",
    /// The request has no cube, or more than one.
    CubeForm = 422 "cube_form" INFO "Not exactly one cube",
    /// The cube cannot exist; `violations` lists every reason, and `repairs` the nearest legal cubes if it was given as stickers.
    ImpossibleCube = 422 "impossible_cube" INFO "Impossible cube",
    /// The text in `cube` cannot be read; `format` is the form that was assumed, and `position` is the character.
    UnreadableCube = 422 "unreadable_cube" INFO "Unreadable cube",
    /// The request describes different cubes; `readings` lists them. For a text in `cube`, `format` chooses one.
    AmbiguousCube = 422 "ambiguous_cube" INFO "Ambiguous cube",
    /// Several legal cubes have the known stickers; `completions` is their number, and `example` is one of them.
    UnknownStickers = 422 "unknown_stickers" INFO "Unknown stickers",
    /// The target leaves too much open; `completions` is the number of legal cubes that have its known stickers.
    TargetTooOpen = 422 "target_too_open" INFO "Target too open",
    /// The colours do not decide between several cubes; `candidates` lists them, and `doubtful` the stickers on which they differ.
    AmbiguousScan = 422 "ambiguous_scan" INFO "Ambiguous scan",
    /// The moves cannot be read; `position` is the character.
    Notation = 422 "notation" INFO "Invalid notation",
    /// A value is out of range, not one of those listed, or an empty list; or an option contradicts another.
    OptionOutOfRange = 422 "option_out_of_range" INFO "Option out of range",
    /// No solution of at most `max_length` moves was found in time.
    NoSolutionWithinLimits = 422 "no_solution_within_limits" INFO "No solution within the limits",
    /// No solution can be proven shortest in this metric.
    MetricNotProvable = 422 "metric_not_provable" INFO "No proofs in this metric",
    /// The costs cannot be used; `faults` lists every reason.
    InvalidCosts = 422 "invalid_costs" INFO "Invalid costs",
    /// The machine cannot be used; `faults` lists every reason.
    InvalidMachine = 422 "invalid_machine" INFO "Invalid machine",
    /// The allowed moves generate no group that can be searched.
    UnsupportedMoves = 422 "unsupported_moves" INFO "Unsupported moves",
    /// The allowed turns do not lead from the solved cube to this one.
    OutOfReach = 422 "out_of_reach" INFO "Cube out of reach",
    /// The cube has not reached what a step needs.
    UnpreparedStep = 422 "unprepared_step" INFO "Cube is not prepared for the step",
    /// The moves do not solve the cube.
    NotASolution = 422 "not_a_solution" INFO "Not a solution of this cube",
    /// The expression cannot be read or describes no coordinate; `position` is the character.
    Expression = 422 "expression" INFO "Invalid expression",
    /// The value exceeds the largest value of the coordinate.
    ValueOutOfRange = 422 "value_out_of_range" INFO "Value out of range",
    /// The value is in range, but no cube has it.
    NoSuchValue = 422 "no_such_value" INFO "No cube has this value",
    /// A move leaves the subgroup in which the coordinate is defined.
    MoveNotValid = 422 "move_not_valid" INFO "Move leaves phase 2",
    /// The symmetry does not act on the coordinate.
    DoesNotAct = 422 "does_not_act" INFO "Symmetry does not act on this coordinate",
    /// The composed space is larger than the server's limit.
    SpaceTooLarge = 422 "space_too_large" INFO "Space too large",
    /// The coordinate has no table of distances to download.
    NoDistances = 422 "no_distances" INFO "No distances to download",
    /// The path does not exist.
    NotFound = 404 "not_found" INFO "Not found",
    /// No coordinate or group of symmetries has this name.
    UnknownCoordinate = 404 "unknown_coordinate" INFO "Unknown coordinate",
    /// No table of the running server has this name.
    UnknownTable = 404 "unknown_table" INFO "Unknown table",
    /// The row exceeds the last row of the table.
    UnknownRow = 404 "unknown_row" INFO "Unknown row",
    /// No face move has this name or index.
    UnknownMove = 404 "unknown_move" INFO "Unknown move",
    /// The path does not support the method; the header `Allow` lists those it does.
    MethodNotAllowed = 405 "method_not_allowed" INFO "Method not allowed",
    /// The file does not match `If-Match` or `If-Unmodified-Since`.
    PreconditionFailed = 412 "precondition_failed" INFO "Precondition failed",
    /// The range lies beyond the end of the file.
    RangeNotSatisfiable = 416 "range_not_satisfiable" INFO "Range not satisfiable",
    /// The body did not arrive in time.
    SlowRequest = 408 "slow_request" INFO "Body arrived too slowly",
    /// The body exceeds the server's limit.
    BodyTooLarge = 413 "body_too_large" INFO "Body too large",
    /// The body has an unsupported `Content-Type` or `Content-Encoding`.
    UnsupportedMediaType = 415 "unsupported_media_type" INFO "Unsupported media type",
    /// The server requires an API key, and the request has none.
    MissingKey = 401 "missing_key" INFO "API key required",
    /// The server does not know the API key.
    UnknownKey = 401 "unknown_key" INFO "Unknown API key",
    /// The request has no `Host`, several, or an invalid one.
    InvalidHost = 400 "invalid_host" INFO "Invalid host",
    /// The server does not answer requests for this host; `detail` names the configuration key.
    HostNotAllowed = 403 "host_not_allowed" INFO "Host not allowed",
    /// A page of another site sent the request, and its origin is not allowed; `detail` names the configuration key.
    OriginNotAllowed = 403 "origin_not_allowed" INFO "Origin not allowed",
    /// The client exceeds its request rate.
    RateLimited = 429 "rate_limited" INFO "Rate limit exceeded",
    /// The client has too many requests in flight.
    ClientLimit = 429 "client_limit" INFO "Too many concurrent requests",
    /// Every worker is busy and the queue is full, or every connection is in use.
    Overloaded = 503 "overloaded" WARN "Overloaded",
    /// The rest of the time limit would be too short after the wait in the queue.
    DeadlineUnreachable = 503 "deadline_unreachable" WARN "Deadline unreachable",
    /// The tables are being opened or built.
    TablesNotReady = 503 "tables_not_ready" WARN "Tables not ready",
    /// The tables could not be opened or built.
    TablesFailed = 503 "tables_failed" ERROR "Tables unavailable",
    /// The server has no table for optimal solutions; `detail` says how to add one.
    OptimalNotEnabled = 501 "optimal_not_enabled" INFO "Optimal solutions not enabled",
    /// The table for optimal solutions is being opened or built.
    OptimalTableNotReady = 503 "optimal_table_not_ready" WARN "Table for optimal solutions not ready",
    /// The table for optimal solutions could not be opened or built.
    OptimalTableFailed = 503 "optimal_table_failed" ERROR "Table for optimal solutions unavailable",
    /// The tables of the metric are being opened or built.
    MetricNotReady = 503 "metric_not_ready" WARN "Tables of the metric not ready",
    /// The tables of the metric could not be opened or built.
    MetricFailed = 503 "metric_failed" ERROR "Tables of the metric unavailable",
    /// The server is shutting down.
    ShuttingDown = 503 "shutting_down" WARN "Shutting down",
    /// The request took longer than the server allows.
    TimedOut = 504 "timed_out" ERROR "Request timed out",
    /// A defect of the server.
    #[default]
    Internal = 500 "internal" ERROR "Internal error",
}
