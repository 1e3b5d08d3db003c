//! Rate limit per client: a token bucket for each address and for each API key.
//!
//! The `governor` crate implements the buckets. Full buckets of addresses are dropped from time to time. After a request, a bucket is
//! full again within a second. So the number of buckets is bounded by the number of requests in about two seconds.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::{StateInformationMiddleware, StateSnapshot};
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{NotUntil, Quota, RateLimiter};

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

/// The rate limits of all clients.
pub struct RateLimits {
    addresses: Option<(AddressBuckets, Shape)>,
    keys: Vec<Option<(KeyBucket, Shape)>>,
}

impl RateLimits {
    /// Creates the rate limits from the configuration.
    pub fn new(config: &Config) -> Self {
        let key_bucket = |shape: Shape| (RateLimiter::direct(shape.quota).with_middleware(), shape);
        let shape = |key| Shape::new(config.client_limits(key));
        Self {
            addresses: shape(None).map(|shape| (AddressBuckets::new(shape.quota), shape)),
            keys: config.access.keys.iter().map(|key| shape(Some(key)).map(key_bucket)).collect(),
        }
    }

    /// Counts a request against the client's bucket. Returns `None` if the client has no limit.
    pub fn check(&self, client: ClientId) -> Option<RateStatus> {
        match client {
            ClientId::Address(_) => {
                let (buckets, shape) = self.addresses.as_ref()?;
                Some(shape.status(buckets.check(client)))
            }
            ClientId::Key(index) => {
                let (bucket, shape) = self.keys.get(usize::from(index))?.as_ref()?;
                Some(shape.status(bucket.check()))
            }
        }
    }
}

type Middleware = StateInformationMiddleware;
type KeyBucket = RateLimiter<NotKeyed, InMemoryState, DefaultClock, Middleware>;
type Outcome = Result<StateSnapshot, NotUntil<<DefaultClock as Clock>::Instant>>;

/// Size and rate of a bucket.
#[derive(Clone, Copy)]
struct Shape {
    quota: Quota,
    burst: u32,
    window_s: u64,
}

impl Shape {
    /// Creates the size and rate from limits; `None` for a rate of 0, which means no limit.
    fn new(limits: ClientLimits) -> Option<Self> {
        let (rate, burst) = (NonZeroU32::new(limits.requests_per_second)?, NonZeroU32::new(limits.burst)?);
        let quota = Quota::per_second(rate).allow_burst(burst);
        Some(Self { quota, burst: burst.get(), window_s: u64::from(burst.get().div_ceil(rate.get())) })
    }

    fn status(self, outcome: Outcome) -> RateStatus {
        let Self { burst, window_s, .. } = self;
        match outcome {
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
}

/// The buckets of all addresses.
struct AddressBuckets {
    buckets: RateLimiter<ClientId, HashMapStateStore<ClientId>, DefaultClock, Middleware>,
    swept_at: Mutex<Option<Instant>>,
}

impl AddressBuckets {
    fn new(quota: Quota) -> Self {
        let buckets = RateLimiter::hashmap(quota).with_middleware();
        Self { buckets, swept_at: Mutex::default() }
    }

    fn check(&self, client: ClientId) -> Outcome {
        if self.buckets.len() > SWEEP_ABOVE {
            let mut swept_at = self.swept_at.lock().unwrap_or_else(PoisonError::into_inner);
            if swept_at.is_none_or(|last| last.elapsed() > SWEEP_INTERVAL) {
                *swept_at = Some(Instant::now());
                self.buckets.retain_recent();
            }
        }
        self.buckets.check_key(&client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u32) -> ClientId {
        ClientId::at(std::net::Ipv4Addr::from_bits(number).into())
    }

    fn shape(rate: u32, burst: u32) -> Option<Shape> {
        Shape::new(ClientLimits { requests_per_second: rate, burst, max_requests: 0 })
    }

    #[test]
    fn a_bucket_empties_and_refills() {
        let shape = shape(20, 40).unwrap();
        let buckets = AddressBuckets::new(shape.quota);
        let check = |client| shape.status(buckets.check(client));
        for remaining in (0..40).rev() {
            let status = check(at(1));
            // A slow machine may have refilled some meanwhile.
            assert!(status.is_allowed && status.remaining >= remaining && (status.burst, status.window_s) == (40, 2));
        }
        let empty = loop {
            let status = check(at(1));
            if !status.is_allowed {
                break status;
            }
        };
        assert_eq!((empty.remaining, empty.wait_s), (0, 1));
        assert!(check(at(2)).is_allowed);
        while !check(at(1)).is_allowed {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn full_buckets_of_addresses_are_dropped() {
        let buckets = AddressBuckets::new(shape(1000, 1000).unwrap().quota);
        for number in 0..=u32::try_from(SWEEP_ABOVE).unwrap() {
            assert!(buckets.check(at(number)).is_ok());
        }
        // One request of a thousand per second refills in a millisecond.
        std::thread::sleep(Duration::from_millis(20));
        assert!(buckets.check(at(5000)).is_ok());
        assert_eq!(buckets.buckets.len(), 1);
    }

    #[test]
    fn a_rate_of_zero_is_no_limit() {
        assert!(shape(0, 0).is_none());
    }
}
