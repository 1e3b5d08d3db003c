//! Serves one connection: hyper's limits, the idle timeout, graceful shutdown, and the reason why the connection ended.
//!
//! A connection is idle if no request is in progress and no write waits for the client, and neither has been so for `header_timeout`. hyper takes the
//! whole of an answer long before a slow client does, and reads the next request after that. hyper has this timeout only for HTTP/1.1.
//! Without the one here, an HTTP/2 client that answers pings would stay connected forever.

use std::error::Error;
use std::io;
use std::pin::pin;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tower::{ServiceExt as _, service_fn};

use super::socket;
use crate::http::middleware::admission::OverLimit;
use crate::service::access::ClientId;
use crate::service::access::hosts::Hosts;

/// Maximum number of open streams of one HTTP/2 connection.
const HTTP2_STREAMS: u32 = 128;
/// Maximum size of a request head, and of the part of a response that hyper buffers for a slow client, in bytes.
const BUFFER: u32 = 64 << 10;
/// Maximum size of the unread request bodies on one HTTP/2 connection, in bytes.
const HTTP2_WINDOW: u32 = 256 << 10;
/// Time for which a new connection stays open after the shutdown signal, because its first request may be in transit.
const FIRST_REQUEST_GRACE: Duration = Duration::from_millis(100);

/// The timeouts of one connection.
#[derive(Clone, Copy)]
pub(crate) struct Timeouts {
    /// Maximum time to receive a request head, and maximum idle time.
    pub(crate) header: Duration,
    /// Maximum time for which the client may accept no data.
    pub(crate) write: Duration,
}

/// An accepted connection and the settings for serving it.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) client: ClientId,
    pub(crate) router: Router,
    pub(crate) hosts: Hosts,
    pub(crate) timeouts: Timeouts,
    /// Whether this connection exceeds the connection limit.
    pub(crate) is_crowded: bool,
    /// Number of requests in progress on all connections.
    pub(crate) in_progress: Arc<AtomicUsize>,
    /// Cancelled at a graceful shutdown.
    pub(crate) stopping: CancellationToken,
}

/// Serves a connection until it ends. Returns why it ended: one of [`CLOSED`](crate::service::telemetry::metrics::CLOSED).
pub(crate) async fn serve_one(connection: Connection) -> &'static str {
    let Connection { stream, client, router, hosts, timeouts, is_crowded, in_progress, stopping } = connection;
    // hyper has no timeout before the first byte, and drops a connection whose first request arrives during the shutdown. So this
    // code waits for the first byte itself.
    let shutdown = async {
        stopping.cancelled().await;
        tokio::time::sleep(FIRST_REQUEST_GRACE).await;
    };
    let mut first_byte = [0];
    tokio::select! {
        biased;
        peeked = stream.peek(&mut first_byte) => if !matches!(peeked, Ok(1)) { return "client" },
        () = tokio::time::sleep(timeouts.header) => return "silent",
        () = shutdown => return "shutdown",
    }

    let requests = Requests::new(in_progress);
    let counter = requests.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::new(counter.begin()));
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(hosts.clone());
        if is_crowded {
            request.extensions_mut().insert(OverLimit);
        }
        router.clone().oneshot(request.map(Body::new))
    });
    let builder = builder(timeouts, !is_crowded);
    let (socket, disconnect) = socket::open(stream, timeouts.write, requests.clone());
    let mut served = pin!(builder.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service)));
    let mut disconnected = pin!(disconnect.detected(&requests));
    let mut idle_check = pin!(tokio::time::sleep(timeouts.header));
    let mut closing = None;
    let ended = loop {
        tokio::select! {
            biased;
            () = &mut idle_check, if closing.is_none() => {
                let now = Instant::now();
                let end = requests.idle_since().unwrap_or(now) + timeouts.header;
                if end <= now {
                    // Send the buffered part of the last response, then close.
                    served.as_mut().graceful_shutdown();
                    closing = Some("idle");
                } else {
                    idle_check.as_mut().reset(end.into());
                }
            }
            // Polled before the shutdown signal (`biased`), so that a request that has arrived is read.
            ended = served.as_mut() => break ended,
            () = &mut disconnected => return "client",
            () = stopping.cancelled(), if closing != Some("shutdown") => {
                served.as_mut().graceful_shutdown();
                closing = Some("shutdown");
            }
        }
    };
    match ended {
        Ok(()) => closing.unwrap_or("client"),
        Err(error) => reason_of(error.as_ref()).or(closing).unwrap_or("client"),
    }
}

