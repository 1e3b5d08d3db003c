//! The solver threads of one kind of work, and the line of jobs before them.
//!
//! ```text
//!                enter                             first in line
//!   caller ----> places ----> waiting: 7, 8, 9, ... ------------> thread: run, give back, tell, take the next
//!                               | leave (deadline, caller gone, shutdown)
//! ```
//!
//! A thread that has done with a job takes the next one itself, without anybody on the async side in between: under load it never
//! sleeps, and nobody has to be woken for it to go on. Threads are started when there is work for them, and end with the lane.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::service::pool::wait_estimate::{Ahead, Means, reserve, turn};
use crate::service::pool::{Deadline, Pace, Weight};

/// What a thread runs; what it returns is called once its threads are given back.
pub(crate) type Job = Box<dyn FnOnce() -> Tell + Send>;
/// Tells what became of a job.
pub(crate) type Tell = Box<dyn FnOnce() + Send>;

/// Nobody is told to come again later than after this time.
const LONGEST_RETRY: Duration = Duration::from_mins(1);

/// A lane that had nothing to do for so long is asked by others than before, for all that is known.
const QUIET: Duration = Duration::from_secs(1);

/// Why a job was not let in.
pub(crate) enum Full {
    /// There are not as many places.
    NoPlace,
    /// Its deadline is before its turn, which is expected after this time.
    TooLate(Duration),
}

/// The threads, and who waits for them.
pub(crate) struct Lane {
    name: &'static str,
    weight: Weight,
    /// That of who made the lane: threads are started by others too, which have theirs.
    niceness: i32,
    /// Threads that jobs may keep busy.
    pub(crate) threads: usize,
    /// As many, and those that may be waited for.
    places: usize,
    state: Mutex<State>,
    called: Condvar,
}

struct State {
    /// Jobs by their numbers, which count up: the first in line is the first of the map.
    waiting: BTreeMap<u64, Waiting>,
    /// Threads that these need together.
    wanted: usize,
    next: u64,
    /// Threads that no running job has.
    free: usize,
    /// Threads of the lane that were started; each runs one job at a time, which starts others itself where it is to have several.
    started: usize,
    /// What those of them do that run a job.
    running: Vec<(u64, Ahead)>,
    /// Of those started, those that sleep and were not called.
    idle: usize,
    /// Those that were called and have not yet woken up.
    called: usize,
    is_closed: bool,
    /// When the last job had ended and nobody waited.
    quiet_since: Instant,
    /// How long jobs held their threads.
    means: Means,
}

struct Waiting {
    ahead: Ahead,
    job: Job,
}

/// How a thread is got for the first in line.
#[derive(Clone, Copy)]
#[must_use]
enum Call {
    Nobody,
    Sleeper,
    NewThread,
}

impl State {
    fn first_fits(&self) -> bool {
        self.waiting.first_key_value().is_some_and(|(_, first)| first.ahead.threads <= self.free)
    }

    /// Takes the first in line, if there are threads for it.
    fn take(&mut self) -> Option<(u64, Job)> {
        if !self.first_fits() {
            return None;
        }
        let (number, Waiting { ahead, job }) = self.waiting.pop_first()?;
        self.free -= ahead.threads;
        self.wanted -= ahead.threads;
        self.running.push((number, ahead));
        Some((number, job))
    }

    /// Takes back the threads of a job that has run for so long.
    fn give_back(&mut self, number: u64, elapsed: Duration) {
        if let Some(place) = self.running.iter().position(|(running, _)| *running == number) {
            let (_, job) = self.running.swap_remove(place);
            self.free += job.threads;
            self.quiet_since = Instant::now();
            self.means.add(&job, elapsed, self.quiet_since);
        }
    }

    /// Gets a thread for the first in line, if there is one to be got. Threads that are awake come by themselves.
    fn call(&mut self, threads: usize) -> Call {
        if !self.first_fits() {
            Call::Nobody
        } else if self.idle > 0 {
            self.idle -= 1;
            self.called += 1;
            Call::Sleeper
        } else if self.started < threads {
            self.started += 1;
            Call::NewThread
        } else {
            Call::Nobody
        }
    }

    /// Whether there are threads for this job and all before it, which are on their way then.
    fn is_due(&self, number: u64) -> bool {
        let ahead = || self.waiting.range(..=number);
        let needed: usize = ahead().map(|(_, job)| job.ahead.threads).sum();
        needed <= self.free && ahead().count() <= self.started - self.running.len()
    }

    /// Threads that are kept from others for the first in line, which needs more.
    fn set_aside(&self) -> usize {
        self.waiting.first_key_value().map_or(0, |(_, first)| first.ahead.threads.min(self.free))
    }

    /// How long it should take until so many of all threads are free for the next to come; some more than [`LONGEST_RETRY`] at most.
    fn turn(&self, threads: usize, all: usize) -> Duration {
        let running = self.running.iter().map(|(_, ahead)| ahead);
        let waiting = self.waiting.values().map(|waiting| &waiting.ahead);
        turn(Instant::now(), &self.means, all, running, waiting, threads, LONGEST_RETRY)
    }
}

impl Lane {
    pub(crate) fn new(name: &'static str, weight: Weight, threads: usize, queue_length: usize) -> Self {
        let threads = threads.max(1);
        let state = State {
            waiting: BTreeMap::new(),
            wanted: 0,
            next: 0,
            free: threads,
            started: 0,
            running: Vec::new(),
            idle: 0,
            called: 0,
            is_closed: false,
            quiet_since: Instant::now(),
            means: Means::default(),
        };
        let places = threads.saturating_add(queue_length);
        let (state, called) = (Mutex::new(state), Condvar::new());
        Self { name, weight, niceness: Weight::niceness_here(), threads, places, state, called }
    }

