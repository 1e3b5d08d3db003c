//! The table for proofs: what is answered without it, how it is loaded, and that it is a table like others.

use super::optimal::{TABLE, enabled, prove_by_every_route, proving_state, table_of};
use crate::common::prelude::*;

#[tokio::test]
async fn without_a_table_the_time_limit_holds_all_the_same() {
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.name().ends_with('2')).collect();
    let mut rng = rng(58);
    // Nothing cuts the near search short inside the half-turn group, so a cube ten moves away takes it milliseconds.
    let facelets = loop {
        let facelets = letters(&walk(&mut rng, 14, &half_turns));
        let answer = get(ready(), &format!("/solve/{facelets}?optimal=true")).await;
        if answer.status == StatusCode::OK && answer.json()["length"] == 10 {
            break facelets;
        }
    };
    for _ in 0..1000 {
        let answer = get(ready(), &format!("/solve/{facelets}?optimal=true&time_limit_ms=1")).await;
        // A busy machine may use up the limit before the search begins, and a fast one may prove it in time.
        if answer.status == StatusCode::OK && answer.json()["proven_optimal"] == json!(false) {
            let body = answer.json();
            assert_eq!(body["stopped_by"], "time_limit", "{body}");
            assert!(stickers::solves(&facelets, body["solution"].text()));
            return;
        }
        let is_late = answer.status != StatusCode::OK && answer.json()["code"] == "deadline_unreachable";
        assert!(is_late || answer.status == StatusCode::OK, "{}", answer.text());
    }
    panic!("the limit never came first");
}

