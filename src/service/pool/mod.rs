//! Worker pools: bounded queues between async code and CPU-bound jobs.
//!
//! ```text
//!   request --> admission --> waiting --first in the queue--> worker --> answer
//!                  |             |                              |
//!        Overloaded, or    DeadlinePassed                caller gone, or shutdown:
//!     DeadlineUnreachable                                the stop flag is set
//! ```
//!
//! A job keeps its threads until it has ended, whether or not its caller still waits. Dropping the future of [`Pool::run`] removes a
//! waiting job from the queue, and sets the stop flag of a running one. A panic ends its own job and nothing else.
//!
//! A job on several threads gets them all at once, when it is first in the queue. Threads that become free are reserved for the
//! first in the queue. So two such jobs cannot deadlock, and jobs that need fewer threads cannot starve them.
//!
//! Each pool has threads of its own, so that jobs of one kind never wait for those of another. See [`Priority`] for how the
//! pools share the cores.

mod priority;
mod wait_estimate;
mod worker_pool;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use prometheus::{Gauge, Histogram, IntCounter};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

pub use self::priority::Priority;
use self::wait_estimate::Demand;
pub use self::wait_estimate::{Deadline, SearchClass};
use self::worker_pool::{BoxedJob, Completion, NotAdmitted, Ticket, WorkerPool};
use crate::search::Stop;
use crate::service::telemetry::metrics::{
    ADMITTED, CANCELLED, Counted, IN_FLIGHT, PANICS, QUEUE_DEPTH, QUEUE_SECONDS, RUNNING, WAITING, rejected,
};

/// Maximum value of `Retry-After`.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(1);

/// The reason why a job did not run to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// All threads are busy, and the queue is full.
    #[error("all solver threads of this lane are busy and its queue is full; retry later")]
    Overloaded {
        /// Expected time until all current jobs are done.
        retry_after: Duration,
    },
    /// The job is not expected to start in time for its [`Deadline`].
    #[error(
        "the expected wait for a solver thread is {expected_wait_ms} ms, which leaves too little of the time limit; raise the time limit, or retry later"
    )]
    DeadlineUnreachable {
        /// Expected time in the queue.
        expected_wait_ms: u64,
        /// Expected time until all current jobs are done.
        retry_after: Duration,
    },
    /// The job waited in the queue until it could no longer start in time for its [`Deadline`].
    #[error(
        "waited {waited_ms} ms for a solver thread; the rest of the time limit is too short to start; raise the time limit, or retry later"
    )]
    DeadlinePassed {
        /// Time spent in the queue.
        waited_ms: u64,
        /// Expected time until all current jobs are done.
        retry_after: Duration,
    },
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

/// A bounded queue of jobs and the worker threads that run them.
pub struct Pool {
    name: &'static str,
    workers: Arc<WorkerPool>,
    metrics: PoolMetrics,
    stopping: CancellationToken,
    panicked: Arc<Notify>,
}

/// The metrics of a pool, looked up once. Their label `lane` is the name of the pool.
struct PoolMetrics {
    admitted: IntCounter,
    queued: Gauge,
    queue_seconds: Histogram,
    in_flight: Gauge,
    overloaded: IntCounter,
    deadline_unreachable: IntCounter,
    shutting_down: IntCounter,
}

/// A job that has not ended. Dropping it cancels the job.
struct PendingJob<'p> {
    pool: &'p Pool,
    number: u64,
    stop: Stop,
    is_over: bool,
}

impl Drop for PendingJob<'_> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let stage = if self.pool.workers.leave(self.number) {
            WAITING
        } else {
            self.stop.stop();
            RUNNING
        };
        CANCELLED.with([self.pool.name, stage]).inc();
    }
}

impl Pool {
    /// Creates a pool of `threads` threads. `queue_length` limits the total number of threads that waiting jobs need. `name` is the
    /// label of the pool in the metrics.
    pub fn new(name: &'static str, threads: usize, queue_length: usize) -> Self {
        Self::with_priority(name, Priority::Normal, threads, queue_length)
    }

