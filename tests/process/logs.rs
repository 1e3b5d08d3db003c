//! The log of the program: one line of JSON for each request, with what became of it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr};

use crate::common::prelude::*;
use crate::common::wire::{Reply, blocking, get, last, post, with};

const JSON: &str = "application/json";

fn with_id(request: &str, id: &str) -> String {
    with(request, &format!("x-request-id: {id}"))
}

/// The reply to a request with this id.
fn ask(program: &Program, id: &str, request: &str) -> Reply {
    blocking::ask(program.address(), &with_id(request, id))
}

fn is_number(line: &Value, field: &str) -> bool {
    line[field].as_f64().is_some_and(|number| number >= 0.0)
}

#[test]
fn each_request_has_one_line_with_what_became_of_it() {
    let mut command = serve_small();
    command.env("SUPERFLIP_SEARCH__LONG_THREADS", "2");
    let program = Program::ready(command);
    let solve = |body: &Value| post("/solve", JSON, &body.to_string());
    ask(&program, "success", &solve(&json!({"facelets": SEXY})));
    ask(&program, "refusal", &solve(&json!({"facelets": "U".repeat(54)})));
    let event_source = with(&get("/solve/stream?scramble=Q"), "accept: text/event-stream");
    let refused = ask(&program, "event", &event_source);
    assert!(refused.status == 200 && refused.body.contains("event: problem"), "{refused:?}");
    program.until_metric("superflip_requests_total{method=\"GET\",route=\"/solve/stream\",status=\"422\"} 1");
    program.until_metric("superflip_problems_total{code=\"notation\"} 1");
    ask(&program, "other", &get("/livez"));
    let endless = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 20_000}).to_string();
    let open = |path: &str, id: &str| blocking::send(program.address(), &with_id(&post(path, JSON, &endless), id));
    let gone = open("/solve", "gone");
    program.until_metric("superflip_searches_in_flight{lane=\"long\"} 1");
    let mut stream = open("/solve/stream", "closed");
    stream.read_exact(&mut [0; 12]).unwrap();
    program.until_metric("superflip_searches_in_flight{lane=\"long\"} 2");
    // The log tells how long it searched.
    std::thread::sleep(std::time::Duration::from_millis(100));
    drop((gone, stream));
    let stream = json!({"facelets": SUPERFLIP, "time_limit_ms": 200}).to_string();
    ask(&program, "stream", &post("/solve/stream", JSON, &stream));
    let unsolved = json!({"facelets": SUPERFLIP, "max_length": 3, "time_limit_ms": 20});
    ask(&program, "unsolved", &solve(&unsolved));
    ask(&program, "file", &get("/tables/slice_move/raw"));
    let range = ask(&program, "range", &with(&get("/tables/slice_move/raw"), "range: bytes=0-4095"));
    assert_eq!(range.status, 206, "{range:?}");
    let lines = format!("{{\"scramble\": \"R U F\"}}\n{{}}\n{unsolved}\n{{\"scramble\": \"R\"}}\n");
    ask(&program, "batch", &post("/solve/batch", "application/x-ndjson", &lines));

    let line = program.request("success");
    assert_eq!((&line["method"], &line["route"], &line["status"]), (&json!("POST"), &json!("/solve"), &json!(200)));
    assert_eq!((&line["outcome"], &line["stopped_by"]), (&json!("solved"), &json!("proven_optimal")), "{line}");
    assert_eq!((&line["length"], &line["lower_bound"], &line["client_gone"]), (&json!(4), &json!(4), &json!(false)));
    for field in ["nodes", "queue_ms", "search_ms", "total_ms"] {
        assert!(is_number(&line, field), "{field}: {line}");
    }
    assert!(line["total_ms"].as_f64() >= line["search_ms"].as_f64());
    assert_eq!((line["level"].as_str(), line["trace_id"].as_str().map(str::len)), (Some("INFO"), Some(32)), "{line}");

    let line = program.request("refusal");
    assert_has(&line, &json!({"status": 422, "outcome": "refused", "problem": "impossible_cube"}));
    assert_eq!((line.get("length"), line.get("detail"), &line["client_gone"]), (None, None, &json!(false)), "{line}");

    // The status is that of the problem, which other clients get.
    let line = program.request("event");
    assert_has(&line, &json!({"status": 422, "outcome": "refused", "problem": "notation", "client_gone": false}));

    let line = program.request("other");
    assert_eq!((&line["route"], &line["outcome"]), (&json!("/livez"), &json!("answered")), "{line}");

    let line = program.request("gone");
    assert_eq!(
        (&line["outcome"], &line["client_gone"], line.get("status")),
        (&json!("caller_gone"), &json!(true), None)
    );
    assert!(line["total_ms"].as_f64().unwrap() < 10_000.0, "{line}");
    let line = program.request("closed");
    assert_has(&line, &json!({"outcome": "caller_gone", "client_gone": true, "status": 200}));
    // The search may have had no core for a part of its time.
    assert!(is_number(&line, "queue_ms") && is_number(&line, "search_ms"), "{line}");
    assert!(line["total_ms"].as_f64().unwrap() >= 50.0, "{line}");

    let line = program.request("unsolved");
    assert_has(&line, &json!({"outcome": "refused", "problem": "no_solution_within_limits"}));
    assert!(line["nodes"].number() > 0 && is_number(&line, "search_ms"), "{line}");
    assert!(is_number(&line, "queue_ms"), "{line}");

    // What has a known length is not asked for more than that.
    for (id, status) in [("file", 200), ("range", 206)] {
        let line = program.request(id);
        assert_has(&line, &json!({"outcome": "answered", "client_gone": false, "status": status}));
    }

    let line = program.request("stream");
    assert_eq!((&line["outcome"], &line["stopped_by"]), (&json!("solved"), &json!("time_limit")), "{line}");
    assert!(line["length"].number() >= 20 && line["total_ms"].as_f64().unwrap() >= 150.0, "{line}");
    assert!(line["total_ms"].as_f64() >= line["search_ms"].as_f64(), "{line}");

    let line = program.request("batch");
    assert_has(&line, &json!({"lines_solved": 2, "lines_unsolved": 1, "lines_refused": 1}));
    assert_eq!((&line["outcome"], &line["status"]), (&json!("answered"), &json!(200)));
    assert!(is_number(&line, "nodes") && is_number(&line, "search_ms"), "{line}");

    let log = program.stopped();
    let ids: Vec<_> =
        log.iter().filter(|line| line["message"] == "request").map(|line| line["request_id"].clone()).collect();
    for id in ["success", "refusal", "event", "other", "gone", "closed", "stream", "batch", "unsolved", "file", "range"]
    {
        assert_eq!(ids.iter().filter(|own| *own == id).count(), 1, "{id}: {ids:?}");
    }
}

