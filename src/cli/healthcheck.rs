//! `superflip healthcheck`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::{Response, Uri};

use super::args::{Healthcheck, flags};
use super::{Failure, configure};

/// Asks the service whether it can solve.
///
/// # Errors
/// If the service is not ready or does not answer, or if the URL is invalid.
pub fn run(args: &Healthcheck) -> Result<(), Failure> {
    let urls = match &args.url {
        Some(url) => vec![checked(url)?],
        None => configured(args)?,
    };
    let (url, mut answer) = first_answer(&urls, Duration::from_millis(args.timeout_ms))?;
    if answer.status().is_success() {
        return Ok(());
    }
    let text = answer.body_mut().read_to_string().unwrap_or_default();
    let detail = serde_json::from_str::<serde_json::Value>(&text).ok();
    let detail = detail.as_ref().and_then(|problem| problem["detail"].as_str()).unwrap_or_default();
    Err(Failure::Runtime(format!("{url} answers {}. {detail}", answer.status())))
}

/// The URLs at which the configured service may be, in the order in which it tries the addresses of a name.
fn configured(args: &Healthcheck) -> Result<Vec<Uri>, Failure> {
    let flags = flags(&[("server.listen", "--listen", &args.listen)]);
    let listen = configure(&args.configuration, flags)?.server.listen;
    let addresses = listen.addresses().map_err(|error| {
        let remedy = "pass --url http://127.0.0.1:PORT/readyz";
        Failure::Runtime(format!("cannot resolve the name in {listen}: {error}; {remedy}"))
    })?;
    let urls = addresses.into_iter().map(|address| format!("http://{}/readyz", reachable(address)).parse());
    urls.collect::<Result<_, _>>().map_err(Failure::runtime)
}

/// The answer at the first URL where anything answers, all of them within one time.
fn first_answer(urls: &[Uri], timeout: Duration) -> Result<(&Uri, Response<ureq::Body>), Failure> {
    let start = Instant::now();
    let mut failure = Failure::Runtime("the host name in server.listen has no address; pass --url".to_owned());
    for url in urls {
        let agent = Agent::new_with_config(
            Agent::config_builder()
                .timeout_global(Some(timeout.saturating_sub(start.elapsed())))
                // The service is local, so ignore proxies from the environment.
                .proxy(None)
                .http_status_as_error(false)
                .build(),
        );
        match agent.get(url).call() {
            Ok(answer) => return Ok((url, answer)),
            Err(error) => failure = Failure::Runtime(format!("{url} does not answer: {error}")),
        }
    }
    Err(failure)
}

/// A URL that can be asked.
fn checked(text: &str) -> Result<Uri, Failure> {
    const EXAMPLE: &str = "write one such as http://127.0.0.1:8080/readyz";
    let refused = |reason: &str| Err(Failure::Input(format!("`{text}` is not a usable URL: {reason}; {EXAMPLE}")));
    let Some((scheme, _)) = text.split_once("://") else { return refused("it does not begin with http://") };
    if scheme.eq_ignore_ascii_case("https") {
        return refused("this command speaks HTTP without TLS, to the service itself and not to a proxy before it");
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

/// An address to call for one to listen on.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
