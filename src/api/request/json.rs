//! Reads one JSON object strictly: a body, or a line of one.

use serde::de::DeserializeOwned;

use super::fields::misread;
use super::lenient::AsSchema;
use crate::api::problem::{Code, Problem};

/// What is read as one JSON text.
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

    /// The line of the body, for one counted from 1 within the text.
    const fn line(self, line: usize) -> usize {
        match self {
            Self::Body => line,
            Self::Line(number) => number,
        }
    }
}

/// Reads an object as the documented schema has it.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], whole: Whole) -> Result<T, Problem> {
    let name = whole.name();
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail =
            format!("The {name} is not UTF-8: the byte at offset {} belongs to no character.", error.valid_up_to());
        Problem::new(Code::MalformedJson, detail)
    })?;
    // Some editors and platforms put it before all they write; it is no part of the text (RFC 8259, 8.1).
    let text = text.strip_prefix('\u{feff}').filter(|_| matches!(whole, Whole::Body)).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        let detail = format!("The {name} is not JSON: it is empty, and a JSON object is expected.");
        return Err(Problem::new(Code::MalformedJson, detail).with(|document| document.line = Some(whole.line(1))));
    }
    // Looked through first, so that a list which breaks off is said to be no JSON.
    if text.trim_start().starts_with('[') {
        let list = serde_json::from_str::<serde::de::IgnoredAny>(text);
        return Err(list.err().map_or_else(
            || Problem::new(Code::InvalidField, format!("The {name} must be a JSON object, not a list.")),
            |error| malformed(&error, whole),
        ));
    }
    // Only what is refused is read again for where it went wrong: to note every name on the way takes longer than reading does.
    let mut deserializer = serde_json::Deserializer::from_str(text);
    if let Ok(value) = T::deserialize(AsSchema(&mut deserializer))
        && deserializer.end().is_ok()
    {
        return Ok(value);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(AsSchema(&mut deserializer))
        .map_err(|error| (error.path().to_string(), error.into_inner()))
        .and_then(|value| deserializer.end().map(|()| value).map_err(|error| (String::new(), error)));
    parsed.map_err(|(path, error)| match error.classify() {
        serde_json::error::Category::Data => at(&error, whole, |message, _| misread(&path, message)),
        _ => malformed(&error, whole),
    })
}

fn malformed(error: &serde_json::Error, whole: Whole) -> Problem {
    let name = whole.name();
    at(error, whole, |message, place| {
        let message = match message {
            "expected ident" => "a word that is none of `true`, `false` and `null`; texts stand between double quotes",
            "recursion limit exceeded" => "lists and objects within each other more than 128 deep",
            other => other,
        };
        Problem::new(Code::MalformedJson, format!("The {name} is not JSON: {message}{place}."))
    })
}

/// The problem made of an error's message and place, with its line and column.
fn at(error: &serde_json::Error, whole: Whole, problem: impl FnOnce(&str, &str) -> Problem) -> Problem {
    let (line, column) = (whole.line(error.line()), error.column());
    let message = error.to_string();
    let within = format!(" at line {} column {column}", error.line());
    let message = message.strip_suffix(&within).unwrap_or(&message);
    problem(message, &format!(" at line {line} column {column}")).with(|document| {
        document.line = Some(line);
        document.column = Some(column);
    })
}
