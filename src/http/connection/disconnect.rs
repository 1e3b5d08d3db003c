//! Whether anything goes on on a connection: requests under way, and answers that nobody takes.
//!
//! A client takes nothing of an answer when its socket has no room for a byte of it; the kernel keeps little of what is not sent yet
//! (`socket`), so that there is room again soon however slowly a client reads.
//!
//! With HTTP/2 it may also keep the window of the answer shut. hyper asks a body for its next piece once there is room for it, so a piece
//! that was handed over and after which hyper asks for no other is one that the client does not take. Unlike bytes on the socket that
//! is not fooled by a client that only answers pings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;

use crate::http::middleware::body_observer::{BodyEvent, BodyObserver, observed};

/// What goes on on one connection; clones share it.
#[derive(Clone)]
pub(crate) struct Pulse(Arc<Mutex<State>>);

struct State {
    under_way: usize,
    quiet_since: Instant,
    /// When the last piece of each answer was handed over, for those that were asked for no other.
    untaken: HashMap<u64, Instant>,
    /// Whether answers have windows of their own.
    has_windows: bool,
    /// Since when there is no room in the socket for what is to be written.
    blocked_since: Option<Instant>,
    next: u64,
}

/// How a connection does.
pub(crate) enum Health {
    /// Look again then.
    Fine(Instant),
    /// No request is under way for as long as is allowed.
    Idle,
    /// The same, and there never was one.
    Silent,
    /// An answer is not taken.
    Stalled,
}

impl Pulse {
    /// A connection without requests, whose answers have windows of their own (HTTP/2) or not.
    pub(crate) fn new(has_windows: bool) -> Self {
        let (quiet_since, untaken) = (Instant::now(), HashMap::new());
        let state = State { under_way: 0, quiet_since, untaken, has_windows, blocked_since: None, next: 0 };
        Self(Arc::new(Mutex::new(state)))
    }

    /// There is no room in the socket, or there is again.
    pub(crate) fn blocked(&self, is_blocked: bool) {
        self.lock().blocked_since = is_blocked.then(Instant::now);
    }

    /// A request has come; it is under way until what is returned, or the answer made with it, is dropped.
    pub(crate) fn request(&self) -> UnderWay {
        let mut state = self.lock();
        state.under_way += 1;
        state.next += 1;
        UnderWay { pulse: self.clone(), number: state.next }
    }

    /// Whether a request is under way.
    pub(crate) fn is_at_work(&self) -> bool {
        self.lock().under_way > 0
    }

    /// Whether the client waits for what a request under way brings, and not the other way round.
    pub(crate) fn is_waited_for(&self) -> bool {
        let state = self.lock();
        state.under_way > 0 && state.untaken.is_empty()
    }

    /// How the connection does, where it may be without requests for `idle` and answers untaken for `untaken`.
    pub(crate) fn health(&self, idle: Duration, untaken: Duration) -> Health {
        let (state, now) = (self.lock(), Instant::now());
        let windows = state.untaken.values().min().filter(|_| state.has_windows);
        let untaken_until = state.blocked_since.iter().chain(windows).min().map(|since| *since + untaken);
        if untaken_until.is_some_and(|end| end <= now) {
            return Health::Stalled;
        }
        if state.under_way == 0 && untaken_until.is_none() {
            let end = state.quiet_since + idle;
            return match state.next {
                // Answers that begin meanwhile are to be looked after in time as well.
                _ if end > now => Health::Fine(end.min(now + untaken)),
                0 => Health::Silent,
                _ => Health::Idle,
            };
        }
        Health::Fine(untaken_until.unwrap_or(now + untaken).min(now + idle))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request from its head to the end of its answer.
pub(crate) struct UnderWay {
    pulse: Pulse,
    number: u64,
}

impl UnderWay {
    /// The body of its answer.
    pub(crate) fn with(self, body: Body) -> Body {
        observed(body, self)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.pulse.lock();
        state.untaken.remove(&self.number);
        state.under_way -= 1;
        if state.under_way == 0 {
            state.quiet_since = Instant::now();
        }
    }
}

impl BodyObserver for UnderWay {
    fn polled(&mut self, event: BodyEvent) {
        let mut state = self.pulse.lock();
        match event {
            BodyEvent::Data(_) => state.untaken.insert(self.number, Instant::now()),
            BodyEvent::Pending | BodyEvent::End => state.untaken.remove(&self.number),
        };
    }
}
