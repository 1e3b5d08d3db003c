//! `superflip healthcheck`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use ureq::Agent;
use ureq::http::Uri;

use super::args::{Healthcheck, flags};
use super::{Failure, configure};

/// Asks the service whether it can solve.
///
/// # Errors
/// When it cannot, or does not answer.
pub fn run(args: &Healthcheck) -> Result<(), Failure> {
    let url = if let Some(url) = &args.url {
        url.clone()
    } else {
        let flags = flags(&[("server.listen", "--listen", &args.listen)]);
        let config = configure(&args.configuration, flags)?;
        format!("http://{}/readyz", reachable(config.server.listen))
    };
    let agent = Agent::new_with_config(
        Agent::config_builder()
            .timeout_global(Some(Duration::from_millis(args.timeout_ms)))
            // The service is next door; a proxy for the world outside does not know it.
            .proxy(None)
            .http_status_as_error(false)
            .build(),
    );
    let uri: Uri = url.parse().map_err(|error| Failure::Input(format!("`{url}` is no URL: {error}")))?;
    let answer = agent.get(uri).call();
    let mut answer = answer.map_err(|error| Failure::Runtime(format!("{url} does not answer: {error}")))?;
    if answer.status().is_success() {
        return Ok(());
    }
    let text = answer.body_mut().read_to_string().unwrap_or_default();
    let detail = serde_json::from_str::<serde_json::Value>(&text).ok();
    let detail = detail.as_ref().and_then(|problem| problem["detail"].as_str()).unwrap_or_default();
    Err(Failure::Runtime(format!("{url} answers {}. {detail}", answer.status())))
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
