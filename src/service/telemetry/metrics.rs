//! The metrics of the service, in the default registry of the process.
//!
//! Each metric is declared once, with its labels and its help text. The table in `docs/operations.md` is made from the same list,
//! [`ALL`], and a test compares them. Metrics of the process and of requests are set here, all others where their events happen.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};
use std::time::Duration;

use prometheus::core::{Collector, MetricVec, MetricVecBuilder};
use prometheus::{
    Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, TextEncoder,
};

use superflip_solver::Profile;

/// The declaration of a metric.
pub struct Metric {
    /// Name, which ends with the unit.
    pub name: &'static str,
    /// Kind of the metric.
    pub kind: MetricKind,
    /// Name and values of each label. No values: they become known at run time.
    pub labels: &'static [(&'static str, &'static [&'static str])],
    /// Help text, which begins with the unit.
    pub help: &'static str,
}

/// The kind of a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetricKind {
    /// A number that only grows.
    Counter,
    /// A number that rises and falls.
    Gauge,
    /// Counts of values in buckets.
    Histogram,
}

/// The time series of a metric, one for each combination of the values of its `LABELS` labels.
pub struct Family<T, const LABELS: usize>(LazyLock<T>);

impl<T: MetricVecBuilder, const LABELS: usize> Family<MetricVec<T>, LABELS> {
    /// Returns the series with these values of the labels, in the order of the declaration. The first call with these values creates it.
    pub fn with(&self, values: [&str; LABELS]) -> T::M {
        self.0.with_label_values(&values)
    }
}

macro_rules! declare {
    (@type Counter) => { IntCounterVec };
    (@type Gauge) => { GaugeVec };
    (@type Histogram) => { HistogramVec };
    (@new Counter $name:literal $labels:expr, $help:literal) => { IntCounterVec::new(Opts::new($name, $help), $labels) };
    (@new Gauge $name:literal $labels:expr, $help:literal) => { GaugeVec::new(Opts::new($name, $help), $labels) };
    (@new Histogram $name:literal $labels:expr, $help:literal) => {
        HistogramVec::new(HistogramOpts::new($name, $help).buckets(buckets($name)), $labels)
    };
    ($($kind:ident $family:ident = $name:literal [$($label:ident: $values:expr),*] $help:literal;)*) => {
        $(
            #[doc = $help]
            pub static $family: Family<declare!(@type $kind), { const { <[&str]>::len(&[$(stringify!($label)),*]) } }> =
                Family(LazyLock::new(|| registered(declare!(@new $kind $name &[$(stringify!($label)),*], $help))));
        )*

        /// Every metric, in the order of the documentation.
        pub const ALL: &[Metric] = &[$(
            Metric {
                name: $name,
                kind: MetricKind::$kind,
                labels: &[$((stringify!($label), $values)),*],
                help: $help,
            }
        ),*];

        /// Registers every metric. Starts every series whose labels are known, because `rate()` misses the first event of a series
        /// that appears with it.
        fn register_all() {
            $(
                LazyLock::force(&$family.0);
                for values in known_series($name, &[$($values),*]) {
                    $family.0.with_label_values(&values);
                }
            )*
        }
    };
}

