//! Streams of a search: the events, their order, and the end.

use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::common::prelude::*;

/// Checks everything that all streams with a result have in common, and returns it.
pub(crate) fn check(facelets: &str, events: &[(&str, Value)]) -> Value {
    let ((name, result), before) = events.split_last().expect("events");
    assert_eq!(*name, "result", "{result}");
    assert_solves(facelets, result);
    let (mut length, mut bound, mut nodes, mut elapsed) = (u64::MAX, 0, 0, 0);
    for (name, data) in before {
        match *name {
            "solution" => {
                assert_solves(facelets, data);
                let shorter = data["length"].number();
                assert!(shorter < length, "{shorter} after {length}");
                length = shorter;
                assert_eq!(list_of::<u64>(&data["phases"]["lengths"]).iter().sum::<u64>(), length, "{data}");
            }
            "lower_bound" => {
                let higher = data["lower_bound"].number();
                assert!(higher > bound, "{higher} after {bound}");
                bound = higher;
            }
            other => panic!("{other}: {data}"),
        }
        assert!(bound <= length);
        let (now_nodes, now) = (data["nodes"].number(), data["elapsed_us"].number());
        assert!(now_nodes >= nodes && now >= elapsed, "{data}");
        (nodes, elapsed) = (now_nodes, now);
    }
    assert_eq!((result["length"].as_u64(), result["lower_bound"].as_u64()), (Some(length), Some(bound)));
    result.clone()
}

#[tokio::test]
async fn a_stream_reports_solutions_until_the_time_limit() {
    let answer = post(ready(), "/solve/stream", json!({"facelets": SUPERFLIP, "time_limit_ms": 300})).await;
    assert_eq!((answer.header("cache-control"), answer.header("x-accel-buffering")), ("no-cache", "no"));
    let result = check(SUPERFLIP, &events(&answer));
    // The time is too short to prove that 20 is the least, and 20 moves would have been enough for POST /solve.
    assert_eq!(result["stopped_by"], "time_limit");
    // Its wait for a thread counts too.
    assert!(result["queue_us"].number() + result["elapsed_us"].number() >= 250_000, "{result}");
}

#[tokio::test]
async fn a_target_ends_it_early_and_a_proof_too() {
    let request = json!({"facelets": SUPERFLIP, "target_length": 24, "time_limit_ms": 20000}).to_string();
    let result = check(SUPERFLIP, &events(&post(ready(), "/solve/stream", request).await));
    assert_eq!(result["stopped_by"], "target_length");
    let answer = get(ready(), "/solve/stream?scramble=R%20U%20R%27%20U%27&time_limit_ms=20000").await;
    let result = check(SEXY, &events(&answer));
    assert_eq!((&result["stopped_by"], &result["length"]), (&json!("proven_optimal"), &json!(4)));
    // The last event is what POST /solve answers.
    let whole = post(ready(), "/solve", json!({"scramble": "R U R' U'"})).await.ok();
    for member in ["solution", "phases", "facelets", "lower_bound", "proven_optimal"] {
        assert_eq!(result[member], whole[member]);
    }
}

