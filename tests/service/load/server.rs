//! The service on real sockets: slow callers, HTTP/2, and how it stops.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::prelude::*;
use crate::common::wire::{ask, fetch, get, last, post, reply, rest, send, until_ok};

fn starting() -> AppState {
    state(config(), Readiness::starting())
}

/// A route that holds a solver thread until its caller goes or the drain is over, and answers whether it was cut short.
fn holding(state: &AppState, time: Duration) -> Router {
    let state = state.clone();
    Router::new().route(
        "/hold",
        routing::get(move || async move {
            let job = move |control: &superflip_solver::Control| {
                let start = Instant::now();
                while !control.is_cancelled() && start.elapsed() < time {
                    std::thread::sleep(Duration::from_millis(1));
                }
                if control.is_cancelled() { "stopped" } else { "whole" }
            };
            let deadline = Deadline::StartBy(Instant::now() + Duration::from_mins(1));
            state.lanes.quick().run(deadline, job).await.unwrap_or("refused")
        }),
    )
}

#[tokio::test]
async fn slow_heads_are_cut() {
    let server = Server::starting(|config| config.server.header_timeout_ms = 100).await;
    for start in ["", "G", "GET /livez HTT", "GET /livez HTTP/1.1\r\nhost: localhost\r\n", "PRI * HTT"] {
        let text = ask(server.address, start).await;
        assert!(!text.contains("200 OK"), "{start:?}: {text}");
    }
    assert!(fetch(server.address, "/livez").await.contains("200 OK"));
    server.stopped().await;
}

#[tokio::test]
async fn a_slow_body_is_answered_408() {
    let server = Server::starting(|config| config.server.body_timeout_ms = 100).await;
    let request = post("/solve", "application/json", &format!("{{{}}}", " ".repeat(98)));
    let text = ask(server.address, &request[..request.len() - 99]).await;
    assert!(text.starts_with("HTTP/1.1 408") && text.contains("\"code\":\"slow_request\""), "{text}");
    assert!(text.to_lowercase().contains("connection: close"), "{text}");
    server.stopped().await;
}

/// `100 Continue` would make the client send a body that is refused anyway.
#[tokio::test]
async fn a_body_that_is_announced_as_too_long_is_not_asked_for() {
    let server = Server::start(starting()).await;
    for (length, status) in [(65_536, "HTTP/1.1 100"), (65_537, "HTTP/1.1 413"), (1_u64 << 40, "HTTP/1.1 413")] {
        let head =
            format!("content-type: application/json\r\ncontent-length: {length}\r\nexpect: 100-continue\r\n\r\n");
        let mut stream = send(server.address, &format!("POST /solve HTTP/1.1\r\nhost: localhost\r\n{head}")).await;
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&start), status, "{length}");
    }
    server.stopped().await;
}

#[tokio::test]
async fn an_unread_body_closes_the_connection() {
    let server = Server::start(ready_state(config())).await;
    let json = |path: &str, body: &str| post(path, "application/json", body);
    for (request, status) in
        [(json("/nope", "{}"), 404), (json("/livez", "{}"), 405), (post("/solve", "text/plain", "{}"), 415)]
    {
        // The body comes with the head, or never.
        for request in [request.as_str(), request.strip_suffix("{}").unwrap()] {
            let mut stream = send(server.address, request).await;
            let answer = reply(&mut stream, &mut Vec::new()).await.unwrap();
            assert!(answer.status == status && answer.head.contains("\r\nconnection: close"), "{request}: {answer:?}");
            assert_eq!(rest(stream).await, "", "{request}");
        }
    }
    for (request, status) in [
        (json("/solve", "{"), 400),
        (json("/solve", "{}"), 422),
        (get("/nope"), 404),
        (json("/solve/batch", "[]"), 415),
    ] {
        let mut stream = send(server.address, &request).await;
        let answer = reply(&mut stream, &mut Vec::new()).await.unwrap();
        assert_eq!(answer.status, status, "{request}");
        assert_eq!(answer.head.contains("\r\nconnection: close"), status == 415, "{request}");
        if status != 415 {
            stream.write_all(last(&get("/livez")).as_bytes()).await.unwrap();
            assert!(rest(stream).await.starts_with("HTTP/1.1 200"), "{request}");
        }
    }
    server.stopped().await;
}

