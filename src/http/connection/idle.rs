//! Detects idle connections: no request is in progress, and none has been for `header_timeout`.
//!
//! hyper has this timeout only for HTTP/1.1. Without this module, an HTTP/2 client that answers pings would stay connected forever.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Counts the requests of one connection. Clones share the count.
#[derive(Clone)]
pub(crate) struct Requests(Arc<Mutex<Count>>);

struct Count {
    in_progress: usize,
    /// End of the last request, or the opening of the connection before the first request.
    idle_since: Instant,
}

impl Requests {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Count { in_progress: 0, idle_since: Instant::now() })))
    }

    /// Counts a request as in progress until the returned guard is dropped.
    pub(crate) fn begin(&self) -> InProgress {
        self.lock().in_progress += 1;
        InProgress(self.clone())
    }

    pub(crate) fn are_in_progress(&self) -> bool {
        self.lock().in_progress > 0
    }

    /// Returns the end of the last request, or `None` while a request is in progress.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let count = self.lock();
        (count.in_progress == 0).then_some(count.idle_since)
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard of one request, from its head to the end of its response. The request log takes it out of the extensions of the request.
pub(crate) struct InProgress(Requests);

impl Drop for InProgress {
    fn drop(&mut self) {
        let mut count = self.0.lock();
        count.in_progress -= 1;
        count.idle_since = Instant::now();
    }
}
