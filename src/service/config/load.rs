//! Puts the sources of configuration on top of each other: defaults, a file, environment variables, flags.
//!
//! The configuration is read anew after each value that is added, so that a refusal always names the one source it
//! comes from. That costs microseconds and happens once.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

use config::builder::DefaultState;
use config::{ConfigBuilder, File, FileFormat, Source, Value, ValueKind};

use crate::service::config::Config;
use crate::service::config::access::keys_of_variable;
use crate::service::config::kubernetes::is_of_a_service;
use crate::service::did_you_mean::nearest;

/// The committed defaults, which are also the manual.
pub const DEFAULTS: &str = include_str!("../../../config/default.toml");

/// Every variable that is read starts so.
pub const ENVIRONMENT_PREFIX: &str = "SUPERFLIP_";

/// The variable that names a configuration file, as `--config` does.
pub const FILE_VARIABLE: &str = "SUPERFLIP_CONFIG";

/// Why a configuration was refused.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum ConfigError {
    /// The file cannot be read, or is not TOML.
    #[error("cannot read the configuration file {path}: {reason}", path = path.display())]
    File { path: PathBuf, reason: String },
    /// A key that does not exist.
    #[error("unknown key `{key}` in {origin}{hint}")]
    Unknown { key: String, origin: String, hint: String },
    /// A key whose value cannot be.
    #[error("invalid value for `{key}` in {origin}: {reason}")]
    Invalid { key: String, origin: String, reason: String },
}

/// One value given by a flag.
#[derive(Clone, Debug)]
pub struct Flag {
    /// The key, such as `server.listen`.
    pub key: &'static str,
    /// How the flag is written, such as `--listen`.
    pub flag: &'static str,
    /// Its value as written.
    pub value: String,
}

/// The configuration from the defaults, `file`, the variables of `environment` that start with `SUPERFLIP_`, and `flags`;
/// later ones win.
///
/// # Errors
/// An unreadable file, an unknown key, or an invalid value, each with the source that it comes from. What looks like an API key or
/// its digest is left out, wherever it was written by mistake.
pub fn load(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: &[Flag],
) -> Result<Config, ConfigError> {
    load_with_sources(file, environment, flags).map(|loaded| loaded.config)
}

/// A configuration, and where its values come from.
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// Every key with its value as it was given.
    pub(crate) values: Keys,
    /// The source of each value that is not a default.
    pub(crate) origins: BTreeMap<String, String>,
}

/// As [`load`], and keeps where each value comes from.
///
/// # Errors
/// As [`load`].
pub fn load_with_sources(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: &[Flag],
) -> Result<Loaded, ConfigError> {
    stack(file, environment, flags).map_err(|error| match error {
        ConfigError::File { path, reason } => ConfigError::File { path, reason: without_secrets(&reason) },
        ConfigError::Unknown { key, origin, hint } => {
            ConfigError::Unknown { key: without_secrets(&key), origin: without_secrets(&origin), hint }
        }
        ConfigError::Invalid { key, origin, reason } => {
            let (key, origin) = (without_secrets(&key), without_secrets(&origin));
            ConfigError::Invalid { key, origin, reason: without_secrets(&reason) }
        }
    })
}

/// The text with every long run of hexadecimal digits left out: keys and digests have 64, nothing else has nearly as many.
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

