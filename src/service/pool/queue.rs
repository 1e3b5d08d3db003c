//! The jobs of a lane, and the threads that take them in order of arrival.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::priority::Priority;
use super::priority::{init, start_thread};
use superflip_solver::Control;

/// The reason why a job did not run to its end. Durations are the expected wait of a job that arrives now, for `Retry-After`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// All threads are busy, and the queue is full.
    #[error("all solver threads are busy and their queue is full; retry later")]
    Overloaded(Duration),
    /// The job waited too long for a thread to end in time for its [`Deadline`](super::Deadline).
    #[error("the solver threads were too busy to answer within the time limit; retry later")]
    DeadlinePassed(Duration),
    /// The job had a thread, but that thread had no core, or hardly any time on one.
    #[error("other work took the cores, so there was hardly any time to search; retry later, or raise `time_limit_ms`")]
    NoCore(Duration),
    /// The service shuts down.
    #[error("the service is shutting down")]
    ShuttingDown,
    /// The job panicked. The message is for the log.
    #[error("the job panicked: {0}")]
    Panicked(String),
}

/// A job as a thread runs it. It calls its argument to free the thread, before it reports its result.
pub(crate) type BoxedJob = Box<dyn FnOnce(&dyn Fn()) + Send>;

/// The waiting and the running jobs, by number. Numbers increase, so the first waiting job has waited longest.
pub(crate) struct JobQueue {
    jobs: Mutex<Jobs>,
    /// Notified when an idle thread may take a job, and when the queue is closed.
    changed: Condvar,
    /// Number of running jobs that have the normal priority until they have an answer.
    unanswered: Arc<AtomicUsize>,
}

struct Jobs {
    waiting: BTreeMap<u64, (Control, BoxedJob)>,
    running: BTreeMap<u64, Control>,
    /// Number of threads that wait for a job.
    idle: usize,
    /// Number of running jobs that run on the threads of their callers. Each keeps one idle thread of the lane from taking a job.
    at_callers: usize,
    next: u64,
    is_closed: bool,
    /// An instant since which the lane has had work, and the number of jobs that ended since then, scaled down with age.
    ended: (f64, Instant),
}

/// Runs jobs until the queue is closed. A thread whose priority was lowered for good ends after its job, and another takes its place.
fn work(queue: &Arc<JobQueue>, name: &'static str, priority: Priority) {
    priority.apply();
    while let Some((number, task)) = queue.take() {
        let is_replaced = Cell::new(false);
        let free_thread = || {
            // First, so that the free thread exists when the lane says that there is one.
            if priority.end() {
                let queue = Arc::clone(queue);
                start_thread(&format!("{name} job"), move || work(&queue, name, priority));
                is_replaced.set(true);
            }
            queue.end(number);
        };
        priority.begin(&queue.unanswered);
        // A job catches its own panics. This catches others, such as in the drop of a result.
        let _ = catch_unwind(AssertUnwindSafe(|| task(&free_thread)));
        if is_replaced.get() {
            return;
        }
    }
}

impl JobQueue {
    /// Creates a queue and starts `threads` threads, which run jobs until the queue is closed. Returns the number of
    /// threads that the system could start too.
    pub(crate) fn start(name: &'static str, priority: Priority, threads: usize) -> (Arc<Self>, usize) {
        let (waiting, running, ended) = (BTreeMap::new(), BTreeMap::new(), (0.0, Instant::now()));
        let jobs = Mutex::new(Jobs { waiting, running, idle: 0, at_callers: 0, next: 0, is_closed: false, ended });
        let queue = Arc::new(Self { jobs, changed: Condvar::new(), unanswered: Arc::default() });
        init();
        let start = |_: &usize| {
            let (queue, name_of_thread) = (Arc::clone(&queue), format!("{name} job"));
            let work = move || work(&queue, name, priority);
            let started = std::thread::Builder::new().name(name_of_thread).spawn(work);
            started.inspect_err(|error| tracing::warn!(%error, lane = name, "cannot start a worker thread")).is_ok()
        };
        let started = (0..threads).filter(start).count();
        (queue, started)
    }

    /// Adds a job. Returns its number, and how many jobs are ahead of it.
    ///
    /// # Errors
    /// When the queue is closed, or when `capacity` jobs run or wait.
    pub(crate) fn push(&self, capacity: usize, control: Control, task: BoxedJob) -> Result<(u64, usize), Refused> {
        let mut jobs = self.lock();
        let ahead = jobs.running.len() + jobs.waiting.len();
        if jobs.is_closed {
            return Err(Refused::ShuttingDown);
        }
        if ahead >= capacity {
            return Err(Refused::Overloaded(jobs.expected_wait()));
        }
        let number = jobs.number();
        jobs.waiting.insert(number, (control, task));
        // A thread that is busy takes the job when it has ended its own.
        let may_begin = jobs.has_free_thread();
        drop(jobs);
        if may_begin {
            self.changed.notify_one();
        }
        Ok((number, ahead))
    }

