//! Many searches on one thread.
//!
//! Each search waits for memory most of the time. The steps of several searches are interleaved, so that each read is in
//! flight while the others run.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::goal::Goal;
use super::running::Search;
use super::solution::{Solution, SolveError};
use crate::solver::Solver;
use superflip_cube::Cube;

/// Number of steps in a time slice. Reading the clock after each would cost some percent of the time.
const STEPS: usize = 4;
/// Number of searches of [`SolveAll`] that run at a time.
const IN_FLIGHT: usize = 8;
/// Number of cubes that [`SolveAll`] takes before the first of them is solved.
const WINDOW: usize = 64;

/// Searches that share a thread, each with a tag.
pub struct Interleaved<'t, T>(Vec<Running<'t, T>>);

/// One of the searches.
struct Running<'t, T> {
    tag: T,
    search: Search<'t>,
    /// Sum of its time slices.
    elapsed: Duration,
}

impl<T> Default for Interleaved<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'t, T> Interleaved<'t, T> {
    /// Adds a search.
    pub fn push(&mut self, tag: T, search: Search<'t>) {
        self.0.push(Running { tag, search, elapsed: Duration::ZERO });
    }

    /// Returns the number of searches that have not ended.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether all searches have ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Advances each search by some microseconds. `done` receives those that end, with the sum of their time slices, which
    /// [`Solution::elapsed`] has too.
    pub fn advance(&mut self, mut done: impl FnMut(T, Result<Solution, SolveError>, Duration)) {
        let (mut at, mut begun) = (0, Instant::now());
        while let Some(running) = self.0.get_mut(at) {
            let is_over = (0..STEPS).any(|_| running.search.step(&mut |_, _| {}));
            let now = Instant::now();
            running.elapsed += now - begun;
            begun = now;
            if is_over {
                let Running { tag, search, elapsed } = self.0.swap_remove(at);
                done(tag, search.finish().map(|solution| Solution { elapsed, ..solution }), elapsed);
                begun = Instant::now();
            } else {
                at += 1;
            }
        }
    }
}

/// Iterator over cubes and their solutions; see [`Solver::solve_all`].
pub struct SolveAll<'s, I> {
    solver: &'s Solver,
    cubes: I,
    goal: Goal,
    running: Interleaved<'s, usize>,
    /// The cubes that were taken and not returned, with the answers so far.
    taken: VecDeque<(Cube, Option<Result<Solution, SolveError>>)>,
    /// Number of cubes that were returned.
    returned: usize,
}

impl<'s, I> SolveAll<'s, I> {
    pub(crate) fn new(solver: &'s Solver, cubes: I, goal: Goal) -> Self {
        Self { solver, cubes, goal, running: Interleaved::default(), taken: VecDeque::new(), returned: 0 }
    }
}

impl<I: Iterator<Item = Cube>> Iterator for SolveAll<'_, I> {
    type Item = (Cube, Result<Solution, SolveError>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.running.len() < IN_FLIGHT && self.taken.len() < WINDOW {
                let Some(cube) = self.cubes.next() else { break };
                self.running.push(self.returned + self.taken.len(), self.solver.search(&cube, &self.goal));
                self.taken.push_back((cube, None));
            }
            let (cube, answer) = self.taken.front_mut()?;
            if let Some(answer) = answer.take() {
                let cube = *cube;
                self.taken.pop_front();
                self.returned += 1;
                return Some((cube, answer));
            }
            let (taken, returned) = (&mut self.taken, self.returned);
            self.running.advance(|number, answer, _| taken[number - returned].1 = Some(answer));
        }
    }
}
