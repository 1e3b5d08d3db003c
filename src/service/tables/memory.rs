//! Memory check at start: refuses tables that need more memory than this process may use.
//!
//! Without this check the kernel would kill the process while it loads or builds the tables.
//!
//! | limit | read from |
//! | --- | --- |
//! | control group, version 2 | `memory.max` of the group and of its ancestors |
//! | control group, version 1 | `memory.limit_in_bytes` of the group and of its ancestors, of the controller `memory` |
//! | machine | `MemTotal` in `/proc/meminfo` |
//!
//! If neither can be read, as outside Linux, the check passes. The same limit determines the memory for coordinate spaces and for searches.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::service::config::limits::MIN_SEARCH_BYTES;
use crate::service::config::{Config, WhenShort};
use crate::service::spaces::MAX_BYTES;
use crate::service::telemetry::metrics::MEMORY_NEEDED;
use superflip_cube::forms::listed;
use superflip_cube::metric::Metric;
use superflip_solver::tables::optimal::Size;
use superflip_solver::tables::{Profile, specs, store};

/// Least memory for spaces, in bytes: enough for the named coordinates of up to two million values.
const MIN_SPACE_BYTES: u64 = 16 << 20;

/// Maximum of the derived memory for searches, in bytes.
pub const MAX_SEARCH_BYTES: u64 = 256 << 20;

/// Limits from here on are none: version 1 of control groups says so with a number of pages near 2^63 bytes.
const UNLIMITED: u64 = 1 << 60;

/// Memory for requests, threads and buffers, in addition to the tables, in bytes.
const WORK: u64 = 48 << 20;

/// A limit on memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryLimit {
    /// Number of bytes.
    pub bytes: u64,
    /// Name of the file or the entity that sets the limit.
    pub set_by: String,
}

/// Returns the lowest limit of this process. `root` is `/`, or a test folder with the same files.
pub fn limit(root: &Path) -> Option<MemoryLimit> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(MemoryLimit { bytes: kilobytes << 10, set_by: "the memory of this machine".into() })
    });
    limit_files(root)
        .into_iter()
        .filter_map(|file| group_limit(root, &file))
        .chain(machine)
        .min_by_key(|limit| limit.bytes)
}

/// Returns the files with the limits of the control groups of this process and of their ancestors, below the root.
fn limit_files(root: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    // A line is `NUMBER:CONTROLLERS:PATH`, in version 2 `0::PATH`. Inside a container the path may not exist. The container sees its own
    // group as the root, so the root is included in the ancestors.
    let files = text.lines().filter_map(|line| {
        let (folder, file, path) = match line.splitn(3, ':').collect::<Vec<_>>()[..] {
            ["0", "", path] => ("sys/fs/cgroup", "memory.max", path),
            [_, controllers, path] if controllers.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes", path)
            }
            _ => return None,
        };
        let parts = Path::new(path).components().filter(|part| matches!(part, Component::Normal(_)));
        let group: PathBuf = parts.collect();
        let ancestors: Vec<PathBuf> = group.ancestors().map(|group| Path::new(folder).join(group).join(file)).collect();
        Some(ancestors)
    });
    files.flatten().collect()
}

/// Returns the limit of a control group; `None` for a group without a limit, whose file contains `max` or, in version 1, a number that no
/// machine reaches.
fn group_limit(root: &Path, file: &Path) -> Option<MemoryLimit> {
    let bytes = fs::read_to_string(root.join(file)).ok()?.trim().parse().ok()?;
    (bytes < UNLIMITED).then(|| MemoryLimit { bytes, set_by: format!("/{}", file.display()) })
}

/// Returns the measured peak memory while the tables of a profile are built, in bytes.
const fn to_build(profile: Profile) -> u64 {
    match profile {
        Profile::Standard => 720 << 20,
        Profile::Small => 220 << 20,
        Profile::Tiny => 16 << 20,
    }
}

/// Returns the measured peak memory while a coset table is built, without the tables of the profile, in bytes.
const fn to_build_optimal(size: Size) -> u64 {
    match size {
        Size::S | Size::QtmS => 270 << 20,
        Size::M | Size::QtmM => 900 << 20,
        Size::L | Size::QtmL => 5100 << 20,
        Size::Xl | Size::QtmXl => 12000 << 20,
    }
}

