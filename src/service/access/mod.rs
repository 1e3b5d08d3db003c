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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_client() {
        let at = |address: &str| ClientId::at(address.parse().unwrap());
        assert_eq!(at("2001:db8:1:2::1"), at("2001:db8:1:2:ffff::9"));
        assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
    }
}
