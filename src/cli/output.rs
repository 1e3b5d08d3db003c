//! What a command prints, and how it fails.

use std::io::Write;

use toml::{Table, Value};

use crate::api::problem::Problem;
use crate::api::problem::Repair;
use superflip_cube::verify::sticker;
use superflip_solver::SolveError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command failed: exit code 1.
    #[error("{0}")]
    Runtime(String),
    /// The input is invalid: exit code 2, as for flags that clap rejects.
    #[error("{0}")]
    Input(String),
    /// The request is invalid: exit code 2.
    #[error("{}", .0.document().detail)]
    Invalid(Problem),
    /// The answer was printed, but it is not proven optimal: exit code 3.
    #[error("{0}")]
    Unproven(String),
    /// The command has reported the failure itself.
    #[error("failed with exit code {0}")]
    Reported(u8),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Invalid(problem)
    }
}

impl Failure {
    /// Returns a failure with the text of an error.
    pub fn runtime(error: impl std::fmt::Display) -> Self {
        Self::Runtime(error.to_string())
    }

    /// Returns the exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Invalid(_) => 2,
            Self::Unproven(_) => 3,
            Self::Runtime(_) => 1,
            Self::Reported(code) => *code,
        }
    }
}

/// Writes to standard output. A closed pipe is not a failure.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::runtime(error)),
        _ => Ok(()),
    }
}

/// Writes a JSON document and a newline. The value is serialized as in an answer of the service, and laid out after that: the code of
/// each type exists once.
///
/// # Errors
/// Returns an error if the value has no form in JSON, or standard output cannot be written.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let written = serde_json::to_vec(value).map_err(Failure::runtime)?;
    let (mut reader, mut text) = (serde_json::Deserializer::from_slice(&written), Vec::new());
    serde_transcode::transcode(&mut reader, &mut serde_json::Serializer::pretty(&mut text))
        .map_err(Failure::runtime)?;
    text.push(b'\n');
    print(&String::from_utf8(text).map_err(Failure::runtime)?)
}

/// Reports a problem: with `json` as the service would, otherwise as a sentence.
pub fn refuse(json: bool, problem: &Problem, code: u8) -> Failure {
    let problem = &problem.clone().with_repairs();
    if json {
        return match print_json(problem.document()) {
            Ok(()) => Failure::Reported(code),
            Err(failure) => failure,
        };
    }
    let detail = explained(problem);
    if code == 2 { Failure::Input(detail) } else { Failure::Runtime(detail) }
}

/// Reports a search without a solution.
pub(crate) fn unsolved(json: bool, error: SolveError) -> Failure {
    match error {
        SolveError::Cancelled { .. } => Failure::runtime(error),
        error => refuse(json, &error.into(), 1),
    }
}

/// Returns the detail of a problem, or a line for each fault, and a line for each nearest cube and each reading.
pub(crate) fn explained(problem: &Problem) -> String {
    let document = problem.document();
    let nearest = document.repairs.iter().flat_map(|repairs| &repairs.repairs);
    let line = |repair: &Repair| {
        let changed: Vec<String> = repair.changed.iter().map(|&facelet| sticker(facelet.into())).collect();
        format!("\n  nearest cube: {} (change {})", repair.facelets, changed.join(", "))
    };
    let readings = document.readings.iter().flatten().map(|reading| {
        let form = reading.format.map_or("reading".to_owned(), |format| format!("as {format}"));
        format!("\n  {form}: {}", reading.facelets)
    });
    let faults: Vec<String> =
        document.faults.iter().flatten().map(|fault| format!("`{}`: {}", fault.field, fault.message)).collect();
    let detail = if faults.is_empty() { document.detail.clone() } else { faults.join("\n  ") };
    detail + &nearest.map(line).chain(readings).collect::<String>()
}

/// Formats rows as aligned columns. Numbers are aligned to the right.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths = (0..columns).map(|column| rows.iter().filter_map(|row| row.get(column)).map(String::len).max());
    let widths: Vec<usize> = widths.map(Option::unwrap_or_default).collect();
    let is_number = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    let mut out = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| if is_number(cell) { format!("{cell:>width$}") } else { format!("{cell:width$}") });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

/// Formats a value as a cell of a table; `-` if there is none.
pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

/// Formats an object as text: a field on each line, lists of objects as tables. Null fields are omitted.
///
/// The object is converted to TOML, which keeps the order of fields.
///
/// # Errors
/// Returns an error if the object has no form in TOML.
pub fn document(object: &impl serde::Serialize) -> Result<String, Failure> {
    let mut out = String::new();
    write_fields(&mut out, &Table::try_from(object).map_err(Failure::runtime)?, "");
    Ok(out)
}

fn write_fields(out: &mut String, object: &Table, indent: &str) {
    let deeper = format!("{indent}  ");
    let is_scalar = |value: &Value| !value.is_table() && !value.is_array();
    for (name, value) in object {
        if let Some(fields) = value.as_table().filter(|fields| fields.values().all(is_scalar)) {
            let fields = fields.iter().map(|(name, value)| format!("{name} {}", cell(value).unwrap_or_default()));
            out.extend([indent, name, ": ", &fields.collect::<Vec<_>>().join(", "), "\n"]);
            continue;
        }
        *out += format!("{indent}{name}: {}", cell(value).unwrap_or_default()).trim_end();
        out.push('\n');
        match value {
            Value::Table(fields) => write_fields(out, fields, &deeper),
            Value::Array(rows) if !rows.is_empty() => match flat_table(rows) {
                Some(text) => out.extend(text.lines().map(|line| format!("{deeper}{line}\n"))),
                None => rows.iter().filter_map(Value::as_table).for_each(|row| write_fields(out, row, &deeper)),
            },
            _ => {}
        }
    }
}

/// Returns objects as a table with the names of their fields, if no field contains an object.
fn flat_table(rows: &[Value]) -> Option<String> {
    let rows = rows.iter().map(Value::as_table).collect::<Option<Vec<_>>>()?;
    let mut names: Vec<String> = Vec::new();
    for name in rows.iter().flat_map(|row| row.keys()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let cells =
        rows.iter().map(|row| names.iter().map(|name| row.get(name).map_or(Some("-".to_owned()), cell)).collect());
    let cells: Vec<Vec<String>> = cells.collect::<Option<_>>()?;
    Some(table(&[vec![names], cells].concat()))
}

/// Returns the text of a value that contains no object.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Table(_) => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let separator = if items.iter().any(Value::is_array) { " / " } else { " " };
            Some(items.iter().map(cell).collect::<Option<Vec<_>>>()?.join(separator))
        }
        other => Some(other.to_string()),
    }
}
