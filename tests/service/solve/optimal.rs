//! Proven shortest answers over HTTP: what is asked, what is refused, and what is found.

use std::sync::LazyLock;

use crate::common::canonical;
use crate::common::near::Ball;
use crate::common::prelude::*;

pub(crate) const KEY: fn() -> SetKey = || SetKey::proofs(Metric::Htm, Size::S);

pub(crate) static TABLE: LazyLock<TableSet> =
    LazyLock::new(|| TableSet::open(KEY(), &tables_folder(), &Control::new()).expect("a table"));

/// The state of the table, which is configured.
pub(crate) fn table_of(state: &AppState) -> Readiness {
    state.shelf.readiness(KEY()).expect("it is on")
}

/// The defaults, with the smallest table and two threads for it.
pub(crate) fn enabled() -> Config {
    config_with(|config| (config.optimal.table, config.optimal.threads) = (Some(Size::S), 2))
}

pub(crate) fn proving_state(config: Config) -> AppState {
    let state = ready_state(config);
    table_of(&state).set(TableState::Ready(TABLE.clone()));
    state
}

fn proving() -> Router {
    app(proving_state(enabled()))
}

/// Checks what every answer has that claims to be shortest, and returns its length.
#[track_caller]
fn assert_proven(facelets: &str, body: &Value) -> usize {
    let length = assert_solves(facelets, body);
    assert_eq!(stickers::form_fault(body["solution"].text()), None);
    assert_eq!((&body["proven_optimal"], &body["stopped_by"]), (&json!(true), &json!("proven_optimal")), "{body}");
    assert_eq!((&body["facelets"], &body["lower_bound"]), (&json!(facelets), &json!(length)), "{body}");
    length
}

static BALL: LazyLock<Ball> = LazyLock::new(Ball::new);

#[tokio::test]
async fn the_record_of_a_proof_can_be_repeated() {
    let cube = letters(&walk(&mut rng(59), 13, &Move::ALL));
    let body = json!({"facelets": cube, "optimal": true, "threads": 1});
    let state = proving_state(enabled());
    let mut records = Vec::new();
    for _ in 0..2 {
        let answer = post(app(state.clone()), "/solve", body.clone()).await.ok();
        let mut proof = answer["proof"].clone();
        let iterations = proof["iterations"].as_array_mut().expect("a list");
        assert_eq!(
            iterations.iter().map(|each| each["nodes"].as_u64().expect("a number")).sum::<u64>(),
            answer["nodes"]
        );
        assert_plain(iterations);
        let last = iterations.last().expect("an iteration");
        assert_eq!((&last["lower_bound"], &last["best_length"]), (&answer["length"], &answer["length"]), "{answer}");
        for iteration in iterations {
            iteration.as_object_mut().expect("an object").remove("elapsed_us").expect("a duration");
        }
        records.push(proof);
    }
    assert_eq!(records[0], records[1]);
    let table = get(app(state), "/tables/optimal_s").await.ok();
    let cited = &records[0]["table"];
    let file = format!("{}-{}.tbl", cited["name"].text(), cited["recipe"].text());
    assert_eq!(table["file"]["name"], file, "{table}");
    let plain = post(ready(), "/solve", json!({"facelets": cube})).await.ok();
    assert!(plain.get("proof").is_none(), "{plain}");
    let near = post(ready(), "/solve", json!({"scramble": "R U F", "optimal": true})).await.ok();
    assert_eq!((&near["proof"]["table"], &near["proof"]["iterations"][0]["search"]), (&json!(null), &json!("near")));
}

