//! Problems: error responses, with their stable codes. The document of RFC 9457, and the error type that becomes one.

mod causes;
mod codes;
mod cubes;
mod machines;
mod tables;

pub use codes::Code;
pub use cubes::{
    CubeReading, PhysicalAction, PhysicalActionKind, PhysicalRepairs, PhysicalWay, Repair, Repairs, ScanCandidate,
};
pub use machines::Fault;

use serde::Serialize;

use crate::contract::ToSchema;
use crate::service::tables::readiness::TableProgress;
use cubes::Violation;
use superflip_cube::Form;
use superflip_scan::repair::Stickers;

/// Number of repairs in a problem.
const REPAIRS: usize = 3;

/// Error response (RFC 9457, `application/problem+json`). Members that do not apply are absent.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
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
    pub violations: Option<Vec<Violation>>,
    /// Form in which the text in `cube` was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
    pub format: Option<Form>,
    /// Text that differs in one character and can be read, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// Cube that the request describes in each reading; for faces in unknown rotations or order at most 20 of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readings: Option<Vec<CubeReading>>,
    /// Nearest legal cubes, if the cube was given as stickers. Absent if a busy server has no time to search for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Repairs>,
    /// Stickers of the impossible cube, for the search for `repairs`.
    #[serde(skip)]
    pub stickers: Option<Box<str>>,
    /// Number of legal cubes with the known stickers, in decimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<String>,
    /// One legal cube with the known stickers, as 54 symbols in the order U R F D L B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// Most likely cubes of the scan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<ScanCandidate>>,
    /// Stickers on which the most likely cubes of the scan differ, or unknown stickers that the known ones do not determine. Indices
    /// into `facelets`, 0 to 53 in ascending order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubtful: Option<Vec<u8>>,
    /// Faults of the machine or of the costs, at most 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<Vec<Fault>>,
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
    pub progress: Option<TableProgress>,
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
            ..Document::default()
        }))
    }

    /// Sets optional members.
    #[must_use]
    pub fn with(mut self, fill: impl FnOnce(&mut Document)) -> Self {
        fill(&mut self.0);
        self
    }

    /// Names the field of the request concerned.
    #[must_use]
    pub(crate) fn in_field(self, field: &str) -> Self {
        self.with(|document| document.field = Some(field.to_owned()))
    }

    /// Attributes the problem to one field of the request, also in its text.
    #[must_use]
    pub fn within(self, field: &str) -> Self {
        self.with(|document| document.detail = format!("`{field}`: {}", document.detail)).in_field(field)
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
    pub(crate) fn in_request(self, id: &str) -> Document {
        *self.with(|document| id.clone_into(&mut document.request_id)).0
    }

    /// Returns the document to send.
    pub fn document(&self) -> &Document {
        &self.0
    }

    /// Returns whether the problem concerns stickers for which repairs can be searched.
    pub(crate) fn is_repairable(&self) -> bool {
        self.0.stickers.is_some()
    }

    /// Adds the nearest legal cubes, if the problem concerns stickers of six colours. It takes about a millisecond.
    #[must_use]
    pub(crate) fn with_repairs(self) -> Self {
        self.with(|document| {
            let stickers = document.stickers.take().and_then(|text| Stickers::parse(&text).ok());
            if let Some(stickers) = stickers {
                let repairs = Repairs::of(&stickers, REPAIRS);
                document.detail += &repairs.only_change();
                document.repairs = Some(repairs);
            }
        })
    }
}
