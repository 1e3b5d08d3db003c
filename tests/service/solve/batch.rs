//! Batches over HTTP: lines in, lines out, both at once and in bounded memory.

use std::convert::Infallible;

use futures_util::{StreamExt as _, stream};
use http_body_util::BodyExt as _;
use superflip::http::routes::solve::batch::WINDOW;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tower::ServiceExt as _;

use crate::common::prelude::*;

fn numbers(lines: &[Value]) -> Vec<u64> {
    lines.iter().map(|line| line["line"].as_u64().unwrap_or(0)).collect()
}

fn assert_solved(line: &Value) {
    let facelets = line["facelets"].as_str().unwrap_or_else(|| panic!("{line}"));
    assert!(stickers::solves(facelets, line["solution"].text()), "{line}");
}

/// The facelets after a scramble of face moves, from the model of stickers.
fn facelets(scramble: &str) -> String {
    stickers::apply(SOLVED, scramble)
}

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
async fn every_line_is_answered_in_order_with_its_number_and_id() {
    let mut text = String::new();
    let mut scrambles = Vec::new();
    let mut rng = rng(0x5eed);
    for number in 0..60 {
        let cube = walk(&mut rng, 12, &superflip_cube::Move::ALL);
        let facelets = letters(&cube);
        text += &(json!({"id": number * 7, "facelets": facelets, "target_length": 22}).to_string() + "\n");
        scrambles.push(facelets);
    }
    let lines = batch(ready(), "/solve/batch", text).await;
    assert_eq!(numbers(&lines), (1..=60).collect::<Vec<u64>>());
    for (number, (line, facelets)) in lines.iter().zip(&scrambles).enumerate() {
        assert_eq!((&line["id"], &line["facelets"]), (&json!(number * 7), &json!(facelets)));
        assert_solved(line);
        for member in ["nodes", "elapsed_us", "queue_us", "lower_bound"] {
            assert!(line[member].is_u64(), "{member}: {line}");
        }
        assert!(line.get("solutions").is_none());
    }
}

#[tokio::test]
async fn a_line_is_answered_as_post_solve_would() {
    let moves: Vec<_> = superflip_cube::Move::ALL.into_iter().step_by(7).collect();
    let request = json!({"scramble": Moves::from(&moves).to_string()}).to_string();
    let mut lines = batch(ready(), "/solve/batch", request.clone()).await;
    let mut whole = post(ready(), "/solve", request).await.ok();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].as_object_mut().unwrap().remove("line"), Some(json!(1)));
    for body in [&mut lines[0], &mut whole] {
        for member in ["nodes", "elapsed_us", "queue_us"] {
            assert!(body[member].take().is_u64());
        }
    }
    assert_eq!(lines[0], whole);
}

