//! Reads the body of a batch as it arrives, and spools what the [`Reader`](super::lines::Reader) does not take yet.
//!
//! Most HTTP clients send the whole body before they read the response. If the body were read only as answers are taken, both sides would
//! wait for each other.

use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use tokio::sync::mpsc;
use tokio_util::bytes::{Bytes, BytesMut};

use super::window::Window;
use crate::api::problem::{Code, Problem};
use crate::service::spool::{BLOCK_BYTES, Queue, Spool};

/// Time limits of a body.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum time without an answer taken or a search, while the client sends more than there is room for.
    pub full: Duration,
    /// Maximum time without a byte, while the rest of a body is discarded.
    pub idle: Duration,
    /// Maximum time to discard the rest of a body.
    pub discard: Duration,
}

/// Returns the chunks of a body, and the future that reads it. Both belong to one batch.
pub(crate) fn read_ahead<S>(
    body: S,
    spool: Spool,
    window: Window,
    limits: Limits,
) -> (impl Stream<Item = Result<Bytes, Problem>> + Unpin, impl Future<Output = ()>)
where
    S: Stream<Item = Result<Bytes, Problem>> + Unpin,
{
    let (sender, mut receiver) = mpsc::channel(1);
    let reading = Body { chunks: body, spooled: Queue::new(spool), tail: BytesMut::new(), window, limits };
    (stream::poll_fn(move |context| receiver.poll_recv(context)), reading.read(sender))
}

struct Body<S> {
    chunks: S,
    /// The bytes to be passed on first.
    spooled: Queue,
    /// The bytes after them.
    tail: BytesMut,
    window: Window,
    limits: Limits,
}

impl<S: Stream<Item = Result<Bytes, Problem>> + Unpin> Body<S> {
    /// Reads the body, and passes it on in order. Ends when all is passed on or the receiver is dropped.
    async fn read(mut self, out: mpsc::Sender<Result<Bytes, Problem>>) {
        let (mut end, mut can_spool) = (None, true);
        loop {
            let (has_bytes, is_full) =
                (!self.spooled.is_empty() || !self.tail.is_empty(), self.tail.len() >= BLOCK_BYTES);
            let block =
                if is_full && can_spool { Bytes::copy_from_slice(&self.tail[..BLOCK_BYTES]) } else { Bytes::new() };
            tokio::select! {
                biased;
                room = out.reserve(), if has_bytes => {
                    let Ok(room) = room else { return };
                    let bytes = self.spooled.pop().await.unwrap_or_else(|| Ok(self.tail.split().freeze()));
                    room.send(bytes.map_err(|error| {
                        tracing::error!(%error, "cannot read the temporary file of batches");
                        Problem::internal()
                    }));
                }
                pushed = self.spooled.push(block), if is_full && can_spool => match pushed {
                    Ok(()) => drop(self.tail.split_to(BLOCK_BYTES)),
                    Err(error) => {
                        can_spool = false;
                        tracing::warn!(%error, "cannot write a temporary file for the unread lines of a batch; give the \
                            service a writable folder, such as that of the tables or TMPDIR");
                    }
                },
                chunk = self.chunks.next(), if end.is_none() && !is_full => match chunk {
                    Some(Ok(bytes)) => {
                        self.window.active();
                        self.tail.extend_from_slice(&bytes);
                    }
                    Some(Err(problem)) => end = Some(Some(problem)),
                    None => end = Some(None),
                },
                () = self.window.idle(self.limits.full), if end.is_none() && is_full => {
                    self.discard().await;
                    end = Some(Some(self.overflow()));
                }
                else => break,
            }
        }
        if let Some(Some(problem)) = end {
            // Sending fails only when the batch has ended.
            let _ = out.send(Err(problem)).await;
        }
    }

    /// Reads the rest of the body and drops it, because the client reads the response only after it has sent its body.
    async fn discard(&mut self) {
        let window = self.window.clone();
        let rest = async {
            while let Some(Ok(_)) = self.chunks.next().await {
                window.active();
            }
        };
        let _ = tokio::time::timeout(self.limits.discard, window.unless_idle(self.limits.idle, rest)).await;
    }

    fn overflow(&self) -> Problem {
        let detail = format!(
            "The lines after the last answer were not read: no answer was taken for {} ms, and there is no room for more lines that \
             wait. Read answers while you send lines, or send fewer lines in a request. The operator can raise \
             `server.batch_spool_bytes`.",
            self.limits.full.as_millis()
        );
        Problem::new(Code::BodyTooLarge, detail)
    }
}
