//! The one door from async to CPU.
//!
//! ```text
//!   request --admission permit--> waiting --running permit--> blocking thread
//!              |none left            |deadline passes            |caller gone, drain over
//!              |queue too long       |                           |
//!              v                     v                           v
//!     Overloaded, or          DeadlineUnreachable          its Stop flag is set
//!     DeadlineUnreachable
//! ```
//!
//! There are as many admission permits as may run and wait together, and as many running permits as solver threads; both are
//! tokio semaphores, which are fair. Both permits move into the job: a permit held by the handler would be free again while
//! the abandoned search still runs. Dropping the future of [`Pool::run`] sets the stop flag of its job, or gives up its
//! place in the queue. A panic ends its own job and nothing else.
//!
//! A job on several threads takes as many permits of each kind, all at once from where it stands in line: threads that come
//! free are set aside for the first in line alone, so two such jobs never wait for each other's, and none is overtaken
//! for ever by those that need fewer.
//!
//! Pools have threads of their own, so none waits for a thread of another, and the kernel shares the cores among them: it can
//! take a core from a job that runs, which no permit can. [`Weight::Light`] makes it give a thread a smaller share while
//! others want the core.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::departure::Guard;
use super::metrics::{
    ADMITTED, Counted, IN_FLIGHT, PANICS, QUEUE_DEPTH, QUEUE_SECONDS, RUNNING, WAITING, count_rejected_in,
};
use crate::search::Stop;

/// Why a job did not run to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Every place, running and waiting, is taken.
    #[error("every thread for this kind of work is busy and its queue is full")]
    Overloaded {
        /// When a place should be free.
        retry_after: Duration,
    },
    /// The deadline passed in the queue, or would have.
    #[error("no solver thread is free within the time limit: {expected_wait_ms} ms of waiting are to be expected")]
    DeadlineUnreachable {
        /// How long the wait was expected to be, or was.
        expected_wait_ms: u64,
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
    /// As much as any other thread.
    Full,
    /// Half of that, on Linux; elsewhere as much.
    Light,
}

impl Weight {
    /// Each step is worth a factor of 1.25. With less than half a thread would hear of its stop flag too late: it looks at it
    /// only while it has a core.
    #[cfg(target_os = "linux")]
    const LIGHT_NICENESS: i32 = 3;

    /// Gives it to the calling thread and those it starts.
    fn take(self) {
        #[cfg(target_os = "linux")]
        if self == Self::Light
            && let Err(error) = rustix::process::nice(Self::LIGHT_NICENESS)
        {
            tracing::debug!(%error, "cannot lower the priority of a long job");
        }
    }
}

/// The solver threads of one kind of work, and the queue before them.
struct Lane {
    admission: Arc<Semaphore>,
    running: Arc<Semaphore>,
    threads: usize,
    places: usize,
    held: Mutex<Mean>,
}

/// Moving average of how long a job holds its threads.
#[derive(Clone, Copy, Default)]
struct Mean {
    us: u64,
    jobs: u32,
}

impl Mean {
    /// Fewer jobs tell nothing of the next.
    const ENOUGH: u32 = 16;

    fn add(&mut self, elapsed: Duration) {
        let elapsed = elapsed.as_micros() as u64;
        self.jobs = self.jobs.saturating_add(1);
        // The plain mean first, so that the first job counts no more than others.
        let weight = u64::from(self.jobs.min(Self::ENOUGH));
        self.us = (self.us * (weight - 1) + elapsed) / weight;
    }
}

impl Lane {
    fn new(threads: usize, queue_length: usize) -> Self {
        let threads = threads.max(1);
        let places = threads.saturating_add(queue_length).min(Semaphore::MAX_PERMITS);
        Self {
            admission: Arc::new(Semaphore::new(places)),
            running: Arc::new(Semaphore::new(threads)),
            threads,
            places,
            held: Mutex::default(),
        }
    }

    fn mean(&self) -> Mean {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ran_for(&self, elapsed: Duration) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).add(elapsed);
    }

    /// How long it should take until `threads` are given back.
    fn time_for(&self, threads: usize) -> Duration {
        Duration::from_micros(self.mean().us.saturating_mul(threads as u64) / self.threads as u64)
    }

    /// When the jobs now before the threads should be done, in whole seconds as Retry-After wants it.
    fn retry_after(&self) -> Duration {
        let work = self.time_for(self.places - self.admission.available_permits());
        Duration::from_secs((work.as_micros().div_ceil(1_000_000) as u64).clamp(1, 60))
    }

    /// How long one who has just taken a place should wait for its turn; unknown before some jobs have run.
    fn expected_wait(&self) -> Option<Duration> {
        let taken = self.places - self.admission.available_permits();
        match taken.saturating_sub(self.threads) {
            0 => Some(Duration::ZERO),
            waiting => (self.mean().jobs >= Mean::ENOUGH).then(|| self.time_for(waiting)),
        }
    }
}

/// The bounded door to the solver threads.
pub struct Pool {
    name: &'static str,
    weight: Weight,
    lane: Arc<Lane>,
    stopping: CancellationToken,
}