    /// Lets a job in that needs so many threads, at most all; its number. The job is made only once it has a place, and dropped when
    /// there is no thread at all.
    ///
    /// # Errors
    /// Without a place, and without hope for its turn before `deadline`.
    pub(crate) fn enter(
        self: &Arc<Self>,
        threads: usize,
        deadline: Deadline,
        pace: Pace,
        job: impl FnOnce() -> Job,
    ) -> Result<u64, Full> {
        let mut state = self.lock();
        if state.running.is_empty() && state.waiting.is_empty() && state.quiet_since.elapsed() > QUIET {
            state.means.forget_cuts();
        }
        let taken = self.threads - state.free + state.wanted + threads;
        if taken > self.places {
            return Err(Full::NoPlace);
        }
        // The careful look is for those who would be refused by the quick one.
        if taken > self.threads {
            let left = deadline.instant().saturating_duration_since(Instant::now());
            let left = left.saturating_sub(reserve(deadline, left, state.means.wanted(pace)));
            if self.time_for(&state, taken - self.threads) > left {
                let wait = state.turn(threads, self.threads);
                if wait > left {
                    return Err(Full::TooLate(wait));
                }
            }
        }
        let (number, job) = (state.next, job());
        state.next += 1;
        state.wanted += threads;
        state.waiting.insert(number, Waiting { ahead: Ahead { threads, pace, gone_by: deadline.end() }, job });
        let call = state.call(self.threads);
        drop(state);
        self.answer(call);
        Ok(number)
    }

    /// Takes a job out of the line; whether it was there.
    pub(crate) fn leave(self: &Arc<Self>, number: u64) -> bool {
        self.leave_from(self.lock(), number)
    }

    /// The same if it would have to wait longer for its threads.
    pub(crate) fn leave_unless_due(self: &Arc<Self>, number: u64) -> bool {
        let state = self.lock();
        !state.is_due(number) && self.leave_from(state, number)
    }

    fn leave_from(self: &Arc<Self>, mut state: MutexGuard<'_, State>, number: u64) -> bool {
        let Some(left) = state.waiting.remove(&number) else { return false };
        state.wanted -= left.ahead.threads;
        let call = state.call(self.threads);
        drop(state);
        self.answer(call);
        true
    }

    /// Lets the threads end when they have nothing to do.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.called.notify_all();
    }

    /// When the jobs now before the threads should be done, in whole seconds as Retry-After wants it.
    pub(crate) fn retry_after(&self) -> Duration {
        let state = self.lock();
        let mut work = self.time_for(&state, self.threads - state.free + state.wanted);
        if work > Duration::from_secs(1) {
            work = state.turn(self.threads, self.threads);
        }
        Duration::from_secs((work.as_micros().div_ceil(1_000_000) as u64).clamp(1, LONGEST_RETRY.as_secs()))
    }

    /// How many threads are taken: by jobs that run, and kept for the first in line.
    pub(crate) fn in_flight(&self) -> usize {
        let state = self.lock();
        self.threads - state.free + state.set_aside()
    }

    /// How many threads are waited for.
    pub(crate) fn queued(&self) -> usize {
        let state = self.lock();
        state.wanted - state.set_aside()
    }

    /// How long it takes at most until `threads` are given back, at a glance.
    fn time_for(&self, state: &State, threads: usize) -> Duration {
        state.means.longest().saturating_mul(u32::try_from(threads).unwrap_or(u32::MAX)) / self.threads as u32
    }

    fn answer(self: &Arc<Self>, call: Call) {
        match call {
            Call::Nobody => {}
            Call::Sleeper => self.called.notify_one(),
            Call::NewThread => {
                let lane = Arc::clone(self);
                let thread = std::thread::Builder::new().name(format!("{} job", self.name));
                if let Err(error) = thread.spawn(move || lane.work()) {
                    tracing::warn!(%error, lane = self.name, "cannot start a thread");
                    self.has_one_less();
                }
            }
        }
    }

    /// A thread was not to be had. Those that are there come by; where there is none nobody ever would.
    fn has_one_less(&self) {
        let mut state = self.lock();
        state.started -= 1;
        if state.started == 0 {
            state.wanted = 0;
            let unserved = std::mem::take(&mut state.waiting);
            drop(state);
            drop(unserved);
        }
    }

    /// The life of a thread.
    fn work(self: Arc<Self>) {
        self.weight.take(self.niceness);
        let mut state = self.lock();
        loop {
            if let Some((number, job)) = state.take() {
                let call = state.call(self.threads);
                drop(state);
                self.answer(call);
                let start = Instant::now();
                // What a job does is caught inside; whatever else panics is not to cost a thread.
                let tell = catch_unwind(AssertUnwindSafe(job));
                state = self.lock();
                state.give_back(number, start.elapsed());
                drop(state);
                let _ = tell.map(|tell| catch_unwind(AssertUnwindSafe(tell)));
                state = self.lock();
            } else if state.is_closed {
                return;
            } else {
                state.idle += 1;
                let sleeps = |state: &mut State| state.called == 0 && !state.is_closed;
                state = self.called.wait_while(state, sleeps).unwrap_or_else(PoisonError::into_inner);
                state.called = state.called.saturating_sub(1);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
