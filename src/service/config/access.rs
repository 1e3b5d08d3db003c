//! Keys of `[access]`: who may ask, and how much.

use std::collections::HashMap;

use config::{Value, ValueKind};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use crate::service::access::keys::{KeyDigest, is_like_a_key};
use crate::service::config::Server;

/// Keys of `[access]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// API keys; with none of them everybody may ask.
    pub keys: Vec<Key>,
}

/// An API key and its limits; those that are absent are those of an address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// What logs call it: 1 to 40 letters, digits and `-_.`.
    pub name: String,
    /// The SHA-256 of the key.
    #[serde(deserialize_with = "digest")]
    pub sha256: KeyDigest,
    /// Requests per second; 0: as many as it likes.
    #[serde(default, deserialize_with = "number")]
    pub requests_per_second: Option<u32>,
    /// Requests at once after a pause; 0: as many as per second.
    #[serde(default, deserialize_with = "number")]
    pub request_burst: Option<u32>,
    /// Requests under way at once; 0: as many as it likes.
    #[serde(default, deserialize_with = "number")]
    pub max_requests: Option<u32>,
}

/// Most keys.
const MOST_KEYS: usize = 1000;
/// Most requests per second, in a burst, or at once.
const MOST_REQUESTS: u32 = 1_000_000;

/// Whether a key may be called so: 1 to 40 letters, digits and `-_.`, too few for a key or its digest.
pub fn is_key_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=40).contains(&text.len()) && text.chars().all(fits)
}

fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KeyDigest, D::Error> {
    let text = String::deserialize(deserializer)?;
    // What was given is not repeated: it may be a key.
    KeyDigest::from_hex(&text).ok_or_else(|| {
        Error::custom(if is_like_a_key(&text) {
            "this is a key itself; give its SHA-256, as `superflip key new` prints it, and make a new key, for this one was \
             written down"
        } else {
            "it must be the 64 hexadecimal digits of the SHA-256 of a key, as `superflip key new` prints them"
        })
    })
}

/// A whole number and nothing that the `config` crate would make one of, such as `true`.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    struct Whole;

    impl Visitor<'_> for Whole {
        type Value = u32;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a whole number from 0 to {MOST_REQUESTS}")
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
            let fits = u32::try_from(number).ok().filter(|number| *number <= MOST_REQUESTS);
            fits.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Signed(number), &self))
        }
    }

    deserializer.deserialize_any(Whole).map(Some)
}

impl Access {
    /// The rule that the keys break, if they do.
    pub(crate) fn out_of_limits(&self) -> Option<String> {
        let keys = &self.keys;
        if keys.len() > MOST_KEYS {
            return Some(format!("there may be at most {MOST_KEYS} keys"));
        }
        for (number, key) in keys.iter().enumerate() {
            if !is_key_name(&key.name) {
                return Some(format!("the name of key {} must be 1 to 40 letters, digits or -_.", number + 1));
            }
            if let Some(other) = keys[..number].iter().find(|other| other.name == key.name) {
                return Some(format!("two keys are called `{}`", other.name));
            }
            if let Some(other) = keys[..number].iter().find(|other| other.sha256 == key.sha256) {
                return Some(format!("`{}` and `{}` have one sha256", other.name, key.name));
            }
        }
        None
    }

    /// The rule that the limits of a key break, with what it has from those of addresses.
    pub(crate) fn contradiction(&self, server: &Server) -> Option<String> {
        let is_wrong = |key: &&Key| {
            let (rate, burst) = key.rate(server);
            burst < rate
        };
        let key = self.keys.iter().find(is_wrong)?;
        Some(format!("of `{}`, request_burst must be 0 or at least requests_per_second", key.name))
    }
}

impl Key {
    /// Requests per second (0: no limit) and requests in a burst.
    pub fn rate(&self, server: &Server) -> (u32, u32) {
        let rate = self.requests_per_second.unwrap_or(server.requests_per_second);
        // A burst of addresses is meant for their rate.
        let inherited = if self.requests_per_second.is_some() { 0 } else { server.request_burst };
        rate_and_burst(rate, self.request_burst.unwrap_or(inherited))
    }

    /// Requests under way at once; 0: as many as it likes.
    pub fn max_requests(&self, server: &Server) -> usize {
        self.max_requests.map_or(server.max_requests_per_client, |most| most as usize)
    }
}

/// Both, where a burst of 0 stands for as many as per second.
pub(crate) const fn rate_and_burst(rate: u32, burst: u32) -> (u32, u32) {
    (rate, if burst == 0 { rate } else { burst })
}

/// The keys as an environment variable writes them: `name:sha256`, then limits as `:requests_per_second=5`, keys separated by
/// commas.
///
/// # Errors
/// What is missing; what was given is not repeated, for it may be a key.
pub(crate) fn keys_of_variable(text: &str) -> Result<ValueKind, String> {
    let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let keys = entries.enumerate().map(|(number, entry)| {
        let mut parts = entry.split(':').map(str::trim);
        let (Some(name), Some(sha256)) = (parts.next(), parts.next()) else {
            return Err(format!("key {} must be written name:sha256, keys separated by commas", number + 1));
        };
        let given = [("name", name), ("sha256", sha256)];
        let mut key: HashMap<String, Value> =
            given.into_iter().map(|(member, text)| (member.to_owned(), text.into())).collect();
        for part in parts {
            let limit =
                part.split_once('=').and_then(|(limit, value)| Some((limit, value.trim().parse::<i64>().ok()?)));
            let (limit, value) = limit.ok_or_else(|| {
                format!("the limits of `{name}` must be written like requests_per_second=5, separated by colons")
            })?;
            key.insert(limit.trim().to_owned(), value.into());
        }
        Ok(Value::from(key))
    });
    keys.collect::<Result<_, _>>().map(ValueKind::Array)
}