#[tokio::test]
async fn refusals_before_the_search_have_their_status() {
    for (body, status, code) in [
        ("{", 400, "malformed_json"),
        (r#"{"scramble": "R", "goal": 3}"#, 400, "unknown_field"),
        (r#"{"scramble": "R", "target_length": 31}"#, 422, "option_out_of_range"),
    ] {
        post(ready(), "/solve/stream", body).await.problem(status, code);
    }
    get(ready(), "/solve/stream?scramble=Q").await.problem(422, "notation");
    get(ready(), "/solve/stream").await.problem(422, "cube_form");
    post(starting(), "/solve/stream", r#"{"scramble": "R"}"#).await.problem(503, "tables_not_ready");
    let request = Request::put("/solve/stream").body(Body::empty()).unwrap();
    assert_eq!(send(ready(), request).await.status, StatusCode::METHOD_NOT_ALLOWED);

    let state = ready_state(config_with(|config| (config.search.threads, config.search.queue_length) = (1, 0)));
    let _busy = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    get(app(state.clone()), "/solve/stream?scramble=R").await.problem(503, "overloaded");
}

/// Returns the only event of a response to an `EventSource`, which is a problem.
fn problem_event(answer: &Answer) -> Value {
    let events = events(answer);
    let [("problem", problem)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(problem["request_id"], answer.header("x-request-id"));
    problem.clone()
}

#[tokio::test]
async fn an_event_source_gets_a_refusal_as_an_event() {
    const ACCEPT: [(&str, &str); 1] = [("accept", "text/event-stream")];
    for (uri, status, code) in [
        ("/solve/stream?scramble=Q", 422, "notation"),
        ("/solve/stream", 422, "cube_form"),
        ("/solve/stream?scramble=R&goal=3", 400, "unknown_field"),
        ("/steps/stream?scramble=R&steps=EO+%3E+X", 422, "option_out_of_range"),
        ("/nowhere/stream", 404, "not_found"),
    ] {
        let ordinary = get(ready(), uri).await.problem(status, code);
        let event = problem_event(&get_with(ready(), uri, &ACCEPT).await);
        for member in ["status", "code", "detail", "field"] {
            assert_eq!(event[member], ordinary[member], "{uri}");
        }
    }
    let without_tables = get_with(starting(), "/solve/stream?scramble=R", &ACCEPT).await;
    assert_eq!(problem_event(&without_tables)["status"], 503);
    let solved = get_with(ready(), "/solve/stream?scramble=R", &ACCEPT).await;
    assert_eq!(events(&solved).last().unwrap().0, "result");
    // Clients that can read an error response get one.
    for accept in ["*/*", "text/event-stream, application/problem+json", "text/event-stream, application/json"] {
        get_with(ready(), "/solve/stream?scramble=Q", &[("accept", accept)]).await.problem(422, "notation");
    }
    let mut posted = json_request("/solve/stream", r#"{"scramble": "Q"}"#);
    posted.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
    send(ready(), posted).await.problem(422, "notation");
}

#[tokio::test]
async fn an_event_source_gets_a_rejection_of_its_client_as_an_event() {
    let state = state(
        config_with(|config| (config.server.requests_per_second, config.server.request_burst) = (1, 1)),
        Readiness::starting(),
    );
    let router = app(state);
    let asked = async || {
        let mut request = request(&Method::GET, "/solve/stream?scramble=Q", &[("accept", "text/event-stream")]);
        request.extensions_mut().insert(ClientId::at("10.0.0.1".parse().unwrap()));
        send(&router, request).await
    };
    assert_eq!(problem_event(&asked().await)["status"], 422);
    let limited = asked().await;
    let problem = problem_event(&limited);
    assert_eq!((&problem["status"], &problem["code"]), (&json!(429), &json!("rate_limited")));
    assert_eq!(problem["retry_after_s"].to_string(), limited.header("retry-after"));
}

#[tokio::test]
async fn a_search_without_an_answer_ends_with_a_problem() {
    let request = json!({"facelets": SUPERFLIP, "max_length": 5, "time_limit_ms": 1000}).to_string();
    let answer = post(ready(), "/solve/stream", request).await;
    let events = events(&answer);
    let (name, problem) = events.last().unwrap();
    assert_eq!((*name, &problem["code"]), ("problem", &json!("no_solution_within_limits")));
    assert_eq!((&problem["status"], &problem["max_length"]), (&json!(422), &json!(5)));
    assert_eq!(problem["request_id"], answer.header("x-request-id"));
}

#[tokio::test]
async fn silence_is_filled() {
    let request = json_request("/solve/stream", json!({"facelets": SUPERFLIP, "time_limit_ms": 30_000}).to_string());
    let mut events = ready().oneshot(request).await.unwrap().into_body();
    let comment = loop {
        let event = events.frame().await.expect("it goes on").unwrap().into_data().unwrap();
        if event.starts_with(b":") {
            break event;
        }
    };
    assert_eq!(*comment, *b": searching\n\n");
}

#[tokio::test]
async fn stopping_the_service_ends_the_stream_with_a_problem() {
    let (server, state) = Server::ready(|config| config.server.drain_timeout_ms = 50).await;
    let uri = format!("/solve/stream?facelets={SUPERFLIP}&time_limit_ms=30000");
    let caller = wire::send(server.address, &wire::get(&uri)).await;
    eventually("it runs", || state.lanes.long().in_flight() == 1).await;
    server.stopped().await;
    let text = wire::rest(caller).await;
    assert!(text.contains("event: problem") && text.contains("shutting_down"), "{text}");
}