/// Measured peak memory while the tables of one metric are built, beside those that are in use, in bytes.
const TO_BUILD_METRIC: u64 = 141 << 20;

/// Returns the size of the tables of a profile in bytes.
fn tables_of(profile: Profile) -> u64 {
    specs::of_profile(profile).map(store::file_bytes).sum()
}

/// Returns the size of the tables of metrics in bytes. Each is counted once.
pub(crate) fn of_metrics(metrics: &[Metric], profile: Profile) -> u64 {
    let mut known = Vec::new();
    let new = metrics.iter().filter(|metric| {
        let is_new = !known.contains(*metric);
        known.push(**metric);
        is_new
    });
    new.flat_map(|metric| specs::of_metric(*metric, profile)).map(store::file_bytes).sum()
}

/// The tables that a process is configured to use.
#[derive(Clone, Copy, Debug)]
pub struct WantedTables<'c> {
    /// Profile.
    pub profile: Profile,
    /// Size of the coset table.
    pub optimal: Option<Size>,
    /// Further metrics.
    pub metrics: &'c [Metric],
}

impl<'c> From<&'c Config> for WantedTables<'c> {
    fn from(config: &'c Config) -> Self {
        Self { profile: config.tables.profile, optimal: config.optimal.table, metrics: &config.search.metrics }
    }
}

impl WantedTables<'_> {
    /// Returns the memory that the service needs with all tables, in bytes.
    fn in_use(self) -> u64 {
        let optimal = self.optimal.map_or(0, |size| store::file_bytes(size.spec()));
        tables_of(self.profile) + optimal + of_metrics(self.metrics, self.profile) + WORK
    }
}

/// Returns the memory for coordinate spaces, in bytes: `coords.cache_bytes`, or three quarters of what the tables leave of the limit.
pub fn for_spaces(config: &Config, limit: Option<&MemoryLimit>) -> u64 {
    match config.coords.cache_bytes {
        0 => (left(config, limit) / 4 * 3).clamp(MIN_SPACE_BYTES, MAX_BYTES),
        bytes => bytes,
    }
}

/// Returns the memory for what searches hold, in bytes: `search.memory_bytes`, or a quarter of what the tables leave of the limit.
pub fn for_searches(config: &Config, limit: Option<&MemoryLimit>) -> u64 {
    match config.search.memory_bytes {
        0 => (left(config, limit) / 4).clamp(MIN_SEARCH_BYTES, MAX_SEARCH_BYTES),
        bytes => bytes,
    }
}

/// Returns the number of sets of restricted turns whose tables are kept: at most half of what the other tables leave of the limit.
pub fn sets_of_turns(config: &Config, limit: Option<&MemoryLimit>) -> usize {
    const MOST: u64 = 16;
    /// Size of the largest set: its pruning tables, the move tables of 45 steps, and the near positions.
    const BYTES: u64 = 16 << 20;
    (left(config, limit) / 2 / BYTES).clamp(1, MOST) as usize
}

/// Returns what the tables leave of the limit.
fn left(config: &Config, limit: Option<&MemoryLimit>) -> u64 {
    limit.map_or(u64::MAX, |limit| limit.bytes.saturating_sub(WantedTables::from(config).in_use()))
}

/// Returns the memory that the tables need, in bytes: in use, and while the tables that are missing in `folder` are built.
pub fn needed(folder: &Path, wanted: WantedTables<'_>) -> u64 {
    let (tables, in_use) = (tables_of(wanted.profile), wanted.in_use());
    let WantedTables { profile, optimal, metrics } = wanted;
    // The tables of metrics are built after those of the profile and before the coset table.
    let with_metrics = tables + of_metrics(metrics, profile);
    let is_missing = |metric: &Metric| !specs::of_metric(*metric, profile).all(|spec| store::is_there(folder, spec));
    let building_metrics = if metrics.iter().any(is_missing) { with_metrics + WORK + TO_BUILD_METRIC } else { 0 };
    let building =
        if specs::of_profile(profile).all(|spec| store::is_there(folder, spec)) { 0 } else { to_build(profile) };
    let building_optimal = match optimal {
        Some(size) if !store::is_there(folder, size.spec()) => with_metrics + to_build_optimal(size),
        _ => 0,
    };
    in_use.max(building).max(building_metrics).max(building_optimal)
}

