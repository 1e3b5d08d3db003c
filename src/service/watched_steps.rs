//! One search in steps, in the quick lane and then in the long one, as [`lanes`](crate::service::lanes) runs the other searches.
//!
//! The better solutions are kept as they are found. So there is an answer when the long lane is full, and at the deadline, even if the thread
//! that searches has had no core since.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::service::lanes::{Lanes, QUICK_TIME};
use crate::service::pool::{Deadline, Refused, has_answer, thread_time};
use superflip_coords::steps::{Chain, ChainSolution, ChainSolutions, StepError};
use superflip_cube::Cube;
use superflip_solver::{Cancelled, Control};

/// A search without a solution had no core if it used less than this part of its time.
const STARVED: u32 = 4;
/// Time after the deadline in which a search may end a round that the deadline has cut. Without an answer by then, its thread has no core.
const SPARE: Duration = Duration::from_millis(200);
/// The same if there are solutions, which are then the answer.
const SPARE_WITH_SOLUTIONS: Duration = Duration::from_millis(20);

/// The result of a search in steps.
#[derive(Debug, Default)]
pub struct FoundSteps {
    /// The solutions.
    pub found: ChainSolutions,
    /// Whether the search could not go on after its first solutions.
    pub is_overloaded: bool,
    /// Duration of the search.
    pub searched: Duration,
    /// Total time in queues.
    pub queued: Duration,
}

