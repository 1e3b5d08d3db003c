//! The configuration: one struct per section of the file.
//!
//! Defaults and documentation of every key are in `config/default.toml`. [`load`] merges the layers, and `limits` contains the range
//! of each value.

pub(crate) mod api_keys;
pub(crate) mod limits;
pub mod load;

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::service::config::api_keys::{Access, ApiKey};
use superflip_cube::metric::Metric;
use superflip_cube::{Face, TurnSet};
use superflip_solver::tables::Profile;
use superflip_solver::tables::optimal::Size;

/// The configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Section `[server]`: the HTTP server.
    pub server: Server,
    /// Section `[access]`: API keys.
    pub access: Access,
    /// Section `[tables]`: precomputed tables.
    pub tables: Tables,
    /// Section `[search]`: searches and their queues.
    pub search: Search,
    /// Section `[optimal]`: optimal solutions.
    pub optimal: Optimal,
    /// Section `[coords]`: coordinates.
    pub coords: Coords,
    /// Section `[log]`: log lines.
    pub log: Log,
    /// Section `[telemetry]`: spans for OpenTelemetry.
    pub telemetry: Telemetry,
    /// Ignored variables that Kubernetes sets for its Services. Not a configuration key.
    #[serde(skip)]
    pub ignored_variables: Vec<String>,
    /// Whether the limits that protect a shared service are lifted, because the shell searches for one user. Not a configuration key.
    #[serde(skip)]
    pub caps_are_lifted: bool,
}

/// Section `[server]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Address or host name, and port, to listen on.
    pub listen: Listen,
    /// Hosts that requests may name; empty: loopback hosts on a loopback address, else all.
    pub hosts: Vec<String>,
    /// Maximum size of a request body, and of a line of a batch, in bytes.
    pub body_limit_bytes: usize,
    /// Time limit for the head of a request, and for an idle connection.
    pub header_timeout_ms: u64,
    /// Time limit for the request body.
    pub body_timeout_ms: u64,
    /// Time limit for a request.
    pub request_timeout_ms: u64,
    /// Time limit for open requests after a signal to stop.
    pub drain_timeout_ms: u64,
    /// Maximum time for which a client may accept no data while a response is pending.
    pub write_timeout_ms: u64,
    /// Maximum number of connections.
    pub max_connections: usize,
    /// Maximum number of concurrent requests per client; 0: no limit.
    pub max_requests_per_client: usize,
    /// Maximum number of requests per second and client; 0: no limit.
    pub requests_per_second: u32,
    /// Maximum number of requests in a burst; 0: the number per second.
    pub request_burst: u32,
    /// Maximum time for which a batch may make no progress.
    pub batch_idle_timeout_ms: u64,
    /// Maximum size of the temporary file for lines of batches that wait, in bytes.
    pub batch_spool_bytes: u64,
    /// Origins allowed by CORS; empty: CORS is off.
    pub cors_allowed_origins: Vec<String>,
    /// Other origins whose pages may embed the page in a frame.
    pub frame_ancestors: Vec<String>,
    /// Whether responses are compressed.
    pub compression: bool,
}

/// Section `[tables]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Folder of the tables; `None`: the platform's cache folder.
    #[serde(deserialize_with = "folder")]
    pub dir: Option<PathBuf>,
    /// Set of tables.
    #[serde(deserialize_with = "profile")]
    pub profile: Profile,
    /// Whether `tiny` answers until the tables of `profile` are loaded, or if loading fails.
    pub serve_while_building: bool,
    /// Interval between integrity checks of the tables in use; 0: no checks.
    pub check_interval_ms: u64,
    /// Action when the tables do not fit into the memory of this process.
    pub when_memory_is_short: WhenShort,
}

/// Action when the tables do not fit into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenShort {
    /// A refusal to start.
    Refuse,
    /// Loading them, with a warning in the log.
    GoOn,
}

/// Section `[search]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Number of concurrent quick jobs; 0: one per core.
    pub threads: usize,
    /// Number of concurrent long jobs, and of concurrent background jobs.
    pub long_threads: usize,
    /// Maximum number of waiting jobs of each lane.
    pub queue_length: usize,
    /// Maximum `threads` of a request; 0: one per core.
    pub max_threads_per_solve: usize,
    /// Default `target_length` of a request in HTM.
    pub default_target_length: u8,
    /// Metrics whose tables are loaded at the start.
    #[serde(deserialize_with = "metrics")]
    pub metrics: Vec<Metric>,
    /// Metrics whose tables may be loaded when a request asks for them.
    #[serde(deserialize_with = "metrics")]
    pub metrics_on_demand: Vec<Metric>,
    /// Sets of faces whose tables are computed at the start.
    #[serde(deserialize_with = "faces")]
    pub faces: Vec<TurnSet>,
    /// Default `time_limit_ms` of a request.
    pub default_time_limit_ms: u64,
    /// Maximum `time_limit_ms`.
    pub max_time_limit_ms: u64,
    /// Memory for what searches hold, in bytes; 0: derived from the memory limit.
    pub memory_bytes: u64,
}

/// Section `[optimal]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optimal {
    /// Size of the table; `None`: off.
    #[serde(deserialize_with = "size")]
    pub table: Option<Size>,
    /// Maximum number of threads of one optimal search; 0: one per core.
    pub threads: usize,
    /// Default `time_limit_ms` of an optimal request.
    pub default_time_limit_ms: u64,
    /// Maximum `time_limit_ms` of an optimal request.
    pub max_time_limit_ms: u64,
}

/// Section `[coords]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coords {
    /// Maximum number of values of a composed space; 0: none is composed.
    pub max_space_values: u64,
    /// Memory for all spaces, in bytes; 0: derived from the memory limit.
    pub cache_bytes: u64,
}