fn builder(timeouts: Timeouts, keep_alive: bool) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.header)
        .max_buf_size(BUFFER as usize)
        .keep_alive(keep_alive);
    // hyper's defaults limit rapid resets (CVE-2023-44487).
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(HTTP2_STREAMS)
        .max_header_list_size(BUFFER)
        .initial_stream_window_size(HTTP2_WINDOW)
        .initial_connection_window_size(HTTP2_WINDOW)
        .max_send_buf_size(BUFFER as usize)
        .keep_alive_interval(timeouts.header)
        .keep_alive_timeout(timeouts.header);
    builder
}

/// Maps an error of hyper to the reason why the connection ended; `None` if the client or the server closed the connection normally.
fn reason_of(error: &(dyn Error + 'static)) -> Option<&'static str> {
    tracing::debug!(error, "a connection ended early");
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let timed_out = |error: &io::Error| error.kind() == io::ErrorKind::TimedOut;
    if causes.filter_map(|cause| cause.downcast_ref()).any(timed_out) {
        return Some("write_timeout");
    }
    let error = error.downcast_ref::<hyper::Error>()?;
    if error.is_timeout() {
        Some("header_timeout")
    } else {
        // An incomplete message means that the client closed the connection within a request, so it is not an error.
        ((error.is_parse() || error.is_user()) && !error.is_incomplete_message()).then_some("error")
    }
}

/// Counts the requests of one connection. Clones share the count.
#[derive(Clone)]
pub(crate) struct Requests {
    count: Arc<Mutex<Count>>,
    /// Number of requests in progress on all connections.
    in_all: Arc<AtomicUsize>,
}

struct Count {
    in_progress: usize,
    /// Whether a write waits until the client accepts data.
    is_blocked: bool,
    /// End of the last request or of the last wait of a write, or the opening of the connection before these.
    idle_since: Instant,
}

impl Requests {
    pub(crate) fn new(in_all: Arc<AtomicUsize>) -> Self {
        Self {
            count: Arc::new(Mutex::new(Count { in_progress: 0, is_blocked: false, idle_since: Instant::now() })),
            in_all,
        }
    }

    /// Counts a request as in progress until the returned guard is dropped.
    pub(crate) fn begin(&self) -> InProgress {
        self.lock().in_progress += 1;
        self.in_all.fetch_add(1, Relaxed);
        InProgress(self.clone())
    }

    pub(crate) fn are_in_progress(&self) -> bool {
        self.lock().in_progress > 0
    }

    /// Records that a write begins or ends to wait until the client accepts data.
    pub(crate) fn set_blocked(&self, is_blocked: bool) {
        let mut count = self.lock();
        count.is_blocked = is_blocked;
        count.idle_since = Instant::now();
    }

    /// Returns the end of the last request or of the last wait of a write, or `None` during either.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let count = self.lock();
        (count.in_progress == 0 && !count.is_blocked).then_some(count.idle_since)
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard of one request, from its head to the end of its response. The request log takes it out of the extensions of the request.
pub(crate) struct InProgress(Requests);

impl Drop for InProgress {
    fn drop(&mut self) {
        let mut count = self.0.lock();
        count.in_progress -= 1;
        count.idle_since = Instant::now();
        self.0.in_all.fetch_sub(1, Relaxed);
    }
}
