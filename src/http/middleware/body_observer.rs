//! Response bodies with an observer: it sees every poll of the body, and is dropped with it.
//!
//! `tower-http` reports data and the end of a body, but neither a pending poll nor a body that is dropped before its end.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// An observer of a response body. It is dropped with the body.
pub(crate) trait BodyObserver: Send + Unpin + 'static {
    /// Receives the result of every poll. A body of known length is not polled after its last byte.
    fn polled(&mut self, _event: BodyEvent) {}

    /// Receives the end: the body was dropped. `is_complete` is whether the whole body had been read.
    fn dropped(&mut self, _is_complete: bool) {}
}

/// Result of a poll of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyEvent {
    /// Frame with its number of bytes; 0 for trailers and errors.
    Data(u64),
    /// Pending poll: no frame is available yet.
    Pending,
    /// End of the body.
    End,
}

/// Attaches an observer to a body.
pub(crate) fn observed(body: Body, observer: impl BodyObserver) -> Body {
    Body::new(Observed { body, observer })
}

struct Observed<O: BodyObserver> {
    body: Body,
    observer: O,
}

impl<O: BodyObserver> HttpBody for Observed<O> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.observer.polled(match &frame {
            Poll::Ready(Some(frame)) => {
                let data = frame.as_ref().ok().and_then(Frame::data_ref);
                BodyEvent::Data(data.map_or(0, |data| data.len() as u64))
            }
            Poll::Ready(None) => BodyEvent::End,
            Poll::Pending => BodyEvent::Pending,
        });
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<O: BodyObserver> Drop for Observed<O> {
    fn drop(&mut self) {
        self.observer.dropped(self.body.is_end_stream());
    }
}