/// Section `[log]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Format of the log.
    pub format: LogFormat,
    /// Log filter, as in `RUST_LOG`.
    pub filter: String,
}

/// Section `[telemetry]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// URL of the collector without `/v1/traces`; empty: none, unless a variable of OpenTelemetry names one.
    pub otlp_endpoint: String,
    /// Fraction of the traces started here that are sent, 0 to 1.
    pub sample_ratio: f64,
}

/// Format of log lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// `pretty` on a terminal, `json` otherwise.
    Auto,
    /// Format for people, with colours and line breaks.
    Pretty,
    /// JSON format, one object per line.
    Json,
}

fn folder<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok((!text.is_empty()).then(|| PathBuf::from(text)))
}

fn profile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Profile, D::Error> {
    one_of(deserializer, Profile::ALL.map(|profile| (profile.name(), profile)).into())
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Size>, D::Error> {
    let sizes = Size::ALL.map(|size| (size.name(), Some(size)));
    one_of(deserializer, [vec![("off", None)], sizes.into()].concat())
}

/// Deserializes the names of metrics. HTM needs no tables of its own, and is left out.
fn metrics<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Metric>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let of_name = |name: &String| {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name && *metric != Metric::Etm);
        metric.ok_or_else(|| {
            Error::custom(format!("unknown value `{name}`, expected one of `htm`, `qtm`, `stm`, `axht`, `axqt`"))
        })
    };
    let metrics: Vec<Metric> = names.iter().map(of_name).collect::<Result<_, D::Error>>()?;
    Ok(metrics.into_iter().filter(|metric| *metric != Metric::Htm).collect())
}

/// Deserializes sets of faces. All six need no tables of their own, and are left out.
fn faces<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TurnSet>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let of_name = |name: &String| {
        let faces: Option<Vec<Face>> = name.chars().map(Face::from_letter).collect();
        faces
            .filter(|faces| !faces.is_empty())
            .map(TurnSet::of_faces)
            .ok_or_else(|| Error::custom(format!("invalid value `{name}`, expected letters of faces, such as `URFDL`")))
    };
    let sets: Vec<TurnSet> = names.iter().map(of_name).collect::<Result<_, D::Error>>()?;
    Ok(sets.into_iter().filter(|turns| !turns.is_all()).collect())
}

/// Deserializes one of several words, as serde does for an enum that derives it.
fn one_of<'de, D: Deserializer<'de>, T>(deserializer: D, words: Vec<(&str, T)>) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let value = words.into_iter().find(|(word, _)| *word == text).map(|(_, value)| value);
    value.ok_or_else(|| Error::custom(format!("unknown value `{text}`, expected one of {known}")))
}

/// Limits of one client: an API key or an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientLimits {
    /// Maximum number of requests per second; 0: no limit.
    pub requests_per_second: u32,
    /// Maximum number of requests in a burst.
    pub burst: u32,
    /// Maximum number of concurrent requests; 0: no limit.
    pub max_requests: usize,
}

impl Config {
    /// Returns the limits of an API key, or of an address.
    pub fn client_limits(&self, key: Option<&ApiKey>) -> ClientLimits {
        let server = &self.server;
        let own_rate = key.and_then(|key| key.requests_per_second);
        // A key with its own rate does not inherit the burst of an address.
        let default_burst = if own_rate.is_some() { 0 } else { server.request_burst };
        let requests_per_second = own_rate.unwrap_or(server.requests_per_second);
        let burst = match key.and_then(|key| key.request_burst).unwrap_or(default_burst) {
            0 => requests_per_second,
            burst => burst,
        };
        let max_requests = key.and_then(|key| key.max_requests);
        let max_requests = max_requests.map_or(server.max_requests_per_client, |max| max as usize);
        ClientLimits { requests_per_second, burst, max_requests }
    }
}

impl Server {
    /// Returns the time limit for a request.
    pub fn request_timeout(&self) -> Duration {
        Duration::from_millis(self.request_timeout_ms)
    }
}

impl Tables {
    /// Returns the interval between integrity checks, or `None` if they are off.
    pub(crate) fn check_interval(&self) -> Option<Duration> {
        (self.check_interval_ms > 0).then(|| Duration::from_millis(self.check_interval_ms))
    }
}

impl Search {
    /// Returns the number of concurrent quick jobs.
    pub fn threads(&self) -> usize {
        threads_or_cores(self.threads)
    }

    /// Returns the maximum number of threads of one search.
    pub fn max_threads_per_solve(&self) -> usize {
        threads_or_cores(self.max_threads_per_solve)
    }
}

impl Optimal {
    /// Returns the maximum number of threads of one optimal search.
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

/// Address or host name, and port, to listen on, as configured. A host name is resolved on use.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Listen(String);

impl Listen {
    /// Resolves to the addresses to try, in order. IPv4 comes first, so that `localhost` is 127.0.0.1 wherever there is IPv4.
    ///
    /// # Errors
    /// Returns an error if the host name cannot be resolved.
    pub fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let mut addresses: Vec<_> = self.0.to_socket_addrs()?.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        addresses.dedup();
        Ok(addresses)
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Listen {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_name =
            |host: &str| !host.is_empty() && host.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c));
        let named = text.rsplit_once(':').is_some_and(|(host, port)| is_name(host) && port.parse::<u16>().is_ok());
        if named || text.parse::<SocketAddr>().is_ok() {
            return Ok(Self(text));
        }
        Err(format!(
            "`{text}` is not an address or host name with a port from 0 to 65535; write 127.0.0.1:8080, [::1]:8080 or \
             localhost:8080, or 0.0.0.0:8080 for every IPv4 address of the machine and [::]:8080 for every address"
        ))
    }
}
