//! Every endpoint and every refusal, in memory.

use superflip::http::middleware;

use crate::common::prelude::*;

/// Replays an answer on the cube it was given for, and checks what must agree in every answer.
#[track_caller]
fn check_solution(answer: &Answer, cube: &Cube) -> Value {
    let body = answer.ok();
    let length = assert_solves(body["facelets"].text(), &body);
    let moves = body["solution"].text().parse::<Moves>().expect("face moves");
    assert!(cube.after(&moves).is_solved() && body["solution"] == moves.to_string(), "{body}");
    assert_eq!(list_of::<usize>(&body["phases"]["lengths"]).iter().sum::<usize>(), length);
    assert!(body["lower_bound"].number() <= length as u64);
    for member in ["nodes", "elapsed_us", "queue_us"] {
        assert!(body[member].is_u64(), "{member}");
    }
    body
}

#[tokio::test]
async fn every_form_of_a_cube_is_solved() {
    let cube = Cube::from_facelets(SUPERFLIP).unwrap();
    let cubies = cubies(0, 1, 1);
    let colours: String = SUPERFLIP.chars().map(|c| "WRGYOB".chars().nth("URFDLB".find(c).unwrap()).unwrap()).collect();
    for form in [json!({"facelets": SUPERFLIP}), json!({"facelets": colours}), json!({"cubies": cubies})] {
        let mut request = form.clone();
        request["target_length"] = json!(22);
        let body = check_solution(&post(ready(), "/solve", &request).await, &cube);
        assert_eq!(body["facelets"], SUPERFLIP);
        assert_eq!(body["phases"]["method"], "two_phase");
        assert!(["UD", "RL", "FB"].contains(&body["phases"]["axis"].text()));
    }
    let cube = Cube::from_scramble("R U R' U'").unwrap();
    let body = check_solution(&post(ready(), "/solve", r#"{"scramble": "R U R' U'"}"#).await, &cube);
    assert_eq!((&body["solution"], &body["facelets"]), (&json!("U R U' R'"), &json!(SEXY)));
    assert_eq!((&body["proven_optimal"], &body["lower_bound"]), (&json!(true), &json!(4)));
}

#[tokio::test]
async fn a_browser_gets_the_same_answers() {
    let cube = Cube::from_facelets(SEXY).unwrap();
    for uri in [
        format!("/solve/{SEXY}"),
        format!("/solve/{SEXY}?target_length=20&max_length=20&time_limit_ms=500"),
        format!("/solve?facelets={SEXY}"),
        "/solve?scramble=R%20U%20R'%20U'".to_owned(),
        "/solve?scramble=R+U+R'+U'&time_limit_ms=500".to_owned(),
    ] {
        assert_eq!(check_solution(&get(ready(), &uri).await, &cube)["length"], 4, "{uri}");
    }
}

#[tokio::test]
async fn a_solved_cube_needs_nothing() {
    let body = check_solution(&get(ready(), &format!("/solve/{SOLVED}")).await, &Cube::SOLVED);
    assert_eq!((&body["solution"], &body["moves"], &body["length"]), (&json!(""), &json!([]), &json!(0)));
    assert_eq!(body["proven_optimal"], true);
}

#[tokio::test]
async fn a_reid_string_is_refused_in_either_field() {
    let reid = "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR";
    for uri in ["/solve", "/explain", "/coords"] {
        let advice = ["Send it in `cube`"];
        let answer = post(ready(), uri, json!({"scramble": reid})).await;
        assert_eq!(answer.problem_with(422, "notation", &advice)["position"], 0);
        let answer = post(ready(), uri, json!({"facelets": reid})).await;
        let document = answer.problem_with(422, "impossible_cube", &advice);
        let violations = document["violations"].list();
        assert_eq!((violations.len(), &violations[0]["code"]), (1, &json!("reid_string")), "{document}");
    }
}

#[tokio::test]
async fn an_impossible_cube_is_refused_with_every_violation() {
    // One corner twisted and one edge flipped, besides each other.
    let cubies = json!({"cubies": cubies(1, 1, 0)});
    for uri in ["/solve", "/coords"] {
        let document = post(ready(), uri, &cubies).await.problem(422, "impossible_cube");
        let violations = document["violations"].list();
        assert_eq!(violations.len(), 2, "{document}");
        for violation in violations {
            assert!(violation["code"].is_string() && violation["message"].is_string());
            assert!(violation["slots"].is_array() && violation["pieces"].is_array());
            assert_eq!(violation["stickers"], json!([]));
            assert!(violation["kociemba"].is_u64());
        }
    }
    get(ready(), "/solve?facelets=UUU").await.problem(422, "impossible_cube");
    // Sticker R1 of the solved cube read as L: the stickers are told as indices.
    let facelets = "UUUUUUUUULRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    let document = get(ready(), &format!("/solve/{facelets}")).await.problem(422, "impossible_cube");
    let told = |code: &str| {
        let violation = document["violations"].list().iter().find(|violation| violation["code"] == code);
        violation.unwrap_or_else(|| panic!("{document}"))["stickers"].clone()
    };
    assert_eq!(told("symbol_count"), json!([9]));
    assert_eq!(told("impossible_corner"), json!([8, 9, 20]));
    assert_eq!(told("missing_corner"), json!([]));
}

#[tokio::test]
async fn a_length_that_cannot_be_met_is_told_with_the_best_one() {
    let body = json!({"facelets": SUPERFLIP, "max_length": 5, "time_limit_ms": 300});
    let document = post(ready(), "/solve", &body).await.problem(422, "no_solution_within_limits");
    assert_eq!(document["max_length"], 5);
    assert!(document["best_length"].number() >= 20 && document["lower_bound"].is_u64(), "{document}");
}

#[tokio::test]
async fn json_that_cannot_be_read_is_refused_with_the_place() {
    let document = post(starting(), "/solve", "{\n  \"facelets\": oops}").await.problem(400, "malformed_json");
    assert_eq!((&document["line"], &document["column"]), (&json!(2), &json!(15)));
    for (body, fault) in [
        ("{\"facelets\": \"U\"", "the text ends inside an object"),
        ("{\"facelets\": \"U", "the text ends inside a string"),
        ("{\"facelets\":", "the text ends where a value is expected"),
    ] {
        let document = post(starting(), "/solve", body).await.problem(400, "malformed_json");
        assert!(document["detail"].text().contains(fault), "{document}");
    }
}

#[tokio::test]
async fn an_unknown_field_is_refused_with_the_right_one() {
    for (name, meant) in [
        ("kpattern", "cube"),
        ("niss", "inverse_moves"),
        ("cubestring", "facelets"),
        ("cube_string", "facelets"),
        ("state", "facelets"),
        ("input", "facelets"),
        ("Facelets", "facelets"),
        ("alg", "scramble"),
        ("scrambel", "scramble"),
        ("maxDepth", "max_length"),
        ("timeout", "time_limit_ms"),
        ("time_limit", "time_limit_ms"),
        ("targetLength", "target_length"),
    ] {
        let body = json!({name: SOLVED}).to_string();
        for answer in [post(starting(), "/solve", body).await, get(starting(), &format!("/solve?{name}=x")).await] {
            let meant = format!("did you mean `{meant}`?");
            assert_eq!(answer.problem_with(400, "unknown_field", &[&meant])["field"], name);
        }
    }
    let document = post(starting(), "/coords", r#"{"time_limit_ms": 1}"#).await.problem(400, "unknown_field");
    assert!(!document["detail"].text().contains("did you mean"), "{document}");
}

#[tokio::test]
async fn a_body_that_is_not_declared_as_json_is_refused() {
    let undeclared = Request::post("/solve").body(Body::from("{}")).unwrap();
    send(starting(), undeclared).await.problem(415, "unsupported_media_type");
    for declared in ["application/json; charset=utf-8", "Application/JSON", "application/vnd.cube+json"] {
        send(starting(), post_request("/solve", declared, "{}")).await.problem(422, "cube_form");
    }
}

#[tokio::test]
async fn a_long_body_is_refused_at_the_limit() {
    let padded = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    post(starting(), "/solve", padded(65_536)).await.problem(422, "cube_form");
    let refused = post(starting(), "/solve", padded(65_537)).await;
    refused.problem(413, "body_too_large");
    assert_eq!(refused.header("connection"), "close");
}

#[tokio::test]
async fn nothing_is_found_and_nothing_is_allowed_as_documents() {
    get(starting(), "/nowhere").await.problem(404, "not_found");
    get(starting(), "/solve/a/b").await.problem(404, "not_found");
    get(starting(), "/solve/%ff").await.problem(400, "invalid_path");
    for (uri, allowed) in [("/solve", ["GET", "HEAD", "POST"].as_slice()), ("/livez", &["GET", "HEAD"])] {
        let answer = send(starting(), request(&Method::DELETE, uri, &[])).await;
        answer.problem(405, "method_not_allowed");
        let header = answer.header("allow");
        assert!(allowed.iter().all(|method| header.contains(method)), "{header}");
    }
}

#[tokio::test]
async fn a_panic_and_a_slow_handler_are_documents_too() {
    async fn panics() -> StatusCode {
        panic!("on purpose")
    }
    async fn never_ends() -> StatusCode {
        std::future::pending().await
    }
    async fn search_panicked() -> Problem {
        Refused::Panicked("on purpose".into()).into()
    }
    let state = state(config_with(|config| config.server.request_timeout_ms = 30), Readiness::starting());
    let routes = Router::new()
        .route("/panics", routing::get(panics))
        .route("/slow", routing::get(never_ends))
        .route("/search", routing::get(search_panicked));
    let router = middleware::around(routes, &state).with_state(state);
    for uri in ["/panics", "/search"] {
        let document = get(&router, uri).await.problem(500, "internal");
        assert!(!document.to_string().contains("on purpose"), "causes stay in the log");
    }
    get(router, "/slow").await.problem(504, "timed_out");
}

#[tokio::test]
async fn before_the_tables_there_is_progress() {
    let readiness = Readiness::starting();
    readiness.set(TableState::Starting(TableProgress {
        stage: LoadStage::Building,
        table: Some("phase_one".into()),
        permille: 420,
    }));
    let router = app(state(config(), readiness.clone()));
    get(&router, "/livez").await.ok();
    for answer in [get(&router, "/readyz").await, get(&router, &format!("/solve/{SOLVED}")).await] {
        let document = answer.problem(503, "tables_not_ready");
        assert_eq!(document["progress"], json!({"stage": "building", "table": "phase_one", "permille": 420}));
    }
    post(&router, "/coords", r#"{"scramble": "R"}"#).await.problem(503, "tables_not_ready");
    readiness.set(TableState::Failed { reason: "secret folder".into() });
    let document = get(&router, "/readyz").await.problem(503, "tables_failed");
    assert!(!document.to_string().contains("secret"));
    readiness.set(TableState::Ready(small_tables().into()));
    let body = get(&router, "/readyz").await.ok();
    assert_eq!((&body["status"], &body["profile"]), (&json!("ready"), &json!("small")));
    assert!(body["bytes"].number() > 1 << 20);
    get(router, &format!("/solve/{SOLVED}")).await.ok();
}

/// Load balancers ask for the tables of the configured profile, because those in use until then are slower.
#[tokio::test]
async fn a_strict_probe_waits_for_the_configured_profile() {
    let readiness = Readiness::starting().with_meanwhile(Tables::in_memory());
    let router = app(state(config(), readiness.clone()));
    assert_eq!(get(&router, "/readyz").await.ok()["profile"], "tiny");
    let problem = get(&router, "/readyz?profile=configured").await.problem(503, "tables_not_ready");
    assert_eq!(problem["progress"], json!({"stage": "opening", "table": null, "permille": 0}));
    readiness.set(TableState::Failed { reason: "a test".into() });
    assert_eq!(get(&router, "/readyz").await.ok()["sets"][0]["status"], "failed");
    let problem = get(&router, "/readyz?profile=configured").await.problem(503, "tables_failed");
    assert!(problem["detail"].text().contains("opened or built: a test."), "{problem}");
    get(&router, "/readyz?profile=tiny").await.problem(422, "option_out_of_range");
    readiness.set(TableState::Ready(small_tables().into()));
    assert_eq!(get(&router, "/readyz?profile=configured").await.ok()["profile"], "small");
}

#[tokio::test]
async fn a_full_queue_and_a_late_turn_are_refused() {
    let state = ready_state(config_with(|config| (config.search.threads, config.search.queue_length) = (1, 1)));
    let router = app(state.clone());
    let holder = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    let late = get(&router, &format!("/solve/{SEXY}?time_limit_ms=20")).await;
    late.problem(503, "deadline_unreachable");
    let waiting = tokio::spawn(get(router.clone(), "/solve?scramble=R&time_limit_ms=30000"));
    eventually("one waits", || state.lanes.quick().queued() == 1).await;
    get(&router, &format!("/solve/{SEXY}")).await.problem(503, "overloaded");
    // Health answers under any load.
    get(&router, "/readyz").await.ok();
    drop(holder);
    assert_eq!(waiting.await.unwrap().ok()["length"], 1);
    state.lanes.stop();
    get(&router, &format!("/solve/{SEXY}")).await.problem(503, "shutting_down");
    get(router, "/readyz").await.problem(503, "shutting_down");
}

#[tokio::test]
async fn coordinates_are_told_for_every_direction() {
    for answer in [post(ready(), "/coords", r#"{"scramble": "F"}"#).await, get(ready(), "/coords?scramble=F").await] {
        let body = answer.ok();
        let directions = body["directions"].list();
        let names: Vec<_> = directions.iter().map(|d| (d["axis"].text(), d["inverse"].as_bool().unwrap())).collect();
        assert_eq!(names, [("UD", false), ("RL", false), ("FB", false), ("UD", true), ("RL", true), ("FB", true)]);
        let first = &directions[0];
        for (name, value) in
            [("twist", 1236), ("flip", 550), ("slice", 33), ("slice_sorted", 793), ("corner_perm", 224)]
        {
            assert_eq!(first[name], value, "{name}");
        }
        assert_eq!(first["flip_slice"]["raw"], 2048 * 33 + 550);
        assert_eq!(first["corner_class"]["raw"], 224);
        assert_eq!(first["phase_one_distance"], 1);
        assert!(first["ud_edges"].is_null() && first["phase_two_bound"].is_null());
        assert!(first["phase_two_reason"].text().contains("twist 1236"));
        // A move of F keeps the axis FB, so there the cube is in phase 2.
        assert_eq!(directions[2]["phase_one_distance"], 0);
        assert_eq!(directions[2]["phase_two_bound"], 1);
        assert!(directions[2]["ud_edges"].is_u64() && directions[2]["phase_two_reason"].is_null());
    }
    let solved = get(ready(), &format!("/coords?facelets={SOLVED}")).await.ok();
    assert_eq!(solved["facelets"], SOLVED);
    for direction in solved["directions"].list() {
        for name in "twist flip slice slice_sorted corner_perm ud_edges phase_one_distance phase_two_bound".split(' ') {
            assert_eq!(direction[name], 0, "{name}");
        }
    }
}

#[tokio::test]
async fn the_index_links_to_existing_routes() {
    for accept in [[].as_slice(), &["application/json"], &["*/*"], &["text/html;q=0.5, application/json"]] {
        let headers: Vec<_> = accept.iter().map(|&accept| ("accept", accept)).collect();
        let index = get_with(starting(), "/", &headers).await.ok();
        for link in index["links"].list().iter().filter(|link| link["method"] == "GET") {
            let status = get(starting(), link["href"].text()).await.status;
            assert!(!matches!(status.as_u16(), 400 | 404 | 405), "{link}: {status}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    for uri in ["/", "/livez", "/metrics", "/openapi.json"] {
        let answer = send(starting(), request(&Method::HEAD, uri, &[])).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::OK, 0), "{uri}");
        assert_eq!(answer.header("content-type"), get(starting(), uri).await.header("content-type"));
    }
}

#[tokio::test]
async fn the_version_names_the_build() {
    let commit = option_env!("BUILD_COMMIT").filter(|commit| !commit.is_empty());
    let profile = config().tables.profile.name();
    let version = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "commit": commit,
        "profile": profile,
        "contract": get(starting(), "/openapi.json").await.ok()["info"]["version"],
    });
    assert_eq!(get(starting(), "/version").await.ok(), version);
}

#[tokio::test]
async fn the_contract_is_served_as_it_is_committed() {
    let yaml = get(starting(), "/openapi.yaml").await;
    assert_eq!(yaml.header("content-type"), "application/yaml");
    assert!(yaml.text().starts_with("openapi: \"3.1."));
    assert_eq!(yaml.text(), include_str!("../../../openapi.yaml"));
    assert!(get(starting(), "/openapi.json").await.ok()["paths"]["/solve"]["post"].is_object());
}

#[tokio::test]
async fn metrics_count_what_was_asked() {
    let router = starting();
    get(&router, "/nowhere/at/all").await;
    get(&router, "/livez").await;
    get(ready(), &format!("/solve/{SEXY}")).await.ok();
    let answer = get(router, "/metrics").await;
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let text = answer.text();
    for line in [
        "superflip_requests_total{method=\"GET\",route=\"/livez\",status=\"200\"}",
        "superflip_requests_total{method=\"GET\",route=\"unmatched\",status=\"404\"}",
        "superflip_request_duration_seconds_bucket{method=\"GET\",route=\"/livez\",le=\"0.001\"}",
        "superflip_rejected_total{lane=\"quick\",reason=\"overloaded\"}",
        "superflip_solve_seconds_bucket{le=",
        "superflip_queue_seconds_bucket{lane=\"quick\",le=",
        "superflip_solution_length_moves_bucket{le=\"0\"}",
        "superflip_solution_length_moves_bucket{le=\"22\"}",
        "# TYPE superflip_queue_depth gauge",
        "# TYPE superflip_searches_in_flight gauge",
        "# HELP superflip_requests_total ",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("nowhere"), "paths of callers are no labels");
}

#[tokio::test]
async fn request_ids_come_back_or_are_made() {
    let with_id = |id: &str| request(&Method::GET, "/livez", &[("x-request-id", id)]);
    assert_eq!(send(starting(), with_id("abc-123")).await.header("x-request-id"), "abc-123");
    let long = "x".repeat(129);
    for unfit in ["", "two words", "new\tline", long.as_str()] {
        let answer = send(starting(), with_id(unfit)).await;
        assert!(!answer.header("x-request-id").is_empty() && answer.header("x-request-id") != unfit, "{unfit}");
    }
    let router = starting();
    let (one, two) = (get(&router, "/livez").await, get(router, "/livez").await);
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
}

#[tokio::test]
async fn long_answers_are_compressed_when_accepted() {
    let asked = |uri: &str| request(&Method::GET, uri, &[("accept-encoding", "gzip")]);
    let answer = send(starting(), asked("/openapi.yaml")).await;
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert!(answer.body.len() * 5 < get(starting(), "/openapi.yaml").await.body.len());
    let answer = send(starting(), asked("/moves")).await;
    assert_eq!((answer.header("content-encoding"), answer.header("vary")), ("gzip", "accept-encoding"));
    assert_eq!(send(starting(), asked("/livez")).await.header("content-encoding"), "");
    // `identity;q=0` without an accepted encoding: long and short answers are sent alike.
    for uri in ["/openapi.yaml", "/moves", "/livez"] {
        let answer = get_with(starting(), uri, &[("accept-encoding", "*;q=0")]).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (StatusCode::OK, ""));
    }
    let router = app(state(config_with(|config| config.server.compression = false), Readiness::starting()));
    assert_eq!(send(router, asked("/openapi.yaml")).await.header("content-encoding"), "");
}

#[test]
fn every_code_has_its_own_name_and_a_refusing_status() {
    let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
    for code in Code::ALL {
        assert!((400..600).contains(&code.status()));
        assert_eq!(serde_json::to_value(code).unwrap(), code.name());
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Code::ALL.len());
}
