//! Who is let in: whoever has a key where keys are asked for, as often and with as many requests at once as the client may, and
//! on connections beyond the limit only operators.

use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::AppState;
use super::account::Account;
use super::body::{Companion, accompanied};
use super::credentials::key_of;
use super::error::{Code, Problem};
use crate::service::clients::{Admitted, Client};
use crate::service::metrics::count_rejected;
use crate::service::rate::Budget;

/// What is answered however crowded it is, to anybody and however often.
const OPERATION: [&str; 3] = ["/livez", "/readyz", "/metrics"];

/// What is answered without a key, so that a stranger can read how to come by one.
const OPEN: [&str; 3] = ["/", "/openapi.yaml", "/openapi.json"];

/// What a client may ask in a time, and what is left of it (draft-ietf-httpapi-ratelimit-headers-10).
pub(super) const RATE_LIMIT: [HeaderName; 2] =
    [HeaderName::from_static("ratelimit-policy"), HeaderName::from_static("ratelimit")];

/// Marks a request on a connection beyond a limit.
#[derive(Clone, Copy)]
pub(super) enum Crowded {
    /// That of all connections.
    Server,
    /// That of its client.
    Client {
        /// How many it may have.
        most: usize,
    },
}

/// Lets the request in, or refuses it. What a client has under way counts until the last byte of the answer was taken.
pub(super) async fn admit(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if OPERATION.contains(&path) {
        return next.run(request).await;
    }
    if let Some(crowded) = request.extensions().get() {
        return no_connection(*crowded);
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
    let budget = client.and_then(|client| state.rates.take(client));
    let refused = match (budget, key) {
        (Some(budget), _) if !budget.is_within => Some(too_often(&budget)),
        (_, Some(Err(problem))) if !is_open => Some(problem),
        _ => None,
    };
    let mut response = match refused {
        Some(problem) => {
            count_rejected(problem.code().name());
            problem.into_response()
        }
        None => run(&state, client, request, next).await,
    };
    if let (Some(client), Some(budget)) = (client, budget) {
        tell(&mut response, client, &budget);
    }
    response
}

/// Runs the request, unless its client has as many under way as it may.
async fn run(state: &AppState, client: Option<Client>, request: Request, next: Next) -> Response {
    let server = &state.config.server;
    let most = match client {
        Some(Client::Key(place)) => state.config.access.keys[usize::from(place)].max_requests(server),
        _ => server.max_requests_per_client,
    };
    // Without a limit nothing is counted.
    let Some(client) = client.filter(|_| most > 0) else { return next.run(request).await };
    let Some(admitted) = state.clients.admit(client, most) else {
        count_rejected(Code::ClientLimit.name());
        let detail = format!("This client has {most} requests under way already, and may have no more at once.");
        let problem = Problem::new(Code::ClientLimit, detail);
        return problem.with(|document| document.retry_after_s = Some(1)).into_response();
    };
    next.run(request).await.map(|body| accompanied(body, admitted))
}

fn no_connection(crowded: Crowded) -> Response {
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
    let mut response = problem.with(|document| document.retry_after_s = Some(1)).into_response();
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
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
