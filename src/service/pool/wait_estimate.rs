//! How long a job will have to wait, judged by how long others held their threads and by when those ahead will be gone.
//!
//! ```text
//!   thread 0   |== runs ==|== first in line ==|                 each holds its threads for as long as others would
//!   thread 1   |= runs until its deadline =|=== the next ===|   have, or until its deadline where it ends with that
//!              now                         ^ the turn of who comes now, after one more job
//! ```
//!
//! Of a job that its deadline ended it is only known that it would have gone on. The mean of jobs that were held for a time and then
//! ended by themselves or were cut is estimated as for lifetimes of which some are censored: the time of all of them over the number
//! of those that ended, and [`PART`] times what they had at most. So searches that go on while they may are taken to hold their threads
//! until their deadlines; by their plain mean they would seem to get shorter the more of them were let in.

use std::time::{Duration, Instant};

use crate::service::pool::{Deadline, Pace};

/// What is known of a job that others wait behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ahead {
    /// The threads it holds, or is to have.
    pub(crate) threads: usize,
    /// Whose average tells how long it holds them.
    pub(crate) pace: Pace,
    /// It has ended then, or was never begun; unknown for what may go on after its deadline.
    pub(crate) gone_by: Option<Instant>,
}

/// Moving averages of how long a job holds its threads, and of how many jobs end by themselves.
#[derive(Clone, Copy, Default)]
struct Mean {
    us: u64,
    /// The part of the jobs that ended by themselves; [`Mean::ALL`] are all of them.
    ended: u64,
    jobs: u32,
}

impl Mean {
    /// Fewer jobs tell nothing of the next.
    const ENOUGH: u32 = 16;
    const ALL: u64 = 1 << 16;
    /// Nothing goes on for longer, by the limits of the configuration.
    const LONGEST: Duration = Duration::from_hours(24);

    fn add(&mut self, elapsed: Duration, was_cut: bool) {
        let elapsed = elapsed.as_micros() as u64;
        self.jobs = self.jobs.saturating_add(1);
        // The plain mean first, so that the first job counts no more than others.
        let weight = u64::from(self.jobs.min(Self::ENOUGH));
        self.us = (self.us * (weight - 1) + elapsed) / weight;
        let ended = if was_cut { 0 } else { Self::ALL };
        self.ended = (self.ended * (weight - 1) + ended) / weight;
    }

    /// How long jobs were held. None before enough jobs have run: then only time tells.
    fn held(self) -> Duration {
        if self.jobs < Self::ENOUGH { Duration::ZERO } else { Duration::from_micros(self.us).min(Self::LONGEST) }
    }

    /// How long they would have been if nobody had cut them; likewise. Of those that were all cut nothing is known beyond what they
    /// had, and a multiple of that is guessed: as much as lets those with one limit, which get the part of it that is reserved for
    /// them, want all of it.
    fn wanted(self) -> Duration {
        let part_ended = self.ended.max(Self::ALL / u64::from(PART));
        Duration::from_micros(self.held().as_micros() as u64 * Self::ALL / part_ended).min(Self::LONGEST)
    }

    /// Forgets how many were cut.
    fn forget_cuts(&mut self) {
        self.ended = Self::ALL;
    }
}

/// The averages of both paces.
#[derive(Clone, Copy, Default)]
pub(crate) struct Means {
    quick: Mean,
    steady: Mean,
}

impl Means {
    /// A job held its threads for so long until `now`.
    pub(crate) fn add(&mut self, job: &Ahead, elapsed: Duration, now: Instant) {
        let was_cut = job.gone_by.is_some_and(|gone_by| gone_by <= now);
        match job.pace {
            Pace::Quick => self.quick.add(elapsed, was_cut),
            Pace::Steady => self.steady.add(elapsed, was_cut),
        }
    }

    /// Nobody asked for anything for a while: those who come may be others, with other limits, and are not to be refused for what
    /// became of those before.
    pub(crate) fn forget_cuts(&mut self) {
        self.quick.forget_cuts();
        self.steady.forget_cuts();
    }

    fn of(&self, pace: Pace) -> Mean {
        match pace {
            Pace::Quick => self.quick,
            Pace::Steady => self.steady,
        }
    }

    /// How long one wants them; nothing where that is unknown.
    pub(crate) fn wanted(&self, pace: Pace) -> Duration {
        self.of(pace).wanted()
    }

