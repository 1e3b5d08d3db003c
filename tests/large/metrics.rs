//! The table files of a metric, over HTTP and in the shell: built on demand, listed, read and checked, and used by searches and proofs.

use superflip::service::tables::integrity::Schedule;
use tokio::time::timeout;

use crate::common::prelude::*;
use crate::common::wire::{blocking, post as post_bytes};

/// A service with the tables of `tiny`, and with tables of metrics in the folder that all tests share. The latter are masked, as with the
/// profile `standard`.
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
    assert_eq!(get(&router, "/readyz").await.ok()["sets"].list().len(), 1);
    post(&router, "/solve", body.to_string()).await.problem_with(503, "metric_not_ready", &["`axht`", "/readyz"]);
    let patient = Request::post("/solve").header("content-type", "application/json").header("prefer", "wait=100");
    let patient = patient.body(Body::from(body.to_string())).unwrap();
    assert_eq!(send(service(), patient).await.ok()["length"], 3);
    let given = json!({"scramble": "R", "solution": "R'", "metric": "axht"});
    post(service(), "/explain", given).await.problem_with(503, "metric_not_ready", &["`axht`"]);
    let ready = get(&router, "/readyz").await.ok();
    let [_, state] = &ready["sets"].list()[..] else { panic!("one was asked for") };
    assert_eq!(state["metric"], "axht");
    assert!(state["status"] == "ready" || state["progress"]["permille"].is_u64(), "{state}");
    let solved = answered(&router, "/solve", &body).await;
    let ready = get(&router, "/readyz").await.ok();
    let [_, state] = &ready["sets"].list()[..] else { panic!("one is loaded") };
    assert_eq!((&state["metric"], &state["status"]), (&json!("axht"), &json!("ready")));
    assert!(state["bytes"].number() > 1_000_000 && state.get("progress").is_none(), "{state}");
    assert_eq!((&solved["length"], solved["moves"].list().len()), (&json!(3), 5), "{solved}");
    assert_eq!((&solved["proven_optimal"], &solved["lower_bound"]), (&json!(true), &json!(3)));
    assert!(stickers::solves(solved["facelets"].text(), solved["solution"].text()));

    // An explanation counts in it, whether the solution is given or found.
    let given = json!({"scramble": "R2 L2 U", "solution": "U' L2 R2", "metric": "axht"});
    let explained = post(&router, "/explain", given).await.ok();
    assert_eq!(
        (&explained["metric"], &explained["length"], &explained["lengths"]["htm"]),
        (&json!("axht"), &json!(2), &json!(3))
    );
    assert_eq!((&explained["lower_bound"], &explained["proven_optimal"]), (&json!(2), &json!(true)), "{explained}");
    let left = |step: &Value| (step["moves_left"].number(), step["length_left"].number(), step["exact"].number());
    let steps: Vec<_> = explained["steps"].list().iter().map(left).collect();
    assert_eq!(steps, [(3, 2, 2), (2, 1, 1), (1, 1, 1), (0, 0, 0)]);
    let found = post(&router, "/explain", body.clone()).await.ok();
    assert_eq!((&found["searched"], &found["length"]), (&json!(true), &json!(3)), "{found}");
    let uri = "/explain?scramble=R2+L2+U&solution=U'+L2+R2";
    assert_eq!(get(&router, &format!("{uri}&metric=axht")).await.ok()["length"], 2);
    assert_eq!(get(&router, uri).await.ok()["length"], 3);

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
async fn a_diagnosis_counts_in_the_metric() {
    let router = service();
    let seen = stickers::apply(SOLVED, "R2 L2 U2");
    let request = json!({"scramble": "", "moves": "R2 L2 U2", "seen": seen, "metric": "axht", "target_length": 2});
    // Until its tables are loaded, the explanation has no solution.
    let body = post(&router, "/diagnose", request.clone()).await.ok();
    let explanation = &body["explanations"][0];
    assert_eq!((&explanation["slips"], &explanation["problem"]["code"]), (&json!(0), &json!("metric_not_ready")));
    answered(&router, "/solve", &json!({"scramble": "R L", "metric": "axht"})).await;
    let body = post(&router, "/diagnose", request).await.ok();
    let explanation = &body["explanations"][0];
    assert!(stickers::solves(&seen, explanation["solution"].text()), "{body}");
    assert_eq!(explanation["length"], 2, "{body}");
}

