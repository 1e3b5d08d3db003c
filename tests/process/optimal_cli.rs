//! `superflip solve --optimal`: one cube, many cubes, and what is refused.

use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::common::folders::{copied, names};
use crate::common::program::{Program, on_tables, superflip};
use crate::common::service::SUPERFLIP;
use crate::common::stickers::SOLVED;
use crate::common::{letters, rng, stickers, walk};
use superflip_cube::Move;

fn run(input: &str, arguments: &[&str]) -> Output {
    run_command(&["solve"], input, arguments)
}

fn run_command(words: &[&str], input: &str, arguments: &[&str]) -> Output {
    let mut command = on_tables(words);
    command.args(arguments).stdin(Stdio::piped());
    Program::start(command).answered(input)
}

fn out(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(str::to_owned).collect()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn cubes(count: usize, length: usize) -> Vec<String> {
    let mut rng = rng(60);
    (0..count).map(|_| letters(&walk(&mut rng, length, &Move::ALL))).collect()
}

#[track_caller]
fn assert_proven(facelets: &str, body: &Value) {
    assert_eq!((&body["facelets"], &body["proven_optimal"]), (&json!(facelets), &json!(true)), "{body}");
    assert_eq!(body["length"], body["lower_bound"]);
    assert!(stickers::solves(facelets, body["solution"].as_str().unwrap()));
}

#[test]
fn a_batch_is_proven_line_by_line_and_in_order() {
    let cubes = cubes(10, 12);
    let input = cubes.join("\n");
    let single = run("", &["--optimal", "--json", &cubes[3]]);
    let single: Value = serde_json::from_slice(&single.stdout).unwrap_or_else(|_| panic!("{}", err(&single)));
    assert_proven(&cubes[3], &single);
    for threads in ["1", "2"] {
        let output = run(&input, &["--optimal", "--batch", "-", "--json", "--threads", threads]);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let answers: Vec<Value> = out(&output).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), cubes.len());
        for (number, (cube, answer)) in cubes.iter().zip(&answers).enumerate() {
            assert_eq!(answer["line"], number + 1);
            assert_proven(cube, answer);
        }
        assert_eq!(answers[3]["length"], single["length"]);
        let plain = out(&run(&input, &["--optimal", "--batch", "-", "--threads", threads]));
        let lengths: Vec<usize> = plain.iter().map(|line| line.split(' ').count()).collect();
        assert_eq!(lengths, answers.iter().map(|a| a["length"].as_u64().unwrap() as usize).collect::<Vec<_>>());
    }
}

