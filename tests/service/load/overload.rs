//! Overload: which requests are refused, how fast, and which are still answered.

use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};

use crate::common::prelude::*;
use crate::common::wire::{fetch, get, last, rest, send, status, until_ok};

/// The path of a search that runs until its time limit.
fn endless(time_limit_ms: u64) -> String {
    format!("/solve/stream?facelets={SUPERFLIP}&time_limit_ms={time_limit_ms}")
}

/// Starts such a search and waits for the head of its response.
async fn watch(address: SocketAddr) -> TcpStream {
    let mut stream = send(address, &get(&endless(30_000))).await;
    assert_eq!(status(&mut stream).await, 200);
    stream
}

/// Returns status and code of a refusal, which must have `Retry-After`.
#[track_caller]
fn refusal(text: &str) -> (&str, &str) {
    assert!(text.to_lowercase().contains("\r\nretry-after: "), "{text}");
    let (_, code) = text.split_once("\"code\":\"").unwrap_or_else(|| panic!("{text}"));
    (&text[9..12], code.split('"').next().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_lane_refuses_while_every_core_is_busy() {
    let (server, state) = Server::ready(|config| (config.search.threads, config.search.queue_length) = (1, 8)).await;
    let busy = hold(&state, |state| state.lanes.quick(), 9, 1).await;
    let mut streams = Vec::new();
    eventually("the lane is full", || state.lanes.quick().queued() == 8).await;
    for _ in 0..20 {
        assert_eq!(refusal(&fetch(server.address, &endless(30_000)).await), ("503", "overloaded"));
    }
    drop(busy);
    eventually("the thread is free", || state.lanes.quick().in_flight() == 0).await;
    // Streams that load every core keep no solve waiting.
    for _ in 0..8 {
        streams.push(watch(server.address).await);
    }
    eventually("all search side by side", || state.lanes.long().in_flight() == 8).await;
    for _ in 0..20 {
        until_ok(server.address, "/solve?scramble=R%20U%20F").await;
    }
    assert_eq!(state.lanes.long().in_flight(), 8, "none of them has ended meanwhile");
    drop(streams);
    server.stopped().await;
}

#[tokio::test]
async fn a_request_that_waits_too_long_gets_503() {
    let (server, state) = Server::ready(|config| config.search.threads = 1).await;
    let busy = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    let start = Instant::now();
    let text = fetch(server.address, "/solve?scramble=R&time_limit_ms=400").await;
    assert_eq!(refusal(&text), ("503", "deadline_unreachable"));
    // A quarter of the limit must be left at the start.
    assert!(start.elapsed() >= Duration::from_millis(300), "{:?}", start.elapsed());
    assert_eq!(state.lanes.quick().queued(), 0);
    drop(busy);
    server.stopped().await;
}

#[tokio::test]
async fn repairs_are_left_out_while_no_thread_is_free() {
    let (server, state) = Server::ready(|config| config.search.threads = 1).await;
    let path = format!("/solve/D{}", &SUPERFLIP[1..]);
    let idle = fetch(server.address, &path).await;
    let busy = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    let text = fetch(server.address, &path).await;
    assert!(idle.contains("\"repairs\"") && !text.contains("\"repairs\""), "{text}");
    assert!([&idle, &text].iter().all(|answer| answer.contains("\"code\":\"impossible_cube\"")), "{text}");
    drop(busy);
    server.stopped().await;
}

/// Twelve searches that used their whole second, and then many that take 10 ms each: an estimate of the wait would refuse most of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_searches_of_the_past_refuse_nothing() {
    let (server, _) = Server::ready(|_| ()).await;
    let all = async |count: usize, path: &str| {
        let ask = |_| {
            tokio::spawn({
                let (address, path) = (server.address, path.to_owned());
                async move { fetch(address, &path).await }
            })
        };
        for answer in (0..count).map(ask).collect::<Vec<_>>() {
            let text = answer.await.unwrap();
            assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        }
    };
    all(12, &format!("/solve/{SUPERFLIP}?target_length=0&time_limit_ms=1000")).await;
    all(20, "/solve?scramble=R%20U%20F2%20L%20D%20B2%20R%20U2%20F%20L2%20D%20B&target_length=19").await;
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_long_lane_leaves_every_search_its_first_solution() {
    let (server, state) = Server::ready(|config| {
        (config.search.long_threads, config.search.queue_length) = (1, 0);
        config.search.threads = 2;
    })
    .await;
    let running = watch(server.address).await;
    eventually("the long lane is full", || state.lanes.long().in_flight() == 1).await;
    for path in [
        format!("/solve/{SUPERFLIP}?target_length=18&time_limit_ms=20000"),
        format!("/solve/{SUPERFLIP}?solutions=9&time_limit_ms=20000"),
        format!("/solve/{SUPERFLIP}?threads=1&target_length=0&time_limit_ms=20000"),
        endless(20_000),
    ] {
        let text = fetch(server.address, &path).await;
        assert!(text.starts_with("HTTP/1.1 200") && text.contains("\"stopped_by\":\"overloaded\""), "{path}: {text}");
        assert!(text.contains("\"solution\":\""), "{path}: {text}");
    }
    // The search found none of at most 19 moves in the time of its first job.
    let none = fetch(server.address, &format!("/solve/{SUPERFLIP}?max_length=19&time_limit_ms=20000")).await;
    assert_eq!(refusal(&none), ("503", "overloaded"));
    assert_eq!(state.lanes.long().in_flight(), 1, "the long one goes on");
    drop(running);
    eventually("the long lane is free", || state.lanes.long().in_flight() == 0).await;
    server.stopped().await;
}

#[tokio::test]
async fn a_scan_waits_no_longer_than_the_time_limit_of_its_request() {
    let state = ready_state(config_with(|config| {
        config.search.threads = 1;
        config.search.default_time_limit_ms = 20_000;
    }));
    let _busy = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    let scan = format!("{{\"facelets\": \"?{}\", \"time_limit_ms\": 50}}", &SUPERFLIP[1..]);
    let answer = tokio::time::timeout(Duration::from_secs(10), post(app(state.clone()), "/solve", scan));
    answer.await.expect("a refusal").problem(503, "deadline_unreachable");
}

#[tokio::test]
async fn a_missed_target_is_not_claimed() {
    let router = app(ready_state(config()));
    let mut answered = 0;
    for number in 0..60 {
        let body =
            format!("{{\"facelets\": \"{SUPERFLIP}\", \"target_length\": 0, \"time_limit_ms\": {}}}", 1 + number % 3);
        let answer = post(&router, "/solve", body).await;
        // On a busy machine there may be no time for a first solution.
        if answer.status != 503 {
            let answer = answer.ok();
            assert_ne!(answer["stopped_by"], "target_length", "{answer}");
            answered += 1;
        }
    }
    assert!(answered > 0);
}

#[tokio::test]
async fn the_wait_counts_against_the_time_limit() {
    let (server, state) = Server::ready(|config| config.search.threads = 1).await;
    let busy = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    let uri = format!("/solve/{SUPERFLIP}?target_length=0&time_limit_ms=1000");
    let answer = tokio::spawn({
        let address = server.address;
        async move { fetch(address, &uri).await }
    });
    eventually("it waits", || state.lanes.quick().queued() == 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(busy);
    let text = answer.await.unwrap();
    let number = |name: &str| -> u64 {
        let (_, rest) = text.split_once(&format!("\"{name}\":")).unwrap_or_else(|| panic!("{text}"));
        rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    // If the wait did not count, the search would take 1 s after 0.3 s of waiting.
    let (queue, search) = (number("queue_us"), number("elapsed_us"));
    assert!(queue >= 280_000 && queue + search <= 1_250_000, "{text}");
    server.stopped().await;
}

#[tokio::test]
async fn health_and_metrics_answer_under_full_load() {
    let (server, state) = Server::ready(|config| {
        (config.search.threads, config.search.queue_length) = (1, 0);
        config.search.long_threads = 1;
        config.server.max_connections = 3;
    })
    .await;
    let quick = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    let long = hold(&state, |state| state.lanes.long(), 1, 1).await;
    // Connections that never complete a request head.
    let mut taken = Vec::new();
    for _ in 0..3 {
        taken.push(send(server.address, "GET /moves HTTP/1.1\r\nhost:").await);
    }
    for round in 0..3 {
        for path in ["/livez", "/readyz", "/metrics"] {
            let text = fetch(server.address, path).await;
            assert!(text.starts_with("HTTP/1.1 200"), "{round} {path}: {text}");
        }
        assert_eq!(refusal(&fetch(server.address, "/moves/F").await), ("503", "overloaded"));
    }
    // A spare connection is no way around the limit: it is cut soon, whatever it does.
    rest(send(server.address, "GET /livez HTTP/1.1\r\nhost: localhost\r\nslow:").await).await;
    drop(taken);
    until_ok(server.address, "/moves/F").await;
    drop((quick, long));
    server.stopped().await;
}

/// Loopback has more than one address on Linux.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_gets_no_more_than_its_limit() {
    async fn from(local: &str, address: SocketAddr, path: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{local}:0").parse().unwrap()).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        stream.write_all(last(&get(path)).as_bytes()).await.unwrap();
        stream
    }
    let (server, state) = Server::ready(|config| {
        config.server.max_requests_per_client = 2;
        config.search.long_threads = 4;
    })
    .await;
    // A stream counts until its end.
    let mut held = vec![watch(server.address).await, watch(server.address).await];
    let refused = rest(from("127.0.0.1", server.address, "/moves/F").await).await;
    assert_eq!(refusal(&refused), ("429", "client_limit"));
    assert!(refused.contains("\"retry_after_s\":1"), "{refused}");
    for path in ["/livez", "/readyz", "/metrics"] {
        let text = rest(from("127.0.0.1", server.address, path).await).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{path}: {text}");
    }
    let other = rest(from("127.0.0.2", server.address, "/moves/F").await).await;
    assert!(other.starts_with("HTTP/1.1 200"), "{other}");
    held.pop();
    eventually("one ended", || state.lanes.long().in_flight() == 1).await;
    until_ok(server.address, "/moves/F").await;
    drop(held);
    eventually("no request is counted", || state.clients.is_empty()).await;
    server.stopped().await;
}
