//! A bounded queue and the worker threads that serve it.
//!
//! ```text
//!                admit                       first in the queue
//!   caller --> capacity --> waiting: 7, 8, 9 -----------------> worker: run, release threads, report, take the next
//!                              | leave (deadline, cancelled, shutdown)
//! ```
//!
//! A worker that has finished a job takes the next one itself, without involving the async runtime. Workers start and end with the
//! pool.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::priority::Priority;
use super::wait_estimate::{Demand, SearchClass, ServiceTimes};

/// A job as a worker runs it. The worker calls the returned [`Completion`] after it has released the threads of the job.
pub(crate) type BoxedJob = Box<dyn FnOnce() -> Completion + Send>;
/// Sends the result of a job to its caller.
pub(crate) type Completion = Box<dyn FnOnce() + Send>;

/// The reason why a job was not admitted.
pub(crate) enum NotAdmitted {
    /// A full queue.
    QueueFull,
    /// An expected wait that is longer than the time until the latest start.
    TooLate(Duration),
}

/// A job that was admitted.
pub(crate) struct Ticket {
    /// Number of the job.
    pub(crate) number: u64,
    /// Whether the threads for the job were free when it arrived.
    pub(crate) starts_at_once: bool,
}

/// Worker threads and their queue.
pub(crate) struct WorkerPool {
    /// Maximum number of threads that jobs use at once.
    pub(crate) threads: usize,
    /// Maximum number of threads that running and waiting jobs need together.
    capacity: usize,
    queue: Mutex<JobQueue>,
    job_available: Condvar,
}

struct JobQueue {
    /// Waiting jobs by number. Numbers increase, so the first entry is the first in the queue.
    waiting: BTreeMap<u64, WaitingJob>,
    /// Number of threads that waiting jobs need, by class.
    wanted: [usize; SearchClass::COUNT],
    next: u64,
    /// Number of threads that no running job uses.
    free: usize,
    running: Vec<RunningJob>,
    is_closed: bool,
    service_times: ServiceTimes,
}

struct WaitingJob {
    demand: Demand,
    task: BoxedJob,
}

struct RunningJob {
    number: u64,
    demand: Demand,
    started: Instant,
}

impl JobQueue {
    fn first_fits(&self) -> bool {
        self.waiting.first_key_value().is_some_and(|(_, first)| first.demand.threads <= self.free)
    }

    fn wanted(&self) -> usize {
        self.wanted.iter().sum()
    }

    /// Takes the first job if its threads are free.
    fn take(&mut self) -> Option<(u64, BoxedJob)> {
        if !self.first_fits() {
            return None;
        }
        let (number, WaitingJob { demand, task }) = self.waiting.pop_first()?;
        self.free -= demand.threads;
        self.wanted[demand.class as usize] -= demand.threads;
        self.running.push(RunningJob { number, demand, started: Instant::now() });
        Some((number, task))
    }

    /// Removes a waiting job. Returns whether it was waiting.
    fn remove(&mut self, number: u64) -> bool {
        let removed = self.waiting.remove(&number);
        if let Some(WaitingJob { demand, .. }) = &removed {
            self.wanted[demand.class as usize] -= demand.threads;
        }
        removed.is_some()
    }

    /// Releases the threads of a job that has ended.
    fn release(&mut self, number: u64) {
        if let Some(at) = self.running.iter().position(|running| running.number == number) {
            let RunningJob { demand, started, .. } = self.running.swap_remove(at);
            self.free += demand.threads;
            let now = Instant::now();
            self.service_times.add(&demand, now - started, now);
        }
    }

