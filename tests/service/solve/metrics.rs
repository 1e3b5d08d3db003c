//! Solving in another metric over HTTP: its tables, its lengths and what is refused.

use crate::common::prelude::*;

/// A service with the tables of `tiny`, and the compact tables of metrics in the folder that all tests share.
fn service() -> Router {
    app(ready_state(config_with(|config| config.tables.dir = Some(tables_folder()))))
}

/// Sends a request until the tables of the metric are ready.
async fn answered(router: &Router, uri: &str, body: &Value) -> Value {
    for _ in 0..3000 {
        let answer = post(router, uri, body.to_string()).await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer.ok();
        }
        let problem = answer.problem(503, "metric_not_ready");
        assert_eq!(problem["field"], "metric");
        assert!(problem["progress"]["permille"].is_u64() && !answer.header("retry-after").is_empty(), "{problem}");
        // Requests in HTM are not affected.
        post(router, "/solve", r#"{"scramble": "R U"}"#).await.ok();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the tables are never ready");
}

#[tokio::test]
async fn tables_of_a_metric_are_built_when_first_asked_for() {
    let router = service();
    let body = json!({"scramble": "R2 L2 U D' F", "metric": "axht", "target_length": 0});
    post(&router, "/solve", body.to_string()).await.problem_with(503, "metric_not_ready", &["`axht`"]);
    let solved = answered(&router, "/solve", &body).await;
    assert_eq!((&solved["length"], solved["moves"].list().len()), (&json!(3), 5), "{solved}");
    assert_eq!((&solved["proven_optimal"], &solved["lower_bound"]), (&json!(true), &json!(3)));
    assert!(stickers::solves(solved["facelets"].text(), solved["solution"].text()));

    let list = json!({"facelets": SUPERFLIP, "metric": "axht", "solutions": 3, "target_length": 18});
    let list = answered(&router, "/solve", &list).await;
    assert_eq!(list["solutions"].list().len(), 3);
    for solution in list["solutions"].list() {
        assert!(solution["length"].number() <= 18 && stickers::solves(SUPERFLIP, solution["solution"].text()));
    }
    let uri = format!("/solve/{SUPERFLIP}?metric=axht&target_length=18");
    let of_query = get(&router, &uri).await.ok();
    assert!(of_query["length"].number() < of_query["moves"].list().len() as u64, "{of_query}");

    // A batch takes the metric of the query, and a line may have another.
    let lines = "{\"scramble\": \"R L\"}\n{\"scramble\": \"R L\", \"metric\": \"htm\"}\n";
    for uri in ["/solve/batch?metric=axht", "/solve/batch"] {
        let answers = batch(&router, uri, lines.replace("L\"}", "L\", \"metric\": \"axht\"}")).await;
        assert_eq!(answers.iter().map(|answer| answer["length"].number()).collect::<Vec<_>>(), [1, 2], "{uri}");
    }
    let answers = batch(&router, "/solve/batch?metric=axht", lines).await;
    assert_eq!(answers.iter().map(|answer| answer["length"].number()).collect::<Vec<_>>(), [1, 2]);
}

#[tokio::test]
async fn proofs_and_lengths_out_of_range_are_refused() {
    let router = service();
    for (body, status, code, part) in [
        (json!({"scramble": "R", "metric": "qtm", "optimal": true}), 422, "metric_not_provable", "`qtm`"),
        (json!({"scramble": "R", "metric": "qtm", "target_length": 61}), 422, "option_out_of_range", "from 0 to 60"),
        (json!({"scramble": "R", "metric": "htm", "target_length": 31}), 422, "option_out_of_range", "from 0 to 30"),
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
    for _ in 0..200 {
        let answer = post(&router, "/solve", body).await;
        if answer.json()["code"] == "metric_failed" {
            answer.problem_with(503, "metric_failed", &["`stm`", "folder of its tables"]);
            post(&router, "/solve", r#"{"scramble": "R"}"#).await.ok();
            return;
        }
        answer.problem(503, "metric_not_ready");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the failure is never told");
}
