//! Clients that disconnect, slow clients and hostile clients, over HTTP/1.1 and HTTP/2.

use std::future::poll_fn;

use h2::client::{SendRequest, handshake};
use superflip::operations::solve::batch::WINDOW;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::common::prelude::*;
use crate::common::wire::{get, post, reply, send, status, until_ok};

/// A search that goes on for as long as it may.
fn endless(kind: &str) -> String {
    format!("/solve{kind}?facelets={SUPERFLIP}&target_length=0&time_limit_ms=30000")
}

async fn ask(address: SocketAddr, path: &str) -> TcpStream {
    send(address, &get(path)).await
}

/// Waits until the server has closed the connection.
async fn closed(stream: &mut TcpStream) {
    let mut rest = [0; 4096];
    let until_end = async { while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {} };
    tokio::time::timeout(Duration::from_secs(20), until_end).await.expect("the server closes the connection");
}

/// Waits until no search runs. Searches here have a limit of 30 s, so that they do not end by themselves before this gives up.
async fn until_free(state: &AppState) {
    let busy =
        || state.lanes.quick().in_flight() + state.lanes.long().in_flight() + state.lanes.background().in_flight();
    eventually("no search runs", || busy() == 0).await;
}

/// An HTTP/2 connection; it answers pings for as long as the task lives.
async fn http2(address: SocketAddr) -> (SendRequest<Bytes>, JoinHandle<Result<(), h2::Error>>) {
    let stream = TcpStream::connect(address).await.unwrap();
    // A reset should leave at once, as from any client that minds its latency.
    stream.set_nodelay(true).unwrap();
    let (sender, connection) = handshake(stream).await.unwrap();
    (sender, tokio::spawn(connection))
}

async fn ready(sender: &mut SendRequest<Bytes>) {
    poll_fn(|context| sender.poll_ready(context)).await.unwrap();
}

fn get2(path: &str) -> Request<()> {
    Request::get(format!("http://localhost{path}")).body(()).unwrap()
}

async fn assert_ok(sender: &mut SendRequest<Bytes>, path: &str) {
    ready(sender).await;
    let (answer, _) = sender.send_request(get2(path), true).unwrap();
    assert_eq!(answer.await.unwrap().status(), StatusCode::OK);
}

