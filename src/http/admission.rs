//! Who is let in: as many requests of one client as it may have at once, and on connections beyond the limit only those of
//! operators.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};

use super::AppState;
use super::error::{Code, Problem};
use crate::service::clients::{Admitted, Client};
use crate::service::metrics::count_rejected;

/// What is answered however crowded it is.
const OPERATION: [&str; 3] = ["/livez", "/readyz", "/metrics"];

/// Marks a request on a connection beyond the limit.
#[derive(Clone, Copy)]
pub(super) struct Crowded;

/// Lets the request in, or refuses it. What a client has under way counts until the last byte of the answer was taken.
pub(super) async fn admit(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if OPERATION.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    if request.extensions().get::<Crowded>().is_some() {
        count_rejected("overloaded");
        let detail = "Every connection that this server keeps is taken; ask again on a new one.";
        let problem = Problem::new(Code::Overloaded, detail).with(|document| document.retry_after_s = Some(1));
        let mut response = problem.into_response();
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    let most = state.config.server.max_requests_per_client;
    // Without a limit nothing is counted. In memory there is no connection, and so no address.
    let client = (most > 0).then(|| request.extensions().get::<Client>()).flatten();
    let Some(client) = client else { return next.run(request).await };
    let Some(admitted) = state.clients.admit(*client) else {
        count_rejected("client_limit");
        let detail = format!("This client has {most} requests under way already, and may have no more at once.");
        let problem = Problem::new(Code::ClientLimit, detail);
        return problem.with(|document| document.retry_after_s = Some(1)).into_response();
    };
    next.run(request).await.map(|body| Body::new(Held { body, _admitted: admitted }))
}

/// A body that holds its client's place.
struct Held {
    body: Body,
    _admitted: Admitted,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
