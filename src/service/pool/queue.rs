//! The waiting jobs of a lane, and the threads that take them in order of arrival.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::priority::Priority;

/// A job as a thread runs it. It drops [`Running`] before it reports its result.
pub(crate) type Task = Box<dyn FnOnce(Running) + Send>;

/// The waiting jobs, and the number of running ones.
pub(crate) struct JobQueue {
    jobs: Mutex<Jobs>,
    /// Notified of each new job, and when the queue is closed.
    changed: Condvar,
}

struct Jobs {
    /// Waiting jobs by number. Numbers increase, so the first entry has waited longest.
    waiting: BTreeMap<u64, Task>,
    next: u64,
    running: usize,
    is_closed: bool,
    /// Number of jobs that ended since the time, scaled down with age.
    ended: (f64, Instant),
}

/// A running job; dropping it frees its thread.
pub(crate) struct Running(Arc<JobQueue>);

impl Drop for Running {
    fn drop(&mut self) {
        /// Time over which the rate of endings is measured.
        const WINDOW: Duration = Duration::from_secs(5);
        let (now, mut jobs) = (Instant::now(), self.0.lock());
        jobs.running -= 1;
        let (count, since) = jobs.ended;
        let age = now.saturating_duration_since(since);
        jobs.ended = if age < 2 * WINDOW {
            (count + 1.0, since)
        } else {
            (count * WINDOW.div_duration_f64(age) + 1.0, since + age.saturating_sub(WINDOW))
        };
    }
}

impl JobQueue {
    /// Creates a queue and starts `threads` threads, which run jobs until the queue is closed. Returns the number of
    /// threads that the system could start too.
    pub(crate) fn start(name: &str, priority: Priority, threads: usize) -> (Arc<Self>, usize) {
        let ended = (0.0, Instant::now());
        let jobs = Jobs { waiting: BTreeMap::new(), next: 0, running: 0, is_closed: false, ended };
        let queue = Arc::new(Self { jobs: Mutex::new(jobs), changed: Condvar::new() });
        let start = |_: &usize| {
            let queue = Arc::clone(&queue);
            let run = move || {
                priority.apply();
                while let Some(task) = queue.take() {
                    // A job catches its own panics. This catches others, such as in the drop of a result.
                    let _ = catch_unwind(AssertUnwindSafe(|| task(Running(Arc::clone(&queue)))));
                }
            };
            let started = std::thread::Builder::new().name(format!("{name} job")).spawn(run);
            started.inspect_err(|error| tracing::warn!(%error, lane = name, "cannot start a worker thread")).is_ok()
        };
        let started = (0..threads).filter(start).count();
        (queue, started)
    }

    /// Adds a job unless `capacity` jobs run or wait. Returns its number, and how many jobs are ahead of it.
    pub(crate) fn push(&self, capacity: usize, task: impl FnOnce() -> Task) -> Option<(u64, usize)> {
        let mut jobs = self.lock();
        let (number, ahead) = (jobs.next, jobs.running + jobs.waiting.len());
        if ahead >= capacity {
            return None;
        }
        jobs.next += 1;
        jobs.waiting.insert(number, task());
        drop(jobs);
        self.changed.notify_one();
        Some((number, ahead))
    }

    /// Removes a waiting job. Returns whether it was waiting.
    pub(crate) fn remove(&self, number: u64) -> bool {
        let removed = self.lock().waiting.remove(&number);
        removed.is_some()
    }

    /// Waits for a job and takes it. Returns `None` once the queue is closed and empty.
    fn take(&self) -> Option<Task> {
        let is_idle = |jobs: &mut Jobs| jobs.waiting.is_empty() && !jobs.is_closed;
        let mut jobs = self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        let (_, task) = jobs.waiting.pop_first()?;
        jobs.running += 1;
        Some(task)
    }

    /// Ends the threads once no job waits.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns the numbers of running and of waiting jobs.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let jobs = self.lock();
        (jobs.running, jobs.waiting.len())
    }

    /// Returns the time in which a job that arrives now would start, at the rate at which jobs have ended in the last seconds.
    pub(crate) fn expected_wait(&self) -> Duration {
        let jobs = self.lock();
        let (count, since) = jobs.ended;
        since
            .elapsed()
            .div_f64(count.max(1.0))
            .saturating_mul(u32::try_from(jobs.waiting.len() + 1).unwrap_or(u32::MAX))
    }

    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