declare! {
    Counter REQUESTS = "superflip_requests_total" [route: &[], method: &[], status: &[]]
        "Responses sent. `route` is the matched path, or `unmatched`; `status` is that of the problem, if an `EventSource` got it as an event.";
    Histogram REQUEST_SECONDS = "superflip_request_duration_seconds" [route: &[], method: &[]]
        "Seconds from the head of a request to the head of its response.";
    Counter PROBLEMS = "superflip_problems_total" [code: &[]]
        "Responses that were problem documents, and streams and batches that ended with one.";
    Counter ADMITTED = "superflip_admitted_total" [lane: &LANES]
        "Jobs admitted to a lane, running or waiting.";
    Counter REJECTED = "superflip_rejected_total" [reason: &[], lane: &[]]
        "Requests rejected before their work began, or because no table was ready to prove the answer. `reason` is the \
         problem code; `lane` is `none` if no lane was reached.";
    Counter CANCELLED = "superflip_cancelled_total" [lane: &LANES, stage: &STAGES]
        "Jobs cancelled while `waiting` or `running`, by a disconnect, a timeout or a shutdown.";
    Histogram QUEUE_SECONDS = "superflip_queue_seconds" [lane: &LANES]
        "Seconds that a job waited for a thread.";
    Gauge QUEUE_DEPTH = "superflip_queue_depth" [lane: &LANES]
        "Jobs waiting for a thread.";
    Gauge IN_FLIGHT = "superflip_searches_in_flight" [lane: &LANES]
        "Jobs running.";
    Counter SEARCHES = "superflip_searches_total" [engine: &ENGINES, profile: &PROFILES, outcome: &SEARCH_OUTCOMES]
        "Searches finished, including those of batch lines. `profile`: the tables that they used. `unproven`: more than ten moves from solved, and no table was ready.";
    Histogram SOLVE_SECONDS = "superflip_solve_seconds" []
        "Seconds of search per solved cube, without the searches that share its thread in a batch.";
    Histogram OPTIMAL_SECONDS = "superflip_optimal_solve_seconds" []
        "Seconds of search per cube solved with `optimal`.";
    Histogram SOLUTION_LENGTH = "superflip_solution_length_moves" []
        "Moves per solution.";
    Histogram SEARCH_NODES = "superflip_search_nodes" [engine: &ENGINES]
        "Nodes expanded per finished search.";
    Counter BATCH_LINES = "superflip_batch_lines_total" [outcome: &LINE_OUTCOMES]
        "Batch lines answered: `solved`, `unsolved` (no solution within the limits) or `refused` (invalid).";
    Gauge BATCH_LINES_IN_FLIGHT = "superflip_batch_lines_in_flight" []
        "Batch lines that were parsed and whose answers the client has not yet received.";
    Gauge BATCH_SPOOL_BLOCKS = "superflip_batch_spool_blocks" []
        "Blocks of 64 KiB in the temporary file for batch lines that were read and not parsed yet.";
    Gauge CONNECTIONS = "superflip_connections" [place: &PLACES]
        "Open connections: `ordinary`, or `spare` beyond `server.max_connections`.";
    Counter CONNECTIONS_ACCEPTED = "superflip_connections_accepted_total" [place: &PLACES]
        "Connections accepted.";
    Counter CONNECTIONS_CLOSED = "superflip_connections_closed_total" [reason: &CLOSED]
        "Connections closed: by the `client`, or after a response with `connection: close`; `idle` after a request, `silent` without any; at `header_timeout` or `write_timeout`; \
         `crowded` beyond the limit; at `shutdown`; on a protocol `error`.";
    Gauge READY = "superflip_ready" []
        "1 when tables are in use, else 0.";
    Gauge TABLES_INFO = "superflip_tables_info" [profile: &[]]
        "1 for the profile in use, 0 for `tiny` after the configured profile replaced it.";
    Gauge PROFILE_LOADED = "superflip_profile_loaded" []
        "1 when the tables of the configured profile are loaded, else 0.";
    Gauge TABLES_LOAD_SECONDS = "superflip_tables_load_seconds" []
        "Seconds that opening or building the tables of the profile took.";
    Gauge TABLE_BUILD_SECONDS = "superflip_table_build_seconds" [table: &[]]
        "Seconds that the build of a table took; absent for tables that were only opened.";
    Gauge TABLE_BYTES = "superflip_table_resident_bytes" [table: &[]]
        "Bytes of each mapped table.";
    Gauge HUGE_PAGE_BYTES = "superflip_huge_page_bytes" []
        "Bytes of memory in pages of 2 MiB, where tables of 256 KiB and more should be (Linux only).";
    Gauge OPTIMAL_READY = "superflip_optimal_ready" []
        "1 when the table for `optimal` is mapped, else 0.";
    Gauge OPTIMAL_PROGRESS = "superflip_optimal_table_progress_ratio" []
        "Progress of opening or building the table for `optimal`, 0 to 1.";
    Counter TABLE_CHECKS = "superflip_table_checks_total" [outcome: &["sound", "wrong"]]
        "Integrity checks of mapped tables: scheduled, after a panic, or requested by a client.";
    Gauge MEMORY_NEEDED = "superflip_memory_needed_bytes" []
        "Bytes of memory needed at most, estimated at the start. If tables are missing: to build them; else: to map all tables, and 48 MiB to work.";
    Counter PANICS = "superflip_panics_total" [lane: &LANES]
        "Jobs that panicked. Each is a defect.";
    Counter LOG_LINES_DROPPED = "superflip_log_lines_dropped_total" []
        "Log lines dropped, because the reader of standard error is too slow or has stalled.";
    Gauge SPACE_BYTES = "superflip_space_bytes" []
        "Bytes of coordinate spaces: cached, under construction, and being sent.";
    Histogram SPACE_BUILD_SECONDS = "superflip_space_build_seconds" []
        "Seconds that the build of a coordinate space took, without the wait in the queue.";
    Gauge BUILD_INFO = "superflip_build_info" [version: &[], otlp: &[]]
        "Always 1; the labels are the version, and whether the program can send spans.";
    Gauge RESIDENT_BYTES = "process_resident_memory_bytes" []
        "Bytes of resident memory. All `process_*` metrics are on Linux only.";
    Gauge VIRTUAL_BYTES = "process_virtual_memory_bytes" []
        "Bytes of address space.";
    Gauge OPEN_FDS = "process_open_fds" []
        "Open file descriptors.";
    Gauge MAX_FDS = "process_max_fds" []
        "Limit of open file descriptors.";
    Gauge THREADS = "process_threads" []
        "Threads of the process.";
    Gauge START_SECONDS = "process_start_time_seconds" []
        "Seconds from 1970 to the start of the process.";
    Counter CPU_SECONDS = "process_cpu_seconds_total" []
        "Seconds of processor time of all threads, user and system, in whole seconds.";
}

