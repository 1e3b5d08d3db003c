//! `superflip solve --batch`: one answer per line, in order, while the input is still being read.

use std::io::{BufRead as _, Write as _};

use crate::common::prelude::*;

/// Starts a batch whose input the test writes.
fn start(arguments: &[&str]) -> Program {
    let mut command = on_tables(&["solve", "--batch", "-"]);
    command.args(arguments).stdin(Stdio::piped());
    Program::start(command)
}

/// Runs a batch with this input, and checks the exit code.
#[track_caller]
fn batch(input: &str, arguments: &[&str], code: i32) -> Ran {
    run_with_input(&[&["solve", "--batch", "-"], arguments].concat(), input, code)
}

fn cubes(count: usize) -> Vec<String> {
    let mut rng = rng(7);
    (0..count).map(|_| letters(&scrambled(&mut rng))).collect()
}

#[test]
fn each_line_has_the_solution_of_its_cube() {
    let cubes = cubes(200);
    for threads in ["1", "3"] {
        let flags = ["--threads", threads, "--in-flight", "5", "--target-length", "21"];
        let output = batch(&cubes.join("\n"), &flags, 0);
        let answers = output.lines();
        assert_eq!(answers.len(), cubes.len());
        for (cube, answer) in cubes.iter().zip(&answers) {
            assert!(stickers::solves(cube, answer), "{cube}: {answer}");
            assert!(answer.split(' ').count() <= 21, "{answer}");
            assert_eq!(stickers::form_fault(answer), None);
        }
    }
}

#[test]
fn a_column_of_a_table_is_read_by_its_name() {
    let table = "No.;Time;Comment;Scramble;Date;P.1\r\n1;12.34;\"a; b\";R U F;2025-01-01 10:00:00;12.34\r\n";
    assert_eq!(batch(table, &["--column", "Scramble"], 0).lines(), ["F' U' R'"]);
    let message = batch(table, &["--column", "cube"], 2).err;
    assert!(message.contains("no column `cube`") && message.contains("`Scramble`"), "{message}");
    batch(table, &[], 2);
    run(&["solve", "R", "--column", "Scramble"], 2);
}

#[test]
fn every_form_is_read_and_answered_with_its_line() {
    let after = stickers::apply(stickers::SOLVED, "R U2 F'");
    let input =
        format!("# a comment\n\n  R U2 F'  \r\n{after}\n{{\"facelets\": \"{after}\", \"target_length\": 19}}\n");
    let answers = batch(&input, &["--json"], 0).documents();
    assert_eq!(answers.iter().map(|answer| answer["line"].number()).collect::<Vec<_>>(), [3, 4, 5]);
    for answer in answers {
        assert_eq!((&answer["solution"], &answer["length"]), (&"F U2 R'".into(), &3.into()));
        assert_eq!((&answer["proven_optimal"], &answer["lower_bound"]), (&true.into(), &3.into()));
        assert!(answer["nodes"].is_u64() && answer["elapsed_us"].is_u64(), "{answer}");
    }
}

