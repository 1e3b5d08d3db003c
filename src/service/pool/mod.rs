//! The one door from async to CPU.
//!
//! ```text
//!   request --place--> waiting --first in line--> solver thread --> answer
//!              |none free  |deadline passes            |caller gone, drain over
//!              |           |                           |
//!              v           v                           v
//!     Overloaded, or    DeadlineUnreachable    its Stop flag is set
//!     DeadlineUnreachable
//! ```
//!
//! There are as many places as jobs may run and wait together. A job keeps its place and its threads until it has ended, whether or
//! not anybody still waits for it. Dropping the future of [`Pool::run`] sets the stop flag of its job, or gives up its place in
//! the line. A panic ends its own job and nothing else.
//!
//! A job on several threads takes as many places and as many threads, all at once when it is first in line: threads that come
//! free are set aside for the first in line alone, so two such jobs never wait for each other's, and none is overtaken
//! for ever by those that need fewer.
//!
//! Pools have threads of their own, so none waits for a thread of another, and the kernel shares the cores among them: it can
//! take a core from a job that runs, which no queue can. [`Weight::Light`] makes it give a thread a smaller share while
//! others want the core.

pub mod cancel_reason;
mod wait_estimate;
mod worker_pool;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{Counter, Gauge, Histogram};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

use self::worker_pool::{Full, Lane};
use crate::search::Stop;
use crate::service::pool::cancel_reason::{Departure, Reason};
use crate::service::telemetry::metrics::{
    ADMITTED, Counted, IN_FLIGHT, PANICS, QUEUE_DEPTH, QUEUE_SECONDS, RUNNING, WAITING, rejected,
};

/// Why a job did not run to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Every place, running and waiting, is taken.
    #[error("every thread for this kind of work is busy and its queue is full")]
    Overloaded {
        /// When a place should be free.
        retry_after: Duration,
    },
    /// The deadline would pass in the queue.
    #[error(
        "too little of the time limit would be left after waiting for a solver thread, some {expected_wait_ms} ms; allow more time, or come again later"
    )]
    DeadlineUnreachable {
        /// How long the wait is expected to be.
        expected_wait_ms: u64,
        /// When the queue should be shorter.
        retry_after: Duration,
    },
    /// The deadline passed in the queue.
    #[error(
        "no solver thread was free within the time limit: all {waited_ms} ms went by in waiting; allow more time, or come again later"
    )]
    DeadlinePassed {
        /// How long the job had waited.
        waited_ms: u64,
        /// When the queue should be shorter.
        retry_after: Duration,
    },
    /// The service stops.
    #[error("the service is shutting down")]
    ShuttingDown,
    /// The job panicked; the message is for the log.
    #[error("the job panicked: {0}")]
    Panicked(String),
}

/// Until when a job must have its turn, and what else that means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadline {
    /// The job ends then too, so that nobody behind it waits longer.
    OfTheEnd(Instant),
    /// Once it has begun it takes the time it takes.
    OfTheTurn(Instant),
}

/// What kind of job it is, for how long those of its kind held their threads tells how long it will.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Ends by itself, most often long before any deadline.
    Quick,
    /// Goes on while it may, or is like no other.
    Steady,
}

impl Deadline {
    fn instant(self) -> Instant {
        match self {
            Self::OfTheEnd(instant) | Self::OfTheTurn(instant) => instant,
        }
    }

    /// When the job is gone for certain.
    fn end(self) -> Option<Instant> {
        match self {
            Self::OfTheEnd(instant) => Some(instant),
            Self::OfTheTurn(_) => None,
        }
    }
}

/// What a job returned, and how long it had waited.
#[derive(Debug)]
pub struct Finished<T> {
    /// What the job returned.
    pub value: T,
    /// Time in the queue.
    pub queued: Duration,
}

/// How much of a core a thread gets while there are more of them than cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// Two thirds of what a thread of the async side gets, on Linux; elsewhere as much.
    Full,
    /// Half of [`Weight::Full`], on Linux; elsewhere as much.
    Light,
}