#[test]
fn a_search_that_the_shutdown_ends_is_told_as_such() {
    let environment = [("SUPERFLIP_SERVER__DRAIN_TIMEOUT_MS", "200"), ("SUPERFLIP_SEARCH__LONG_THREADS", "1")];
    let program = Program::serve(&[], &environment);
    let endless = json!({"facelets": SUPERFLIP, "max_length": 19, "time_limit_ms": 9000}).to_string();
    let open = |id: &str| blocking::send(program.address(), &last(&with_id(&post("/solve", JSON, &endless), id)));
    let mut running = open("running");
    program.until_metric("superflip_searches_in_flight{lane=\"long\"} 1");
    let mut waiting = open("waiting");
    program.until_metric("superflip_queue_depth{lane=\"long\"} 1");
    let log = program.stopped();
    for (id, connection) in [("running", &mut running), ("waiting", &mut waiting)] {
        let answer = blocking::reply(connection).unwrap();
        assert!(answer.status == 503 && answer.body.contains("shutting_down"), "{answer:?}");
        let line = log.iter().find(|line| line["message"] == "request" && line["request_id"] == id).unwrap();
        assert_has(line, &json!({"outcome": "shutdown", "problem": "shutting_down", "client_gone": false}));
        // Both had their first 40 ms. The second has waited since.
        assert!(line["nodes"].as_u64().is_some_and(|nodes| nodes > 0), "{line}");
        assert!(is_number(line, "queue_ms") && is_number(line, "search_ms"), "{line}");
        // On a busy machine the first may wait for a core too.
        assert!(id == "running" || line["queue_ms"].as_f64() >= Some(100.0), "{line}");
    }
}

