//! The hosts that requests may name.
//!
//! A page whose own name leads to the address of this machine is of the same origin as the service in the eyes of a browser (DNS rebinding). The
//! header `Host` contains that name, so a check of `Host` refuses its requests.

use std::net::IpAddr;
use std::sync::Arc;

use http::uri::Authority;

/// A host without its port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Host {
    /// A name in lower case, without the dot at its end.
    Name(String),
    /// An IP address.
    Address(IpAddr),
}

impl Host {
    /// Parses a host that a port may follow, such as `localhost:8080` or `[::1]:8080`. Returns `None` if it is invalid.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let authority: Authority = text.parse().ok().filter(|_| !text.contains('@'))?;
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        match host.parse::<IpAddr>() {
            Ok(address) => Some(Self::Address(address.to_canonical())),
            Err(_) => (!name.is_empty()).then_some(Self::Name(name)),
        }
    }

    /// Returns whether browsers connect to this machine for this host.
    pub(crate) fn is_loopback(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost" || name.ends_with(".localhost"),
            Self::Address(address) => address.is_loopback(),
        }
    }
}

/// The hosts that one listener accepts; `None` for all.
#[derive(Clone, Debug)]
pub(crate) struct Hosts(Option<Arc<[Host]>>);

impl Hosts {
    /// Creates the hosts of a listener. Without `listed` hosts, only a listener at a loopback address is restricted.
    pub(crate) fn new(listed: &[String], listener: IpAddr) -> Self {
        let accepts_all = listed.iter().any(|host| host == "*") || (listed.is_empty() && !listener.is_loopback());
        Self((!accepts_all).then(|| listed.iter().filter_map(|host| configured(host)).collect()))
    }

    /// Returns whether requests may name this host. Loopback hosts are always accepted.
    pub(crate) fn accept(&self, host: &Host) -> bool {
        self.0.as_ref().is_none_or(|listed| host.is_loopback() || listed.contains(host))
    }
}

/// Parses a host of the configuration: a name or an address, without a port.
fn configured(text: &str) -> Option<Host> {
    let is_name = text.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c));
    match text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        Ok(address) => Some(Host::Address(address.to_canonical())),
        Err(_) => Host::parse(text).filter(|_| is_name),
    }
}

/// Returns a message if `text` is no host for the configuration.
pub(crate) fn host_error(text: &str) -> Option<String> {
    (text != "*" && configured(text).is_none()).then(|| {
        format!(
            "`{text}` is not a host; write a name or an address without scheme, port and path, such as `solver.example.org`, and \
             list each subdomain, or write `*` alone for any host"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_parsed_with_and_without_a_port() {
        for text in "localhost LOCALHOST:8080 localhost. a.localhost:1 127.0.0.1 127.9.9.9:80 [::1]:8080 \
            [::ffff:127.0.0.1]"
            .split(' ')
        {
            assert!(Host::parse(text).is_some_and(|host| host.is_loopback()), "{text}");
        }
        for text in "example.org localhost.example.org notlocalhost 10.0.0.1:80 0.0.0.0 [::]:80 127.0.0.1.example.org"
            .split(' ')
        {
            assert!(Host::parse(text).is_some_and(|host| !host.is_loopback()), "{text}");
        }
        for text in ["", ":80", "a b", "http://localhost", "user@localhost", "localhost/x", "[::1"] {
            assert_eq!(Host::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_loopback_listener_accepts_loopback_hosts_and_those_listed() {
        let [loopback, everywhere] = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0])];
        let accepts = |listed: &[&str], listener, host: &str| {
            let listed: Vec<_> = listed.iter().map(|&host| host.to_owned()).collect();
            Hosts::new(&listed, listener).accept(&Host::parse(host).unwrap())
        };
        for (listed, listener, host, is_accepted) in [
            (&[][..], loopback, "localhost:8080", true),
            (&[], loopback, "evil.example", false),
            (&[], loopback, "10.0.0.1", false),
            (&[], everywhere, "evil.example", true),
            (&["Solver.example.org", "::2"], loopback, "solver.example.org:443", true),
            (&["solver.example.org", "::2"], loopback, "[::2]:80", true),
            (&["solver.example.org"], loopback, "evil.example", false),
            (&["solver.example.org"], everywhere, "evil.example", false),
            (&["solver.example.org"], everywhere, "localhost", true),
            (&["*"], loopback, "evil.example", true),
        ] {
            assert_eq!(accepts(listed, listener, host), is_accepted, "{listed:?} {listener} {host}");
        }
        for text in ["", "https://a.example", "a.example:80", "*.example.org", "a.example/x", "a b"] {
            assert!(host_error(text).is_some(), "{text}");
        }
        for text in ["*", "a.example", "A_b.example", "10.0.0.1", "::1", "[::1]"] {
            assert_eq!(host_error(text), None, "{text}");
        }
    }
}
