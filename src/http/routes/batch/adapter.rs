//! Converts lines to tasks, and answers to lines of JSON.

use std::sync::Arc;

use prometheus::IntCounter;
use tokio_util::bytes::Bytes;

use crate::api::batch::line::parse_line;
use crate::api::batch::{Adapter, Effort, Parsed, SolvedLine, Unsolved, Writer};
use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::{BatchAnswer, BatchProblem, BatchSolved, LineId, SolveRequest};
use crate::http::AppState;
use crate::http::middleware::request_facts::RequestFacts;
use crate::service::telemetry::metrics::{LineOutcome, line_meters};
use superflip_solver::{Solution, SolveError, Solver};

/// Parses the lines of a request, and counts the results.
pub(crate) struct JsonLines {
    pub(crate) state: AppState,
    /// Default options of lines.
    pub(crate) defaults: SolveRequest,
}

impl Adapter for JsonLines {
    fn parse(&self, number: usize, text: &str) -> Option<Parsed> {
        parse_line(number, text, &self.defaults, &self.state.config)
    }

    fn prover(&self, task: &Task, solver: &Solver) -> Solver {
        self.state.with_proofs(Arc::clone(solver.tables()), task)
    }

    fn check(&self, is_proof: bool, result: Result<Solution, SolveError>) -> Result<Solution, Problem> {
        self.state.solver.metrics().count(result.as_ref(), is_proof);
        result.map_err(|error| self.state.unanswered(error))
    }
}

/// Writes answers, and counts them in the metrics and in the log of the request.
pub(crate) struct JsonWriter {
    request_id: String,
    facts: RequestFacts,
    /// Counters of lines, by [`LineOutcome`].
    meters: [IntCounter; 3],
}

impl JsonWriter {
    pub(crate) fn new(request_id: String, facts: RequestFacts) -> Self {
        Self { request_id, facts, meters: line_meters() }
    }
}

impl Writer for JsonWriter {
    const NAMES_LINES: bool = true;

    fn answer(&mut self, line: usize, id: Option<LineId>, result: Result<SolvedLine, Unsolved>, text: &mut Vec<u8>) {
        let (outcome, effort, answer) = match result {
            Ok(SolvedLine { task, outcome, queued }) => {
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
        self.meters[outcome as usize].inc();
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
    read.map_err(|error| {
        Problem::new(Code::IncompleteBody, format!("The body is incomplete: {error}; send all of it."))
    })
}