impl Weight {
    /// Each step is worth a factor of 1.25. Those who talk to callers come first: requests are read, and refused where they must
    /// be, however busy the cores are. With less than half of the others' share a light thread would hear of its stop flag too
    /// late: it looks at it only while it has a core.
    #[cfg(target_os = "linux")]
    const fn niceness(self) -> i32 {
        match self {
            Self::Full => 2,
            Self::Light => 5,
        }
    }

    /// That of the calling thread.
    fn niceness_here() -> i32 {
        #[cfg(target_os = "linux")]
        return rustix::process::getpriority_process(None).unwrap_or(0);
        #[cfg(not(target_os = "linux"))]
        0
    }

    /// Gives it to the calling thread and those it starts, where one of the async side has the niceness `others`. It is for good: an
    /// unprivileged process cannot take a lower priority back.
    fn take(self, others: i32) {
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::setpriority_process(None, others + self.niceness()) {
            tracing::debug!(%error, "cannot lower the priority of a solver thread");
        }
        let _ = others;
    }
}

/// The bounded door to the solver threads.
pub struct Pool {
    name: &'static str,
    lane: Arc<Lane>,
    meters: Meters,
    stopping: CancellationToken,
    panicked: Arc<Notify>,
}

/// The metrics of a lane, looked up once.
struct Meters {
    admitted: Counter,
    queued: Gauge,
    queue_seconds: Histogram,
    in_flight: Gauge,
    overloaded: Counter,
    deadline_unreachable: Counter,
    shutting_down: Counter,
}

/// A job that has not ended; dropping it gives the job up.
struct UnderWay<'p> {
    pool: &'p Pool,
    number: u64,
    stop: Stop,
    departure: Departure,
    is_over: bool,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let stage = if self.pool.lane.leave(self.number) {
            WAITING
        } else {
            self.stop.stop();
            RUNNING
        };
        self.departure.count_cancelled(self.pool.name, stage);
    }
}

impl Pool {
    /// A pool that runs `threads` jobs at once and lets `queue_length` wait. `name` is its lane in the metrics.
    pub fn new(name: &'static str, threads: usize, queue_length: usize) -> Self {
        Self::with_weight(name, Weight::Full, threads, queue_length)
    }

    /// The same with another weight of its threads.
    pub fn with_weight(name: &'static str, weight: Weight, threads: usize, queue_length: usize) -> Self {
        let meters = Meters {
            admitted: metrics::counter!(ADMITTED, "lane" => name),
            queued: metrics::gauge!(QUEUE_DEPTH, "lane" => name),
            queue_seconds: metrics::histogram!(QUEUE_SECONDS, "lane" => name),
            in_flight: metrics::gauge!(IN_FLIGHT, "lane" => name),
            overloaded: rejected(name, "overloaded"),
            deadline_unreachable: rejected(name, "deadline_unreachable"),
            shutting_down: rejected(name, "shutting_down"),
        };
        let lane = Arc::new(Lane::new(name, weight, threads, queue_length));
        Self { name, lane, meters, stopping: CancellationToken::new(), panicked: Arc::default() }
    }

    /// The same, telling of each job that panics.
    #[must_use]
    pub fn telling(mut self, panicked: Arc<Notify>) -> Self {
        self.panicked = panicked;
        self
    }

