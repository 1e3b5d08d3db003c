//! The configuration in force, as a file: every value with the source that it comes from.

use std::fmt::Write as _;

use config::{Value, ValueKind};

use crate::service::config::access::Access;
use crate::service::config::load::{DEFAULTS, Keys, Loaded};

/// What stands for the SHA-256 of an API key. It is refused where it is given, so that a copy never opens a service.
const MASKED: &str = "[masked]";

impl Loaded {
    /// Every key with its value in force and, as a comment, its source: TOML that can be given with `--config`, unless there are
    /// API keys, whose digests are masked.
    pub fn to_toml(&self) -> String {
        let access = &self.config.access;
        let mut out = String::from("# Every value in force, each with its source.\n");
        if !access.keys.is_empty() {
            out.push_str("# The digests of API keys are masked. Copy each sha256 from its source before you use this as a file.\n");
        }
        if !self.config.ignored_variables.is_empty() {
            let names = self.config.ignored_variables.join(", ");
            let _ = writeln!(out, "# Ignored, because Kubernetes sets them for a Service: {names}.");
        }
        let defaults = defaults();
        for (section, key) in keys_in_order() {
            let Some(key) = key else {
                let _ = writeln!(out, "\n[{section}]");
                continue;
            };
            let path = format!("{section}.{key}");
            let value = if path == "access.keys" { keys(access) } else { self.value(&path, defaults.get(&path)) };
            let origin = self.origins.get(&path).map_or("the defaults", String::as_str);
            // A line break in the name of a file would end the comment.
            let origin = origin.replace(char::is_control, " ");
            let _ = writeln!(out, "{key} = {value}  # {origin}");
        }
        out
    }

    /// A value in TOML. What a variable or a flag gives is text, and the default tells what it is read as.
    fn value(&self, path: &str, default: Option<&ValueKind>) -> String {
        let given = self.values.get(path).cloned().unwrap_or(ValueKind::Nil);
        let given = Value::new(None, given);
        let written = match default {
            Some(ValueKind::Boolean(_)) => given.into_bool().map(|value| value.to_string()),
            Some(ValueKind::I64(_)) => given.into_int().map(|value| value.to_string()),
            Some(ValueKind::Float(_)) => given.into_float().map(|value| format!("{value:?}")),
            Some(ValueKind::Array(_)) => given.into_array().map(list),
            _ => given.into_string().map(|text| quoted(&text)),
        };
        // All of them were read when the configuration was.
        written.unwrap_or_default()
    }
}

fn defaults() -> Keys {
    let source = config::File::from_str(DEFAULTS, config::FileFormat::Toml);
    crate::service::config::load::keys_of(&source).unwrap_or_default()
}

/// Sections, each followed by its keys, in the order of the manual.
fn keys_in_order() -> Vec<(&'static str, Option<&'static str>)> {
    let mut section = "";
    let lines = DEFAULTS.lines().filter(|line| !line.starts_with('#'));
    let places = lines.filter_map(|line| match line.strip_prefix('[') {
        Some(name) => {
            section = name.trim_end_matches(']');
            Some((section, None))
        }
        None => line.split_once(" = ").map(|(key, _)| (section, Some(key))),
    });
    places.collect()
}

fn list(items: Vec<Value>) -> String {
    let items: Vec<String> = items.into_iter().filter_map(|item| item.into_string().ok()).collect();
    format!("[{}]", items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", "))
}

fn keys(access: &Access) -> String {
    let keys = access.keys.iter().map(|key| {
        let mut members = vec![format!("name = {}, sha256 = {}", quoted(&key.name), quoted(MASKED))];
        let limits = [
            ("requests_per_second", key.requests_per_second),
            ("request_burst", key.request_burst),
            ("max_requests", key.max_requests),
        ];
        members.extend(limits.iter().filter_map(|(name, limit)| Some(format!("{name} = {}", (*limit)?))));
        format!("{{ {} }}", members.join(", "))
    });
    let keys: Vec<String> = keys.collect();
    if keys.is_empty() { "[]".into() } else { format!("[\n    {},\n]", keys.join(",\n    ")) }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
