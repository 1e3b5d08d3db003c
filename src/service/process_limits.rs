//! Limits that the operating system sets for this process: open descriptors, file size, and inherited signal actions.

#[cfg(target_os = "linux")]
pub use linux::{connections_within_descriptors, ignores_hangup, survive_file_limit};
#[cfg(not(target_os = "linux"))]
pub use others::{connections_within_descriptors, ignores_hangup, survive_file_limit};

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
    use tokio::signal::unix::{SignalKind, signal};

    /// Number of descriptors for everything except ordinary connections: files, pipes, timers, spare connections.
    const OTHER_DESCRIPTORS: u64 = 128;

    /// Raises the limit of open descriptors to its maximum. Returns `connections`, reduced to what the limit allows.
    ///
    /// Without this cap the service could not accept the connections of health checks.
    pub fn connections_within_descriptors(connections: usize) -> usize {
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
        connections as usize
    }

    /// Makes a write beyond the limit on file sizes (`ulimit -f`) fail with an error.
    ///
    /// By default the signal SIGXFSZ ends the process in the middle of the write.
    pub fn survive_file_limit() {
        // The handler stays installed after its runtime has ended, so it needs no running task.
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() {
            let _entered = runtime.enter();
            if let Err(error) = signal(SignalKind::from_raw(Signal::XFSZ.as_raw())) {
                tracing::debug!(%error, "SIGXFSZ keeps its default action");
            }
        }
    }

    /// Returns whether this process inherited SIGHUP as ignored.
    pub fn ignores_hangup() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask >> (Signal::HUP.as_raw() - 1) & 1 == 1)
    }
}

#[cfg(not(target_os = "linux"))]
mod others {
    /// Returns `connections` unchanged, because the limit is unknown on this system.
    pub fn connections_within_descriptors(connections: usize) -> usize {
        connections
    }

    /// Does nothing. The signal keeps its default action.
    pub fn survive_file_limit() {}

    /// Returns false, because only Linux reports this without unsafe code.
    pub fn ignores_hangup() -> bool {
        false
    }
}
