//! The address to listen on: an IP address or a host name, with a port.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::str::FromStr;

/// Address and port to listen on, as configured. A host name is resolved on use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listen {
    host: Host,
    port: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Host {
    Address(SocketAddr),
    Name(String),
}

impl Listen {
    /// Returns the port; 0 lets the system choose one.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Resolves to the addresses to try, in order. IPv4 comes first, so that `localhost` is 127.0.0.1 wherever there is IPv4.
    ///
    /// # Errors
    /// Returns an error if the host name cannot be resolved.
    pub fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let mut addresses = match &self.host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => (name.as_str(), self.port).to_socket_addrs()?.collect(),
        };
        addresses.sort_by_key(SocketAddr::is_ipv6);
        addresses.dedup();
        Ok(addresses)
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Address(address) => address.fmt(f),
            Host::Name(name) => write!(f, "{name}:{}", self.port),
        }
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let listen = match text.parse::<SocketAddr>() {
            Ok(address) => Some(Self { host: Host::Address(address), port: address.port() }),
            Err(_) => named(text),
        };
        listen.ok_or_else(|| {
            format!(
                "`{text}` is not an address or host name with a port from 0 to 65535; write 127.0.0.1:8080, [::1]:8080 or \
                 localhost:8080, or 0.0.0.0:8080 for every IPv4 address of the machine and [::]:8080 for every address"
            )
        })
    }
}

/// Parses a host name and a port.
fn named(text: &str) -> Option<Listen> {
    let (host, port) = text.rsplit_once(':')?;
    // Refuse a plus sign, which the standard library would accept.
    let port = port.parse().ok().filter(|_| !port.starts_with('+'))?;
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c));
    let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
    // Refuse a name that ends in a number: it is an invalid IPv4 address.
    let is_number = |label: &str| label.bytes().all(|c| c.is_ascii_digit());
    let is_name = host.len() <= 253 && labels.clone().all(is_label) && !labels.next_back().is_some_and(is_number);
    is_name.then(|| Listen { host: Host::Name(host.to_owned()), port })
}

#[cfg(test)]
mod tests {
    use super::Listen;

    #[test]
    fn addresses_and_names_round_trip() {
        for text in
            ["127.0.0.1:8080", "[::1]:8080", "0.0.0.0:0", "localhost:8080", "my-host.example.org:1", "db_1:65535"]
        {
            assert_eq!(text.parse::<Listen>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn localhost_resolves_to_ipv4_first() {
        let addresses = "localhost:8080".parse::<Listen>().unwrap().addresses().unwrap();
        assert_eq!(addresses[0].to_string(), "127.0.0.1:8080", "{addresses:?}");
        assert!(addresses.iter().all(|address| address.ip().is_loopback() && address.port() == 8080), "{addresses:?}");
    }

    #[test]
    fn invalid_addresses_are_refused_with_valid_examples() {
        for text in [
            "here",
            "",
            "8080",
            ":8080",
            "*:8080",
            "::1:8080",
            "::1",
            "localhost:99999",
            "localhost:",
            "localhost:+1",
            "localhost:http",
            "127.0.0.256:80",
            "127.1:80",
            "http://localhost:8080",
            "local host:80",
            "a..b:80",
        ] {
            let error = text.parse::<Listen>().unwrap_err();
            assert!(error.starts_with(&format!("`{text}` is not")) && error.contains("localhost:8080"), "{error}");
        }
    }
}