    /// Creates a pool whose threads have the given priority.
    pub fn with_priority(name: &'static str, priority: Priority, threads: usize, queue_length: usize) -> Self {
        let metrics = PoolMetrics {
            admitted: ADMITTED.with([name]),
            queued: QUEUE_DEPTH.with([name]),
            queue_seconds: QUEUE_SECONDS.with([name]),
            in_flight: IN_FLIGHT.with([name]),
            overloaded: rejected(name, "overloaded"),
            deadline_unreachable: rejected(name, "deadline_unreachable"),
            shutting_down: rejected(name, "shutting_down"),
        };
        let workers = WorkerPool::start(name, priority, threads, queue_length);
        Self { name, workers, metrics, stopping: CancellationToken::new(), panicked: Arc::default() }
    }

    /// Makes the pool notify `panicked` of each job that panics.
    #[must_use]
    pub fn notifying(mut self, panicked: Arc<Notify>) -> Self {
        self.panicked = panicked;
        self
    }

    /// Runs `job` on one worker thread. The job must poll its stop flag and return soon after it is set.
    ///
    /// # Errors
    /// When the queue is full, when the job cannot start in time for `deadline`, when the service stops, or when the job
    /// panics.
    pub async fn run<T, F>(&self, deadline: Deadline, job: F) -> Result<Finished<T>, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&Stop) -> T + Send + 'static,
    {
        self.run_on(1, deadline, SearchClass::TimeLimited, job).await
    }

    /// Runs a job that uses `threads` threads in total. It counts `threads` times towards the length of the queue. `threads` is
    /// limited to the number of threads of the pool.
    ///
    /// # Errors
    /// As [`Pool::run`].
    pub async fn run_on<T, F>(
        &self,
        threads: usize,
        deadline: Deadline,
        class: SearchClass,
        job: F,
    ) -> Result<Finished<T>, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&Stop) -> T + Send + 'static,
    {
        if self.stopping.is_cancelled() {
            return Err(self.refused(Refused::ShuttingDown));
        }
        let (arrived, stop) = (Instant::now(), Stop::default());
        let latest_start = deadline.latest_start(arrived);
        let (sender, mut answer) = oneshot::channel();
        let make =
            |starts_at_once: bool| self.task(arrived, (!starts_at_once).then_some(latest_start), &stop, job, sender);
        let threads = threads.clamp(1, self.workers.threads);
        let demand = Demand { threads, class, arrived, end: deadline.end() };
        let admitted = self.workers.admit(demand, latest_start, make);
        let Ticket { number, starts_at_once } = admitted.map_err(|rejection| self.rejected(&rejection))?;

        let mut pending = PendingJob { pool: self, number, stop, is_over: false };
        let mut too_late = std::pin::pin!(tokio::time::sleep_until(latest_start.into()));
        let mut may_leave = !starts_at_once;
        let ended = loop {
            tokio::select! {
                biased;
                ended = &mut answer => break ended,
                () = self.stopping.cancelled() => {
                    if self.workers.leave(number) {
                        pending.is_over = true;
                        return Err(self.refused(Refused::ShuttingDown));
                    }
                    pending.stop.stop();
                    let ended = answer.await;
                    drop(pending);
                    return self.finished(ended, arrived);
                }
                () = &mut too_late, if may_leave => {
                    if self.workers.leave(number) {
                        pending.is_over = true;
                        return Err(self.passed(arrived));
                    }
                    may_leave = false;
                }
            }
        };
        pending.is_over = true;
        self.finished(ended, arrived)
    }

    /// Wraps a job with metrics, isolation of panics, and the channel for its result. If a thread takes the job after `latest_start`,
    /// the job does not run: its channel is dropped, and the caller gets [`Refused::DeadlinePassed`].
    fn task<T, F>(
        &self,
        arrived: Instant,
        latest_start: Option<Instant>,
        stop: &Stop,
        job: F,
        sender: oneshot::Sender<(std::thread::Result<T>, Duration)>,
    ) -> BoxedJob
    where
        T: Send + 'static,
        F: FnOnce(&Stop) -> T + Send + 'static,
    {
        let (stop, lane, panicked) = (stop.clone(), self.name, Arc::clone(&self.panicked));
        let (queue_seconds, in_flight) = (self.metrics.queue_seconds.clone(), self.metrics.in_flight.clone());
        self.metrics.admitted.inc();
        let waiting = (Counted::new(self.metrics.queued.clone()), tracing::debug_span!("queue", lane));
        Box::new(move || {
            drop(waiting);
            let queued = arrived.elapsed();
            queue_seconds.observe(queued.as_secs_f64());
            if latest_start.is_some_and(|latest_start| arrived + queued > latest_start) {
                return Box::new(move || drop(sender)) as Completion;
            }
            let running = Counted::new(in_flight);
            let value = catch_unwind(AssertUnwindSafe(|| job(&stop)));
            drop(running);
            if value.is_err() {
                PANICS.with([lane]).inc();
                panicked.notify_one();
            }
            // Sending fails if the caller has disconnected. The result is then dropped.
            Box::new(move || drop(sender.send((value, queued))))
        })
    }

    /// Converts the end of a job to its result or a refusal.
    fn finished<T>(
        &self,
        ended: Result<(std::thread::Result<T>, Duration), oneshot::error::RecvError>,
        arrived: Instant,
    ) -> Result<Finished<T>, Refused> {
        match ended {
            Ok((Ok(value), queued)) => Ok(Finished { value, queued }),
            Ok((Err(payload), _)) => Err(Refused::Panicked(panic_message(payload.as_ref()))),
            Err(_dropped) => Err(self.passed(arrived)),
        }
    }

    /// Counts a refusal and returns it.
    fn refused(&self, refused: Refused) -> Refused {
        match refused {
            Refused::Overloaded { .. } => self.metrics.overloaded.inc(),
            Refused::DeadlineUnreachable { .. } | Refused::DeadlinePassed { .. } => {
                self.metrics.deadline_unreachable.inc();
            }
            Refused::ShuttingDown => self.metrics.shutting_down.inc(),
            Refused::Panicked(_) => {}
        }
        refused
    }

    fn rejected(&self, rejection: &NotAdmitted) -> Refused {
        let retry_after = self.retry_after();
        self.refused(match rejection {
            NotAdmitted::QueueFull => Refused::Overloaded { retry_after },
            NotAdmitted::TooLate(wait) => {
                let expected_wait_ms = wait.as_micros().div_ceil(1000) as u64;
                Refused::DeadlineUnreachable { expected_wait_ms, retry_after }
            }
        })
    }

    fn passed(&self, arrived: Instant) -> Refused {
        let waited_ms = arrived.elapsed().as_millis() as u64;
        self.refused(Refused::DeadlinePassed { waited_ms, retry_after: self.retry_after() })
    }

    /// Returns the expected time until all current jobs are done, in whole seconds for the `Retry-After` header.
    fn retry_after(&self) -> Duration {
        let seconds = self.workers.expected_drain().as_micros().div_ceil(1_000_000) as u64;
        Duration::from_secs(seconds.clamp(1, MAX_RETRY_AFTER.as_secs()))
    }

    /// Refuses new and waiting jobs, and sets the stop flags of running jobs.
    pub fn stop(&self) {
        self.stopping.cancel();
    }

    /// Returns whether [`Pool::stop`] was called.
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Waits until [`Pool::stop`] is called.
    pub async fn stopped(&self) {
        self.stopping.cancelled().await;
    }

    /// Returns the number of threads that are taken by running jobs or reserved for the first in the queue.
    pub fn in_flight(&self) -> usize {
        self.workers.in_flight()
    }

    /// Returns the number of threads that waiting jobs need. Most jobs need one.
    pub fn queued(&self) -> usize {
        self.workers.queued()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.workers.close();
    }
}

/// Returns the message of a panic, or `without a message`.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
