//! Many searches on one thread.
//!
//! Each search waits for memory most of the time. The steps of several searches are interleaved, so that each read is in
//! flight while the others run.

use std::time::Duration;

use web_time::Instant;

use super::Search;
use super::solution::{Solution, SolveError};

/// Number of steps in a time slice. Reading the clock after each would cost some percent of the time.
const STEPS: usize = 4;

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
        let mut at = 0;
        let mut begun = Instant::now();
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
