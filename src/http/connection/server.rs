//! Puts the service on sockets: limits on connections and on slow callers, and a bounded way to stop.
//!
//! axum's own `serve` has neither a header timeout nor a connection limit, so hyper-util's builder is used. A connection ends when
//! it has been without a request for the header timeout, or when its client takes nothing of an answer for the write timeout;
//! see `pulse`. Connections beyond the limit are kept for a second, and get answers of health and metrics.
//!
//! Stopping goes so:
//! nothing new is accepted beyond what already waits; open connections finish the requests they have; when the drain timeout is
//! over the searches are told to stop, and their callers get 503; what is still open a second later is cut.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{Interest, Ready};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::{ServiceExt as _, service_fn};

use crate::api::problem::Code;
use crate::http::AppState;
use crate::http::connection::disconnect::{Health, Pulse};
use crate::http::connection::stream::watched;
use crate::http::middleware::admission::OverLimit;
use crate::service::access::ClientId;
use crate::service::access::concurrency_limit::ConcurrencyLimiter;
use crate::service::pool::cancel_reason::{Departure, Reason};
use crate::service::telemetry::metrics::{Connected, count_rejected};

/// Streams that one HTTP/2 connection may have open.
const STREAMS: u32 = 128;
/// Bytes of a head, and of an answer that hyper holds for a client that is slow to take it.
const BUFFER: usize = 64 << 10;
/// Bytes of bodies that a client may send on one HTTP/2 connection before any of them is read.
const WINDOW: u32 = 256 << 10;
/// Connections beyond the limit that are accepted all the same, for health and metrics.
const SPARE_CONNECTIONS: usize = 32;
/// How long such a connection is kept.
const SPARE_TIME: Duration = Duration::from_secs(1);
/// How long the first three bytes of a connection of HTTP/2 may be on their way one by one.
const PREFACE_TIME: Duration = Duration::from_secs(1);
/// How long refusals may take to be written once the drain is over.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long a connection without a request is kept after the signal, in case its first request is on its way.
const FIRST_REQUEST_GRACE: Duration = Duration::from_millis(100);

