//! Bodies of answers with a companion, which lives as long as they do and hears what becomes of them.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// What goes with a body, and is dropped after it.
pub(crate) trait Companion: Send + Unpin + 'static {
    /// The body was asked for its next piece.
    fn asked(&mut self, _answer: Piece) {}

    /// The body is dropped; `is_whole` when nothing of it was left. One of known length is not asked for more after its last byte.
    fn dropped(&mut self, _is_whole: bool) {}
}

/// What a body gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// A piece of so many bytes; none where it is a trailer, or a failure.
    Given(u64),
    /// Nothing yet.
    Pending,
    /// There is no more.
    End,
}

/// The body, with its companion.
pub(crate) fn accompanied(body: Body, companion: impl Companion) -> Body {
    Body::new(Accompanied { body, companion })
}

struct Accompanied<C: Companion> {
    body: Body,
    companion: C,
}

impl<C: Companion> HttpBody for Accompanied<C> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.companion.asked(match &frame {
            Poll::Ready(Some(frame)) => {
                let data = frame.as_ref().ok().and_then(Frame::data_ref);
                Piece::Given(data.map_or(0, |data| data.len() as u64))
            }
            Poll::Ready(None) => Piece::End,
            Poll::Pending => Piece::Pending,
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

impl<C: Companion> Drop for Accompanied<C> {
    fn drop(&mut self) {
        self.companion.dropped(self.body.is_end_stream());
    }
}
