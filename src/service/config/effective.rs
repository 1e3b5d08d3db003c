//! Prints the configuration in force as TOML, with the source of every value.

use std::fmt::Write as _;

use toml::Value;

use crate::service::config::load::Loaded;

/// Placeholder for an API key's digest. It is not a valid digest, so a copy of the output never opens a service.
const MASKED: &str = "[masked]";

impl Loaded {
    /// Returns every key with its value and, as a comment, its source. The text is a valid configuration file, unless there are API
    /// keys: their digests are masked.
    pub fn to_toml(&self) -> String {
        let mut out = String::from("# Every value in force, each with its source.\n");
        if !self.config.access.keys.is_empty() {
            out.push_str("# The digests of API keys are masked. Copy each sha256 from its source before you use this as a file.\n");
        }
        if !self.config.ignored_variables.is_empty() {
            let names = self.config.ignored_variables.join(", ");
            let _ = writeln!(out, "# Ignored, because Kubernetes sets them for a Service: {names}.");
        }
        for (section, values) in &self.values {
            let _ = writeln!(out, "\n[{section}]");
            for (name, value) in values.as_table().into_iter().flatten() {
                let key = format!("{section}.{name}");
                let source = self.sources.get(&key).map_or("the defaults", String::as_str);
                // Replace line breaks: a line break in a file name would end the comment.
                let source = source.replace(char::is_control, " ");
                let value = if key == "access.keys" { masked(value.clone()) } else { value.clone() };
                let _ = writeln!(out, "{name} = {value}  # {source}");
            }
        }
        out
    }
}

/// Returns the API keys with masked digests.
fn masked(mut keys: Value) -> Value {
    for key in keys.as_array_mut().into_iter().flatten() {
        if let Some(digest) = key.get_mut("sha256") {
            *digest = Value::from(MASKED);
        }
    }
    keys
}
