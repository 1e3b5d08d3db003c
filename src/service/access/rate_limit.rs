//! Rate limit per client: a token bucket for each address and for each API key.
//!
//! The `governor` crate implements the buckets. An empty bucket is full again after burst / rate seconds. Full buckets of
//! addresses are dropped, at most once a second, when there are more than `SWEEP_ABOVE`. So above `SWEEP_ABOVE`, the number of
//! buckets is bounded by the number of requests in burst / rate seconds plus one `SWEEP_INTERVAL`.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::service::access::ClientId;
use crate::service::config::{ClientLimits, Config};

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
