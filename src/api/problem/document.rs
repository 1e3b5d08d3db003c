//! The problem document of RFC 9457, and the error type that becomes one.

use crate::api::contract::ToSchema;
use serde::Serialize;

use super::codes::Code;
use crate::cube::input::Violation;
use crate::service::tables::readiness::LoadProgress;

/// Progress of opening or building the tables.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableProgress)]
pub struct ProgressBody {
    /// `opening` existing files, `building` missing ones, or `waiting` for another process that builds them.
    #[schema(value_type = String, example = "building")]
    pub stage: &'static str,
    /// Name of the current table; empty before the first.
    pub table: String,
    /// Completed part of the stage, in thousandths.
    #[schema(maximum = 1000)]
    pub permille: u32,
}

impl From<LoadProgress> for ProgressBody {
    fn from(progress: LoadProgress) -> Self {
        let LoadProgress { stage, table, permille } = progress;
        Self { stage: stage.name(), table, permille }
    }
}

/// Reason why a cube is impossible.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Violation)]
pub struct ViolationBody {
    /// Kind of the reason, as a stable word.
    pub code: &'static str,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Slots concerned, such as `URF`.
    pub slots: Vec<&'static str>,
    /// Pieces concerned, such as `UR`.
    pub pieces: Vec<&'static str>,
    /// Stickers concerned, as indices into `facelets`, 0 to 53 in ascending order. Empty if no sticker can be singled out, or if the
    /// cube was given as `cubies`.
    pub stickers: Vec<u8>,
    /// Kociemba's error number, 1 to 6; null if there is none.
    #[schema(minimum = 1, maximum = 6)]
    pub kociemba: Option<u8>,
}

impl From<Violation> for ViolationBody {
    fn from(violation: Violation) -> Self {
        let Violation { code, kociemba, message, slots, pieces, stickers } = violation;
        Self { code, message, slots, pieces, stickers, kociemba }
    }
}

/// Error response (RFC 9457, `application/problem+json`). Members that do not apply are absent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct Document {
    /// URN that contains the code.
    #[schema(example = "urn:superflip:problem:impossible_cube")]
    pub r#type: String,
    /// Short title, the same for every problem of this code.
    pub title: &'static str,
    /// HTTP status.
    pub status: u16,
    /// What is wrong with this request, where, and what to do.
    pub detail: String,
    /// Kind of the problem, as a stable word.
    pub code: Code,
    /// Identifier of the request in the log; also in the header `x-request-id`.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required)]
    pub request_id: String,
    /// Path of the field or option concerned, such as `cubies.cp[3]`.
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
    /// All reasons why the cube is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violations: Option<Vec<ViolationBody>>,
    /// Requested `max_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u8>,
    /// Length of the shortest solution found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_length: Option<u8>,
    /// Lower bound on the length of every solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u8>,
    /// Progress of the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressBody>,
    /// Seconds to wait before a retry; also in the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
}

/// An error for the client. `http` adds the request id and writes it as a response.
#[derive(Clone, Debug)]
pub struct Problem(Box<Document>);

impl Problem {
    /// Creates a problem without optional members.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self(Box::new(Document {
            r#type: format!("urn:superflip:problem:{}", code.name()),
            title: code.title(),
            status: code.status(),
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

    /// Sets optional members.
    #[must_use]
    pub fn with(mut self, fill: impl FnOnce(&mut Document)) -> Self {
        fill(&mut self.0);
        self
    }

    /// Attributes the problem to one field of the request.
    #[must_use]
    pub fn within(self, field: &str) -> Self {
        self.with(|document| {
            document.detail = format!("`{field}`: {}", document.detail);
            document.field = Some(field.to_owned());
        })
    }

    /// Creates the problem for a defect. The cause belongs in the log, under the request id.
    pub fn internal() -> Self {
        Self::new(Code::Internal, "The server failed on this request. Report the request id to the operator.")
    }

    /// Returns the code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Returns the document to send inside a response that has already started.
    pub fn in_request(self, id: &str) -> Document {
        *self.with(|document| id.clone_into(&mut document.request_id)).0
    }

    /// Returns the document to send.
    pub fn document(&self) -> &Document {
        &self.0
    }
}
