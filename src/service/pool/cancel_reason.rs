//! Records why a request ends before its answer.
//!
//! A request that ends early is a future that is dropped, and a drop gives no reason. The code that is about to drop it sets the
//! reason first: a connection for all its requests, a timeout for one. Without a reason, the client has disconnected.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a request ended before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The client closed its connection or its stream.
    CallerGone,
    /// The request timeout expired.
    TimedOut,
    /// The client accepted no data for the write timeout.
    WriteTimeout,
    /// The service is shutting down.
    Shutdown,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::CallerGone, Self::TimedOut, Self::WriteTimeout, Self::Shutdown];

    /// The name in metrics and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CallerGone => "caller_gone",
            Self::TimedOut => "timed_out",
            Self::WriteTimeout => "write_timeout",
            Self::Shutdown => "shutdown",
        }
    }
}

/// The reason why a connection or one of its requests ends. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Departure {
    own: Arc<AtomicU8>,
    connection: Option<Arc<AtomicU8>>,
}

tokio::task_local! {
    static CURRENT: Departure;
}

impl Departure {
    /// Returns the departure of a request on this connection.
    #[must_use]
    pub fn of_request(&self) -> Self {
        Self { own: Arc::default(), connection: Some(Arc::clone(&self.own)) }
    }

    /// Returns the departure of the current request.
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Runs a future as part of this request.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Sets the reason, unless one is set.
    pub fn set(&self, reason: Reason) {
        let _ = self.own.compare_exchange(0, reason as u8 + 1, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Returns the reason, or [`Reason::CallerGone`] if none is set.
    pub fn reason(&self) -> Reason {
        self.written().unwrap_or(Reason::CallerGone)
    }

    /// Returns the reason, if one is set.
    pub fn written(&self) -> Option<Reason> {
        let cells = [Some(&self.own), self.connection.as_ref()];
        let written = cells.into_iter().flatten().map(|cell| cell.load(Ordering::Acquire)).find(|number| *number > 0);
        written.map(|number| Reason::ALL[usize::from(number) - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_request_precedes_that_of_its_connection_and_the_first_counts() {
        let connection = Departure::default();
        let (one, other) = (connection.of_request(), connection.of_request());
        assert_eq!(one.reason(), Reason::CallerGone);
        one.set(Reason::TimedOut);
        connection.set(Reason::WriteTimeout);
        connection.set(Reason::Shutdown);
        assert_eq!((one.reason(), other.reason()), (Reason::TimedOut, Reason::WriteTimeout));
    }
}
