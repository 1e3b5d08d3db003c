//! The log of the program: one line of JSON for each request, with what became of it.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::binary::Serving;
use crate::common::service::{SEXY, SUPERFLIP};
use serde_json::{Value, json};

const JSON: &str = "content-type: application/json\r\n";

fn with_id(id: &str) -> String {
    format!("{JSON}x-request-id: {id}\r\n")
}

fn is_number(line: &Value, field: &str) -> bool {
    line[field].as_f64().is_some_and(|number| number >= 0.0)
}

#[test]
fn each_request_has_one_line_with_what_became_of_it() {
    let serving = Serving::start(&[], &[]);
    serving.ask("POST", "/solve", &with_id("success"), &json!({"facelets": SEXY}).to_string());
    serving.ask("POST", "/solve", &with_id("refusal"), &json!({"facelets": "U".repeat(54)}).to_string());
    serving.ask("GET", "/livez", &with_id("other"), "");
    let endless = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 20_000}).to_string();
    let gone = serving.send("POST", "/solve", &with_id("gone"), &endless);
    let mut stream = serving.send("POST", "/solve/stream", &with_id("closed"), &endless);
    std::io::Read::read_exact(&mut stream, &mut [0; 12]).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(100));
    drop((gone, stream));
    let stream = json!({"facelets": SUPERFLIP, "time_limit_ms": 200}).to_string();
    serving.ask("POST", "/solve/stream", &with_id("stream"), &stream);
    let unsolved = json!({"facelets": SUPERFLIP, "max_length": 3, "time_limit_ms": 20});
    serving.ask("POST", "/solve", &with_id("unsolved"), &unsolved.to_string());
    serving.ask("GET", "/tables/slice_move/raw", &with_id("file"), "");
    let range =
        serving.ask("GET", "/tables/slice_move/raw", &format!("range: bytes=0-4095\r\n{}", with_id("range")), "");
    assert!(range.starts_with("HTTP/1.1 206 "), "{range}");
    let lines = format!("{{\"scramble\": \"R U F\"}}\n{{}}\n{unsolved}\n{{\"scramble\": \"R\"}}\n");
    serving.ask("POST", "/solve/batch", "content-type: application/x-ndjson\r\nx-request-id: batch\r\n", &lines);

    let line = serving.request("success");
    assert_eq!((&line["method"], &line["route"], &line["status"]), (&json!("POST"), &json!("/solve"), &json!(200)));
    assert_eq!((&line["outcome"], &line["stopped_by"]), (&json!("solved"), &json!("proven_optimal")), "{line}");
    assert_eq!((&line["length"], &line["lower_bound"], &line["client_gone"]), (&json!(4), &json!(4), &json!(false)));
    for field in ["nodes", "queue_ms", "search_ms", "total_ms"] {
        assert!(is_number(&line, field), "{field}: {line}");
    }
    assert!(line["total_ms"].as_f64() >= line["search_ms"].as_f64());
    assert_eq!((line["level"].as_str(), line["trace_id"].as_str().map(str::len)), (Some("INFO"), Some(32)), "{line}");

    let line = serving.request("refusal");
    assert_eq!(
        (&line["status"], &line["outcome"], &line["problem"]),
        (&json!(422), &json!("refused"), &json!("impossible_cube"))
    );
    assert_eq!((line.get("length"), line.get("detail"), &line["client_gone"]), (None, None, &json!(false)), "{line}");

    let line = serving.request("other");
    assert_eq!((&line["route"], &line["outcome"]), (&json!("/livez"), &json!("answered")), "{line}");

    let line = serving.request("gone");
    assert_eq!(
        (&line["outcome"], &line["client_gone"], line.get("status")),
        (&json!("caller_gone"), &json!(true), None)
    );
    assert!(line["total_ms"].as_f64().unwrap() < 10_000.0, "{line}");
    let line = serving.request("closed");
    assert_eq!(
        (&line["outcome"], &line["client_gone"], &line["status"]),
        (&json!("caller_gone"), &json!(true), &json!(200))
    );
    assert!(is_number(&line, "queue_ms") && line["search_ms"].as_f64().unwrap() >= 50.0, "{line}");

    let line = serving.request("unsolved");
    assert_eq!(
        (&line["outcome"], &line["problem"]),
        (&json!("refused"), &json!("no_solution_within_limits")),
        "{line}"
    );
    assert!(line["nodes"].as_u64().unwrap() > 0 && is_number(&line, "search_ms"), "{line}");
    assert!(is_number(&line, "queue_ms"), "{line}");

    // What has a known length is not asked for more than that.
    for (id, status) in [("file", 200), ("range", 206)] {
        let line = serving.request(id);
        let told = (&line["outcome"], &line["client_gone"], &line["status"]);
        assert_eq!(told, (&json!("answered"), &json!(false), &json!(status)), "{line}");
    }

    let line = serving.request("stream");
    assert_eq!((&line["outcome"], &line["stopped_by"]), (&json!("solved"), &json!("time_limit")), "{line}");
    assert!(line["length"].as_u64().unwrap() >= 20 && line["search_ms"].as_f64().unwrap() >= 150.0, "{line}");
    assert!(line["total_ms"].as_f64() >= line["search_ms"].as_f64(), "{line}");

    let line = serving.request("batch");
    let lines = (&line["lines_solved"], &line["lines_unsolved"], &line["lines_refused"]);
    assert_eq!(lines, (&json!(2), &json!(1), &json!(1)), "{line}");
    assert_eq!((&line["outcome"], &line["status"]), (&json!("answered"), &json!(200)));
    assert!(is_number(&line, "nodes") && is_number(&line, "search_ms"), "{line}");

    let log = serving.stopped();
    let ids: Vec<_> =
        log.iter().filter(|line| line["message"] == "request").map(|line| line["request_id"].clone()).collect();
    for id in ["success", "refusal", "other", "gone", "closed", "stream", "batch", "unsolved", "file", "range"] {
        assert_eq!(ids.iter().filter(|own| *own == id).count(), 1, "{id}: {ids:?}");
    }
}

