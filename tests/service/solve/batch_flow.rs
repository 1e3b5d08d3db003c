//! Batches in time: order, turns, bounded memory, limits, and how they end.

use std::convert::Infallible;

use futures_util::{StreamExt as _, stream};
use http_body_util::BodyExt as _;
use superflip::operations::solve::batch::WINDOW;
use superflip::service::spool::BLOCK_BYTES;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tower::ServiceExt as _;

use super::batch::{assert_solved, facelets, numbers};
use super::batch_ahead::counted;
use crate::common::prelude::*;

/// A cube whose search goes on for as long as it may.
fn hard(time_limit_ms: u64) -> String {
    json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": time_limit_ms}).to_string() + "\n"
}

/// A body whose lines are sent one by one.
fn channel() -> (mpsc::UnboundedSender<String>, Body) {
    let (sender, receiver) = mpsc::unbounded_channel::<String>();
    let lines = stream::unfold(receiver, |mut receiver| async {
        let line = receiver.recv().await?;
        Some((Ok::<_, Infallible>(Bytes::from(line)), receiver))
    });
    (sender, Body::from_stream(lines))
}

/// The next answer.
async fn next(answers: &mut Body) -> Value {
    let frame = tokio::time::timeout(Duration::from_secs(10), answers.frame()).await.expect("an answer comes");
    serde_json::from_slice(&frame.unwrap().unwrap().into_data().unwrap()).unwrap()
}

#[tokio::test]
async fn a_busy_lane_refuses_and_searches_go_on() {
    let state = ready_state(config_with(|config| (config.search.long_threads, config.search.queue_length) = (1, 0)));
    let _busy = hold(&state, |state| state.lanes.background(), 4, 4).await;
    send(app(state.clone()), batch_request("/solve/batch", "{}")).await.problem(503, "overloaded");
    get(app(state.clone()), "/solve?scramble=R").await.ok();
}

#[tokio::test]
async fn a_long_line_delays_no_other_line_or_batch() {
    let state = ready_state(config());
    let (lines, body) = channel();
    let response = app(state.clone()).oneshot(batch_request("/solve/batch?order=any", body)).await.unwrap();
    lines.send(hard(20_000)).unwrap();
    // Longer than a job of a batch may start searches when others wait.
    tokio::time::sleep(Duration::from_millis(200)).await;
    lines.send("{\"scramble\": \"R\"}\n".to_owned()).unwrap();
    let mut answers = response.into_body();
    let answer = next(&mut answers).await;
    assert_eq!((&answer["line"], &answer["solution"]), (&json!(2), &json!("R'")));
    // As many such batches as there are long threads leave others their turn.
    let more: Vec<_> = (1..state.config.search.long_threads)
        .map(|_| tokio::spawn(batch(app(state.clone()), "/solve/batch", hard(20_000))))
        .collect();
    eventually("all of them search", || state.lanes.background().in_flight() == more.len() + 1).await;
    let other = tokio::time::timeout(Duration::from_secs(10), batch(app(state.clone()), "/solve/batch", "R U\n"));
    assert_solved(&other.await.expect("it has its turn")[0]);
    more.iter().for_each(JoinHandle::abort);
}

#[tokio::test]
async fn answers_leave_while_lines_arrive() {
    let (lines, body) = channel();
    let response = ready().oneshot(batch_request("/solve/batch", body)).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let mut answers = response.into_body();
    for scramble in ["R", "R U", "R U F"] {
        // In two pieces, as a network may cut them.
        lines.send(format!("{{\"scramble\": \"{scramble}")).unwrap();
        lines.send("\"}\n".to_owned()).unwrap();
        let answer = next(&mut answers).await;
        assert_eq!(answer["facelets"], facelets(scramble));
        assert_solved(&answer);
    }
    drop(lines);
    assert!(answers.frame().await.is_none());
}

#[tokio::test]
async fn order_is_that_of_the_lines_unless_any_is_asked_for() {
    // The wrong line needs no search, and is answered first where order does not matter.
    let body = hard(200) + "{}\n{\"scramble\": \"R\"}\n";
    for uri in ["/solve/batch", "/solve/batch?order=input"] {
        assert_eq!(numbers(&batch(ready(), uri, body.clone()).await), [1, 2, 3]);
    }
    let any = numbers(&batch(ready(), "/solve/batch?order=any", body).await);
    assert!(any[0] == 2 && any.contains(&1) && any.contains(&3) && any.len() == 3, "{any:?}");
}

