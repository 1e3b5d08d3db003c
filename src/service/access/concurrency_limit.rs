//! No client has more than its share of the places: how many requests each has under way, within a limit.
//!
//! A client is known by its key where it gave one, else by its address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Client {
    /// Known by its address; of IPv6 the first 64 bits, for that is what one host has at least.
    Address(IpAddr),
    /// Known by its API key: the place among those of the configuration.
    Key(u16),
}

impl Client {
    /// The client at an address.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// How many requests each client has under way; clients with none take no memory.
#[derive(Clone, Default)]
pub struct Clients(Arc<Mutex<HashMap<Client, usize>>>);

/// One request under way; dropping it lets the client ask another.
pub struct Admitted {
    clients: Clients,
    client: Client,
}

impl Clients {
    /// Counts one more request of the client, unless it has `most` already.
    pub fn admit(&self, client: Client, most: usize) -> Option<Admitted> {
        let mut under_way = self.lock();
        let count = under_way.get(&client).map_or(0, |count| *count);
        if count >= most {
            return None;
        }
        under_way.insert(client, count + 1);
        Some(Admitted { clients: self.clone(), client })
    }

    /// How many clients have requests under way.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether no client has a request under way.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut under_way = self.clients.lock();
        if let Some(count) = under_way.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Client {
        Client::at(address.parse().unwrap())
    }

    #[test]
    fn one_host_is_one_client() {
        assert_eq!(at("2001:db8:1:2::1"), at("2001:db8:1:2:ffff::9"));
        assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
    }

    #[test]
    fn each_client_has_its_own_places_and_gives_them_back() {
        let clients = Clients::default();
        let held: Vec<_> = (0..2).map(|_| clients.admit(at("10.0.0.1"), 2).unwrap()).collect();
        assert!(clients.admit(at("10.0.0.1"), 2).is_none());
        let other = clients.admit(at("10.0.0.2"), 2).unwrap();
        drop(held);
        assert_eq!(clients.len(), 1);
        assert!(clients.admit(at("10.0.0.1"), 2).is_some());
        drop(other);
        assert!(clients.is_empty());
    }
}
