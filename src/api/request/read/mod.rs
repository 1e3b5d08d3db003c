//! Reads requests strictly: a JSON object, which is a body or one line of a body, or a query string.

mod field_error;
mod flag;
mod parameter;

pub(crate) use field_error::{short, syntax_message};
pub(crate) use flag::{JsonOrFile, json_of};

use std::collections::HashMap;

use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment};

use crate::api::problem::{Code, Problem};
use field_error::{TOO_DEEP, problem};
use parameter::Parameter;

/// Parses a JSON text into `T`. The text is a body, or line `line` of a batch, counted from 1.
///
/// # Errors
/// Returns an error for text that is not JSON, and for a field that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], line: Option<usize>) -> Result<T, Problem> {
    parse_as(if line.is_some() { "line" } else { "body" }, bytes, line)
}

/// Parses a JSON text like [`parse`]. Errors call the text `name`.
pub(crate) fn parse_as<T: DeserializeOwned>(name: &str, bytes: &[u8], line: Option<usize>) -> Result<T, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("The {name} is not UTF-8: invalid byte at offset {}.", error.valid_up_to());
        Problem::new(Code::MalformedJson, detail)
    })?;
    // Skip a byte order mark, which is not part of the text (RFC 8259, 8.1).
    let text = text.strip_prefix('\u{feff}').filter(|_| line.is_none()).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        let detail = format!("The {name} is not JSON: it is empty; send a JSON object.");
        return Err(Problem::new(Code::MalformedJson, detail).with(|document| document.line = line.or(Some(1))));
    }
    let at = |error: &serde_json::Error, problem: Problem| {
        let (line, column) = (line.unwrap_or(error.line()), column_of(text, error));
        problem.with(|document| (document.line, document.column) = (Some(line), Some(column)))
    };
    let malformed = |error: &serde_json::Error| {
        let (line, column) = (line.unwrap_or(error.line()), column_of(text, error));
        let message = no_number(text, error).unwrap_or_else(|| syntax_message(error));
        let detail = format!("The {name} is not JSON: {message} at line {line} column {column}.");
        at(error, Problem::new(Code::MalformedJson, detail))
    };
    // An error of syntax anywhere in the text is reported before one in a field.
    let syntax: Result<IgnoredAny, _> = serde_json::from_str(text);
    syntax.map_err(|error| malformed(&error))?;
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| {
        let (path, found) = (error.path().to_string(), found_at(text, error.path()));
        let (error, path) = (error.into_inner(), path.trim_end_matches('.'));
        let message = syntax_message(&error);
        // The first pass finds neither unpaired surrogates nor numbers beyond `f64`.
        if error.is_syntax() && message != TOO_DEEP {
            return malformed(&error);
        }
        at(&error, problem(name, path, &message, &found))
    })
}

/// Returns the column at which the parser stopped, in characters from 1. `serde_json` counts bytes, and counts a line break as
/// column 0.
fn column_of(text: &str, error: &serde_json::Error) -> usize {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let before = &line[..line.floor_char_boundary(error.column())];
    let is_inside = before.len() < error.column().min(line.len());
    (before.chars().count() + usize::from(is_inside)).max(1)
}

/// Returns the message for a number that other programs write and JSON does not have.
fn no_number(text: &str, error: &serde_json::Error) -> Option<String> {
    let line = text.split('\n').nth(error.line().checked_sub(1)?)?;
    // The parser stops at the first letter of the word, or behind it.
    let from = line.floor_char_boundary(error.column().saturating_sub(2));
    let word = ["NaN", "Infinity"].into_iter().find(|word| {
        let found = line[from..].find(word);
        found.is_some_and(|at| at < 2)
    })?;
    Some(format!("`{word}` is not a number in JSON; write a finite number"))
}

