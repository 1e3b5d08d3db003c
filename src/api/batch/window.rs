//! Limits the lines of one batch that are in memory, and counts its searches.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::service::telemetry::metrics::{BATCH_LINES_IN_FLIGHT, Counted};

/// Limit on the lines of one batch in memory. Clones share the limit.
#[derive(Clone)]
pub struct Window {
    permits: Arc<Semaphore>,
    searches: Arc<SearchCount>,
    in_flight: prometheus::Gauge,
}

/// Number of searches that run or wait.
///
/// A cancelled search stays in the count. [`Window::is_searching`] is then true forever, which marks the batch as incomplete.
#[derive(Default)]
struct SearchCount {
    count: AtomicUsize,
    /// Notified when the count becomes zero.
    none: Notify,
}

/// Permission to keep one line in memory; dropping it admits another line.
pub struct Permit {
    _permit: OwnedSemaphorePermit,
    _counted: Counted,
}

impl Window {
    /// Creates a window of `lines` lines.
    pub fn new(lines: usize) -> Self {
        let in_flight = BATCH_LINES_IN_FLIGHT.with([]);
        Self { permits: Arc::new(Semaphore::new(lines)), searches: Arc::default(), in_flight }
    }

    /// Waits for a permit.
    pub(crate) async fn permit(&self) -> Permit {
        match Arc::clone(&self.permits).acquire_owned().await {
            Ok(permit) => self.counted(permit),
            // Acquiring fails only on a closed semaphore. This semaphore is never closed.
            Err(_) => std::future::pending().await,
        }
    }

    /// Returns a permit if one is free now.
    pub(crate) fn try_permit(&self) -> Option<Permit> {
        Arc::clone(&self.permits).try_acquire_owned().ok().map(|permit| self.counted(permit))
    }

    fn counted(&self, permit: OwnedSemaphorePermit) -> Permit {
        Permit { _permit: permit, _counted: Counted::new(self.in_flight.clone()) }
    }

    pub(crate) fn search_begins(&self) {
        self.searches.count.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn search_ended(&self) {
        if self.searches.count.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.searches.none.notify_waiters();
        }
    }

    /// Returns whether a search runs, waits, or was cancelled.
    pub fn is_searching(&self) -> bool {
        self.searches.count.load(Ordering::Acquire) > 0
    }

    /// Waits until no search runs or waits. Does not return after a search was cancelled.
    pub(crate) async fn searched(&self) {
        let mut none = pin!(self.searches.none.notified());
        // Registers before the count is read, so that no notification is missed.
        none.as_mut().enable();
        if self.is_searching() {
            none.await;
        }
    }
}
