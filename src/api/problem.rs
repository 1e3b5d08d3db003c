//! Where results become statuses: every code with its status, its log level and its public text.
//!
//! The rule between 400 and 422: what cannot be read as the documented schema (syntax, unknown or repeated names, wrong types) is
//! 400; what can be read but makes no cube, no search or no answer is 422.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tracing::Level;
use utoipa::ToSchema;

use crate::api::unready::ProgressBody;
use crate::cube::input::Violation;

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
    const fn parts(self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as S;
        match self {
            Self::MalformedJson => (S::BAD_REQUEST, "malformed_json", "The body is not JSON"),
            Self::UnknownField => (S::BAD_REQUEST, "unknown_field", "Unknown field"),
            Self::DuplicateField => (S::BAD_REQUEST, "duplicate_field", "A field given twice"),
            Self::InvalidField => (S::BAD_REQUEST, "invalid_field", "A field is missing or of the wrong type"),
            Self::InvalidPath => (S::BAD_REQUEST, "invalid_path", "The path cannot be read"),
            Self::CubeForm => (S::UNPROCESSABLE_ENTITY, "cube_form", "Not exactly one cube"),
            Self::ImpossibleCube => (S::UNPROCESSABLE_ENTITY, "impossible_cube", "Impossible cube"),
            Self::Notation => (S::UNPROCESSABLE_ENTITY, "notation", "The turns cannot be read"),
            Self::OptionOutOfRange => (S::UNPROCESSABLE_ENTITY, "option_out_of_range", "Option out of range"),
            Self::NoSolutionWithinLimits => {
                (S::UNPROCESSABLE_ENTITY, "no_solution_within_limits", "No solution within the limits")
            }
            Self::NotASolution => (S::UNPROCESSABLE_ENTITY, "not_a_solution", "No solution of this cube"),
            Self::Expression => (S::UNPROCESSABLE_ENTITY, "expression", "The expression cannot be read"),
            Self::ValueOutOfRange => (S::UNPROCESSABLE_ENTITY, "value_out_of_range", "Value out of range"),
            Self::NoSuchValue => (S::UNPROCESSABLE_ENTITY, "no_such_value", "No cube has this value"),
            Self::TurnNotValid => (S::UNPROCESSABLE_ENTITY, "turn_not_valid", "The turn leads out of phase 2"),
            Self::DoesNotAct => (S::UNPROCESSABLE_ENTITY, "does_not_act", "The symmetry does not act here"),
            Self::SpaceTooLarge => (S::UNPROCESSABLE_ENTITY, "space_too_large", "The space is too large"),
            Self::NoDistances => (S::UNPROCESSABLE_ENTITY, "no_distances", "No distances to download"),
            Self::UnknownCoordinate => (S::NOT_FOUND, "unknown_coordinate", "No such coordinate"),
            Self::NotFound => (S::NOT_FOUND, "not_found", "Nothing is here"),
            Self::UnknownTable => (S::NOT_FOUND, "unknown_table", "No such table"),
            Self::UnknownRow => (S::NOT_FOUND, "unknown_row", "No such row"),
            Self::PreconditionFailed => (S::PRECONDITION_FAILED, "precondition_failed", "Another file"),
            Self::RangeNotSatisfiable => {
                (S::RANGE_NOT_SATISFIABLE, "range_not_satisfiable", "The range is beyond the end")
            }
            Self::UnknownMove => (S::NOT_FOUND, "unknown_move", "No such move"),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "method_not_allowed", "Method not allowed"),
            Self::SlowRequest => (S::REQUEST_TIMEOUT, "slow_request", "The body came too slowly"),
            Self::BodyTooLarge => (S::PAYLOAD_TOO_LARGE, "body_too_large", "The body is too long"),
            Self::UnsupportedMediaType => {
                (S::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", "Content not in a form that is read")
            }
            Self::MissingKey => (S::UNAUTHORIZED, "missing_key", "An API key is asked for"),
            Self::UnknownKey => (S::UNAUTHORIZED, "unknown_key", "No such API key"),
            Self::OriginNotAllowed => (S::FORBIDDEN, "origin_not_allowed", "CORS is off"),
            Self::RateLimited => (S::TOO_MANY_REQUESTS, "rate_limited", "Too many requests"),
            Self::ClientLimit => (S::TOO_MANY_REQUESTS, "client_limit", "Too many requests at once"),
            Self::Overloaded => (S::SERVICE_UNAVAILABLE, "overloaded", "Overloaded"),
            Self::DeadlineUnreachable => (S::SERVICE_UNAVAILABLE, "deadline_unreachable", "No time left to search"),
            Self::TablesNotReady => (S::SERVICE_UNAVAILABLE, "tables_not_ready", "Tables not ready"),
            Self::TablesFailed => (S::SERVICE_UNAVAILABLE, "tables_failed", "No tables"),
            Self::OptimalNotEnabled => {
                (S::NOT_IMPLEMENTED, "optimal_not_enabled", "Optimal answers are not enabled here")
            }
            Self::OptimalTableNotReady => {
                (S::SERVICE_UNAVAILABLE, "optimal_table_not_ready", "The table for optimal answers is not ready")
            }
            Self::OptimalTableFailed => {
                (S::SERVICE_UNAVAILABLE, "optimal_table_failed", "No table for optimal answers")
            }
            Self::ShuttingDown => (S::SERVICE_UNAVAILABLE, "shutting_down", "Shutting down"),
            Self::TimedOut => (S::GATEWAY_TIMEOUT, "timed_out", "The server took too long"),
            Self::Internal => (S::INTERNAL_SERVER_ERROR, "internal", "Internal error"),
        }
    }

    /// The status that goes with it.
    pub const fn status(self) -> StatusCode {
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

/// One reason why a cube is impossible.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Violation)]
pub struct ViolationBody {
    /// The reason as a word that does not change.
    pub code: &'static str,
    /// The reason in a sentence.
    pub message: String,
    /// The slots concerned, such as `URF`.
    pub slots: Vec<&'static str>,
    /// The pieces concerned, such as `UR`.
    pub pieces: Vec<&'static str>,
    /// The stickers concerned, as indices into `facelets`, 0 to 53 in ascending order. Empty where none can be singled out, and for
    /// a cube given as `cubies`.
    pub stickers: Vec<u8>,
    /// Kociemba's number for it, 1 to 6, where one exists.
    #[schema(minimum = 1, maximum = 6)]
    pub kociemba: Option<u8>,
}

impl From<Violation> for ViolationBody {
    fn from(violation: Violation) -> Self {
        let Violation { code, kociemba, message, slots, pieces, stickers } = violation;
        Self { code, message, slots, pieces, stickers, kociemba }
    }
}

/// An error as RFC 9457 has it (`application/problem+json`). Members that do not apply are absent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct Document {
    /// A URN made of the code.
    #[schema(example = "urn:superflip:problem:impossible_cube")]
    pub r#type: String,
    /// A few words, the same for every problem of this code.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this request, and what to do about it.
    pub detail: String,
    /// What went wrong, as a word that does not change.
    pub code: Code,
    /// The request in the log; also the header `x-request-id`.
    pub request_id: String,
    /// The field or option concerned, such as `cubies.cp[3]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Line in the body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column in that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Character in the scramble, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// Every reason why the cube is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<Vec<ViolationBody>>,
    /// The `max_length` that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u8>,
    /// Length of the shortest solution found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_length: Option<u8>,
    /// No solution is shorter than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u8>,
    /// How far the tables are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressBody>,
    /// Seconds to wait before another try; also the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
}

