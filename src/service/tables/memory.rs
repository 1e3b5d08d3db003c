//! How much memory this process may use, and what its tables need: told at the start, before the kernel ends the process for it.
//!
//! | limit | read from |
//! | --- | --- |
//! | of a control group, version 2 | `memory.max` of the group and of those above it |
//! | of a control group, version 1 | `memory.limit_in_bytes`, likewise |
//! | of the machine | `MemTotal` in `/proc/meminfo` |
//! | of addresses | `ulimit -v` (`RLIMIT_AS`) |
//!
//! Where none can be read, as outside Linux, everything fits.

use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::service::config::{Config, WhenShort};
use crate::service::telemetry::metrics::{MEMORY_FALLBACK, MEMORY_NEEDED};
use crate::tables::optimal::Size;
use crate::tables::{Profile, store};
use crate::tables::{Spec, specs};

/// Requests, threads and buffers, beside the tables.
const WORK: u64 = 48 << 20;
/// Addresses that are set aside and not used, above all by the allocator: some megabytes for every process, and an arena of 64 MB for
/// each of some threads a core.
fn unused_addresses() -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    (192 << 20) + cores * (64 << 20)
}
/// What a limit of control groups that is none is written as, or more.
const NO_LIMIT: u64 = 1 << 60;

/// What a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Memory that is used.
    Memory,
    /// Addresses, used or not.
    Addresses,
}

/// A limit, and who sets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Bytes.
    pub bytes: u64,
    /// What it counts.
    pub counts: Counts,
    /// Where it is set.
    pub set_by: String,
}

/// Every limit of this process. `root` is `/`, or where its files are imitated.
pub fn limits(root: &Path) -> Vec<Limit> {
    let mut limits = of_groups(root);
    let machine = fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    limits.extend(machine.map(|kilobytes| Limit {
        bytes: kilobytes << 10,
        counts: Counts::Memory,
        set_by: "the memory of this machine".into(),
    }));
    limits.extend(of_addresses());
    limits
}

#[cfg(target_os = "linux")]
fn of_addresses() -> Option<Limit> {
    let bytes = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    Some(Limit { bytes, counts: Counts::Addresses, set_by: "ulimit -v".into() })
}

#[cfg(not(target_os = "linux"))]
fn of_addresses() -> Option<Limit> {
    None
}

fn of_groups(root: &Path) -> Vec<Limit> {
    let Ok(groups) = fs::read_to_string(root.join("proc/self/cgroup")) else { return Vec::new() };
    let mut limits = Vec::new();
    // Each line is `number:controllers:path`; version 2 has the number 0 and no controllers.
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(number), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (mount, file) = if number == "0" && controllers.is_empty() {
            ("sys/fs/cgroup", "memory.max")
        } else if controllers.split(',').any(|controller| controller == "memory") {
            ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            continue;
        };
        // A path from outside a container leads nowhere inside it; what is above is what the container sees as its own.
        let named = Path::new(path).components().filter(|part| matches!(part, Component::Normal(_)));
        let inside: PathBuf = named.collect();
        limits.extend(inside.ancestors().filter_map(|group| limit_in(root, &Path::new(mount).join(group).join(file))));
    }
    limits
}

/// The limit that a file holds, unless it holds none (`max`, or a number beyond all memory).
fn limit_in(root: &Path, file: &Path) -> Option<Limit> {
    let bytes: u64 = fs::read_to_string(root.join(file)).ok()?.trim().parse().ok()?;
    let set_by = format!("/{}", file.display());
    (bytes < NO_LIMIT).then_some(Limit { bytes, counts: Counts::Memory, set_by })
}

/// Bytes that are in use at once while the tables of a profile are built, measured.
const fn to_build(profile: Profile) -> u64 {
    match profile {
        Profile::Standard => 720 << 20,
        Profile::Small => 220 << 20,
    }
}

/// The same for a table for optimal answers, the tables of the profile not counted.
const fn to_build_optimal(size: Size) -> u64 {
    match size {
        Size::S => 270 << 20,
        Size::M => 900 << 20,
        Size::L => 5100 << 20,
        Size::Xl => 12000 << 20,
    }
}

/// Bytes of memory that these tables need in `folder`: while they are built, if they are not there, and in use.
pub fn needed(folder: &Path, profile: Profile, optimal: Option<Size>) -> u64 {
    let bytes = |spec: &Spec| store::file_bytes(spec);
    let tables: u64 = specs::of_profile(profile).map(bytes).sum();
    let in_use = tables + optimal.map_or(0, |size| bytes(size.spec())) + WORK;
    let building =
        if specs::of_profile(profile).all(|spec| store::is_there(folder, spec)) { 0 } else { to_build(profile) };
    let building_optimal = match optimal {
        Some(size) if !store::is_there(folder, size.spec()) => tables + to_build_optimal(size),
        _ => 0,
    };
    in_use.max(building).max(building_optimal)
}

