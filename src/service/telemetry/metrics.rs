//! What Prometheus sees: every metric, its unit and its buckets, in one place.

use std::sync::OnceLock;

use metrics::{Counter, Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

use crate::service::pool::cancel_reason::Reason;

/// Requests answered, by `route`, `method` and `status`.
pub const REQUESTS: &str = "superflip_requests_total";
/// Seconds from the head of a request to the head of its answer, by `route` and `method`.
pub const REQUEST_SECONDS: &str = "superflip_request_duration_seconds";
/// Answers that were problem documents, by `code`; those within streams too, those of lines of batches not.
pub const PROBLEMS: &str = "superflip_problems_total";
/// Jobs that got a place in a `lane`, running or waiting.
pub const ADMITTED: &str = "superflip_admitted_total";
/// Requests refused before their search, by `reason` and `lane`; refusals before any lane have the lane `none`.
pub const REJECTED: &str = "superflip_rejected_total";
/// Jobs that were given up, by `lane`, `stage` (`waiting`, `running`) and `reason` (the names of `departure::Reason`).
pub const CANCELLED: &str = "superflip_cancelled_total";
/// Seconds a request waited for a solver thread, by `lane`.
pub const QUEUE_SECONDS: &str = "superflip_queue_seconds";
/// Requests that wait for a solver thread now, by `lane`.
pub const QUEUE_DEPTH: &str = "superflip_queue_depth";
/// Jobs that run now, by `lane`.
pub const IN_FLIGHT: &str = "superflip_searches_in_flight";

/// Searches that ended, by `engine` (`two_phase`, `optimal`) and `outcome`.
pub const SEARCHES: &str = "superflip_searches_total";
/// Seconds of search per solved cube.
pub const SOLVE_SECONDS: &str = "superflip_solve_seconds";
/// Face turns of each answer.
pub const SOLUTION_LENGTH: &str = "superflip_solution_length_moves";
/// Positions expanded by all searches.
pub const NODES: &str = "superflip_nodes_total";
/// Positions expanded per search that ended, by `engine`.
pub const SEARCH_NODES: &str = "superflip_search_nodes";
/// Seconds of search per cube that was solved with `optimal`, apart from the others, which take milliseconds.
pub const OPTIMAL_SECONDS: &str = "superflip_optimal_solve_seconds";
/// Cubes solved with `optimal`, by `outcome`: `proven`, `time_limit`.
pub const OPTIMAL_ANSWERS: &str = "superflip_optimal_answers_total";
/// Lines of batches that were answered, by `outcome`: `solved`, `unsolved` (none within its limits), `refused` (wrong).
pub const BATCH_LINES: &str = "superflip_batch_lines_total";
/// Lines of batches that were read and whose answers have not yet been taken by their callers.
pub const BATCH_LINES_IN_FLIGHT: &str = "superflip_batch_lines_in_flight";

/// Connections open now, by `place` (`ordinary`, and `spare` beyond the limit).
pub const CONNECTIONS: &str = "superflip_connections";
/// Connections accepted, by `place`.
pub const CONNECTIONS_ACCEPTED: &str = "superflip_connections_accepted_total";
/// Connections that ended, by `reason`, one of [`CLOSED`].
pub const CONNECTIONS_CLOSED: &str = "superflip_connections_closed_total";

/// 1 once the tables are mapped, else 0.
pub const READY: &str = "superflip_ready";
/// 1, with the `profile` of the tables.
pub const TABLES_INFO: &str = "superflip_tables_info";
/// Seconds from the start of opening or building the tables of the profile to the last of them.
pub const TABLES_LOAD_SECONDS: &str = "superflip_tables_load_seconds";
/// Seconds the build of each `table` took in this process.
pub const TABLE_BUILD_SECONDS: &str = "superflip_table_build_seconds";
/// Bytes of each `table` that is mapped.
pub const TABLE_BYTES: &str = "superflip_table_resident_bytes";
/// 1 once the table for optimal answers is mapped, else 0.
pub const OPTIMAL_READY: &str = "superflip_optimal_ready";
/// How much of opening or building that table is done, 0 to 1.
pub const OPTIMAL_PROGRESS: &str = "superflip_optimal_table_progress_ratio";
/// Looks for damage at the tables in use, by `outcome`: `sound`, `wrong`.
pub const TABLE_CHECKS: &str = "superflip_table_checks_total";
/// How often damaged tables were opened or built anew.
pub const TABLE_MENDED: &str = "superflip_table_mended_total";
/// Bytes of memory that the tables in use need.
pub const MEMORY_NEEDED: &str = "superflip_memory_needed_bytes";
/// 1 when memory is too short for the tables that are configured, and smaller ones are in use; else 0.
pub const MEMORY_FALLBACK: &str = "superflip_memory_fallback";
/// Searches and other jobs that panicked, by `lane`.
pub const PANICS: &str = "superflip_panics_total";
/// Bytes of the spaces that are kept.
pub const SPACE_BYTES: &str = "superflip_space_bytes";
/// Seconds that building a space took.
pub const SPACE_BUILD_SECONDS: &str = "superflip_space_build_seconds";
/// 1, with the `version` of the program and whether it can send spans (`otlp`).
pub const BUILD_INFO: &str = "superflip_build_info";

/// The lane of short searches.
pub const SHORT_LANE: &str = "short";
/// The lane of work that may take many seconds: long searches, optimal answers, checks of tables, spaces made on demand.
pub const LONG_LANE: &str = "long";
/// The lane of batches, which may take hours.
pub const BATCH_LANE: &str = "batch";
const LANES: [&str; 3] = [SHORT_LANE, LONG_LANE, BATCH_LANE];
/// A search in two phases, or near search: the `engine` of everything but proofs.
pub const TWO_PHASE: &str = "two_phase";
/// A search for a proof.
pub const OPTIMAL: &str = "optimal";
/// The `stage` of a job in the queue.
pub(crate) const WAITING: &str = "waiting";
/// The `stage` of a job on its thread.
pub(crate) const RUNNING: &str = "running";
const ORDINARY: &str = "ordinary";
const SPARE: &str = "spare";
/// Refused before it came to any lane.
const NO_LANE: &str = "none";

/// Why connections end: the client closed it; it sent no request in time, or none at all; the head of one did not come in
/// time; an answer was not taken in time; its time beyond the limit of connections was over; the service stops; the
/// protocol was not kept.
pub const CLOSED: [&str; 8] =
    ["client", "idle", "silent", "header_timeout", "write_timeout", "crowded", "shutdown", "error"];

const SECONDS: [f64; 19] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    60.0, 120.0,
];

