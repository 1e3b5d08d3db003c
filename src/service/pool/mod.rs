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

mod priority;
mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus::{Gauge, Histogram, IntCounter};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

pub use self::priority::Priority;
use self::queue::{JobQueue, Task};
use crate::search::Stop;
use crate::service::panic_message;
use crate::service::telemetry::metrics::{
    ADMITTED, CANCELLED, Counted, IN_FLIGHT, PANICS, QUEUE_DEPTH, QUEUE_SECONDS, RUNNING, WAITING, rejected,
};

/// How long a job may wait and run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadline {
    /// The job ends itself at this time. It must start while a quarter of its time is left.
    EndBy(Instant),
    /// As [`Deadline::EndBy`], for a caller that has an answer without the job. It waits no longer, and errors are not counted as rejections.
    CutAt(Instant),
    /// The job starts by this time. Its duration is not limited.
    StartBy(Instant),
    /// The job starts at once or not at all. Errors are not counted as rejections.
    IfIdle,
    /// Further work of an admitted request. The job is not refused for a full queue, and waits as long as necessary.
    Admitted,
}

impl Deadline {
    /// Returns the latest start of a job that arrives at `now`, and the time until which its caller waits.
    fn limits(self, now: Instant) -> (Option<Instant>, Option<Instant>) {
        let start_by = |end: Instant| Some(now + end.saturating_duration_since(now) / 4 * 3);
        // A job ends a little after its time: it completes its last step, for which it may have to wait for a core.
        match self {
            Self::EndBy(end) => (start_by(end), Some(end + Duration::from_secs(1))),
            Self::CutAt(end) => (start_by(end), Some(end + Duration::from_millis(10))),
            Self::StartBy(start) => (Some(start), None),
            Self::IfIdle | Self::Admitted => (None, None),
        }
    }
}

/// The reason why a job did not run to its end. Durations are the expected wait of a job that arrives now, for `Retry-After`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// All threads are busy, and the queue is full.
    #[error("all solver threads of this lane are busy and its queue is full; retry later")]
    Overloaded(Duration),
    /// The job could not start, or not end, in time for its [`Deadline`].
    #[error("the solver threads of this lane were too busy to answer in time; retry later")]
    DeadlinePassed(Duration),
    /// The service shuts down.
    #[error("the service is shutting down")]
    ShuttingDown,
    /// The job panicked. The message is for the log.
    #[error("the job panicked: {0}")]
    Panicked(String),
}

/// The result of a job.
#[derive(Debug)]
pub struct Finished<T> {
    /// The value that the job returned.
    pub value: T,
    /// Time spent in the queue.
    pub queued: Duration,
}

/// A bounded queue of jobs and the threads that run them.
pub struct Lane {
    name: &'static str,
    queue: Arc<JobQueue>,
    threads: usize,
    queue_length: usize,
    metrics: LaneMetrics,
    stopping: CancellationToken,
    panicked: Arc<Notify>,
}

/// The metrics of a lane, looked up once.
#[derive(Clone)]
struct LaneMetrics {
    admitted: IntCounter,
    queued: Gauge,
    queue_seconds: Histogram,
    in_flight: Gauge,
}

/// The value of a job or its panic, and the time spent in the queue.
type Sent<T> = (std::thread::Result<T>, Duration);

/// A job that has not ended. Dropping it cancels the job.
struct PendingJob<'l> {
    lane: &'l Lane,
    number: u64,
    stop: Stop,
    is_over: bool,
}

impl PendingJob<'_> {
    /// Removes the job from the queue. Returns whether it was waiting.
    fn leave(&mut self) -> bool {
        self.is_over = self.lane.queue.remove(self.number);
        self.is_over
    }
}

impl Drop for PendingJob<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let stage = if self.leave() { WAITING } else { RUNNING };
            self.stop.stop();
            CANCELLED.with([self.lane.name, stage]).inc();
        }
    }
}

impl Lane {
    /// Creates a lane of `threads` threads, in which `queue_length` jobs may wait. `name` is its label in the metrics. `stopping` refuses new
    /// and waiting jobs, and sets the stop flags of running ones. Each job that panics notifies `panicked`.
    pub fn new(
        name: &'static str,
        priority: Priority,
        threads: usize,
        queue_length: usize,
        stopping: CancellationToken,
        panicked: Arc<Notify>,
    ) -> Self {
        let metrics = LaneMetrics {
            admitted: ADMITTED.with([name]),
            queued: QUEUE_DEPTH.with([name]),
            queue_seconds: QUEUE_SECONDS.with([name]),
            in_flight: IN_FLIGHT.with([name]),
        };
        let (queue, threads) = JobQueue::start(name, priority, threads);
        Self { name, queue, threads, queue_length, metrics, stopping, panicked }
    }