/// More lines of [`counted`] than are read ahead without a file: at most three blocks, of lines of at least 25 bytes.
const UNPARSED: usize = 3 * BLOCK_BYTES / 25;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_spool_a_client_that_does_not_read_is_not_read() {
    const LINES: usize = 20_000;
    let state = ready_state(config_with(|config| config.server.batch_spool_bytes = 0));
    let (taken, body) = counted(LINES);
    let response = app(state.clone()).oneshot(batch_request("/solve/batch", body)).await.unwrap();
    eventually("the window is full", || taken.load(Ordering::SeqCst) > WINDOW).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(taken.load(Ordering::SeqCst) < WINDOW + UNPARSED, "{taken:?}");
    // It holds its own thread and no other.
    get(app(state.clone()), "/solve?scramble=R").await.ok();
    let mut answers = response.into_body();
    let (mut text, mut most) = (Vec::new(), 0);
    while let Some(frame) = answers.frame().await {
        let data = frame.unwrap().into_data().unwrap();
        most = most.max(data.len());
        text.extend_from_slice(&data);
    }
    assert!(most < 128 << 10, "{most} bytes at once");
    let lines: Vec<Value> =
        String::from_utf8(text).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(numbers(&lines), (1..=LINES as u64).collect::<Vec<_>>());
    assert!(lines.iter().enumerate().all(|(number, line)| line["id"] == number && line["solution"] == "U' R'"));
    eventually("the thread is free", || state.lanes.background().in_flight() == 0).await;
}

#[tokio::test]
async fn one_slow_cube_holds_back_a_bounded_number() {
    let (taken, rest) = counted(20 * WINDOW);
    let first = stream::once(async { Ok::<_, axum::Error>(Bytes::from(hard(400))) });
    let body = Body::from_stream(first.chain(rest.into_data_stream()));
    let router = app(ready_state(config_with(|config| config.server.batch_spool_bytes = 0)));
    let response = router.oneshot(batch_request("/solve/batch", body)).await.unwrap();
    let mut answers = response.into_body();
    let frame = answers.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(frame.starts_with(b"{\"line\":1,"));
    // What came behind it has waited, and was not more than the window and the buffers.
    assert!(taken.load(Ordering::SeqCst) <= 2 * WINDOW + UNPARSED, "{taken:?}");
    let rest = answers.collect().await.unwrap().to_bytes();
    assert_eq!(frame.iter().chain(&rest[..]).filter(|byte| **byte == b'\n').count(), 20 * WINDOW + 1);
}

#[tokio::test]
async fn the_limits_of_ordinary_requests_do_not_cut_it() {
    let config = config_with(|config| {
        (config.server.body_timeout_ms, config.server.request_timeout_ms) = (50, 100);
        (config.search.default_time_limit_ms, config.search.max_time_limit_ms) = (50, 50);
        config.server.body_limit_bytes = 1024;
    });
    let (lines, body) = channel();
    let router = app(ready_state(config));
    let asked = tokio::spawn(async move { batch(router, "/solve/batch", body).await });
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(40)).await;
        lines.send(format!("{{\"scramble\": \"{}\"}}\n", "R ".repeat(400))).unwrap();
    }
    drop(lines);
    let answers = asked.await.unwrap();
    assert_eq!(answers.len(), 10);
    answers.iter().for_each(assert_solved);
}