/// The reason why there are no solutions in steps.
#[derive(Debug, thiserror::Error)]
pub enum NoSteps {
    /// A refusal by the pool, or a job that did not end.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Steps that cannot be searched.
    #[error(transparent)]
    Search(#[from] StepError),
}

/// What one job found: the solutions, its duration, its wait for a thread, and the time that it had a core.
type Job = Result<(ChainSolutions, Duration, Duration, Duration), StepError>;

impl Lanes {
    /// Searches the steps of `chain`. Calls `better` with each solution that is better than all before.
    ///
    /// # Errors
    /// When a lane refuses the search before there is a solution, or when the steps cannot be searched.
    pub(crate) async fn search_steps(
        &self,
        chain: Arc<Chain>,
        cube: Cube,
        deadline: Instant,
        better: impl FnMut(&ChainSolution) + Send + 'static,
    ) -> Result<FoundSteps, NoSteps> {
        let start = Instant::now();
        let known = Arc::new(Mutex::new(Known { best: Vec::new(), better }));
        let job = |limit: Option<Duration>| {
            let (chain, known, submitted) = (Arc::clone(&chain), Arc::clone(&known), Instant::now());
            move |control: &Control| -> Job {
                let (began, used) = (Instant::now(), thread_time());
                begin(&known);
                let control = control.until(limit.map_or(deadline, |limit| deadline.min(began + limit)));
                let found = chain.search(&cube, &control, &mut |solution| offer(&known, solution))?;
                Ok((found, began.elapsed(), began - submitted, thread_time().saturating_sub(used)))
            }
        };
        let goes_on = |first: &Job| {
            let Ok((first, ..)) = first else { return None };
            let spare = if first.solutions.is_empty() { SPARE } else { SPARE_WITH_SOLUTIONS };
            (first.stopped.is_some() && Instant::now() < deadline).then(|| (deadline + spare, job(None)))
        };
        let first = self.quick().run_for_answer(Deadline::EndBy(deadline + SPARE), job(Some(QUICK_TIME)));
        let (first, second) = match self.in_turn(first, goes_on).await {
            Ok(results) => results,
            Err(refused) => return known_instead(&known, chain.count, &FoundSteps::default(), refused),
        };
        let (found, searched, queued, used) = first?;
        let first = FoundSteps { found, is_overloaded: false, searched, queued };
        match second {
            None => Ok(first),
            Some(Ok(second)) => {
                let (second, more, more_queued, more_used) = second?;
                let (searched, queued) = (searched + more, queued + more_queued);
                let is_empty = first.found.solutions.is_empty() && second.solutions.is_empty();
                if is_empty && second.stopped.is_some() && (used + more_used) < searched / STARVED {
                    // Nothing is known of the cube.
                    return Err(Refused::NoCore(searched).into());
                }
                // The second search may have had no time.
                let is_worse = first.found.is_better_than(&second);
                let stopped = if is_worse { second.stopped } else { None };
                let found = if is_worse { ChainSolutions { stopped, ..first.found } } else { second };
                Ok(FoundSteps { found, is_overloaded: false, searched, queued })
            }
            Some(Err(refused)) => {
                let first = FoundSteps { searched: start.elapsed().saturating_sub(queued), ..first };
                known_instead(&known, chain.count, &first, refused)
            }
        }
    }
}

/// The better solutions so far, and what is called with each.
struct Known<F> {
    best: Vec<ChainSolution>,
    better: F,
}

impl<F: FnMut(&ChainSolution)> Known<F> {
    /// Keeps a solution that is better than all before. The second search finds those of the first again.
    fn offer(&mut self, solution: &ChainSolution) {
        if self.best.last().is_none_or(|best| rank(solution) < rank(best)) {
            self.best.push(solution.clone());
            (self.better)(solution);
        }
    }
}

/// Begins a search on this thread, which may have a solution already. The lock is released first: with the lower priority, this thread would
/// hold it for long.
fn begin<F>(known: &Mutex<Known<F>>) {
    let has_solution = !lock(known).best.is_empty();
    if has_solution {
        has_answer();
    }
}

/// Offers a solution, and releases the lock first for the same reason.
fn offer<F: FnMut(&ChainSolution)>(known: &Mutex<Known<F>>, solution: &ChainSolution) {
    lock(known).offer(solution);
    has_answer();
}

fn lock<F>(known: &Mutex<Known<F>>) -> MutexGuard<'_, Known<F>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers after a lane refused the search, or its thread had no core. The answer has the solutions so far, and those of the first search if
/// that has ended.
fn known_instead<F>(
    known: &Mutex<Known<F>>,
    count: usize,
    first: &FoundSteps,
    refused: Refused,
) -> Result<FoundSteps, NoSteps> {
    let is_overloaded = match refused {
        Refused::DeadlinePassed(_) | Refused::NoCore(_) => false,
        Refused::Overloaded(_) => true,
        refused => return Err(refused.into()),
    };
    let solutions = with_first(&lock(known).best, &first.found.solutions, count);
    if solutions.is_empty() {
        return Err(refused.into());
    }
    let found = ChainSolutions {
        solutions,
        width: first.found.width,
        stopped: Some(Cancelled::Deadline),
        ..ChainSolutions::default()
    };
    Ok(FoundSteps { found, is_overloaded, searched: first.searched, queued: first.queued })
}

/// Returns the best of the kept solutions and of the solutions of the first search. Each kept solution is better than the one before it.
fn with_first(kept: &[ChainSolution], first: &[ChainSolution], count: usize) -> Vec<ChainSolution> {
    let mut best: Vec<ChainSolution> = kept.iter().rev().cloned().collect();
    for solution in first {
        if !best.contains(solution) {
            best.push(solution.clone());
        }
    }
    best.sort_by_key(rank);
    best.truncate(count);
    best
}

/// Returns what a shorter solution has less of: its length, then its moves in all steps.
fn rank(solution: &ChainSolution) -> (usize, Option<usize>) {
    (solution.length, solution.steps.last().map(|step| step.total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::pool::{Deadline, Lane, Priority};

    /// The scheduling policy of the calling thread, which is 0 for the normal one: field 41 of its line in `/proc`.
    #[cfg(target_os = "linux")]
    fn policy() -> u32 {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit_once(") ").unwrap().1.split(' ').nth(41 - 3).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_search_has_the_normal_priority_until_its_first_solution() {
        let lane = Lane::new("long", Priority::IdleOnceAnswered { at_once: 1 }, 1, 0, Arc::default());
        let cube = Cube::from_scramble("R U F").unwrap();
        let solution =
            Chain::parse("EO").unwrap().search(&cube, &Control::new(), &mut |_| ()).unwrap().solutions.remove(0);
        let search = |best: Vec<ChainSolution>| {
            let solution = solution.clone();
            move |_: &Control| {
                let known = Mutex::new(Known { best, better: |_: &ChainSolution| () });
                begin(&known);
                let before = policy();
                offer(&known, &solution);
                (before, policy())
            }
        };
        for (best, expected) in [(vec![], (0, 5)), (vec![solution.clone()], (5, 5)), (vec![], (0, 5))] {
            let deadline = Deadline::StartBy(Instant::now() + Duration::from_secs(30));
            assert_eq!(lane.run_for_answer(deadline, search(best)).await, Ok(expected));
        }
    }

    #[test]
    fn the_list_of_the_first_search_is_not_lost() {
        let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2").unwrap();
        let mut chain = Chain::parse("EO").unwrap();
        chain.count = 5;
        let first = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
        let [best, .., last] = &first.solutions[..] else { panic!("five") };
        let kept = [last.clone(), best.clone()];
        assert_eq!(with_first(&[], &first.solutions, 5), first.solutions);
        assert_eq!(with_first(&kept, &first.solutions, 5).len(), 5);
        assert_eq!(with_first(&kept, &first.solutions, 5)[0], *best);
        assert_eq!(with_first(&kept, &[], 5), [best.clone(), last.clone()]);
        assert_eq!(with_first(&kept, &[], 1)[..], kept[1..]);
    }
}
