//! Concurrency limit per client: bounds the number of requests that a client has open at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::service::access::ClientId;

/// Counts the open requests of each client. Clones share the counts. A client with none uses no memory.
#[derive(Clone, Default)]
pub struct ConcurrencyLimiter(Arc<Mutex<HashMap<ClientId, usize>>>);

/// One open request of a client. Dropping it decreases the count.
pub struct ConcurrencyPermit {
    limiter: ConcurrencyLimiter,
    client: ClientId,
}

impl ConcurrencyLimiter {
    /// Returns a permit, or `None` if the client already holds `max` permits.
    pub fn try_acquire(&self, client: ClientId, max: usize) -> Option<ConcurrencyPermit> {
        let mut counts = self.lock();
        let count = counts.get(&client).map_or(0, |count| *count);
        if count >= max {
            return None;
        }
        counts.insert(client, count + 1);
        Some(ConcurrencyPermit { limiter: self.clone(), client })
    }

    /// Returns whether no client holds a permit.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ClientId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConcurrencyPermit {
    fn drop(&mut self) {
        let mut counts = self.limiter.lock();
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}