    /// The longer of the two.
    pub(crate) fn longest(&self) -> Duration {
        self.wanted(Pace::Quick).max(self.wanted(Pace::Steady))
    }

    /// When a job is done that begins at `start`.
    fn end(&self, start: Instant, job: &Ahead) -> Instant {
        let mean = self.of(job.pace);
        match job.gone_by {
            None => start + mean.held(),
            // Its deadline may have passed while it is still on its way out.
            Some(gone_by) => (start + mean.wanted()).min(gone_by.max(start)),
        }
    }
}

/// The part of its time limit, as a divisor, that a search is to have left when it has its turn, unless the mean is less: to let one
/// in for its last milliseconds is to refuse it later.
const PART: u32 = 4;

/// What a job is to have left at its turn of the time `left` that it has now.
pub(crate) fn reserve(deadline: Deadline, left: Duration, mean: Duration) -> Duration {
    match deadline {
        Deadline::OfTheEnd(_) => mean.min(left / PART),
        Deadline::OfTheTurn(_) => Duration::ZERO,
    }
}

/// The time from `now` until `threads` of `all` threads are free for a job behind all of these, if each holds its threads for as long as
/// those of its pace want them, from now or from its turn on; not looked for further than `enough`.
pub(crate) fn turn<'a>(
    now: Instant,
    means: &Means,
    all: usize,
    running: impl Iterator<Item = &'a Ahead>,
    waiting: impl Iterator<Item = &'a Ahead>,
    threads: usize,
    enough: Duration,
) -> Duration {
    // When each thread is free, the first to be so in front.
    let mut free: Vec<Instant> =
        running.flat_map(|job| std::iter::repeat_n(means.end(now, job), job.threads)).collect();
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
            let until = means.end(free[last], job);
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
        (0..Mean::ENOUGH).for_each(|_| add(&mut means, Pace::Steady, MEAN));
        means
    }

    /// One that ended by itself.
    fn add(means: &mut Means, pace: Pace, elapsed: Duration) {
        means.add(&Ahead { threads: 1, pace, gone_by: None }, elapsed, Instant::now());
    }

    #[test]
    fn what_was_cut_would_have_gone_on() {
        let (now, mut means) = (Instant::now(), means());
        let cut = Ahead { threads: 1, pace: Pace::Steady, gone_by: Some(now) };
        // Half of them: by what is known each would take twice as long as it had.
        let mut half = Mean::default();
        (0..Mean::ENOUGH).for_each(|job| half.add(ms(100), job % 2 == 0));
        assert_eq!((half.held(), half.wanted().as_millis()), (ms(100), 200));
        // All of them.
        (0..500).for_each(|_| means.add(&cut, ms(250), now));
        assert_eq!((means.of(Pace::Steady).held().as_millis(), means.longest().as_millis()), (250, 1000));
        let endless = Ahead { gone_by: Some(now + ms(900)), ..cut };
        assert_eq!(turn(now, &means, 1, [endless].iter(), [].iter(), 1, Duration::MAX), ms(900));
        assert_eq!(reserve(Deadline::OfTheEnd(now), ms(1000), means.longest()), ms(250));
        // A job that nothing cuts is told from the time others had.
        add(&mut means, Pace::Steady, ms(1));
        let uncut = Ahead { gone_by: None, ..cut };
        let held = means.of(Pace::Steady).held();
        assert!(held < ms(250) && held > ms(230), "{held:?}");
        assert_eq!(turn(now, &means, 1, [uncut].iter(), [].iter(), 1, Duration::MAX), held);
        // After a while of nothing at all it is as if none had been cut.
        means.forget_cuts();
        assert_eq!(means.longest(), held);
    }

    #[test]
    fn jobs_are_told_from_those_of_their_own_pace() {
        let (now, mut means) = (Instant::now(), means());
        let quick = Ahead { threads: 1, pace: Pace::Quick, gone_by: Some(now + ms(30_000)) };
        let steady = Ahead { pace: Pace::Steady, ..quick };
        let turn_of = |means: &Means| turn(now, means, 1, [steady].iter(), [quick; 3].iter(), 1, Duration::MAX);
        // Nothing is known of quick ones.
        assert_eq!((turn_of(&means), means.wanted(Pace::Quick)), (MEAN, ms(0)));
        (0..Mean::ENOUGH).for_each(|_| add(&mut means, Pace::Quick, ms(2)));
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
