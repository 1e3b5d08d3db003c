//! How often each client may ask: a bucket of requests for each address and for each key, filled at a steady rate.
//!
//! The memory of it is bounded. An address whose bucket is full again is forgotten, for it is like one that was never seen; and
//! should so many ask at once that there is no room for more, those without a bucket share one until there is.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::ShrinkableKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::service::access::concurrency_limit::Client;
use crate::service::config::Config;
use crate::service::config::access::rate_and_burst;

/// Addresses that have a bucket of their own; some megabytes.
const MOST_ADDRESSES: usize = 65_536;

/// Time between two looks for buckets that are full again.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// What a client may ask, and what is left of it after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Requests that a full bucket holds.
    pub most: u32,
    /// Seconds in which an empty bucket fills, rounded up.
    pub window_s: u64,
    /// Requests that may follow at once.
    pub left: u32,
    /// Whether this request may be made.
    pub is_within: bool,
    /// Seconds until the bucket has one request more, rounded up; at least 1.
    pub wait_s: u64,
}

/// The buckets of all clients.
pub struct Rates {
    addresses: Option<Limiter>,
    keys: Vec<Option<Limiter>>,
}

impl Rates {
    /// As configured.
    pub fn new(config: &Config) -> Self {
        let server = &config.server;
        let (rate, burst) = rate_and_burst(server.requests_per_second, server.request_burst);
        let key = |(rate, burst)| Limiter::new(rate, burst, 1);
        Self {
            addresses: Limiter::new(rate, burst, MOST_ADDRESSES),
            keys: config.access.keys.iter().map(|one| key(one.rate(server))).collect(),
        }
    }

    /// Takes a request out of the client's bucket, if it has a limit.
    pub fn take(&self, client: Client) -> Option<Budget> {
        let limiter = match client {
            Client::Address(_) => self.addresses.as_ref(),
            Client::Key(place) => self.keys.get(usize::from(place))?.as_ref(),
        };
        limiter.map(|limiter| limiter.take(client))
    }
}

struct Limiter {
    buckets: RateLimiter<Client, Buckets, DefaultClock, StateInformationMiddleware>,
    most: u32,
    window_s: u64,
    most_clients: usize,
    forgotten_at: Mutex<Option<Instant>>,
}

impl Limiter {
    fn new(rate: u32, burst: u32, most_clients: usize) -> Option<Self> {
        let (rate, burst) = (NonZeroU32::new(rate)?, NonZeroU32::new(burst)?);
        let quota = Quota::per_second(rate).allow_burst(burst);
        let buckets = RateLimiter::new(quota, Buckets::new(most_clients), DefaultClock::default());
        let window_s = u64::from(burst.get().div_ceil(rate.get()));
        let most = burst.get();
        Some(Self { buckets, most, window_s, most_clients, forgotten_at: Mutex::default() })
    }

    fn take(&self, client: Client) -> Budget {
        let (most, window_s) = (self.most, self.window_s);
        self.forget_full_buckets();
        let taken = self.buckets.check_key(&client).map_err(|wait| wait.wait_time_from(self.buckets.clock().now()));
        match taken {
            Ok(state) => Budget { most, window_s, left: state.remaining_burst_capacity(), is_within: true, wait_s: 1 },
            Err(wait) => Budget { most, window_s, left: 0, is_within: false, wait_s: whole_seconds(wait) },
        }
    }

    /// Makes room once there is none, which takes a look at every bucket and so is done now and then only.
    fn forget_full_buckets(&self) {
        if self.buckets.len() < self.most_clients {
            return;
        }
        let mut forgotten_at = self.forgotten_at.lock().unwrap_or_else(PoisonError::into_inner);
        if forgotten_at.is_none_or(|last| last.elapsed() > BETWEEN_LOOKS) {
            self.buckets.retain_recent();
            *forgotten_at = Some(Instant::now());
        }
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

/// The buckets of some clients, and one for all others. A bucket is the time at which it will be full, as the algorithm has it.
struct Buckets {
    most: usize,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    each: HashMap<Client, Nanos>,
    shared: Option<Nanos>,
}

impl Buckets {
    fn new(most: usize) -> Self {
        Self { most, known: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateStore for Buckets {
    type Key = Client;

    fn measure_and_replace<T, F, E>(&self, client: &Client, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut known = self.lock();
        if let Some(bucket) = known.each.get_mut(client) {
            let (outcome, after) = measure(Some(*bucket))?;
            *bucket = after;
            return Ok(outcome);
        }
        let has_room = known.each.len() < self.most;
        let (outcome, after) = measure(if has_room { None } else { known.shared })?;
        if has_room {
            known.each.insert(*client, after);
        } else {
            known.shared = Some(after);
        }
        Ok(outcome)
    }
}

impl ShrinkableKeyedStateStore<Client> for Buckets {
    fn retain_recent(&self, full_before: Nanos) {
        self.lock().each.retain(|_, bucket| *bucket > full_before);
    }

    fn shrink_to_fit(&self) {
        self.lock().each.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.lock().each.len()
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u32) -> Client {
        Client::at(std::net::Ipv4Addr::from_bits(number).into())
    }

    fn limiter(rate: u32, burst: u32, most_clients: usize) -> Limiter {
        Limiter::new(rate, burst, most_clients).unwrap()
    }

    #[test]
    fn a_bucket_empties_and_fills_at_its_rate() {
        let limiter = limiter(20, 40, 10);
        for left in (0..40).rev() {
            let budget = limiter.take(at(1));
            // A slow machine may have put one back meanwhile.
            assert!(budget.is_within && budget.left >= left && (budget.most, budget.window_s) == (40, 2));
        }
        let empty = loop {
            let budget = limiter.take(at(1));
            if !budget.is_within {
                break budget;
            }
        };
        assert_eq!((empty.left, empty.wait_s), (0, 1));
        assert!(limiter.take(at(2)).is_within);
        let start = Instant::now();
        while !limiter.take(at(1)).is_within {
            assert!(start.elapsed() < Duration::from_secs(5));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(start.elapsed() <= Duration::from_millis(500), "{:?}", start.elapsed());
    }

    #[test]
    fn memory_is_bounded_and_those_without_room_share() {
        let limiter = limiter(1, 2, 100);
        for number in 0..100 {
            assert!(limiter.take(at(number)).is_within);
        }
        let strangers = (1000..2000).filter(|number| limiter.take(at(*number)).is_within).count();
        // Two at once, and those that a slow machine puts back.
        assert!((2..6).contains(&strangers), "{strangers}");
        assert!(limiter.buckets.len() <= 100);
        assert!(limiter.take(at(7)).is_within, "who was there keeps a bucket");
    }

    #[test]
    fn clients_with_full_buckets_are_forgotten() {
        let limiter = limiter(1000, 1000, 100);
        for number in 0..100 {
            limiter.take(at(number));
        }
        std::thread::sleep(Duration::from_millis(20));
        assert!(limiter.take(at(500)).is_within);
        assert_eq!(limiter.buckets.len(), 1);
    }

    #[test]
    fn without_a_rate_there_is_no_limit() {
        assert!(Limiter::new(0, 0, 10).is_none());
    }
}