/// Up to what a core does in some minutes.
const NODE_COUNTS: [f64; 12] = [1e2, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/// Installs the recorder of this process on first use, and returns the handle that renders it.
///
/// # Errors
/// When another recorder was installed before.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(handle) = HANDLE.get() {
        return Ok(handle.clone());
    }
    let lengths: Vec<f64> = (0..=22).map(f64::from).collect();
    let handle = PrometheusBuilder::new()
        .set_buckets(&SECONDS)?
        .set_buckets_for_metric(Matcher::Full(SOLUTION_LENGTH.to_owned()), &lengths)?
        .set_buckets_for_metric(Matcher::Full(SEARCH_NODES.to_owned()), &NODE_COUNTS)?
        .install_recorder()?;
    describe();
    Ok(HANDLE.get_or_init(|| handle).clone())
}

/// Keeps the recorder's memory bounded, for as long as this is polled.
pub async fn keep_up(handle: PrometheusHandle) {
    let mut ticks = tokio::time::interval(std::time::Duration::from_secs(5));
    loop {
        ticks.tick().await;
        handle.run_upkeep();
    }
}

fn describe() {
    describe_counter!(REQUESTS, Unit::Count, "Requests answered, by matched route, method and status.");
    describe_histogram!(
        REQUEST_SECONDS,
        Unit::Seconds,
        "Seconds from the head of a request to the head of its answer."
    );
    describe_counter!(PROBLEMS, Unit::Count, "Answers that were problem documents, by code.");
    describe_counter!(ADMITTED, Unit::Count, "Jobs that got a place in a lane, running or waiting.");
    describe_counter!(REJECTED, Unit::Count, "Requests refused, by reason and lane.");
    describe_counter!(CANCELLED, Unit::Count, "Jobs that were given up, by lane, stage and reason.");
    describe_histogram!(QUEUE_SECONDS, Unit::Seconds, "Seconds a job waited for a solver thread, by lane.");
    describe_gauge!(QUEUE_DEPTH, Unit::Count, "Jobs that wait for a solver thread now, by lane.");
    describe_gauge!(IN_FLIGHT, Unit::Count, "Jobs that run now, by lane.");
    describe_counter!(SEARCHES, Unit::Count, "Searches that ended, by engine and outcome.");
    describe_histogram!(SOLVE_SECONDS, Unit::Seconds, "Seconds of search of each solved cube.");
    describe_histogram!(SOLUTION_LENGTH, Unit::Count, "Face turns of each answer.");
    describe_counter!(NODES, Unit::Count, "Positions expanded by all searches.");
    describe_histogram!(SEARCH_NODES, Unit::Count, "Positions expanded by each search, by engine.");
    describe_histogram!(OPTIMAL_SECONDS, Unit::Seconds, "Seconds of search of each cube solved with `optimal`.");
    describe_counter!(OPTIMAL_ANSWERS, Unit::Count, "Cubes solved with `optimal`, by outcome.");
    describe_counter!(BATCH_LINES, Unit::Count, "Lines of batches that were answered, by outcome.");
    describe_gauge!(BATCH_LINES_IN_FLIGHT, Unit::Count, "Lines of batches that were read and not yet answered.");
    describe_gauge!(CONNECTIONS, Unit::Count, "Connections open now, by place.");
    describe_counter!(CONNECTIONS_ACCEPTED, Unit::Count, "Connections accepted, by place.");
    describe_counter!(CONNECTIONS_CLOSED, Unit::Count, "Connections that ended, by reason.");
    describe_gauge!(READY, Unit::Count, "1 once the tables are mapped, else 0.");
    describe_gauge!(TABLES_INFO, Unit::Count, "1, with the profile of the tables.");
    describe_gauge!(
        TABLES_LOAD_SECONDS,
        Unit::Seconds,
        "Seconds that opening or building the tables of the profile took."
    );
    describe_gauge!(TABLE_BUILD_SECONDS, Unit::Seconds, "Seconds the build of a table took in this process.");
    describe_gauge!(TABLE_BYTES, Unit::Bytes, "Bytes of each mapped table.");
    describe_gauge!(OPTIMAL_READY, Unit::Count, "1 once the table for optimal answers is mapped, else 0.");
    describe_gauge!(OPTIMAL_PROGRESS, "How much of opening or building the table for optimal answers is done, 0 to 1.");
    describe_counter!(TABLE_CHECKS, Unit::Count, "Looks for damage at the tables in use, by outcome.");
    describe_counter!(TABLE_MENDED, Unit::Count, "How often damaged tables were opened or built anew.");
    describe_counter!(PANICS, Unit::Count, "Jobs that panicked, by lane.");
    describe_gauge!(MEMORY_NEEDED, Unit::Bytes, "Bytes that the tables in use need, in use and while they are built.");
    describe_gauge!(MEMORY_FALLBACK, Unit::Count, "1 when memory is too short for the tables that are configured.");
    describe_gauge!(SPACE_BYTES, Unit::Bytes, "Bytes of the coordinate spaces that are kept.");
    describe_histogram!(SPACE_BUILD_SECONDS, Unit::Seconds, "Seconds that building a coordinate space took.");
    describe_gauge!(BUILD_INFO, Unit::Count, "1, with the version of the program and whether it can send spans.");
    crate::service::telemetry::process_metrics::describe();
    begin();
}