#[tokio::test]
async fn without_a_table_the_problem_names_the_remedy() {
    for problem in prove_by_every_route(&ready(), SUPERFLIP).await {
        assert_eq!((&problem["code"], &problem["status"]), (&json!("optimal_not_enabled"), &json!(501)), "{problem}");
        let detail = problem["detail"].text();
        for part in ["at least 11 moves", "beyond 10 moves", "--optimal-table s", "[optimal]", "table = \"s\""] {
            assert!(detail.contains(part), "{detail}");
        }
        assert_eq!((&problem["field"], &problem["lower_bound"]), (&json!("optimal"), &json!(11)));
    }
    // A slip is still told first, and what is not asked for is not missed.
    post(ready(), "/solve", r#"{"scramble": "R U Q", "optimal": true}"#).await.problem(422, "notation");
    post(ready(), "/solve", json!({"facelets": SUPERFLIP, "optimal": false, "target_length": 22})).await.ok();
    assert_eq!(get(ready(), "/readyz").await.ok()["sets"].list().len(), 1);
}

#[tokio::test]
async fn until_the_table_is_there_only_far_cubes_wait_for_proofs() {
    let state = ready_state(enabled());
    let (router, readiness) = (app(state.clone()), table_of(&state));
    let body = json!({"facelets": SUPERFLIP, "optimal": true, "time_limit_ms": 200}).to_string();
    let plain = json!({"facelets": SUPERFLIP, "target_length": 22}).to_string();
    post(&router, "/solve", body.clone()).await.problem_with(503, "optimal_table_not_ready", &["are not loaded yet"]);
    readiness.set(TableState::Starting(TableProgress {
        stage: LoadStage::Building,
        table: Some("optimal_s".into()),
        permille: 420,
    }));
    for uri in ["/solve", "/solve/stream"] {
        let problem =
            post(&router, uri, body.clone()).await.problem_with(503, "optimal_table_not_ready", &["42 % done"]);
        assert!(problem["detail"].text().contains("at least 11 moves"), "{problem}");
        assert_eq!(problem["progress"], json!({"stage": "building", "table": "optimal_s", "permille": 420}));
    }
    post(&router, "/solve", plain.clone()).await.ok();
    let ready = get(&router, "/readyz").await.ok();
    let progress = json!({"stage": "building", "table": "optimal_s", "permille": 420});
    let starting = json!({"metric": "htm", "optimal": "s", "status": "starting", "bytes": 0, "progress": progress});
    assert_eq!(ready["sets"][1], starting);

    readiness.set(TableState::Failed { reason: "no storage space".into() });
    post(&router, "/solve", body.clone()).await.problem_with(503, "optimal_table_failed", &["no storage space"]);
    post(&router, "/solve", plain).await.ok();
    let ready = get(&router, "/readyz").await.ok();
    assert_eq!(ready["sets"][1]["status"], "failed");
    assert_eq!(ready["sets"][1]["reason"], "no storage space");

    readiness.set(TableState::Ready(TABLE.clone()));
    post(&router, "/solve", body).await.ok();
    let (before, ready) = (ready, get(router, "/readyz").await.ok());
    assert_eq!((&ready["sets"][1]["status"], &ready["sets"][1]["optimal"]), (&json!("ready"), &json!("s")));
    let file = std::fs::metadata(&TABLE.list()[0].path).unwrap().len();
    assert_eq!(ready["sets"][1]["bytes"], file);
    assert!(file > 41_000_000);
    assert_eq!((&ready["bytes"], &ready["tables"]), (&before["bytes"], &before["tables"]));
}

#[tokio::test]
async fn the_table_is_loaded_after_the_others_and_counted() {
    small_tables();
    let _ = &*TABLE;
    let mut config = enabled();
    (config.tables.dir, config.tables.profile) = (Some(tables_folder()), Profile::Small);
    let state = state(config, Readiness::starting());
    let router = app(state.clone());
    let mut loading = Loading::start(state.shelf.clone());
    // Ready without it.
    state.shelf.profile().settled().await;
    post(&router, "/solve", r#"{"scramble": "R U F"}"#).await.ok();
    loading.finished().await.unwrap();
    assert_eq!(get(&router, "/readyz").await.ok()["sets"][1]["status"], "ready");
    for (line, value) in [
        ("superflip_optimal_ready", 1.0),
        ("superflip_optimal_table_progress_ratio", 1.0),
        ("superflip_table_resident_bytes{table=\"optimal_s\"}", f64::from(u32::try_from(TABLE.file_bytes()).unwrap())),
    ] {
        let is = metric(&router, line).await;
        assert!((is - value).abs() < 0.5, "{line} {is}");
    }
    let proven = "superflip_searches_total{engine=\"optimal\",outcome=\"proven_optimal\",profile=\"small\"}";
    let late = "superflip_searches_total{engine=\"optimal\",outcome=\"time_limit\",profile=\"small\"}";
    let before = (metric(&router, proven).await, metric(&router, late).await);
    post(&router, "/solve", r#"{"scramble": "R U F", "optimal": true}"#).await.ok();
    let body = json!({"facelets": SUPERFLIP, "optimal": true, "time_limit_ms": 100}).to_string();
    post(&router, "/solve", body).await.ok();
    // Other tests of this process are counted in the same places.
    assert!(metric(&router, proven).await >= before.0 + 1.0);
    assert!(metric(&router, late).await >= before.1 + 1.0);
    assert!(metric(&router, "superflip_optimal_solve_seconds_count").await >= 2.0);
    let refused = "superflip_rejected_total{lane=\"none\",reason=\"optimal_not_enabled\"}";
    let before = metric(&router, refused).await;
    post(ready(), "/solve", json!({"facelets": SUPERFLIP, "optimal": true})).await.problem(501, "optimal_not_enabled");
    assert!(metric(&router, refused).await >= before + 1.0);
}

#[tokio::test]
async fn a_table_that_cannot_be_had_leaves_the_rest_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "no folder").unwrap();
    let mut config = enabled();
    config.tables.dir = Some(file);
    let state = state(config, Readiness::ready(small_tables()));
    let router = app(state.clone());
    Loading::start(state.shelf.clone()).finished().await.unwrap();
    let problem = get(&router, &format!("/solve/{SUPERFLIP}?optimal=true")).await.problem(503, "optimal_table_failed");
    let detail = problem["detail"].text();
    assert!(detail.contains("the folder of its tables") && !detail.contains("a file\""), "{detail}");
    assert!(!problem.to_string().contains(&folder.path().display().to_string()), "{problem}");
    get(&router, &format!("/solve/{SOLVED}")).await.ok();
    assert_eq!(get(router, "/readyz").await.ok()["sets"][1]["status"], "failed");
}

#[tokio::test]
async fn the_table_is_listed_read_fetched_and_checked_like_others() {
    let state = proving_state(enabled());
    let ask = |uri: &'static str| get(app(state.clone()), uri);
    let list = ask("/tables").await.ok();
    let names: Vec<&str> = list["tables"].list().iter().filter_map(|table| table["name"].as_str()).collect();
    assert_eq!(names.last(), Some(&"optimal_s"));
    let bytes: u64 = list["tables"].list().iter().filter_map(|table| table["bytes"].as_u64()).sum();
    assert_eq!(list["bytes"], bytes);
    let table = ask("/tables/optimal_s").await.ok();
    assert_eq!((&table["rows"]["count"], &table["columns"]["count"]), (&json!(1184), &json!(34650 * 4)));
    assert_eq!(table["depth_histogram"].list().iter().filter_map(Value::as_u64).sum::<u64>(), 51030 * 34650 * 4);
    assert!(table["encoding"].text().contains("Of every 256 entries"), "{table}");
    // Every entry of a row, as the file has it, two bits each from the lowest.
    let row = ask("/tables/optimal_s/rows/7?from=1024&count=64").await.ok();
    let first = 4096 + (7 * 34650 * 4 + 1024) / 4;
    let range = format!("bytes={first}-{}", first + 15);
    let raw = get_with(app(state.clone()), "/tables/optimal_s/raw", &[("range", &range)]).await;
    assert_eq!(raw.status, StatusCode::PARTIAL_CONTENT);
    let unpacked: Vec<u64> =
        raw.body.iter().flat_map(|byte| [0, 2, 4, 6].map(|bit| u64::from(byte >> bit & 3))).collect();
    let stored: Vec<u64> = row["entries"].list().iter().filter_map(Value::as_u64).collect();
    assert_eq!((stored.len(), &stored), (64, &unpacked));
    let verdict = post(app(state.clone()), "/tables/optimal_s/verify", "").await.ok();
    assert_eq!(verdict["sound"], true, "{verdict}");
    // Those that are not there are no unknown words.
    ask("/tables/optimal_l").await.problem_with(404, "unknown_table", &["--optimal-table"]);
    get(ready(), "/tables/optimal_s/rows/0").await.problem_with(404, "unknown_table", &["--optimal-table"]);
}
