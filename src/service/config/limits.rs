//! Ranges of the values of the configuration, and the rules between them.

use std::ops::RangeInclusive;

use http::Uri;
use tracing_subscriber::filter::{ParseError, Targets};

use crate::service::access::hosts::host_error;
use crate::service::config::{Config, Coords, Telemetry};
use crate::service::nearest;

/// The longest solution length that a request may ask for. No cube needs more than 20 moves; the first solution of the two-phase
/// algorithm has at most 30.
pub(crate) const MAX_LENGTH: u8 = 30;
/// The same in other metrics: a solution of 30 moves is no longer in them.
pub(crate) const MAX_METRIC_LENGTH: u8 = 60;

/// Least memory for searches, in bytes.
pub(crate) const MIN_SEARCH_BYTES: u64 = 16 << 20;

/// Length of a day in milliseconds.
const DAY: i64 = 86_400_000;

/// Returns the range of an integer key. Every duration ranges from 1 ms to a day unless another range is listed.
pub(crate) fn integer_range(key: &str) -> RangeInclusive<i64> {
    match key {
        "server.drain_timeout_ms" | "tables.check_interval_ms" => 0..=DAY,
        _ if key.ends_with("_ms") => 1..=DAY,
        "server.body_limit_bytes" => 1024..=1 << 30,
        "server.max_connections" => 1..=1_000_000,
        "server.max_requests_per_client" | "server.requests_per_second" | "server.request_burst" => 0..=1_000_000,
        "search.long_threads" => 1..=256,
        "search.threads" | "search.max_threads_per_solve" | "optimal.threads" => 0..=256,
        // The queue holds its jobs in memory, so its length is bounded.
        "search.queue_length" => 0..=65_536,
        "search.default_target_length" => 0..=MAX_LENGTH as i64,
        "coords.max_space_values" => 0..=1 << 31,
        "coords.cache_bytes" | "search.memory_bytes" | "server.batch_spool_bytes" => 0..=1 << 40,
        _ => 0..=i64::MAX,
    }
}

/// A broken rule.
pub(crate) struct RuleViolation {
    /// Key whose value breaks the rule.
    pub(crate) key: &'static str,
    /// Description of the error and of the remedy.
    pub(crate) reason: String,
    /// Other key of a rule between two values.
    pub(crate) other: Option<&'static str>,
}

impl Config {
    /// Returns every broken rule.
    pub(crate) fn violations(&self) -> Vec<RuleViolation> {
        let Self { server, access, search, coords, log, telemetry, .. } = self;
        let mut found = self.contradictions();
        let mut origins = server.cors_allowed_origins.iter();
        let rules = [
            ("server.hosts", server.hosts.iter().find_map(|host| host_error(host))),
            ("server.cors_allowed_origins", origins.find_map(|origin| origin_error(origin))),
            ("server.frame_ancestors", server.frame_ancestors.iter().find_map(|origin| ancestor_error(origin))),
            ("access.keys", access.violation()),
            ("search.memory_bytes", memory_error(search.memory_bytes)),
            ("coords.cache_bytes", coords.cache_error()),
            ("log.filter", filter_error(&log.filter)),
            ("telemetry.otlp_endpoint", telemetry.endpoint_error()),
            ("telemetry.sample_ratio", telemetry.ratio_error()),
        ];
        let broken = rules.into_iter().filter_map(|(key, reason)| Some((key, reason?)));
        found.extend(broken.map(|(key, reason)| RuleViolation { key, reason, other: None }));
        found
    }

    /// Returns the broken rules between two keys.
    fn contradictions(&self) -> Vec<RuleViolation> {
        let Self { server, access, search, optimal, .. } = self;
        let mut found = Vec::new();
        let mut check = |is_broken: bool, key, rule: &str, other, value: u64| {
            if is_broken {
                found.push(RuleViolation { key, reason: format!("{rule} {other} ({value})"), other: Some(other) });
            }
        };
        let limits = self.client_limits(None);
        let rate = u64::from(limits.requests_per_second);
        let has_burst_only = rate == 0 && server.request_burst > 0;
        let at_least = "it must be 0 or at least";
        let needs_rate = "it has no effect unless there is a rate; set it to 0 or raise";
        let rule = if has_burst_only { needs_rate } else { at_least };
        let is_broken = has_burst_only || limits.burst < limits.requests_per_second;
        check(is_broken, "server.request_burst", rule, "server.requests_per_second", rate);

        let (at_most, more) = ("it must be at most", "it must be more than");
        let (default, max) = (search.default_time_limit_ms, search.max_time_limit_ms);
        check(default > max, "search.default_time_limit_ms", at_most, "search.max_time_limit_ms", max);
        let timeout = server.request_timeout_ms;
        check(timeout <= max, "server.request_timeout_ms", more, "search.max_time_limit_ms", max);
        // Without a table these keys have no effect, so check them only with a table.
        if optimal.table.is_some() {
            let (default, max) = (optimal.default_time_limit_ms, optimal.max_time_limit_ms);
            check(default > max, "optimal.default_time_limit_ms", at_most, "optimal.max_time_limit_ms", max);
            check(timeout <= max, "server.request_timeout_ms", more, "optimal.max_time_limit_ms", max);
        }
        // API keys inherit the limits of `[server]`, so check only limits of their own. Otherwise they would repeat the same error.
        for key in access.keys.iter().filter(|_| !is_broken) {
            let limits = self.client_limits(Some(key));
            if limits.burst < limits.requests_per_second {
                let (name, rate) = (&key.name, limits.requests_per_second);
                let reason =
                    format!("request_burst of `{name}` must be 0 or at least its requests_per_second ({rate})");
                found.push(RuleViolation { key: "access.keys", reason, other: None });
            }
        }
        found
    }
}

