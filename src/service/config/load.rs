//! Merges the layers of the configuration: the defaults, a file, environment variables and flags. Later layers win.
//!
//! Each layer is checked key by key against the defaults, so that an error names the layer it comes from. The merged table is then
//! deserialized once, and all failing keys are reported together.
//!
//! The crates figment 0.10 and config 0.15 were tried in November 2026. Either would replace at most 60 of the 369 lines here: the merge and
//! the sources of values. Both report only the first failing key. figment names no variable, and config no file for an unknown key; both name
//! the line of an error of syntax only, as here. Neither masks secrets or suggests a name. figment reads the variable `8080` as a number where
//! a text is expected, and brings a second version of `toml`. So neither is used.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::service::config::Config;
use crate::service::config::api_keys::parse_variable;
use crate::service::config::limits::{RuleViolation, integer_range};
use crate::service::nearest;

/// Default configuration. The comments in this file document every key.
pub const DEFAULTS: &str = include_str!("../../../config/default.toml");

/// Prefix of the environment variables that set keys.
pub(crate) const ENVIRONMENT_PREFIX: &str = "SUPERFLIP_";

/// Prefix of the environment variables of `superflip-jobs`, which has no keys here. Both programs may run in one environment.
const JOBS_PREFIX: &str = "SUPERFLIP_JOBS__";

/// Environment variable that names a configuration file. Equivalent to `--config`.
const FILE_VARIABLE: &str = "SUPERFLIP_CONFIG";

/// All errors in a configuration, one message per key. No message repeats an API key or a digest.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct ConfigError(Vec<String>);

/// One value given by a command-line flag.
#[derive(Clone, Debug)]
pub struct Flag {
    /// Configuration key, such as `server.listen`.
    pub key: &'static str,
    /// Name of the flag, such as `--listen`.
    pub flag: &'static str,
    /// Value as written.
    pub value: String,
}

/// A configuration together with the source of each value.
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// All values in the order of the defaults.
    pub(crate) values: Table,
    /// Source of each value that is not a default, by key.
    pub(crate) sources: BTreeMap<String, String>,
}

/// Loads the configuration from the defaults, `file`, the variables of `environment` that start with `SUPERFLIP_`, and `flags`.
///
/// # Errors
/// Returns an error for an unreadable file, and for unknown keys and invalid values, each with its source.
pub fn load(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: &[Flag],
) -> Result<Config, ConfigError> {
    load_with_sources(file, environment, flags).map(|loaded| loaded.config)
}

/// Loads the configuration as [`load`] does, and keeps the source of each value.
///
/// # Errors
/// Returns the errors of [`load`].
pub fn load_with_sources(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: &[Flag],
) -> Result<Loaded, ConfigError> {
    let own = environment
        .into_iter()
        .filter(|(name, _)| name.starts_with(ENVIRONMENT_PREFIX) && !name.starts_with(JOBS_PREFIX));
    let environment: BTreeMap<_, _> = own.collect();
    let mut layers = Layers::default();
    let named = environment.get(FILE_VARIABLE).map(PathBuf::from);
    if let Some(path) = file.map(Path::to_path_buf).or(named) {
        layers.add_file(&path);
    }
    let mut ignored_variables = Vec::new();
    for (name, text) in environment.into_iter().filter(|(name, _)| name != FILE_VARIABLE) {
        if is_service_variable(&name) {
            ignored_variables.push(name);
        } else {
            layers.add_variable(&name, &text);
        }
    }
    for Flag { key, flag, value } in flags {
        layers.set_text(key, value, &format!("the flag {flag}"));
    }
    layers.finish(ignored_variables)
}

/// The layers merged so far, and their errors.
struct Layers {
    defaults: Table,
    merged: Table,
    sources: BTreeMap<String, String>,
    errors: Vec<String>,
}

impl Default for Layers {
    fn default() -> Self {
        let mut errors = Vec::new();
        let defaults = parse(DEFAULTS, Path::new("config/default.toml")).unwrap_or_else(|error| {
            errors.push(error);
            Table::new()
        });
        Self { merged: defaults.clone(), defaults, sources: BTreeMap::new(), errors }
    }
}

