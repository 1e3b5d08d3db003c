//! `superflip healthcheck`: one plain HTTP request, with a deadline.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use hyper::Uri;

use super::args::{Healthcheck, flags};
use super::{Failure, configure};

/// Maximum number of bytes of a response that are read.
const MAX_RESPONSE: u64 = 64 << 10;

/// Requests the readiness of the service.
///
/// # Errors
/// Returns an error if the service is not ready or does not answer, or if the URL is invalid.
pub fn run(args: &Healthcheck) -> Result<(), Failure> {
    let targets = match &args.url {
        Some(url) => named(&checked(url)?)?,
        None => configured(args)?,
    };
    let deadline = Instant::now() + Duration::from_millis(args.timeout_ms);
    let mut failure = Failure::Runtime("the host name has no address; pass --url http://127.0.0.1:PORT/readyz".into());
    for target in &targets {
        match target.get(deadline) {
            Ok(response) if response.starts_with('2') => return Ok(()),
            Ok(response) => {
                let (status, body) = response.split_once("\r\n").unwrap_or((&response, ""));
                return Err(Failure::Runtime(format!("{} answers {status}. {}", target.url, detail(body))));
            }
            Err(error) => failure = Failure::Runtime(format!("{} does not answer: {error}", target.url)),
        }
    }
    Err(failure)
}

/// Returns the `detail` of a problem document after the headers of a response, or an empty text.
fn detail(response: &str) -> String {
    let json = response.find('{').zip(response.rfind('}')).and_then(|(start, end)| response.get(start..=end));
    let problem = json.and_then(|json| serde_json::from_str::<serde_json::Value>(json).ok());
    problem.and_then(|problem| problem["detail"].as_str().map(str::to_owned)).unwrap_or_default()
}

/// An address of the service, with the URL for messages.
struct Target {
    address: SocketAddr,
    url: String,
    host: String,
    path: String,
}

impl Target {
    /// Sends the request. Returns the response from its status code on.
    fn get(&self, deadline: Instant) -> io::Result<String> {
        let Self { address, host, path, .. } = self;
        let left = || match deadline.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut)),
            left => Ok(left),
        };
        let mut stream = TcpStream::connect_timeout(address, left()?)?;
        stream.set_write_timeout(Some(left()?))?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
        let (mut response, mut chunk) = (Vec::new(), [0; 4096]);
        while (response.len() as u64) < MAX_RESPONSE {
            stream.set_read_timeout(Some(left()?))?;
            match stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => response.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Unix reports a read timeout as `WouldBlock`.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(io::ErrorKind::TimedOut.into()),
                Err(error) => return Err(error),
            }
        }
        let response = String::from_utf8_lossy(&response);
        let rest = response.strip_prefix("HTTP/1.1 ").or_else(|| response.strip_prefix("HTTP/1.0 "));
        rest.map(str::to_owned).ok_or_else(|| io::Error::other("the response is not HTTP"))
    }
}

/// Returns the addresses of the configured service, in the order in which the service tries them.
fn configured(args: &Healthcheck) -> Result<Vec<Target>, Failure> {
    let flags = flags(&[("server.listen", "--listen", &args.listen)]);
    let listen = configure(&args.configuration, flags)?.server.listen;
    let addresses = listen.addresses().map_err(|error| {
        let remedy = "pass --url http://127.0.0.1:PORT/readyz";
        Failure::Runtime(format!("cannot resolve the name in {listen}: {error}; {remedy}"))
    })?;
    let target = |address| {
        let (address, path) = (reachable(address), "/readyz".to_owned());
        Target { address, url: format!("http://{address}{path}"), host: address.to_string(), path }
    };
    Ok(addresses.into_iter().map(target).collect())
}

/// Returns the addresses of a URL.
fn named(uri: &Uri) -> Result<Vec<Target>, Failure> {
    let (host, port) = (uri.host().unwrap_or_default(), uri.port_u16().unwrap_or(80));
    let name = host.trim_matches(['[', ']']);
    let addresses = (name, port).to_socket_addrs();
    let addresses =
        addresses.map_err(|error| Failure::Runtime(format!("cannot resolve the name in {uri}: {error}")))?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let target =
        |address| Target { address, url: uri.to_string(), host: format!("{host}:{port}"), path: path.to_owned() };
    Ok(addresses.map(target).collect())
}

/// Parses a URL, and checks that this command supports it.
fn checked(text: &str) -> Result<Uri, Failure> {
    const EXAMPLE: &str = "write one such as http://127.0.0.1:8080/readyz";
    let refused = |reason: &str| Err(Failure::Input(format!("`{text}` is not a usable URL: {reason}; {EXAMPLE}")));
    let Some((scheme, _)) = text.split_once("://") else { return refused("it does not begin with http://") };
    if scheme.eq_ignore_ascii_case("https") {
        return refused("this command speaks HTTP without TLS; it asks the service itself, not a proxy in front of it");
    }
    if !scheme.eq_ignore_ascii_case("http") {
        return refused("it does not begin with http://");
    }
    let uri: Uri = match text.parse() {
        Ok(uri) => uri,
        Err(error) => return refused(&format!("{error}")),
    };
    let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty()) else {
        return refused("it has no host");
    };
    let behind = authority.as_str().rsplit('@').next().unwrap_or_default().strip_prefix(authority.host());
    if behind.is_some_and(|port| !port.is_empty() && authority.port_u16().is_none_or(|port| port == 0)) {
        return refused("its port is not a number from 1 to 65535");
    }
    Ok(uri)
}

/// Replaces an unspecified address by the loopback address.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