/// A server whose limits are short.
async fn impatient(change: impl FnOnce(&mut Config)) -> Server {
    let limits = |config: &mut Config| {
        (config.server.header_timeout_ms, config.server.write_timeout_ms) = (300, 300);
        change(config);
    };
    // The largest answers are files of tables.
    Server::start(small_state(config_with(limits))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_stops_when_its_client_disconnects() {
    let (server, state) = Server::ready(|_| ()).await;
    for path in [endless(""), endless("/stream"), endless("") + "&threads=2"] {
        let client = ask(server.address, &path).await;
        eventually("the search runs", || state.lanes.long().in_flight() > 0).await;
        drop(client);
        until_free(&state).await;
    }
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_stops_on_disconnect_with_unread_requests() {
    let (server, state) = Server::ready(|_| ()).await;
    // Further requests behind the first; and a batch that is read no further, for its window is full of lines behind the first.
    let pipelined = get(&endless("")) + &get("/moves/F").repeat(100);
    let hard = format!("{{\"facelets\":\"{SUPERFLIP}\",\"target_length\":0,\"time_limit_ms\":30000}}\n");
    let lines = hard + &"{\"scramble\":\"R\"}\n".repeat(2 * WINDOW);
    for request in [pipelined, post("/solve/batch", "application/x-ndjson", &lines)] {
        let client = send(server.address, &request).await;
        let busy = || state.lanes.long().in_flight() + state.lanes.background().in_flight();
        eventually("the search runs", || busy() == 1).await;
        tokio::time::sleep(Duration::from_millis(60)).await;
        assert_eq!(busy(), 1);
        drop(client);
        until_free(&state).await;
    }
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_stays_is_answered_with_requests_unread() {
    let server = Server::start(ready_state(config())).await;
    let searches = get(&format!("/solve?facelets={SUPERFLIP}&target_length=0&time_limit_ms=150")).repeat(3);
    let mut client = send(server.address, &searches).await;
    let mut read = Vec::new();
    for _ in 0..3 {
        assert_eq!(reply(&mut client, &mut read).await.unwrap().status, 200);
    }
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_stops_on_an_http2_reset_or_disconnect() {
    let (server, state) = Server::ready(|_| ()).await;
    for is_reset in [true, false] {
        let (mut sender, connection) = http2(server.address).await;
        ready(&mut sender).await;
        let (answer, mut stream) = sender.send_request(get2(&endless("")), true).unwrap();
        eventually("the search runs", || state.lanes.long().in_flight() == 1).await;
        if is_reset {
            stream.send_reset(h2::Reason::CANCEL);
        } else {
            connection.abort();
        }
        until_free(&state).await;
        drop(answer);
        if is_reset {
            // The connection stays usable.
            assert_ok(&mut sender, "/livez").await;
        }
        connection.abort();
    }
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_stops_when_the_request_times_out() {
    let (server, state) = Server::ready(|config| config.server.request_timeout_ms = 100).await;
    let mut client = ask(server.address, &endless("")).await;
    assert_eq!(status(&mut client).await, 504);
    until_free(&state).await;
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_stop_when_the_service_does() {
    let (server, state) =
        Server::ready(|config| (config.server.drain_timeout_ms, config.search.long_threads) = (0, 1)).await;
    let mut clients = Vec::new();
    for kind in ["", "/stream", ""] {
        clients.push(ask(server.address, &endless(kind)).await);
    }
    eventually("one runs, two wait", || (state.lanes.long().in_flight(), state.lanes.long().queued()) == (1, 2)).await;
    server.stop.cancel();
    until_free(&state).await;
    for client in &mut clients {
        assert!([200, 503].contains(&status(client).await));
    }
    server.stopped().await;
}

#[tokio::test]
async fn an_idle_connection_is_closed_though_it_answers_pings() {
    let server = impatient(|_| ()).await;
    // After a request, and before any.
    for requests in [1, 0] {
        let (mut sender, connection) = http2(server.address).await;
        for _ in 0..requests {
            assert_ok(&mut sender, "/livez").await;
        }
        let ended = tokio::time::timeout(Duration::from_secs(10), connection).await;
        assert!(ended.is_ok(), "after {requests} requests it is kept for ever");
        drop(sender);
    }
    let mut caller = ask(server.address, "/livez").await;
    assert_eq!(status(&mut caller).await, 200);
    closed(&mut caller).await;
    server.stopped().await;
}

#[tokio::test]
async fn a_connection_at_work_is_not_idle() {
    let server = impatient(|_| ()).await;
    let path = format!("/solve?facelets={SUPERFLIP}&target_length=0&time_limit_ms=800");
    let mut caller = ask(server.address, &path).await;
    let (mut sender, connection) = http2(server.address).await;
    assert_ok(&mut sender, &path).await;
    assert_eq!(status(&mut caller).await, 200);
    connection.abort();
    server.stopped().await;
}

/// The path of an answer that is more than sockets hold.
fn large(server: &Server) -> String {
    let list = server.state.tables().unwrap().list();
    let largest = list.into_iter().max_by_key(|table| table.bytes).unwrap();
    assert!(largest.bytes > 16 << 20);
    format!("/tables/{}/raw", largest.name)
}

#[tokio::test]
async fn an_answer_that_is_not_read_is_given_up() {
    // However long a connection may be idle.
    for idle in [300, 60_000] {
        let limits = |config: &mut Config| {
            (config.server.max_connections, config.server.header_timeout_ms) = (1, idle);
        };
        given_up(impatient(limits).await).await;
    }
}

async fn given_up(server: Server) {
    let path = large(&server);
    let mut unread = ask(server.address, &path).await;
    assert_eq!(status(&mut unread).await, 200);
    until_ok(server.address, "/moves/F").await;
    drop(unread);
    // Answers of one piece. hyper has taken all of them.
    let mut unread = send(server.address, &get("/openapi.json").repeat(200)).await;
    assert_eq!(status(&mut unread).await, 200);
    until_ok(server.address, "/moves/F").await;
    drop(unread);
    server.stopped().await;
}

#[tokio::test]
async fn an_answer_that_is_taken_slowly_is_given_whole() {
    let server = impatient(|config| config.server.write_timeout_ms = 500).await;
    let mut caller = ask(server.address, &large(&server)).await;
    assert_eq!(status(&mut caller).await, 200);
    let (mut piece, mut bytes) = (vec![0; 512 << 10], 0);
    let start = Instant::now();
    // Never as long as the limit without taking anything, and several times as long in all.
    while start.elapsed() < Duration::from_millis(1200) {
        let read = caller.read(&mut piece).await.unwrap();
        assert!(read > 0, "cut after {bytes} bytes");
        bytes += read;
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    server.stopped().await;
}

/// So slowly that the kernel would not tell within the limit that there is room again, with the megabytes that it takes by itself.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_answer_that_is_taken_a_little_at_a_time_is_given_whole() {
    let server = impatient(|config| config.server.write_timeout_ms = 500).await;
    let socket = TcpSocket::new_v4().unwrap();
    // What the caller's side holds would hide that the connection was cut.
    socket.set_recv_buffer_size(16 << 10).unwrap();
    let mut caller = socket.connect(server.address).await.unwrap();
    caller.write_all(get(&large(&server)).as_bytes()).await.unwrap();
    assert_eq!(status(&mut caller).await, 200);
    let (mut piece, start) = (vec![0; 10 << 10], Instant::now());
    while start.elapsed() < Duration::from_millis(1800) {
        caller.read_exact(&mut piece).await.expect("it is not cut");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    drop(caller);
    server.stopped().await;
}

/// hyper has taken the whole first answer long before the client has.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_request_behind_an_answer_that_is_taken_slowly_is_answered() {
    let server = impatient(|config| config.server.write_timeout_ms = 5000).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    let mut caller = socket.connect(server.address).await.unwrap();
    caller.write_all((get("/openapi.json") + &get("/moves/F")).as_bytes()).await.unwrap();
    let (mut piece, mut read) = (vec![0; 10 << 10], Vec::new());
    for _ in 0..15 {
        caller.read_exact(&mut piece).await.unwrap();
        read.extend_from_slice(&piece);
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    let first = reply(&mut caller, &mut read).await.unwrap();
    assert!(first.status == 200 && first.body.len() > 200_000);
    assert_eq!(reply(&mut caller, &mut read).await.unwrap().status, 200);
    server.stopped().await;
}

#[tokio::test]
async fn an_unread_stream_costs_no_thread_beyond_its_time() {
    let server = impatient(|_| ()).await;
    let path = format!("/solve/stream?facelets={SUPERFLIP}&time_limit_ms=700");
    let mut unread = ask(server.address, &path).await;
    eventually("it runs", || server.state.lanes.quick().in_flight() == 1).await;
    until_free(&server.state).await;
    assert_eq!(status(&mut unread).await, 200);
    server.stopped().await;
}

#[tokio::test]
async fn heads_and_bodies_come_in_time_or_not_at_all() {
    let server = impatient(|config| config.server.body_timeout_ms = 300).await;
    // A byte now and then does not help.
    for (start, drip) in [
        ("GET /livez HTTP/1.1\r\nhost: localhost\r\nslow: ", "a"),
        (
            "POST /solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n",
            " ",
        ),
        // A body that is not read.
        ("POST /livez HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n", " "),
    ] {
        let mut slow = send(server.address, start).await;
        let (mut reader, mut writer) = slow.split();
        let dripping = async {
            while writer.write_all(drip.as_bytes()).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            std::future::pending::<()>().await;
        };
        let mut text = Vec::new();
        let until_end = async {
            tokio::select! {
                _ = reader.read_to_end(&mut text) => {}
                () = dripping => {}
            }
        };
        let ended = tokio::time::timeout(Duration::from_secs(20), until_end).await;
        assert!(ended.is_ok(), "{start:?} is kept");
        assert!(!String::from_utf8_lossy(&text).contains("HTTP/1.1 200"), "{start:?}");
    }
    // The same over HTTP/2.
    let (mut sender, connection) = http2(server.address).await;
    ready(&mut sender).await;
    let request = Request::post("http://localhost/solve").header("content-type", "application/json").body(()).unwrap();
    let (answer, mut body) = sender.send_request(request, false).unwrap();
    body.send_data(Bytes::from_static(b"{"), false).unwrap();
    let answer = tokio::time::timeout(Duration::from_secs(20), answer).await.expect("an answer").unwrap();
    assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT);
    connection.abort();
    server.stopped().await;
}

#[tokio::test]
async fn heads_are_limited_in_size() {
    let server = Server::starting(|_| ()).await;
    for head in [format!("long: {}\r\n", "a".repeat(80 << 10)), "many: a\r\n".repeat(200)] {
        let mut caller = send(server.address, &format!("GET /livez HTTP/1.1\r\nhost: localhost\r\n{head}\r\n")).await;
        assert_eq!(status(&mut caller).await, 431);
        closed(&mut caller).await;
    }
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_opened_and_reset_cost_nothing_that_lasts() {
    let (server, state) = Server::ready(|_| ()).await;
    let (mut sender, connection) = http2(server.address).await;
    let mut opened = 0;
    for _ in 0..3000 {
        if poll_fn(|context| sender.poll_ready(context)).await.is_err() {
            break;
        }
        let Ok((_, mut stream)) = sender.send_request(get2(&endless("")), true) else { break };
        stream.send_reset(h2::Reason::CANCEL);
        opened += 1;
    }
    assert!(opened > 10, "{opened}");
    until_free(&state).await;
    eventually("no search waits", || state.lanes.long().queued() == 0).await;
    assert_eq!(status(&mut ask(server.address, "/solve?scramble=R").await).await, 200);
    connection.abort();
    server.stopped().await;
}
