//! Overload: which requests are refused, how fast, and which are still answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use superflip::search::Stop;
use superflip::service::pool::{Deadline, Pool, Refused, SearchClass};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;

use crate::common::service::{SUPERFLIP, Server, config, eventually, hold, ready_state, until_stopped};
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

/// A deadline for jobs that run until they are stopped.
fn within(time: Duration) -> Deadline {
    Deadline::StartBy(Instant::now() + time)
}

fn soon() -> Deadline {
    within(Duration::from_secs(30))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_lane_refuses_while_every_core_is_busy() {
    let mut config = config();
    // Searches that load every core, not only take a thread.
    (config.search.long_queue_length, config.search.long_threads) = (0, 0);
    let state = ready_state(config);
    let server = Server::start(state.clone()).await;
    let cores = std::thread::available_parallelism().unwrap().get();
    let mut busy = Vec::new();
    for _ in 0..cores {
        busy.push(watch(server.address).await);
    }
    for _ in 0..20 {
        assert_eq!(refusal(&fetch(server.address, &endless(30_000)).await), ("503", "overloaded"));
    }
    // None of them has ended meanwhile.
    assert_eq!(state.solver.long().in_flight(), cores);
    drop(busy);
    server.stopped().await;
}

/// Returns a pool of one thread whose average job takes ten milliseconds.
async fn trained() -> Arc<Pool> {
    let pool = Arc::new(Pool::new("short", 1, 100));
    for _ in 0..20 {
        pool.run(soon(), |_| std::thread::sleep(Duration::from_millis(10))).await.unwrap();
    }
    pool
}

fn queue_up(pool: &Arc<Pool>, jobs: usize) -> Vec<JoinHandle<()>> {
    let hold = || {
        let pool = Arc::clone(pool);
        tokio::spawn(async move {
            let _ = pool.run(soon(), until_stopped).await;
        })
    };
    (0..jobs).map(|_| hold()).collect()
}

/// Starts jobs that run until their deadline `end`.
fn jobs_until(end: Instant, count: usize, pool: &Arc<Pool>) -> Vec<JoinHandle<Result<(), Refused>>> {
    let until_end = move |stop: &Stop| {
        while !stop.is_stopped() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let job = || {
        let pool = Arc::clone(pool);
        tokio::spawn(async move { pool.run(Deadline::EndBy(end), until_end).await.map(|_| ()) })
    };
    (0..count).map(|_| job()).collect()
}

#[tokio::test]
async fn a_deadline_that_cannot_be_met_is_refused_at_once() {
    let pool = trained().await;
    let busy = queue_up(&pool, 50);
    eventually("they wait", || (pool.in_flight(), pool.queued()) == (1, 49)).await;
    // The expected wait is some 500 ms.
    for _ in 0..5 {
        let refused = pool.run(within(Duration::from_millis(200)), |_| ()).await.unwrap_err();
        let Refused::DeadlineUnreachable { expected_wait_ms, retry_after } = refused else { panic!("{refused}") };
        assert!(expected_wait_ms >= 450 && retry_after >= Duration::from_secs(1), "{expected_wait_ms} {retry_after:?}");
    }
    assert_eq!(pool.queued(), 49, "a refused job does not wait");
    // With enough time it waits.
    let patient = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(soon(), |_| ()).await.is_ok() }
    });
    eventually("it waits", || pool.queued() == 50).await;
    busy.iter().for_each(JoinHandle::abort);
    assert!(patient.await.unwrap());
}

#[tokio::test]
async fn no_job_is_refused_for_an_unlikely_wait() {
    // A thread is free, so that the job starts at once.
    let pool = trained().await;
    assert!(pool.run(within(Duration::from_millis(1)), |_| ()).await.is_ok());
    // A new pool does not know how long jobs take.
    let fresh = Arc::new(Pool::new("short", 1, 100));
    let busy = queue_up(&fresh, 50);
    eventually("they wait", || fresh.queued() == 49).await;
    let asked = Instant::now();
    let late = fresh.run(within(Duration::from_millis(100)), |_| ()).await;
    assert!(matches!(late, Err(Refused::DeadlinePassed { waited_ms: 90.., .. })), "{late:?}");
    assert!(asked.elapsed() >= Duration::from_millis(100));
    busy.iter().for_each(JoinHandle::abort);
    // The average soon forgets one slow job among many quick ones.
    let pool = trained().await;
    pool.run(soon(), |_| std::thread::sleep(Duration::from_millis(500))).await.unwrap();
    for _ in 0..60 {
        pool.run(soon(), |_| ()).await.unwrap();
    }
    let busy = queue_up(&pool, 10);
    eventually("they wait", || pool.queued() == 9).await;
    let waiting = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(within(Duration::from_millis(200)), |_| ()).await.is_ok() }
    });
    eventually("it is admitted", || pool.queued() == 10).await;
    busy.iter().for_each(JoinHandle::abort);
    assert!(waiting.await.unwrap());
}

