//! Scheduling of worker threads by the kernel (Linux only). Threads that a worker starts inherit it.
//!
//! Linux lets no thread raise its own priority without `CAP_SYS_NICE`. So one thread, which the main thread starts, starts those of normal
//! priority, whatever the priority of the thread that asks for them.
//!
//! `SCHED_IDLE` was measured against niceness 19 beside eight streams, with solves at half of the capacity on two cores: p50 0.85 and 1.1 ms
//! instead of 3.3 and 2.5, p99 8.2 and 12.8 ms instead of 18.3 and 12.3. A waking thread takes the core from an idle one at once. From one
//! of niceness 19 it may have to wait until the end of a time slice.
//!
//! Async threads below quick jobs were measured against the reverse, with clients at twice the capacity on the same two cores: with a niceness
//! of 4 the service answered 95 to 104 % of its capacity, with 2 it answered 81 to 94 %, and with 2 for the quick jobs instead 72 to 81 %.
//! While jobs use the cores, reading more requests only adds refusals. p99 was the same.
#![allow(unsafe_code)] // one system call for which rustix has no function

use std::cell::RefCell;
use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{Builder, sleep};
use std::time::Duration;

/// When a thread gets a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// The priority of the parent thread, unchanged: quick jobs.
    Normal,
    /// Niceness 4, two fifths of the share of a normal thread: async threads. They read and refuse requests while all cores are busy, but most
    /// of the time goes to answers.
    Low,
    /// When no other thread wants the core, and less than a hundredth of its time otherwise (`SCHED_IDLE`).
    Idle,
    /// Normal until the job has an answer ([`has_answer`]), then [`Priority::Idle`]: long jobs. A client waits for the first answer; a better
    /// one uses only cores that nothing else wants. At most this number of threads have the normal priority; a job beyond that begins with
    /// [`Priority::Idle`].
    IdleOnceAnswered {
        /// Greatest number of threads with the normal priority.
        at_once: usize,
    },
}

thread_local! {
    /// The place of this thread among those that keep the normal priority until they have an answer.
    static UNANSWERED: RefCell<Option<Unanswered>> = const { RefCell::new(None) };
}

/// One of the threads of a lane with the normal priority. Dropping it lets another job have it.
struct Unanswered(Arc<AtomicUsize>);

impl Drop for Unanswered {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Lowers the priority of this thread if it is [`Priority::IdleOnceAnswered`]. Linux lets no thread leave `SCHED_IDLE` without
/// `CAP_SYS_NICE`, so the thread keeps it until its end.
pub fn has_answer() {
    if UNANSWERED.take().is_some() {
        Priority::Idle.apply();
    }
}

#[cfg(target_os = "linux")]
impl Priority {
    /// Applies the priority to the calling thread.
    pub fn apply(self) {
        use rustix::process::{getpriority_process, setpriority_process};
        let lowered = |steps| getpriority_process(None).and_then(|now| setpriority_process(None, now + steps));
        let result = match self {
            Self::Normal | Self::IdleOnceAnswered { .. } => Ok(()),
            Self::Low => lowered(4),
            Self::Idle if set_idle_policy() => Ok(()),
            // Where the policy is forbidden, the greatest niceness comes nearest to it.
            Self::Idle => lowered(19),
        };
        if let Err(error) = result {
            tracing::debug!(%error, "cannot lower the priority of a worker thread");
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Priority {
    /// Does nothing on this platform.
    pub fn apply(self) {}
}

impl Priority {
    /// Gives this thread the priority of a job that begins. `unanswered` counts the jobs of the lane that have the normal priority until they have
    /// an answer.
    pub(crate) fn begin(self, unanswered: &Arc<AtomicUsize>) {
        let Self::IdleOnceAnswered { at_once } = self else { return };
        let has_place =
            unanswered.fetch_update(Relaxed, Relaxed, |count| (count < at_once).then_some(count + 1)).is_ok();
        if has_place {
            UNANSWERED.set(Some(Unanswered(Arc::clone(unanswered))));
        } else {
            Self::Idle.apply();
        }
    }

    /// Ends the job of this thread. Returns whether its priority was lowered for good.
    pub(crate) fn end(self) -> bool {
        let was_lowered = UNANSWERED.take().is_none();
        was_lowered && matches!(self, Self::IdleOnceAnswered { .. }) && cfg!(target_os = "linux")
    }
}

/// Returns whether the policy was set.
#[cfg(target_os = "linux")]
fn set_idle_policy() -> bool {
    // The kernel's parameters are one number. The function of musl only fails, so this is the system call.
    let priority: libc::c_int = 0;
    // SAFETY: the pointer is to a live value of the type that the call reads. 0 is the calling thread. No memory is written.
    unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, libc::SCHED_IDLE, &raw const priority) == 0 }
}

/// Returns the time that this thread has had on a core. On platforms that do not say, returns the time since the first call.
pub(crate) fn thread_time() -> Duration {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
    #[cfg(not(target_os = "linux"))]
    {
        static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        FIRST.get_or_init(std::time::Instant::now).elapsed()
    }
}

type Work = Box<dyn FnOnce() + Send>;

/// The queue of the starting thread.
static STARTER: LazyLock<io::Result<Sender<(String, Work)>>> = LazyLock::new(|| {
    let (sender, receiver) = channel();
    Builder::new().name("starter".to_owned()).spawn(move || start_all(&receiver)).map(|_| sender)
});

/// Starts the starting thread, with the priority of this one.
pub(crate) fn init() {
    if let Err(error) = &*STARTER {
        tracing::warn!(%error, "cannot start the thread that starts others");
    }
}

/// Runs `work` on a new thread with the priority of the thread that called [`init`] first.
pub(crate) fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let asked = (name.to_owned(), Box::new(work) as Work);
    // It ends with the process only.
    let _ = STARTER.as_ref().map(|starter| starter.send(asked));
}

fn start_all(asked: &Receiver<(String, Work)>) {
    /// Time until the next attempt after the system refused to start a thread.
    const RETRY: Duration = Duration::from_millis(100);
    for (name, work) in asked {
        let work = Arc::new(Mutex::new(Some(work)));
        let start = || {
            let work = Arc::clone(&work);
            let run = move || {
                let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(work) = work {
                    work();
                }
            };
            Builder::new().name(name.clone()).spawn(run)
        };
        while let Err(error) = start() {
            tracing::warn!(%error, name, "cannot start a thread");
            sleep(RETRY);
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_uses_no_time() {
        let before = thread_time();
        std::thread::sleep(Duration::from_millis(20));
        assert!(thread_time() < before + Duration::from_millis(10));
        while thread_time() < before + Duration::from_millis(10) {}
    }

    /// The scheduling policy of the calling thread, which is 0 for the normal one: field 41 of its line in `/proc`.
    fn policy() -> String {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit_once(") ").unwrap().1.split(' ').nth(41 - 3).unwrap().to_owned()
    }

    #[test]
    fn an_idle_thread_has_threads_of_normal_priority_started() {
        init();
        let (sender, policies) = channel();
        let idle = std::thread::spawn(move || {
            Priority::Idle.apply();
            let own = policy();
            start_thread("test", move || sender.send((own, policy())).unwrap());
        });
        idle.join().unwrap();
        assert_eq!(policies.recv(), Ok(("5".to_owned(), policy())));
    }
}