#[test]
fn a_check_that_the_shutdown_ends_is_told_as_such() {
    let mut command = serve_small();
    command.env("SUPERFLIP_SERVER__DRAIN_TIMEOUT_MS", "0");
    let program = Program::ready(command);
    let request = with(&post("/tables/phase_one_residues/verify", JSON, ""), "accept: text/event-stream");
    let mut events = blocking::send(program.address(), &last(&with_id(&request, "check")));
    // The events have begun.
    events.read_exact(&mut [0; 12]).unwrap();
    let log = program.stopped();
    let line = log.iter().find(|line| line["message"] == "request" && line["request_id"] == "check").unwrap();
    assert_has(line, &json!({"outcome": "shutdown", "problem": "shutting_down", "status": 200}));
}

#[test]
fn no_line_at_info_tells_a_cube() {
    let cubes = [SEXY, SUPERFLIP, "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBX"];
    let asked = |program: &Program| {
        for cube in cubes {
            ask(program, "solved", &get(&format!("/solve/{cube}?target_length=22")));
            ask(program, "unknown", &get(&format!("/no/such/{cube}")));
        }
        ask(program, "refused", &post("/solve", JSON, r#"{"scramble": "R U zebra"}"#));
        ask(program, "batch", &post("/solve/batch", "application/x-ndjson", "{\"scramble\": \"zebra\"}\n"));
    };
    let quotes = |log: &[Value]| {
        let text = log.iter().map(Value::to_string).collect::<String>();
        cubes.iter().any(|cube| text.contains(cube)) || text.contains("zebra")
    };
    let program = Program::serve(&[], &[]);
    asked(&program);
    let log = program.stopped();
    assert!(log.iter().filter(|line| line["message"] == "request").count() >= 8);
    assert!(!quotes(&log), "{log:#?}");
    // Where it is asked for, problems are there in full, with the request they belong to.
    let program = Program::serve(&["--log-filter", "superflip=debug"], &[]);
    ask(&program, "told", &post("/solve", JSON, r#"{"scramble": "R U zebra"}"#));
    let told = program.line(|line| line["message"] == "refused" && line["span"]["request_id"] == "told");
    assert!(told["detail"].is_string(), "{told}");
}

#[test]
fn a_request_belongs_to_the_trace_of_its_caller() {
    let program = Program::serve(&[], &[]);
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("traceparent: 00-{trace}-b7ad6b7169203331-01");
    let livez = get("/livez");
    ask(&program, "joined", &with(&livez, &parent));
    assert_eq!(program.request("joined")["trace_id"], trace);
    let mut seen = vec![trace.to_owned()];
    let unfit = format!("traceparent: 00-{}-b7ad6b7169203331-01", trace.to_uppercase());
    let twice = with(&with(&livez, &parent), &parent);
    for (id, request) in [("none", livez.clone()), ("unfit", with(&livez, &unfit)), ("twice", twice)] {
        ask(&program, id, &request);
        let own = program.request(id)["trace_id"].text().to_owned();
        assert!(
            own.len() == 32 && own.bytes().all(|byte| byte.is_ascii_hexdigit()) && !seen.contains(&own),
            "{id}: {own}"
        );
        seen.push(own);
    }
}

#[test]
fn before_tables_are_built_their_folder_and_size_are_logged() {
    for command in
        [&["serve", "--listen", "127.0.0.1:0"][..], &["solve", "R U"], &["tables", "build"], &["coords", "R"]]
    {
        let (folder, log) = log_of_build(&[command, &["--profile", "small"]].concat(), "starting to build tables");
        let number = log.lines().position(|line| line.contains("starting to build tables")).unwrap();
        let (line, before) = (log.lines().nth(number).unwrap(), log.lines().take(number));
        assert!(!before.into_iter().any(|line| line.contains(" building tables") || line.contains("table built")));
        for words in [folder.to_str().unwrap(), "49293659", "free_bytes", "twist_move", "phase_one_residues"] {
            assert!(line.contains(words), "{command:?}: {words}: {log}");
        }
    }
}

/// A service whose log is read up to the line `listening`, and no further. Returns its address too.
fn with_stalled_reader(environment: &[(&str, &str)]) -> (Child, BufReader<ChildStderr>, SocketAddr) {
    let mut command = serve();
    let mut child = command.envs(environment.iter().copied()).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("\"listening\"") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "it ended");
    }
    let address = serde_json::from_str::<Value>(&line).unwrap()["address"].text().parse().unwrap();
    (child, log, address)
}

fn send_signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap().success());
}