    /// Returns the expected service time of all running and waiting jobs, summed over their threads.
    fn total_service_time(&self) -> Duration {
        let now = Instant::now();
        let scaled = |time: Duration, threads: usize| time.saturating_mul(u32::try_from(threads).unwrap_or(u32::MAX));
        let running = self.running.iter().map(|RunningJob { demand, started, .. }| {
            scaled(self.service_times.remaining(demand, *started, now), demand.threads)
        });
        let waiting = [SearchClass::Quick, SearchClass::TimeLimited]
            .map(|class| scaled(self.service_times.mean(class), self.wanted[class as usize]));
        running.chain(waiting).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Returns the number of free threads that are reserved for the first job in the queue. That job waits because it needs more
    /// threads than are free.
    fn reserved(&self) -> usize {
        self.waiting.first_key_value().map_or(0, |(_, first)| first.demand.threads.min(self.free))
    }
}

impl WorkerPool {
    /// Creates the pool and starts its workers, one for each thread. Each worker runs one job at a time. A job on several threads
    /// starts its additional threads itself. A worker that cannot be started counts as busy.
    pub(crate) fn start(name: &'static str, priority: Priority, threads: usize, queue_length: usize) -> Arc<Self> {
        let threads = threads.max(1);
        let queue = JobQueue {
            waiting: BTreeMap::new(),
            wanted: [0; SearchClass::COUNT],
            next: 0,
            free: threads,
            running: Vec::new(),
            is_closed: false,
            service_times: ServiceTimes::default(),
        };
        let capacity = threads.saturating_add(queue_length);
        let pool = Arc::new(Self { threads, capacity, queue: Mutex::new(queue), job_available: Condvar::new() });
        for _ in 0..threads {
            let worker = Arc::clone(&pool);
            let thread = std::thread::Builder::new().name(format!("{name} job"));
            let run = move || {
                priority.apply();
                worker.run_jobs();
            };
            if let Err(error) = thread.spawn(run) {
                tracing::warn!(%error, lane = name, "cannot start a worker thread");
                pool.lock().free -= 1;
            }
        }
        pool
    }

    /// Admits a job that must start by `latest_start`. `make` creates its task; its argument is whether the job
    /// starts at once.
    ///
    /// # Errors
    /// Returns an error if the queue is full, or the expected wait is too long.
    pub(crate) fn admit(
        &self,
        demand: Demand,
        latest_start: Instant,
        make: impl FnOnce(bool) -> BoxedJob,
    ) -> Result<Ticket, NotAdmitted> {
        let mut queue = self.lock();
        let taken = self.threads - queue.free + queue.wanted() + demand.threads;
        if taken > self.capacity {
            return Err(NotAdmitted::QueueFull);
        }
        let starts_at_once = taken <= self.threads;
        if !starts_at_once {
            let wait = self.expected_wait(&queue);
            if wait > latest_start.saturating_duration_since(demand.arrived) {
                return Err(NotAdmitted::TooLate(wait));
            }
        }
        let (number, task) = (queue.next, make(starts_at_once));
        queue.next += 1;
        queue.wanted[demand.class as usize] += demand.threads;
        queue.waiting.insert(number, WaitingJob { demand, task });
        self.wake(queue);
        Ok(Ticket { number, starts_at_once })
    }

    /// Takes a job out of the queue. Returns whether it was waiting.
    pub(crate) fn leave(&self, number: u64) -> bool {
        let mut queue = self.lock();
        let was_waiting = queue.remove(number);
        if was_waiting {
            self.wake(queue);
        }
        was_waiting
    }

    /// Closes the pool: its workers end once the queue is empty.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.job_available.notify_all();
    }

    /// Returns the expected time until all current jobs are done.
    pub(crate) fn expected_drain(&self) -> Duration {
        self.expected_wait(&self.lock())
    }

    fn expected_wait(&self, queue: &JobQueue) -> Duration {
        queue.total_service_time() / u32::try_from(self.threads).unwrap_or(u32::MAX)
    }

    /// Returns the number of threads that are taken by running jobs or reserved for the first in the queue.
    pub(crate) fn in_flight(&self) -> usize {
        let queue = self.lock();
        self.threads - queue.free + queue.reserved()
    }

    /// Returns the number of threads that waiting jobs still need.
    pub(crate) fn queued(&self) -> usize {
        let queue = self.lock();
        queue.wanted() - queue.reserved()
    }

    /// Wakes a worker if the threads for the first job in the queue are free.
    fn wake(&self, queue: MutexGuard<'_, JobQueue>) {
        let is_due = queue.first_fits();
        drop(queue);
        if is_due {
            self.job_available.notify_one();
        }
    }

    /// Runs jobs until the pool is closed.
    fn run_jobs(&self) {
        let mut queue = self.lock();
        loop {
            if let Some((number, task)) = queue.take() {
                self.wake(queue);
                // A job catches its own panics. Catch others here, such as in the drop of a result, so that the worker continues.
                let report = catch_unwind(AssertUnwindSafe(task));
                self.lock().release(number);
                let _ = report.map(|report| catch_unwind(AssertUnwindSafe(report)));
                queue = self.lock();
            } else if queue.is_closed {
                return;
            } else {
                queue = self.job_available.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
