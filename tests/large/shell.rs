//! `--metric` of `superflip solve` and of `superflip tables`.

use crate::common::prelude::*;
use crate::common::wire::{blocking, post};

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
    let reply = blocking::ask(program.address(), &post("/solve", "application/json", &body));
    assert_eq!((reply.status, &reply.json().unwrap()["length"]), (200, &json!(3)), "{}", reply.body);
}
