//! Requests of pages of other sites: refusals, and cross-origin resource sharing (CORS). Requests for hosts that the service does not have.
//!
//! A browser sends simple requests of any page without a preflight. The page cannot read the answer, but the work is done. Browsers
//! declare where a request comes from, in `Sec-Fetch-Site` and `Origin`; clients that are no browsers send neither. Browsers omit `Sec-Fetch-Site` if the address of
//! the service is neither HTTPS nor loopback. Then only `Origin` is left, which they omit for most GET requests.
//!
//! | request of a page of another site | at a loopback host | at any other host |
//! | --- | --- | --- |
//! | its origin is in `server.cors_allowed_origins` | accepted | accepted |
//! | navigation, such as a link | accepted for the page and the contract | accepted |
//! | the page in a frame | accepted if `server.frame_ancestors` lists an origin | the same |
//! | picture | refused | accepted, because pages embed pictures |
//! | anything else | refused | refused |
//!
//! `tower-http` answers preflights if origins are configured. Their pages may send and read every header. Otherwise a preflight is refused
//! here with the name of the key to set, so that the developer of a page sees why the call failed.

use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::header::{ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, Method, Version};
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowHeaders, AllowOrigin, Any, CorsLayer};

use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use crate::http::routes::pages::is_file;
use crate::service::access::hosts::{Host, Hosts};
use crate::service::config::Server;

/// The routes of pictures, which pages of other sites may embed.
const PICTURES: [&str; 7] = [
    "/image.svg",
    "/image.png",
    "/image/steps.svg",
    "/image/steps.png",
    "/visualcube.php",
    "/visualcube.svg",
    "/api/v0/view/{key}/{format}",
];

/// Paths that are served to every client, without any limit.
pub(crate) const OPERATION: [&str; 3] = ["/livez", "/readyz", "/metrics"];
/// Paths that need no API key: they document how to send one.
pub(crate) const PUBLIC: [&str; 3] = ["/", "/openapi.yaml", "/openapi.json"];

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Checks the host and the site of a request.
///
/// # Errors
/// Returns an error if the host is missing, repeated, invalid or not accepted, or if a page of another site may not send the request.
pub(crate) fn check(request: &Request, server: &Server) -> Result<(), Problem> {
    let host = host_of(request)?;
    if is_cross_site(request.headers(), host.as_ref()) && !is_allowed(request, host.as_ref(), server) {
        return Err(origin_refused(request.headers()));
    }
    Ok(())
}

/// Returns the host that the request names. A request without a listener, as in tests, may name any host, or none.
fn host_of(request: &Request) -> Result<Option<Host>, Problem> {
    let invalid = |what: &str| {
        let detail = format!("The request {what}; send one field `Host` with the host and port of the URL.");
        Err(Problem::new(Code::InvalidHost, detail))
    };
    let mut fields = request.headers().get_all(HOST).iter();
    let (field, hosts) = (fields.next(), request.extensions().get::<Hosts>());
    if fields.next().is_some() {
        return invalid("has several fields `Host`");
    }
    // HTTP/2 has the host in `:authority`. An absolute URL in an HTTP/1.1 request takes precedence over `Host`, which it needs nevertheless.
    let text = match (request.uri().authority(), field) {
        (_, None) if request.version() == Version::HTTP_11 && hosts.is_some() => {
            return invalid("has no field `Host`");
        }
        (Some(authority), _) => authority.as_str(),
        (None, Some(field)) => field.to_str().unwrap_or_default(),
        (None, None) => return Ok(None),
    };
    let Some(host) = Host::parse(text) else { return invalid("names an invalid host") };
    // A probe may use any address of the machine. A page cannot make an address lead elsewhere, only a name.
    let is_probe = OPERATION.contains(&request.uri().path()) && matches!(host, Host::Address(_));
    if is_probe || hosts.is_none_or(|hosts| hosts.accept(&host)) {
        return Ok(Some(host));
    }
    let detail = format!(
        "This server does not answer requests for the host `{}`. To allow them, add the host to the configuration key `server.hosts` \
         (environment variable SUPERFLIP_SERVER__HOSTS).",
        short(text)
    );
    Err(Problem::new(Code::HostNotAllowed, detail))
}