#[test]
fn a_line_has_its_own_say() {
    let lines = [
        json!({"facelets": SUPERFLIP, "optimal": false, "target_length": 24}),
        json!({"facelets": SUPERFLIP, "time_limit_ms": 200}),
        json!({"scramble": "R U F"}),
        json!({"scramble": "R U F", "target_length": 20}),
    ];
    let input: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    let output = run(&input, &["--optimal", "--batch", "-", "--json"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    let answers: Vec<Value> = out(&output).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["stopped_by"], "target_length");
    assert_eq!((&answers[1]["stopped_by"], &answers[1]["proven_optimal"]), (&json!("time_limit"), &json!(false)));
    assert_eq!(answers[2]["length"], 3);
    assert_eq!(answers[3]["problem"]["field"], "target_length");
    // No table is opened or built unless the command asks for one; near cubes are proven without it.
    let input = format!(
        "{{\"facelets\": \"{SUPERFLIP}\", \"optimal\": true}}\nR U\n{{\"scramble\": \"R\", \"optimal\": true}}\n"
    );
    let output = run(&input, &["--batch", "-"]);
    let solutions = ["", "U' R'", "R'"].map(str::to_owned).to_vec();
    assert_eq!((output.status.code(), out(&output)), (Some(1), solutions), "{}", err(&output));
    for part in ["line 1", "at least 11 moves", "--optimal"] {
        assert!(err(&output).contains(part), "{}", err(&output));
    }
}

#[test]
fn a_near_cube_is_proven_without_the_table() {
    let folder = copied();
    let mut command = superflip(&["solve", "--optimal", "--all-solutions", "--tables-dir"]);
    let output = command.arg(folder.path()).arg("R L U").output().unwrap();
    assert_eq!((output.status.code(), out(&output)), (Some(0), vec!["U' R' L'".to_owned()]), "{}", err(&output));
    let is_for_proofs = |name: &String| name.starts_with("optimal_");
    assert!(!names(folder.path(), "").iter().any(is_for_proofs), "a table was built for nothing");
}

#[test]
fn flags_that_make_no_sense_together_are_refused() {
    for (arguments, part) in [
        (&["R", "--all-solutions"][..], "--optimal"),
        (&["R", "--optimal-table", "s"], "--optimal"),
        (&["R", "--optimal", "--target-length", "20"], "--target-length"),
        (&["R", "--optimal", "--solutions", "2"], "all_solutions"),
        (&["R", "--optimal", "--optimal-table", "xxl"], "s, m, l, xl"),
        (&["--optimal", "--all-solutions", "--batch", "-"], "--json"),
    ] {
        let output = run("", arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(part), "{arguments:?}: {}", err(&output));
    }
}

#[test]
fn a_time_limit_holds_and_without_one_it_goes_on_to_the_proof() {
    let output = run("", &["--optimal", "--json", "--time-limit-ms", "200", SUPERFLIP]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(err(&output).contains("before the proof; the lower bound is 1"), "{}", err(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(&output)));
    assert_eq!((&answer["stopped_by"], &answer["proven_optimal"]), (&json!("time_limit"), &json!(false)));
    assert!(answer["lower_bound"].as_u64().unwrap() >= 11);
    let output = run("", &["--optimal", "--time-limit-ms", "200", SUPERFLIP]);
    assert_eq!((output.status.code(), out(&output).len()), (Some(3), 1));
    assert!(err(&output).contains("before the proof; the lower bound is 1"), "{}", err(&output));
    let lines = format!("R U F\n{SUPERFLIP}\n");
    let output = run(&lines, &["--optimal", "--time-limit-ms", "200", "--batch", "-"]);
    assert_eq!((output.status.code(), out(&output).len()), (Some(3), 2), "{}", err(&output));
    assert!(err(&output).contains("1 of 2 solutions are not proven shortest"), "{}", err(&output));
    let cube = &cubes(1, 16)[0];
    let output = run("", &["--optimal", "--json", cube]);
    assert_proven(cube, &serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(&output))));
}

#[test]
fn all_solutions_are_listed_up_to_a_limit() {
    // R2 U2 three times is its own inverse, so that it has two solutions at least.
    let cube = "R2 U2 R2 U2 R2 U2";
    let output = run("", &["--optimal", "--all-solutions", cube]);
    let all = out(&output);
    assert!(all.len() >= 2 && output.stderr.is_empty(), "{all:?} {}", err(&output));
    for solution in &all {
        assert!(stickers::solves(&stickers::apply(SOLVED, cube), solution), "{solution}");
    }
    let first = run("", &["--optimal", "--all-solutions", "--solutions", "1", cube]);
    assert_eq!(out(&first).len(), 1);
    assert!(err(&first).contains(&format!("{} shortest solutions", all.len())), "{}", err(&first));
    let output = run(cube, &["--optimal", "--all-solutions", "--json", "--batch", "-"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(&output)));
    assert_eq!(answer["optimal_solutions"], all.len());
}

#[test]
fn the_optimal_table_is_built_listed_and_checked() {
    let names = |output: &Output| -> Vec<String> {
        let rows: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", err(output)));
        rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let built = run_command(&["tables", "build"], "", &["--optimal-table", "s", "--json"]);
    let listed = run_command(&["tables", "list"], "", &["--optimal-table", "s", "--json"]);
    assert_eq!(names(&built).last().map(String::as_str), Some("optimal_s"));
    // The folder has files of the other profile too.
    let missing: Vec<_> = names(&built).into_iter().filter(|name| !names(&listed).contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let checked = run_command(&["tables", "verify"], "", &["optimal_s"]);
    assert_eq!(checked.status.code(), Some(0), "{}", err(&checked));
    assert!(out(&checked)[0].starts_with("optimal_s: sound"), "{checked:?}");
    let refused = run_command(&["tables", "verify"], "", &["optimal_z"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(err(&refused).contains("did you mean `optimal_"), "{refused:?}");
    let refused = run_command(&["tables", "list"], "", &["--optimal-table", "huge"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}
