//! Admission: hosts and sites, API keys, rate limits and concurrency limits.
//!
//! On connections beyond the connection limit, only health checks and metrics are served. The files of the page have no other limit, because
//! a browser loads all of them at once.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONNECTION, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::middleware::cross_site::{self, OPERATION, PUBLIC};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::routes::pages::is_file;
use crate::service::access::ClientId;
use crate::service::access::ConcurrencyPermit;
use crate::service::access::RateStatus;
use crate::service::access::keys::find_key;
use crate::service::config::api_keys::ApiKey;
use crate::service::telemetry::metrics::count_rejected;

/// The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
const RATE_LIMIT: [HeaderName; 2] = [HeaderName::from_static("ratelimit-policy"), HeaderName::from_static("ratelimit")];

/// Request extension on a connection beyond the connection limit.
#[derive(Clone, Copy)]
pub(crate) struct OverLimit;

/// Outcome of admission for one request.
#[derive(Default)]
pub(crate) struct Admission {
    refusal: Option<Problem>,
    /// Whether to close the connection after the response.
    closes_connection: bool,
    /// State of the client's rate limit, if it has one.
    rate: Option<(ClientId, RateStatus)>,
    /// Permit for a concurrent request. The request log holds it until the last byte of the response is sent.
    permit: Option<ConcurrencyPermit>,
}

/// Admits or refuses a request.
pub(crate) fn admit(state: &AppState, request: &Request) -> Admission {
    if let Err(problem) = cross_site::check(request, &state.config.server) {
        count_rejected(problem.code().name());
        return Admission { refusal: Some(problem), ..Admission::default() };
    }
    let path = request.uri().path();
    if OPERATION.contains(&path) {
        return Admission::default();
    }
    if request.extensions().get::<OverLimit>().is_some() {
        return Admission { refusal: Some(connection_refused()), closes_connection: true, ..Admission::default() };
    }
    if is_file(path) {
        return Admission::default();
    }
    let keys = &state.config.access.keys;
    let key = (!keys.is_empty()).then(|| authenticate(request.headers(), keys));
    // A request without a socket, as in tests, has no address. Count it for the unspecified address.
    let address = request.extensions().get::<ClientId>().copied();
    let client = match &key {
        Some(Ok(index)) => {
            if let Some(facts) = request.extensions().get::<RequestFacts>() {
                facts.key(&keys[usize::from(*index)].name);
            }
            Some(ClientId::Key(*index))
        }
        _ => address,
    };
    // Count requests without a valid key against the limit of the address, which bounds the rate of guesses.
    let rate = client.and_then(|client| Some((client, state.rates.check(client)?)));
    let admitted = match (&rate, key) {
        (Some((_, status)), _) if !status.is_allowed => Err(rate_limited(status)),
        (_, Some(Err(problem))) if !PUBLIC.contains(&path) => Err(problem),
        _ => acquire_permit(state, client),
    };
    let (refusal, permit) = match admitted {
        Ok(permit) => (None, permit),
        Err(problem) => {
            count_rejected(problem.code().name());
            (Some(problem), None)
        }
    };
    Admission { refusal, closes_connection: false, rate, permit }
}

/// Acquires a permit for a concurrent request, if the client has a limit.
fn acquire_permit(state: &AppState, client: Option<ClientId>) -> Result<Option<ConcurrencyPermit>, Problem> {
    let Some(client) = client else { return Ok(None) };
    let config = &state.config;
    let key = match client {
        ClientId::Key(index) => config.access.keys.get(usize::from(index)),
        ClientId::Address(_) => None,
    };
    let max = config.client_limits(key).max_requests;
    if max == 0 {
        return Ok(None);
    }
    let permit = state.clients.try_acquire(client, max).ok_or_else(|| {
        let detail =
            format!("This client has {max} requests in progress, which is its limit; retry when one has finished.");
        Problem::new(Code::ClientLimit, detail).with(|document| document.retry_after_s = Some(1))
    })?;
    Ok(Some(permit))
}

impl Admission {
    /// Returns the response to a refused request.
    pub(crate) fn refusal(&mut self) -> Option<Response> {
        let mut response = self.refusal.take()?.into_response();
        if self.closes_connection {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Some(response)
    }

    /// Adds the rate limit headers and the permit to the response.
    pub(crate) fn finish(self, mut response: Response) -> Response {
        if let Some((client, status)) = &self.rate {
            add_rate_headers(&mut response, *client, status);
        }
        if let Some(permit) = self.permit {
            response.extensions_mut().insert(Arc::new(permit));
        }
        response
    }
}

fn connection_refused() -> Problem {
    count_rejected(Code::Overloaded.name());
    let detail = "The server has reached its connection limit; retry on a new connection.";
    Problem::new(Code::Overloaded, detail).with(|document| document.retry_after_s = Some(1))
}

fn rate_limited(status: &RateStatus) -> Problem {
    let RateStatus { burst, window_s, wait_s, .. } = status;
    let detail = format!(
        "Rate limit exceeded: {burst} requests in {window_s} s; retry in {wait_s} s, or send many cubes in one request to POST \
         /solve/batch."
    );
    Problem::new(Code::RateLimited, detail).with(|document| document.retry_after_s = Some(*wait_s))
}

fn add_rate_headers(response: &mut Response, client: ClientId, status: &RateStatus) {
    let name = match client {
        ClientId::Address(_) => "address",
        ClientId::Key(_) => "key",
    };
    let RateStatus { burst, window_s, remaining, wait_s, .. } = status;
    let values = [format!("\"{name}\";q={burst};w={window_s}"), format!("\"{name}\";r={remaining};t={wait_s}")];
    for (header, value) in RATE_LIMIT.into_iter().zip(values) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(header, value);
        }
    }
}

/// Alternative header to `Authorization`, for clients behind a proxy that uses `Authorization` itself.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Instruction in problems about keys.
const HOW_TO_SEND: &str = "send it as `Authorization: Bearer KEY` or as `X-Api-Key: KEY`";

/// Returns the index of the request's key in the configuration. A key that is sent twice counts once.
///
/// # Errors
/// Returns an error if the request has no key, different keys or an unknown key. The problem does not repeat the key.
fn authenticate(headers: &HeaderMap, keys: &[ApiKey]) -> Result<u16, Problem> {
    let mut given = headers
        .get_all(AUTHORIZATION)
        .iter()
        .filter_map(bearer)
        .chain(headers.get_all(API_KEY).iter().map(HeaderValue::as_bytes));
    let Some(key) = given.next() else {
        return Err(Problem::new(Code::MissingKey, format!("This server requires an API key; {HOW_TO_SEND}.")));
    };
    if given.any(|other| other != key) {
        let detail = format!("The request has different API keys; send only one: {HOW_TO_SEND}.");
        return Err(Problem::new(Code::UnknownKey, detail));
    }
    find_key(keys.iter().map(|key| &key.sha256), key).ok_or_else(|| {
        let detail = format!("The API key is unknown. Check that it is complete and not revoked, and {HOW_TO_SEND}.");
        Problem::new(Code::UnknownKey, detail)
    })
}

/// Returns the credentials after `Bearer`. Other schemes are ignored, because a proxy may use them.
fn bearer(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, rest) = value.as_bytes().split_at_checked(6)?;
    let key = rest.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && rest.first() == Some(&b' ')).then_some(key)
}
