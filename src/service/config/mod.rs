//! Everything that can be configured; [`config_limits`](crate::service::config::limits) has the limits of each value.
//!
//! The defaults are not written here but in `config/default.toml`, which is also the manual; [`load`]
//! puts the sources on top of each other.

pub mod access;
pub mod effective;
pub mod kubernetes;
pub mod limits;
pub mod listen;
pub mod load;
mod origins;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer};

use crate::service::config::access::Access;
use crate::service::config::listen::Listen;
use crate::tables::Profile;
use crate::tables::optimal::Size;

/// Everything that can be configured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The HTTP server.
    pub server: Server,
    /// Who may ask.
    pub access: Access,
    /// The precomputed tables.
    pub tables: Tables,
    /// The searches.
    pub search: Search,
    /// Answers that are proven shortest.
    pub optimal: Optimal,
    /// The coordinates.
    pub coords: Coords,
    /// The log.
    pub log: Log,
    /// The spans.
    pub telemetry: Telemetry,
    /// Not a key: the variables that Kubernetes sets for its Services, which were ignored.
    #[serde(skip)]
    pub ignored_variables: Vec<String>,
}

/// Keys of `[server]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Address, or host name, and port.
    #[serde(deserialize_with = "listen")]
    pub listen: Listen,
    /// Longest request body.
    pub body_limit_bytes: usize,
    /// Time for the head of a request, and for an idle connection.
    pub header_timeout_ms: u64,
    /// Time for the whole body.
    pub body_timeout_ms: u64,
    /// Time for a request in all.
    pub request_timeout_ms: u64,
    /// Time for open requests after a signal to stop.
    pub drain_timeout_ms: u64,
    /// Time that a client may take nothing of an answer.
    pub write_timeout_ms: u64,
    /// Connections served at once.
    pub max_connections: usize,
    /// Connections of one address; 0: as many as it likes.
    pub max_connections_per_client: usize,
    /// Requests of one client at once; 0: as many as it likes.
    pub max_requests_per_client: usize,
    /// Requests of one client per second; 0: as many as it likes.
    pub requests_per_second: u32,
    /// Requests of one client at once after a pause; 0: as many as per second.
    pub request_burst: u32,
    /// Time that a batch may stand still.
    pub batch_idle_timeout_ms: u64,
    /// Origins for CORS; empty: off.
    pub cors_allowed_origins: Vec<String>,
    /// Whether answers are compressed.
    pub compression: bool,
}

/// Keys of `[tables]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Folder; `None`: the platform's cache folder.
    #[serde(deserialize_with = "folder")]
    pub dir: Option<PathBuf>,
    /// Which set.
    #[serde(deserialize_with = "profile")]
    pub profile: Profile,
    /// Time from one look for damage at the tables in use to the next; 0: none.
    pub check_interval_ms: u64,
    /// What becomes of tables that do not fit into the memory of this process.
    #[serde(deserialize_with = "when_short")]
    pub when_memory_is_short: WhenShort,
}

/// What becomes of tables that do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenShort {
    /// The service does not start.
    Refuse,
    /// It does without a table for optimal answers, then with the small tables.
    FallBack,
    /// They are loaded all the same.
    GoOn,
}

/// Keys of `[search]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Searches at once; 0: one per core.
    pub threads: usize,
    /// Requests that may wait.
    pub queue_length: usize,
    /// Longest `time_limit_ms` of a search that is short whatever it looks for.
    pub short_time_limit_ms: u64,
    /// Long jobs at once; 0: one per core.
    pub long_threads: usize,
    /// Long jobs that may wait.
    pub long_queue_length: usize,
    /// Batches at once.
    pub batch_threads: usize,
    /// Batches that may wait.
    pub batch_queue_length: usize,
    /// Largest `threads` of a request; 0: as many as there are.
    pub max_threads_per_solve: usize,
    /// `target_length` of a request that names none.
    pub default_target_length: u8,
    /// `time_limit_ms` of a request that names none.
    pub default_time_limit_ms: u64,
    /// Largest `time_limit_ms`.
    pub max_time_limit_ms: u64,
}