/// Makes every series whose labels are known: one that appears only with its first event hides that event from `rate()`.
fn begin() {
    let none = |name: &'static str, labels: &[(&'static str, &'static str)]| {
        metrics::counter!(name, labels).increment(0);
    };
    for reason in [
        "missing_key",
        "unknown_key",
        "rate_limited",
        "client_limit",
        "overloaded",
        "shutting_down",
        "tables_not_ready",
        "optimal_not_enabled",
        "optimal_table_not_ready",
        "optimal_table_failed",
    ] {
        none(REJECTED, &[("reason", reason), ("lane", NO_LANE)]);
    }
    for outcome in ["sound", "wrong"] {
        none(TABLE_CHECKS, &[("outcome", outcome)]);
    }
    none(TABLE_MENDED, &[]);
    for lane in LANES {
        none(PANICS, &[("lane", lane)]);
        for reason in ["overloaded", "deadline_unreachable", "shutting_down"] {
            none(REJECTED, &[("reason", reason), ("lane", lane)]);
        }
        for reason in Reason::ALL {
            for stage in [WAITING, RUNNING] {
                none(CANCELLED, &[("lane", lane), ("stage", stage), ("reason", reason.name())]);
            }
        }
        none(ADMITTED, &[("lane", lane)]);
        metrics::gauge!(QUEUE_DEPTH, "lane" => lane).set(0.0);
        metrics::gauge!(IN_FLIGHT, "lane" => lane).set(0.0);
        let _ = metrics::histogram!(QUEUE_SECONDS, "lane" => lane);
    }
    for engine in [TWO_PHASE, OPTIMAL] {
        for outcome in crate::service::solver::OUTCOMES {
            none(SEARCHES, &[("engine", engine), ("outcome", outcome)]);
        }
        let _ = metrics::histogram!(SEARCH_NODES, "engine" => engine);
    }
    for outcome in ["solved", "unsolved", "refused"] {
        none(BATCH_LINES, &[("outcome", outcome)]);
    }
    for outcome in ["proven", "time_limit"] {
        none(OPTIMAL_ANSWERS, &[("outcome", outcome)]);
    }
    none(NODES, &[]);
    for place in [ORDINARY, SPARE] {
        none(CONNECTIONS_ACCEPTED, &[("place", place)]);
        metrics::gauge!(CONNECTIONS, "place" => place).set(0.0);
    }
    for reason in CLOSED {
        none(CONNECTIONS_CLOSED, &[("reason", reason)]);
    }
    for name in [SOLVE_SECONDS, OPTIMAL_SECONDS, SOLUTION_LENGTH, SPACE_BUILD_SECONDS] {
        let _ = metrics::histogram!(name);
    }
    for name in
        [OPTIMAL_READY, OPTIMAL_PROGRESS, BATCH_LINES_IN_FLIGHT, READY, SPACE_BYTES, MEMORY_NEEDED, MEMORY_FALLBACK]
    {
        metrics::gauge!(name).set(0.0);
    }
    let otlp = if cfg!(feature = "otlp") { "true" } else { "false" };
    metrics::gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION"), "otlp" => otlp).set(1.0);
}

