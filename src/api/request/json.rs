//! Reads requests strictly: a JSON object, which is a body or one line of a body, or a query string.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::field_error::{short, syntax_message};
use super::value::Value;
use crate::api::problem::{Code, Problem};

/// A text that contains one JSON object.
#[derive(Clone, Copy)]
pub(crate) enum Whole {
    /// A body.
    Body,
    /// A line of a body, counted from 1.
    Line(usize),
}

impl Whole {
    const fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Line(_) => "line",
        }
    }

    /// Converts a line number within the text to a line number of the body. Both count from 1.
    const fn line(self, line: usize) -> usize {
        match self {
            Self::Body => line,
            Self::Line(number) => number,
        }
    }
}

/// Reads a JSON object as a documented request.
///
/// # Errors
/// Returns an error for text that is not JSON, and for a field that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], whole: Whole) -> Result<T, Problem> {
    let name = whole.name();
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("The {name} is not UTF-8: invalid byte at offset {}.", error.valid_up_to());
        Problem::new(Code::MalformedJson, detail)
    })?;
    // Skip a byte order mark, which is not part of the text (RFC 8259, 8.1).
    let text = text.strip_prefix('\u{feff}').filter(|_| matches!(whole, Whole::Body)).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        let detail = format!("The {name} is not JSON: it is empty; send a JSON object.");
        return Err(Problem::new(Code::MalformedJson, detail).with(|document| document.line = Some(whole.line(1))));
    }
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (whole.line(error.line()), error.column());
        let message = syntax_message(&error);
        let detail = format!("The {name} is not JSON: {message} at line {line} column {column}.");
        at(Problem::new(Code::MalformedJson, detail), line, column)
    })?;
    T::deserialize(Value::json(raw)).map_err(|error| {
        let start = error.address().map(|address| address.saturating_sub(text.as_ptr() as usize));
        let before = &text[..text.floor_char_boundary(start.unwrap_or(0))];
        let line = whole.line(before.matches('\n').count() + 1);
        let column = before.rsplit('\n').next().map_or(1, |rest| rest.chars().count() + 1);
        at(error.problem(name, &format!(" at line {line} column {column}")), line, column)
    })
}

/// Reads decoded parameters as a documented query.
///
/// # Errors
/// Returns an error for a parameter that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse_query<T: DeserializeOwned>(parameters: &[(String, String)]) -> Result<T, Problem> {
    T::deserialize(Value::query(parameters)).map_err(|error| in_one_parameter(error.problem("query", ""), parameters))
}

/// Adds to the problem of a list that is given in several parameters how to write it.
fn in_one_parameter(problem: Problem, parameters: &[(String, String)]) -> Problem {
    problem.with(|document| {
        let list = LISTS.into_iter().find(|list| document.field.as_deref() == Some(list));
        let Some(list) = list.filter(|_| document.code == Code::DuplicateField) else { return };
        let values = parameters.iter().filter(|(name, _)| name == list).map(|(_, text)| text.as_str());
        let joined = values.collect::<Vec<_>>().join(",");
        document.detail = format!(
            "`{list}` is given more than once; write its values in one parameter, with commas: `{list}={}`.",
            short(&joined)
        );
    })
}

/// Parameters that are lists.
const LISTS: [&str; 2] = ["names", "to"];

fn at(problem: Problem, line: usize, column: usize) -> Problem {
    problem.with(|document| (document.line, document.column) = (Some(line), Some(column)))
}
