//! What Prometheus sees: every metric, its unit and its buckets, in one place.

use std::sync::OnceLock;

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// Requests answered, by `route`, `method` and `status`.
pub const REQUESTS: &str = "superflip_requests_total";
/// Seconds from the head of a request to the head of its answer, by `route` and `method`.
pub const REQUEST_SECONDS: &str = "superflip_request_duration_seconds";
/// Seconds of search per solved cube.
pub const SOLVE_SECONDS: &str = "superflip_solve_seconds";
/// Seconds a request waited for a solver thread, by `lane`.
pub const QUEUE_SECONDS: &str = "superflip_queue_seconds";
/// Face turns of each answer.
pub const SOLUTION_LENGTH: &str = "superflip_solution_length_moves";
/// Positions expanded by all searches.
pub const NODES: &str = "superflip_nodes_total";
/// Requests that wait for a solver thread now, by `lane`.
pub const QUEUE_DEPTH: &str = "superflip_queue_depth";
/// Jobs that run now, by `lane`.
pub const IN_FLIGHT: &str = "superflip_searches_in_flight";
/// Requests refused before their search, by `reason`.
pub const REJECTED: &str = "superflip_rejected_total";
/// Seconds the build of each `table` took in this process.
pub const TABLE_BUILD_SECONDS: &str = "superflip_table_build_seconds";
/// Bytes of each `table` that is mapped.
pub const TABLE_BYTES: &str = "superflip_table_resident_bytes";
/// The lane of short searches.
pub const SHORT_LANE: &str = "short";
/// The lane of work that may take many seconds: long searches, optimal answers, checks of tables, spaces made on demand.
pub const LONG_LANE: &str = "long";
/// The lane of batches, which may take hours.
pub const BATCH_LANE: &str = "batch";
/// Lines of batches that were answered, by `outcome`: `solved`, `unsolved` (none within its limits), `refused` (wrong).
pub const BATCH_LINES: &str = "superflip_batch_lines_total";
/// Lines of batches that were read and whose answers have not yet been taken by their callers.
pub const BATCH_LINES_IN_FLIGHT: &str = "superflip_batch_lines_in_flight";
/// 1 once the tables are mapped, else 0.
pub const READY: &str = "superflip_ready";
/// Seconds of search per cube that was solved with `optimal`, apart from the others, which take milliseconds.
pub const OPTIMAL_SECONDS: &str = "superflip_optimal_solve_seconds";
/// Cubes solved with `optimal`, by `outcome`: `proven`, `time_limit`.
pub const OPTIMAL_ANSWERS: &str = "superflip_optimal_answers_total";
/// 1 once the table for optimal answers is mapped, else 0.
pub const OPTIMAL_READY: &str = "superflip_optimal_ready";
/// Looks for damage at the tables in use, by `outcome`: `sound`, `wrong`.
pub const TABLE_CHECKS: &str = "superflip_table_checks_total";
/// Bytes of memory that the tables in use need.
pub const MEMORY_NEEDED: &str = "superflip_memory_needed_bytes";
/// 1 when memory is too short for the tables that are configured, and smaller ones are in use; else 0.
pub const MEMORY_FALLBACK: &str = "superflip_memory_fallback";
/// How often damaged tables were opened or built anew.
pub const TABLE_MENDED: &str = "superflip_table_mended_total";
/// Searches and other jobs that panicked, by `lane`.
pub const PANICS: &str = "superflip_panics_total";
/// How much of opening or building that table is done, 0 to 1.
pub const OPTIMAL_PROGRESS: &str = "superflip_optimal_table_progress_ratio";

/// Bytes of the spaces that are kept.
pub const SPACE_BYTES: &str = "superflip_space_bytes";
/// Seconds that building a space took.
pub const SPACE_BUILD_SECONDS: &str = "superflip_space_build_seconds";

