//! Converts lines of JSON to tasks, and answers to lines of JSON.

use metrics::Counter;
use serde::Deserialize;
use tokio_util::bytes::Bytes;

use crate::api::batch::{Adapter, Effort, LineTask, Parsed, Solution, Unsolved, Writer};
use crate::api::problem::{Code, Problem};
use crate::api::request::json::{Whole, parse};
use crate::api::request::options::Task;
use crate::api::types::{BatchAnswer, BatchLine, BatchProblem, BatchQuery, BatchSolved, LineId};
use crate::http::AppState;
use crate::http::middleware::request_facts::RequestFacts;
use crate::search::{Outcome, Proof, SearchError};
use crate::service::config::Config;
use crate::service::telemetry::metrics::{LineOutcome, line_meters};

/// Maximum length of an `id` in bytes. It bounds the memory, because the ids of all lines in the window are in memory at once.
const MAX_ID_BYTES: usize = 256;

/// Parses the lines of a request, and checks results against the state of the tables.
pub(crate) struct JsonLines {
    pub(crate) state: AppState,
    /// Default options of lines.
    pub(crate) defaults: BatchQuery,
}

impl Adapter for JsonLines {
    fn parse(&self, number: usize, text: &str) -> Option<Parsed> {
        Some(parse_line(number, text, &self.defaults, &self.state.config))
    }

    fn proof(&self, task: &Task) -> Option<Proof> {
        self.state.proof_for(task)
    }

    fn check(&self, proof: Option<&Proof>, result: Result<Outcome, SearchError>) -> Result<Outcome, Problem> {
        self.state.solver.metrics().count(&result, proof.is_some());
        let outcome = result.map_err(|error| self.state.unanswered(error))?;
        self.state.check_integrity()?;
        Ok(outcome)
    }
}

/// Parses a line.
pub(crate) fn parse_line(number: usize, text: &str, defaults: &BatchQuery, config: &Config) -> Parsed {
    match parse::<BatchLine>(text.as_bytes(), Whole::Line(number)) {
        Ok(BatchLine { id: Some(id), .. }) if !id.is_short() => {
            let detail = format!("`id` is too long; it must have at most {MAX_ID_BYTES} bytes.");
            let problem = Problem::new(Code::OptionOutOfRange, detail);
            Parsed { id: None, task: problem.in_field("id").into() }
        }
        Ok(line) => {
            let (id, request) = line.split(defaults);
            Parsed { id, task: LineTask::new(request, config) }
        }
        // Read the `id` of an invalid line too, if possible, for its answer.
        Err(problem) => Parsed { id: id_of(text), task: problem.into() },
    }
}

impl LineId {
    fn is_short(&self) -> bool {
        match self {
            Self::Text(text) => text.len() <= MAX_ID_BYTES,
            Self::Number(_) => true,
        }
    }
}

fn id_of(text: &str) -> Option<LineId> {
    #[derive(Deserialize)]
    struct Identified {
        id: Option<LineId>,
    }
    // Refuse a list, which serde would accept as an object without names.
    let object = Some(text).filter(|text| text.trim_start().starts_with('{'))?;
    serde_json::from_str::<Identified>(object).ok()?.id.filter(LineId::is_short)
}

/// Writes answers, and counts them in the metrics and in the log of the request.
pub(crate) struct JsonWriter {
    request_id: String,
    facts: RequestFacts,
    /// Counters of lines, by [`LineOutcome`].
    meters: [Counter; 3],
}

impl JsonWriter {
    pub(crate) fn new(request_id: String, facts: RequestFacts) -> Self {
        Self { request_id, facts, meters: line_meters() }
    }
}

impl Writer for JsonWriter {
    const NAMES_LINES: bool = true;

    fn answer(&mut self, line: usize, id: Option<LineId>, result: Result<Solution, Unsolved>, text: &mut Vec<u8>) {
        let (outcome, effort, answer) = match result {
            Ok(Solution { task, outcome, queued }) => {
                let effort = Effort { nodes: outcome.nodes, elapsed: outcome.elapsed, queued };
                let answer = task.answer(&outcome, queued);
                (LineOutcome::Solved, Some(effort), BatchAnswer::Solved(BatchSolved { line, id, answer }))
            }
            Err(Unsolved { problem, effort }) => {
                let outcome = if effort.is_some() { LineOutcome::Unsolved } else { LineOutcome::Refused };
                let problem = problem.in_request(&self.request_id);
                (outcome, effort, BatchAnswer::Problem(BatchProblem { line: Some(line), id, problem }))
            }
        };
        self.meters[outcome as usize].increment(1);
        self.facts.line(outcome, effort);
        push(&answer, text);
    }

    fn failed(&mut self, problem: Problem, text: &mut Vec<u8>) {
        self.facts.problem(&problem);
        let problem = problem.in_request(&self.request_id);
        push(&BatchAnswer::Problem(BatchProblem { line: None, id: None, problem }), text);
    }
}

fn push(answer: &BatchAnswer, text: &mut Vec<u8>) {
    // Writing these types as JSON into memory cannot fail.
    if serde_json::to_writer(&mut *text, answer).is_ok() {
        text.push(b'\n');
    }
}

/// Maps an incomplete body to a problem.
pub(crate) fn chunk(read: Result<Bytes, axum::Error>) -> Result<Bytes, Problem> {
    read.map_err(|error| Problem::new(Code::MalformedJson, format!("The body is incomplete: {error}.")))
}