fn stack(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: &[Flag],
) -> Result<Loaded, ConfigError> {
    let defaults = File::from_str(DEFAULTS, FileFormat::Toml);
    let known =
        keys_of(&defaults).map_err(|reason| ConfigError::File { path: "config/default.toml".into(), reason })?;
    let mut builder = config::Config::builder().add_source(defaults);
    let mut last_source = "the defaults".to_owned();
    // Where the value in force comes from, of those that are not defaults.
    let mut origins: BTreeMap<String, String> = BTreeMap::new();
    let mut environment: Vec<_> =
        environment.into_iter().filter(|(name, _)| name.starts_with(ENVIRONMENT_PREFIX)).collect();
    environment.sort();

    let named = environment.iter().find(|(name, _)| name == FILE_VARIABLE).map(|(_, path)| PathBuf::from(path));
    if let Some(path) = file.map(Path::to_path_buf).or(named) {
        last_source = format!("the file {}", path.display());
        if let Err(error) = std::fs::metadata(&path) {
            return Err(ConfigError::File { path, reason: error.to_string() });
        }
        let source = File::from(path.as_path()).format(FileFormat::Toml).required(true);
        for (key, kind) in keys_of(&source).map_err(|reason| ConfigError::File { path, reason })? {
            check_given(key.clone(), &kind, &known, &last_source)?;
            origins.insert(key, last_source.clone());
        }
        builder = builder.add_source(source);
        read(&builder, &last_source)?;
    }
    let mut ignored_variables = Vec::new();
    for (name, value) in environment.into_iter().filter(|(name, _)| name != FILE_VARIABLE) {
        if is_of_a_service(&name) {
            ignored_variables.push(name);
            continue;
        }
        last_source = format!("the environment variable {name}");
        let key = name[ENVIRONMENT_PREFIX.len()..].to_lowercase().replace("__", ".");
        if !known.contains_key(&key) {
            return Err(unknown_variable(&name, key, &known));
        }
        builder = set(builder, &known, &key, value, &last_source)?;
        origins.insert(key, last_source.clone());
    }
    for Flag { key, flag, value } in flags {
        last_source = format!("the flag {flag}");
        builder = set(builder, &known, key, value.clone(), &last_source)?;
        origins.insert((*key).to_owned(), last_source.clone());
    }
    let mut config = read(&builder, &last_source)?;
    config.ignored_variables = ignored_variables;
    if let Some((key, reason)) = config.contradiction() {
        let origin = origins.remove(key).unwrap_or_else(|| "the defaults".into());
        // Two values contradict each other, and the reason names the other one.
        let other = origins.iter().find(|(key, _)| reason.contains(key.as_str()));
        let reason = other.map_or(reason.clone(), |(_, other)| format!("{reason}, as {other} has it"));
        return Err(ConfigError::Invalid { key: key.into(), origin, reason });
    }
    let values = builder.build().map_err(|error| error.to_string()).and_then(|merged| keys_of(&merged));
    let values = values.map_err(|reason| ConfigError::Invalid { key: String::new(), origin: last_source, reason })?;
    Ok(Loaded { config, values, origins })
}

fn set(
    builder: ConfigBuilder<DefaultState>,
    known: &Keys,
    key: &str,
    value: String,
    origin: &str,
) -> Result<ConfigBuilder<DefaultState>, ConfigError> {
    let invalid = |reason: String| ConfigError::Invalid { key: key.into(), origin: origin.into(), reason };
    let value: ValueKind = match key {
        "server.cors_allowed_origins" => {
            let items = value.split(',').map(str::trim).filter(|item| !item.is_empty());
            ValueKind::Array(items.map(|item| Value::from(item.to_owned())).collect())
        }
        "access.keys" => keys_of_variable(&value).map_err(invalid)?,
        _ if let Some(kind) = known.get(key).filter(|kind| !is_read_as(kind, &value)) => {
            let expected = match value.parse::<i128>() {
                Ok(..0) if matches!(kind, ValueKind::I64(_)) => "an integer of 0 or more",
                Ok(_) if matches!(kind, ValueKind::I64(_)) => "a smaller integer",
                _ => kind_name(kind),
            };
            return Err(invalid(format!("it is `{value}`, expected {expected}")));
        }
        _ => value.into(),
    };
    let builder = builder.set_override(key, value).map_err(|error| invalid(error.to_string()))?;
    read(&builder, origin)?;
    Ok(builder)
}

/// Whether the text of a variable is a number, where that is asked for; the `config` crate makes `true` one.
fn is_read_as(kind: &ValueKind, text: &str) -> bool {
    match kind {
        ValueKind::I64(_) => text.parse::<i64>().is_ok_and(|number| number >= 0),
        ValueKind::Float(_) => text.parse::<f64>().is_ok(),
        _ => true,
    }
}