#[test]
fn a_search_that_the_shutdown_ends_is_told_as_such() {
    let serving =
        Serving::start(&[], &[("SUPERFLIP_SERVER__DRAIN_TIMEOUT_MS", "200"), ("SUPERFLIP_SEARCH__LONG_THREADS", "1")]);
    let endless = json!({"facelets": SUPERFLIP, "max_length": 19, "time_limit_ms": 9000}).to_string();
    let mut running = serving.send("POST", "/solve", &with_id("running"), &endless);
    serving.line_of_metrics("superflip_searches_in_flight{lane=\"long\"} 1");
    let mut waiting = serving.send("POST", "/solve", &with_id("waiting"), &endless);
    serving.line_of_metrics("superflip_queue_depth{lane=\"long\"} 1");
    let log = serving.stopped();
    for (id, connection) in [("running", &mut running), ("waiting", &mut waiting)] {
        let mut answer = String::new();
        std::io::Read::read_to_string(connection, &mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("shutting_down"), "{answer}");
        let line = log.iter().find(|line| line["message"] == "request" && line["request_id"] == id).unwrap();
        let told = (&line["outcome"], &line["problem"], &line["client_gone"]);
        assert_eq!(told, (&json!("shutdown"), &json!("shutting_down"), &json!(false)), "{line}");
        let searched = id == "running";
        assert_eq!(line["nodes"].as_u64().is_some_and(|nodes| nodes > 0), searched, "{line}");
        assert_eq!((is_number(line, "queue_ms"), is_number(line, "search_ms")), (true, searched), "{line}");
        // The second had come for nothing but to wait.
        assert_eq!(line["queue_ms"].as_f64() >= Some(100.0), !searched, "{line}");
    }
}

