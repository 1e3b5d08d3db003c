//! Scheduling priority of worker threads: the niceness, on Linux.
//!
//! The kernel shares the cores among the pools. It can take a core from a running job, which a queue cannot. The async threads keep
//! the priority of the process, so that the service reads and refuses requests even when all cores are busy.

/// The share of CPU time that a thread gets when more threads than cores are runnable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// Two thirds of the share of an async thread on Linux; the same share elsewhere.
    Normal,
    /// Half of the share of [`Priority::Normal`] on Linux; the same share elsewhere. With a much smaller share, a thread would
    /// notice its stop flag too late.
    Background,
}

impl Priority {
    /// Returns the increase of niceness. Each step divides the share by 1.25.
    #[cfg(target_os = "linux")]
    const fn niceness(self) -> i32 {
        match self {
            Self::Normal => 2,
            Self::Background => 5,
        }
    }

    /// Returns the niceness of the calling thread.
    pub(crate) fn current_niceness() -> i32 {
        #[cfg(target_os = "linux")]
        return rustix::process::getpriority_process(None).unwrap_or(0);
        #[cfg(not(target_os = "linux"))]
        0
    }

    /// Applies the priority to the calling thread, relative to the niceness `base`. An unprivileged thread cannot undo it.
    pub(crate) fn apply(self, base: i32) {
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::setpriority_process(None, base + self.niceness()) {
            tracing::debug!(%error, "cannot lower the priority of a worker thread");
        }
        let _ = base;
    }
}
