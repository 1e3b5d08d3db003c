//! Limits the lines of one batch that are in memory, counts its searches, and detects that it is idle.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::service::millis;
use crate::service::telemetry::metrics::{BATCH_LINES_IN_FLIGHT, Counted};

/// Length of a line that takes one place in the window. Lines with a machine are longer.
const LINE_BYTES: usize = 1024;

/// Limit on the lines of one batch in memory. Clones share the limit.
#[derive(Clone)]
pub struct Window {
    lines: usize,
    permits: Arc<Semaphore>,
    searches: Arc<SearchCount>,
    activity: Arc<Activity>,
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

/// Time of the last event of a batch: a part of the body arrived, or an answer was taken.
struct Activity {
    start: Instant,
    /// Milliseconds from `start`.
    last: AtomicU64,
}

/// Permission to keep one line in memory; dropping it admits another line.
pub struct Permit {
    _place: OwnedSemaphorePermit,
    activity: Arc<Activity>,
    _counted: Counted,
}

impl Window {
    /// Creates a window of `lines` lines of up to 1 KiB. A longer line takes the place of several.
    pub fn new(lines: usize) -> Self {
        let in_flight = BATCH_LINES_IN_FLIGHT.with([]);
        let activity = Arc::new(Activity { start: Instant::now(), last: AtomicU64::new(0) });
        let permits = Arc::new(Semaphore::new(lines));
        Self { lines, permits, searches: Arc::default(), activity, in_flight }
    }

    /// Creates a window with room for all of this text, which has so many lines.
    pub fn for_all(lines: usize, bytes: usize) -> Self {
        Self::new(lines + bytes.div_ceil(LINE_BYTES))
    }

    /// Waits for a permit for a line of this length.
    pub(crate) async fn permit(&self, bytes: usize) -> Permit {
        match Arc::clone(&self.permits).acquire_many_owned(self.places(bytes)).await {
            Ok(permit) => self.counted(permit),
            // Acquiring fails only on a closed semaphore. This semaphore is never closed.
            Err(_) => std::future::pending().await,
        }
    }

    /// Returns a permit for a line of this length if one is free now.
    pub(crate) fn try_permit(&self, bytes: usize) -> Option<Permit> {
        let permit = Arc::clone(&self.permits).try_acquire_many_owned(self.places(bytes)).ok()?;
        Some(self.counted(permit))
    }

    /// Returns the number of places that a line of this length takes. One line always fits.
    fn places(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(LINE_BYTES).clamp(1, self.lines)).unwrap_or(u32::MAX)
    }

    /// Waits until every answer was taken.
    pub(crate) async fn empty(&self) {
        let _ = self.permits.acquire_many(u32::try_from(self.lines).unwrap_or(u32::MAX)).await;
    }

    fn counted(&self, permit: OwnedSemaphorePermit) -> Permit {
        Permit { _place: permit, activity: Arc::clone(&self.activity), _counted: Counted::new(self.in_flight.clone()) }
    }

    /// Records that a part of the body has arrived.
    pub(crate) fn active(&self) {
        self.activity.record();
    }

    /// Waits until no search has run, no answer was taken and nothing arrived for this time.
    pub(crate) async fn idle(&self, time: Duration) {
        self.unless_idle(time, std::future::pending::<()>()).await;
    }

    /// Returns the value of `future`, or `None` if the batch is idle for this time before.
    pub(crate) async fn unless_idle<T>(&self, time: Duration, future: impl Future<Output = T>) -> Option<T> {
        let (mut future, mut since) = (pin!(future), Instant::now());
        loop {
            match tokio::time::timeout(time.saturating_sub(since.elapsed()), future.as_mut()).await {
                Ok(value) => return Some(value),
                Err(_) if self.is_searching() => since = Instant::now(),
                Err(_) if self.activity.last() > since => since = self.activity.last(),
                Err(_) => return None,
            }
        }
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

impl Activity {
    fn record(&self) {
        self.last.store(millis(self.start.elapsed()), Ordering::Relaxed);
    }

    fn last(&self) -> Instant {
        self.start + Duration::from_millis(self.last.load(Ordering::Relaxed))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.activity.record();
    }
}
