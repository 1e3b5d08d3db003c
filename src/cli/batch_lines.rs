//! The lines of a batch in the shell: how they are parsed, and how their answers are written and counted.

use std::io::{Write, stderr};

use crate::api::batch::line::Column;
use crate::api::batch::line::parse_row;
use crate::api::batch::{Adapter, Parsed, SolvedLine, Unsolved, Writer};
use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::{BatchAnswer, LineId, SolveRequest};
use crate::cli::Failure;
use crate::cli::output::explained;
use crate::service::config::Config;
use superflip_solver::{Solution, SolveError, Solver};

/// Parses lines of text or JSON.
pub struct TextLines {
    /// Default options of lines.
    options: SolveRequest,
    config: Config,
    /// The column of cubes, if the lines are a table.
    column: Option<Column>,
}

impl TextLines {
    /// Creates the parser. `options` has the options of lines that have none of their own.
    pub fn new(options: SolveRequest, config: Config) -> Self {
        Self { options, config, column: None }
    }

    /// Reads the cubes in the column with this name; the first line is the header.
    #[must_use]
    pub(crate) fn with_column(self, name: Option<String>) -> Self {
        Self { column: name.map(Column::new), ..self }
    }
}

impl Adapter for TextLines {
    fn parse(&self, number: usize, text: &str) -> Option<Parsed> {
        parse_row(self.column.as_ref(), number, text, &self.options, &self.config)
    }

    fn prover(&self, _: &Task, solver: &Solver) -> Solver {
        solver.clone()
    }

    fn check(&self, task: &Task, result: Result<Solution, SolveError>) -> Result<Solution, Problem> {
        result.map_err(|error| match error {
            SolveError::Unproven { lower_bound, .. } => {
                let detail = "No table for optimal solutions is loaded. Pass --optimal to open or build it; lines that need no proof can then set `\"optimal\": false`.";
                Problem::new(Code::OptimalNotEnabled, detail).beyond_the_near_search(lower_bound)
            }
            error => task.refused(error),
        })
    }
}

/// Writes solutions or JSON, and counts lines by outcome.
#[derive(Default)]
pub struct TextWriter {
    json: bool,
    solved: u64,
    /// Number of solved lines whose requested proof is missing.
    unproven: u64,
    unsolved: u64,
    refused: u64,
    failure: Option<Problem>,
}

impl Writer for TextWriter {
    fn answer(&mut self, line: usize, id: Option<LineId>, result: Result<SolvedLine, Unsolved>, text: &mut Vec<u8>) {
        *match &result {
            Ok(_) => &mut self.solved,
            Err(Unsolved { effort: Some(_), .. }) => &mut self.unsolved,
            Err(Unsolved { effort: None, .. }) => &mut self.refused,
        } += 1;
        if matches!(&result, Ok(SolvedLine { is_unproven: true, .. })) {
            self.unproven += 1;
        }
        if self.json {
            // The command line has no job queue, so `queued` is zero.
            let result = result.map(|mut solved| {
                solved.answer.queue_us = 0;
                solved
            });
            let answer = BatchAnswer::of_line(line, id, result, "");
            // Writing these types as JSON into memory cannot fail.
            let _ = serde_json::to_writer(&mut *text, &answer);
        } else {
            match result {
                Ok(SolvedLine { answer, .. }) => text.extend_from_slice(answer.solution.as_bytes()),
                // Ignore a closed standard error: the exit code reports the failure too.
                Err(Unsolved { problem, .. }) => {
                    let _ = writeln!(stderr(), "superflip: line {line}: {}", explained(&problem));
                }
            }
        }
        text.push(b'\n');
    }

    fn failed(&mut self, problem: Problem, _: &mut Vec<u8>) {
        self.failure = Some(problem);
    }
}

impl TextWriter {
    /// Creates a writer of solutions, or with `json` of whole answers.
    pub fn new(json: bool) -> Self {
        Self { json, ..Self::default() }
    }

    pub(crate) fn lines(&self) -> u64 {
        self.solved + self.unsolved + self.refused
    }

    /// Returns the result of the command, which decides its exit code.
    pub(crate) fn result(&self, is_stopped: bool) -> Result<(), Failure> {
        let Self { solved, unproven, unsolved, refused, failure, .. } = self;
        if is_stopped {
            return Err(Failure::Runtime(format!("stopped; lines answered: {}", self.lines())));
        }
        if let Some(problem) = failure {
            return Err(Failure::Runtime(problem.document().detail.clone()));
        }
        match (unsolved, refused) {
            (0, 0) if *unproven > 0 => Err(Failure::Unproven(format!(
                "{unproven} of {solved} solutions are not proven shortest, because the time limit was reached. Raise --time-limit-ms."
            ))),
            (0, 0) => Ok(()),
            (_, 0) => Err(Failure::Runtime(format!("{unsolved} of {} cubes were not solved", solved + unsolved))),
            _ => Err(Failure::Input(format!("{refused} of {} lines are invalid", self.lines()))),
        }
    }
}
