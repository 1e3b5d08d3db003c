//! Solving with some faces or moves only over HTTP: tables on demand, solutions, and what is refused.

use crate::common::prelude::*;

fn service() -> Router {
    app(ready_state(config_with(|_| {})))
}

/// Sends a request until the tables of the turns are ready.
async fn answered(router: &Router, uri: &str, body: &Value) -> Value {
    for _ in 0..3000 {
        let answer = post(router, uri, body.to_string()).await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer.ok();
        }
        let problem = answer.problem_with(503, "metric_not_ready", &["turns `U"]);
        assert_eq!(problem["field"], "faces");
        assert!(problem["progress"]["permille"].is_u64() && !answer.header("retry-after").is_empty(), "{problem}");
        let ready = get(router, "/readyz").await.ok();
        let has_progress = |set: &Value| set["status"] == "ready" || set["progress"]["permille"].is_u64();
        assert!(ready["sets"].list().last().is_some_and(has_progress), "{ready}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the tables are never ready");
}

fn has_only(solution: &Value, faces: &str) -> bool {
    solution["moves"].list().iter().all(|mv| faces.contains(&mv.text()[..1]))
}

#[tokio::test]
async fn cubes_are_solved_with_some_faces_only() {
    let router = service();
    assert_eq!(get(&router, "/readyz").await.ok()["sets"].list().len(), 1);
    let body = json!({"scramble": "B L2", "faces": "URFDL", "time_limit_ms": 300});
    let solved = answered(&router, "/solve", &body).await;
    assert!(has_only(&solved, "URFDL") && stickers::solves(solved["facelets"].text(), solved["solution"].text()));
    let body = json!({"scramble": "R U2 R' U'", "faces": "r u".to_uppercase(), "target_length": 8, "solutions": 2, "time_limit_ms": 20_000});
    let solved = answered(&router, "/solve", &body).await;
    assert_eq!((&solved["length"], solved["solutions"].list().len()), (&json!(4), 2), "{solved}");
    assert!(solved["solutions"].list().iter().all(|solution| has_only(solution, "UR")));
    let ready = get(&router, "/readyz").await.ok();
    let set = |turns| json!({"metric": "htm", "turns": turns, "profile": "tiny", "status": "ready", "bytes": 0});
    assert_eq!(ready["sets"].list()[1..], [set("U F D L B"), set("D B")]);
    // Tables serve the same turns in every holding, over every route.
    assert_eq!(get(&router, "/solve?scramble=B%20D2%20B'%20D'&faces=DB&target_length=0").await.ok()["length"], 4);
    let lines = "{\"scramble\": \"R U\"}\n{\"scramble\": \"R U\", \"faces\": \"URF\", \"time_limit_ms\": 30000}\n{\"scramble\": \"F\"}\n";
    let answers = batch(&router, "/solve/batch?faces=UR&target_length=0", lines).await;
    assert_eq!(answers[0]["length"], 2);
    assert!(answers[1]["length"] == 2 && has_only(&answers[1], "URF"), "{}", answers[1]);
    assert_eq!(answers[2]["problem"]["code"], "out_of_reach");
    let answer = post(&router, "/solve/stream", r#"{"scramble": "R U", "faces": "UR", "target_length": 0}"#).await;
    assert_eq!(events(&answer).last().unwrap().1["length"], 2);
}

#[tokio::test]
async fn a_request_waits_for_the_tables_of_its_turns() {
    let router = service();
    let body = json!({"scramble": "R U2 R' U'", "faces": "RU", "target_length": 4, "time_limit_ms": 30000});
    let solved = post(&router, "/solve", body.to_string()).await.ok();
    assert_eq!(solved["length"], 4);
    assert!(solved["queue_us"].number() > 0, "{solved}");
    let lines = "{\"scramble\": \"R F\"}\n";
    let answers = batch(&service(), "/solve/batch?faces=RF&target_length=2&time_limit_ms=30000", lines).await;
    assert_eq!(answers[0]["length"], 2);
}

/// More sets than may wait at a time, and a line that takes long to read.
#[tokio::test]
async fn a_line_waits_for_the_tables_of_its_turns() {
    let unknown = stickers::with(&stickers::apply(SOLVED, "D L"), &[(0, '?')]);
    let line = |cube: &str, faces: &str| {
        json!({"cube": cube, "faces": faces, "target_length": 2, "time_limit_ms": 30000}).to_string() + "\n"
    };
    let cubes = [
        ("R2 U", "RU"),
        ("R L", "RL"),
        ("U R", "URF"),
        (&unknown, "UDL"),
        ("U F", "URDF"),
        ("U R", "URDL"),
        ("B", "B"),
    ];
    for order in ["input", "any"] {
        let lines: String = cubes.iter().map(|(cube, faces)| line(cube, faces)).collect();
        let uri = format!("/solve/batch?order={order}");
        let answers = batch(&service(), &uri, "F\n".to_owned() + &lines + "F\n").await;
        assert_eq!(answers.len(), cubes.len() + 2);
        for answer in &answers {
            assert!(stickers::solves(answer["facelets"].text(), answer["solution"].text()), "{answer}");
            if let Some((_, faces)) = answer["line"].as_u64().and_then(|line| cubes.get(line.checked_sub(2)? as usize))
            {
                assert!(has_only(answer, faces), "{answer}");
            }
        }
    }
}

#[tokio::test]
async fn a_line_whose_tables_are_late_affects_no_other() {
    // The tables take longer than the second line.
    let late = json!({"scramble": "F", "moves": "U U' R R' F F' D D' L L' B B'", "time_limit_ms": 1});
    let answers = batch(&service(), "/solve/batch", format!("R\n{late}\nF\n")).await;
    assert_eq!((&answers[0]["solution"], &answers[2]["solution"]), (&json!("R'"), &json!("F'")));
    let problem = &answers[1]["problem"];
    assert_eq!((&problem["code"], &problem["field"]), (&json!("metric_not_ready"), &json!("moves")), "{problem}");
    assert!(problem["retry_after_s"].is_u64(), "{problem}");
    // Without `Prefer`, a line does not wait for the tables of a metric.
    let router = app(ready_state(config_with(|config| config.search.metrics_on_demand.clear())));
    let answers = batch(&router, "/solve/batch", "{\"scramble\": \"R\", \"metric\": \"stm\"}\nF\n").await;
    assert_eq!((&answers[0]["problem"]["code"], &answers[1]["length"]), (&json!("metric_failed"), &json!(1)));
}

/// `moves` that are all turns of some faces are still `moves`.
#[tokio::test]
async fn a_problem_names_the_field_that_was_sent() {
    let router = service();
    let faces = |field: &str, turns: Value| json!({"scramble": "F", field: turns, "time_limit_ms": 1});
    let moves = json!("U U2 U' R R2 R' F F2 F' D D2 D' L L2 L'");
    for (field, turns) in [("moves", &moves), ("faces", &json!("URFDL"))] {
        let problem =
            post(&router, "/solve", faces(field, turns.clone()).to_string()).await.problem(503, "metric_not_ready");
        assert_eq!(problem["field"], field, "{problem}");
        assert!(problem["detail"].text().contains(&format!("without `{field}`")), "{problem}");
    }
    // A target that stands for several cubes.
    let target = json!({"scramble": "F", "moves": moves, "target": "R U", "target_up_to_turn": "U"});
    let problem = post(&router, "/solve", target.to_string()).await.problem(422, "option_out_of_range");
    assert_eq!(problem["field"], "moves", "{problem}");
}

#[tokio::test]
async fn one_face_says_which_turns_to_add() {
    let router = service();
    answered(&router, "/solve", &json!({"scramble": "U", "faces": "U"})).await;
    let body = json!({"scramble": "F", "faces": "U"});
    let problem = post(&router, "/solve", body.to_string()).await.problem(422, "out_of_reach");
    assert_eq!(problem["field"], "faces");
    let detail = problem["detail"].text();
    assert!(
        detail.contains("not in place") && detail.ends_with("Add turns in `faces`, or check the cube."),
        "{problem}"
    );
}

#[tokio::test]
async fn cubes_out_of_reach_and_unsupported_turns_are_refused() {
    let router = service();
    // The tables take longer than the request.
    let quarters = json!({"scramble": "F", "moves": "U U' R R' F F' D D' L L' B B'", "time_limit_ms": 1});
    let problem = post(&router, "/solve", quarters.to_string()).await.problem(503, "metric_not_ready");
    assert_eq!(problem["field"], "moves", "{problem}");
    answered(&router, "/solve", &json!({"scramble": "", "faces": "UR"})).await;
    for (body, status, code, parts) in [
        (json!({"scramble": "F", "faces": "UR"}), 422, "out_of_reach", ["U R", "DLF"]),
        (json!({"scramble": "F", "faces": "UX"}), 422, "option_out_of_range", ["`faces`", "`URFDL`"]),
        (json!({"scramble": "F", "faces": ""}), 422, "option_out_of_range", ["`faces`", "letters"]),
        (json!({"scramble": "F", "faces": "UR", "moves": "U U'"}), 422, "option_out_of_range", ["`moves`", "`faces`"]),
        (json!({"scramble": "F", "moves": "U U2"}), 422, "unsupported_moves", ["has U,", "inverse U'"]),
        (json!({"scramble": "F", "moves": ["U2", "R2"]}), 422, "unsupported_moves", ["half turns", "`faces`"]),
        (json!({"scramble": "F", "moves": ["U", "y"]}), 422, "option_out_of_range", ["`moves`", "cannot be read"]),
        (
            json!({"scramble": "F", "faces": "UR", "optimal": true}),
            422,
            "metric_not_provable",
            ["all turns", "`faces`"],
        ),
    ] {
        post(&router, "/solve", body.to_string()).await.problem_with(status, code, &parts);
    }
    // All faces are no restriction.
    let solved = post(&router, "/solve", r#"{"scramble": "F", "faces": "URFDLB", "optimal": true}"#).await.ok();
    assert_eq!(solved["length"], 1);
}
