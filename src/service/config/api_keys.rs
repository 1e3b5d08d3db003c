//! Keys of `[access]`: API keys and their limits.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use crate::service::access::keys::{KeyDigest, looks_like_key};

/// Section `[access]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// List of API keys. If it is empty, no key is required.
    pub keys: Vec<ApiKey>,
}

/// An API key and its limits. An absent limit defaults to the limit of an address in `[server]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `name` and `sha256`")]
pub struct ApiKey {
    /// Name of the key in logs: 1 to 40 letters, digits and `-_.`.
    pub name: String,
    /// SHA-256 of the key.
    #[serde(deserialize_with = "digest")]
    pub sha256: KeyDigest,
    /// Maximum number of requests per second; 0: no limit.
    #[serde(default, deserialize_with = "limit")]
    pub requests_per_second: Option<u32>,
    /// Maximum number of requests in a burst; 0: the number per second.
    #[serde(default, deserialize_with = "limit")]
    pub request_burst: Option<u32>,
    /// Maximum number of concurrent requests; 0: no limit.
    #[serde(default, deserialize_with = "limit")]
    pub max_requests: Option<u32>,
}

/// Maximum number of keys.
const MAX_KEYS: usize = 1000;
/// Largest value of each limit of a key.
const MAX_LIMIT: u32 = 1_000_000;

/// Returns whether `text` is a valid name for a key: 1 to 40 letters, digits and `-_.`. A key or a digest is longer, so it is never a valid name.
pub(crate) fn is_key_name(text: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=40).contains(&text.len()) && text.chars().all(is_valid)
}

/// Deserializes a digest. Errors do not repeat the text, because it may be a key.
fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KeyDigest, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let text = value.as_str().unwrap_or_default();
    KeyDigest::from_hex(text).ok_or_else(|| {
        Error::custom(if looks_like_key(text) {
            "this is an API key; write its SHA-256 instead, as `superflip key new` prints it, and make a new key because this one \
             was written down"
        } else {
            "expected the 64 hexadecimal digits of the SHA-256 of a key, as `superflip key new` prints them"
        })
    })
}

/// Deserializes a limit. Errors do not repeat the value, because it may be a key.
fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let number = Value::deserialize(deserializer)?.as_integer().and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| *number <= MAX_LIMIT);
    number.map(Some).ok_or_else(|| Error::custom(format!("expected an integer from 0 to {MAX_LIMIT}")))
}

impl Access {
    /// Returns a message about the first broken rule between the keys.
    pub(crate) fn violation(&self) -> Option<String> {
        let keys = &self.keys;
        if keys.len() > MAX_KEYS {
            return Some(format!("there are {} keys; at most {MAX_KEYS} are supported", keys.len()));
        }
        for (number, key) in keys.iter().enumerate() {
            if !is_key_name(&key.name) {
                return Some(format!("the name of key {} must be 1 to 40 letters, digits or -_.", number + 1));
            }
            if let Some(other) = keys[..number].iter().find(|other| other.name == key.name) {
                return Some(format!("two keys are named `{}`; rename one", other.name));
            }
            if let Some(other) = keys[..number].iter().find(|other| other.sha256 == key.sha256) {
                return Some(format!("`{}` and `{}` have the same sha256; remove one", other.name, key.name));
            }
        }
        None
    }
}

/// Parses the keys from an environment variable: `name:sha256`, then limits such as `:requests_per_second=5`, with commas
/// between keys. Errors do not repeat the text, because it may be a key.
///
/// A variable without a key is an error, because a secret that was not mounted must not turn authentication off.
pub(crate) fn parse_variable(text: &str) -> Result<Value, String> {
    let mut entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).peekable();
    if entries.peek().is_none() {
        return Err("it is set, but contains no key; write name:sha256, or unset it to require no key".to_owned());
    }
    let keys = entries.enumerate().map(|(number, entry)| {
        let mut parts = entry.split(':').map(str::trim);
        let (Some(name), Some(sha256)) = (parts.next(), parts.next()) else {
            return Err(format!("write key {} as name:sha256, with commas between keys", number + 1));
        };
        let mut key = Table::from_iter([("name", name), ("sha256", sha256)].map(|(k, v)| (k.to_owned(), v.into())));
        for part in parts {
            let limit = part.split_once('=').and_then(|(name, value)| Some((name, value.trim().parse::<i64>().ok()?)));
            let (limit, value) = limit.ok_or_else(|| {
                format!("write the limits of `{name}` as requests_per_second=5, with colons between them")
            })?;
            key.insert(limit.trim().to_owned(), value.into());
        }
        Ok(Value::Table(key))
    });
    keys.collect::<Result<_, _>>().map(Value::Array)
}
