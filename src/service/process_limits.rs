//! The limit of open descriptors, which the operating system sets for this process.

/// Raises the limit of open descriptors to its maximum. Returns `connections`, reduced to what the limit allows.
///
/// Without this cap the service could not accept the connections of health checks.
#[cfg(target_os = "linux")]
pub fn connections_within_descriptors(connections: usize) -> usize {
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

/// Returns `connections` unchanged, because the limit is unknown on this system.
#[cfg(not(target_os = "linux"))]
pub fn connections_within_descriptors(connections: usize) -> usize {
    connections
}
