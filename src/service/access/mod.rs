//! Access control: API keys, rate limits and concurrency limits per client, and the hosts that requests may name.

pub mod concurrency_limit;
pub mod hosts;
pub mod keys;
pub mod rate_limit;

use std::net::{IpAddr, Ipv6Addr};

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
