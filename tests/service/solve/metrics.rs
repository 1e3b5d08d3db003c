//! Solving in another metric over HTTP: its tables, its lengths and what is refused.

use crate::common::prelude::*;
use superflip_cube::metric::Metric;

/// A service with the tables of `tiny`, and with tables of metrics in the folder that all tests share. The latter are masked, as with the
/// profile `standard`.
fn service() -> Router {
    app(ready_state(config_with(|config| config.tables.dir = Some(tables_folder()))))
}

#[tokio::test]
async fn readiness_tells_of_metrics_that_wait_and_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "no folder").unwrap();
    let state = ready_state(config_with(|config| {
        (config.tables.dir, config.search.metrics) = (Some(file), vec![Metric::Axqt]);
    }));
    let router = app(state.clone());
    let ready = get(&router, "/readyz").await.ok();
    let first = json!({"stage": "opening", "table": null, "permille": 0});
    let starting =
        json!({"metric": "axqt", "profile": "standard", "status": "starting", "bytes": 0, "progress": first});
    assert_eq!(ready["sets"].list()[1..], [starting], "{ready}");
    tokio::task::spawn_blocking(move || state.shelf.load_configured(&Control::new())).await.unwrap().unwrap();
    let ready = get(&router, "/readyz").await.ok();
    let [_, failed] = &ready["sets"].list()[..] else { panic!("{ready}") };
    assert_eq!((&failed["metric"], &failed["status"]), (&json!("axqt"), &json!("failed")), "{failed}");
    assert!(failed["reason"].text().contains("the folder of its tables"), "{failed}");
}

#[tokio::test]
async fn proofs_and_lengths_out_of_range_are_refused() {
    let router = service();
    for (body, status, code, part) in [
        (json!({"scramble": "R", "metric": "axht", "optimal": true}), 422, "metric_not_provable", "not in `axht`"),
        (json!({"scramble": "R", "metric": "qtm", "target_length": 61}), 422, "option_out_of_range", "from 0 to 60"),
        (
            json!({"scramble": "R", "metric": "htm", "target_length": 31}),
            422,
            "option_out_of_range",
            "from 0 to 30, or to 60 in another metric",
        ),
        (json!({"scramble": "R", "metric": "etm"}), 422, "option_out_of_range", "`metric`"),
    ] {
        post(&router, "/solve", body.to_string()).await.problem_with(status, code, &[part]);
    }
    // Proofs in HTM and the metric by name are not affected.
    let solved = post(&router, "/solve", r#"{"scramble": "R", "metric": "htm", "optimal": true}"#).await.ok();
    assert_eq!((&solved["length"], &solved["proven_optimal"]), (&json!(1), &json!(true)));
}

#[tokio::test]
async fn a_metric_without_a_folder_or_memory_is_told_with_the_reason() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let router = app(ready_state(config_with(|config| config.tables.dir = Some(file.path().to_path_buf()))));
    let body = r#"{"scramble": "R", "metric": "stm"}"#;
    let request = || Request::post("/solve").header("content-type", "application/json").header("prefer", "wait=60");
    let answer = send(&router, request().body(Body::from(body)).unwrap()).await;
    answer.problem_with(503, "metric_failed", &["`stm`", "folder of its tables"]);
    post(&router, "/solve", r#"{"scramble": "R"}"#).await.ok();
}

#[tokio::test]
async fn an_operator_can_forbid_tables_on_demand() {
    let router = app(ready_state(config_with(|config| config.search.metrics_on_demand.clear())));
    let answer = post(&router, "/solve", r#"{"scramble": "R", "metric": "stm"}"#).await;
    answer.problem_with(
        503,
        "metric_failed",
        &["no tables of the metric `stm`", "Remove `metric`", "search.metrics_on_demand"],
    );
    assert_eq!(get(&router, "/readyz").await.ok()["sets"].list().len(), 1);
}
