//! How a search is stopped: from another thread, or by its deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// A flag that stops a search from another thread; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the search to stop; it does so within some microseconds.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// The flag itself, for work that is not a search.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether it was asked to.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Why a search ended before its work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The deadline passed.
    Deadline,
    /// The caller has gone.
    Cancelled,
}

/// Counts nodes, and looks at the flag and the time once in a while.
pub struct Clock<'s> {
    stop: &'s Stop,
    deadline: Option<Instant>,
    nodes: u64,
}

impl<'s> Clock<'s> {
    /// Looked at every this many nodes: some 50 to 200 microseconds of work.
    const PERIOD: u64 = 1024;

    /// A clock at no nodes.
    pub fn new(stop: &'s Stop, deadline: Option<Instant>) -> Self {
        Self { stop, deadline, nodes: 0 }
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node.
    ///
    /// # Errors
    /// When the search is to halt.
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
