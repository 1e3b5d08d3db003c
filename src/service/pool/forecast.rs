//! How long a job will have to wait, judged by how long others held their threads and by when those ahead will be gone.
//!
//! ```text
//!   thread 0   |== runs ==|== first in line ==|                 each holds its threads for the mean, or until its
//!   thread 1   |= runs until its deadline =|=== the next ===|   deadline where it ends with that
//!              now                         ^ the turn of who comes now, after one more job
//! ```

use std::time::{Duration, Instant};

use super::{Deadline, Pace};

/// What is known of a job that others wait behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ahead {
    /// The threads it holds, or is to have.
    pub(super) threads: usize,
    /// Whose average tells how long it holds them.
    pub(super) pace: Pace,
    /// It has ended then, or was never begun; unknown for what may go on after its deadline.
    pub(super) gone_by: Option<Instant>,
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

    /// None before enough jobs have run: then only time tells.
    fn value(self) -> Duration {
        if self.jobs < Self::ENOUGH { Duration::ZERO } else { Duration::from_micros(self.us) }
    }
}

/// The averages of both paces.
#[derive(Clone, Copy, Default)]
pub(super) struct Means {
    quick: Mean,
    steady: Mean,
}

impl Means {
    /// A job of this pace held its threads for so long.
    pub(super) fn add(&mut self, pace: Pace, elapsed: Duration) {
        match pace {
            Pace::Quick => self.quick.add(elapsed),
            Pace::Steady => self.steady.add(elapsed),
        }
    }

    /// How long one should hold them; nothing where that is unknown.
    pub(super) fn of(&self, pace: Pace) -> Duration {
        match pace {
            Pace::Quick => self.quick.value(),
            Pace::Steady => self.steady.value(),
        }
    }

    /// The longer of the two.
    pub(super) fn longest(&self) -> Duration {
        self.of(Pace::Quick).max(self.of(Pace::Steady))
    }
}

/// The part of its time limit, as a divisor, that a search is to have left when it has its turn, unless the mean is less: to let one
/// in for its last milliseconds is to refuse it later.
const PART: u32 = 4;

/// What a job is to have left at its turn of the time `left` that it has now.
pub(super) fn reserve(deadline: Deadline, left: Duration, mean: Duration) -> Duration {
    match deadline {
        Deadline::OfTheEnd(_) => mean.min(left / PART),
        Deadline::OfTheTurn(_) => Duration::ZERO,
    }
}

/// The time from `now` until `threads` of `all` threads are free for a job behind all of these, if each holds its threads for the mean
/// time of its pace at most, from now or from its turn on; not looked for further than `enough`.
pub(super) fn turn<'a>(
    now: Instant,
    means: &Means,
    all: usize,
    running: impl Iterator<Item = &'a Ahead>,
    waiting: impl Iterator<Item = &'a Ahead>,
    threads: usize,
    enough: Duration,
) -> Duration {
    let end = |start: Instant, job: &Ahead| {
        let by_mean = start + means.of(job.pace);
        // Its deadline may have passed while it is still on its way out.
        job.gone_by.map_or(by_mean, |gone_by| by_mean.min(gone_by.max(start)))
    };
    // When each thread is free, the first to be so in front.
    let mut free: Vec<Instant> = running.flat_map(|job| std::iter::repeat_n(end(now, job), job.threads)).collect();
    free.truncate(all);
    free.resize(all, now);
    free.sort_unstable();
    for job in waiting {
        if free[0].saturating_duration_since(now) > enough {
            break;
        }
        let last = job.threads.clamp(1, all) - 1;
        if let Some(gone_by) = job.gone_by.filter(|gone_by| *gone_by <= free[last]) {
            // It never has its turn, but until it leaves what comes free is set aside for it.
            free[..=last].iter_mut().for_each(|thread| *thread = gone_by.max(*thread));
        } else {
            let until = end(free[last], job);
            free[..=last].fill(until);
            free.sort_unstable();
        }
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

    /// Of steady jobs alone.
    fn means() -> Means {
        let mut means = Means::default();
        (0..Mean::ENOUGH).for_each(|_| means.add(Pace::Steady, MEAN));
        means
    }

    #[test]
    fn jobs_are_told_from_those_of_their_own_pace() {
        let (now, mut means) = (Instant::now(), means());
        let quick = Ahead { threads: 1, pace: Pace::Quick, gone_by: Some(now + ms(30_000)) };
        let steady = Ahead { pace: Pace::Steady, ..quick };
        let turn_of = |means: &Means| turn(now, means, 1, [steady].iter(), [quick; 3].iter(), 1, Duration::MAX);
        // Nothing is known of quick ones.
        assert_eq!((turn_of(&means), means.of(Pace::Quick)), (MEAN, ms(0)));
        (0..Mean::ENOUGH).for_each(|_| means.add(Pace::Quick, ms(2)));
        assert_eq!((turn_of(&means), means.longest()), (MEAN + ms(6), MEAN));
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
            let gone_by = |left: Option<u64>| left.map(|left| now + ms(left));
            jobs.iter().map(|&(threads, left)| Ahead { threads, pace: Pace::Steady, gone_by: gone_by(left) }).collect()
        };
        turn(now, &means(), all, ahead(running).iter(), ahead(waiting).iter(), threads, Duration::MAX)
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
        // One that leaves before its turn keeps from others what comes free meanwhile, and no more.
        assert_eq!(turn_after(2, &[(1, None)], &[(2, Some(100))], 1), ms(100));
        assert_eq!(turn_after(2, &[(1, None)], &[(2, Some(100))], 2), MEAN);
    }

    #[test]
    fn no_further_than_anybody_asks() {
        let now = Instant::now();
        let waiting = [Ahead { threads: 1, pace: Pace::Steady, gone_by: None }; 100];
        let wait = turn(now, &means(), 1, [].iter(), waiting.iter(), 1, ms(1500));
        assert_eq!(wait, 2 * MEAN);
    }

    #[test]
    fn a_search_is_to_have_its_mean_left_or_a_part_of_its_limit() {
        let now = Instant::now();
        assert_eq!(reserve(Deadline::OfTheEnd(now), ms(1000), ms(10)), ms(10));
        assert_eq!(reserve(Deadline::OfTheEnd(now), ms(1000), ms(800)), ms(250));
        assert_eq!(reserve(Deadline::OfTheTurn(now), ms(1000), ms(800)), ms(0));
    }
}