/// Keys of `[optimal]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimal {
    /// The table; `None`: off.
    #[serde(deserialize_with = "size")]
    pub table: Option<Size>,
    /// Threads for optimal searches in all; 0: one per core.
    pub threads: usize,
    /// `time_limit_ms` of an optimal request that names none.
    pub default_time_limit_ms: u64,
    /// Largest `time_limit_ms` of an optimal request.
    pub max_time_limit_ms: u64,
}

/// Keys of `[coords]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coords {
    /// Most values of a composed space.
    pub max_space_values: u64,
    /// Bytes of all spaces that are kept.
    pub cache_bytes: u64,
}

/// Keys of `[log]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// How lines look.
    #[serde(deserialize_with = "log_format")]
    pub format: LogFormat,
    /// Which lines are written.
    pub filter: String,
}

/// Keys of `[telemetry]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// Where spans are sent, without `/v1/traces`; empty: nowhere, unless a variable of OpenTelemetry says so.
    pub otlp_endpoint: String,
    /// How many of the traces that begin here are sent, 0 to 1.
    pub sample_ratio: f64,
}

/// How log lines look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// Pretty on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Pretty,
    /// For machines, one object a line.
    Json,
}

/// One of several words.
fn one_of<'de, D: Deserializer<'de>, T: Copy>(deserializer: D, words: &[(&str, T)]) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        serde::de::Error::custom(format!("`{text}` is none of {}", known.join(", ")))
    })
}

fn when_short<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WhenShort, D::Error> {
    let words = [("refuse", WhenShort::Refuse), ("fall_back", WhenShort::FallBack), ("go_on", WhenShort::GoOn)];
    one_of(deserializer, &words)
}

fn log_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<LogFormat, D::Error> {
    one_of(deserializer, &[("auto", LogFormat::Auto), ("pretty", LogFormat::Pretty), ("json", LogFormat::Json)])
}

fn listen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Listen, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

fn folder<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok((!text.is_empty()).then(|| PathBuf::from(text)))
}

fn profile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Profile, D::Error> {
    let text = String::deserialize(deserializer)?;
    Profile::ALL
        .into_iter()
        .find(|profile| profile.name() == text)
        .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is neither `standard` nor `small`")))
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Size>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let found = Size::ALL.into_iter().find(|size| size.name() == text);
    if found.is_none() && text != "off" {
        return Err(serde::de::Error::custom(format!("`{text}` is none of `off`, `s`, `m`, `l` and `xl`")));
    }
    Ok(found)
}

impl Server {
    /// Time for the head of a request.
    pub fn header_timeout(&self) -> Duration {
        Duration::from_millis(self.header_timeout_ms)
    }

    /// Time for the whole body.
    pub fn body_timeout(&self) -> Duration {
        Duration::from_millis(self.body_timeout_ms)
    }

    /// Time for a request in all.
    pub fn request_timeout(&self) -> Duration {
        Duration::from_millis(self.request_timeout_ms)
    }

    /// Time that a client may take nothing of an answer.
    pub fn write_timeout(&self) -> Duration {
        Duration::from_millis(self.write_timeout_ms)
    }

    /// Time that a batch may stand still.
    pub fn batch_idle_timeout(&self) -> Duration {
        Duration::from_millis(self.batch_idle_timeout_ms)
    }

    /// Time for open requests after a signal to stop.
    pub fn drain_timeout(&self) -> Duration {
        Duration::from_millis(self.drain_timeout_ms)
    }
}

impl Tables {
    /// Time from one look for damage to the next, if any is made.
    pub fn check_interval(&self) -> Option<Duration> {
        (self.check_interval_ms > 0).then(|| Duration::from_millis(self.check_interval_ms))
    }
}

impl Search {
    /// How many short searches run at once.
    pub fn threads(&self) -> usize {
        threads_or_cores(self.threads)
    }

    /// How many long jobs run at once.
    pub fn long_threads(&self) -> usize {
        threads_or_cores(self.long_threads)
    }

    /// How many threads one search may have; never more than run searches.
    pub fn max_threads_per_solve(&self) -> usize {
        match self.max_threads_per_solve {
            0 => self.threads(),
            most => most.min(self.threads()),
        }
    }
}

impl Optimal {
    /// How many threads optimal searches have in all.
    pub fn threads(&self) -> usize {
        threads_or_cores(self.threads)
    }
}

fn threads_or_cores(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}
