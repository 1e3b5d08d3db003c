//! Puts the service on sockets: limits on connections and on slow callers, and a bounded way to stop.
//!
//! axum's own `serve` has neither a header timeout nor a connection limit, so hyper-util's builder is used. Stopping goes so:
//! nothing new is accepted beyond what already waits; open connections finish the requests they have; when the drain timeout is
//! over the searches are told to stop, and their callers get 503; what is still open a second later is cut.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::util::MapRequest;

use super::AppState;

/// Streams that one HTTP/2 connection may have open.
const STREAMS: u32 = 128;
/// How long refusals may take to be written once the drain is over.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long a connection without a request is kept after the signal, in case its first request is on its way.
const FIRST_REQUEST_GRACE: Duration = Duration::from_millis(100);

/// Serves `router`, which is [`app`](super::app) of the same state, until `shutdown` resolves and the drain is over.
///
/// # Errors
/// When the listener cannot be used at all.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    state: AppState,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let server = state.config.server.clone();
    let connections = Connections {
        router,
        header_timeout: server.header_timeout(),
        stopping: CancellationToken::new(),
        cut: CancellationToken::new(),
        tasks: TaskTracker::new(),
    };
    let places = Arc::new(Semaphore::new(server.max_connections.min(Semaphore::MAX_PERMITS)));
    let address = listener.local_addr()?;
    tracing::info!(%address, "listening");

    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        // The place comes first: connections beyond the limit wait in the kernel, unaccepted.
        let place = tokio::select! {
            biased;
            () = &mut shutdown => break,
            Ok(place) = Arc::clone(&places).acquire_owned() => place,
        };
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => connections.spawn(stream, place),
            Err(error) => {
                // Out of descriptors, most likely: waiting lets some be closed, giving up would help nobody.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }

    tracing::info!(open = connections.tasks.len(), "shutting down");
    // The kernel has accepted these already; closing the listener would reset them.
    while let Ok(place) = Arc::clone(&places).try_acquire_owned() {
        tokio::select! {
            biased;
            Ok((stream, _)) = listener.accept() => connections.spawn(stream, place),
            () = std::future::ready(()) => break,
        }
    }
    drop(listener);
    connections.stopping.cancel();
    connections.tasks.close();
    if tokio::time::timeout(server.drain_timeout(), connections.tasks.wait()).await.is_err() {
        tracing::warn!(open = connections.tasks.len(), "the drain timeout is over; stopping the searches");
        state.solver.stop();
        if tokio::time::timeout(LAST_WORDS, connections.tasks.wait()).await.is_err() {
            tracing::warn!(open = connections.tasks.len(), "cutting what is still open");
            connections.cut.cancel();
            connections.tasks.wait().await;
        }
    }
    state.solver.stop();
    tracing::info!("stopped");
    Ok(())
}

struct Connections {
    router: Router,
    header_timeout: Duration,
    /// Finish what was begun.
    stopping: CancellationToken,
    /// End at once.
    cut: CancellationToken,
    tasks: TaskTracker,
}

impl Connections {
    fn spawn(&self, stream: TcpStream, place: tokio::sync::OwnedSemaphorePermit) {
        let (router, header_timeout) = (self.router.clone(), self.header_timeout);
        let (stopping, cut) = (self.stopping.clone(), self.cut.clone());
        self.tasks.spawn(async move {
            let _place = place;
            tokio::select! {
                biased;
                () = cut.cancelled() => {}
                () = connection(stream, router, header_timeout, stopping) => {}
            }
        });
    }
}

async fn connection(stream: TcpStream, router: Router, header_timeout: Duration, stopping: CancellationToken) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let Some(protocol) = first_bytes(&stream, header_timeout, &stopping).await else { return };
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(header_timeout);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(header_timeout)
        .keep_alive_timeout(header_timeout);
    let builder = match protocol {
        Protocol::Http1 => builder.http1_only(),
        Protocol::Http2 => builder.http2_only(),
    };
    let has_asked = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&has_asked);
    let service = MapRequest::new(router, move |request: Request<Incoming>| {
        asked.store(true, Ordering::Relaxed);
        request
    });
    let mut connection =
        std::pin::pin!(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)));
    // HTTP/2 has no timeout for its preface, nor for a first request that never comes.
    let mut silence = std::pin::pin!(tokio::time::sleep(header_timeout));
    let (mut is_past_silence, mut is_told_to_stop) = (false, false);
    let served = loop {
        // The connection is looked at first: a request that has arrived is read before the signal is heeded.
        tokio::select! {
            biased;
            served = connection.as_mut() => break served,
            () = &mut silence, if !is_past_silence => {
                if !has_asked.load(Ordering::Relaxed) {
                    return;
                }
                is_past_silence = true;
            }
            () = stopping.cancelled(), if !is_told_to_stop => {
                connection.as_mut().graceful_shutdown();
                is_told_to_stop = true;
            }
        }
    };
    if let Err(error) = served {
        tracing::debug!(error, "a connection ended early");
    }
}

enum Protocol {
    Http1,
    Http2,
}

/// Waits for the first bytes of a connection and tells its protocol by them. hyper-util can do that itself, but without a
/// timeout, and it forgets a connection that is told to stop meanwhile even when its request has arrived.
async fn first_bytes(stream: &TcpStream, timeout: Duration, stopping: &CancellationToken) -> Option<Protocol> {
    let mut start = [0; 3];
    let peeked = tokio::select! {
        biased;
        peeked = stream.peek(&mut start) => peeked.ok()?,
        () = tokio::time::sleep(timeout) => return None,
        () = async { stopping.cancelled().await; tokio::time::sleep(FIRST_REQUEST_GRACE).await } => return None,
    };
    match &start[..peeked] {
        [] => None,
        b"PRI" => Some(Protocol::Http2),
        _ => Some(Protocol::Http1),
    }
}