    /// Runs `job` on a thread of the lane. The job must poll its stop flag and return soon after it is set.
    ///
    /// # Errors
    /// When the queue is full, when the job does not start or end in time for `deadline`, when the service stops, or when the job panics.
    pub async fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        job: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<Finished<T>, Refused> {
        let result = self.submit(deadline, job).await;
        let reason = match &result {
            _ if matches!(deadline, Deadline::CutAt(_) | Deadline::IfIdle) => return result,
            Ok(_) | Err(Refused::Panicked(_)) => return result,
            Err(Refused::Overloaded(_)) => "overloaded",
            Err(Refused::DeadlinePassed(_)) => "deadline_unreachable",
            Err(Refused::ShuttingDown) => "shutting_down",
        };
        rejected(self.name, reason).inc();
        result
    }

    async fn submit<T: Send + 'static>(
        &self,
        deadline: Deadline,
        job: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<Finished<T>, Refused> {
        if self.stopping.is_cancelled() {
            return Err(Refused::ShuttingDown);
        }
        let (arrived, stop, (sender, mut answer)) = (Instant::now(), Stop::default(), oneshot::channel());
        let capacity = match deadline {
            Deadline::IfIdle => self.threads,
            Deadline::Admitted => usize::MAX,
            _ => self.threads + self.queue_length,
        };
        let pushed = self.queue.push(capacity, || self.task(arrived, stop.clone(), job, sender));
        let (number, ahead) = pushed.ok_or_else(|| Refused::Overloaded(self.retry_after()))?;
        let (start_by, give_up) = deadline.limits(arrived);
        // A job that finds a free thread starts, however late the thread wakes up.
        let mut start_by = start_by.filter(|_| ahead >= self.threads);
        let mut pending = PendingJob { lane: self, number, stop, is_over: false };
        let finished = |ended: Result<Sent<T>, _>| match ended {
            Ok((Ok(value), queued)) => Ok(Finished { value, queued }),
            Ok((Err(payload), _)) => Err(Refused::Panicked(panic_message(&*payload))),
            // Not reached: a job that does not leave the queue sends its result.
            Err(_) => Err(Refused::ShuttingDown),
        };
        loop {
            tokio::select! {
                biased;
                ended = &mut answer => {
                    pending.is_over = true;
                    return finished(ended);
                }
                () = self.stopping.cancelled() => {
                    if pending.leave() {
                        return Err(Refused::ShuttingDown);
                    }
                    pending.stop.stop();
                    return finished(answer.await);
                }
                () = until(start_by.or(give_up)) => {
                    let is_end = start_by.take().is_none();
                    if pending.leave() || is_end {
                        pending.is_over = true;
                        pending.stop.stop();
                        return Err(Refused::DeadlinePassed(self.retry_after()));
                    }
                }
            }
        }
    }

    /// Wraps a job with metrics, isolation of panics, and the channel for its result.
    fn task<T: Send + 'static>(
        &self,
        arrived: Instant,
        stop: Stop,
        job: impl FnOnce(&Stop) -> T + Send + 'static,
        sender: oneshot::Sender<Sent<T>>,
    ) -> Task {
        let (lane, metrics, panicked) = (self.name, self.metrics.clone(), Arc::clone(&self.panicked));
        metrics.admitted.inc();
        let waiting = (Counted::new(metrics.queued), tracing::debug_span!("queue", lane));
        Box::new(move |running| {
            drop(waiting);
            let queued = arrived.elapsed();
            metrics.queue_seconds.observe(queued.as_secs_f64());
            let counted = Counted::new(metrics.in_flight);
            let value = catch_unwind(AssertUnwindSafe(|| job(&stop)));
            drop((counted, running));
            if value.is_err() {
                PANICS.with([lane]).inc();
                panicked.notify_one();
            }
            // Sending fails if the caller has gone. The result is then dropped.
            drop(sender.send((value, queued)));
        })
    }

    /// Returns the expected wait of a job that arrives now, in whole seconds from 1 to 60.
    fn retry_after(&self) -> Duration {
        let seconds = self.queue.expected_wait().as_secs_f64().ceil();
        Duration::from_secs_f64(seconds.clamp(1.0, 60.0))
    }

    /// Returns the number of running jobs.
    pub fn in_flight(&self) -> usize {
        self.queue.counts().0
    }

    /// Returns the number of waiting jobs.
    pub fn queued(&self) -> usize {
        self.queue.counts().1
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// Waits until `time`, or for ever if there is none.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time.into()).await,
        None => std::future::pending().await,
    }
}
