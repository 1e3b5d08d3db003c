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
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::tables::Role;
use superflip_solver::{Profile, SetKey, Size};

/// Least memory for spaces, in bytes: enough for the named coordinates of up to two million values.
const MIN_SPACE_BYTES: u64 = 16 << 20;

/// Maximum of the derived memory for searches, in bytes.
pub(crate) const MAX_SEARCH_BYTES: u64 = 256 << 20;

/// Limits from here on are none: version 1 of control groups says so with a number of pages near 2^63 bytes.
const UNLIMITED: u64 = 1 << 60;

/// Memory for requests, threads and buffers, in addition to the tables, in bytes.
const WORK: u64 = 48 << 20;

/// Memory that tables which stay leave for requests, beyond what the process holds and has promised when they are built, in bytes.
const SLACK: u64 = 8 << 20;

/// Memory for requests of every kind at once, in addition to the tables, in bytes: as measured by `tests/load/limits`.
const EVERYTHING: u64 = 156 << 20;

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

/// Returns the measured peak memory while a set is built, without the other sets, in bytes. That of a set that is computed is small.
fn to_build(key: SetKey) -> u64 {
    match key.role {
        _ if key.is_computed() && !key.is_profile() => 0,
        Role::Phases(_) if !key.is_profile() => key.file_bytes() + (141 << 20) + WORK,
        Role::Phases(Profile::Standard) => 720 << 20,
        Role::Phases(Profile::Small) => 220 << 20,
        Role::Phases(Profile::Tiny) => 16 << 20,
        Role::Proofs(Size::S) => 270 << 20,
        Role::Proofs(Size::M) => 900 << 20,
        Role::Proofs(Size::L) => 5100 << 20,
        Role::Proofs(Size::Xl) => 12000 << 20,
    }
}

/// Returns the sets in files that a process is configured to load, in this order: that of the profile, those of metrics, and the coset table
/// in HTM.
pub fn configured(config: &Config) -> Vec<SetKey> {
    let Config { tables, search, optimal, .. } = config;
    let mut keys = vec![SetKey::of_profile(tables.profile)];
    for &metric in &search.metrics {
        let key = SetKey::phases(metric, TurnSet::ALL, tables.profile);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.extend(optimal.table.map(|size| SetKey::proofs(Metric::Htm, size)));
    keys
}

/// The memory of the process now, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// What it holds.
    pub resident: u64,
    /// What searches may still claim.
    pub unused_by_searches: u64,
    /// What coordinate spaces may still claim.
    pub unused_by_spaces: u64,
}

/// Checks that tables of so many bytes, which stay, fit under the limit beside what the process holds now, the unused memory of searches, and
/// that of coordinate spaces. Of the last, what is only the least for a low limit does not count.
///
/// # Errors
/// Returns the reason in public words if they do not fit, unless the configuration overrides the check.
pub fn check_now(config: &Config, bytes: u64, held: Held, limit: Option<MemoryLimit>) -> Result<(), String> {
    let limit = limit.filter(|_| config.tables.when_memory_is_short == WhenShort::Refuse);
    let Some(limit) = limit else { return Ok(()) };
    let unused = held.unused_by_searches + held.unused_by_spaces.min(left(config, Some(&limit)) / 2);
    let left = limit.bytes.saturating_sub(held.resident + unused + SLACK);
    if bytes <= left {
        return Ok(());
    }
    let (bytes, left) = (bytes.div_ceil(1_000_000), left / 1_000_000);
    Err(format!("need {bytes} MB of memory, and {left} MB are left; the operator can raise the limit"))
}

/// Returns the size of sets in bytes.
fn bytes_of(keys: &[SetKey]) -> u64 {
    keys.iter().map(|key| key.file_bytes()).sum()
}