/// The lane of jobs that end by themselves within milliseconds.
pub(crate) const QUICK_LANE: &str = "quick";
/// The lane of jobs that use the time they are given: long searches, proofs, many scrambles, coordinate spaces built on demand.
pub(crate) const LONG_LANE: &str = "long";
/// The lane of batches and of checks of the tables.
pub(crate) const BACKGROUND_LANE: &str = "background";
/// Name of the lane for named coordinate spaces.
pub(crate) const SPACES_LANE: &str = "spaces";
const LANES: [&str; 4] = [QUICK_LANE, LONG_LANE, BACKGROUND_LANE, SPACES_LANE];
/// The label `lane` of requests that reached no lane.
const NO_LANE: &str = "none";
/// The label `engine` of two-phase searches and near searches.
pub(crate) const TWO_PHASE: &str = "two_phase";
/// The label `engine` of searches for a proof.
pub const OPTIMAL: &str = "optimal";
const ENGINES: [&str; 2] = [TWO_PHASE, OPTIMAL];
/// The outcomes of a search.
pub(crate) const SEARCH_OUTCOMES: [&str; 7] =
    ["target_length", "time_limit", "overloaded", "proven_optimal", "no_solution", "unproven", "cancelled"];
/// The stage of a job in the queue.
pub(crate) const WAITING: &str = "waiting";
/// The stage of a job on its thread.
pub(crate) const RUNNING: &str = "running";
const STAGES: [&str; 2] = [WAITING, RUNNING];
const LINE_OUTCOMES: [&str; 3] = ["solved", "unsolved", "refused"];
const ORDINARY: &str = "ordinary";
const SPARE: &str = "spare";
const PROFILES: [&str; 3] = [Profile::Standard.name(), Profile::Small.name(), Profile::Tiny.name()];
const PLACES: [&str; 2] = [ORDINARY, SPARE];
/// The reasons for which connections are closed.
pub(crate) const CLOSED: [&str; 8] =
    ["client", "idle", "silent", "header_timeout", "write_timeout", "crowded", "shutdown", "error"];
/// The reasons for which a request is rejected before it reaches a lane.
const REJECTED_EARLY: [&str; 14] = [
    "invalid_host",
    "host_not_allowed",
    "origin_not_allowed",
    "missing_key",
    "unknown_key",
    "rate_limited",
    "client_limit",
    "overloaded",
    "shutting_down",
    "tables_not_ready",
    "tables_failed",
    "optimal_not_enabled",
    "optimal_table_not_ready",
    "optimal_table_failed",
];
/// The reasons for which a lane rejects a request.
const REJECTED_BY_LANE: [&str; 3] = ["overloaded", "deadline_unreachable", "shutting_down"];

const SECONDS: [f64; 19] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    60.0, 120.0,
];

