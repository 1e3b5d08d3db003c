//! Who is let in: whoever has a key where keys are asked for, as often and with as many requests at once as the client may, and
//! on connections beyond the limit only operators.

use axum::extract::Request;
use axum::http::header::{CONNECTION, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use crate::api::problem::{Code, Problem};
use crate::http::AppState;
use crate::http::middleware::account::Account;
use crate::http::middleware::auth::key_of;
use crate::http::middleware::body::{Companion, accompanied};
use crate::service::access::concurrency_limit::{Admitted, Client};
use crate::service::access::rate::Budget;
use crate::service::telemetry::metrics::count_rejected;

/// What is answered however crowded it is, to anybody and however often.
const OPERATION: [&str; 3] = ["/livez", "/readyz", "/metrics"];

/// What is answered without a key, so that a stranger can read how to come by one.
const OPEN: [&str; 3] = ["/", "/openapi.yaml", "/openapi.json"];

/// What a client may ask in a time, and what is left of it (draft-ietf-httpapi-ratelimit-headers-10).
pub(crate) const RATE_LIMIT: [HeaderName; 2] =
    [HeaderName::from_static("ratelimit-policy"), HeaderName::from_static("ratelimit")];

/// Marks a request on a connection beyond a limit.
#[derive(Clone, Copy)]
pub(crate) enum Crowded {
    /// That of all connections.
    Server,
    /// That of its client.
    Client {
        /// How many it may have.
        most: usize,
    },
}

/// What was found of a request before it is worked on.
#[derive(Default)]
pub(crate) struct Admission {
    refusal: Option<Problem>,
    /// Whether its connection is to be closed.
    is_last: bool,
    /// What its client may ask for.
    budget: Option<(Client, Budget)>,
    /// What its client has under way counts until the last byte of the answer was taken.
    place: Option<Admitted>,
}

/// Lets the request in, or refuses it.
pub(crate) fn admit(state: &AppState, request: &Request) -> Admission {
    let path = request.uri().path();
    if OPERATION.contains(&path) {
        return Admission::default();
    }
    if let Some(crowded) = request.extensions().get() {
        let refusal = no_connection(*crowded);
        return Admission { refusal: Some(refusal), is_last: true, ..Admission::default() };
    }
    let is_open = OPEN.contains(&path);
    let keys = &state.config.access.keys;
    let key = (!keys.is_empty()).then(|| key_of(request.headers(), keys));
    // In memory there is no connection, and so no address.
    let address = request.extensions().get::<Client>().copied();
    let client = match &key {
        Some(Ok(place)) => {
            if let Some(account) = request.extensions().get::<Account>() {
                account.key(&keys[usize::from(*place)].name);
            }
            Some(Client::Key(*place))
        }
        _ => address,
    };
    // Whoever has no key, or a wrong one, may not even try more often than an address may ask.
    let budget = client.and_then(|client| Some((client, state.rates.take(client)?)));
    let let_in = match (&budget, key) {
        (Some((_, budget)), _) if !budget.is_within => Err(too_often(budget)),
        (_, Some(Err(problem))) if !is_open => Err(problem),
        _ => place_for(state, client),
    };
    let (refusal, place) = match let_in {
        Ok(place) => (None, place),
        Err(problem) => {
            count_rejected(problem.code().name());
            (Some(problem), None)
        }
    };
    Admission { refusal, is_last: false, budget, place }
}

/// A place among the requests that the client has under way, where they are counted.
fn place_for(state: &AppState, client: Option<Client>) -> Result<Option<Admitted>, Problem> {
    let server = &state.config.server;
    let most = match client {
        Some(Client::Key(place)) => state.config.access.keys[usize::from(place)].max_requests(server),
        _ => server.max_requests_per_client,
    };
    // Without a limit nothing is counted.
    let Some(client) = client.filter(|_| most > 0) else { return Ok(None) };
    let place = state.clients.admit(client, most).ok_or_else(|| {
        let detail = format!("This client has {most} requests under way already, and may have no more at once.");
        Problem::new(Code::ClientLimit, detail).with(|document| document.retry_after_s = Some(1))
    })?;
    Ok(Some(place))
}

impl Admission {
    /// The answer to a request that is not let in.
    pub(crate) fn refused(&mut self) -> Option<Response> {
        let mut response = self.refusal.take()?.into_response();
        if self.is_last {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Some(response)
    }

    /// The answer, with what its client may ask; it keeps the client's place.
    pub(crate) fn answered(self, mut response: Response) -> Response {
        if let Some((client, budget)) = &self.budget {
            tell(&mut response, *client, budget);
        }
        match self.place {
            Some(place) => response.map(|body| accompanied(body, place)),
            None => response,
        }
    }
}

fn no_connection(crowded: Crowded) -> Problem {
    let problem = match crowded {
        Crowded::Server => {
            let detail = "Every connection that this server keeps is taken; ask again on a new one.";
            Problem::new(Code::Overloaded, detail)
        }
        Crowded::Client { most } => {
            let detail =
                format!("This client has {most} connections open already, and may have no more; ask on one of them.");
            Problem::new(Code::ClientLimit, detail)
        }
    };
    count_rejected(problem.code().name());
    problem.with(|document| document.retry_after_s = Some(1))
}

fn too_often(budget: &Budget) -> Problem {
    let Budget { most, window_s, wait_s, .. } = budget;
    let detail = format!(
        "This client may begin {most} requests in {window_s} s and has done so; ask again in {wait_s} s. Many cubes are one \
         request as the lines of POST /solve/batch."
    );
    Problem::new(Code::RateLimited, detail).with(|document| document.retry_after_s = Some(*wait_s))
}

/// Tells a client what it may ask, so that it need not be refused to find out.
fn tell(response: &mut Response, client: Client, budget: &Budget) {
    let name = match client {
        Client::Address(_) => "address",
        Client::Key(_) => "key",
    };
    let Budget { most, window_s, left, wait_s, .. } = budget;
    let values = [format!("\"{name}\";q={most};w={window_s}"), format!("\"{name}\";r={left};t={wait_s}")];
    for (header, value) in RATE_LIMIT.into_iter().zip(values) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(header, value);
        }
    }
}

/// A client has its place until its answer is gone.
impl Companion for Admitted {}
