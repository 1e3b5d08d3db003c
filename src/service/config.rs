//! Everything that can be configured, and the limits of each value.
//!
//! The defaults are not written here but in `config/default.toml`, which is also the manual; [`load`](super::config_load)
//! puts the sources on top of each other.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer};

use super::config_access::{Access, rate_and_burst};
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
}

/// Keys of `[server]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Address and port.
    pub listen: SocketAddr,
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
    pub when_memory_is_short: WhenShort,
}

/// What becomes of tables that do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Pretty on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Pretty,
    /// For machines, one object a line.
    Json,
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

/// The longest solution length that may be asked for. No cube needs more than 20 turns; the two-phase algorithm's
/// first solution never has more than 30.
pub const MAX_LENGTH: u8 = 30;

/// Room for every named coordinate at once, and something to compose in.
const LEAST_CACHE: u64 = 128 << 20;

impl Config {
    /// The key whose value is out of its limits, and what the limits are.
    pub(super) fn out_of_limits(&self) -> Option<(&'static str, String)> {
        let Self { server, access, tables, search, optimal, coords, log, telemetry } = self;
        let durations = [
            ("server.header_timeout_ms", server.header_timeout_ms),
            ("server.body_timeout_ms", server.body_timeout_ms),
            ("server.request_timeout_ms", server.request_timeout_ms),
            ("server.batch_idle_timeout_ms", server.batch_idle_timeout_ms),
            ("server.write_timeout_ms", server.write_timeout_ms),
            ("search.short_time_limit_ms", search.short_time_limit_ms),
            ("search.default_time_limit_ms", search.default_time_limit_ms),
            ("search.max_time_limit_ms", search.max_time_limit_ms),
            ("optimal.default_time_limit_ms", optimal.default_time_limit_ms),
            ("optimal.max_time_limit_ms", optimal.max_time_limit_ms),
        ];
        if let Some((key, _)) = durations.into_iter().find(|(_, ms)| !(1..=86_400_000).contains(ms)) {
            return Some((key, "it must be from 1 to 86400000 (a day)".into()));
        }
        let counts = [
            ("server.body_limit_bytes", server.body_limit_bytes, 1024..=1 << 30),
            ("server.max_connections", server.max_connections, 1..=1_000_000),
            ("server.max_connections_per_client", server.max_connections_per_client, 0..=1_000_000),
            ("server.max_requests_per_client", server.max_requests_per_client, 0..=1_000_000),
            ("server.requests_per_second", server.requests_per_second as usize, 0..=1_000_000),
            ("server.request_burst", server.request_burst as usize, 0..=1_000_000),
            ("search.threads", search.threads, 0..=256),
            ("search.queue_length", search.queue_length, 0..=1_000_000),
            ("search.long_threads", search.long_threads, 0..=256),
            ("search.long_queue_length", search.long_queue_length, 0..=1_000_000),
            ("search.batch_threads", search.batch_threads, 1..=256),
            ("search.batch_queue_length", search.batch_queue_length, 0..=1_000_000),
            ("search.max_threads_per_solve", search.max_threads_per_solve, 0..=256),
            ("optimal.threads", optimal.threads, 0..=256),
        ];
        if let Some((key, _, range)) = counts.into_iter().find(|(_, value, range)| !range.contains(value)) {
            return Some((key, format!("it must be from {} to {}", range.start(), range.end())));
        }
        if !(1..=1 << 31).contains(&coords.max_space_values) {
            return Some(("coords.max_space_values", "it must be from 1 to 2147483648".into()));
        }
        if !(LEAST_CACHE..=1 << 40).contains(&coords.cache_bytes) {
            return Some(("coords.cache_bytes", format!("it must be from {LEAST_CACHE} to 1099511627776")));
        }
        if search.default_target_length > MAX_LENGTH {
            return Some(("search.default_target_length", format!("it must be from 0 to {MAX_LENGTH}")));
        }
        if tables.check_interval_ms > 86_400_000 {
            return Some(("tables.check_interval_ms", "it must be from 0 to 86400000 (a day)".into()));
        }
        if server.drain_timeout_ms > 86_400_000 {
            return Some(("server.drain_timeout_ms", "it must be from 0 to 86400000 (a day)".into()));
        }
        if let Some(origin) = server.cors_allowed_origins.iter().find(|origin| !is_origin(origin)) {
            let rule =
                format!("`{origin}` is not an origin: write scheme and host, such as `https://example.org`, or `*`");
            return Some(("server.cors_allowed_origins", rule));
        }
        if let Some(rule) = access.out_of_limits() {
            return Some(("access.keys", rule));
        }
        if let Err(error) = tracing_subscriber::EnvFilter::try_new(&log.filter) {
            return Some(("log.filter", error.to_string()));
        }
        telemetry.out_of_limits()
    }

    /// The two keys whose values contradict each other, and the rule between them.
    pub(super) fn contradiction(&self) -> Option<(&'static str, String)> {
        let Self { server, access, search, optimal, .. } = self;
        let (rate, burst) = rate_and_burst(server.requests_per_second, server.request_burst);
        if burst < rate {
            return Some((
                "server.request_burst",
                format!("it must be 0 or at least server.requests_per_second ({rate})"),
            ));
        }
        if let Some(rule) = access.contradiction(server) {
            return Some(("access.keys", rule));
        }
        if search.default_time_limit_ms > search.max_time_limit_ms {
            return Some((
                "search.default_time_limit_ms",
                format!("it must not be more than search.max_time_limit_ms ({})", search.max_time_limit_ms),
            ));
        }
        if server.request_timeout_ms <= search.max_time_limit_ms {
            return Some((
                "server.request_timeout_ms",
                format!("it must be more than search.max_time_limit_ms ({})", search.max_time_limit_ms),
            ));
        }
        // Without a table these limit nothing.
        optimal.table?;
        if optimal.default_time_limit_ms > optimal.max_time_limit_ms {
            return Some((
                "optimal.default_time_limit_ms",
                format!("it must not be more than optimal.max_time_limit_ms ({})", optimal.max_time_limit_ms),
            ));
        }
        if server.request_timeout_ms <= optimal.max_time_limit_ms {
            let (timeout, cap) = (server.request_timeout_ms, optimal.max_time_limit_ms);
            return Some((
                "server.request_timeout_ms",
                format!(
                    "it is {timeout} and must be more than optimal.max_time_limit_ms ({cap}), or optimal answers would be cut \
                     off: raise the one or lower the other"
                ),
            ));
        }
        None
    }
}

impl Telemetry {
    fn out_of_limits(&self) -> Option<(&'static str, String)> {
        if !(0.0..=1.0).contains(&self.sample_ratio) {
            return Some(("telemetry.sample_ratio", "it must be from 0.0 to 1.0".into()));
        }
        let host = self.otlp_endpoint.strip_prefix("http://");
        let rule = if self.otlp_endpoint.is_empty() {
            return None;
        } else if !cfg!(feature = "otlp") {
            "this program was built without spans: build it with `cargo build --release --features otlp`, or leave the key empty"
        } else if host.is_none_or(|host| host.is_empty() || host.contains(char::is_whitespace)) {
            "it must be the URL of a collector, such as `http://127.0.0.1:4318`; for TLS let a collector beside the service pass spans on"
        } else {
            return None;
        };
        Some(("telemetry.otlp_endpoint", rule.into()))
    }
}

fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    text == "*" || host.is_some_and(|host| !host.is_empty() && host.chars().all(|c| c.is_ascii_graphic() && c != '/'))
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
