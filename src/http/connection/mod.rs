//! Connections: the accept loop with its limits, graceful shutdown, and the timeouts of one connection.
//!
//! | limit | enforced by |
//! | --- | --- |
//! | connections, in total | [`serve`] |
//! | time for a request head (`header_timeout`), size of a head | hyper |
//! | time without a request (`header_timeout`) | `serve_one` |
//! | time in which a client accepts no data (`write_timeout`) | `socket` |
//! | HTTP/2: open streams, header size, windows, pings, resets | hyper |
//!
//! Nothing here limits how long an HTTP/2 client may keep the flow-control window of a stream closed. Such a stream
//! keeps its connection and its response open. A reverse proxy in front of the server has to bound this; expose cleartext HTTP/2 to trusted clients only.
//!
//! A connection beyond `max_connections` uses a spare slot for one second. It can request health and metrics; every other request gets an
//! error. Without a spare slot, connections wait in the kernel's accept queue.
//!
//! Shutdown:
//!
//! 1. The server accepts the connections in the kernel's accept queue, then closes the listener.
//! 2. Open connections finish their requests.
//! 3. After `drain_timeout` the server stops the searches and answers 503.
//! 4. One second later the server closes the remaining connections.

mod self_wakes;
mod serve_one;
mod socket;

pub(crate) use serve_one::InProgress;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use axum::Router;
use self_wakes::poll_again;
use serve_one::{Connection, Timeouts, serve_one};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::http::AppState;
use crate::service::access::ClientId;
use crate::service::access::hosts::Hosts;
use crate::service::telemetry::metrics::Connected;

/// Number of spare slots for connections beyond the limit.
const SPARE_CONNECTIONS: usize = 32;
/// Maximum duration of a connection beyond the limit.
const SPARE_TIME: Duration = Duration::from_secs(1);
/// Maximum time to write the errors of stopped searches at the end of a shutdown.
const LAST_RESPONSES: Duration = Duration::from_secs(1);
/// Pause after a failed accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Minimum time between two log lines about failed accepts.
const ACCEPT_LOG_INTERVAL: Duration = Duration::from_mins(1);

/// Serves `router`, which is `operations::app` of the same state, until `shutdown` completes and the connections have ended.
///
/// # Errors
/// Returns an error if the listener has no address.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    state: AppState,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let config = &state.config.server;
    let address = listener.local_addr()?;
    let server = Server {
        router,
        hosts: Hosts::new(&config.hosts, address.ip()),
        timeouts: Timeouts {
            header: Duration::from_millis(config.header_timeout_ms),
            write: Duration::from_millis(config.write_timeout_ms),
        },
        stopping: CancellationToken::new(),
        cut: CancellationToken::new(),
        tasks: TaskTracker::new(),
        in_progress: Arc::default(),
        ordinary: Arc::new(Semaphore::new(config.max_connections.min(Semaphore::MAX_PERMITS))),
        spare: Arc::new(Semaphore::new(SPARE_CONNECTIONS)),
    };
    tracing::info!(%address, "listening");

    let mut shutdown = std::pin::pin!(shutdown);
    let (mut failures, mut logged_at) = (0_u64, None::<Instant>);
    loop {
        let slot = tokio::select! {
            biased;
            () = &mut shutdown => break,
            slot = server.slot() => slot,
        };
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => server.spawn(stream, peer, server.free_slot().unwrap_or(slot)),
            Err(error) => {
                // Usually no file descriptor is left. Wait until connections end and release some.
                failures += 1;
                if logged_at.is_none_or(|last| last.elapsed() >= ACCEPT_LOG_INTERVAL) {
                    tracing::warn!(%error, failures, "cannot accept a connection");
                    (failures, logged_at) = (0, Some(Instant::now()));
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    tracing::info!(open = server.tasks.len(), "shutting down");
    // Accept the connections in the kernel's queue: closing the listener would reset them.
    while let Some(slot) = server.free_slot() {
        tokio::select! {
            biased;
            Ok((stream, peer)) = listener.accept() => server.spawn(stream, peer, slot),
            () = std::future::ready(()) => break,
        }
    }
    drop(listener);
    server.stopping.cancel();
    server.tasks.close();
    let drain_timeout = Duration::from_millis(config.drain_timeout_ms);
    if tokio::time::timeout(drain_timeout, server.tasks.wait()).await.is_err() {
        tracing::warn!(open = server.tasks.len(), "the drain timeout has passed; stopping the searches");
        state.lanes.stop();
        if tokio::time::timeout(LAST_RESPONSES, server.tasks.wait()).await.is_err() {
            tracing::warn!(open = server.tasks.len(), "closing the remaining connections");
            server.cut.cancel();
            server.tasks.wait().await;
        }
    }
    state.lanes.stop();
    tracing::info!("stopped");
    Ok(())
}

/// Slot of a connection within the connection limit, or a spare one.
struct Slot {
    _permit: OwnedSemaphorePermit,
    is_spare: bool,
}

struct Server {
    router: Router,
    hosts: Hosts,
    timeouts: Timeouts,
    /// Signal to finish requests and to close.
    stopping: CancellationToken,
    /// Signal to end at once.
    cut: CancellationToken,
    tasks: TaskTracker,
    /// Number of requests in progress.
    in_progress: Arc<AtomicUsize>,
    ordinary: Arc<Semaphore>,
    spare: Arc<Semaphore>,
}

impl Server {
    /// Waits for a slot: an ordinary one if one is free, otherwise a spare one.
    async fn slot(&self) -> Slot {
        let (permit, is_spare) = tokio::select! {
            biased;
            permit = Arc::clone(&self.ordinary).acquire_owned() => (permit, false),
            permit = Arc::clone(&self.spare).acquire_owned() => (permit, true),
        };
        match permit {
            Ok(permit) => Slot { _permit: permit, is_spare },
            // Acquiring fails only on a closed semaphore. These semaphores are never closed.
            Err(_) => std::future::pending().await,
        }
    }

    /// Returns an ordinary slot if one is free.
    fn free_slot(&self) -> Option<Slot> {
        Some(Slot { _permit: Arc::clone(&self.ordinary).try_acquire_owned().ok()?, is_spare: false })
    }

    fn spawn(&self, stream: TcpStream, peer: SocketAddr, slot: Slot) {
        let connection = serve_one(Connection {
            stream,
            client: ClientId::at(peer.ip()),
            router: self.router.clone(),
            hosts: self.hosts.clone(),
            timeouts: self.timeouts,
            is_crowded: slot.is_spare,
            in_progress: Arc::clone(&self.in_progress),
            stopping: self.stopping.clone(),
        });
        let cut = self.cut.clone();
        let served = async move {
            let connected = Connected::new(slot.is_spare);
            let spare_time_over = async {
                if slot.is_spare { tokio::time::sleep(SPARE_TIME).await } else { std::future::pending().await }
            };
            let reason = tokio::select! {
                biased;
                () = cut.cancelled() => "shutdown",
                reason = connection => reason,
                () = spare_time_over => "crowded",
            };
            connected.ended(reason);
            drop(slot);
        };
        let in_progress = Arc::clone(&self.in_progress);
        self.tasks.spawn(poll_again(served, move || in_progress.load(Relaxed) <= 1));
    }
}