/// Returns whether a page of another site sent the request.
fn is_cross_site(headers: &HeaderMap, host: Option<&Host>) -> bool {
    match headers.get(SITE).map(HeaderValue::as_bytes) {
        Some(b"same-origin" | b"same-site" | b"none") => false,
        // Also a value that no standard has: only the known ones say that the page may.
        Some(_) => true,
        None => headers.get_all(ORIGIN).iter().any(|origin| {
            let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
            authority.and_then(|(_, authority)| Host::parse(authority)).is_none_or(|origin| Some(&origin) != host)
        }),
    }
}

/// Returns whether a page of another site may send the request.
fn is_allowed(request: &Request, host: Option<&Host>, server: &Server) -> bool {
    let headers = request.headers();
    let is_listed = |own: &String| own == "*" || headers.get(ORIGIN).is_some_and(|origin| origin == own.as_str());
    if server.cors_allowed_origins.iter().any(is_listed) {
        return true;
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return false;
    }
    let has = |name: HeaderName, value: &str| headers.get(name).is_some_and(|own| own == value);
    let is_navigation = has(MODE, "navigate") && has(DESTINATION, "document");
    let path = request.uri().path();
    // The browser compares the origin of the embedding page with the policy of the response. This request does not name it.
    let is_frame = has(MODE, "navigate") && has(DESTINATION, "iframe");
    if is_frame && !server.frame_ancestors.is_empty() && (path == "/" || is_file(path)) {
        return true;
    }
    if host.is_some_and(Host::is_loopback) {
        return is_navigation && (is_file(path) || PUBLIC.contains(&path));
    }
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    is_navigation || route.is_some_and(|route| PICTURES.contains(&route))
}

fn origin_refused(headers: &HeaderMap) -> Problem {
    let origin = headers.get(ORIGIN).map(|origin| String::from_utf8_lossy(origin.as_bytes()));
    let page = origin.map_or("another site".to_owned(), |origin| format!("`{}`", short(&origin)));
    let detail = format!(
        "A page of {page} sent this request, and this server does not allow that. To allow it, add the origin of the page to the \
         configuration key `server.cors_allowed_origins` (environment variable SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS). If the page is \
         this server's own, let the proxy in front pass on `Host`."
    );
    Problem::new(Code::OriginNotAllowed, detail)
}

/// Time for which a browser may cache the response to a preflight. Chromium uses at most this time.
const MAX_AGE: Duration = Duration::from_hours(2);

/// Creates the CORS layer for `origins`; `None` if the list is empty.
pub(crate) fn cors_layer(origins: &[String]) -> Option<CorsLayer> {
    let allowed = match origins {
        [] => return None,
        _ if origins.iter().any(|origin| origin == "*") => AllowOrigin::any(),
        _ => AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok())),
    };
    let layer = CorsLayer::new().allow_origin(allowed).allow_methods([Method::GET, Method::HEAD, Method::POST]);
    // `*` in place of the mirrored names would not cover `Authorization`.
    Some(layer.allow_headers(AllowHeaders::mirror_request()).expose_headers(Any).max_age(MAX_AGE))
}

/// Returns whether the request is a preflight (Fetch standard, "CORS-preflight request").
pub(crate) fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(ORIGIN)
        && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Returns the response to a preflight when no origin is configured.
pub(crate) fn refuse_preflight(headers: &HeaderMap) -> Response {
    let origin = String::from_utf8_lossy(headers.get(ORIGIN).map_or(&[], HeaderValue::as_bytes));
    let detail = format!(
        "CORS is off on this server, so pages of `{}` cannot call it. To allow them, add the origin to the configuration key \
         `server.cors_allowed_origins` (environment variable SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS).",
        short(&origin)
    );
    Problem::new(Code::OriginNotAllowed, detail).into_response()
}
