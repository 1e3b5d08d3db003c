//! Response bodies with an observer: it sees every poll of the body, and is dropped with it.
//!
//! `tower-http` reports data and the end of a body, but neither a pending poll nor a body that is dropped half sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// Observes a response body until both are dropped.
pub(crate) trait BodyObserver: Send + Unpin + 'static {
    /// Called with the result of every poll. A body of known length is not polled after its last byte.
    fn polled(&mut self, _event: BodyEvent) {}

    /// Called when the body is dropped. `is_complete`: nothing of it was left.
    fn dropped(&mut self, _is_complete: bool) {}
}

/// Result of a poll of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyEvent {
    /// Number of bytes of a frame; 0 for trailers and errors.
    Data(u64),
    /// No frame is available yet.
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
