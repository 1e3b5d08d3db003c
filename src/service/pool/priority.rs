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

    /// Applies the priority to the calling thread, relative to its niceness. An unprivileged thread cannot undo it.
    pub(crate) fn apply(self) {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{getpriority_process, setpriority_process};
            let set = getpriority_process(None).and_then(|now| setpriority_process(None, now + self.niceness()));
            if let Err(error) = set {
                tracing::debug!(%error, "cannot lower the priority of a worker thread");
            }
        }
    }
}
