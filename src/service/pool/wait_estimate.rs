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

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn mean_of(job: &Demand, held: Duration, now: Instant) -> u128 {
        let mut times = ServiceTimes::default();
        (0..200).for_each(|_| times.add(job, held, now));
        times.mean(job.class).as_micros().div_ceil(1000)
    }

    #[test]
    fn a_search_starts_with_a_quarter_of_its_limit_or_not_at_all() {
        let now = Instant::now();
        assert_eq!(Deadline::EndBy(now + ms(1000)).latest_start(now), now + ms(750));
        assert_eq!(Deadline::StartBy(now + ms(1000)).latest_start(now), now + ms(1000));
        assert_eq!(Deadline::EndBy(now).latest_start(now + ms(5)), now + ms(5));
    }

    #[test]
    fn a_search_cut_by_its_deadline_counts_with_its_whole_limit() {
        let now = Instant::now();
        let cut = Demand { threads: 1, class: SearchClass::TimeLimited, arrived: now, end: Some(now + ms(400)) };
        assert_eq!(mean_of(&cut, ms(100), now + ms(400)), 400);
        assert_eq!(mean_of(&cut, ms(100), now + ms(300)), 100);
        assert_eq!(mean_of(&Demand { end: None, ..cut }, ms(100), now + ms(400)), 100);
    }

    #[test]
    fn each_class_has_its_own_average() {
        let (now, mut times) = (Instant::now(), ServiceTimes::default());
        let slow = Demand { threads: 1, class: SearchClass::TimeLimited, arrived: now, end: None };
        times.add(&slow, ms(800), now);
        assert_eq!(times.mean(SearchClass::TimeLimited), ms(800));
        times.add(&slow, ms(0), now);
        assert_eq!(times.mean(SearchClass::TimeLimited), ms(700));
        assert_eq!(times.mean(SearchClass::Quick), ms(0));
    }

    #[test]
    fn a_running_job_is_expected_to_end_by_its_deadline() {
        let (now, mut times) = (Instant::now(), ServiceTimes::default());
        let endless = Demand { threads: 1, class: SearchClass::TimeLimited, arrived: now, end: None };
        times.add(&endless, ms(100), now);
        assert_eq!(times.remaining(&endless, now, now + ms(40)), ms(60));
        assert_eq!(times.remaining(&endless, now, now + ms(140)), ms(0));
        let limited = Demand { end: Some(now + ms(50)), ..endless };
        assert_eq!(times.remaining(&limited, now, now + ms(40)), ms(10));
    }
}
