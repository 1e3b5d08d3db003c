//! Whether anything goes on on a connection: requests under way, and answers that nobody takes.
//!
//! hyper asks a body for its next piece once there is room for it: in the socket, and with HTTP/2 in the windows that the client
//! opens. So a piece that was handed over and after which hyper asks for no other is one that the client does not take. That holds
//! for both protocols, and unlike bytes on the socket it is not fooled by a client that only answers pings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;

use super::body::{Companion, Piece, accompanied};

/// What goes on on one connection; clones share it.
#[derive(Clone)]
pub(super) struct Pulse(Arc<Mutex<State>>);

struct State {
    under_way: usize,
    quiet_since: Instant,
    /// When the last piece of each answer was handed over, for those that were asked for no other.
    untaken: HashMap<u64, Instant>,
    next: u64,
}

/// How a connection does.
pub(super) enum Health {
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
    /// A connection without requests.
    pub(super) fn new() -> Self {
        let (quiet_since, untaken) = (Instant::now(), HashMap::new());
        Self(Arc::new(Mutex::new(State { under_way: 0, quiet_since, untaken, next: 0 })))
    }

    /// A request has come; it is under way until what is returned, or the answer made with it, is dropped.
    pub(super) fn request(&self) -> UnderWay {
        let mut state = self.lock();
        state.under_way += 1;
        state.next += 1;
        UnderWay { pulse: self.clone(), number: state.next }
    }

    /// Whether a request is under way.
    pub(super) fn is_at_work(&self) -> bool {
        self.lock().under_way > 0
    }

    /// Whether the client waits for what a request under way brings, and not the other way round.
    pub(super) fn is_waited_for(&self) -> bool {
        let state = self.lock();
        state.under_way > 0 && state.untaken.is_empty()
    }

    /// How the connection does, where it may be without requests for `idle` and answers untaken for `untaken`.
    pub(super) fn health(&self, idle: Duration, untaken: Duration) -> Health {
        let (state, now) = (self.lock(), Instant::now());
        if state.under_way == 0 {
            let end = state.quiet_since + idle;
            return match state.next {
                // Answers that begin meanwhile are to be looked after in time as well.
                _ if end > now => Health::Fine(end.min(now + untaken)),
                0 => Health::Silent,
                _ => Health::Idle,
            };
        }
        let oldest = state.untaken.values().min().map(|since| *since + untaken);
        match oldest {
            Some(end) if end <= now => Health::Stalled,
            Some(end) => Health::Fine(end.min(now + idle)),
            None => Health::Fine(now + idle.min(untaken)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request from its head to the end of its answer.
pub(super) struct UnderWay {
    pulse: Pulse,
    number: u64,
}

impl UnderWay {
    /// The body of its answer.
    pub(super) fn with(self, body: Body) -> Body {
        accompanied(body, self)
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

impl Companion for UnderWay {
    fn asked(&mut self, answer: Piece) {
        let mut state = self.pulse.lock();
        match answer {
            Piece::Given(_) => state.untaken.insert(self.number, Instant::now()),
            Piece::Pending | Piece::End => state.untaken.remove(&self.number),
        };
    }
}
