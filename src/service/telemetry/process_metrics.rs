//! What the kernel knows of this process, under the names that every Prometheus client uses.
//!
//! It is read when somebody asks for the metrics. Only Linux tells; elsewhere these metrics are absent.

use metrics::{Unit, describe_counter, describe_gauge};

/// Bytes of memory in use.
pub const RESIDENT_BYTES: &str = "process_resident_memory_bytes";
/// Bytes of address space in use.
pub const VIRTUAL_BYTES: &str = "process_virtual_memory_bytes";
/// Bytes of memory in pages of 2 MiB, where the large tables should be.
pub const HUGE_PAGE_BYTES: &str = "superflip_huge_page_bytes";
/// Descriptors that are open.
pub const OPEN_FDS: &str = "process_open_fds";
/// Descriptors that may be open.
pub const MAX_FDS: &str = "process_max_fds";
/// Threads.
pub const THREADS: &str = "process_threads";
/// When the process began, in seconds since 1970.
pub const START_SECONDS: &str = "process_start_time_seconds";
/// Seconds of processor time, in user and system mode, of all threads; whole ones, for counters are whole.
pub const CPU_SECONDS: &str = "process_cpu_seconds_total";

/// Files, pipes, timers, and connections beyond the limit.
#[cfg(target_os = "linux")]
const DESCRIPTORS_BESIDE: u64 = 128;

/// Lets this process open as many descriptors as it may, and returns how many connections these allow, which are those that are wanted
/// or fewer: a connection that cannot be accepted would keep questions about health from being answered.
#[cfg(target_os = "linux")]
pub fn descriptors_for(connections: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // Where it is refused, the limit is as it was.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let wanted = connections as u64 + DESCRIPTORS_BESIDE;
    let Some(limit) = getrlimit(Resource::Nofile).current.filter(|limit| *limit < wanted) else { return connections };
    let connections = limit.saturating_sub(DESCRIPTORS_BESIDE).max(1);
    tracing::warn!(
        limit,
        wanted,
        connections,
        "this process may open fewer descriptors than server.max_connections needs, and takes fewer connections: lower that, or raise \
         the limit (`ulimit -n`, LimitNOFILE)"
    );
    connections as usize
}

/// Lets a write beyond the limit on file sizes (`ulimit -f`) fail, so that it can be told: the signal that comes with it ends the process
/// in the middle of a file as long as nobody listens to it.
#[cfg(target_os = "linux")]
pub fn survive_file_limit() {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    // Whoever has listened once keeps the signal from its default, with or without a runtime.
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() {
        let _entered = runtime.enter();
        if let Err(error) = signal(SignalKind::from_raw(Signal::XFSZ.as_raw())) {
            tracing::debug!(%error, "the signal of the limit on file sizes keeps its default");
        }
    }
}

/// Returns whether this process inherited SIGHUP as ignored. Only Linux reports this without unsafe code.
#[cfg(target_os = "linux")]
pub fn ignores_hangup() -> bool {
    use rustix::process::Signal;

    let status = procfs::process::Process::myself().and_then(|process| process.status());
    status.is_ok_and(|status| status.sigign >> (Signal::HUP.as_raw() - 1) & 1 == 1)
}

/// Returns false: other systems do not report it.
#[cfg(not(target_os = "linux"))]
pub fn ignores_hangup() -> bool {
    false
}

/// Elsewhere the signal keeps its default.
#[cfg(not(target_os = "linux"))]
pub fn survive_file_limit() {}

/// Elsewhere the limit stays as it is.
#[cfg(not(target_os = "linux"))]
pub fn descriptors_for(connections: usize) -> usize {
    connections
}

pub(crate) fn describe() {
    describe_gauge!(RESIDENT_BYTES, Unit::Bytes, "Bytes of memory in use.");
    describe_gauge!(VIRTUAL_BYTES, Unit::Bytes, "Bytes of address space in use.");
    describe_gauge!(HUGE_PAGE_BYTES, Unit::Bytes, "Bytes of memory in pages of 2 MiB.");
    describe_gauge!(OPEN_FDS, Unit::Count, "Open descriptors.");
    describe_gauge!(MAX_FDS, Unit::Count, "Descriptors that may be open.");
    describe_gauge!(THREADS, Unit::Count, "Threads of the process.");
    describe_gauge!(START_SECONDS, Unit::Seconds, "Seconds from 1970 to the start of the process.");
    describe_counter!(CPU_SECONDS, Unit::Seconds, "Seconds of processor time, of all threads.");
}

/// Sets every metric of this module to what it is now. That takes some milliseconds with large tables, so not on a thread
/// that others wait for.
pub fn observe() {
    #[cfg(target_os = "linux")]
    if let Err(error) = linux::observe() {
        tracing::debug!(%error, "the kernel does not tell how the process does");
    }
}

#[cfg(target_os = "linux")]
#[allow(clippy::cast_precision_loss)] // no process has 2^53 bytes
mod linux {
    use procfs::process::{LimitValue, Process};
    use procfs::{ProcResult, WithCurrentSystemInfo};

    use super::{
        CPU_SECONDS, HUGE_PAGE_BYTES, MAX_FDS, OPEN_FDS, RESIDENT_BYTES, START_SECONDS, THREADS, VIRTUAL_BYTES,
    };

    pub(crate) fn observe() -> ProcResult<()> {
        let process = Process::myself()?;
        let stat = process.stat()?;
        let ticks = procfs::ticks_per_second();
        metrics::gauge!(RESIDENT_BYTES).set(stat.rss_bytes().get() as f64);
        metrics::gauge!(VIRTUAL_BYTES).set(stat.vsize as f64);
        metrics::gauge!(THREADS).set(stat.num_threads as f64);
        metrics::counter!(CPU_SECONDS).absolute((stat.utime + stat.stime) / ticks);
        let booted = procfs::boot_time_secs()?;
        metrics::gauge!(START_SECONDS).set(booted as f64 + stat.starttime as f64 / ticks as f64);
        metrics::gauge!(OPEN_FDS).set(process.fd_count()? as f64);
        let most = match process.limits()?.max_open_files.soft_limit {
            LimitValue::Value(most) => most as f64,
            LimitValue::Unlimited => f64::INFINITY,
        };
        metrics::gauge!(MAX_FDS).set(most);
        let rollup = process.smaps_rollup()?;
        let huge =
            rollup.memory_map_rollup.iter().filter_map(|map| map.extension.map.get("AnonHugePages")).sum::<u64>();
        metrics::gauge!(HUGE_PAGE_BYTES).set(huge as f64);
        Ok(())
    }
}