/// Serves `router`, which is [`app`](crate::http::app) of the same state, until `shutdown` resolves and the drain is over.
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
        limits: Limits { idle: server.header_timeout(), untaken: server.write_timeout() },
        stopping: CancellationToken::new(),
        cut: CancellationToken::new(),
        tasks: TaskTracker::new(),
        clients: ConcurrencyLimiter::default(),
        most_of_client: server.max_connections_per_client,
        spare: Arc::new(Semaphore::new(SPARE_CONNECTIONS)),
    };
    let places = Arc::new(Semaphore::new(server.max_connections.min(Semaphore::MAX_PERMITS)));
    let address = listener.local_addr()?;
    tracing::info!(%address, "listening");

    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        // The place comes first: connections that find none wait in the kernel, unaccepted.
        let mut place = tokio::select! {
            biased;
            () = &mut shutdown => break,
            Ok(place) = Arc::clone(&places).acquire_owned() => Place::Ordinary(place),
            Ok(place) = Arc::clone(&connections.spare).acquire_owned() => Place::Spare(place),
        };
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        if let (Place::Spare(_), Ok(ordinary)) = (&place, Arc::clone(&places).try_acquire_owned()) {
            place = Place::Ordinary(ordinary);
        }
        match accepted {
            Ok((stream, peer)) => connections.spawn(stream, peer, place),
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
            Ok((stream, peer)) = listener.accept() => connections.spawn(stream, peer, Place::Ordinary(place)),
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

/// What a connection takes up.
enum Place {
    Ordinary(#[allow(dead_code)] OwnedSemaphorePermit), // held, not read
    Spare(#[allow(dead_code)] OwnedSemaphorePermit),
}

/// How long a connection may do nothing.
#[derive(Clone, Copy)]
struct Limits {
    /// Without a request.
    idle: Duration,
    /// With an answer that its client does not take.
    untaken: Duration,
}

struct Connections {
    router: Router,
    limits: Limits,
    /// Finish what was begun.
    stopping: CancellationToken,
    /// End at once.
    cut: CancellationToken,
    tasks: TaskTracker,
    /// How many connections each client has.
    clients: ConcurrencyLimiter,
    /// How many it may have; 0: as many as it likes.
    most_of_client: usize,
    spare: Arc<Semaphore>,
}

impl Connections {
    fn spawn(&self, stream: TcpStream, peer: SocketAddr, mut place: Place) {
        let (router, limits) = (self.router.clone(), self.limits);
        let (stopping, cut) = (self.stopping.clone(), self.cut.clone());
        let client = ClientId::at(peer.ip());
        let most = self.most_of_client;
        let admitted = (most > 0).then(|| self.clients.try_acquire(client, most));
        let crowded = match (&admitted, &place) {
            (Some(None), _) => Some(OverLimit::Client { max: most }),
            (_, Place::Spare(_)) => Some(OverLimit::Server),
            _ => None,
        };
        if matches!(crowded, Some(OverLimit::Client { .. })) {
            // One that is to be told no takes no place of others, and where there is none for being told it is closed at once.
            let Ok(spare) = Arc::clone(&self.spare).try_acquire_owned() else {
                count_rejected(Code::ClientLimit.name());
                return;
            };
            place = Place::Spare(spare);
        }
        self.tasks.spawn(async move {
            let time_is_over = async {
                if crowded.is_some() { tokio::time::sleep(SPARE_TIME).await } else { std::future::pending().await }
            };
            let (connected, departure) = (Connected::new(crowded.is_some()), Departure::default());
            let reason = {
                let connection = connection(stream, client, router, limits, crowded, stopping, departure.clone());
                let mut connection = std::pin::pin!(connection);
                tokio::select! {
                    biased;
                    () = cut.cancelled() => {
                        departure.set(Reason::Shutdown);
                        "shutdown"
                    }
                    reason = &mut connection => reason,
                    () = time_is_over => "crowded",
                }
            };
            connected.ended(reason);
            drop((place, admitted));
        });
    }
}

/// Serves one connection until it ends, and tells why it did: one of [`CLOSED`](crate::service::telemetry::metrics::CLOSED).
async fn connection(
    stream: TcpStream,
    client: ClientId,
    router: Router,
    limits: Limits,
    crowded: Option<OverLimit>,
    stopping: CancellationToken,
    departure: Departure,
) -> &'static str {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let protocol = match first_bytes(&stream, limits.idle, &stopping).await {
        Ok(protocol) => protocol,
        Err(reason) => return reason,
    };
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle)
        .max_buf_size(BUFFER)
        .keep_alive(crowded.is_none());
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .initial_connection_window_size(WINDOW)
        .max_send_buf_size(BUFFER)
        .keep_alive_interval(limits.idle)
        .keep_alive_timeout(limits.idle);
    let builder = match protocol {
        Protocol::Http1 => builder.http1_only(),
        Protocol::Http2 => builder.http2_only(),
    };
    let pulse = Pulse::new(matches!(protocol, Protocol::Http2));
    let (requests, gone) = (pulse.clone(), departure.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        let (under_way, router) = (requests.request(), router.clone());
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(gone.of_request());
        if let Some(crowded) = crowded {
            request.extensions_mut().insert(crowded);
        }
        async move { Ok::<_, Infallible>(router.oneshot(request.map(Body::new)).await?.map(|body| under_way.with(body))) }
    });
    let (socket, watch) = watched(stream, pulse.clone());
    let mut connection =
        std::pin::pin!(builder.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service)));
    // HTTP/2 reads whatever comes, and so hears of it by itself.
    let is_watched = matches!(protocol, Protocol::Http1);
    let mut has_gone = std::pin::pin!(watch.has_gone(&pulse));
    let mut look = std::pin::pin!(tokio::time::sleep(limits.idle.min(limits.untaken)));
    let (mut is_told_to_end, mut is_told_to_stop) = (false, false);
    let served = loop {
        // The connection is looked at first: a request that has arrived is read before the signal is heeded.
        tokio::select! {
            biased;
            served = connection.as_mut() => break served,
            () = &mut has_gone, if is_watched => return "client",
            () = &mut look => {
                let next = match pulse.health(limits.idle, limits.untaken) {
                    Health::Fine(until) => until,
                    Health::Idle if !is_told_to_end => {
                        // What hyper still holds of the last answer may take the client some time.
                        connection.as_mut().graceful_shutdown();
                        is_told_to_end = true;
                        Instant::now() + limits.untaken
                    }
                    health => {
                        tracing::debug!("cutting a connection whose client asks for nothing or takes nothing");
                        departure.set(Reason::WriteTimeout);
                        return match health {
                            Health::Silent => "silent",
                            Health::Idle => "idle",
                            _ => "write_timeout",
                        };
                    }
                };
                look.as_mut().reset(next.into());
            }
            () = stopping.cancelled(), if !is_told_to_stop => {
                connection.as_mut().graceful_shutdown();
                is_told_to_stop = true;
            }
        }
    };
    let Err(error) = served else {
        return if is_told_to_end {
            "idle"
        } else if is_told_to_stop {
            "shutdown"
        } else {
            "client"
        };
    };
    tracing::debug!(error, "a connection ended early");
    match error.downcast_ref::<hyper::Error>() {
        Some(error) if error.is_timeout() => "header_timeout",
        // Between or within requests: who goes does not always say so.
        Some(error) if error.is_incomplete_message() || error.is_canceled() || error.is_closed() => "client",
        Some(error) if error.is_parse() || error.is_user() => "error",
        _ => "client",
    }
}

/// Whether more may come.
fn is_open(ready: io::Result<Ready>) -> bool {
    ready.is_ok_and(|ready| !ready.is_read_closed())
}

enum Protocol {
    Http1,
    Http2,
}

/// Waits for the first bytes of a connection and tells its protocol by them. hyper-util can do that itself, but without a
/// timeout, and it forgets a connection that is told to stop meanwhile even when its request has arrived.
async fn first_bytes(
    stream: &TcpStream,
    timeout: Duration,
    stopping: &CancellationToken,
) -> Result<Protocol, &'static str> {
    let mut start = [0; 3];
    let peek = async {
        let mut pause = Duration::from_millis(2);
        loop {
            let peeked = stream.peek(&mut start).await?;
            let is_either = (1..3).contains(&peeked) && b"PRI".starts_with(&start[..peeked]);
            let is_last = || stream.ready(Interest::READABLE).now_or_never().is_some_and(|ready| !is_open(ready));
            if !is_either || pause > PREFACE_TIME / 2 || is_last() {
                return Ok::<_, io::Error>(peeked);
            }
            // Nothing wakes up for the byte after those that are there. The pauses are some ten, and a second together.
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    };
    let peeked = tokio::select! {
        biased;
        peeked = peek => peeked.map_err(|_| "client")?,
        () = tokio::time::sleep(timeout) => return Err("silent"),
        () = async { stopping.cancelled().await; tokio::time::sleep(FIRST_REQUEST_GRACE).await } => return Err("shutdown"),
    };
    match &start[..peeked] {
        [] => Err("client"),
        b"PRI" => Ok(Protocol::Http2),
        _ => Ok(Protocol::Http1),
    }
}
