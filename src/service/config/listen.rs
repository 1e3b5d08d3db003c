//! The address to listen on: an IP address or a host name, with a port.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use serde::Deserialize;

/// Address or host name, and port, to listen on, as configured. A host name is resolved on use.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Listen(String);

impl Listen {
    /// Resolves to the addresses to try, in order. IPv4 comes first, so that `localhost` is 127.0.0.1 wherever there is IPv4.
    ///
    /// # Errors
    /// Returns an error if the host name cannot be resolved.
    pub fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let mut addresses: Vec<_> = self.0.to_socket_addrs()?.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        addresses.dedup();
        Ok(addresses)
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Listen {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_name =
            |host: &str| !host.is_empty() && host.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_.".contains(&c));
        let named = text.rsplit_once(':').is_some_and(|(host, port)| is_name(host) && port.parse::<u16>().is_ok());
        if named || text.parse::<SocketAddr>().is_ok() {
            return Ok(Self(text));
        }
        Err(format!(
            "`{text}` is not an address or host name with a port from 0 to 65535; write 127.0.0.1:8080, [::1]:8080 or \
             localhost:8080, or 0.0.0.0:8080 for every IPv4 address of the machine and [::]:8080 for every address"
        ))
    }
}