#[test]
fn a_line_is_read_as_by_the_service() {
    let cubies = r#"{"cp":[1,0,2,3,4,5,6,7],"co":[0,0,0,0,0,0,0,0],"ep":[1,0,2,3,4,5,6,7,8,9,10,11],"eo":[0,0,0,0,0,0,0,0,0,0,0,0]}"#;
    let orbit = |count: usize| {
        let pieces: Vec<usize> = (0..count).collect();
        format!(r#"{{"pieces":{pieces:?},"orientation":{:?}}}"#, vec![0; count])
    };
    let pattern = format!(r#"{{"id": "solved", "EDGES": {}, "CORNERS": {}}}"#, orbit(12), orbit(8));
    let input =
        format!("{{\"id\": \"a\", \"scramble\": \"R U F\"}}\n{cubies}\n{pattern}\n{{\"id\": 7, \"cube\": \"f.b\"}}\n");
    let answers = batch(&input, &["--json", "--format", "scramble"], 0).documents();
    let ids: Vec<_> = answers.iter().map(|answer| answer.get("id").map(ToString::to_string)).collect();
    assert_eq!(ids, [Some("\"a\"".into()), None, Some("\"solved\"".into()), Some("7".into())]);
    assert_eq!([&answers[0]["solution"], &answers[2]["solution"]], ["F' U' R'", ""]);
    let (facelets, solution) = (answers[1]["facelets"].text(), answers[1]["solution"].text());
    // The corners URF and UFL, and the edges UR and UF, are exchanged.
    assert_eq!(facelets, "UUUUUUUUUFFRRRRRRRRRLFFFFFFDDDDDDDDDLLFLLLLLLBBBBBBBBB");
    assert!(stickers::solves(facelets, solution));
}

#[test]
fn an_invalid_line_is_reported_with_its_number() {
    let long = "R ".repeat(40_000);
    let deep = format!("{{\"id\": {}{}}}", "[".repeat(32_000), "]".repeat(32_000));
    let input = format!("R\nR Q\n{{\"scramble\": \"R\", \"colour\": 1}}\n{{\"scramble\"\n{long}\n{deep}\nU\n");
    let output = batch(&input, &[], 2);
    assert_eq!(output.lines(), ["R'", "", "", "", "", "", "U'"]);
    let second = "line 2: Read as scramble: at character 3: found `Q`";
    for part in [second, "line 3:", "`colour`", "line 4:", "line 5: The line is longer", "line 6:", "5 of 7"] {
        assert!(output.err.contains(part), "{part}: {}", output.err);
    }
    let answers = batch(&input, &["--json"], 2).documents();
    assert!(answers.iter().all(|answer| answer["problem"].get("request_id").is_none()), "a shell has no requests");
    let codes: Vec<_> = answers.iter().map(|answer| answer["problem"]["code"].as_str().unwrap_or("")).collect();
    assert_eq!(codes, ["", "notation", "unknown_field", "malformed_json", "body_too_large", "invalid_field", ""]);
    assert!(answers.iter().zip(1..).all(|(answer, line)| answer["line"] == line));
}

#[test]
fn a_cube_without_a_solution_within_its_limits_is_exit_code_1() {
    let input = format!("{{\"facelets\": \"{SUPERFLIP}\", \"max_length\": 5, \"time_limit_ms\": 50}}\nR\n");
    let output = batch(&input, &["--threads", "2"], 1);
    assert_eq!(output.lines(), ["", "R'"]);
    assert!(output.err.contains("line 1: No solution of at most 5 moves"), "{}", output.err);
}

/// The first line takes its whole time limit. A second thread solves the others long before, and they wait.
#[test]
fn answers_keep_the_order_of_the_lines() {
    let slow = format!("{{\"facelets\": \"{SUPERFLIP}\", \"target_length\": 0, \"time_limit_ms\": 300}}");
    let answers = batch(&[slow, "R\n".repeat(50)].join("\n"), &["--threads", "2", "--json"], 0).documents();
    assert!(answers.iter().zip(1..).all(|(answer, line)| answer["line"] == line));
    assert_eq!((answers.len(), &answers[0]["stopped_by"]), (51, &"time_limit".into()));
}

#[test]
fn answers_come_before_the_end_of_the_input() {
    let mut program = start(&[]);
    let (mut stdin, mut answers) = (program.input(), program.output().lines());
    for (scramble, solution) in [("R U", "U' R'"), ("F", "F'"), ("L2", "L2")] {
        writeln!(stdin, "{scramble}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), solution);
    }
    drop(stdin);
    assert_eq!(program.ended().code(), Some(0));
}

#[test]
fn a_closed_output_pipe_ends_the_command_quietly() {
    let mut program = start(&[]);
    let (mut stdin, mut answers) = (program.input(), program.output());
    writeln!(stdin, "R").unwrap();
    answers.read_line(&mut String::new()).unwrap();
    drop(answers);
    // Its input stays open.
    writeln!(stdin, "R").unwrap();
    assert_eq!((program.ended().code(), program.text_of_log()), (Some(0), String::new()));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_the_answers_so_far() {
    // The second line would go on for ten minutes.
    let endless = format!("{{\"facelets\": \"{SUPERFLIP}\", \"target_length\": 0, \"time_limit_ms\": 600000}}");
    for (signal, lines) in [("INT", format!("R\n{endless}")), ("TERM", "R".to_owned())] {
        let mut program = start(&[]);
        let (mut stdin, mut answers) = (program.input(), program.output().lines());
        writeln!(stdin, "{lines}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), "R'");
        program.signal(signal);
        assert_eq!(program.ended().code(), Some(1));
        let errors = program.text_of_log();
        assert!(answers.next().is_none() && errors.contains("stopped; lines answered: 1"), "{signal}: {errors}");
    }
}

#[test]
fn invalid_flags_are_refused_before_anything_is_read() {
    for (arguments, part) in [
        (["--batch", "-", "--target-length", "99"].as_slice(), "from 0 to 30"),
        (&["--batch", "/no/such/file"], "/no/such/file"),
        (&[], ""),
        (&["R", "--batch", "-"], ""),
        (&["R", "--in-flight", "4"], ""),
        (&["--batch", "-", "--threads", "0"], ""),
    ] {
        let refused = run(&[&["solve"], arguments].concat(), 2);
        assert!(refused.err.contains(part), "{arguments:?}: {}", refused.err);
    }
}