#[tokio::test]
async fn http2_is_spoken() {
    let server = Server::start(starting()).await;
    // The preface, in pieces too, and empty settings; the answer is a settings frame (type 4).
    for pieces in [&[0, 33][..], &[0, 1, 2, 3, 33], &[0, 2, 33]] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        for piece in pieces.windows(2) {
            let start = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
            stream.write_all(&start[piece[0]..piece[1]]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut head = [0; 9];
        tokio::time::timeout(Duration::from_secs(10), stream.read_exact(&mut head)).await.unwrap().unwrap();
        assert_eq!(head[3], 4, "{pieces:?}");
    }
    server.stopped().await;
}

/// `P` is the first byte of `PRI` (HTTP/2) and of `POST`. The server does not wait for the next byte when the client has disconnected.
#[tokio::test]
async fn a_client_that_disconnects_after_one_byte_frees_its_place() {
    let limits = |config: &mut Config| (config.server.max_connections, config.server.header_timeout_ms) = (1, 60_000);
    let (server, _) = Server::ready(limits).await;
    for start in ["P", "PR"] {
        drop(send(server.address, start).await);
        until_ok(server.address, "/moves").await;
    }
    // A request that goes on later is read.
    let mut stream = send(server.address, "P").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    stream.write_all(b"OST /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
    let answer = rest(stream).await;
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
    server.stopped().await;
}

#[tokio::test]
async fn stopping_waits_for_open_requests() {
    let state = starting();
    let server = Server::start_with(state.clone(), holding(&state, Duration::from_millis(300))).await;
    let address = server.address;
    let asked: Vec<_> = (0..4).map(|_| tokio::spawn(async move { fetch(address, "/hold").await })).collect();
    eventually("all are in", || state.lanes.quick().in_flight() + state.lanes.quick().queued() == 4).await;
    server.stopped().await;
    for answer in asked {
        assert!(answer.await.unwrap().ends_with("whole"));
    }
    assert!(TcpStream::connect(address).await.is_err(), "nothing listens any more");
}

#[tokio::test]
async fn stopping_is_bounded() {
    let state = state(config_with(|config| config.server.drain_timeout_ms = 100), Readiness::starting());
    let server = Server::start_with(state.clone(), holding(&state, Duration::from_mins(1))).await;
    let idle = TcpStream::connect(server.address).await.unwrap();
    let half = send(server.address, "GET /livez HTTP/1.1\r\n").await;
    let asked = send(server.address, &last(&get("/hold"))).await;
    eventually("the job runs", || state.lanes.quick().in_flight() == 1).await;
    // The job lasts a minute, unless the drain ends it.
    server.stopped().await;
    // The search was told to stop, and its caller to hear of it.
    assert!(rest(asked).await.ends_with("stopped"));
    drop((idle, half));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_under_load_loses_no_accepted_request() {
    for _ in 0..10 {
        let (state, is_stopping) = (starting(), Arc::new(AtomicBool::new(false)));
        let read = Arc::new(AtomicUsize::new(0));
        let count = {
            let read = Arc::clone(&read);
            move |request: axum::extract::Request| {
                read.fetch_add(1, Ordering::AcqRel);
                std::future::ready(request)
            }
        };
        let router = holding(&state, Duration::from_millis(1)).layer(axum::middleware::map_request(count));
        let server = Server::start_with(state.clone(), router).await;
        let address = server.address;
        let callers: Vec<_> = (0..8)
            .map(|_| {
                let is_stopping = Arc::clone(&is_stopping);
                tokio::spawn(async move {
                    let mut whole = 0;
                    // Until the port is closed.
                    while let Ok(mut stream) = TcpStream::connect(address).await {
                        let mut text = String::new();
                        let written = stream.write_all(last(&get("/hold")).as_bytes()).await;
                        let received = match written {
                            Ok(()) => stream.read_to_string(&mut text).await.map(|_| ()),
                            Err(error) => Err(error),
                        };
                        match received {
                            Ok(()) if text.ends_with("whole") => whole += 1,
                            // The kernel took this connection just before the port was closed.
                            Err(_) if text.is_empty() && is_stopping.load(Ordering::Acquire) => break,
                            other => return Err(format!("{other:?} after {whole}: {text:?}")),
                        }
                    }
                    Ok(whole)
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        is_stopping.store(true, Ordering::Release);
        server.stopped().await;
        let mut answered = 0;
        for caller in callers {
            let whole = caller.await.unwrap().unwrap();
            assert!(whole > 0);
            answered += whole;
        }
        assert_eq!(answered, read.load(Ordering::Acquire), "whatever was read was answered");
    }
}

#[tokio::test]
async fn tables_that_cannot_be_had_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "no folder").unwrap();
    let config = config_with(|config| (config.tables.dir, config.tables.profile) = (Some(file), Profile::Small));
    let state = state(config, Readiness::starting());
    let server = Server::start(state.clone()).await;
    let mut loading = Loading::start(state.shelf.clone());
    assert!(loading.finished().await.is_err());
    let text = fetch(server.address, "/readyz").await;
    assert!(text.starts_with("HTTP/1.1 503") && text.contains("tables_failed"), "{text}");
    server.stopped().await;
}