const SECONDS: [f64; 19] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    60.0, 120.0,
];

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
    describe_histogram!(REQUEST_SECONDS, Unit::Seconds, "From the head of a request to the head of its answer.");
    describe_histogram!(SOLVE_SECONDS, Unit::Seconds, "Search time of each solved cube.");
    describe_histogram!(QUEUE_SECONDS, Unit::Seconds, "How long a request waited for a solver thread, by lane.");
    describe_histogram!(SOLUTION_LENGTH, Unit::Count, "Face turns of each answer.");
    describe_counter!(NODES, Unit::Count, "Positions expanded by all searches.");
    describe_gauge!(QUEUE_DEPTH, Unit::Count, "Requests that wait for a solver thread now, by lane.");
    describe_gauge!(IN_FLIGHT, Unit::Count, "Jobs that run now, by lane.");
    describe_counter!(BATCH_LINES, Unit::Count, "Lines of batches that were answered, by outcome.");
    describe_gauge!(BATCH_LINES_IN_FLIGHT, Unit::Count, "Lines of batches that were read and not yet answered.");
    describe_counter!(REJECTED, Unit::Count, "Requests refused before their search, by reason.");
    describe_gauge!(TABLE_BUILD_SECONDS, Unit::Seconds, "How long the build of a table took in this process.");
    describe_gauge!(TABLE_BYTES, Unit::Bytes, "Size of each mapped table.");
    describe_histogram!(OPTIMAL_SECONDS, Unit::Seconds, "Search time of each cube that was solved with `optimal`.");
    describe_counter!(OPTIMAL_ANSWERS, Unit::Count, "Cubes solved with `optimal`, by outcome.");
    describe_gauge!(OPTIMAL_READY, Unit::Count, "1 once the table for optimal answers is mapped, else 0.");
    describe_gauge!(OPTIMAL_PROGRESS, "How much of opening or building the table for optimal answers is done, 0 to 1.");
    describe_counter!(TABLE_CHECKS, Unit::Count, "Looks for damage at the tables in use, by outcome.");
    describe_gauge!(MEMORY_NEEDED, Unit::Bytes, "Memory that the tables in use need, in use and while they are built.");
    describe_gauge!(MEMORY_FALLBACK, Unit::Count, "1 when memory is too short for the tables that are configured.");
    describe_counter!(TABLE_MENDED, Unit::Count, "How often damaged tables were opened or built anew.");
    describe_counter!(PANICS, Unit::Count, "Jobs that panicked, by lane.");
    describe_gauge!(SPACE_BYTES, Unit::Bytes, "Size of the coordinate spaces that are kept.");
    describe_histogram!(SPACE_BUILD_SECONDS, Unit::Seconds, "How long building a coordinate space took.");
    describe_gauge!(READY, Unit::Count, "1 once the tables are mapped, else 0.");
    // A series that appears only with its first event hides that event from `rate()`.
    for reason in [
        "missing_key",
        "unknown_key",
        "rate_limited",
        "client_limit",
        "overloaded",
        "deadline_unreachable",
        "shutting_down",
        "tables_not_ready",
        "optimal_not_enabled",
        "optimal_table_not_ready",
    ] {
        metrics::counter!(REJECTED, "reason" => reason).increment(0);
    }
    for outcome in ["solved", "unsolved", "refused"] {
        metrics::counter!(BATCH_LINES, "outcome" => outcome).increment(0);
    }
    for outcome in ["sound", "wrong"] {
        metrics::counter!(TABLE_CHECKS, "outcome" => outcome).increment(0);
    }
    metrics::counter!(TABLE_MENDED).increment(0);
    metrics::gauge!(MEMORY_FALLBACK).set(0.0);
    for outcome in ["proven", "time_limit"] {
        metrics::counter!(OPTIMAL_ANSWERS, "outcome" => outcome).increment(0);
    }
    metrics::gauge!(OPTIMAL_READY).set(0.0);
    metrics::gauge!(OPTIMAL_PROGRESS).set(0.0);
    metrics::counter!(NODES).increment(0);
    metrics::gauge!(BATCH_LINES_IN_FLIGHT).set(0.0);
    for lane in [SHORT_LANE, LONG_LANE, BATCH_LANE] {
        metrics::gauge!(QUEUE_DEPTH, "lane" => lane).set(0.0);
        metrics::gauge!(IN_FLIGHT, "lane" => lane).set(0.0);
        metrics::counter!(PANICS, "lane" => lane).increment(0);
    }
    metrics::gauge!(READY).set(0.0);
    metrics::gauge!(SPACE_BYTES).set(0.0);
}

/// Counts one answered line of a batch.
pub fn count_line(outcome: &'static str) {
    metrics::counter!(BATCH_LINES, "outcome" => outcome).increment(1);
}

/// Counts one refused request.
pub fn count_rejected(reason: &'static str) {
    metrics::counter!(REJECTED, "reason" => reason).increment(1);
}

/// One more in a gauge for as long as this lives.
pub(super) struct Counted(metrics::Gauge);

impl Counted {
    pub(super) fn in_gauge(gauge: &'static str, lane: &'static str) -> Self {
        Self::new(metrics::gauge!(gauge, "lane" => lane))
    }

    pub(super) fn new(gauge: metrics::Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