/// Proofs in QTM need the tables of the metric, then a coset table. The first request that needs one of them starts to load it.
#[tokio::test]
async fn a_proof_in_qtm_waits_for_its_tables() {
    let service = |table| {
        let config = config_with(|config| {
            (config.tables.dir, config.optimal.table) = (Some(tables_folder()), table);
        });
        app(ready_state(config))
    };
    let body = json!({"scramble": "R U2 F' L D2 B R'", "metric": "qtm", "optimal": true, "all_solutions": true});
    let router = service(Some(Size::S));
    let (mut codes, mut solved) = (Vec::new(), Value::Null);
    for _ in 0..6000 {
        let answer = post(&router, "/solve", body.to_string()).await;
        if answer.status == StatusCode::OK {
            solved = answer.ok();
            break;
        }
        codes.push(answer.json()["code"].text().to_owned());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    codes.dedup();
    assert_eq!(codes, ["metric_not_ready", "optimal_table_not_ready"]);
    assert_eq!((&solved["proven_optimal"], &solved["lower_bound"]), (&json!(true), &solved["length"]), "{solved}");
    assert!(solved["length"].number() <= 9 && solved["length"].number() % 2 == 1, "{solved}");
    assert_eq!(solved["proof"]["table"]["name"], "qtm_optimal_s", "{solved}");
    assert!(stickers::solves(solved["facelets"].text(), solved["solution"].text()));
    // `/readyz` reports the coset table beside the tables of the metric.
    let ready = get(&router, "/readyz").await.ok();
    let sets = ready["sets"].list().iter();
    let in_qtm: Vec<&Value> = sets.filter(|set| set["metric"] == "qtm").collect();
    assert!(in_qtm.len() == 2 && in_qtm.iter().all(|set| set["status"] == "ready"), "{ready}");
    assert_eq!((&in_qtm[0]["profile"], &in_qtm[1]["optimal"]), (&json!("standard"), &json!("s")), "{ready}");
    let without = service(None);
    answered(&without, "/solve", &json!({"scramble": "R", "metric": "qtm"})).await;
    post(&without, "/solve", body.to_string()).await.problem(501, "optimal_not_enabled");
}

#[tokio::test]
async fn tables_of_a_metric_are_listed_read_fetched_and_checked_like_others() {
    let router = service();
    for name in ["axht_phase_two_corners", "qtm_optimal_s"] {
        get(&router, &format!("/tables/{name}")).await.problem_with(404, "unknown_table", &["/readyz"]);
    }
    answered(&router, "/solve", &json!({"scramble": "R", "metric": "axht"})).await;
    let list = get(&router, "/tables").await.ok();
    let listed = |name: &&str| list["tables"].list().iter().any(|table| table["name"] == **name);
    let names = ["axht_phase_one_masked", "axht_phase_two", "axht_phase_two_corners"];
    assert!(names.iter().all(listed), "{list}");
    for name in names {
        let table = get(&router, &format!("/tables/{name}")).await.ok();
        assert_eq!((&table["name"], table["depth_histogram"][0].number()), (&json!(name), 1), "{table}");
        let row = get(&router, &format!("/tables/{name}/rows/0?count=1")).await.ok();
        assert_eq!((row["count"].number(), &row["decoded"][0]["distance"]), (1, &json!(0)), "{row}");
        if name == "axht_phase_one_masked" {
            // Half turns of the sides and all turns of U and D stay in G1: 15 runs along UD, 3 along each other axis.
            let (nearer, level) = (row["decoded"][0]["nearer"].list(), row["decoded"][0]["level"].list());
            assert_eq!((nearer.len(), level.len()), (0, 21), "{row}");
            assert!(
                level.contains(&json!("U D'")) && level.contains(&json!("R2 L2")) && !level.contains(&json!("R L"))
            );
        }
        let range = [("range", "bytes=0-15")];
        let raw = get_with(&router, &format!("/tables/{name}/raw"), &range).await;
        assert_eq!((raw.status, raw.body.len()), (StatusCode::PARTIAL_CONTENT, 16));
    }
    // The smallest is checked: the way is the same for all.
    let verdict = post(&router, "/tables/axht_phase_two_corners/verify", "").await.ok();
    assert_eq!((&verdict["sound"], &verdict["problem"]), (&json!(true), &Value::Null), "{verdict}");
}

fn open(folder: &Path) -> Arc<Tables> {
    Arc::new(Tables::open_or_build(folder, Profile::Small, &Control::new()).unwrap())
}

#[tokio::test]
async fn scheduled_checks_cover_the_tables_of_metrics() {
    let there =
        TableSet::open(SetKey::phases(Metric::Axht, TurnSet::ALL, Profile::Small), &tables_folder(), &Control::new())
            .unwrap();
    let folder = copied();
    for table in there.list() {
        fs::copy(&table.path, folder.path().join(table.path.file_name().unwrap())).unwrap();
    }
    let config = config_with(|config| {
        (config.tables.dir, config.tables.profile) = (Some(folder.path().to_owned()), Profile::Small);
    });
    let state = state(config, Readiness::ready(open(folder.path())));
    let _ = state.shelf.ask(there.key());
    eventually("they are loaded", || state.shelf.get(there.key()).is_some()).await;
    let name = there.list()[0].name;
    flip(&file_of(folder.path(), name), 20_000, 1);
    let schedule = Schedule { every: Some(Duration::from_millis(20)), panicked: state.lanes.panicked() };
    let damage = schedule.first_damage(&state.shelf, state.lanes.background());
    assert_eq!(timeout(Duration::from_mins(1), damage).await.expect("damage is found").table, name);
}

#[test]
fn lengths_count_in_the_metric() {
    let solved =
        run_on_tables(&["solve", "R2 L2 U D' F", "--metric", "axht", "--target-length", "3", "--json"], 0).json();
    assert_eq!((&solved["length"], solved["moves"].list().len()), (&json!(3), 5), "{solved}");
    let plain = run_on_tables(&["solve", SUPERFLIP, "--metric", "axht", "--target-length", "18"], 0);
    assert!(stickers::solves(SUPERFLIP, plain.out.trim()), "{}", plain.out);
    let refused = run_on_tables(&["solve", "R2", "--metric", "axht", "--max-length", "0"], 1);
    assert!(refused.err.contains("the shortest found has 1"), "{}", refused.err);
    let unknown = run_on_tables(&["solve", "R2", "--metric", "etm"], 2);
    assert!(unknown.err.contains("expected htm, qtm, stm, axht or axqt"), "{}", unknown.err);
    let proof = run_on_tables(&["solve", "R2", "--metric", "axht", "--optimal"], 2);
    assert!(proof.err.contains("`axht`"), "{}", proof.err);
    let proof = run_on_tables(&["solve", "R2 U", "--metric", "qtm", "--optimal", "--json"], 0).json();
    assert_eq!((&proof["length"], &proof["proven_optimal"]), (&json!(3), &json!(true)), "{proof}");
    // A search in this metric has no open target, but a given solution is not searched for.
    let cross = "????U????????R??R?????F??F??D?DDD?D?????L??L?????B??B?";
    let open = ["R F2", "--metric", "qtm", "--target", cross];
    run_on_tables(&[&["solve"], &open[..]].concat(), 2);
    let given = run_on_tables(&[&["explain"], &open[..], &["--solution", "F2 R'", "--json"]].concat(), 0).json();
    assert_eq!(given["length"], 3, "{given}");
}

#[test]
fn tables_of_a_metric_are_built_listed_and_checked() {
    let built = run_on_tables(&["tables", "build", "--metric", "axht", "--json"], 0).json();
    let names: Vec<&str> = built.list().iter().map(|table| table["name"].text()).collect();
    assert_eq!(names, ["axht_phase_one", "axht_phase_two", "axht_phase_two_corners"]);
    let listed = run_on_tables(&["tables", "list", "--metric", "axht", "--json"], 0).json();
    let is_current = |name: &str| listed.list().iter().any(|row| row["name"] == name && row["state"] == "current");
    assert!(names.iter().all(|name| is_current(name)), "{listed}");
    let checked = run_on_tables(&["tables", "verify", "axht_phase_two_corners", "--json"], 0).json();
    assert_eq!(checked[0]["sound"], true, "{checked}");
}

#[test]
fn configured_metrics_are_loaded_before_the_service_is_ready() {
    let mut command = serve_small();
    command.env("SUPERFLIP_SEARCH__METRICS", "htm,axht");
    let program = Program::ready(command);
    let body = json!({"scramble": "R2 L2 U D' F", "metric": "axht", "target_length": 3}).to_string();
    let reply = blocking::ask(program.address(), &post_bytes("/solve", "application/json", &body));
    assert_eq!((reply.status, &reply.json().unwrap()["length"]), (200, &json!(3)), "{}", reply.body);
}
