//! Drives a service through every kind of event, and reads the metrics that it then exposes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use axum::http::StatusCode;
use serde_json::json;
use superflip::operations::app;
use superflip::service::tables::readiness::Readiness;
use superflip::service::tables::shelf::Loading;
use superflip_solver::tables::Profile;

use super::in_process::{SUPERFLIP, Server, batch, config_with, eventually, get, json_request, post, send, state};
use super::tables::copied;
use super::wire;

/// A metric as exposed.
#[derive(Clone, Default, Debug)]
pub struct Family {
    pub kind: String,
    pub help: String,
    /// Names of the series, which for histograms have suffixes.
    pub series: BTreeSet<String>,
    /// Values by label, `le` left out.
    pub labels: BTreeMap<String, BTreeSet<String>>,
}

/// Every metric of the service after [`driven`], by name.
pub static FAMILIES: LazyLock<BTreeMap<String, Family>> = LazyLock::new(|| {
    // On its own thread: the first caller may be in a runtime.
    let text = std::thread::spawn(|| tokio::runtime::Runtime::new().expect("a runtime").block_on(driven()));
    families(&text.join().expect("no panic"))
});

/// Parses the text format of Prometheus.
pub fn families(text: &str) -> BTreeMap<String, Family> {
    let mut families = BTreeMap::<String, Family>::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some((name, help)) = line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' ')) {
            help.clone_into(&mut families.entry(name.into()).or_default().help);
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            kind.clone_into(&mut families.entry(name.into()).or_default().kind);
        } else {
            let (series, value) = line.rsplit_once(' ').expect("a value");
            assert!(value.parse::<f64>().is_ok(), "{line}");
            let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
            let base = ["_bucket", "_sum", "_count"].into_iter().filter_map(|suffix| name.strip_suffix(suffix));
            let family = base.clone().find(|base| families.contains_key(*base)).unwrap_or(name);
            let family = families.get_mut(family).unwrap_or_else(|| panic!("no TYPE before {line}"));
            family.series.insert(name.to_owned());
            for label in labels.trim_end_matches('}').split("\",").filter(|label| !label.is_empty()) {
                let (key, value) = label.split_once("=\"").expect("a label");
                if key != "le" {
                    family.labels.entry(key.into()).or_default().insert(value.trim_end_matches('"').to_owned());
                }
            }
        }
    }
    families
}

/// Value of a series, 0 if there is none.
pub fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0.0, |value| value.parse().expect("a number"))
}

/// Starts a service without tables; makes it solve, refuse, overflow, stream and take a batch; disconnects a client; returns the
/// metrics.
async fn driven() -> String {
    let folder = copied();
    let config = config_with(|config| {
        (config.tables.dir, config.tables.profile) = (Some(folder.path().to_owned()), Profile::Small);
        config.search.threads = 1;
        config.search.queue_length = 0;
    });
    let state = state(config, Readiness::starting());
    post(app(state.clone()), "/solve", r#"{"scramble": "R U F"}"#).await.problem(503, "tables_not_ready");
    // One table is built, and the others are opened.
    std::fs::remove_file(super::file_of(folder.path(), "slice_move")).expect("removed");
    let mut loading = Loading::start(state.shelf.clone());
    loading.finished().await.expect("tables");
    let server = Server::start(state.clone()).await;
    let router = || app(state.clone());

    post(router(), "/solve", r#"{"scramble": "R U F"}"#).await.ok();
    let far = format!("{{\"facelets\": \"{SUPERFLIP}\", \"optimal\": true}}");
    post(router(), "/solve", far).await.problem(501, "optimal_not_enabled");
    post(router(), "/solve", format!("{{\"facelets\": \"{}\"}}", "U".repeat(54))).await;
    get(router(), "/no/such/path").await.problem(404, "not_found");
    get(router(), "/coords").await.ok();
    let stream = send(router(), json_request("/solve/stream", r#"{"scramble": "R U F", "time_limit_ms": 50}"#)).await;
    assert_eq!(stream.status, StatusCode::OK);
    let lines = "{\"scramble\": \"R\"}\n{}\n";
    assert_eq!(batch(router(), "/solve/batch", lines).await.len(), 2);

    // A search takes the only thread, a second one is refused, and the first client disconnects.
    let body = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 20_000}).to_string();
    let socket = wire::send(server.address, &wire::post("/solve", "application/json", &body)).await;
    eventually("the search begins", || state.lanes.quick().in_flight() == 1).await;
    post(router(), "/solve", r#"{"scramble": "R U F"}"#).await.problem(503, "overloaded");
    drop(socket);
    eventually("the search ends", || state.lanes.quick().in_flight() == 0).await;

    let answer = wire::fetch(server.address, "/metrics").await;
    server.stopped().await;
    // A chunked body would have lengths between the lines.
    assert!(answer.to_lowercase().contains("\r\ncontent-length: "), "{}", &answer[..300]);
    answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
}
