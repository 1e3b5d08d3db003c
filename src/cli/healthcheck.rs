//! `superflip healthcheck`: one plain HTTP request, with a deadline.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::args::{Healthcheck, flags};
use super::{Failure, configure};

/// Maximum number of bytes of a response that are read.
const MAX_RESPONSE: u64 = 64 << 10;

/// Requests the readiness of the service.
///
/// # Errors
/// Returns an error if the service is not ready or does not answer, or if the address is invalid.
pub(crate) fn run(args: &Healthcheck) -> Result<(), Failure> {
    let (addresses, deadline) = (addresses(args)?, Instant::now() + Duration::from_millis(args.timeout_ms));
    let mut failure = Failure::Runtime("the host name has no address; pass --listen 127.0.0.1:PORT".into());
    for address in addresses {
        match get(address, deadline) {
            Ok(response) if response.starts_with('2') => return Ok(()),
            Ok(response) => {
                let (status, body) = response.split_once("\r\n").unwrap_or((&response, ""));
                return Err(Failure::Runtime(format!("http://{address}/readyz answers {status}. {}", detail(body))));
            }
            Err(error) => failure = Failure::Runtime(format!("http://{address}/readyz does not answer: {error}")),
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

/// Sends the request. Returns the response from its status code on.
fn get(address: SocketAddr, deadline: Instant) -> io::Result<String> {
    let left = || match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut)),
        left => Ok(left),
    };
    let mut stream = TcpStream::connect_timeout(&address, left()?)?;
    stream.set_write_timeout(Some(left()?))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
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

/// Returns the addresses of the configured service, in the order in which the service tries them.
fn addresses(args: &Healthcheck) -> Result<Vec<SocketAddr>, Failure> {
    let flags = flags(&[("server.listen", "--listen", &args.listen)]);
    let listen = configure(&args.configuration, flags)?.server.listen;
    let addresses = listen.addresses().map_err(|error| {
        Failure::Runtime(format!("cannot resolve the name in {listen}: {error}; pass --listen 127.0.0.1:PORT"))
    })?;
    Ok(addresses.into_iter().map(reachable).collect())
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
