//! A socket that detects stalled and disconnected clients.
//!
//! Stalled: the socket accepts no byte of a response for `write_timeout`, and no byte of a request arrives: a client that sends a long body
//! may read the response later. On Linux the kernel buffers only [`UNSENT`] bytes, so that a slow client frees buffer space before the
//! timeout.
//!
//! Disconnected: hyper detects this by reading. With HTTP/1.1 it does not read while a request body is not consumed, or while
//! pipelined requests wait for the first one. The kernel knows about the disconnect, so this module asks tokio for the readiness of the socket.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::serve_one::Requests;

/// First interval between checks of a socket with unread data. tokio cannot wait for a disconnect behind unread data.
const FIRST_INTERVAL: Duration = Duration::from_millis(4);

/// The interval doubles up to this while checks find unread data, so that many sockets whose data stays unread cost little.
const LAST_INTERVAL: Duration = Duration::from_millis(64);

/// Maximum number of unsent bytes in the kernel's buffer.
///
/// By default the kernel buffers megabytes, and reports the socket as writable only after a third of the buffer has drained. A client
/// that reads 10 KB a second needs minutes for that, and would look stalled. Bytes in flight are not counted, so fast clients are
/// not slowed down.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 64 << 10;

/// Sets the options of the socket. Returns the stream for hyper and its disconnect detector. One task must use both.
pub(crate) fn open(stream: TcpStream, write_timeout: Duration, requests: Requests) -> (Socket, Disconnect) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT) {
        tracing::debug!(%error, "cannot set TCP_NOTSENT_LOWAT");
    }
    let stream = Arc::new(Mutex::new(stream));
    (Socket { stream: Arc::clone(&stream), write_timeout, blocked: None, requests }, Disconnect(stream))
}

/// The stream for hyper. Its lock is never contended, because one task uses both halves.
pub(crate) struct Socket {
    stream: Arc<Mutex<TcpStream>>,
    write_timeout: Duration,
    /// End of the write timeout, while the client accepts no data.
    blocked: Option<Pin<Box<Sleep>>>,
    /// The requests of the connection, which is not idle while a write is blocked.
    requests: Requests,
}

impl Socket {
    /// Returns the result of a write, or an error if writes have been blocked for the write timeout.
    fn limited(&mut self, written: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            if self.blocked.take().is_some() {
                self.requests.set_blocked(false);
            }
            return written;
        }
        let blocked = self.blocked.get_or_insert_with(|| {
            self.requests.set_blocked(true);
            Box::pin(tokio::time::sleep(self.write_timeout))
        });
        blocked.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Detects that the client has closed the connection.
pub(crate) struct Disconnect(Arc<Mutex<TcpStream>>);

fn lock(stream: &Mutex<TcpStream>) -> MutexGuard<'_, TcpStream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Disconnect {
    /// Waits until the client has closed the connection while one of its requests is in progress.
    pub(crate) async fn detected(&self, requests: &Requests) {
        let mut interval = FIRST_INTERVAL;
        loop {
            let readable = std::future::poll_fn(|context| {
                let poll = lock(&self.0).poll_read_ready(context);
                if poll.is_pending() {
                    interval = FIRST_INTERVAL;
                }
                poll
            });
            if (readable.await.is_err() || self.is_closed()) && requests.are_in_progress() {
                return;
            }
            tokio::time::sleep(interval).await;
            interval = LAST_INTERVAL.min(2 * interval);
        }
    }

    fn is_closed(&self) -> bool {
        let ready = lock(&self.0).ready(Interest::READABLE).now_or_never();
        ready.is_some_and(|ready| ready.map_or(true, Ready::is_read_closed))
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut *lock(&self.stream)).poll_read(context, buffer);
        let end = Instant::now() + self.write_timeout;
        if let Some(blocked) = self.blocked.as_mut().filter(|_| buffer.filled().len() > before) {
            blocked.as_mut().reset(end);
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut *lock(&self.stream)).poll_write(context, bytes);
        self.limited(written, context)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *lock(&self.stream)).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *lock(&self.stream)).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut *lock(&self.stream)).poll_write_vectored(context, slices);
        self.limited(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }
}
