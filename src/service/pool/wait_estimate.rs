//! Admission control: when a job must start, and how long it is expected to wait.
//!
//! The wait of a job is at most the total service time of the jobs ahead of it divided by the number of threads (the bound of list
//! scheduling). The service time of a job is estimated by an exponential moving average over its class.
//!
//! A search that is cut by its deadline is a censored sample. It counts with its whole time limit, not with the time that
//! remained after its wait. Otherwise the estimate would fall under overload, because longer waits cut searches earlier.

use std::time::{Duration, Instant};

/// A limit on when a job starts or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadline {
    /// Latest end of the job. It is cut at that time if it is incomplete.
    EndBy(Instant),
    /// Latest start of the job. Its duration is not limited.
    StartBy(Instant),
}

/// Minimum part of its time limit, as a divisor, that a job has left when it starts. With less time left the job is refused.
const MIN_PART: u32 = 4;

impl Deadline {
    /// Returns the latest start of a job that arrives at `now`.
    pub(crate) fn latest_start(self, now: Instant) -> Instant {
        match self {
            Self::EndBy(end) => now + end.saturating_duration_since(now) / MIN_PART * (MIN_PART - 1),
            Self::StartBy(start) => start,
        }
    }

    /// Returns the latest end of the job, if it has one.
    pub(crate) fn end(self) -> Option<Instant> {
        match self {
            Self::EndBy(end) => Some(end),
            Self::StartBy(_) => None,
        }
    }
}

/// A class of jobs with similar service times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchClass {
    /// Searches that end by themselves, usually long before their deadline.
    Quick,
    /// Searches that run until their time limit, and all other jobs.
    TimeLimited,
}

impl SearchClass {
    /// Number of classes.
    pub(crate) const COUNT: usize = 2;
}

/// Properties of a job that the queue uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// Number of threads that the job uses.
    pub(crate) threads: usize,
    /// Class whose average predicts the service time of the job.
    pub(crate) class: SearchClass,
    /// Arrival time of the job.
    pub(crate) arrived: Instant,
    /// Latest end of the job, if it has one.
    pub(crate) end: Option<Instant>,
}

/// Exponential moving average of the service time of each class. It is zero before the first sample, so a new pool admits every job.
#[derive(Default)]
pub(crate) struct ServiceTimes([Duration; SearchClass::COUNT]);

impl ServiceTimes {
    /// Weight of a new sample, as a divisor.
    const WEIGHT: u32 = 8;

    /// Returns the average of a class.
    pub(crate) fn mean(&self, class: SearchClass) -> Duration {
        self.0[class as usize]
    }

    /// Adds a job that ended at `now` after it held its threads for `held`.
    pub(crate) fn add(&mut self, job: &Demand, held: Duration, now: Instant) {
        let sample = match job.end {
            Some(end) if end <= now => end.saturating_duration_since(job.arrived),
            _ => held,
        };
        let mean = &mut self.0[job.class as usize];
        *mean = if mean.is_zero() { sample } else { (*mean * (Self::WEIGHT - 1) + sample) / Self::WEIGHT };
    }

    /// Returns the expected time from `now` until a job that started at `started` releases its threads.
    pub(crate) fn remaining(&self, job: &Demand, started: Instant, now: Instant) -> Duration {
        let by_mean = self.mean(job.class).saturating_sub(now.saturating_duration_since(started));
        job.end.map_or(by_mean, |end| by_mean.min(end.saturating_duration_since(now)))
    }
}
