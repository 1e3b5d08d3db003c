//! What the operating system gives this process: the limit of open descriptors, and memory, which is given back when it is free.
//!
//! The allocator of glibc keeps the memory that a large request has freed, often for ever. Giving it back takes some milliseconds, so it is done
//! only after the process has grown, and on a thread that no request needs.
#![allow(unsafe_code)] // one call of the C library, for which no crate has a function

use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;

/// Raises the limit of open descriptors to its maximum. Returns `connections`, reduced to what the limit allows.
///
/// Without this cap the service could not accept the connections of health checks.
#[cfg(target_os = "linux")]
pub(crate) fn connections_within_descriptors(connections: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Number of descriptors for everything except ordinary connections: files, pipes, timers, spare connections.
    const OTHER_DESCRIPTORS: u64 = 128;

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // If the system refuses, continue with the old limit.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let wanted = connections as u64 + OTHER_DESCRIPTORS;
    let limit = getrlimit(Resource::Nofile).current.filter(|limit| *limit < wanted);
    let Some(limit) = limit else { return connections };
    let connections = limit.saturating_sub(OTHER_DESCRIPTORS).max(1);
    tracing::warn!(
        limit,
        wanted,
        connections,
        "server.max_connections needs more open descriptors than this process may have, so fewer connections are accepted; lower \
         it, or raise the limit (`ulimit -n`, LimitNOFILE)"
    );
    usize::try_from(connections).unwrap_or(usize::MAX)
}

/// Returns `connections` unchanged, because the limit is unknown on this system. Logs what else is missing here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn connections_within_descriptors(connections: usize) -> usize {
    tracing::info!(
        "on this system, the service does not check whether its tables fit into memory, long searches have the priority of short ones, and \
         metrics of the process are absent; on Linux it has all of these"
    );
    connections
}

/// Interval of the checks.
const INTERVAL: Duration = Duration::from_secs(10);
/// Time to the next check after much memory was freed.
const SOON: Duration = Duration::from_millis(100);
/// Size in bytes from which freed memory is much: each thread may keep as much for itself.
const MUCH: u64 = 1 << 20;
/// Growth since the last time from which memory is given back, in pages of 4 KiB.
const GROWTH: u64 = 4096;

static FREED: Notify = Notify::const_new();

/// The size in bytes of memory that is freed when this is dropped. If it is much, [`keep_small`] checks soon.
pub(crate) struct FreedAfter(pub(crate) u64);

impl Drop for FreedAfter {
    fn drop(&mut self) {
        if self.0 >= MUCH {
            FREED.notify_one();
        }
    }
}

/// Gives freed memory back whenever the process has grown. Never returns.
pub(crate) async fn keep_small() {
    let mut smallest = resident_pages();
    loop {
        let freed = async {
            FREED.notified().await;
            sleep(SOON).await;
        };
        tokio::select! {
            () = sleep(INTERVAL) => {}
            () = freed => {}
        }
        let now = resident_pages();
        if now > smallest + GROWTH {
            // A panic here would only keep memory.
            let _ = tokio::task::spawn_blocking(give_back).await;
            smallest = resident_pages();
            tracing::debug!(before = now, after = smallest, "freed memory was given back, in pages");
        } else {
            smallest = smallest.min(now);
        }
    }
}

/// Returns the resident size of this process in bytes, without files; 0 where the system does not say.
pub(crate) fn resident_bytes() -> u64 {
    resident_pages() * 4096
}

/// Returns the resident size of this process in pages, without files; 0 where the system does not say.
fn resident_pages() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let mut fields = statm.split(' ').map(|field| field.parse::<u64>().unwrap_or_default());
    let (resident, shared) = (fields.nth(1).unwrap_or_default(), fields.next().unwrap_or_default());
    resident.saturating_sub(shared)
}

/// Gives freed memory back, if the allocator keeps any.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes no pointer, may be called at any time from any thread, and touches free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn freed_memory_is_given_back() {
        // Small blocks come from the heap, and one that stays keeps the end of the heap in use.
        let mut blocks: Vec<Vec<u8>> = (0..20_000).map(|_| vec![1; 4000]).collect();
        blocks.drain(..blocks.len() - 1);
        let before = resident_pages();
        give_back();
        assert!(resident_pages() + 10_000 < before, "{before} pages, then {}", resident_pages());
        assert_eq!(blocks[0][0], 1);
    }
}
