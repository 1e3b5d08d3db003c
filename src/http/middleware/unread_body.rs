//! Adds `connection: close` to an error that is sent before the body of its request was read.
//!
//! hyper closes such an HTTP/1 connection, unless the rest of the body has already arrived. Without the header, the client would send its
//! next request on a closed connection.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::Version;
use axum::http::header::{CONNECTION, HeaderValue};
use axum::response::Response;
use http_body::{Frame, SizeHint};

/// Knows whether the body of a request was read to its end.
pub(crate) struct BodyWatch(Option<Arc<AtomicBool>>);

impl BodyWatch {
    /// Watches the body of an HTTP/1 request, if it has one. HTTP/2 resets only the stream.
    pub(crate) fn start(request: &mut Request) -> Self {
        if request.version() >= Version::HTTP_2 || request.body().is_end_stream() {
            return Self(None);
        }
        let is_read = Arc::new(AtomicBool::new(false));
        let body = std::mem::take(request.body_mut());
        *request.body_mut() = Body::new(Watched { body, is_read: Arc::clone(&is_read) });
        Self(Some(is_read))
    }

    /// Adds the header to an error if the body was not read. The response to a batch begins before its body ends, but is no error.
    pub(crate) fn finish(&self, response: &mut Response) {
        let is_error = response.status().is_client_error() || response.status().is_server_error();
        if is_error && self.0.as_ref().is_some_and(|is_read| !is_read.load(Ordering::Relaxed)) {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

struct Watched {
    body: Body,
    is_read: Arc<AtomicBool>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        if frame.is_none() {
            this.is_read.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