impl Layers {
    fn add_file(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error));
        let sections = match text.and_then(|text| parse(&text, path)) {
            Ok(sections) => sections,
            Err(error) => return self.errors.push(error),
        };
        let source = format!("the file {}", path.display());
        for (section, values) in sections {
            match (self.defaults.get(&section), values) {
                (None, _) => self.unknown(&section, &source),
                (Some(_), Value::Table(values)) => {
                    for (name, value) in values {
                        self.set(&format!("{section}.{name}"), value, &source);
                    }
                }
                (Some(default), value) => {
                    let reason = format!("it is {}, expected {}", type_name(&value), type_name(default));
                    self.invalid(&section, &source, &reason);
                }
            }
        }
    }

    fn add_variable(&mut self, name: &str, text: &str) {
        let key = name[ENVIRONMENT_PREFIX.len()..].to_lowercase().replace("__", ".");
        self.set_text(&key, text, &format!("the environment variable {name}"));
    }

    /// Sets a key to a value that was written as text. The type of the default decides how the text is read.
    fn set_text(&mut self, key: &str, text: &str, source: &str) {
        let Some(default) = value_at(&self.defaults, key) else { return self.unknown(key, source) };
        match value_of_text(key, default, text) {
            Ok(value) => self.set(key, value, source),
            Err(reason) => self.invalid(key, source, &reason),
        }
    }

    fn set(&mut self, key: &str, value: Value, source: &str) {
        let Some(default) = value_at(&self.defaults, key) else { return self.unknown(key, source) };
        match checked(key, default, value) {
            Ok(value) => {
                self.replace(key, value);
                self.sources.insert(key.to_owned(), source.to_owned());
            }
            Err(reason) => self.invalid(key, source, &reason),
        }
    }

    /// Deserializes the merged table and checks the rules between its values.
    fn finish(mut self, ignored_variables: Vec<String>) -> Result<Loaded, ConfigError> {
        let config: Option<Config> = loop {
            let error = match serde_path_to_error::deserialize(self.merged.clone()) {
                Ok(config) => break Some(config),
                Err(error) => error,
            };
            // Deserialization stops at the first error. The failing key is reset to its default to find the next one.
            let path = error.path().to_string();
            let key = path.split('[').next().unwrap_or_default().to_owned();
            let reason = plain(error.inner().message());
            self.invalid(&path, &self.source(&key), &reason);
            match (self.sources.remove(&key), value_at(&self.defaults, &key).cloned()) {
                (Some(_), Some(default)) => self.replace(&key, default),
                _ => break None,
            }
        };
        let Some(mut config) = config.filter(|_| self.errors.is_empty()) else { return Err(ConfigError(self.errors)) };
        for RuleViolation { key, reason, other } in config.violations() {
            // The reason ends with the value of the other key. Append the source of that value.
            let other = other.and_then(|other| self.sources.get(other));
            let reason = other.map_or(reason.clone(), |other| format!("{reason}, as set by {other}"));
            self.invalid(key, &self.source(key), &reason);
        }
        if !self.errors.is_empty() {
            return Err(ConfigError(self.errors));
        }
        config.ignored_variables = ignored_variables;
        Ok(Loaded { config, values: self.merged, sources: self.sources })
    }

    fn replace(&mut self, key: &str, value: Value) {
        let (section, name) = key.split_once('.').unwrap_or_default();
        if let Some(slot) = self.merged.get_mut(section).and_then(|section| section.get_mut(name)) {
            *slot = value;
        }
    }

    fn source(&self, key: &str) -> String {
        self.sources.get(key).cloned().unwrap_or_else(|| "the defaults".to_owned())
    }

    fn invalid(&mut self, key: &str, source: &str, reason: &str) {
        self.errors.push(without_secrets(&format!("invalid value for `{key}` in {source}: {reason}")));
    }

    fn unknown(&mut self, key: &str, source: &str) {
        let is_variable = source.starts_with("the environment variable");
        let spelled = |section: &str, name: &str| {
            let variable = || format!("{ENVIRONMENT_PREFIX}{section}__{name}").to_uppercase();
            if is_variable { variable() } else { format!("`{section}.{name}`") }
        };
        let (section, name) = key.split_once('.').unwrap_or((key, ""));
        let names = self.defaults.get(section).and_then(Value::as_table);
        if let (Some(first), "") = (names.and_then(|names| names.keys().next()), name) {
            let said = if key.ends_with('.') {
                format!("the name of the setting is missing in {source}, after the section `{section}`")
            } else {
                format!("{source} names the section `{section}`, not a key")
            };
            let such = spelled(section, first);
            return self
                .errors
                .push(format!("{said}; set one of its keys, such as {such}; `superflip config` lists them"));
        }
        // TOML reads a key in quotation marks as one name.
        let quoted = [key, name].into_iter().find(|key| value_at(&self.defaults, key).is_some());
        if let (Some((section, name)), false) = (quoted.and_then(|key| key.split_once('.')), is_variable) {
            let hint = format!("write `{name}` below `[{section}]`, without quotation marks");
            return self.errors.push(format!("unknown key `{key}` in {source}; {hint}"));
        }
        let keys: Vec<String> = keys(&self.defaults).collect();
        // In a section that exists, only its own keys are near: the name of the section alone would make each of them similar.
        let near = if let Some(names) = names {
            nearest(name, names.keys().map(String::as_str)).map(|near| (section, near))
        } else {
            nearest(key, keys.iter().map(String::as_str)).and_then(|near| near.split_once('.'))
        };
        let near = near.map(|(section, name)| spelled(section, name));
        let hint = near.map_or("`superflip config` lists every key".to_owned(), |near| format!("did you mean {near}?"));
        self.errors.push(without_secrets(&format!("unknown key `{key}` in {source}; ")) + &hint);
    }
}