#[tokio::test]
async fn an_invalid_line_affects_no_other() {
    let long = format!("{{\"scramble\": \"{}\"}}", "R ".repeat(40_000));
    let deep = format!("{{\"id\": {}{}}}", "[".repeat(32_000), "]".repeat(32_000));
    let twisted = facelets("R").replacen('U', "F", 1);
    let body: Vec<(&[u8], u64, &str)> = vec![
        (b"{\"scramble\": \"R\"}\r", 1, ""),
        (b"{\"scramble\": \"U\"", 2, "malformed_json"),
        (b"", 0, ""),
        (b"  \t ", 0, ""),
        (b"{\"id\": \"typo\", \"scrambel\": \"U\"}", 5, "unknown_field"),
        (b"[1, 2]", 6, "notation"),
        (long.as_bytes(), 7, "body_too_large"),
        (b"{\"scramble\": \"\xff\"}", 8, "malformed_json"),
        (b"{\"id\": 9, \"scramble\": \"Q\"}", 9, "notation"),
        (b"{\"id\": \"many\", \"scramble\": \"R\", \"target_length\": 31}", 10, "option_out_of_range"),
        (b"{\"scramble\": \"R\", \"threads\": 1}", 11, "unknown_field"),
        (b"{\"id\": [1], \"scramble\": \"R\"}", 12, "invalid_field"),
        (b"{\"id\": 1, \"id\": 2, \"scramble\": \"R\"}", 13, "duplicate_field"),
        (b"{\"id\": 14.5}", 14, "cube_form"),
        (b"{\"id\": \"short\", \"facelets\": \"UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB\", \"max_length\": 3, \"time_limit_ms\": 50}", 15, "no_solution_within_limits"),
        (b"{\"scramble\": \"R\"} {}", 16, "malformed_json"),
        (deep.as_bytes(), 17, "invalid_field"),
        (b"{\"id\": \"last\", \"scramble\": \"F\"}", 18, ""),
    ];
    let bytes: Vec<u8> = body.iter().map(|(line, ..)| *line).collect::<Vec<_>>().join(&b'\n');
    let answer = send(ready(), batch_request("/solve/batch", bytes)).await;
    let lines = lines_of(&answer);
    let expected: Vec<_> = body.iter().filter(|(_, number, _)| *number > 0).collect();
    assert_eq!(numbers(&lines), expected.iter().map(|(_, number, _)| *number).collect::<Vec<_>>());
    for (line, (_, number, code)) in lines.iter().zip(expected) {
        let problem = &line["problem"];
        if code.is_empty() {
            assert_solved(line);
            continue;
        }
        assert_eq!(problem["code"], *code, "{line}");
        assert_eq!(problem["request_id"], answer.header("x-request-id"));
        assert_eq!(problem["type"], format!("urn:superflip:problem:{code}"));
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.contains("body is")), "{line}");
        // Where a problem names a line it is that of the batch.
        assert!(problem.get("line").is_none_or(|named| named == number), "{line}");
    }
    let ids: Vec<&Value> = lines.iter().filter_map(|line| line.get("id")).collect();
    assert_eq!(ids, [&json!("typo"), &json!(9), &json!("many"), &json!(14.5), &json!("short"), &json!("last")]);
    // An impossible cube tells why, as anywhere.
    let lines = batch(ready(), "/solve/batch", json!({"facelets": twisted}).to_string()).await;
    assert_eq!(lines[0]["problem"]["code"], "impossible_cube");
    assert!(!lines[0]["problem"]["violations"].list().is_empty());
    let lines = batch(ready(), "/solve/batch", json!({"scramble": "R", "id": "x".repeat(300)}).to_string()).await;
    assert_eq!((&lines[0]["problem"]["field"], lines[0].get("id")), (&json!("id"), None));
}

#[tokio::test]
async fn an_empty_body_has_an_empty_answer() {
    for body in ["", "\n\n", "\r\n \n"] {
        assert!(batch(ready(), "/solve/batch", body).await.is_empty());
    }
}

#[tokio::test]
async fn a_line_is_a_request_or_a_cube_object_or_a_text() {
    let after = facelets("R U F");
    let pattern = json!({"cube": after, "to": ["kpattern", "cubies"]}).to_string();
    let forms = post(ready(), "/convert", pattern).await.ok()["forms"].take();
    let (kpattern, cubies) = (&forms["kpattern"], &forms["cubies"]);
    let bare =
        json!({"id": "bare", "EDGES": kpattern["patternData"]["EDGES"], "CORNERS": kpattern["patternData"]["CORNERS"]});
    let body = [
        "R U F".to_owned(),
        "# a comment".to_owned(),
        format!("  {after}\r"),
        "GETVSBAH=ZFCXBAGLYTKE=A".to_owned(),
        cubies.to_string(),
        kpattern.to_string(),
        bare.to_string(),
        json!({"id": 8, "cubies": cubies}).to_string(),
        "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR".to_owned(),
    ];
    for kind in ["application/x-ndjson", "text/plain"] {
        let lines = lines_of(&send(ready(), post_request("/solve/batch", kind, body.join("\n"))).await);
        assert_eq!(numbers(&lines), [1, 3, 4, 5, 6, 7, 8, 9]);
        for line in &lines {
            assert_eq!((&line["facelets"], &line["length"]), (&json!(after), &json!(3)), "{line}");
        }
        assert_eq!((&lines[5]["id"], &lines[6]["id"], lines[4].get("id")), (&json!("bare"), &json!(8), None));
    }
    // A cube beside a field with a cube is a wrong request, and cubies have no other members.
    let both = json!({"cp": [0], "scramble": "R"}).to_string();
    let lines = batch(ready(), "/solve/batch", format!("{both}\n{{\"cp\": [0], \"id\": 1}}\n")).await;
    for (line, field) in lines.iter().zip(["cp", "id"]) {
        assert_eq!((&line["problem"]["code"], &line["problem"]["field"]), (&json!("unknown_field"), &json!(field)));
    }
}

