//! Writes the contract as YAML, in the part of YAML that [`super::JSON`] reads.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Maximum number of characters of a line with a collection. Texts may be longer.
const WIDTH: usize = 140;

/// Returns the YAML of a JSON document without white space.
pub(crate) fn from_json(json: &str) -> serde_json::Result<String> {
    let mut yaml = String::new();
    for (key, value) in serde_json::from_str::<Members>(json)?.0 {
        write(&mut yaml, &format!("{}:", word(&key)?), 0, &value)?;
    }
    Ok(yaml)
}

/// Members of an object in their order.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered;

        impl<'de> Visitor<'de> for Ordered {
            type Value = Members;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Ordered)
    }
}

/// Writes a value after `start`, which is the indentation and a key or dashes. Members of the value are indented by `indent` or more.
fn write(yaml: &mut String, start: &str, indent: usize, value: &RawValue) -> serde_json::Result<()> {
    let json = value.get();
    let flow = flow(json);
    let is_collection = flow.starts_with(['{', '[']) && flow.len() > 2;
    let has_lines = json.contains("\\n");
    if is_collection && (has_lines || start.chars().count() + 1 + flow.chars().count() > WIDTH) {
        if json.starts_with('[') {
            yaml.extend([start, "\n"]);
            for item in serde_json::from_str::<Vec<Box<RawValue>>>(json)? {
                write(yaml, &format!("{:indent$}-", ""), indent, &item)?;
            }
            return Ok(());
        }
        let deeper = indent + 2;
        // The first member of an item stands beside its dash.
        let mut margin = format!("{start} ");
        if !start.ends_with('-') {
            yaml.extend([start, "\n"]);
            margin = format!("{:deeper$}", "");
        }
        for (key, value) in serde_json::from_str::<Members>(json)?.0 {
            write(yaml, &format!("{margin}{}:", word(&key)?), deeper, &value)?;
            margin = format!("{:deeper$}", "");
        }
    } else if let Some(text) = literal(json) {
        yaml.extend([start, " |-\n"]);
        for line in text.lines() {
            if !line.is_empty() {
                yaml.extend(std::iter::repeat_n(' ', indent + 2));
            }
            yaml.extend([line, "\n"]);
        }
    } else {
        yaml.extend([start, " ", &flow, "\n"]);
    }
    Ok(())
}

/// Returns a key as a word or a JSON string.
fn word(key: &str) -> serde_json::Result<String> {
    serde_json::to_string(key).map(|json| scalar(&json).to_owned())
}

/// Returns a text of several lines that a literal block can express.
fn literal(json: &str) -> Option<String> {
    let text: String = serde_json::from_str(json).ok()?;
    let is_plain = text.chars().all(|character| character == '\n' || !character.is_control());
    (is_plain && text.contains('\n') && !text.starts_with([' ', '\n']) && !text.ends_with('\n')).then_some(text)
}

/// Returns JSON on one line, with spaces, and without the quotation marks of words.
fn flow(json: &str) -> String {
    let mut flow = String::new();
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { super::string(rest) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        match token {
            "," => flow.push_str(", "),
            ":" => flow.push_str(": "),
            _ if first == '"' => flow.push_str(scalar(token)),
            _ => flow.push_str(token),
        }
    }
    flow
}

/// Returns a JSON string without its quotation marks if it is a word that no YAML parser reads as something else.
fn scalar(json: &str) -> &str {
    /// Words that are no strings in YAML 1.1 or 1.2.
    const OTHER: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let word = json.trim_matches('"');
    let begins_well = word.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '$' | '/' | '_'));
    let is_plain = word.chars().all(|character| character.is_ascii_alphanumeric() || "$/_.-".contains(character));
    let is_word = begins_well && is_plain && !OTHER.contains(&word.to_ascii_lowercase().as_str());
    if is_word { word } else { json }
}
