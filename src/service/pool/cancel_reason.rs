//! Why a caller is no longer there when its job is given up.
//!
//! A request that ends early is a future that is dropped, and a drop tells no reason. So whoever is about to drop it writes the
//! reason down first: a connection for all its requests, a timeout for the one it bounds. What nobody explains is a caller
//! that has gone by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::service::telemetry::metrics::CANCELLED;

/// Why a request ended before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The caller closed its connection or its stream.
    CallerGone,
    /// The request took longer than the server allows.
    TimedOut,
    /// The caller did not take what was there of its answer.
    WriteTimeout,
    /// The service stops.
    Shutdown,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::CallerGone, Self::TimedOut, Self::WriteTimeout, Self::Shutdown];

    /// Its name in metrics and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CallerGone => "caller_gone",
            Self::TimedOut => "timed_out",
            Self::WriteTimeout => "write_timeout",
            Self::Shutdown => "shutdown",
        }
    }
}

/// What was written down of why a connection, or one of its requests, ends; clones share it.
#[derive(Clone, Default, Debug)]
pub struct Departure {
    own: Arc<AtomicU8>,
    connection: Option<Arc<AtomicU8>>,
}

tokio::task_local! {
    static CURRENT: Departure;
}

impl Departure {
    /// That of a request on the connection this is the departure of.
    #[must_use]
    pub fn of_request(&self) -> Self {
        Self { own: Arc::default(), connection: Some(Arc::clone(&self.own)) }
    }

    /// That of the request this code works for.
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Runs a future that works for this request.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Writes the reason down; the first one counts.
    pub fn set(&self, reason: Reason) {
        let _ = self.own.compare_exchange(0, reason as u8 + 1, Ordering::AcqRel, Ordering::Acquire);
    }

    /// The reason, should it have ended.
    pub fn reason(&self) -> Reason {
        self.written().unwrap_or(Reason::CallerGone)
    }

    /// The reason that was written down.
    pub fn written(&self) -> Option<Reason> {
        let cells = [Some(&self.own), self.connection.as_ref()];
        let written = cells.into_iter().flatten().map(|cell| cell.load(Ordering::Acquire)).find(|number| *number > 0);
        written.map(|number| Reason::ALL[usize::from(number) - 1])
    }

    /// Counts a job of this request that was given up at this `stage` of its lane.
    pub(crate) fn count_cancelled(&self, lane: &'static str, stage: &'static str) {
        let reason = self.reason().name();
        metrics::counter!(CANCELLED, "lane" => lane, "stage" => stage, "reason" => reason).increment(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_knows_better_than_its_connection_and_the_first_reason_counts() {
        let connection = Departure::default();
        let (one, other) = (connection.of_request(), connection.of_request());
        assert_eq!(one.reason(), Reason::CallerGone);
        one.set(Reason::TimedOut);
        connection.set(Reason::WriteTimeout);
        connection.set(Reason::Shutdown);
        assert_eq!((one.reason(), other.reason()), (Reason::TimedOut, Reason::WriteTimeout));
    }
}