fn read(builder: &ConfigBuilder<DefaultState>, origin: &str) -> Result<Config, ConfigError> {
    let config = builder.build_cloned().and_then(config::Config::try_deserialize::<Config>);
    let config = config.map_err(|error| {
        let (key, reason) = key_and_reason(&error);
        ConfigError::Invalid { key, origin: origin.into(), reason }
    })?;
    match config.out_of_limits() {
        Some((key, reason)) => Err(ConfigError::Invalid { key: key.into(), origin: origin.into(), reason }),
        None => Ok(config),
    }
}

fn key_and_reason(error: &config::ConfigError) -> (String, String) {
    match error {
        config::ConfigError::Type { unexpected, expected, key, .. } => {
            (path_of(key.as_deref().unwrap_or_default()), format!("{unexpected}, expected {expected}"))
        }
        config::ConfigError::At { error, key, .. } => {
            let (inner, reason) = key_and_reason(error);
            (key.as_deref().map_or(inner, path_of), reason)
        }
        config::ConfigError::NotFound(key) => (path_of(key), "it is missing".to_owned()),
        other => (String::new(), other.to_string()),
    }
}

/// The path of a value; the `config` crate leaves out the dot behind an index.
fn path_of(key: &str) -> String {
    key.split(']').enumerate().fold(String::new(), |path, (place, part)| match (place, part.starts_with(['.', '['])) {
        (0, _) => part.to_owned(),
        (_, true) => format!("{path}]{part}"),
        (_, false) if part.is_empty() => path + "]",
        (_, false) => format!("{path}].{part}"),
    })
}

/// A key of a file must be known, and its value of the kind that the default has: left to itself, the `config` crate makes
/// `threads = true` one thread and `threads = 1.7` two.
fn check_given(key: String, kind: &ValueKind, known: &Keys, origin: &str) -> Result<(), ConfigError> {
    match (known.get(&key), kind) {
        (Some(default), kind) if discriminant(default) == discriminant(kind) => Ok(()),
        (Some(ValueKind::Float(_)), ValueKind::I64(_)) => Ok(()),
        (Some(default), kind) => {
            let reason = format!("it is {}, expected {}", kind_name(kind), kind_name(default));
            Err(ConfigError::Invalid { key, origin: origin.to_owned(), reason })
        }
        (None, ValueKind::Table(_)) if known.keys().any(|name| name.split_once('.').is_some_and(|(t, _)| t == key)) => {
            Ok(())
        }
        _ => Err(unknown(key, origin.to_owned(), known)),
    }
}

fn kind_name(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::Nil => "nothing",
        ValueKind::Boolean(_) => "a boolean",
        ValueKind::I64(_) | ValueKind::I128(_) | ValueKind::U64(_) | ValueKind::U128(_) => "an integer",
        ValueKind::Float(_) => "a number with a fraction",
        ValueKind::String(_) => "a string",
        ValueKind::Table(_) => "a table",
        ValueKind::Array(_) => "an array",
    }
}

/// Values by their dotted names; a table stands for itself only when it is empty.
pub(crate) type Keys = BTreeMap<String, ValueKind>;

pub(crate) fn keys_of(source: &dyn Source) -> Result<Keys, String> {
    fn walk(path: String, value: Value, keys: &mut Keys) {
        match value.kind {
            ValueKind::Table(table) if !table.is_empty() => {
                for (name, value) in table {
                    walk(format!("{path}.{name}"), value, keys);
                }
            }
            kind => {
                keys.insert(path, kind);
            }
        }
    }
    let mut keys = Keys::new();
    for (name, value) in source.collect().map_err(|error| error.to_string())? {
        walk(name, value, &mut keys);
    }
    Ok(keys)
}

fn unknown(key: String, origin: String, known: &Keys) -> ConfigError {
    let hint = match nearest(&key, known.keys().map(String::as_str)) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => "; `superflip config` lists every key".to_owned(),
    };
    ConfigError::Unknown { key, origin, hint }
}

fn unknown_variable(name: &str, key: String, known: &Keys) -> ConfigError {
    let origin = format!("the environment variable {name}");
    match nearest(&key, known.keys().map(String::as_str)) {
        Some(name) => {
            let variable = name.to_uppercase().replace('.', "__");
            ConfigError::Unknown { key, origin, hint: format!("; did you mean {ENVIRONMENT_PREFIX}{variable}?") }
        }
        None => unknown(key, origin, known),
    }
}