#[tokio::test]
async fn the_deadline_of_a_running_job_bounds_the_expected_wait() {
    let pool = Arc::new(Pool::new("short", 1, 100));
    for _ in 0..20 {
        pool.run(soon(), |_| std::thread::sleep(Duration::from_millis(400))).await.unwrap();
    }
    // By the average it would take some 400 ms, but it has only 200.
    let ahead = jobs_until(Instant::now() + Duration::from_millis(200), 1, &pool);
    eventually("it runs", || pool.in_flight() == 1).await;
    let finished = pool.run(within(Duration::from_millis(350)), |_| ()).await.expect("it starts in time");
    assert!(finished.queued < Duration::from_millis(350), "{:?}", finished.queued);
    for job in ahead {
        let _ = job.await.unwrap();
    }
}

#[tokio::test]
async fn searches_with_the_same_limit_are_not_admitted_for_the_last_of_it() {
    let pool = Arc::new(Pool::new("short", 1, 100));
    for _ in 0..20 {
        pool.run(soon(), |_| std::thread::sleep(Duration::from_millis(100))).await.unwrap();
    }
    let end = Instant::now() + Duration::from_secs(1);
    let jobs = jobs_until(end, 40, &pool);
    let mut refused = 0;
    for job in jobs {
        refused += usize::from(matches!(job.await.unwrap(), Err(Refused::DeadlineUnreachable { .. })));
    }
    // One runs, and some seven of a tenth of a second fit before the last quarter.
    assert!((28..=35).contains(&refused), "{refused}");
}

/// Far more searches that run until their time limit than there is time for. Those that start late seem to be quick. If they counted as such,
/// more and more would be admitted for less and less time each.
#[tokio::test]
async fn endless_searches_get_a_part_of_their_limit_or_nothing() {
    const LIMIT: Duration = Duration::from_millis(400);
    let pool = Arc::new(Pool::new("short", 1, 100));
    let ask = || {
        let pool = Arc::clone(&pool);
        let end = Instant::now() + LIMIT;
        let until_end = move |stop: &Stop| {
            let left = end.saturating_duration_since(Instant::now());
            while !stop.is_stopped() && Instant::now() < end {
                std::thread::sleep(Duration::from_millis(1));
            }
            left
        };
        tokio::spawn(async move { pool.run_on(1, Deadline::EndBy(end), SearchClass::TimeLimited, until_end).await })
    };
    // The pool knows nothing about the first ones, and some wait in vain.
    let mut first = Vec::new();
    for _ in 0..20 {
        first.push(ask());
        tokio::time::sleep(LIMIT / 2).await;
    }
    for asked in first {
        let _ = asked.await.unwrap();
    }
    let mut asked = Vec::new();
    for _ in 0..150 {
        asked.push(ask());
        tokio::time::sleep(LIMIT / 20).await;
    }
    let (mut fair, mut short, mut in_vain) = (0, 0, 0);
    for asked in asked {
        match asked.await.unwrap() {
            Ok(finished) if finished.value >= LIMIT / 5 => fair += 1,
            Ok(_) => short += 1,
            Err(Refused::DeadlineUnreachable { .. }) => {}
            Err(refused) => {
                assert!(matches!(refused, Refused::DeadlinePassed { .. }), "{refused:?}");
                in_vain += 1;
            }
        }
    }
    // There is time for 7 to 30 of them.
    assert!(fair >= 7 && short + in_vain <= fair / 2, "{fair} fair, {short} short, {in_vain} in vain");
    // Later searches that need little time are not refused because of them.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let end = Deadline::EndBy(Instant::now() + 10 * LIMIT);
    let quick = |_| {
        let pool = Arc::clone(&pool);
        tokio::spawn(async move { pool.run_on(1, end, SearchClass::TimeLimited, |_| ()).await.is_ok() })
    };
    for job in (0..8).map(quick).collect::<Vec<_>>() {
        assert!(job.await.unwrap());
    }
}

#[tokio::test]
async fn a_request_with_an_unreachable_deadline_gets_503() {
    let mut config = config();
    (config.search.threads, config.search.queue_length) = (1, 100);
    let state = ready_state(config);
    let server = Server::start(state.clone()).await;
    for _ in 0..20 {
        state.solver.pool().run(soon(), |_| std::thread::sleep(Duration::from_millis(10))).await.unwrap();
    }
    let busy: Vec<_> = (0..100).map(|_| hold(&state, |state| state.solver.pool())).collect();
    eventually("they wait", || state.solver.pool().queued() == 99).await;
    let text = fetch(server.address, "/solve?scramble=R&time_limit_ms=700").await;
    assert_eq!(refusal(&text), ("503", "deadline_unreachable"));
    assert!(text.contains("leaves too little of the time limit"), "{text}");
    assert_eq!(state.solver.pool().queued(), 99, "none of those before it has started meanwhile");
    busy.iter().for_each(JoinHandle::abort);
    server.stopped().await;
}

