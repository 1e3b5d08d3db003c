//! Requests to solve cubes, made of groups of fields.

mod cube;
mod words;

pub use cube::*;
pub use words::*;

use super::CubeValue;
use super::fields::fields;
use crate::api::request::machine::MachineOptions;
use crate::api::request::options::{LimitOptions, ProofOptions, SearchOptions, ThreadOptions};
#[cfg(feature = "contract")]
use crate::contract::IntoParams;
use superflip_cube::Form;

fields! {
    /// A cube in exactly one of its forms, and how to solve it.
    pub struct SolveRequest {
        ..cube: CubeRequest,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..machine: MachineOptions,
        ..threads: ThreadOptions,
        ..proofs: ProofOptions,
    }
}

fields! {
    /// How to solve the cube in the path, as a query.
    pub struct SolveOptions in Query {
        ..form: PathForm,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..threads: ThreadOptions,
        ..proofs: ProofOptions,
    }
}

/// Headers of requests that may wait for tables.
#[cfg(feature = "contract")]
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code)] // it only describes the header
pub struct WaitHeader {
    /// `wait=SECONDS` (RFC 7240): how long to wait for the tables of a metric, beside the time limit.
    #[param(rename = "Prefer", example = "wait=60")]
    prefer: Option<String>,
}

fields! {
    /// One JSON line of a batch: a cube in exactly one of its forms, and how to solve it. An option that is absent here is taken from
    /// the query.
    pub struct BatchLine {
        /// Identifier of the line, repeated in its answer: a number, or a string of at most 256 bytes.
        pub id: Option<LineId>,
        ..cube: CubeRequest,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..machine: MachineOptions,
        ..proofs: ProofOptions,
    }
}

fields! {
    /// Options of every line of a batch that does not set them itself.
    pub struct BatchQuery in Query {
        /// Order of the answers: `input` (default), or `any`: each answer is sent when its search ends.
        #[schema(inline)]
        pub order: Option<BatchOrder>,
        /// Form of the lines of text, and of each text in `cube` without a `format` beside it (default: the form is recognised).
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        /// Name of the column that has the cubes, if the lines are a table: CSV whose first line names the columns, separated by semicolons, tabs
        /// or commas (default: the lines are no table).
        #[schema(example = "Scramble")]
        pub column: Option<String>,
        ..target: TargetOptions,
        ..limits: LimitOptions,
        ..search: SearchOptions,
        ..proofs: ProofOptions,
    }
}

fields! {
    /// Options of every line of a job that does not set them itself.
    #[derive(serde::Serialize)]
    pub struct JobOptions {
        #[serde(flatten)]
        ..proofs: ProofOptions,
        #[serde(flatten)]
        ..limits: LimitOptions,
        /// Form of the lines of text.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<crate::api::types::described::CubeForm>)]
        pub format: Option<Form>,
        #[serde(flatten)]
        ..target: TargetOptions,
    }
}

impl SolveRequest {
    /// Creates a request to solve this cube, with no options.
    pub fn of_cube(cube: CubeRequest) -> Self {
        Self { cube, ..Self::default() }
    }

    /// Takes the cube and the target.
    pub fn take_ends(&mut self) -> CubeAndTarget {
        CubeAndTarget { cube: std::mem::take(&mut self.cube), target: std::mem::take(&mut self.target) }
    }

    /// Fills absent options from `defaults`, except those that would contradict the options of this request.
    #[must_use]
    pub fn or_options_of(mut self, defaults: &Self) -> Self {
        if matches!(self.cube.cube, Some(CubeValue::Text(_))) {
            self.cube.format = self.cube.format.or(defaults.cube.format);
        }
        let proofs = self.proofs.or_of_query(&defaults.proofs);
        Self {
            target: self.target.or_of_query(&defaults.target),
            limits: self.limits.or_of_query(&defaults.limits, &proofs),
            search: self.search.or_of_query(&defaults.search, &proofs),
            machine: self.machine.or_of_query(&defaults.machine),
            proofs,
            ..self
        }
    }
}

impl From<BatchLine> for SolveRequest {
    fn from(line: BatchLine) -> Self {
        let BatchLine { id: _, cube, target, limits, search, machine, proofs } = line;
        Self { cube, target, limits, search, machine, proofs, ..Self::default() }
    }
}

impl From<BatchQuery> for SolveRequest {
    /// Returns the options as a request without a cube.
    fn from(query: BatchQuery) -> Self {
        let BatchQuery { format, target, limits, search, proofs, .. } = query;
        let cube = CubeRequest { format, ..CubeRequest::default() };
        Self { cube, target, limits, search, proofs, ..Self::default() }
    }
}

impl From<JobOptions> for SolveRequest {
    /// Returns the options as a request without a cube.
    fn from(options: JobOptions) -> Self {
        let JobOptions { proofs, limits, format, target } = options;
        let cube = CubeRequest { format, ..CubeRequest::default() };
        Self { cube, target, limits, proofs, ..Self::default() }
    }
}

/// The cube at the start, and the cube that the moves must lead to.
#[derive(Clone, Debug, Default)]
pub struct CubeAndTarget {
    /// The cube at the start.
    pub cube: CubeRequest,
    /// The target.
    pub target: TargetOptions,
}

#[cfg(test)]
mod tests {
    use super::JobOptions;
    use crate::api::request::read::parse;

    #[test]
    fn options_of_a_job_are_written_as_they_are_read() {
        let text =
            r#"{"optimal":true,"max_length":20,"metric":"qtm","format":"reid","target":"R U","target_up_to_turn":"U"}"#;
        let options: JobOptions = parse(text.as_bytes(), None).unwrap();
        assert_eq!(serde_json::to_string(&options).unwrap(), text);
    }
}