/// Returns whether Kubernetes sets a variable of this name in every pod, for a Service that is called `superflip` or begins with it.
///
/// Configuration variables contain `__`; service variables never do, because a Service name becomes capitals, digits and single `_`.
fn is_service_variable(name: &str) -> bool {
    let is_of_port = name.ends_with("_PORT") || name.contains("_SERVICE_PORT_");
    let is_link = name.contains("_PORT_") && (name.contains("_TCP") || name.contains("_UDP"));
    !name.contains("__") && (name.ends_with("_SERVICE_HOST") || is_of_port || is_link)
}

fn parse(text: &str, path: &Path) -> Result<Table, String> {
    text.parse().map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, reason: &dyn std::fmt::Display) -> String {
    let reason = reason.to_string();
    without_secrets(&format!("cannot read the configuration file {}: {}", path.display(), reason.trim_end()))
}

fn value_at<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    let (section, name) = key.split_once('.')?;
    table.get(section)?.get(name)
}

/// Iterates over all keys, such as `server.listen`.
fn keys(table: &Table) -> impl Iterator<Item = String> {
    let sections = table.iter().filter_map(|(section, values)| Some((section, values.as_table()?)));
    sections.flat_map(|(section, values)| values.keys().map(move |name| format!("{section}.{name}")))
}

/// Reads the text of a variable or a flag as a value of the same type as the default.
fn value_of_text(key: &str, default: &Value, text: &str) -> Result<Value, String> {
    let value = match default {
        Value::Array(_) if key == "access.keys" => return parse_variable(text),
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Some(Value::Array(items.map(Value::from).collect()))
        }
        Value::Integer(_) => text.parse().ok().map(Value::Integer),
        Value::Float(_) => text.parse().ok().map(Value::Float),
        Value::Boolean(_) => match text.to_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Some(Value::Boolean(true)),
            "false" | "off" | "no" | "0" => Some(Value::Boolean(false)),
            _ => None,
        },
        _ => Some(Value::from(text)),
    };
    value.ok_or_else(|| format!("it is `{text}`, expected {}", expected(key, default)))
}

/// Returns the value if it has the type of the default, and an integer is in range.
fn checked(key: &str, default: &Value, value: Value) -> Result<Value, String> {
    match (default, value) {
        #[allow(clippy::cast_precision_loss)] // such numbers are refused later
        (Value::Float(_), Value::Integer(number)) => Ok(Value::Float(number as f64)),
        (Value::Integer(_), Value::Integer(number)) if !integer_range(key).contains(&number) => {
            Err(format!("it is `{number}`, expected {}", expected(key, default)))
        }
        (default, value) if default.same_type(&value) => Ok(value),
        (default, value) => Err(format!("it is {}, expected {}", type_name(&value), expected(key, default))),
    }
}

fn expected(key: &str, default: &Value) -> String {
    match default {
        Value::Integer(_) => {
            let range = integer_range(key);
            format!("an integer from {} to {}", range.start(), range.end())
        }
        other => type_name(other).to_owned(),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a string",
        Value::Integer(_) => "an integer",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "a boolean",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "an array",
        Value::Table(_) => "a table",
    }
}

/// Rewrites a message of serde in the vocabulary of TOML.
fn plain(message: &str) -> String {
    let message = message.trim_end();
    let type_error = message.strip_prefix("invalid type: ").map(|rest| format!("it is the {rest}"));
    type_error.unwrap_or_else(|| message.replace("unknown variant", "unknown value").replace("field `", "key `"))
}

/// Masks long runs of hexadecimal digits in `text`. API keys and digests have 64 hexadecimal digits; other values have far fewer.
fn without_secrets(text: &str) -> String {
    const SUSPICIOUS: usize = 32;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        let run = rest[start..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len() - start);
        out.push_str(&rest[..start]);
        out.push_str(if run < SUSPICIOUS { &rest[start..start + run] } else { "[left out]" });
        rest = &rest[start + run..];
    }
    out + rest
}

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