/// An answer that is an error. It becomes a document in [`middleware`](crate::http::middleware), where the request id is known.
#[derive(Clone, Debug)]
pub struct Problem(Box<Document>);

impl Problem {
    /// A problem with no further members.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self(Box::new(Document {
            r#type: format!("urn:superflip:problem:{}", code.name()),
            title: code.title(),
            status: code.status().as_u16(),
            detail: detail.into(),
            code,
            request_id: String::new(),
            field: None,
            line: None,
            column: None,
            position: None,
            violations: None,
            max_length: None,
            best_length: None,
            lower_bound: None,
            progress: None,
            retry_after_s: None,
        }))
    }

    /// The same with further members.
    #[must_use]
    pub fn with(mut self, fill: impl FnOnce(&mut Document)) -> Self {
        fill(&mut self.0);
        self
    }

    /// The same, about one field of the request.
    #[must_use]
    pub fn within(self, field: &str) -> Self {
        self.with(|document| {
            document.detail = format!("`{field}`: {}", document.detail);
            document.field = Some(field.to_owned());
        })
    }

    /// A defect; the log has the cause, the caller gets the request id.
    pub fn internal() -> Self {
        Self::new(Code::Internal, "The server failed on this request. Please report it with the request id.")
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What is sent within an answer that has begun.
    pub fn in_request(self, id: &str) -> Document {
        *self.with(|document| id.clone_into(&mut document.request_id)).0
    }

    /// What is sent.
    pub fn document(&self) -> &Document {
        &self.0
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code().status().into_response();
        if let Some(seconds) = self.0.retry_after_s {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let challenge = match self.code() {
            Code::MissingKey => Some(r#"Bearer realm="superflip""#),
            Code::UnknownKey => Some(r#"Bearer realm="superflip", error="invalid_token""#),
            _ => None,
        };
        if let Some(challenge) = challenge {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if matches!(self.code(), Code::SlowRequest | Code::BodyTooLarge) {
            // The rest of the body is not worth reading.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response.extensions_mut().insert(self);
        response
    }
}