#[tokio::test]
async fn the_wait_counts_against_the_time_limit() {
    let mut config = config();
    (config.search.threads, config.search.short_time_limit_ms) = (1, 10_000);
    let state = ready_state(config);
    let server = Server::start(state.clone()).await;
    let busy = hold(&state, |state| state.solver.pool());
    eventually("the thread is held", || state.solver.pool().in_flight() == 1).await;
    let uri = format!("/solve/{SUPERFLIP}?target_length=0&time_limit_ms=4000");
    let answer = tokio::spawn({
        let address = server.address;
        async move { fetch(address, &uri).await }
    });
    eventually("it waits", || state.solver.pool().queued() == 1).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    busy.abort();
    let text = answer.await.unwrap();
    let number = |name: &str| -> u64 {
        let (_, rest) = text.split_once(&format!("\"{name}\":")).unwrap_or_else(|| panic!("{text}"));
        rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    // If the wait did not count, the search would take 4 s after 1.5 s of waiting.
    let (queue, search) = (number("queue_us"), number("elapsed_us"));
    assert!(queue >= 1_400_000 && queue + search <= 4_800_000, "{text}");
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_searches_do_not_keep_short_ones_waiting_nor_short_ones_them() {
    let mut config = config();
    (config.search.threads, config.search.long_threads, config.search.long_queue_length) = (1, 1, 1);
    let state = ready_state(config);
    let server = Server::start(state.clone()).await;
    let running = watch(server.address).await;
    let waiting = tokio::spawn({
        let address = server.address;
        async move { fetch(address, &endless(29_000)).await }
    });
    eventually("the long lane is full", || state.solver.long().queued() == 1).await;
    // Long searches of every form are refused. Short ones are answered at once.
    for path in [
        endless(20_000),
        format!("/solve/{SUPERFLIP}?target_length=18&time_limit_ms=20000"),
        format!("/solve/{SUPERFLIP}?max_length=19&time_limit_ms=20000"),
        format!("/solve/{SUPERFLIP}?solutions=9&time_limit_ms=20000"),
    ] {
        assert_eq!(refusal(&fetch(server.address, &path).await), ("503", "overloaded"), "{path}");
    }
    for path in [
        "/solve?scramble=R%20U%20F&time_limit_ms=30000".to_owned(),
        format!("/solve/{SUPERFLIP}?target_length=0&time_limit_ms=5"),
    ] {
        let text = fetch(server.address, &path).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
    assert_eq!(state.solver.long().in_flight(), 1, "the long one goes on");
    drop(running);
    waiting.abort();
    eventually("the long lane is free", || state.solver.long().in_flight() == 0).await;
    // And the other way round.
    let busy: Vec<_> = (0..50).map(|_| hold(&state, |state| state.solver.pool())).collect();
    eventually("short ones wait", || state.solver.pool().queued() == 49).await;
    drop(watch(server.address).await);
    busy.iter().for_each(JoinHandle::abort);
    server.stopped().await;
}

#[tokio::test]
async fn health_and_metrics_answer_when_every_queue_and_connection_is_taken() {
    let mut config = config();
    (config.search.threads, config.search.queue_length) = (1, 0);
    (config.search.long_threads, config.search.long_queue_length) = (1, 0);
    config.server.max_connections = 3;
    let state = ready_state(config);
    let server = Server::start(state.clone()).await;
    let busy = [hold(&state, |state| state.solver.pool()), hold(&state, |state| state.solver.long())];
    eventually("the lanes are full", || state.solver.pool().in_flight() + state.solver.long().in_flight() == 2).await;
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
    rest(send(server.address, "GET /livez HTTP/1.1\r\nhost: x\r\nslow:").await).await;
    drop(taken);
    until_ok(server.address, "/moves/F").await;
    busy.iter().for_each(JoinHandle::abort);
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
    let mut config = config();
    config.server.max_requests_per_client = 2;
    config.search.long_threads = 4;
    let state = ready_state(config);
    let server = Server::start(state.clone()).await;
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
    eventually("one ended", || state.solver.long().in_flight() == 1).await;
    until_ok(server.address, "/moves/F").await;
    drop(held);
    eventually("no request is counted", || state.clients.is_empty()).await;
    server.stopped().await;
}
