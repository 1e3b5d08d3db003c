//! Lanes: bounded queues between async code and CPU-bound jobs, each with threads of its own.
//!
//! ```text
//!   request --> admission --> waiting --in order of arrival--> thread --> answer
//!                  |             |                                |
//!             Overloaded   DeadlinePassed              caller gone, or shutdown: stop flag
//! ```
//!
//! A job keeps its thread until it has ended, whether or not its caller still waits. Dropping the future of [`Lane::run`] removes a waiting
//! job from the queue, and sets the stop flag of a running one. A panic ends its own job and nothing else.
//!
//! A short job may run on the thread of its caller while the lane is empty ([`Lane::run_at_caller`]).

mod priority;
mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus::{Histogram, IntCounter};
use tokio::sync::{Notify, oneshot};
use tokio::task::yield_now;
use tokio::time::timeout_at;
use tokio_util::sync::CancellationToken;

pub use self::priority::{Priority, has_answer};
pub(crate) use self::priority::{start_thread, thread_time};
pub use self::queue::Refused;
use self::queue::{BoxedJob, JobQueue};
use crate::service::panic_message;
use crate::service::telemetry::metrics::{
    ADMITTED, CANCELLED, IN_FLIGHT, PANICS, QUEUE_DEPTH, QUEUE_SECONDS, RUNNING, WAITING, rejected,
};
use superflip_solver::Control;

/// How long a job may wait and run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadline {
    /// The job ends itself at this time. It must start while a quarter of its time is left.
    EndBy(Instant),
    /// The job starts by this time. Its duration is not limited.
    StartBy(Instant),
    /// Further work of an admitted request. The job is not refused for a full queue, and waits as long as necessary.
    Admitted,
}

/// A bounded queue of jobs and the threads that run them.
pub struct Lane {
    name: &'static str,
    queue: Arc<JobQueue>,
    closed: CancellationToken,
    threads: usize,
    queue_length: usize,
    panicked: Arc<Notify>,
    admitted: IntCounter,
    queue_seconds: Histogram,
}

/// A job that has not ended. Dropping it cancels the job.
struct PendingJob<'l> {
    lane: &'l Lane,
    number: u64,
    is_over: bool,
}

impl Drop for PendingJob<'_> {
    fn drop(&mut self) {
        let Self { lane: Lane { name, queue, .. }, number, is_over } = self;
        if !*is_over {
            let stage = if queue.remove(*number) { WAITING } else { RUNNING };
            queue.stop(*number);
            CANCELLED.with([name, stage]).inc();
        }
    }
}

/// The place of a job that runs on the thread of its caller.
struct PlaceAtCaller<'l> {
    lane: &'l Lane,
    number: u64,
    is_done: bool,
}

impl Drop for PlaceAtCaller<'_> {
    fn drop(&mut self) {
        self.lane.queue.end_at_caller(self.number, self.is_done);
    }
}

impl Lane {
    /// Creates a lane of `threads` threads, in which `queue_length` jobs may wait. `name` is its label in the metrics. Each job that panics
    /// notifies `panicked`.
    pub fn new(
        name: &'static str,
        priority: Priority,
        threads: usize,
        queue_length: usize,
        panicked: Arc<Notify>,
    ) -> Self {
        let (queue, threads) = JobQueue::start(name, priority, threads);
        let (closed, admitted, queue_seconds) =
            (CancellationToken::new(), ADMITTED.with([name]), QUEUE_SECONDS.with([name]));
        Self { name, queue, closed, threads, queue_length, panicked, admitted, queue_seconds }
    }

    /// Runs a short job on the thread of its caller, in place of a thread of the lane, if the lane has no other job. So no other thread has to
    /// wake up. The job counts as one of the lane, and a panic ends it and nothing else. Returns `None` if the lane has another job, or if the
    /// job returns `None` because it takes too long. It then runs again with [`Lane::run`].
    ///
    /// # Errors
    /// When the job panics.
    pub async fn run_at_caller<T>(&self, job: impl FnOnce(&Control) -> Option<T>) -> Option<Result<T, Refused>> {
        let control = Control::new();
        let number = self.queue.begin_at_caller(control.clone())?;
        let mut place = PlaceAtCaller { lane: self, number, is_done: false };
        let (arrived, waiting) = (Instant::now(), tracing::debug_span!("queue", lane = self.name));
        // Requests that have arrived come first: they see that this job runs, and go to the threads of the lane.
        yield_now().await;
        if self.queued() > 0 {
            // The lane needs this place for the job that waits.
            return None;
        }
        drop(waiting);
        let queued = arrived.elapsed();
        let value = isolated(self.name, &self.panicked, || job(&control)).transpose()?;
        place.is_done = true;
        self.admitted.inc();
        self.queue_seconds.observe(queued.as_secs_f64());
        Some(value.map_err(|payload| Refused::Panicked(panic_message(&*payload))))
    }

