//! The address to listen on: an IP address or a host name, and a port.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

/// Address and port to listen on, as configured: a name is looked up when it is used.
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
    /// The port; 0 lets the system choose one.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The addresses to try, in this order: those of IPv4 before those of IPv6, so that `localhost` is 127.0.0.1 wherever
    /// there is IPv4.
    ///
    /// # Errors
    /// When the name cannot be resolved.
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
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Self { host: Host::Address(address), port: address.port() });
        }
        let example = "write an address and a port, such as 127.0.0.1:8080, [::1]:8080 or localhost:8080";
        if text.contains("://") || text.contains('/') {
            return Err(format!("`{text}` is a URL or a path: {example}"));
        }
        let (host, port) = match text.rsplit_once(':') {
            Some(parts) => parts,
            None if text.bytes().all(|digit| digit.is_ascii_digit()) => ("", text),
            None => return Err(format!("`{text}` has no port: {example}")),
        };
        if matches!(host, "" | "*") {
            return Err(format!(
                "`{text}` has no address: {example}; 0.0.0.0 stands for every IPv4 address of the machine, [::] for every address"
            ));
        }
        if host.contains(':') || host.parse::<IpAddr>().is_ok_and(|address| address.is_ipv6()) {
            return Err(format!("`{text}` is not an IPv6 address in brackets, with a port: {example}"));
        }
        let Some(port) = Some(port).filter(|port| !port.starts_with('+')).and_then(|port| port.parse().ok()) else {
            return Err(format!("`{port}` in `{text}` is not a port from 0 to 65535: {example}"));
        };
        let is_number = |label: &str| !label.is_empty() && label.bytes().all(|c| c.is_ascii_digit());
        if host.rsplit('.').next().is_some_and(is_number) && host.parse::<Ipv4Addr>().is_err() {
            return Err(format!(
                "`{host}` in `{text}` is not an IPv4 address, which is four numbers up to 255: {example}"
            ));
        }
        let is_name =
            |label: &str| !label.is_empty() && label.bytes().all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c));
        if host.len() > 253 || !host.strip_suffix('.').unwrap_or(host).split('.').all(is_name) {
            return Err(format!("`{host}` in `{text}` is neither an IP address nor a host name: {example}"));
        }
        Ok(Self { host: Host::Name(host.to_owned()), port })
    }
}

#[cfg(test)]
mod tests {
    use super::Listen;

    #[test]
    fn addresses_and_names_are_read_and_written_alike() {
        for text in
            ["127.0.0.1:8080", "[::1]:8080", "0.0.0.0:0", "localhost:8080", "my-host.example.org:1", "db_1:65535"]
        {
            assert_eq!(text.parse::<Listen>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn localhost_is_ipv4_first() {
        let addresses = "localhost:8080".parse::<Listen>().unwrap().addresses().unwrap();
        assert_eq!(addresses[0].to_string(), "127.0.0.1:8080", "{addresses:?}");
        assert!(addresses.iter().all(|address| address.ip().is_loopback() && address.port() == 8080), "{addresses:?}");
    }

    #[test]
    fn what_is_no_address_is_told_with_the_way_to_write_one() {
        for (text, part) in [
            ("here", "has no port"),
            ("", "has no address"),
            ("8080", "has no address"),
            (":8080", "0.0.0.0"),
            ("*:8080", "0.0.0.0"),
            ("::1:8080", "in brackets"),
            ("::1", "in brackets"),
            ("localhost:99999", "`99999` in `localhost:99999` is not a port"),
            ("localhost:", "is not a port"),
            ("localhost:+1", "is not a port"),
            ("localhost:http", "is not a port"),
            ("127.0.0.256:80", "is not an IPv4 address"),
            ("127.1:80", "is not an IPv4 address"),
            ("http://localhost:8080", "is a URL"),
            ("local host:80", "nor a host name"),
            ("a..b:80", "nor a host name"),
        ] {
            let told = text.parse::<Listen>().unwrap_err();
            assert!(told.contains(part) && told.contains("localhost:8080"), "{text}: {told}");
        }
    }
}
