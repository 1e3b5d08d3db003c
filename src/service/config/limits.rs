//! The limits of each value of the configuration, and the rules between them.

use tracing_subscriber::filter::{ParseError, Targets};

use crate::service::config::access::rate_and_burst;
use crate::service::config::origins::origin_rule;
use crate::service::config::{Config, Telemetry};
use crate::service::did_you_mean::nearest;

/// The longest solution length that may be asked for. No cube needs more than 20 turns; the two-phase algorithm's
/// first solution never has more than 30.
pub const MAX_LENGTH: u8 = 30;

/// Room for every named coordinate at once, and something to compose in.
const LEAST_CACHE: u64 = 128 << 20;

/// Jobs that may wait in one line. Who joins it has it played through, and with a line much longer that alone would keep others waiting.
const LONGEST_LINE: usize = 65_536;

impl Config {
    /// The key whose value is out of its limits, and what the limits are.
    pub(crate) fn out_of_limits(&self) -> Option<(&'static str, String)> {
        let Self { server, access, tables, search, optimal, coords, log, telemetry, .. } = self;
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
            ("search.queue_length", search.queue_length, 0..=LONGEST_LINE),
            ("search.long_threads", search.long_threads, 0..=256),
            ("search.long_queue_length", search.long_queue_length, 0..=LONGEST_LINE),
            ("search.batch_threads", search.batch_threads, 1..=256),
            ("search.batch_queue_length", search.batch_queue_length, 0..=LONGEST_LINE),
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
        if let Some(rule) = server.cors_allowed_origins.iter().find_map(|origin| origin_rule(origin)) {
            return Some(("server.cors_allowed_origins", rule));
        }
        if let Some(rule) = access.out_of_limits() {
            return Some(("access.keys", rule));
        }
        if let Some(rule) = filter_rule(&log.filter) {
            return Some(("log.filter", rule));
        }
        telemetry.out_of_limits()
    }

    /// The two keys whose values contradict each other, and the rule between them.
    pub(crate) fn contradiction(&self) -> Option<(&'static str, String)> {
        let Self { server, access, search, optimal, .. } = self;
        let (rate, burst) = rate_and_burst(server.requests_per_second, server.request_burst);
        if rate == 0 && server.request_burst > 0 {
            return Some((
                "server.request_burst",
                "it limits nothing without server.requests_per_second: set that too, or leave it 0".into(),
            ));
        }
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

/// Parses a log filter: levels and `target=level` pairs, separated by commas.
///
/// # Errors
/// When a level or a pair is malformed.
pub(crate) fn log_targets(filter: &str) -> Result<Targets, ParseError> {
    let directives: Vec<_> = filter.split(',').map(str::trim).filter(|directive| !directive.is_empty()).collect();
    directives.join(",").parse()
}

/// Returns what is wrong with a log filter: its syntax, or that it enables nothing of this program. In most cases the latter is a
/// misspelt level, which is valid as the name of a library.
fn filter_rule(filter: &str) -> Option<String> {
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
    let levels = LEVELS.join(", ");
    let meant = filter.split(',').find_map(|word| nearest(word.trim(), LEVELS));
    let meant = meant.map_or(".".to_owned(), |level| format!("; did you mean `{level}`?"));
    Some(format!(
        "`{filter}` says nothing of superflip, so nothing would be logged{meant} Write a level ({levels}), or one for a part, such \
         as superflip=debug; `off` keeps the log silent"
    ))
}
