//! The contract: an `OpenAPI` document of every route and its schemas.
//!
//! The document is generated from the handlers and the wire types, and committed as `openapi.yaml`. The service serves that file, so only
//! its generator needs utoipa, which the feature `contract` adds. Tests with that feature compare the file with the code. [`JSON`] is
//! derived from it at the first request.
//!
//! `openapi.yaml` is written in a small part of YAML, so that this takes a page of code and no YAML parser: block collections with an
//! indentation of two spaces, literal texts (`|-`), and flow values on one line, in which each scalar is a word, a number or a JSON
//! string. A word is a string, except `true`, `false` and `null`.

#[cfg(feature = "contract")]
pub(crate) mod generate;
#[cfg(feature = "contract")]
mod problems;
#[cfg(feature = "contract")]
mod yaml;

pub(crate) use crate::contract::path;
#[cfg(feature = "contract")]
pub(crate) use problems::*;

use std::iter::Peekable;
use std::sync::LazyLock;

/// The committed contract.
pub const YAML: &str = include_str!("../../../openapi.yaml");
/// The same document as JSON.
pub static JSON: LazyLock<String> = LazyLock::new(|| from_yaml(YAML));
/// The version of the contract, which is that of the program.
pub const VERSION: &str = crate::service::VERSION;
/// The command that writes the file.
pub const REGENERATE: &str = "cargo test -p superflip-telemetry-tests contract::write -- --ignored";

/// Lines with their indentation.
type Lines<'a> = Peekable<std::vec::IntoIter<(usize, &'a str)>>;

/// Returns the document as JSON without white space.
fn from_yaml(yaml: &str) -> String {
    let lines: Vec<_> = yaml.lines().map(indented).collect();
    let mut json = String::with_capacity(yaml.len());
    block(&mut lines.into_iter().peekable(), &mut json);
    json
}

/// Separates the indentation of a line.
fn indented(line: &str) -> (usize, &str) {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len(), text)
}

/// Writes the collection that begins with the next line.
fn block(lines: &mut Lines<'_>, json: &mut String) {
    let Some(&(indent, first)) = lines.peek() else { return };
    if first.starts_with("- ") {
        list(lines, indent, json);
    } else {
        let first = lines.next();
        map(first, lines, indent, json);
    }
}

fn list(lines: &mut Lines<'_>, indent: usize, json: &mut String) {
    json.push('[');
    let mut separator = "";
    while let Some((_, line)) = lines.next_if(|(depth, line)| *depth == indent && line.starts_with("- ")) {
        json.push_str(separator);
        separator = ",";
        let item = &line[2..];
        if member(item).is_some() {
            // The first member of a map stands beside the dash.
            map(Some((indent + 2, item)), lines, indent + 2, json);
        } else {
            value(item, lines, indent, json);
        }
    }
    json.push(']');
}

fn map<'a>(first: Option<(usize, &'a str)>, lines: &mut Lines<'a>, indent: usize, json: &mut String) {
    json.push('{');
    let mut next = first;
    let mut separator = "";
    while let Some((key, text)) = next.and_then(|(_, line)| member(line)) {
        json.push_str(separator);
        separator = ",";
        flow(key, json);
        json.push(':');
        value(text, lines, indent, json);
        next = lines.next_if(|(depth, line)| *depth == indent && !line.starts_with("- "));
    }
    json.push('}');
}

/// Separates the key of a member from the text of its value. Returns `None` for a line that is no member.
fn member(line: &str) -> Option<(&str, &str)> {
    let end = if line.starts_with('"') { string(line) } else { line.find([':', '{', '[', '"'])? };
    let text = line[end..].strip_prefix(':')?;
    Some((&line[..end], text.trim_start()))
}

/// Writes a value. `text` is the part of it on the line of its key or dash, and `indent` the indentation of that line.
fn value(text: &str, lines: &mut Lines<'_>, indent: usize, json: &mut String) {
    match text {
        "" => block(lines, json),
        "|-" => literal(lines, indent + 2, json),
        _ => flow(text, json),
    }
}

/// Writes a text of several lines, which are indented at least as far as `indent`.
fn literal(lines: &mut Lines<'_>, indent: usize, json: &mut String) {
    let mut text = String::new();
    while let Some((depth, line)) = lines.next_if(|(depth, line)| *depth >= indent || line.is_empty()) {
        text.extend(std::iter::repeat_n(' ', depth.saturating_sub(indent)));
        text.push_str(line);
        text.push('\n');
    }
    json.push_str(&serde_json::Value::from(text.trim_end_matches('\n')).to_string());
}

/// Writes a value on one line: JSON in which words need no quotation marks.
fn flow(text: &str, json: &mut String) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string(rest),
            '{' | '}' | '[' | ']' | ',' | ':' | ' ' => 1,
            _ => rest.find(['{', '}', '[', ']', ',', ':', ' ', '"']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        let is_word = first.is_ascii_alphabetic() || matches!(first, '$' | '/' | '_');
        if is_word && !matches!(token, "true" | "false" | "null") {
            json.extend(["\"", token, "\""]);
        } else if token != " " {
            json.push_str(token);
        }
    }
}

/// Returns the length of the JSON string at the beginning of the text.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return at + 1,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}