/// The last is about what a core expands in some minutes.
const NODE_COUNTS: [f64; 12] = [1e2, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 1e7, 1e8, 1e9, 1e10];

fn buckets(name: &str) -> Vec<f64> {
    match name {
        "superflip_solution_length_moves" => (0..=22).map(f64::from).collect(),
        "superflip_search_nodes" => NODE_COUNTS.to_vec(),
        _ => SECONDS.to_vec(),
    }
}

// A wrong declaration stops the program before its first request.
#[allow(clippy::expect_used)]
fn registered<T: Collector + Clone + 'static>(family: prometheus::Result<T>) -> T {
    let registered = family.and_then(|family| prometheus::register(Box::new(family.clone())).map(|()| family));
    registered.expect("each metric is declared once, with valid names")
}

/// Registers every metric, and starts the series that are there from the beginning.
///
/// # Panics
/// When a declaration is wrong. After this call no metric can panic.
pub fn start() {
    register_all();
    let early = REJECTED_EARLY.map(|reason| (NO_LANE, reason));
    let by_lane = LANES.into_iter().flat_map(|lane| REJECTED_BY_LANE.map(|reason| (lane, reason)));
    for (lane, reason) in early.into_iter().chain(by_lane) {
        rejected(lane, reason);
    }
    let otlp = if cfg!(feature = "otlp") { "true" } else { "false" };
    BUILD_INFO.with([env!("CARGO_PKG_VERSION"), otlp]).set(1.0);
}

/// Returns all metrics in the text format of Prometheus.
///
/// # Errors
/// When a family has no name or no series. The registry has no such family.
pub(crate) fn render() -> prometheus::Result<String> {
    TextEncoder::new().encode_to_string(&prometheus::gather())
}

/// Returns every combination of the values of these labels: no combination if the values of a label are not known, or if the metric is
/// measured later.
fn known_series(name: &str, labels: &[&'static [&'static str]]) -> Vec<Vec<&'static str>> {
    if name.starts_with("process_") || ["superflip_huge_page_bytes", "superflip_tables_load_seconds"].contains(&name) {
        return Vec::new();
    }
    labels.iter().fold(vec![Vec::new()], |series, values| {
        let extended = |before: Vec<_>| values.iter().map(move |value| [before.as_slice(), &[*value]].concat());
        series.into_iter().flat_map(extended).collect()
    })
}

/// Outcome of a batch line, in the order of `LINE_OUTCOMES`.
#[derive(Clone, Copy, Debug)]
pub enum LineOutcome {
    /// A solution.
    Solved,
    /// No solution within the limits.
    Unsolved,
    /// An invalid line.
    Refused,
}

/// Returns the counters of answered batch lines, by [`LineOutcome`].
pub(crate) fn line_meters() -> [IntCounter; 3] {
    LINE_OUTCOMES.map(|outcome| BATCH_LINES.with([outcome]))
}

/// Counts a request that was rejected before it reached a lane.
pub(crate) fn count_rejected(reason: &'static str) {
    rejected(NO_LANE, reason).inc();
}

/// The counter of requests that a lane rejected for this reason.
pub(crate) fn rejected(lane: &'static str, reason: &'static str) -> IntCounter {
    REJECTED.with([reason, lane])
}

