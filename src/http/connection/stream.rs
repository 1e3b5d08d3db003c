//! A socket that tells when its client has gone, even while nobody reads from it, and when there is no room for what is to be written.
//!
//! hyper hears of that by reading, and of HTTP/1.1 it does not read on while there is enough to be worked on: the rest of a body that
//! nobody has asked for, or the next request before the last one is answered. The kernel knows all the same, and tokio with it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::TcpStream;

use crate::http::connection::disconnect::Pulse;

/// Time between two looks at a socket with bytes that nobody reads, while its client waits for an answer: tokio cannot wait for the end
/// behind them.
const BETWEEN_LOOKS: Duration = Duration::from_millis(4);

/// The same while nothing is under way, or while the client takes nothing of an answer: so that many of them cost little.
const BETWEEN_RARE_LOOKS: Duration = Duration::from_millis(50);

/// Bytes not yet sent that the kernel takes for a client, on Linux; elsewhere as many as it likes. Of the megabytes that it would take
/// otherwise a third has to go before it says that there is room again, which takes somebody who reads 10 KB a second minutes.
/// What is on its way to the client is not counted, and so nothing is slower for that.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 64 << 10;

/// The socket for hyper, and the watch at it. Both are to be used by one task: tokio wakes one reader.
pub(crate) fn watched(stream: TcpStream, pulse: Pulse) -> (Socket, Watch) {
    #[cfg(target_os = "linux")]
    if let Err(error) = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT) {
        tracing::debug!(%error, "cannot set TCP_NOTSENT_LOWAT");
    }
    let stream = Arc::new(Mutex::new(stream));
    (Socket { stream: Arc::clone(&stream), pulse, is_blocked: false }, Watch(stream))
}

/// Reads and writes. The lock is never waited for, since one task has both ends.
pub(crate) struct Socket {
    stream: Arc<Mutex<TcpStream>>,
    pulse: Pulse,
    is_blocked: bool,
}

impl Socket {
    /// Tells whether there was room.
    fn tried(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        // Each success begins the time anew, though there may be no room for what follows.
        if self.is_blocked != written.is_pending() {
            self.is_blocked = written.is_pending();
            self.pulse.blocked(self.is_blocked);
        }
        written
    }
}

/// Sees what becomes of the other side.
pub(crate) struct Watch(Arc<Mutex<TcpStream>>);

fn lock(stream: &Mutex<TcpStream>) -> MutexGuard<'_, TcpStream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// Resolves when a client with a request under way has closed its side, or when its connection is broken. Bytes that it had sent
    /// before may be unread. What is still to be written of answers before is hyper's to write.
    pub(crate) async fn has_gone(&self, pulse: &Pulse) {
        loop {
            let is_readable = std::future::poll_fn(|context| lock(&self.0).poll_read_ready(context)).await;
            if (is_readable.is_err() || self.is_closed()) && pulse.is_at_work() {
                return;
            }
            tokio::time::sleep(if pulse.is_waited_for() { BETWEEN_LOOKS } else { BETWEEN_RARE_LOOKS }).await;
        }
    }

    fn is_closed(&self) -> bool {
        let ready = lock(&self.0).ready(Interest::READABLE).now_or_never();
        ready.is_some_and(|ready| ready.map_or(true, Ready::is_read_closed))
    }
}

impl AsyncRead for Socket {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *lock(&self.stream)).poll_read(context, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut *lock(&self.stream)).poll_write(context, bytes);
        self.tried(written)
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
        self.tried(written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }
}
