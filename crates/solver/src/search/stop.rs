//! Stops a search: stop flag, deadline, and the periodic check of both.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// A flag that stops a search from another thread. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Sets the flag. The search ends within some microseconds.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Returns the flag itself, for functions that take an `AtomicBool`.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Returns whether the flag is set.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The deadline passed.
    Deadline,
    /// The search was cancelled.
    Cancelled,
}

/// Counts nodes and periodically checks the stop flag and the deadline.
pub struct Clock<'s> {
    stop: &'s Stop,
    deadline: Option<Instant>,
    nodes: u64,
}

impl<'s> Clock<'s> {
    /// Number of nodes between two checks: some 50 to 200 microseconds of work.
    const PERIOD: u64 = 1024;

    /// Creates a clock with a count of zero.
    pub fn new(stop: &'s Stop, deadline: Option<Instant>) -> Self {
        Self { stop, deadline, nodes: 0 }
    }

    /// Returns the number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node.
    ///
    /// # Errors
    /// When the search must end.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Self::PERIOD) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Halt> {
        if self.stop.is_stopped() {
            Err(Halt::Cancelled)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Err(Halt::Deadline)
        } else {
            Ok(())
        }
    }
}