/// Counts an open connection, from its acceptance to its end.
pub struct Connected(#[allow(dead_code)] Counted); // held, not read

impl Connected {
    /// Counts an accepted connection, ordinary or beyond the limit.
    pub fn new(is_spare: bool) -> Self {
        let place = if is_spare { SPARE } else { ORDINARY };
        CONNECTIONS_ACCEPTED.with([place]).inc();
        Self(Counted::new(CONNECTIONS.with([place])))
    }

    /// Counts the end of the connection; `reason` is one of `CLOSED`.
    pub fn ended(self, reason: &'static str) {
        CONNECTIONS_CLOSED.with([reason]).inc();
    }
}

/// Raises a gauge by one until it is dropped.
pub(crate) struct Counted(Gauge);

impl Counted {
    pub(crate) fn new(gauge: Gauge) -> Self {
        gauge.inc();
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Sets each metric of the process to its current value. They have the names that every Prometheus client library uses, and are read from
/// `/proc`. On systems other than Linux they are absent. With large tables the kernel needs a few milliseconds for this.
pub(crate) fn observe_process() {
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::observe() {
        tracing::debug!(%error, "the metrics of the process cannot be read");
    }
}

#[cfg(target_os = "linux")]
#[allow(clippy::cast_precision_loss)] // no process has 2^53 bytes
mod linux {
    use std::fs::{read_dir, read_to_string};
    use std::io;
    use std::sync::{Mutex, PoisonError};

    use prometheus::GaugeVec;
    use rustix::param::clock_ticks_per_second;
    use rustix::process::{Resource, getrlimit};

    use crate::service::telemetry::metrics::{
        CPU_SECONDS, Family, HUGE_PAGE_BYTES, MAX_FDS, OPEN_FDS, RESIDENT_BYTES, START_SECONDS, THREADS, VIRTUAL_BYTES,
    };

    pub(crate) fn observe() -> io::Result<()> {
        let status = read_to_string("/proc/self/status")?;
        let gauge = |family: &Family<GaugeVec, 0>, value: Option<f64>| {
            if let Some(value) = value {
                family.with([]).set(value);
            }
        };
        gauge(&RESIDENT_BYTES, kilobytes(&status, "VmRSS:"));
        gauge(&VIRTUAL_BYTES, kilobytes(&status, "VmSize:"));
        gauge(&THREADS, number(&status, "Threads:").map(|threads| threads as f64));
        gauge(&HUGE_PAGE_BYTES, kilobytes(&read_to_string("/proc/self/smaps_rollup")?, "AnonHugePages:"));
        // Subtract the descriptor that lists the folder.
        gauge(&OPEN_FDS, Some(read_dir("/proc/self/fd")?.count().saturating_sub(1) as f64));
        gauge(&MAX_FDS, Some(getrlimit(Resource::Nofile).current.map_or(f64::INFINITY, |limit| limit as f64)));

        // The name of the program, in parentheses, may contain spaces, so split after it. See proc(5) for the fields.
        let stat = read_to_string("/proc/self/stat")?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<u64>().ok());
        let per_second = clock_ticks_per_second();
        if let (Some(user), Some(system), Some(started)) = (ticks(11), ticks(12), ticks(19)) {
            // Between reading it and raising it, another scrape may not raise it too.
            static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
            let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
            let counter = CPU_SECONDS.with([]);
            counter.inc_by(((user + system) / per_second).saturating_sub(counter.get()));
            let booted = number(&read_to_string("/proc/stat")?, "btime ");
            gauge(&START_SECONDS, booted.map(|booted| booted as f64 + started as f64 / per_second as f64));
        }
        Ok(())
    }

    /// Returns the number on the line that begins with `name`.
    fn number(text: &str, name: &str) -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Converts the number on the line that begins with `name` from kB to bytes.
    fn kilobytes(text: &str, name: &str) -> Option<f64> {
        number(text, name).map(|kilobytes| (kilobytes * 1024) as f64)
    }
}

/// Metrics of requests by route. Each time series is looked up by its labels once and kept, because a lookup costs as much as all other
/// metrics of a request. One additional route stands for all paths that match no route.
#[derive(Default)]
pub struct RequestMeters(RwLock<HashMap<String, Vec<Series>>>);

/// Metrics of the responses of a route with one method and status.
struct Series {
    method: &'static str,
    status: u16,
    responses: IntCounter,
    /// Shared by all statuses.
    seconds: Histogram,
}

impl RequestMeters {
    /// Counts a response.
    pub fn count(&self, route: &str, method: &'static str, status: u16, elapsed: Duration) {
        {
            let routes = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let mut known = routes.get(route).into_iter().flatten();
            if let Some(series) = known.find(|series| series.method == method && series.status == status) {
                return series.count(elapsed);
            }
        }
        let series = Series::new(route, method, status);
        series.count(elapsed);
        let mut routes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        routes.entry(route.to_owned()).or_default().push(series);
    }
}

impl Series {
    fn new(route: &str, method: &'static str, status: u16) -> Self {
        let responses = REQUESTS.with([route, method, &status.to_string()]);
        Self { method, status, responses, seconds: REQUEST_SECONDS.with([route, method]) }
    }

    fn count(&self, elapsed: Duration) {
        self.responses.inc();
        self.seconds.observe(elapsed.as_secs_f64());
    }
}
