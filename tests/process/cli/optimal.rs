//! `superflip solve --optimal`: one cube, many cubes, and what is refused.

use crate::common::prelude::*;

/// `superflip solve --optimal` with this input.
#[track_caller]
fn solve(input: &str, arguments: &[&str], code: i32) -> Ran {
    run_with_input(&[&["solve", "--optimal"], arguments].concat(), input, code)
}

fn cubes(count: usize, length: usize) -> Vec<String> {
    let mut rng = rng(60);
    (0..count).map(|_| letters(&walk(&mut rng, length, &Move::ALL))).collect()
}

#[track_caller]
fn assert_proven(facelets: &str, body: &Value) {
    assert_eq!((&body["facelets"], &body["proven_optimal"]), (&json!(facelets), &json!(true)), "{body}");
    assert_eq!(body["length"], body["lower_bound"]);
    assert!(stickers::solves(facelets, body["solution"].text()));
}

#[test]
fn a_batch_is_proven_line_by_line_and_in_order() {
    let cubes = cubes(5, 12);
    let input = cubes.join("\n");
    let single = solve("", &["--json", &cubes[3]], 0).json();
    assert_proven(&cubes[3], &single);
    for threads in ["1", "2"] {
        let answers = solve(&input, &["--batch", "-", "--json", "--threads", threads], 0).documents();
        assert_eq!(answers.len(), cubes.len());
        for (number, (cube, answer)) in cubes.iter().zip(&answers).enumerate() {
            assert_eq!(answer["line"], number + 1);
            assert_proven(cube, answer);
        }
        assert_eq!(answers[3]["length"], single["length"]);
        let plain = solve(&input, &["--batch", "-", "--threads", threads], 0);
        let lengths: Vec<usize> = plain.out.lines().map(|line| line.split(' ').count()).collect();
        assert_eq!(lengths, answers.iter().map(|a| a["length"].number() as usize).collect::<Vec<_>>());
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
    let answers = solve(&input, &["--batch", "-", "--json"], 2).documents();
    assert_eq!(answers[0]["stopped_by"], "target_length");
    assert_eq!((&answers[1]["stopped_by"], &answers[1]["proven_optimal"]), (&json!("time_limit"), &json!(false)));
    assert_eq!(answers[2]["length"], 3);
    assert_eq!(answers[3]["problem"]["field"], "target_length");
    // No table is opened or built unless the command asks for one; near cubes are proven without it.
    let input = format!(
        "{{\"facelets\": \"{SUPERFLIP}\", \"optimal\": true}}\nR U\n{{\"scramble\": \"R\", \"optimal\": true}}\n"
    );
    let output = run_with_input(&["solve", "--batch", "-"], &input, 1);
    assert_eq!(output.lines(), ["", "U' R'", "R'"], "{}", output.err);
    for part in ["line 1", "at least 11 moves", "--optimal"] {
        assert!(output.err.contains(part), "{}", output.err);
    }
}

#[test]
fn a_near_cube_is_proven_without_the_table() {
    let folder = copied();
    let mut command = superflip(&["solve", "--optimal", "--all-solutions", "--tables-dir"]);
    assert_eq!(Ran::of(command.arg(folder.path()).arg("R L U"), 0).out, "U' R' L'\n");
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
        let output = run_on_tables(&[&["solve"], arguments].concat(), 2);
        assert!(output.err.contains(part), "{arguments:?}: {}", output.err);
    }
}

#[test]
fn a_time_limit_holds_and_without_one_it_goes_on_to_the_proof() {
    let output = solve("", &["--json", "--time-limit-ms", "200", SUPERFLIP], 3);
    assert!(output.err.contains("before the proof; the lower bound is 1"), "{}", output.err);
    let answer = output.json();
    assert_eq!((&answer["stopped_by"], &answer["proven_optimal"]), (&json!("time_limit"), &json!(false)));
    assert!(answer["lower_bound"].number() >= 11);
    let lines = format!("R U F\n{SUPERFLIP}\n");
    for (input, arguments, solutions, message) in [
        ("", [SUPERFLIP].as_slice(), 1, "before the proof; the lower bound is 1"),
        (&lines, &["--batch", "-"], 2, "1 of 2 solutions are not proven shortest"),
    ] {
        let output = solve(input, &[&["--time-limit-ms", "200"], arguments].concat(), 3);
        assert!(output.lines().len() == solutions && output.err.contains(message), "{}{}", output.out, output.err);
    }
    // The limits of the service do not hold here.
    let cube = &cubes(1, 13)[0];
    let mut command = on_tables(&["solve", "--optimal", "--json", cube]);
    command.envs(["SEARCH", "OPTIMAL"].map(|part| (format!("SUPERFLIP_{part}__DEFAULT_TIME_LIMIT_MS"), "1")));
    assert_proven(cube, &Ran::of(&mut command, 0).json());
}

#[test]
fn all_solutions_are_listed_up_to_a_limit() {
    // R2 U2 three times is its own inverse, so that it has two solutions at least.
    let cube = "R2 U2 R2 U2 R2 U2";
    let output = solve("", &["--all-solutions", cube], 0);
    let all = output.lines();
    assert!(all.len() >= 2 && output.err.is_empty(), "{all:?} {}", output.err);
    for solution in &all {
        assert!(stickers::solves(&stickers::apply(SOLVED, cube), solution), "{solution}");
    }
    let first = solve("", &["--all-solutions", "--solutions", "1", cube], 0);
    assert_eq!(first.lines().len(), 1);
    assert!(first.err.contains(&format!("{} shortest solutions", all.len())), "{}", first.err);
    let answer = solve(cube, &["--all-solutions", "--json", "--batch", "-"], 0).json();
    assert_eq!(answer["optimal_solutions"], all.len());
}

#[test]
fn the_optimal_table_is_built_listed_and_checked() {
    let names = |command: &str| -> Vec<String> {
        let rows = run_on_small_tables(&["tables", command, "--optimal-table", "s", "--json"], 0).json();
        rows.list().iter().map(|row| row["name"].text().to_owned()).collect()
    };
    let (built, listed) = (names("build"), names("list"));
    assert_eq!(built.last().map(String::as_str), Some("optimal_s"));
    // The folder has files of the other profile too.
    let missing: Vec<_> = built.into_iter().filter(|name| !listed.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let checked = run_on_small_tables(&["tables", "verify", "optimal_s"], 0);
    assert!(checked.out.starts_with("optimal_s: sound"), "{}", checked.out);
    let refused = run_on_small_tables(&["tables", "verify", "optimal_z"], 2);
    assert!(refused.err.contains("did you mean `optimal_"), "{}", refused.err);
    run_on_small_tables(&["tables", "list", "--optimal-table", "huge"], 2);
}