/// Describes the value at a path.
fn found_at(text: &str, path: &Path) -> String {
    let value = path.iter().try_fold(text, |text, segment| match segment {
        Segment::Seq { index } => serde_json::from_str::<Vec<&RawValue>>(text).ok()?.get(*index).map(|raw| raw.get()),
        Segment::Map { key } => {
            serde_json::from_str::<HashMap<String, &RawValue>>(text).ok()?.get(key).map(|raw| raw.get())
        }
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    let value = value.unwrap_or(text).trim_ascii();
    match value.chars().next() {
        Some('{') => "an object".to_owned(),
        Some('[') => "a list".to_owned(),
        _ => format!("`{}`", short(value)),
    }
}

/// Reads decoded parameters as a documented query.
///
/// # Errors
/// Returns an error for a parameter that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse_query<T: DeserializeOwned>(parameters: &[(String, String)]) -> Result<T, Problem> {
    let pairs = parameters.iter().map(|(name, text)| (name.as_str(), Parameter(text)));
    serde_path_to_error::deserialize(MapDeserializer::<_, Error>::new(pairs)).map_err(|error| {
        let path = error.path().to_string();
        let text = parameters.iter().find(|(name, _)| *name == path).map_or("", |(_, text)| text);
        let (path, message) = (path.trim_end_matches('.'), error.inner().to_string());
        in_one_parameter(problem("query", path, &message, &format!("`{}`", short(text))), parameters)
    })
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

/// Splits a list in a query at the commas outside parentheses.
pub(crate) fn split_names(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{parse, split_names};
    use crate::api::problem::{Code, Document};
    use crate::api::types::{BatchLine, ChannelOrder};

    fn read(text: &str) -> BatchLine {
        parse(text.as_bytes(), None).unwrap()
    }

    fn refusal(text: &str) -> Document {
        let line: Result<BatchLine, _> = parse(text.as_bytes(), None);
        line.map(|line| panic!("{text}: {line:?}")).unwrap_err().document().clone()
    }

    #[test]
    fn integers_may_have_a_fraction_of_zero_or_an_exponent() {
        let line = read(
            r#"{"max_length": 14.0, "id": 7.0, "cubies": {"cp": [2.0, 0.3e1, 4e0, -0.0], "co": [], "ep": [], "eo": []}}"#,
        );
        assert_eq!((line.limits.max_length, line.cube.cubies.unwrap().cp), (Some(14), vec![2, 3, 4, 0]));
        // A number that is not an integer by its type stays as it was written.
        assert_eq!(serde_json::to_string(&line.id).unwrap(), "7.0");
        for exact in [(1 << 53) - 1, 4_470_070_024_745_030] {
            assert_eq!(read(&format!(r#"{{"time_limit_ms": {exact}.0}}"#)).limits.time_limit_ms, Some(exact));
        }
        assert_eq!(read(r#"{"max_length": null, "cubies": null}"#).limits.max_length, None);
    }

    #[test]
    fn numbers_that_are_not_exact_integers_are_refused() {
        for value in ["1.5", "1e300", "9007199254740993.0", "\"3\"", "-1.0", "4294967296"] {
            let document = refusal(&format!(r#"{{"cubies": {{"co": [0, {value}]}}}}"#));
            assert_eq!(document.detail, format!("`cubies.co[1]`: expected an integer from 0 to 2, found `{value}`."));
        }
        assert_eq!(refusal(r#"{"max_length": 1e999}"#).code, Code::MalformedJson);
    }

    #[test]
    fn an_enum_is_one_of_its_words() {
        assert_eq!(read(r#"{"channel_order": "bgr"}"#).cube.channel_order, Some(ChannelOrder::Bgr));
        for (value, expected) in [
            (r#""all""#, "expected `rgb` or `bgr`, found `\"all\"`"),
            (r#"{"rgb": null}"#, "expected a string, found an object"),
        ] {
            let detail = refusal(&format!(r#"{{"channel_order": {value}}}"#)).detail;
            assert_eq!(detail, format!("`channel_order`: {expected}."));
        }
    }

    #[test]
    fn an_object_is_not_given_as_a_list() {
        assert_eq!(refusal(r#"{"cubies": [[1]]}"#).detail, "`cubies`: expected an object, found a list.");
        assert_eq!(refusal("[]").detail, "Invalid body: expected an object, found a list.");
    }

    #[test]
    fn errors_have_a_path_and_a_place() {
        let place = |document: Document| (document.field.unwrap(), document.line.unwrap(), document.column.unwrap());
        assert_eq!(place(refusal("{\n \"cubies\": {\"cp\": [1,\n\"x\"]}}")), ("cubies.cp[1]".into(), 3, 3));
        assert_eq!(place(refusal("{\"id\": 1, \"x\": 1}")), ("x".into(), 1, 13));
        // Characters count, not bytes, and a line has no column before the first.
        assert_eq!(place(refusal("{\"id\": \"éé\", \"x\": 1}")), ("x".into(), 1, 16));
        for (text, line, column) in
            [("{", 1, 1), ("{\n", 2, 1), ("{\"id\":\n", 2, 1), ("\n\n{\n\n", 5, 1), ("{\"é\" 1}", 1, 6)]
        {
            let document = refusal(text);
            assert_eq!((document.line, document.column), (Some(line), Some(column)), "{text:?}");
            assert!(document.detail.ends_with(&format!("at line {line} column {column}.")), "{document:?}");
        }
        assert_eq!(place(refusal("{\"cubies\": {}}")), ("cubies.cp".into(), 1, 13));
        let twice = refusal("{\"cubies\": {\"cp\": [], \"cp\": []}}");
        assert_eq!((twice.code, twice.field.as_deref()), (Code::DuplicateField, Some("cubies.cp")));
        let unknown = refusal(r#"{"machine": {"actions": [{"turns": "R"}]}}"#);
        assert_eq!(unknown.field.as_deref(), Some("machine.actions[0].turns"));
        assert!(
            unknown.detail.starts_with("Unknown field `machine.actions[0].turns`; did you mean `turn`?"),
            "{unknown:?}"
        );
    }

    #[test]
    fn commas_inside_an_expression_do_not_split() {
        assert_eq!(split_names("twist, comp(flip,slice) ,x"), ["twist", "comp(flip,slice)", "x"]);
        assert_eq!(split_names("a),b"), ["a)", "b"]);
        assert_eq!(split_names(""), [""]);
    }
}