/// Asserts that each iteration is one search: only the two-phase search has no length, the near search tries one length after the other,
/// and bounds rise.
fn assert_plain(iterations: &[Value]) {
    assert_eq!(iterations[0]["search"], "near", "{iterations:?}");
    for iteration in iterations {
        assert_eq!(iteration["length"].is_null(), iteration["search"] == "two_phase", "{iteration}");
    }
    let near = iterations.iter().take_while(|iteration| iteration["search"] == "near");
    let lengths: Vec<_> = near.map(|iteration| iteration["length"].number()).collect();
    assert!(lengths.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{lengths:?}");
    let bounds: Vec<_> = iterations.iter().map(|iteration| iteration["lower_bound"].number()).collect();
    assert!(bounds.is_sorted(), "{bounds:?}");
}

#[tokio::test]
async fn a_proof_without_its_end_has_a_record() {
    let state = proving_state(enabled());
    let far = json!({"facelets": SUPERFLIP, "optimal": true, "time_limit_ms": 300});
    let answer = post(app(state), "/solve", far.clone()).await.ok();
    assert_eq!((&answer["proven_optimal"], &answer["stopped_by"]), (&json!(false), &json!("time_limit")));
    let iterations = answer["proof"]["iterations"].list();
    assert_plain(iterations);
    assert!(iterations.iter().any(|iteration| iteration["search"] == "two_phase"), "{answer}");
    assert_eq!(iterations.last().expect("an iteration")["lower_bound"], answer["lower_bound"]);

    // Without a thread for the table, the record ends before it.
    let mut config = enabled();
    (config.search.long_threads, config.search.queue_length) = (1, 0);
    let state = proving_state(config);
    let _busy = hold(&state, |state| state.lanes.long(), 1, 1).await;
    let answer = post(app(state), "/solve", far).await.ok();
    assert_eq!((&answer["stopped_by"], &answer["proof"]["table"]), (&json!("overloaded"), &json!(null)), "{answer}");
    let iterations = answer["proof"]["iterations"].list();
    assert_plain(iterations);
    assert_eq!(iterations.last().expect("an iteration")["search"], "two_phase");
    assert_eq!(iterations.iter().map(|each| each["nodes"].number()).sum::<u64>(), answer["nodes"].number());
}

#[tokio::test]
async fn a_cube_beyond_the_near_search_is_proven_with_the_table() {
    // One move more than is proven without a table. The inverse of the walk solves the cube in 11 moves.
    let cube = walk(&mut rng(50), 11, &Move::ALL);
    let facelets = letters(&cube);
    let answer = get(proving(), &format!("/solve/{facelets}?optimal=true&threads=2")).await.ok();
    let shortest = (0..11).find(|&length| BALL.count_solutions(&cube, length) > 0).unwrap_or(11);
    assert_eq!(assert_proven(&facelets, &answer), usize::from(shortest), "{answer}");
}

#[tokio::test]
async fn the_query_asks_for_a_proof_too_and_false_asks_for_none() {
    let cube = walk(&mut rng(51), 12, &Move::ALL);
    let facelets = letters(&cube);
    let length =
        assert_proven(&facelets, &get(proving(), &format!("/solve?facelets={facelets}&optimal=true")).await.ok());
    assert!(length <= 12);
    let body = json!({"facelets": facelets, "max_length": length, "optimal": true}).to_string();
    assert_eq!(assert_proven(&facelets, &post(proving(), "/solve", body).await.ok()), length);
    let body = json!({"facelets": facelets, "max_length": length - 1, "optimal": true}).to_string();
    let refusal = post(proving(), "/solve", body).await.problem(422, "no_solution_within_limits");
    assert_eq!(refusal["lower_bound"], json!(length));
    // The best that was found on the way, which on a busy machine may be longer.
    assert!(refusal["best_length"].as_u64().is_some_and(|best| best >= length as u64), "{refusal}");
    let plain =
        post(proving(), "/solve", json!({"facelets": SUPERFLIP, "optimal": false, "target_length": 24})).await.ok();
    assert_eq!(plain["stopped_by"], "target_length");
    get(proving(), "/solve?scramble=R&optimal=yes").await.problem(400, "invalid_field");
}

/// Requests for a proof of this cube by every route, and their answers: the document of a 200, or the problem.
pub(crate) async fn prove_by_every_route(router: &Router, facelets: &str) -> Vec<Value> {
    let body = json!({"facelets": facelets, "optimal": true}).to_string();
    let mut answers = Vec::new();
    for answer in [
        post(router, "/solve", body.clone()).await,
        get(router, &format!("/solve?facelets={facelets}&optimal=true")).await,
        get(router, &format!("/solve/{facelets}?optimal=true&threads=1")).await,
    ] {
        answers.push(answer.json());
    }
    for answer in [
        post(router, "/solve/stream", body.clone()).await,
        get(router, &format!("/solve/stream?facelets={facelets}&optimal=true")).await,
    ] {
        answers.push(if answer.status == StatusCode::OK {
            let (name, last) = events(&answer).pop().expect("an event");
            assert_eq!(name, "result", "what cannot be proven is told by the status");
            last
        } else {
            answer.json()
        });
    }
    for (uri, line) in
        [("/solve/batch", body.clone()), ("/solve/batch?optimal=true", json!({"facelets": facelets}).to_string())]
    {
        let mut lines = batch(router, uri, line).await;
        assert_eq!(lines.len(), 1, "{lines:?}");
        let mut line = lines.remove(0);
        answers.push(if line["problem"].is_null() { line } else { line["problem"].take() });
    }
    answers
}

#[tokio::test]
async fn near_cubes_are_proven_by_every_route_with_or_without_a_table() {
    let mut rng = rng(56);
    let waiting = ready_state(enabled());
    let failed = ready_state(enabled());
    table_of(&failed).set(TableState::Failed { reason: "no storage space".into() });
    let routers = [ready(), app(waiting), app(failed), proving()];
    let mut lengths = HashSet::new();
    for length in [0, 1, 3, 5, 6, 8, 10] {
        let cube = walk(&mut rng, length, &Move::ALL);
        let (facelets, (shortest, _)) = (letters(&cube), BALL.shortest(&cube, 10));
        lengths.insert(shortest);
        for router in &routers {
            for answer in prove_by_every_route(router, &facelets).await {
                assert_eq!(assert_proven(&facelets, &answer), usize::from(shortest), "{answer}");
                assert_eq!(answer["phases"]["method"], "near");
            }
        }
    }
    assert!(lengths.contains(&10), "{lengths:?}");
    // The bound that it does not meet is proven too.
    let request = json!({"scramble": "R U F", "optimal": true, "max_length": 2}).to_string();
    let refusal = post(ready(), "/solve", request).await.problem(422, "no_solution_within_limits");
    assert_eq!((&refusal["best_length"], &refusal["lower_bound"]), (&json!(3), &json!(3)));
    let request = json!({"facelets": SUPERFLIP, "optimal": true, "max_length": 10}).to_string();
    let refusal = post(ready(), "/solve", request).await.problem(422, "no_solution_within_limits");
    assert!(refusal["lower_bound"].as_u64().is_some_and(|bound| bound > 10), "{refusal}");
}

#[tokio::test]
async fn options_that_make_no_sense_together_are_refused() {
    for (options, field) in [
        (json!({"target_length": 20, "optimal": true}), "target_length"),
        (json!({"solutions": 2, "optimal": true}), "solutions"),
        (json!({"all_solutions": true}), "all_solutions"),
        (json!({"all_solutions": true, "optimal": false}), "all_solutions"),
        (json!({"time_limit_ms": 120_001, "optimal": true}), "time_limit_ms"),
        (json!({"time_limit_ms": 60_000}), "time_limit_ms"),
        (json!({"threads": 3, "optimal": true}), "threads"),
        (json!({"solutions": 101, "optimal": true, "all_solutions": true}), "solutions"),
    ] {
        let mut request = options;
        request["scramble"] = json!("R U F");
        for uri in ["/solve", "/solve/stream"] {
            let problem = post(proving(), uri, &request).await.problem(422, "option_out_of_range");
            assert_eq!(problem["field"], field, "{request}: {problem}");
        }
    }
    // The limits of proofs apply.
    let most = json!({"scramble": "R U F", "time_limit_ms": 120_000, "threads": 2, "optimal": true});
    post(proving(), "/solve", &most).await.ok();
    post(proving(), "/solve", r#"{"scramble": "R", "prove": true}"#).await.problem_with(
        400,
        "unknown_field",
        &["did you mean `optimal`"],
    );
}

#[tokio::test]
async fn the_deadline_returns_the_best_solution_and_bound() {
    let facelets = letters(&scrambled(&mut rng(52)));
    let body = json!({"facelets": facelets, "optimal": true, "time_limit_ms": 400}).to_string();
    let answer = post(proving(), "/solve", body).await.ok();
    assert_eq!((&answer["proven_optimal"], &answer["stopped_by"]), (&json!(false), &json!("time_limit")), "{answer}");
    assert!(stickers::solves(&facelets, answer["solution"].text()));
    let (length, bound) = (answer["length"].number(), answer["lower_bound"].number());
    assert!((11..length).contains(&bound) && length <= 22, "{answer}");
    // Its wait for a thread counts too.
    assert!(answer["queue_us"].number() + answer["elapsed_us"].number() >= 300_000, "{answer}");
}

#[tokio::test]
async fn all_solutions_equal_an_exhaustive_search() {
    let mut rng = rng(55);
    let mut cubes: Vec<Cube> = [2, 4, 5, 6, 7, 8, 9].map(|length| walk(&mut rng, length, &Move::ALL)).into();
    // Half turns about two axes, and the chequerboard, have several.
    for maneuver in [
        vec![Move::R2, Move::U2, Move::R2, Move::U2, Move::R2, Move::U2],
        vec![Move::U2, Move::D2, Move::R2, Move::L2, Move::F2, Move::B2],
        vec![Move::U, Move::D, Move::R2],
    ] {
        cubes.push(Cube::SOLVED.after(&maneuver));
    }
    let mut several = 0;
    for cube in cubes {
        let (length, count) = BALL.shortest(&cube, 9);
        several += u32::from(count > 2);
        let facelets = letters(&cube);
        for (limit, threads) in [(None, 2), (Some(2), 1)] {
            let request = json!({"facelets": facelets, "optimal": true, "all_solutions": true, "solutions": limit, "threads": threads});
            let answer = post(proving(), "/solve", &request).await.ok();
            assert_eq!(assert_proven(&facelets, &answer), usize::from(length));
            assert_eq!(answer["optimal_solutions"], count, "{answer}");
            // The near search finds the same ones without a table.
            let without = json!({"facelets": facelets, "optimal": true, "all_solutions": true, "solutions": limit});
            let without = post(ready(), "/solve", &without).await.ok();
            assert_eq!(assert_proven(&facelets, &without), usize::from(length));
            assert_eq!(without["optimal_solutions"], count, "{without}");
            let moves =
                |answer: &Value| answer["solutions"].list().iter().map(|one| one["moves"].clone()).collect::<Vec<_>>();
            assert_eq!(moves(&without), moves(&answer));
            let listed = answer["solutions"].list();
            assert_eq!(listed.len() as u64, count.min(limit.unwrap_or(100)), "{answer}");
            assert_eq!(listed[0]["solution"], answer["solution"]);
            let moves = |one: &Value| canonical(&one["solution"].text().parse::<Moves>().unwrap());
            let different: HashSet<Vec<Move>> = listed.iter().map(moves).collect();
            assert_eq!(different.len(), listed.len(), "{answer}");
            for one in listed {
                assert_eq!(one["length"], length);
                assert!(stickers::solves(&facelets, one["solution"].text()), "{one}");
            }
        }
    }
    assert!(several >= 2, "hardly a cube had several");
    let plain = post(proving(), "/solve", r#"{"scramble": "R U F", "optimal": true}"#).await.ok();
    assert!(plain.get("optimal_solutions").is_none() && plain.get("solutions").is_none(), "{plain}");
    // A batch takes it as any option.
    let lines = "{\"scramble\": \"U2 D2 R2\"}\n{\"scramble\": \"R U\", \"all_solutions\": false}\n";
    let lines = batch(proving(), "/solve/batch?optimal=true&all_solutions=true", lines).await;
    assert_eq!((&lines[0]["optimal_solutions"], lines[0]["solutions"].list().len()), (&json!(1), 1));
    assert!(lines[1].get("optimal_solutions").is_none());
}

#[tokio::test]
async fn solutions_that_were_not_all_found_are_not_counted() {
    // It has one of twenty moves, which cannot be proven in this time.
    let request = json!({"facelets": SUPERFLIP, "optimal": true, "all_solutions": true, "time_limit_ms": 200});
    let answer = post(proving(), "/solve", &request).await.ok();
    assert_eq!((&answer["stopped_by"], &answer["proven_optimal"]), (&json!("time_limit"), &json!(false)));
    assert!(answer.get("optimal_solutions").is_none(), "{answer}");
    assert_eq!(answer["solutions"].list().len(), 1);
}

#[tokio::test]
async fn a_stream_tells_the_bound_as_it_rises_to_the_proof() {
    // Long enough that several lengths are exhausted.
    let cube = walk(&mut rng(53), 14, &Move::ALL);
    let facelets = letters(&cube);
    let body = json!({"facelets": facelets, "optimal": true, "threads": 2}).to_string();
    let answer = post(proving(), "/solve/stream", body).await;
    let events = events(&answer);
    let result = super::stream::check(&facelets, &events);
    assert_proven(&facelets, &result);
    let rises = events.iter().filter(|(name, _)| *name == "lower_bound").count();
    assert!(rises >= 3, "{events:?}");
    let nodes = |data: &Value| data["nodes"].number();
    assert!(events.iter().all(|(_, data)| nodes(&result) >= nodes(data)), "{events:?}");
    // And from a browser.
    let answer = get(proving(), &format!("/solve/stream?facelets={SEXY}&optimal=true")).await;
    assert_eq!(assert_proven(SEXY, &crate::common::in_process::events(&answer).pop().unwrap().1), 4);
}

#[tokio::test]
async fn a_batch_proves_the_lines_that_ask_for_it() {
    let mut rng = rng(54);
    let cubes: Vec<String> = (0..12).map(|_| letters(&walk(&mut rng, 12, &Move::ALL))).collect();
    let ask = |facelets: &String, optimal: bool| json!({"facelets": facelets, "optimal": optimal}).to_string() + "\n";
    // Every other line, among searches without a proof.
    let body: String = cubes.iter().enumerate().map(|(line, cube)| ask(cube, line % 2 == 0)).collect();
    let mixed = batch(proving(), "/solve/batch?target_length=22", body).await;
    let body: String = cubes.iter().map(|cube| json!({"facelets": cube}).to_string() + "\n").collect();
    let proven = batch(proving(), "/solve/batch?optimal=true&time_limit_ms=60000", body).await;
    assert_eq!((mixed.len(), proven.len()), (12, 12));
    for (line, facelets) in cubes.iter().enumerate() {
        assert_eq!((&mixed[line]["line"], &proven[line]["line"]), (&json!(line + 1), &json!(line + 1)));
        let length = assert_proven(facelets, &proven[line]);
        if line % 2 == 0 {
            assert_eq!(assert_proven(facelets, &mixed[line]), length);
        } else {
            assert!(stickers::solves(facelets, mixed[line]["solution"].text()));
            assert!(mixed[line]["length"].number() >= length as u64);
        }
    }
    assert!(mixed.iter().any(|line| line["stopped_by"] == "target_length"), "none was solved without a proof");
    let request = batch_request("/solve/batch?optimal=true&target_length=20", "");
    send(proving(), request).await.problem(422, "option_out_of_range");
}

#[tokio::test]
async fn a_line_that_cannot_be_proven_harms_no_other() {
    let body = format!("{{\"facelets\": \"{SUPERFLIP}\", \"optimal\": true}}\n{{\"scramble\": \"R U F\"}}\n");
    let lines = batch(ready(), "/solve/batch", body.clone()).await;
    assert_eq!((&lines[0]["line"], &lines[0]["problem"]["code"]), (&json!(1), &json!("optimal_not_enabled")));
    assert_eq!((&lines[1]["line"], &lines[1]["length"]), (&json!(2), &json!(3)));
    let state = ready_state(enabled());
    let lines = batch(app(state), "/solve/batch", body).await;
    assert_eq!(lines[0]["problem"]["code"], "optimal_table_not_ready");
    assert_eq!(lines[1]["length"], 3);
}

#[tokio::test]
async fn a_proof_refused_by_the_long_lane_has_a_solution() {
    let mut config = enabled();
    (config.search.long_threads, config.search.queue_length) = (1, 0);
    let state = proving_state(config);
    let _busy = hold(&state, |state| state.lanes.long(), 1, 1).await;
    let near = r#"{"scramble": "R U F", "optimal": true}"#;
    let answer = post(app(state.clone()), "/solve", near).await.ok();
    assert_eq!((&answer["proven_optimal"], &answer["stopped_by"]), (&json!(true), &json!("proven_optimal")));
    let far = json!({"facelets": SUPERFLIP, "optimal": true}).to_string();
    let answer = post(app(state.clone()), "/solve", far.clone()).await.ok();
    assert_eq!((&answer["proven_optimal"], &answer["stopped_by"]), (&json!(false), &json!("overloaded")));
    assert!(stickers::is_solved(&stickers::apply(SUPERFLIP, answer["solution"].text())));
    // Without the table only near cubes are proven, in the quick lane.
    table_of(&state).set(TableState::Failed { reason: "no storage space".into() });
    post(app(state.clone()), "/solve", near).await.ok();
    post(app(state.clone()), "/solve", far).await.problem(503, "optimal_table_failed");
}

#[tokio::test]
async fn a_proof_stops_when_its_client_disconnects() {
    let state = proving_state(enabled());
    let router = app(state.clone());
    let body = json!({"facelets": SUPERFLIP, "optimal": true, "threads": 2}).to_string();
    let asking = tokio::spawn(async move { post(router, "/solve", body).await.status });
    eventually("it is searched", || state.lanes.long().in_flight() == 1).await;
    asking.abort();
    eventually("the search has stopped", || state.lanes.long().in_flight() == 0).await;
}