/// Sets the stop flag when the one who asked is no longer there to hear the answer.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Pool {
    /// A pool that runs `threads` jobs at once and lets `queue_length` wait. `name` is its lane in the metrics.
    pub fn new(name: &'static str, threads: usize, queue_length: usize) -> Self {
        let lane = Arc::new(Lane::new(threads, queue_length));
        Self { name, weight: Weight::Full, lane, stopping: CancellationToken::new() }
    }

    /// The same with another weight of its threads.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// Runs `job` on a blocking thread once it is its turn. The job is expected to end soon after its flag is set.
    ///
    /// # Errors
    /// When there is no place, when `deadline` passes before its turn or is expected to, when the service stops, when the job
    /// panics.
    pub async fn run<T, F>(&self, deadline: Instant, job: F) -> Result<Finished<T>, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&Stop) -> T + Send + 'static,
    {
        self.run_on(1, deadline, job).await
    }

    /// Runs a job that will keep `threads` threads busy, its own included; it takes as many places. No job takes more than
    /// the pool has.
    ///
    /// # Errors
    /// As [`Pool::run`].
    pub async fn run_on<T, F>(&self, threads: usize, deadline: Instant, job: F) -> Result<Finished<T>, Refused>
    where
        T: Send + 'static,
        F: FnOnce(&Stop) -> T + Send + 'static,
    {
        if self.stopping.is_cancelled() {
            return Err(self.refused(Refused::ShuttingDown));
        }
        let threads = threads.clamp(1, self.lane.threads) as u32;
        let Ok(place) = Arc::clone(&self.lane.admission).try_acquire_many_owned(threads) else {
            return Err(self.refused(Refused::Overloaded { retry_after: self.lane.retry_after() }));
        };
        let arrived = Instant::now();
        if let Some(wait) = self.lane.expected_wait().filter(|wait| arrived + *wait > deadline && !wait.is_zero()) {
            drop(place);
            return Err(self.refused(self.unreachable(wait)));
        }
        metrics::counter!(ADMITTED, "lane" => self.name).increment(1);
        let waiting = Guard::new(self.name, WAITING);
        let turn = async {
            let _waiting = Counted::in_gauge(QUEUE_DEPTH, self.name);
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => Err(Refused::ShuttingDown),
                // The semaphore is never closed; if it were, the service would be stopping.
                turn = Arc::clone(&self.lane.running).acquire_many_owned(threads) => turn.map_err(|_| Refused::ShuttingDown),
                () = tokio::time::sleep_until(deadline.into()) => Err(self.unreachable(arrived.elapsed())),
            }
        };
        let turn = turn.instrument(tracing::debug_span!("queue", lane = self.name)).await;
        waiting.finished();
        let turn = turn.map_err(|reason| self.refused(reason))?;
        let queued = arrived.elapsed();
        metrics::histogram!(QUEUE_SECONDS, "lane" => self.name).record(queued);

        let stop = Stop::default();
        let abandoned = StopOnDrop(stop.clone());
        let given_up = Guard::new(self.name, RUNNING);
        let (lane, name) = (Arc::clone(&self.lane), self.name);
        let mut running = on_thread(self.weight, move || {
            let _permits = (place, turn);
            let _in_flight = Counted::in_gauge(IN_FLIGHT, name);
            let start = Instant::now();
            let value = job(&stop);
            lane.ran_for(start.elapsed());
            value
        });
        let joined = tokio::select! {
            joined = &mut running => joined,
            () = self.stopping.cancelled() => {
                abandoned.0.stop();
                given_up.stopped();
                let joined = (&mut running).await;
                drop(given_up);
                return self.finished(joined, queued);
            }
        };
        given_up.finished();
        self.finished(joined, queued)
    }

    /// What became of a job.
    fn finished<T>(
        &self,
        joined: Result<std::thread::Result<T>, oneshot::error::RecvError>,
        queued: Duration,
    ) -> Result<Finished<T>, Refused> {
        match joined {
            Ok(Ok(value)) => Ok(Finished { value, queued }),
            Ok(Err(payload)) => {
                metrics::counter!(PANICS, "lane" => self.name).increment(1);
                Err(Refused::Panicked(panic_message(payload.as_ref())))
            }
            // A thread that could not be had.
            Err(_gone) => Err(self.refused(Refused::Overloaded { retry_after: self.lane.retry_after() })),
        }
    }

    /// Counts a refusal.
    fn refused(&self, reason: Refused) -> Refused {
        match reason {
            Refused::Overloaded { .. } => count_rejected_in(self.name, "overloaded"),
            Refused::DeadlineUnreachable { .. } => count_rejected_in(self.name, "deadline_unreachable"),
            Refused::ShuttingDown => count_rejected_in(self.name, "shutting_down"),
            Refused::Panicked(_) => {}
        }
        reason
    }

    fn unreachable(&self, wait: Duration) -> Refused {
        let expected_wait_ms = wait.as_micros().div_ceil(1000) as u64;
        Refused::DeadlineUnreachable { expected_wait_ms, retry_after: self.lane.retry_after() }
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
        self.lane.threads - self.lane.running.available_permits()
    }

    /// How many threads are waited for now; most jobs need one.
    pub fn queued(&self) -> usize {
        (self.lane.places - self.lane.admission.available_permits()).saturating_sub(self.in_flight())
    }
}

/// Runs `work` on a thread of its own and sends what becomes of it. Light threads are not used again, for an unprivileged
/// process cannot take a lower priority back; what they do is long enough for a new one each time.
fn on_thread<T: Send + 'static>(
    weight: Weight,
    work: impl FnOnce() -> T + Send + 'static,
) -> oneshot::Receiver<std::thread::Result<T>> {
    let (sender, receiver) = oneshot::channel();
    let work = move || {
        weight.take();
        // Without a receiver nobody wants it.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    };
    match weight {
        Weight::Full => drop(tokio::task::spawn_blocking(work)),
        Weight::Light => {
            if let Err(error) = std::thread::Builder::new().name("long job".into()).spawn(work) {
                tracing::warn!(%error, "cannot start a thread");
            }
        }
    }
    receiver
}

/// The text of a panic, where it has one.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