#[tokio::test]
async fn a_batch_that_stands_still_ends_and_says_so() {
    let state = ready_state(config_with(|config| config.server.batch_idle_timeout_ms = 100));
    // A long search is no standing still.
    let (lines, body) = channel();
    lines.send(hard(400)).unwrap();
    let answers = batch(app(state.clone()), "/solve/batch", body).await;
    assert_eq!(answers.len(), 2);
    assert_solved(&answers[0]);
    assert_eq!((answers[1].get("line"), &answers[1]["problem"]["code"]), (None, &json!("slow_request")));
    drop(lines);
    // A batch whose client reads no answers ends too, and holds no thread meanwhile.
    let (_, body) = counted(20 * WINDOW);
    let response = app(state.clone()).oneshot(batch_request("/solve/batch", body)).await.unwrap();
    eventually("lines wait", || state.spool.used() > 0).await;
    eventually("the batch ends and drops its lines", || state.spool.used() == 0).await;
    eventually("the thread is free", || state.lanes.background().in_flight() == 0).await;
    let text = response.into_body().collect().await.unwrap().to_bytes();
    let lines: Vec<Value> =
        text[..].split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(lines.len(), WINDOW + 1);
    assert_eq!(lines[WINDOW]["problem"]["code"], "slow_request");
}

async fn begin(address: std::net::SocketAddr, end: &str) -> TcpStream {
    let (head, line) = (wire::post_chunked("/solve/batch", "application/x-ndjson"), hard(30_000));
    let mut caller = wire::send(address, &format!("{head}{:x}\r\n{line}\r\n{end}", line.len())).await;
    assert_eq!(wire::status(&mut caller).await, 200);
    caller
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_stops_when_its_client_disconnects() {
    let (server, state) = Server::ready(|_| ()).await;
    // With more lines to come, and without.
    for end in ["", "0\r\n\r\n"] {
        let client = begin(server.address, end).await;
        eventually("it is searched", || state.lanes.background().in_flight() == 1).await;
        drop(client);
        // The line has a limit of 30 s.
        eventually("the batch ends", || state.lanes.background().in_flight() == 0).await;
    }
    server.stopped().await;
}

#[tokio::test]
async fn stopping_the_service_drains_then_ends_it_with_a_last_line() {
    let (server, _) = Server::ready(|config| config.server.drain_timeout_ms = 50).await;
    let caller = begin(server.address, "").await;
    server.stopped().await;
    let text = wire::rest(caller).await;
    let last = text.lines().rfind(|line| line.starts_with('{')).unwrap_or_else(|| panic!("{text}"));
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!((last.get("line"), &last["problem"]["code"]), (None, &json!("shutting_down")));
}

#[tokio::test]
async fn after_an_early_end_no_answer_follows_a_missing_one_or_the_problem() {
    for (order, is_gap_allowed) in [("input", false), ("any", true)] {
        let (server, _) = Server::ready(|config| config.server.drain_timeout_ms = 300).await;
        let head = wire::post_chunked(&format!("/solve/batch?order={order}"), "application/x-ndjson");
        // The second line runs until it is cancelled, and those after it are solved meanwhile.
        let lines = format!("R\n{}\n{}", hard(30_000), "R\n".repeat(40));
        let mut caller = wire::send(server.address, &format!("{head}{:x}\r\n{lines}\r\n", lines.len())).await;
        assert_eq!(wire::status(&mut caller).await, 200);
        server.stopped().await;
        let text = wire::rest(caller).await;
        let answers = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut answers: Vec<Value> = answers.filter(Value::is_object).collect();
        let last = answers.pop().unwrap();
        assert_eq!((last.get("line"), &last["problem"]["code"]), (None, &json!("shutting_down")), "{text}");
        let mut numbers = numbers(&answers);
        numbers.sort_unstable();
        let expected: Vec<u64> = if is_gap_allowed { [1].into_iter().chain(4..=43).collect() } else { vec![1] };
        assert_eq!(numbers, expected, "{text}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_ends_it_with_a_last_line() {
    let begun = stream::once(async { Ok(Bytes::from("{\"scramble\": \"R\"}\n{\"scra")) });
    let paused = stream::once(async {
        // Time for the first line to be solved, so that what is asked is only how it ends.
        tokio::time::sleep(Duration::from_millis(100)).await;
        Err("cut")
    });
    let body = Body::from_stream(begun.chain(paused));
    let lines = batch(ready(), "/solve/batch", body).await;
    assert_eq!((lines.len(), &lines[0]["solution"]), (2, &json!("R'")));
    assert_eq!((lines[1].get("line"), &lines[1]["problem"]["code"]), (None, &json!("incomplete_body")));
}