#[tokio::test]
async fn the_format_in_the_query_is_that_of_texts_without_one() {
    let body = "f.b\n{\"cube\": \"f.b\"}\n{\"cube\": \"f.b\", \"format\": \"speffz\"}\n{\"scramble\": \"R\"}\n";
    let lines = batch(ready(), "/solve/batch", body).await;
    assert_eq!([&lines[0]["problem"]["code"], &lines[1]["problem"]["code"]], ["ambiguous_cube"; 2]);
    let lines = batch(ready(), "/solve/batch?format=scramble", body).await;
    let wide = "RRRUUULLLURDURDURDFFFFFFFFFRRRDDDLLLULDULDULDBBBBBBBBB";
    assert_eq!([&lines[0]["facelets"], &lines[1]["facelets"]], [wide; 2]);
    assert_ne!(lines[2]["facelets"], wide);
    assert_eq!(lines[3]["solution"], "R'");
}

#[tokio::test]
async fn the_query_has_the_defaults_of_the_lines() {
    let body =
        format!("{}\n{}\n", json!({"facelets": SUPERFLIP}), json!({"scramble": "R", "max_length": 9, "solutions": 1}));
    let uri = "/solve/batch?target_length=24&max_length=2&time_limit_ms=50&solutions=2";
    let lines = batch(ready(), uri, body).await;
    assert_eq!(lines[0]["problem"]["max_length"], 2);
    assert_eq!((&lines[1]["solution"], lines[1].get("solutions")), (&json!("R'"), None));
    let lines =
        batch(ready(), "/solve/batch?solutions=2&target_length=24", json!({"facelets": SUPERFLIP}).to_string()).await;
    let listed = lines[0]["solutions"].list();
    assert!((1..=2).contains(&listed.len()) && listed[0]["solution"] == lines[0]["solution"]);
}

#[tokio::test]
async fn lines_may_be_plain_text_both_ways() {
    let asked = |accept: &'static str| {
        Request::post("/solve/batch")
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .header(header::ACCEPT, accept)
            .header(header::ACCEPT_ENCODING, "gzip")
            .body(Body::from("{\"scramble\": \"R\"}\n".repeat(100)))
            .unwrap()
    };
    for (accept, kind) in [
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/plain, application/x-ndjson;q=0.5", "text/plain; charset=utf-8"),
        ("application/x-ndjson, text/plain", "application/x-ndjson"),
        ("application/jsonl, text/plain;q=0.9", "application/x-ndjson"),
        ("*/*", "application/x-ndjson"),
        ("", "application/x-ndjson"),
    ] {
        let answer = send(ready(), asked(accept)).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, kind), "{accept}");
        // It would wait in the compressor.
        assert_eq!(answer.header("content-encoding"), "");
        assert_eq!(answer.text().lines().count(), 100);
    }
}