    /// Begins a job on the thread of its caller, in place of an idle thread of the lane. Returns its number; `None` if the lane has another job, or no
    /// idle thread.
    pub(crate) fn begin_at_caller(&self, control: Control) -> Option<u64> {
        let mut jobs = self.lock();
        if jobs.is_closed || !jobs.is_empty() || !jobs.has_free_thread() {
            return None;
        }
        let number = jobs.number();
        jobs.at_callers += 1;
        jobs.running.insert(number, control);
        Some(number)
    }

    /// Ends a job on the thread of its caller. `is_done` is false if it has to run again on a thread of the lane.
    pub(crate) fn end_at_caller(&self, number: u64, is_done: bool) {
        let mut jobs = self.lock();
        jobs.at_callers -= 1;
        jobs.running.remove(&number);
        if is_done {
            jobs.count_end();
        }
        let may_begin = !jobs.waiting.is_empty() && jobs.has_free_thread();
        drop(jobs);
        if may_begin {
            self.changed.notify_one();
        }
    }

    /// Waits for a job and takes it. Returns `None` once the queue is closed.
    fn take(&self) -> Option<(u64, BoxedJob)> {
        let must_wait = |jobs: &mut Jobs| (jobs.waiting.is_empty() || !jobs.has_free_thread()) && !jobs.is_closed;
        let mut jobs = self.lock();
        jobs.idle += 1;
        let mut jobs = self.changed.wait_while(jobs, must_wait).unwrap_or_else(PoisonError::into_inner);
        jobs.idle -= 1;
        let (number, (control, task)) = jobs.waiting.pop_first()?;
        jobs.running.insert(number, control);
        Some((number, task))
    }

    /// Frees the thread of a job, and counts its end.
    fn end(&self, number: u64) {
        let mut jobs = self.lock();
        jobs.running.remove(&number);
        jobs.count_end();
    }

    /// Removes a job that waits. Returns whether it did.
    pub(crate) fn remove(&self, number: u64) -> bool {
        let removed = self.lock().waiting.remove(&number);
        removed.is_some()
    }

    /// Sets the stop flag of a job if it runs. Returns whether it does.
    pub(crate) fn stop(&self, number: u64) -> bool {
        self.lock().running.get(&number).map(Control::cancel).is_some()
    }

    /// Refuses further jobs, drops the waiting ones, stops the running ones, and ends the threads.
    pub(crate) fn close(&self) {
        let mut jobs = self.lock();
        jobs.is_closed = true;
        jobs.running.values().for_each(Control::cancel);
        let waiting = std::mem::take(&mut jobs.waiting);
        drop(jobs);
        drop(waiting);
        self.changed.notify_all();
    }

    /// Returns the numbers of running and of waiting jobs.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let jobs = self.lock();
        (jobs.running.len(), jobs.waiting.len())
    }

    /// Returns whether a thread may take a job at once.
    pub(crate) fn has_idle_thread(&self) -> bool {
        self.lock().has_free_thread()
    }

    /// Returns the expected wait of a job that arrives now.
    pub(crate) fn expected_wait(&self) -> Duration {
        self.lock().expected_wait()
    }

    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Jobs {
    /// Returns the number of a new job.
    fn number(&mut self) -> u64 {
        if self.is_empty() {
            // The rate is that of a lane with work to do.
            self.ended = (0.0, Instant::now());
        }
        self.next += 1;
        self.next - 1
    }

    fn is_empty(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    /// Returns whether an idle thread may take a job.
    fn has_free_thread(&self) -> bool {
        self.idle > self.at_callers
    }

    /// Counts the end of a job.
    fn count_end(&mut self) {
        /// Time over which the rate of endings is measured.
        const WINDOW: Duration = Duration::from_secs(5);
        let (count, since) = self.ended;
        let age = since.elapsed();
        self.ended = if age < 2 * WINDOW {
            (count + 1.0, since)
        } else {
            (count * WINDOW.div_duration_f64(age) + 1.0, since + age.saturating_sub(WINDOW))
        };
    }

    /// Returns the time in which a job that arrives now would start, at the rate at which jobs have ended in the last
    /// seconds: from 1 s to 60 s.
    #[allow(clippy::cast_precision_loss)] // no lane has 2^53 jobs
    fn expected_wait(&self) -> Duration {
        let (count, since) = self.ended;
        let wait = since.elapsed().as_secs_f64() * (self.waiting.len() + 1) as f64 / count.max(1.0);
        Duration::from_secs_f64(wait.ceil().clamp(1.0, 60.0))
    }
}