/// Returns the error of `search.memory_bytes`.
fn memory_error(bytes: u64) -> Option<String> {
    (1..MIN_SEARCH_BYTES).contains(&bytes).then(|| format!("it must be 0 or at least {MIN_SEARCH_BYTES}"))
}

impl Coords {
    fn cache_error(&self) -> Option<String> {
        /// One space may use half of it, which suffices for every named coordinate.
        const MIN_BYTES: u64 = 128 << 20;
        (1..MIN_BYTES).contains(&self.cache_bytes).then(|| format!("it must be 0 or at least {MIN_BYTES}"))
    }
}

impl Telemetry {
    fn ratio_error(&self) -> Option<String> {
        (!(0.0..=1.0).contains(&self.sample_ratio)).then(|| "expected a number from 0.0 to 1.0".to_owned())
    }

    fn endpoint_error(&self) -> Option<String> {
        if self.otlp_endpoint.is_empty() {
            return None;
        }
        if !cfg!(feature = "otlp") {
            let remedy = "build it with `cargo build --release --features otlp`, or leave the key empty";
            return Some(format!("this program was built without OpenTelemetry; {remedy}"));
        }
        let host = self.otlp_endpoint.strip_prefix("http://");
        let is_url = host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace));
        let remedy = "expected the URL of a collector, such as `http://127.0.0.1:4318`; for TLS, send spans to a local collector \
                      that forwards them";
        (!is_url).then(|| remedy.to_owned())
    }
}

/// Parses a log filter: levels and `target=level` pairs, separated by commas.
///
/// # Errors
/// Returns an error if a level or a pair is malformed.
pub(crate) fn log_targets(filter: &str) -> Result<Targets, ParseError> {
    let directives: Vec<_> = filter.split(',').map(str::trim).filter(|directive| !directive.is_empty()).collect();
    directives.join(",").parse()
}

/// Returns a message if a log filter has invalid syntax, or if it matches nothing of this program. The latter is usually a
/// misspelt level, which the parser accepts as the name of a library.
fn filter_error(filter: &str) -> Option<String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    if filter.contains('[') {
        return Some(format!(
            "`{filter}` filters by span or field, which is not supported; write target=level, such as superflip=debug"
        ));
    }
    if let Err(error) = log_targets(filter) {
        return Some(error.to_string());
    }
    let is_level = |text: &str| text.parse::<tracing_subscriber::filter::LevelFilter>().is_ok();
    let mut directives = filter.split(',').map(str::trim);
    if directives.any(|directive| is_level(directive) || directive.starts_with("superflip")) {
        return None;
    }
    let near = filter.split(',').find_map(|word| nearest(word.trim(), LEVELS));
    let near = near.map_or(String::new(), |level| format!(" Did you mean `{level}`?"));
    Some(format!(
        "`{filter}` does not match superflip, so nothing would be logged.{near} Write a level ({}), or one for a part, such as \
         superflip=debug; `off` turns the log off",
        LEVELS.join(", ")
    ))
}

/// Returns a message if no browser sends `text` as its origin, with the right spelling. Returns `None` if it can match, and for `*`.
pub(crate) fn origin_error(text: &str) -> Option<String> {
    match canonical(&text.trim().to_ascii_lowercase()) {
        _ if text == "*" => None,
        Some(origin) if origin == text => None,
        Some(origin) => Some(format!("`{text}` never matches, because browsers send `{origin}`; write that")),
        None => Some(format!(
            "`{text}` is not an origin; write scheme and host, such as `https://app.example.org`, and list each subdomain, or write \
             `*` alone for any origin (`null`, sent by local files and sandboxed frames, is allowed by `*` only)"
        )),
    }
}

/// Checks an entry of `server.frame_ancestors`. Returns a message if no embedding page can have the origin `text`.
fn ancestor_error(text: &str) -> Option<String> {
    // A content policy has no form for IPv6 addresses.
    let is_embedder = |origin: &String| origin.starts_with("http") && !origin.contains('[');
    match canonical(&text.trim().to_ascii_lowercase()).filter(is_embedder) {
        _ if text == "*" => None,
        Some(origin) if origin == text => None,
        Some(origin) => Some(format!("`{text}` never matches, because browsers send `{origin}`; write that")),
        None => Some(format!(
            "`{text}` is not the origin of a page that can embed others; write scheme and host, such as \
             `https://school.example.org`, or `*` alone for any origin"
        )),
    }
}

/// Returns the origin of a URL, as a browser serializes it.
fn canonical(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    let (scheme, host) = (uri.scheme_str()?, uri.host()?);
    let is_host = host.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.:[]".contains(&c));
    let port = match uri.authority()?.as_str().rsplit('@').next()?.strip_prefix(host)? {
        "" | ":" => None,
        port => Some(port.strip_prefix(':')?.parse::<u16>().ok()?),
    };
    let is_default = matches!((scheme, port), ("https", Some(443)) | ("http", Some(80)));
    let port = port.filter(|_| !is_default).map_or(String::new(), |port| format!(":{port}"));
    is_host.then(|| format!("{scheme}://{host}{port}"))
}
