//! Parses a line of a batch, or a row of a table: CSV with a header, such as the exports of csTimer and Twisty Timer.
//!
//! A line is one of three things:
//!
//! - a JSON object with the fields of `POST /solve`, and optionally an `id`;
//! - a JSON object that is itself the cube: a `KPattern`, or cubies;
//! - otherwise a cube as text in any form.
//!
//! Blank lines are skipped before they come here. Lines that begin with `#` are comments.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{LineTask, Parsed};
use crate::api::problem::{Code, Problem};
use crate::api::request::options::with_maximum;
use crate::api::request::read::parse;
use crate::api::types::{BatchLine, CubeRequest, CubeValue, LineId, SolveRequest};
use crate::service::config::Config;

/// Maximum length of an `id` in bytes. It bounds the memory, because the ids of all lines in the window are in memory at once.
const MAX_ID_BYTES: usize = 256;

/// Members of objects that are cubes.
const OF_CUBES: [&str; 15] =
    ["patternData", "EDGES", "CORNERS", "CENTERS", "cp", "co", "ep", "eo", "center", "U", "R", "F", "D", "L", "B"];
/// Fields of a request that contain a cube.
const WITH_CUBES: [&str; 5] = ["cube", "facelets", "scramble", "cubies", "colors"];

/// Parses line `number`. `defaults` has the options of lines that have none of their own. Returns `None` for a comment.
pub(crate) fn parse_line(number: usize, text: &str, defaults: &SolveRequest, config: &Config) -> Option<Parsed> {
    if is_comment(text) {
        return None;
    }
    let trimmed = text.trim();
    let read = if trimmed.starts_with('{') {
        // With the spaces before it, which count in a column.
        object(number, text)
    } else if let Some(problem) = header_of_table(trimmed) {
        Err(problem)
    } else if defaults.cube.format.is_none() && is_row_of_net(trimmed) {
        let detail = "The line is a row of a net, but a batch has one cube on each line. Write the nine rows of the net on one line, with a \
                      space between them. If the letters are moves, write a space after each.";
        Err(Problem::new(Code::UnreadableCube, detail))
    } else {
        Ok(BatchLine { cube: CubeRequest::of_text(trimmed), ..BatchLine::default() })
    };
    Some(match read {
        Ok(mut line) => {
            let id = line.id.take();
            match LineTask::new(SolveRequest::from(line).or_options_of(defaults), config) {
                LineTask::Ready(Err(problem)) if number == 1 && is_word(trimmed) => {
                    Parsed { id, task: perhaps_header(problem, trimmed).into() }
                }
                task => Parsed { id, task },
            }
        }
        // Read the `id` of an invalid line too, if possible, for its answer.
        Err(problem) => Parsed { id: id_of(text), task: with_maximum(problem, config).into() },
    })
}

/// Parses line `number` of a table, whose cubes are in `column`, or without it a line of its own. Returns `None` for the header and a comment.
pub(crate) fn parse_row(
    column: Option<&Column>,
    number: usize,
    text: &str,
    defaults: &SolveRequest,
    config: &Config,
) -> Option<Parsed> {
    let Some(column) = column else { return parse_line(number, text, defaults, config) };
    match column.cell(text) {
        Ok(cell) => parse_line(number, &cell?, defaults, config),
        Err(problem) => Some(Parsed { id: None, task: problem.into() }),
    }
}

/// Returns whether a line is a comment.
pub(super) fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Returns whether a line is a middle row of a net, such as `FFD FFR FBB LLL`. It could also be moves, but few people write twelve clockwise turns
/// in threes. The other rows of a net, such as `LLD`, are usual scrambles too.
fn is_row_of_net(line: &str) -> bool {
    const FACES: usize = 4;
    let is_row = |word: &str| word.len() == 3 && word.chars().all(|letter| "URFDLB".contains(letter));
    line.split_whitespace().count() == FACES && line.split_whitespace().all(is_row)
}

/// Returns whether a line is one word with a letter that no move has, such as the header of a table with one column.
fn is_word(line: &str) -> bool {
    let is_of_name = |symbol: char| symbol.is_alphabetic() || matches!(symbol, '"' | '_' | '-');
    line.chars().all(is_of_name) && line.chars().any(|letter| letter.is_lowercase() && !"urfdlbxyzw".contains(letter))
}

/// Adds what to do if the first line, which cannot be read, is the header of a table.
fn perhaps_header(problem: Problem, line: &str) -> Problem {
    let name = line.trim_matches('"');
    problem.with(|document| {
        document.detail = format!(
            "{} If the line is the header of a table with one column, name the column with `column={name}`.",
            document.detail
        );
    })
}

