//! Access control: API keys, rate limits and concurrency limits per client, and the hosts that requests may name.
//!
//! A concurrency limit bounds the number of requests that a client has open at once. A rate limit is a token bucket for each address and for
//! each API key. The `governor` crate implements the buckets. An empty bucket is full again after burst / rate seconds. Full buckets of
//! addresses are dropped, at most once a second, when there are more than `SWEEP_ABOVE`. So above `SWEEP_ABOVE`, the number of
//! buckets is bounded by the number of requests in burst / rate seconds plus one `SWEEP_INTERVAL`.

pub(crate) mod hosts;
pub mod keys;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::service::config::{ClientLimits, Config};

/// Identity of a client: its API key if it sent a valid one, otherwise its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientId {
    /// IP address. An IPv6 address is reduced to its first 64 bits, because a host usually has a network of that size.
    Address(IpAddr),
    /// Index of an API key in the configuration.
    Key(u16),
}

impl ClientId {
    /// Returns the client at an address.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            address @ IpAddr::V4(_) => address,
        })
    }
}

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
    pub(crate) fn try_acquire(&self, client: ClientId, max: usize) -> Option<ConcurrencyPermit> {
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

/// Number of address buckets above which full buckets are dropped.
const SWEEP_ABOVE: usize = 1024;

/// Minimum time between two sweeps. A sweep visits every bucket.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// State of a client's bucket after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateStatus {
    /// Whether this request is within the limit.
    pub is_allowed: bool,
    /// Number of requests that a full bucket permits.
    pub burst: u32,
    /// Time until an empty bucket is full, in seconds, rounded up.
    pub window_s: u64,
    /// Number of requests that the bucket still permits.
    pub remaining: u32,
    /// Time until the bucket permits one more request, in seconds, rounded up; at least 1.
    pub wait_s: u64,
}

/// The rate limits of all clients. `None` for no limit.
pub struct RateLimits {
    addresses: Option<Buckets>,
    keys: Vec<Option<Buckets>>,
}

impl RateLimits {
    /// Creates the rate limits from the configuration.
    pub fn new(config: &Config) -> Self {
        let buckets = |key| Buckets::new(config.client_limits(key));
        Self { addresses: buckets(None), keys: config.access.keys.iter().map(|key| buckets(Some(key))).collect() }
    }

    /// Counts a request against the client's bucket. Returns `None` if the client has no limit.
    pub fn check(&self, client: ClientId) -> Option<RateStatus> {
        let buckets = match client {
            ClientId::Address(_) => self.addresses.as_ref(),
            ClientId::Key(index) => self.keys.get(usize::from(index))?.as_ref(),
        };
        buckets.map(|buckets| buckets.check(client))
    }
}

/// The buckets of all addresses, or the bucket of one key.
struct Buckets {
    limiter: RateLimiter<ClientId, HashMapStateStore<ClientId>, DefaultClock, StateInformationMiddleware>,
    burst: u32,
    window_s: u64,
    swept_at: Mutex<Option<Instant>>,
}

impl Buckets {
    /// Creates the buckets; `None` for a rate of 0, which means no limit.
    fn new(limits: ClientLimits) -> Option<Self> {
        let (rate, burst) = (NonZeroU32::new(limits.requests_per_second)?, NonZeroU32::new(limits.burst)?);
        let limiter = RateLimiter::hashmap(Quota::per_second(rate).allow_burst(burst)).with_middleware();
        let window_s = u64::from(burst.get().div_ceil(rate.get()));
        Some(Self { limiter, burst: burst.get(), window_s, swept_at: Mutex::default() })
    }

    fn check(&self, client: ClientId) -> RateStatus {
        self.sweep();
        let Self { burst, window_s, .. } = *self;
        match self.limiter.check_key(&client) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                RateStatus { is_allowed: true, burst, window_s, remaining, wait_s: 1 }
            }
            Err(until) => {
                let wait = until.wait_time_from(DefaultClock::default().now());
                let wait_s = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
                RateStatus { is_allowed: false, burst, window_s, remaining: 0, wait_s }
            }
        }
    }

    /// Drops full buckets, if there are many buckets and the last sweep was long enough ago.
    fn sweep(&self) {
        if self.limiter.len() > SWEEP_ABOVE {
            let mut swept_at = self.swept_at.lock().unwrap_or_else(PoisonError::into_inner);
            if swept_at.is_none_or(|last| last.elapsed() > SWEEP_INTERVAL) {
                *swept_at = Some(Instant::now());
                self.limiter.retain_recent();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_buckets_of_addresses_are_dropped() {
        let limits = ClientLimits { requests_per_second: 1000, burst: 1000, max_requests: 0 };
        let buckets = Buckets::new(limits).expect("a rate");
        let check = |number| buckets.check(ClientId::at(std::net::Ipv4Addr::from_bits(number).into()));
        for number in 0..=u32::try_from(SWEEP_ABOVE).unwrap() {
            assert!(check(number).is_allowed);
        }
        // One request of a thousand per second refills in a millisecond.
        std::thread::sleep(Duration::from_millis(20));
        assert!(check(5000).is_allowed);
        assert_eq!(buckets.limiter.len(), 1);
    }
}