/// Waits for the end of a process, but not forever.
fn ended(child: &mut Child, limit: Duration) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    panic!("it does not end");
}

#[test]
fn a_stalled_log_reader_blocks_nothing() {
    let (mut child, log, address) = with_stalled_reader(&[]);
    // More lines than the queue and the pipe hold.
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let writing = std::thread::spawn(move || {
        let requests = get("/livez").repeat(100);
        (0..100).try_for_each(|_| writer.write_all(requests.as_bytes()))
    });
    let (mut answered, mut piece) = (0, vec![0; 1 << 16]);
    while answered < 10_000 {
        let length = stream.read(&mut piece).expect("an answer in time");
        assert!(length > 0, "closed after {answered} answers");
        answered += String::from_utf8_lossy(&piece[..length]).matches('{').count();
    }
    writing.join().unwrap().unwrap();
    let metrics = blocking::fetch(address, "/metrics").body;
    let dropped = metrics.lines().find_map(|line| line.strip_prefix("superflip_log_lines_dropped_total "));
    assert!(dropped.unwrap().parse::<u32>().unwrap() > 1000, "{dropped:?}");
    send_signal(&child, "TERM");
    assert_eq!(ended(&mut child, Duration::from_secs(20)), Some(0));
    drop(log);
}

#[test]
fn a_second_signal_ends_a_service_whose_log_is_not_read() {
    let (mut child, log, address) = with_stalled_reader(&[("SUPERFLIP_SERVER__DRAIN_TIMEOUT_MS", "60000")]);
    let start = Instant::now();
    while blocking::fetch(address, "/readyz").status != 200 {
        assert!(start.elapsed() < Duration::from_mins(1), "never ready");
    }
    let requests = last(&get("/livez"));
    (0..300).for_each(|_| drop(blocking::ask(address, &requests)));
    let endless = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 30_000}).to_string();
    let search = blocking::send(address, &post("/solve", JSON, &endless));
    let is_running =
        || blocking::fetch(address, "/metrics").body.contains("superflip_searches_in_flight{lane=\"long\"} 1");
    while !is_running() {
        assert!(start.elapsed() < Duration::from_mins(1), "never running");
    }
    send_signal(&child, "TERM");
    wait(|| TcpStream::connect(address).is_err(), || "it shuts down".into());
    assert_eq!(child.try_wait().unwrap(), None, "it waits for the search");
    send_signal(&child, "TERM");
    assert_eq!(ended(&mut child, Duration::from_secs(10)), Some(1));
    drop((search, log));
}

/// The service tries again twenty times a second.
#[cfg(target_os = "linux")]
#[test]
fn a_shortage_of_descriptors_is_logged_once_a_minute() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let program = Program::serve(&[], &[]);
    let most = u64::try_from(program.usage().descriptors).unwrap() + 3;
    let pid = Pid::from_raw(i32::try_from(program.id()).unwrap());
    prlimit(pid, Resource::Nofile, Rlimit { current: Some(most), maximum: Some(most) }).unwrap();
    let connections: Vec<_> = (0..12).map(|_| TcpStream::connect(program.address()).unwrap()).collect();
    let is_shortage = |line: &Value| line["message"] == "cannot accept a connection";
    program.line(is_shortage);
    std::thread::sleep(Duration::from_millis(300));
    drop(connections);
    assert_eq!(program.stopped().iter().filter(|line| is_shortage(line)).count(), 1);
}
