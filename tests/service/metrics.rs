//! The metrics are as declared and documented, and count what happens.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::service::{SUPERFLIP, Server, config, eventually, get, json_request, ready_state};
use crate::common::watched::{FAMILIES, value};
use serde_json::json;
use superflip::http::app;
use superflip::service::pool::cancel_reason::Reason;
use superflip::service::telemetry::metrics::{ALL, CANCEL_REASONS, Metric};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const DOCUMENT: &str = include_str!("../../docs/operations.md");

/// The rows of the table of metrics, as `docs/operations.md` should have them.
fn table() -> String {
    let rows = ALL.iter().map(|Metric { name, kind, labels, help }| {
        let kind = format!("{kind:?}").to_lowercase();
        let labels = labels.iter().map(|(label, values)| match values {
            [] => format!("`{label}`"),
            _ => format!("`{label}` ({})", values.join(", ")),
        });
        let labels: Vec<_> = labels.collect();
        format!("| `{name}` | {kind} | {} | {help} |\n", labels.join(", "))
    });
    rows.collect()
}

#[test]
fn the_documentation_has_the_table_of_all_metrics() {
    let table = table();
    assert!(
        DOCUMENT.contains(&format!("| --- | --- | --- | --- |\n{table}\n")),
        "docs/operations.md should have:\n{table}"
    );
}

#[test]
fn the_service_exposes_the_declared_metrics_and_no_others() {
    assert_eq!(
        FAMILIES.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        ALL.iter().map(|metric| metric.name).collect()
    );
    for Metric { name, kind, labels, help } in ALL {
        let family = &FAMILIES[*name];
        assert_eq!((&family.kind, family.help.as_str()), (&format!("{kind:?}").to_lowercase(), *help), "{name}");
        let declared: BTreeSet<_> = labels.iter().map(|(label, _)| (*label).to_owned()).collect();
        assert_eq!(family.labels.keys().cloned().collect::<BTreeSet<_>>(), declared, "{name}");
        for (label, values) in labels.iter().filter(|(_, values)| !values.is_empty()) {
            assert_eq!(
                family.labels[*label],
                values.iter().map(|value| (*value).to_owned()).collect(),
                "{name} {label}"
            );
        }
    }
    assert_eq!(Reason::ALL.map(Reason::name), CANCEL_REASONS);
}

#[test]
fn names_end_with_their_unit_and_the_help_begins_with_it() {
    for (name, family) in FAMILIES.iter() {
        assert!(!family.help.is_empty(), "{name} has no HELP");
        assert!(!family.series.is_empty(), "{name} has no series");
        let base = name.trim_end_matches("_total");
        for unit in ["seconds", "bytes"] {
            let in_help = family.help.to_lowercase().starts_with(unit);
            assert_eq!(base.ends_with(unit), in_help, "{name}: {}", family.help);
        }
        assert_eq!(name.ends_with("_total"), family.kind == "counter", "{name}");
        assert!(name.starts_with("superflip_") || name.starts_with("process_"), "{name}");
    }
}

#[test]
fn what_happened_is_counted_under_its_labels() {
    let has = |name: &str, label: &str, wanted: &str| {
        assert!(FAMILIES[name].labels[label].contains(wanted), "{name} {label} {wanted}: {:?}", FAMILIES[name].labels);
    };
    has("superflip_rejected_total", "lane", "short");
    has("superflip_rejected_total", "reason", "overloaded");
    has("superflip_cancelled_total", "reason", "caller_gone");
    has("superflip_problems_total", "code", "impossible_cube");
    has("superflip_searches_total", "outcome", "proven_optimal");
    has("superflip_tables_info", "profile", "small");
    has("superflip_connections_closed_total", "reason", "client");
    has("superflip_requests_total", "route", "/solve/batch");
}