    /// Runs `job` on a solver thread once it is its turn. The job is expected to end soon after its flag is set.
    ///
    /// # Errors
    /// When there is no place, when `deadline` passes before its turn or is expected to, when the service stops, when the job
    /// panics.
    pub async fn run<T, F>(&self, deadline: Deadline, job: F) -> Result<Finished<T>, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&Stop) -> T + Send + 'static,
    {
        self.run_on(1, deadline, Pace::Steady, job).await
    }

    /// Runs a job that will keep `threads` threads busy, its own included; it takes as many places. No job takes more than
    /// the pool has.
    ///
    /// # Errors
    /// As [`Pool::run`].
    pub async fn run_on<T, F>(
        &self,
        threads: usize,
        deadline: Deadline,
        pace: Pace,
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
        let (sender, mut answer) = oneshot::channel();
        let make = || {
            let (stop, meters) = (stop.clone(), &self.meters);
            meters.admitted.increment(1);
            let waiting = (Counted::new(meters.queued.clone()), tracing::debug_span!("queue", lane = self.name));
            let (lane, panicked) = (self.name, Arc::clone(&self.panicked));
            let (queue_seconds, in_flight) = (meters.queue_seconds.clone(), meters.in_flight.clone());
            Box::new(move || {
                drop(waiting);
                let queued = arrived.elapsed();
                queue_seconds.record(queued);
                let running = Counted::new(in_flight);
                let value = catch_unwind(AssertUnwindSafe(|| job(&stop)));
                drop(running);
                // Also where nobody waits for it any more.
                if value.is_err() {
                    metrics::counter!(PANICS, "lane" => lane).increment(1);
                    panicked.notify_one();
                }
                // Without a receiver nobody wants it.
                Box::new(move || drop(sender.send((value, queued)))) as worker_pool::Tell
            }) as worker_pool::Job
        };
        let threads = threads.clamp(1, self.lane.threads);
        let number = self.lane.enter(threads, deadline, pace, make).map_err(|full| self.refused(self.full(&full)))?;

        let departure = Departure::current();
        let mut under_way = UnderWay { pool: self, number, stop, departure, is_over: false };
        let mut too_late = std::pin::pin!(tokio::time::sleep_until(deadline.instant().into()));
        let mut may_wait = true;
        let ended = loop {
            tokio::select! {
                biased;
                ended = &mut answer => break ended,
                () = self.stopping.cancelled() => {
                    under_way.departure.set(Reason::Shutdown);
                    if self.lane.leave(number) {
                        under_way.is_over = true;
                        return Err(self.refused(Refused::ShuttingDown));
                    }
                    under_way.stop.stop();
                    let ended = answer.await;
                    drop(under_way);
                    return self.finished(ended);
                }
                () = &mut too_late, if may_wait => {
                    if self.lane.leave_unless_due(number) {
                        under_way.is_over = true;
                        return Err(self.refused(self.passed(arrived.elapsed())));
                    }
                    may_wait = false;
                }
            }
        };
        under_way.is_over = true;
        self.finished(ended)
    }

    /// What became of a job.
    fn finished<T>(
        &self,
        ended: Result<(std::thread::Result<T>, Duration), oneshot::error::RecvError>,
    ) -> Result<Finished<T>, Refused> {
        match ended {
            Ok((Ok(value), queued)) => Ok(Finished { value, queued }),
            Ok((Err(payload), _)) => Err(Refused::Panicked(panic_message(payload.as_ref()))),
            // Its thread could not be had.
            Err(_gone) => Err(self.refused(self.full(&Full::NoPlace))),
        }
    }

    /// Counts a refusal.
    fn refused(&self, reason: Refused) -> Refused {
        match reason {
            Refused::Overloaded { .. } => self.meters.overloaded.increment(1),
            Refused::DeadlineUnreachable { .. } | Refused::DeadlinePassed { .. } => {
                self.meters.deadline_unreachable.increment(1);
            }
            Refused::ShuttingDown => self.meters.shutting_down.increment(1),
            Refused::Panicked(_) => {}
        }
        reason
    }

    fn full(&self, full: &Full) -> Refused {
        match full {
            Full::NoPlace => Refused::Overloaded { retry_after: self.lane.retry_after() },
            Full::TooLate(wait) => {
                let expected_wait_ms = wait.as_micros().div_ceil(1000) as u64;
                Refused::DeadlineUnreachable { expected_wait_ms, retry_after: self.lane.retry_after() }
            }
        }
    }

    fn passed(&self, waited: Duration) -> Refused {
        Refused::DeadlinePassed { waited_ms: waited.as_millis() as u64, retry_after: self.lane.retry_after() }
    }

    /// Refuses new jobs, gives up the waiting ones and stops the running ones.
    pub fn stop(&self) {
        self.stopping.cancel();
    }

    /// Whether [`Pool::stop`] was called.
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Resolves once [`Pool::stop`] was called.
    pub async fn stopped(&self) {
        self.stopping.cancelled().await;
    }

    /// How many threads are taken now: by jobs that run, and set aside for the first in line when it needs several.
    pub fn in_flight(&self) -> usize {
        self.lane.in_flight()
    }

    /// How many threads are waited for now; most jobs need one.
    pub fn queued(&self) -> usize {
        self.lane.queued()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.lane.close();
    }
}

/// The text of a panic, where it has one.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
