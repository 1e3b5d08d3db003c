//! Input: what each line asks for.

use std::io::{self, BufRead, Read};

use serde::Serialize;

use super::desk::{Answer, Desk, Verdict};
use crate::api::problem::{Code, Document, Problem};
use crate::api::request::cube::Forms;
use crate::api::request::json::{Whole, parse};
use crate::api::request::options::Task;
use crate::api::types::SolveRequest;
use crate::cli::solve::{LONGEST_INPUT, cube_forms};
use crate::service::config::Config;

/// The lines of the input, and what holds for all of them.
pub(crate) struct Lines {
    /// Where they come from.
    pub(crate) input: Box<dyn BufRead + Send>,
    /// Options for lines without their own; the cube is left out of account.
    pub(crate) options: SolveRequest,
    /// Defaults and caps.
    pub(crate) config: Config,
    /// Whether answers are JSON.
    pub(crate) json: bool,
}

impl Lines {
    /// Reads them onto the desk until the end.
    pub(crate) fn read(mut self, desk: &Desk) {
        let result = self.read_all(desk);
        desk.end(result);
    }

    fn read_all(&mut self, desk: &Desk) -> io::Result<()> {
        let mut number = 0;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            // One byte more than allowed shows that a line is too long; a line without end must not fill the memory.
            if self.input.by_ref().take(LONGEST_INPUT + 1).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(());
            }
            number += 1;
            let is_too_long = bytes.len() as u64 > LONGEST_INPUT && bytes.last() != Some(&b'\n');
            if is_too_long {
                self.input.skip_until(b'\n')?;
            }
            let Some(task) = self.task(number, &bytes, is_too_long) else { continue };
            if !desk.put(number, task.map_err(|problem| complain(number, &problem, Verdict::Refused, self.json))) {
                return Ok(());
            }
        }
    }

    /// What the line asks for, if anything.
    fn task(&self, number: u64, bytes: &[u8], is_too_long: bool) -> Option<Result<Task, Problem>> {
        if is_too_long {
            let detail = format!("The line is longer than {LONGEST_INPUT} bytes: write one cube on each.");
            return Some(Err(Problem::new(Code::BodyTooLarge, detail)));
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.trim().trim_start_matches('\u{feff}'),
            Err(error) => {
                let offset = error.valid_up_to();
                let detail = format!("The line is not UTF-8: the byte at offset {offset} belongs to no character.");
                return Some(Err(Problem::new(Code::MalformedJson, detail)));
            }
        };
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        Some(self.request(number, text).and_then(|request| Task::new(request, &self.config)))
    }

    fn request(&self, number: u64, text: &str) -> Result<SolveRequest, Problem> {
        let given = if text.starts_with('{') {
            parse(text.as_bytes(), Whole::Line(number as usize))?
        } else {
            let Forms { facelets, scramble, cubies } = cube_forms(text);
            SolveRequest { facelets, scramble, cubies, ..SolveRequest::default() }
        };
        Ok(given.or_options_of(&self.options))
    }
}

/// The problem of a line that asks for a proof which only a table gives.
pub(crate) fn no_table(lower_bound: u8) -> Problem {
    let detail =
        "Pass --optimal, which opens or builds the table, and set `\"optimal\": false` in lines that need no proof.";
    Problem::new(Code::OptimalNotEnabled, detail).beyond_the_near_search(lower_bound)
}

/// What is written for a line that has no solution.
pub(crate) fn complain(line: u64, problem: &Problem, verdict: Verdict, json: bool) -> Answer {
    #[derive(Serialize)]
    struct Complaint<'p> {
        line: u64,
        problem: &'p Document,
    }
    if json {
        return Answer { text: json_line(&Complaint { line, problem: problem.document() }), complaint: None, verdict };
    }
    let complaint = Some(format!("line {line}: {}", problem.document().detail));
    Answer { text: "\n".to_owned(), complaint, verdict }
}

/// A document on a line of its own.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    // Wire types have neither maps with odd keys nor fallible parts.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