/// Sends the head and body of a search that lasts, and leaves the connection open.
async fn long_search(server: &Server) -> TcpStream {
    let body = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 20_000}).to_string();
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    let length = body.len();
    let head = format!(
        "POST /solve HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    socket.write_all((head + &body).as_bytes()).await.unwrap();
    eventually("it runs", || server.state.solver.long().in_flight() == 1).await;
    socket
}

fn cancelled(reason: &str, stage: &str) -> String {
    format!("superflip_cancelled_total{{lane=\"long\",stage=\"{stage}\",reason=\"{reason}\"}}")
}

/// The three ways in which a search is given up; in one test, for the counts are those of the process.
#[tokio::test(flavor = "multi_thread")]
async fn who_gave_a_search_up_is_counted() {
    let mut config = config();
    config.search.long_threads = 1;
    config.server.drain_timeout_ms = 100;
    let server = Server::start(ready_state(config.clone())).await;
    let metrics = async || get(app(server.state.clone()), "/metrics").await.text().to_owned();
    let gone = cancelled("caller_gone", "running");
    let in_queue = cancelled("caller_gone", "waiting");
    let before = metrics().await;
    let running = long_search(&server).await;
    let waiting = long_search(&server).await;
    eventually("one waits", || server.state.solver.long().queued() == 1).await;
    drop(waiting);
    eventually("none waits", || server.state.solver.long().queued() == 0).await;
    drop(running);
    eventually("none runs", || server.state.solver.long().in_flight() == 0).await;
    let after = metrics().await;
    for series in [&gone, &in_queue] {
        assert!((value(&after, series) - value(&before, series) - 1.0).abs() < 0.1, "{series}\n{after}");
    }

    let shutdown = cancelled("shutdown", "running");
    let mut socket = long_search(&server).await;
    let state = server.state.clone();
    server.stopped().await;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    let stopped = get(app(state), "/metrics").await.text().to_owned();
    assert!((value(&stopped, &shutdown) - value(&after, &shutdown) - 1.0).abs() < 0.1, "{stopped}");

    config.server.request_timeout_ms = 200;
    let state = ready_state(config);
    let timed_out = cancelled("timed_out", "running");
    let body = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 20_000}).to_string();
    let answer = crate::common::service::send(app(state.clone()), json_request("/solve", body)).await;
    answer.problem(504, "timed_out");
    let text = get(app(state), "/metrics").await.text().to_owned();
    assert!((value(&text, &timed_out) - value(&stopped, &timed_out) - 1.0).abs() < 0.1, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_connections_end_is_counted() {
    let mut config = config();
    config.server.header_timeout_ms = 200;
    let server = Server::start(ready_state(config)).await;
    let metrics = async || get(app(server.state.clone()), "/metrics").await.text().to_owned();
    let closed = |reason: &str| format!("superflip_connections_closed_total{{reason=\"{reason}\"}}");
    let before = metrics().await;
    let read = async |bytes: &[u8]| {
        let mut socket = TcpStream::connect(server.address).await.unwrap();
        socket.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(10), socket.read_to_end(&mut answer)).await.expect("an end");
    };
    read(b"").await;
    read(b"GET /livez HTTP/1.1\r\nhost").await;
    read(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n").await;
    read(b"nonsense\r\n\r\n").await;
    drop(TcpStream::connect(server.address).await.unwrap());
    // The last byte is seen a moment before the count.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let after = metrics().await;
    let more = |reason: &str| value(&after, &closed(reason)) - value(&before, &closed(reason));
    for reason in ["silent", "header_timeout", "error", "client"] {
        assert!(more(reason) >= 1.0, "{reason}: {after}");
    }
    // hyper ends an idle connection by the same clock as a slow head, whichever looks first.
    assert!(more("idle") + more("header_timeout") >= 2.0, "{after}");
    assert!(value(&after, "superflip_connections{place=\"ordinary\"}") < 0.5, "{after}");
    assert!(value(&after, "superflip_connections_accepted_total{place=\"ordinary\"}") >= 5.0);
}