/// Returns the memory for coordinate spaces, in bytes: `coords.cache_bytes`, or half of what the tables leave of the limit.
pub fn for_spaces(config: &Config, limit: Option<&MemoryLimit>) -> u64 {
    match config.coords.cache_bytes {
        0 => (left(config, limit) / 2).clamp(MIN_SPACE_BYTES, MAX_BYTES),
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

/// Returns the number of computed sets that are kept: at most a quarter of what the configured sets leave of the limit.
pub(crate) fn computed_sets(config: &Config, limit: Option<&MemoryLimit>) -> usize {
    const MOST: u64 = 16;
    /// Size of the largest set: its pruning tables, the move tables of 45 steps, and the near positions.
    const BYTES: u64 = 16 << 20;
    (left(config, limit) / 4 / BYTES).clamp(1, MOST) as usize
}

/// Returns what the configured sets leave of the limit.
fn left(config: &Config, limit: Option<&MemoryLimit>) -> u64 {
    limit.map_or(u64::MAX, |limit| limit.bytes.saturating_sub(bytes_of(&configured(config)) + WORK))
}

/// Returns the memory that sets need, in bytes: in use, and while those that are missing in `folder` are built, one after another.
pub fn needed(folder: &Path, keys: &[SetKey]) -> u64 {
    let (mut in_use, mut peak) = (0, 0);
    for key in keys {
        if !key.is_in(folder) {
            peak = peak.max(in_use + to_build(*key));
        }
        in_use += key.file_bytes();
    }
    peak.max(in_use + WORK)
}

/// Checks that a set that is not configured fits under the limit beside those in use, while it is built. Sets of metrics may take half of
/// what the configured ones leave.
///
/// # Errors
/// Returns the reason in public words if it does not fit, unless the configuration overrides the check.
pub fn check_beside(config: &Config, in_use: &[SetKey], key: SetKey, limit: Option<MemoryLimit>) -> Result<(), String> {
    let mut all = configured(config);
    let Some(limit) = limit.filter(|_| config.tables.when_memory_is_short == WhenShort::Refuse) else { return Ok(()) };
    if all.contains(&key) {
        return Ok(());
    }
    let others: Vec<SetKey> = in_use.iter().copied().filter(|own| !all.contains(own) && *own != key).collect();
    let is_search = |key: &SetKey| matches!(key.role, Role::Phases(_));
    let of_search: Vec<SetKey> = others.iter().copied().chain([key]).filter(is_search).collect();
    let (taken, free) = (bytes_of(&of_search), left(config, Some(&limit)) / 2);
    if is_search(&key) && taken > free {
        return Err(format!(
            "tables that requests ask for may use {} MB of memory here, half of what the other tables leave, and with them they would \
             use {} MB; the operator can load them at the start with search.metrics",
            free / 1_000_000,
            taken.div_ceil(1_000_000)
        ));
    }
    all.extend(others);
    let needed = bytes_of(&all) + to_build(key).max(key.file_bytes() + WORK);
    if limit.bytes >= needed || key.is_computed() {
        return Ok(());
    }
    Err(format!(
        "with them the server needs {} MB of memory, and may use {} MB",
        needed.div_ceil(1_000_000),
        limit.bytes / 1_000_000
    ))
}

/// An error: sets of tables need more memory than this process may use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "these tables need {} MB: {}. This process may use {} MB ({}). Raise that limit, choose smaller tables with tables.profile or \
     optimal.table, fewer metrics in search.metrics, or set tables.when_memory_is_short to `go_on` to start anyway.",
    needed.div_ceil(1_000_000),
    keys.iter().map(SetKey::to_string).collect::<Vec<_>>().join(", "),
    limit.bytes / 1_000_000,
    limit.set_by
)]
pub struct NotEnoughMemory {
    keys: Vec<SetKey>,
    needed: u64,
    limit: MemoryLimit,
}

/// Checks that sets fit under the limit, and warns if requests of every kind at once may not.
///
/// # Errors
/// Returns an error if they do not fit, unless the configuration overrides the check.
pub fn check(
    config: &Config,
    folder: &Path,
    keys: Vec<SetKey>,
    limit: Option<MemoryLimit>,
) -> Result<(), NotEnoughMemory> {
    let needed = needed(folder, &keys);
    #[allow(clippy::cast_precision_loss)] // no machine has 2^53 bytes
    MEMORY_NEEDED.with([]).set(needed as f64);
    let Some(limit) = limit else { return Ok(()) };
    if limit.bytes >= needed {
        let advised = bytes_of(&keys) + EVERYTHING;
        if limit.bytes < advised {
            let MemoryLimit { bytes, set_by } = limit;
            tracing::warn!(
                advised,
                limit = bytes,
                set_by,
                "clients that ask for machines, steps, sets of moves, coordinates and batches at once can exhaust the memory of this process"
            );
        }
        return Ok(());
    }
    if config.tables.when_memory_is_short == WhenShort::GoOn {
        let MemoryLimit { bytes, set_by } = limit;
        tracing::warn!(needed, limit = bytes, set_by, "the tables need more memory than this process may use");
        return Ok(());
    }
    Err(NotEnoughMemory { keys, needed, limit })
}