#[test]
fn no_line_at_info_tells_a_cube() {
    let cubes = [SEXY, SUPERFLIP, "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBX"];
    let asked = |serving: &Serving| {
        for cube in cubes {
            serving.ask("GET", &format!("/solve/{cube}?target_length=22"), "", "");
            serving.ask("GET", &format!("/no/such/{cube}"), "", "");
        }
        serving.ask("POST", "/solve", JSON, r#"{"scramble": "R U zebra"}"#);
        serving.ask("POST", "/solve/batch", "content-type: application/x-ndjson\r\n", "{\"scramble\": \"zebra\"}\n");
    };
    let quotes = |log: &[Value]| {
        let text = log.iter().map(Value::to_string).collect::<String>();
        cubes.iter().any(|cube| text.contains(cube)) || text.contains("zebra")
    };
    let serving = Serving::start(&[], &[]);
    asked(&serving);
    let log = serving.stopped();
    assert!(log.iter().filter(|line| line["message"] == "request").count() >= 8);
    assert!(!quotes(&log), "{log:#?}");
    // Where it is asked for, problems are there in full, with the request they belong to.
    let serving = Serving::start(&["--log-filter", "superflip=debug"], &[]);
    serving.ask("POST", "/solve", &with_id("told"), r#"{"scramble": "R U zebra"}"#);
    let told = serving.line(|line| line["message"] == "refused");
    assert!(told["detail"].is_string() && told["span"]["request_id"] == "told", "{told}");
}

#[test]
fn a_request_belongs_to_the_trace_of_its_caller() {
    let serving = Serving::start(&[], &[]);
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("traceparent: 00-{trace}-b7ad6b7169203331-01\r\n");
    serving.ask("GET", "/livez", &format!("x-request-id: joined\r\n{parent}"), "");
    assert_eq!(serving.request("joined")["trace_id"], trace);
    let mut seen = vec![trace.to_owned()];
    let unfit = format!("traceparent: 00-{}-b7ad6b7169203331-01\r\n", trace.to_uppercase());
    for (id, headers) in [("none", String::new()), ("unfit", unfit), ("twice", parent.repeat(2))] {
        serving.ask("GET", "/livez", &format!("x-request-id: {id}\r\n{headers}"), "");
        let own = serving.request(id)["trace_id"].as_str().unwrap().to_owned();
        assert!(
            own.len() == 32 && own.bytes().all(|byte| byte.is_ascii_hexdigit()) && !seen.contains(&own),
            "{id}: {own}"
        );
        seen.push(own);
    }
}

/// What the program says while it builds tables in a new folder, with the log as it is without configuration, up to the line with
/// these words, and when it said them.
fn said_while_building(arguments: &[&str], until: &str) -> (PathBuf, Vec<(String, Instant)>) {
    let place = tempfile::tempdir().unwrap();
    // As a slip of the finger would have it: relative, and not there.
    let folder = place.path().canonicalize().unwrap().join("mistyped");
    let mut command = Command::new(env!("CARGO_BIN_EXE_superflip"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUPERFLIP_")) {
        command.env_remove(name);
    }
    command.args(arguments).args(["--tables-dir", "mistyped"]).current_dir(place.path());
    // So that no machine is done before the first line on progress.
    command.env("RAYON_NUM_THREADS", "1");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        said.push((line.clone(), Instant::now()));
        if line.contains(until) {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    (folder, said)
}

#[test]
fn before_tables_are_built_their_folder_and_size_are_told() {
    for command in
        [&["serve", "--listen", "127.0.0.1:0"][..], &["solve", "R U"], &["tables", "build"], &["coords", "R"]]
    {
        let (folder, said) = said_while_building(&[command, &["--profile", "small"]].concat(), "going to build tables");
        let (line, _) = said.last().unwrap();
        assert!(!said.iter().any(|(line, _)| line.contains(" building tables") || line.contains("table built")));
        for words in [folder.to_str().unwrap(), "49293659", "free_bytes", "twist_move", "phase_one_residues"] {
            assert!(line.contains(words), "{command:?}: {words}: {said:?}");
        }
    }
}

#[test]
fn while_tables_are_built_a_line_tells_how_far_they_are() {
    let (_, said) = said_while_building(&["tables", "build", "--profile", "standard"], " building tables ");
    let at = |words: &str| said.iter().find(|(line, _)| line.contains(words)).map(|(_, at)| *at);
    let (Some(begin), Some(first)) = (at("going to build tables"), at(" building tables ")) else { panic!("{said:?}") };
    assert!(first - begin < Duration::from_secs(10), "{said:?}");
    let (line, _) = said.last().unwrap();
    assert!(line.contains("percent=") && line.contains("table=") && line.contains(" INFO "), "{line}");
}
