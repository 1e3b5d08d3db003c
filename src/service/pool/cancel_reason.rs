//! Records why a request ends before its answer.
//!
//! A request ends early when its future is dropped, and a drop carries no reason. So the code that drops the future sets the reason
//! first: a connection for all its requests, a timeout for one. Without a reason, the client has disconnected.

use std::sync::{Arc, OnceLock};

/// The reason why a request ended before its response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A client that closed its connection or its stream.
    CallerGone,
    /// An expired request timeout.
    TimedOut,
    /// A client that accepted no data for the write timeout.
    WriteTimeout,
    /// A shutdown of the service.
    Shutdown,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::CallerGone, Self::TimedOut, Self::WriteTimeout, Self::Shutdown];

    /// Returns the name in metrics and logs.
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
pub struct CancelReason {
    own: Arc<OnceLock<Reason>>,
    connection: Option<Arc<OnceLock<Reason>>>,
}

tokio::task_local! {
    static CURRENT: CancelReason;
}

impl CancelReason {
    /// Creates the cancel reason of a request on this connection.
    #[must_use]
    pub fn of_request(&self) -> Self {
        Self { own: Arc::default(), connection: Some(Arc::clone(&self.own)) }
    }

    /// Returns the cancel reason of the current request.
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Runs a future as part of this request, so that [`CancelReason::current`] returns this cancel reason in it.
    pub async fn scope<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Sets the reason, unless one is set.
    pub fn set(&self, reason: Reason) {
        let _ = self.own.set(reason);
    }

    /// Returns the reason, or [`Reason::CallerGone`] if none is set.
    pub fn reason(&self) -> Reason {
        self.written().unwrap_or(Reason::CallerGone)
    }

    /// Returns the reason, if one is set.
    pub fn written(&self) -> Option<Reason> {
        self.own.get().or_else(|| self.connection.as_ref()?.get()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_request_precedes_that_of_its_connection_and_the_first_counts() {
        let connection = CancelReason::default();
        let (one, other) = (connection.of_request(), connection.of_request());
        assert_eq!(one.reason(), Reason::CallerGone);
        one.set(Reason::TimedOut);
        connection.set(Reason::WriteTimeout);
        connection.set(Reason::Shutdown);
        assert_eq!((one.reason(), other.reason()), (Reason::TimedOut, Reason::WriteTimeout));
    }
}