/// Bytes of the largest table: while it is copied it has its addresses twice.
fn mapped_twice(profile: Profile, optimal: Option<Size>) -> u64 {
    let all = specs::of_profile(profile).chain(optimal.map(Size::spec));
    all.map(store::file_bytes).max().unwrap_or(0)
}

/// What does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortage {
    /// The profile that was configured.
    pub profile: Profile,
    /// The table for optimal answers that was.
    pub optimal: Option<Size>,
    /// Bytes that they need.
    pub needed: u64,
    /// The limit that is too low.
    pub limit: Limit,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { profile, optimal, needed, limit } = self;
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        write!(f, "the tables of the profile {}", profile.name())?;
        if let Some(size) = optimal {
            write!(f, " and the table {} for optimal answers", size.name())?;
        }
        let what = if limit.counts == Counts::Memory { "MB" } else { "MB of addresses" };
        let (needed, allowed, set_by) = (megabytes(*needed), limit.bytes / 1_000_000, &limit.set_by);
        write!(f, " need {needed} {what}, and this process may use {allowed} MB ({set_by})")
    }
}

/// The tables do not fit, and nothing else may be used for them.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{shortage}. Raise that limit{smaller}, or set tables.when_memory_is_short to `go_on` if you know better.")]
pub struct Refused {
    /// What does not fit.
    pub shortage: Shortage,
    smaller: String,
}

/// Which tables to use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The profile.
    pub profile: Profile,
    /// The table for optimal answers.
    pub optimal: Option<Size>,
    /// What needs memory at most, in bytes.
    pub needed: u64,
    /// Why these are not those that were configured, when they are not.
    pub shortage: Option<Shortage>,
}

/// Which tables to use under these limits: those that are configured, or what the configuration has in their place.
///
/// # Errors
/// When they do not fit, and the configuration has it so or nothing smaller fits either.
pub fn plan(config: &Config, folder: &Path, limits: &[Limit]) -> Result<Plan, Refused> {
    let (profile, optimal) = (config.tables.profile, config.optimal.table);
    let attempt = |profile, optimal| {
        let needed = needed(folder, profile, optimal);
        let too_low = limits.iter().find_map(|limit| {
            let needed = match limit.counts {
                Counts::Memory => needed,
                Counts::Addresses => needed + mapped_twice(profile, optimal) + unused_addresses(),
            };
            (limit.bytes < needed).then(|| Shortage { profile, optimal, needed, limit: limit.clone() })
        });
        (Plan { profile, optimal, needed, shortage: None }, too_low)
    };
    let (wanted, Some(shortage)) = attempt(profile, optimal) else { return Ok(attempt(profile, optimal).0) };
    if config.tables.when_memory_is_short == WhenShort::GoOn {
        tracing::warn!("{shortage}; going on all the same");
        return Ok(wanted);
    }
    // A proof can be done without, speed next; cubes are solved with the smallest.
    let smaller = [(profile, None), (Profile::Small, None)].into_iter().filter(|one| *one != (profile, optimal));
    let fits = smaller.map(|(profile, optimal)| attempt(profile, optimal)).find(|(_, shortage)| shortage.is_none());
    match fits {
        Some((plan, _)) if config.tables.when_memory_is_short == WhenShort::FallBack => {
            Ok(Plan { shortage: Some(shortage), ..plan })
        }
        Some((plan, _)) => {
            let less = match plan.profile {
                same if same == profile => "turn off optimal.table",
                _ if optimal.is_none() => "set tables.profile to `small`",
                _ => "turn off optimal.table and set tables.profile to `small`",
            };
            let smaller = format!(
                ", {less}, which does, or let tables.when_memory_is_short be `fall_back`, which does that by itself"
            );
            Err(Refused { shortage, smaller })
        }
        None => Err(Refused { shortage, smaller: String::new() }),
    }
}

/// Tells the log and the metrics which tables are used, and why not others.
pub fn tell(plan: &Plan) {
    #[allow(clippy::cast_precision_loss)] // nobody has 2^53 bytes
    metrics::gauge!(MEMORY_NEEDED).set(plan.needed as f64);
    if let Some(shortage) = &plan.shortage {
        metrics::gauge!(MEMORY_FALLBACK).set(1.0);
        let (profile, optimal) = (plan.profile.name(), plan.optimal.map_or("off", Size::name));
        tracing::warn!(profile, optimal, "{shortage}; falling back to less");
    }
}