/// Counts answered lines of batches.
pub struct LineMeters {
    /// Solved.
    pub solved: Counter,
    /// Not solved within their limits.
    pub unsolved: Counter,
    /// Wrong.
    pub refused: Counter,
}

/// Looked up once.
impl Default for LineMeters {
    fn default() -> Self {
        let [solved, unsolved, refused] =
            ["solved", "unsolved", "refused"].map(|outcome| metrics::counter!(BATCH_LINES, "outcome" => outcome));
        Self { solved, unsolved, refused }
    }
}

/// Counts a request that was refused before it came to a lane.
pub fn count_rejected(reason: &'static str) {
    rejected(NO_LANE, reason).increment(1);
}

/// Counts the requests that a lane refused for this reason.
pub(crate) fn rejected(lane: &'static str, reason: &'static str) -> Counter {
    metrics::counter!(REJECTED, "reason" => reason, "lane" => lane)
}

/// Counts a connection from when it is accepted until this is told why it ended.
pub struct Connected(#[allow(dead_code)] Counted); // held, not read

impl Connected {
    /// One more connection, ordinary or beyond the limit.
    pub fn new(is_spare: bool) -> Self {
        let place = if is_spare { SPARE } else { ORDINARY };
        metrics::counter!(CONNECTIONS_ACCEPTED, "place" => place).increment(1);
        Self(Counted::new(metrics::gauge!(CONNECTIONS, "place" => place)))
    }

    /// It has ended; `reason` is one of [`CLOSED`].
    pub fn ended(self, reason: &'static str) {
        metrics::counter!(CONNECTIONS_CLOSED, "reason" => reason).increment(1);
    }
}

/// One more in a gauge for as long as this lives.
pub(crate) struct Counted(metrics::Gauge);

impl Counted {
    pub(crate) fn new(gauge: metrics::Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