/// Returns the problem of a line that names the columns of a table, such as an export of csTimer or Twisty Timer: how to send the column of
/// cubes. `None` for other lines.
fn header_of_table(line: &str) -> Option<Problem> {
    const COLUMNS: [&str; 4] = ["scramble", "cube", "facelets", "cubestring"];
    let separator = [';', '\t', ','].into_iter().find(|separator| line.contains(*separator))?;
    let cells = line.split(separator).map(|cell| cell.trim().trim_matches('"'));
    let (at, name) = cells.enumerate().find(|(_, cell)| COLUMNS.iter().any(|name| cell.eq_ignore_ascii_case(name)))?;
    // Twisty Timer names the columns with commas, and separates them with semicolons.
    let separator = if line.starts_with(TWISTY_TIMER) { ';' } else { separator };
    let delimiter = if separator == '\t' { String::new() } else { format!(" -d'{separator}'") };
    let detail = format!(
        "The line is the header of a table, but a batch has one cube on each line. Name the column with \
         `column={name}`, or send column {} alone, without the header: `tail -n +2 FILE | cut{delimiter} -f{} | tr -d '\"'`.",
        at + 1,
        at + 1
    );
    Some(Problem::new(Code::UnreadableCube, detail))
}

/// Reads a line that is a JSON object.
fn object(number: usize, text: &str) -> Result<BatchLine, Problem> {
    match parse::<BatchLine>(text.as_bytes(), Some(number)) {
        Ok(BatchLine { id: Some(id), .. }) if !is_short(&id) => {
            let detail = format!("`id` is too long; it must have at most {MAX_ID_BYTES} bytes.");
            Err(Problem::new(Code::OptionOutOfRange, detail).in_field("id"))
        }
        // Most lines are requests, so look for a cube only after an error.
        Err(problem) if problem.code() == Code::UnknownField && is_cube(text) => {
            let cube = parse::<CubeValue>(text.as_bytes(), Some(number))?;
            // A `KPattern` may have other members.
            let cube = CubeRequest { cube: Some(cube), ..CubeRequest::default() };
            Ok(BatchLine { id: id_of(text), cube, ..BatchLine::default() })
        }
        read => read,
    }
}

/// Returns whether an object is itself a cube.
fn is_cube(object: &str) -> bool {
    let members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(object).unwrap_or_default();
    let has = |names: &[&str]| names.iter().any(|name| members.contains_key(*name));
    has(&OF_CUBES) && !has(&WITH_CUBES)
}

fn is_short(id: &LineId) -> bool {
    match id {
        LineId::Text(text) => text.len() <= MAX_ID_BYTES,
        LineId::Number(_) => true,
    }
}

fn id_of(text: &str) -> Option<LineId> {
    #[derive(Deserialize)]
    struct Identified {
        id: Option<LineId>,
    }
    serde_json::from_str::<Identified>(text).ok()?.id.filter(is_short)
}

/// Beginning of the header of Twisty Timer, which has commas, while its rows have semicolons.
pub(super) const TWISTY_TIMER: &str = "Puzzle,Category,";

/// The column of a table that has the cubes.
pub(crate) struct Column {
    name: String,
    /// Separator of the rows, and index of the column. Set by the header; the error says that the header has no such column.
    place: OnceLock<Result<(char, usize), Problem>>,
}

impl Column {
    /// Creates the column with this name. The first line is then the header.
    pub(crate) fn new(name: String) -> Self {
        Self { name, place: OnceLock::new() }
    }

    /// Returns the cell of a row. Returns `None` for the header, which is the first line.
    ///
    /// # Errors
    /// Returns an error if the header has no column with this name, or the row has no such cell.
    pub(super) fn cell(&self, line: &str) -> Result<Option<String>, Problem> {
        let Some(place) = self.place.get() else {
            return self.place.get_or_init(|| self.find(line)).clone().map(|_| None);
        };
        let (separator, index) = place.clone()?;
        let Some(mut row) = cells(line, separator) else {
            return Err(unreadable("A quoted cell of the row does not end on this line. Remove line ends in cells."));
        };
        let cell = if index < row.len() { row.swap_remove(index) } else { String::new() };
        if cell.trim().is_empty() {
            // An empty text would be the solved cube.
            let detail =
                format!("The row has no cell `{}`, number {}. Add it, or remove the row.", self.name, index + 1);
            return Err(unreadable(detail));
        }
        Ok(Some(cell))
    }

    fn find(&self, header: &str) -> Result<(char, usize), Problem> {
        let separator = [';', '\t', ','].into_iter().find(|separator| header.contains(*separator)).unwrap_or(',');
        let names = cells(header, separator).unwrap_or_default();
        let Some(index) = names.iter().position(|name| name.trim().eq_ignore_ascii_case(self.name.trim())) else {
            let known = names.iter().map(|name| name.trim()).collect::<Vec<_>>().join("`, `");
            let detail = format!("The table has no column `{}`; its header names `{known}`.", self.name);
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("column"));
        };
        Ok((if header.starts_with(TWISTY_TIMER) { ';' } else { separator }, index))
    }
}

fn unreadable(detail: impl Into<String>) -> Problem {
    Problem::new(Code::UnreadableCube, detail.into())
}

/// Splits a row into cells. In quotes, a separator is text, and two quotes are one. Returns `None` if quotes do not end.
fn cells(row: &str, separator: char) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut symbols = row.chars().peekable();
    while let Some(symbol) = symbols.next() {
        match symbol {
            '"' if is_quoted && symbols.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted || cell.is_empty() => is_quoted = !is_quoted,
            _ if symbol == separator && !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(symbol),
        }
    }
    cells.push(cell);
    (!is_quoted).then_some(cells)
}
