//! What one search wants and has: the best solutions so far, the bound that they set, and why it should stop.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::cube::Move;
use crate::search::solution::Found;
use crate::search::stop::{Halt, Stop};

/// Shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Incumbent {
    /// A solution of at most this many turns will do.
    target: AtomicU8,
    wanted: usize,
    /// Longest solution of use.
    at_most: AtomicU8,
    /// Whether one solution is enough, however many were wanted.
    settled: AtomicBool,
    /// Length of the shortest solution, 255 for none.
    best: AtomicU8,
    reached: AtomicBool,
    improved: AtomicBool,
    found: Mutex<Vec<Found>>,
    stop: Stop,
}

impl Incumbent {
    /// Wants `wanted` solutions of at most `target` turns, and takes none of more than `at_most`.
    pub(crate) fn new(target: u8, wanted: usize, at_most: u8, stop: Stop) -> Self {
        Self {
            target: AtomicU8::new(target),
            wanted: wanted.max(1),
            at_most: AtomicU8::new(at_most),
            settled: AtomicBool::new(false),
            best: AtomicU8::new(u8::MAX),
            reached: AtomicBool::new(false),
            improved: AtomicBool::new(false),
            found: Mutex::new(Vec::new()),
            stop,
        }
    }

    /// Longest solution of use.
    #[inline]
    pub(crate) fn at_most(&self) -> u8 {
        self.at_most.load(Relaxed)
    }

    /// Length of the shortest solution, 255 while there is none.
    #[inline]
    pub(crate) fn best(&self) -> u8 {
        self.best.load(Relaxed)
    }

    /// Is content with one solution of at most this many turns; for when none is known.
    pub(crate) fn settle_for(&self, at_most: u8) {
        self.at_most.store(at_most, Relaxed);
        self.target.store(at_most, Relaxed);
        self.settled.store(true, Relaxed);
    }

    /// Whether everything wanted was found.
    #[inline]
    pub(crate) fn is_reached(&self) -> bool {
        self.reached.load(Relaxed)
    }

    /// The shortest solution, if it is shorter than when this was asked last.
    #[inline]
    pub(crate) fn improvement(&self) -> Option<Found> {
        let improved = self.improved.load(Relaxed) && self.improved.swap(false, Relaxed);
        if improved { self.found().first().cloned() } else { None }
    }

    /// The solutions so far, shortest first.
    pub(crate) fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the search should stop, if it should.
    pub(crate) fn halt(&self, deadline: Option<Instant>) -> Option<Halt> {
        if self.stop.is_stopped() {
            Some(Halt::Cancelled)
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Halt::Deadline)
        } else {
            None
        }
    }

    /// Keeps a solution if it is one of the best.
    pub(crate) fn offer(&self, solution: Found) {
        let mut found = self.found();
        let length = solution.moves.len();
        let is_worst = found.last().is_some_and(|worst| worst.moves.len() <= length);
        if (found.len() == self.wanted && is_worst) || found.iter().any(|known| same(&known.moves, &solution.moves)) {
            return;
        }
        let at = found.partition_point(|known| known.moves.len() <= length);
        found.insert(at, solution);
        found.truncate(self.wanted);
        if at == 0 {
            self.best.store(length as u8, Relaxed);
            self.improved.store(true, Relaxed);
        }
        if found.len() == self.wanted || self.settled.load(Relaxed) {
            let worst = found.last().map_or(0, |worst| worst.moves.len()) as u8;
            self.at_most.store(worst.saturating_sub(1), Relaxed);
            if worst <= self.target.load(Relaxed) || worst == 0 {
                self.reached.store(true, Relaxed);
            }
        }
    }
}

/// Whether two solutions differ at most in the order of turns of opposite faces next to one another.
fn same(a: &[Move], b: &[Move]) -> bool {
    let in_one_order = |moves: &[Move]| {
        let mut moves = moves.to_vec();
        for at in 1..moves.len() {
            let (first, second) = (moves[at - 1].face(), moves[at].face());
            if first == second.opposite() && first > second {
                moves.swap(at - 1, at);
            }
        }
        moves
    };
    a.len() == b.len() && in_one_order(a) == in_one_order(b)
}

/// Hears of a solution and of the number of nodes so far.
pub(crate) type SolutionCallback<'n> = &'n mut dyn FnMut(&Found, u64);