/// Checks that the tables of these metrics fit under the limit beside the other tables while the tables of one metric are built.
///
/// # Errors
/// Returns the reason in public words if they do not fit, unless the configuration overrides the check.
pub fn check_metrics(config: &Config, metrics: &[Metric], limit: Option<MemoryLimit>) -> Result<(), String> {
    check_on_demand(config, metrics, limit.as_ref())?;
    check_beside(config, metrics, TO_BUILD_METRIC, limit)
}

/// Checks that the tables of metrics that are not configured take at most half of what the configured tables leave.
fn check_on_demand(config: &Config, metrics: &[Metric], limit: Option<&MemoryLimit>) -> Result<(), String> {
    let configured = &config.search.metrics;
    let others: Vec<Metric> = metrics.iter().copied().filter(|metric| !configured.contains(metric)).collect();
    let (needed, free) = (of_metrics(&others, config.tables.profile), left(config, limit) / 2);
    if needed <= free || config.tables.when_memory_is_short == WhenShort::GoOn {
        return Ok(());
    }
    Err(format!(
        "tables that requests ask for may use {} MB of memory here, half of what the other tables leave, and with them they would use \
         {} MB; the operator can load them at the start with search.metrics",
        free / 1_000_000,
        needed.div_ceil(1_000_000)
    ))
}

/// Checks that the coset table for proofs in QTM of this size fits under the limit beside the tables of these metrics, while it is built.
///
/// # Errors
/// As [`check_metrics`].
pub fn check_proofs(config: &Config, metrics: &[Metric], size: Size, limit: Option<MemoryLimit>) -> Result<(), String> {
    check_beside(config, metrics, store::file_bytes(size.spec()).max(to_build_optimal(size)), limit)
}

/// Checks that `more` bytes fit beside the tables of these metrics and the other tables.
fn check_beside(config: &Config, metrics: &[Metric], more: u64, limit: Option<MemoryLimit>) -> Result<(), String> {
    let needed = WantedTables { metrics, ..config.into() }.in_use() + more;
    match limit.filter(|limit| limit.bytes < needed && config.tables.when_memory_is_short == WhenShort::Refuse) {
        Some(limit) => Err(format!(
            "with them the server needs {} MB of memory, and may use {} MB",
            needed.div_ceil(1_000_000),
            limit.bytes / 1_000_000
        )),
        None => Ok(()),
    }
}

/// An error: the configured tables need more memory than this process may use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the tables of the profile {}{}{} need {} MB, and this process may use {} MB ({}). Raise that limit, choose smaller tables with \
     tables.profile or optimal.table, fewer metrics in search.metrics, or set tables.when_memory_is_short to `go_on` to start anyway.",
    profile.name(),
    optimal.map_or(String::new(), |size| format!(" and the table {} for optimal solutions", size.name())),
    of_metrics_in_words(metrics),
    needed.div_ceil(1_000_000),
    limit.bytes / 1_000_000,
    limit.set_by
)]
pub struct NotEnoughMemory {
    profile: Profile,
    optimal: Option<Size>,
    metrics: Vec<Metric>,
    needed: u64,
    limit: MemoryLimit,
}

/// Names the metrics of tables.
fn of_metrics_in_words(metrics: &[Metric]) -> String {
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name()).collect();
    if names.is_empty() { String::new() } else { format!(" and those of the metrics {}", listed(&names)) }
}

/// Checks that the configured tables fit under the limit.
///
/// # Errors
/// Returns an error if they do not fit, unless the configuration overrides the check.
pub fn check(config: &Config, folder: &Path, limit: Option<MemoryLimit>) -> Result<(), NotEnoughMemory> {
    let wanted = WantedTables::from(config);
    let needed = needed(folder, wanted);
    #[allow(clippy::cast_precision_loss)] // no machine has 2^53 bytes
    MEMORY_NEEDED.with([]).set(needed as f64);
    let Some(limit) = limit.filter(|limit| limit.bytes < needed) else { return Ok(()) };
    if config.tables.when_memory_is_short == WhenShort::GoOn {
        let MemoryLimit { bytes, set_by } = limit;
        tracing::warn!(needed, limit = bytes, set_by, "the tables need more memory than this process may use");
        return Ok(());
    }
    let WantedTables { profile, optimal, metrics } = wanted;
    Err(NotEnoughMemory { profile, optimal, metrics: metrics.to_vec(), needed, limit })
}
