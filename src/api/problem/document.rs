//! The problem document of RFC 9457, and the error type that becomes one.

use crate::api::contract::ToSchema;
use serde::Serialize;

use super::codes::Code;
use crate::cube::input::Violation;
use crate::service::tables::readiness::Step;

/// How far the tables are.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TableProgress)]
pub struct ProgressBody {
    /// `opening` what is on disk, `building` what is not, or `waiting` for another process that does.
    #[schema(value_type = String, example = "building")]
    pub stage: &'static str,
    /// The table at work; empty before the first.
    pub table: String,
    /// Thousandths of the stage that are done.
    #[schema(maximum = 1000)]
    pub permille: u32,
}

impl From<Step> for ProgressBody {
    fn from(step: Step) -> Self {
        let Step { stage, table, permille } = step;
        Self { stage: stage.name(), table, permille }
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

/// An answer that is an error. It becomes a document in `http`, where the request id is known.
#[derive(Clone, Debug)]
pub struct Problem(Box<Document>);

impl Problem {
    /// A problem with no further members.
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
