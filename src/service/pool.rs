//! The one door from async to CPU.
//!
//! ```text
//!   request --admission permit--> waiting --running permit--> blocking thread
//!              |none left            |deadline passes            |caller gone, drain over
//!              v                     v                           v
//!          Overloaded         DeadlineUnreachable          its Stop flag is set
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

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::metrics::{Counted, IN_FLIGHT, QUEUE_DEPTH, QUEUE_SECONDS, count_rejected};
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
    /// The deadline passed in the queue.
    #[error("the time limit passed while the request waited for a solver thread")]
    DeadlineUnreachable {
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

/// The solver threads of one kind of work, and the queue before them.
struct Lane {
    admission: Arc<Semaphore>,
    running: Arc<Semaphore>,
    threads: usize,
    places: usize,
    /// Moving average of how long a job runs.
    mean_job_us: AtomicU64,
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
            mean_job_us: AtomicU64::new(0),
        }
    }

    /// When the jobs now before the threads should be done, in whole seconds as Retry-After wants it.
    fn retry_after(&self) -> Duration {
        let before = self.places - self.admission.available_permits();
        let work_us = self.mean_job_us.load(Ordering::Relaxed).saturating_mul(before as u64);
        let seconds = work_us.div_ceil(self.threads as u64).div_ceil(1_000_000);
        Duration::from_secs(seconds.clamp(1, 60))
    }

    fn ran_for(&self, elapsed: Duration) {
        let elapsed = elapsed.as_micros() as u64;
        let mean = self.mean_job_us.load(Ordering::Relaxed);
        let next = if mean == 0 { elapsed } else { mean - mean / 8 + elapsed / 8 };
        self.mean_job_us.store(next, Ordering::Relaxed);
    }
}

/// The bounded door to the solver threads.
pub struct Pool {
    name: &'static str,
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
        Self { name, lane: Arc::new(Lane::new(threads, queue_length)), stopping: CancellationToken::new() }
    }

    /// Runs `job` on a blocking thread once it is its turn. The job is expected to end soon after its flag is set.
    ///
    /// # Errors
    /// When there is no place, when `deadline` passes before its turn, when the service stops, when the job panics.
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
            return Err(refused(Refused::ShuttingDown));
        }
        let threads = threads.clamp(1, self.lane.threads) as u32;
        let Ok(place) = Arc::clone(&self.lane.admission).try_acquire_many_owned(threads) else {
            return Err(refused(Refused::Overloaded { retry_after: self.lane.retry_after() }));
        };
        let arrived = Instant::now();
        let turn = {
            let _waiting = Counted::in_gauge(QUEUE_DEPTH, self.name);
            tokio::select! {
                biased;
                () = self.stopping.cancelled() => return Err(refused(Refused::ShuttingDown)),
                turn = Arc::clone(&self.lane.running).acquire_many_owned(threads) => turn,
                () = tokio::time::sleep_until(deadline.into()) => {
                    let retry_after = self.lane.retry_after();
                    return Err(refused(Refused::DeadlineUnreachable { retry_after }));
                }
            }
        };
        // The semaphore is never closed; if it were, the service would be stopping.
        let Ok(turn) = turn else { return Err(refused(Refused::ShuttingDown)) };
        let queued = arrived.elapsed();
        metrics::histogram!(QUEUE_SECONDS, "lane" => self.name).record(queued);

        let stop = Stop::default();
        let abandoned = StopOnDrop(stop.clone());
        let (lane, name) = (Arc::clone(&self.lane), self.name);
        let mut running = tokio::task::spawn_blocking(move || {
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
                running.await
            }
        };
        match joined {
            Ok(value) => Ok(Finished { value, queued }),
            Err(error) => match error.try_into_panic() {
                Ok(payload) => Err(Refused::Panicked(panic_message(payload.as_ref()))),
                Err(_cancelled) => Err(refused(Refused::ShuttingDown)),
            },
        }
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

fn refused(reason: Refused) -> Refused {
    match reason {
        Refused::Overloaded { .. } => count_rejected("overloaded"),
        Refused::DeadlineUnreachable { .. } => count_rejected("deadline_unreachable"),
        Refused::ShuttingDown => count_rejected("shutting_down"),
        Refused::Panicked(_) => {}
    }
    reason
}

/// The text of a panic, where it has one.
pub fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
