//! How long a job will have to wait, judged by how long others held their threads and by when those ahead will be gone.
//!
//! ```text
//!   thread 0   |== runs ==|== first in line ==|                 each holds its threads for the mean, or until its
//!   thread 1   |= runs until its deadline =|=== the next ===|   deadline where it ends with that
//!              now                         ^ the turn of who comes now, after one more job
//! ```

use std::time::{Duration, Instant};

/// What is known of a job that others wait behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ahead {
    /// The threads it holds, or is to have.
    pub(super) threads: usize,
    /// It has ended then, or was never begun; unknown for what may go on after its deadline.
    pub(super) gone_by: Option<Instant>,
}

/// Moving average of how long a job holds its threads.
#[derive(Clone, Copy, Default)]
pub(super) struct Mean {
    us: u64,
    jobs: u32,
}

impl Mean {
    /// Fewer jobs tell nothing of the next.
    const ENOUGH: u32 = 16;

    pub(super) fn add(&mut self, elapsed: Duration) {
        let elapsed = elapsed.as_micros() as u64;
        self.jobs = self.jobs.saturating_add(1);
        // The plain mean first, so that the first job counts no more than others.
        let weight = u64::from(self.jobs.min(Self::ENOUGH));
        self.us = (self.us * (weight - 1) + elapsed) / weight;
    }

    pub(super) fn is_known(self) -> bool {
        self.jobs >= Self::ENOUGH
    }

    pub(super) fn value(self) -> Duration {
        Duration::from_micros(self.us)
    }
}

/// The time from `now` until `threads` of `all` threads are free for a job behind all of these, if each holds its threads for the
/// `mean` time at most from now or from its turn on.
pub(super) fn turn<'a>(
    now: Instant,
    mean: Duration,
    all: usize,
    running: impl Iterator<Item = &'a Ahead>,
    waiting: impl Iterator<Item = &'a Ahead>,
    threads: usize,
) -> Duration {
    let end = |start: Instant, job: &Ahead| {
        let by_mean = start + mean;
        // Its deadline may have passed while it is still on its way out.
        job.gone_by.map_or(by_mean, |gone_by| by_mean.min(gone_by.max(start)))
    };
    // When each thread is free, the first to be so in front.
    let mut free: Vec<Instant> = running.flat_map(|job| std::iter::repeat_n(end(now, job), job.threads)).collect();
    free.truncate(all);
    free.resize(all, now);
    free.sort_unstable();
    for job in waiting {
        let last = job.threads.clamp(1, all) - 1;
        let until = end(free[last], job);
        free[..=last].fill(until);
        free.sort_unstable();
    }
    free[threads.clamp(1, all) - 1].saturating_duration_since(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEAN: Duration = Duration::from_millis(800);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Running and waiting jobs by their threads and what they have left, in milliseconds.
    fn turn_after(
        all: usize,
        running: &[(usize, Option<u64>)],
        waiting: &[(usize, Option<u64>)],
        threads: usize,
    ) -> Duration {
        let now = Instant::now();
        let ahead = |jobs: &[(usize, Option<u64>)]| -> Vec<Ahead> {
            jobs.iter().map(|&(threads, left)| Ahead { threads, gone_by: left.map(|left| now + ms(left)) }).collect()
        };
        turn(now, MEAN, all, ahead(running).iter(), ahead(waiting).iter(), threads)
    }

    #[test]
    fn without_deadlines_the_mean_decides() {
        assert_eq!(turn_after(1, &[], &[], 1), ms(0));
        assert_eq!(turn_after(1, &[(1, None)], &[(1, None)], 1), 2 * MEAN);
        assert_eq!(turn_after(2, &[(1, None)], &[], 1), ms(0));
        assert_eq!(turn_after(2, &[(1, None)], &[], 2), MEAN);
        assert_eq!(turn_after(2, &[(1, None), (1, None)], &[(1, None), (1, None), (1, None)], 1), 2 * MEAN);
        // A far deadline changes nothing.
        assert_eq!(turn_after(1, &[(1, Some(60_000))], &[(1, Some(60_000))], 1), 2 * MEAN);
    }

    #[test]
    fn nobody_waits_for_a_job_after_its_deadline() {
        // Both came with a second, a while ago: the second one has 650 ms left for its wait and its search.
        assert_eq!(turn_after(1, &[(1, Some(300))], &[(1, Some(650))], 1), ms(650));
        assert_eq!(turn_after(1, &[(1, Some(300))], &[(1, Some(200))], 1), ms(300));
        assert_eq!(turn_after(2, &[(1, Some(300)), (1, None)], &[(1, Some(500)), (1, None)], 1), MEAN);
        // Past its deadline, but not yet gone.
        assert_eq!(turn_after(1, &[(1, Some(0))], &[], 1), ms(0));
    }

    #[test]
    fn a_job_on_several_threads_holds_them_all() {
        assert_eq!(turn_after(2, &[(1, Some(100))], &[(2, Some(400))], 1), ms(400));
        assert_eq!(turn_after(3, &[(2, None)], &[(2, None)], 1), MEAN);
        assert_eq!(turn_after(3, &[(2, None)], &[(2, None)], 3), 2 * MEAN);
    }
}