#[tokio::test]
async fn an_invalid_request_is_refused_before_its_lines() {
    for (query, status, code) in [
        ("target_length=31", 422, "option_out_of_range"),
        ("solutions=0", 422, "option_out_of_range"),
        ("time_limit_ms=30001", 422, "option_out_of_range"),
        ("order=random", 422, "option_out_of_range"),
        ("threads=2", 400, "unknown_field"),
    ] {
        send(ready(), batch_request(&format!("/solve/batch?{query}"), "{}")).await.problem(status, code);
    }
    for kind in ["application/json", "text/html", ""] {
        send(ready(), post_request("/solve/batch", kind, "{}")).await.problem(415, "unsupported_media_type");
    }
    for kind in ["application/jsonlines", "application/json-lines; charset=utf-8", "Application/X-NDJSON"] {
        let request = post_request("/solve/batch", kind, r#"{"scramble": "R"}"#);
        assert_eq!(lines_of(&send(ready(), request).await)[0]["solution"], "R'");
    }
    send(starting(), batch_request("/solve/batch", "{}")).await.problem(503, "tables_not_ready");
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

/// A body of easy lines that counts those that were taken from it.
fn counted(most: usize) -> (Arc<AtomicUsize>, Body) {
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    let lines = stream::iter(0..most).map(move |number| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok::<_, Infallible>(Bytes::from(format!("{{\"id\":{number},\"scramble\":\"R U\"}}\n")))
    });
    (taken, Body::from_stream(lines))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_is_not_read() {
    const LINES: usize = 20_000;
    let state = ready_state(config());
    let (taken, body) = counted(LINES);
    let response = app(state.clone()).oneshot(batch_request("/solve/batch", body)).await.unwrap();
    eventually("the window is full", || taken.load(Ordering::SeqCst) > WINDOW).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(taken.load(Ordering::SeqCst), WINDOW + 1, "one line waits for its place");
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
    let (taken, rest) = counted(5 * WINDOW);
    let first = stream::once(async { Ok::<_, axum::Error>(Bytes::from(hard(400))) });
    let body = Body::from_stream(first.chain(rest.into_data_stream()));
    let response = ready().oneshot(batch_request("/solve/batch", body)).await.unwrap();
    let mut answers = response.into_body();
    let frame = answers.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(frame.starts_with(b"{\"line\":1,"));
    // What came behind it has waited, and was not more than the window.
    assert!(taken.load(Ordering::SeqCst) <= 2 * WINDOW, "{taken:?}");
    let rest = answers.collect().await.unwrap().to_bytes();
    assert_eq!(frame.iter().chain(&rest[..]).filter(|byte| **byte == b'\n').count(), 5 * WINDOW + 1);
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
    let (taken, body) = counted(3 * WINDOW);
    let response = app(state.clone()).oneshot(batch_request("/solve/batch", body)).await.unwrap();
    eventually("the window is full", || taken.load(Ordering::SeqCst) > WINDOW).await;
    eventually("the batch ends and drops its body", || Arc::strong_count(&taken) == 1).await;
    assert_eq!(state.lanes.background().in_flight(), 0);
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

#[tokio::test]
async fn lines_are_counted_by_outcome() {
    let state = ready_state(config());
    let counts = async || {
        let mut counts = Vec::new();
        for outcome in ["solved", "unsolved", "refused"] {
            let series = format!("superflip_batch_lines_total{{outcome=\"{outcome}\"}}");
            counts.push(metric(app(state.clone()), &series).await);
        }
        counts
    };
    let before = counts().await;
    let unsolved = json!({"facelets": SUPERFLIP, "max_length": 3, "time_limit_ms": 20});
    let body = format!("{{\"scramble\":\"R\"}}\n{{}}\n{unsolved}\n");
    assert_eq!(batch(app(state.clone()), "/solve/batch", body).await.len(), 3);
    // Other tests of this process count as well.
    assert!(counts().await.iter().zip(&before).all(|(after, before)| after > before), "{before:?}");
    metric(app(state.clone()), "superflip_batch_lines_in_flight").await;
}