    /// Runs `job` on a thread of the lane. The job must poll its stop flag and return soon after it is set.
    ///
    /// # Errors
    /// When the queue is full, when the job does not start or end in time for `deadline`, when the lane is closed, or when the job panics.
    pub async fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        job: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let job = move |control: &Control| {
            has_answer();
            job(control)
        };
        self.run_for_answer(deadline, job).await
    }

    /// Runs a job that a client waits for and that calls [`has_answer`] as soon as it has one: until then, a thread of
    /// [`Priority::IdleOnceAnswered`] has the normal priority.
    ///
    /// # Errors
    /// As [`Lane::run`].
    pub async fn run_for_answer<T: Send + 'static>(
        &self,
        deadline: Deadline,
        job: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        /// Time after its end in which a job may complete its last step.
        const GRACE: Duration = Duration::from_millis(20);
        /// A time that no job reaches.
        const NEVER: Duration = Duration::from_hours(24 * 365);
        let (arrived, capacity) = (Instant::now(), self.threads + self.queue_length);
        let (capacity, latest_start, latest_end) = match deadline {
            Deadline::EndBy(end) => (capacity, arrived + end.saturating_duration_since(arrived) / 4 * 3, end + GRACE),
            Deadline::StartBy(start) => (capacity, start, arrived + NEVER),
            Deadline::Admitted => (usize::MAX, arrived + NEVER, arrived + NEVER),
        };
        let (control, (sender, answer)) = (Control::new(), oneshot::channel());
        let task = self.task(arrived, control.clone(), job, sender);
        let (number, ahead) = self.queue.push(capacity, control, task).map_err(|refused| self.count(refused))?;
        self.admitted.inc();
        let mut pending = PendingJob { lane: self, number, is_over: false };
        // A search may have no core, and so not notice that the lane was closed. Its caller does not wait for it; other callers do.
        let mut answer = pin!(async {
            tokio::select! {
                biased;
                answer = answer => answer.ok(),
                () = self.closed.cancelled(), if matches!(deadline, Deadline::EndBy(_)) => None,
            }
        });
        // If a thread was free on arrival, the job starts when the thread wakes up, however late.
        let latest_start = Some(latest_start).filter(|_| ahead >= self.threads);
        for time in latest_start.into_iter().chain([latest_end]) {
            match timeout_at(time.into(), &mut answer).await {
                Ok(Some(value)) => {
                    pending.is_over = true;
                    return value.map_err(|payload| Refused::Panicked(panic_message(&*payload)));
                }
                Ok(None) if self.queue.stop(number) => return Err(Refused::ShuttingDown),
                Ok(None) => {
                    pending.is_over = true;
                    return Err(self.count(Refused::ShuttingDown));
                }
                Err(_) if self.queue.remove(number) => {
                    pending.is_over = true;
                    let wait = self.queue.expected_wait();
                    let had_thread = ahead < self.threads;
                    return Err(self.count(if had_thread {
                        Refused::NoCore(wait)
                    } else {
                        Refused::DeadlinePassed(wait)
                    }));
                }
                Err(_) => {}
            }
        }
        Err(Refused::NoCore(self.queue.expected_wait()))
    }

    /// Wraps a job with metrics, isolation of panics, and the channel for its result.
    fn task<T: Send + 'static>(
        &self,
        arrived: Instant,
        control: Control,
        job: impl FnOnce(&Control) -> T + Send + 'static,
        sender: oneshot::Sender<std::thread::Result<T>>,
    ) -> BoxedJob {
        let (lane, panicked, queue_seconds) = (self.name, Arc::clone(&self.panicked), self.queue_seconds.clone());
        let waiting = tracing::debug_span!("queue", lane);
        Box::new(move |free_thread| {
            drop(waiting);
            queue_seconds.observe(arrived.elapsed().as_secs_f64());
            let value = isolated(lane, &panicked, || job(&control));
            free_thread();
            // Sending fails if the caller has gone. The result is then dropped.
            drop(sender.send(value));
        })
    }

    /// Counts a rejection.
    fn count(&self, refused: Refused) -> Refused {
        let reason = match refused {
            Refused::Overloaded(_) | Refused::NoCore(_) => "overloaded",
            Refused::DeadlinePassed(_) => "deadline_unreachable",
            _ => "shutting_down",
        };
        rejected(self.name, reason).inc();
        refused
    }

    /// Refuses new, waiting and running jobs, and sets the stop flags of running ones.
    pub fn close(&self) {
        self.queue.close();
        self.closed.cancel();
    }

    /// Sets the gauges of waiting and running jobs.
    #[allow(clippy::cast_precision_loss)] // no lane has 2^53 jobs
    pub fn observe(&self) {
        QUEUE_DEPTH.with([self.name]).set(self.queued() as f64);
        IN_FLIGHT.with([self.name]).set(self.in_flight() as f64);
    }

    /// Returns the number of running jobs.
    pub fn in_flight(&self) -> usize {
        self.queue.counts().0
    }

    /// Returns the number of waiting jobs.
    pub fn queued(&self) -> usize {
        self.queue.counts().1
    }

    /// Returns whether a thread waits for a job. A new thread does so once it has begun.
    pub fn has_idle_thread(&self) -> bool {
        self.queue.has_idle_thread()
    }

    /// Returns whether a thread is free.
    pub(crate) fn has_free_thread(&self) -> bool {
        self.in_flight() + self.queued() < self.threads
    }
}

/// Runs a job. Catches and counts its panic, and notifies `panicked` of it.
fn isolated<T>(lane: &'static str, panicked: &Notify, job: impl FnOnce() -> T) -> std::thread::Result<T> {
    let value = catch_unwind(AssertUnwindSafe(job));
    if value.is_err() {
        PANICS.with([lane]).inc();
        panicked.notify_one();
    }
    value
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.close();
    }
}
