//! `superflip scramble` as a shell sees it.

use std::process::Output;

use serde_json::Value;

use crate::common::program::{on_tables, superflip};
use crate::common::stickers::{SOLVED, apply, renamed};

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn scrambles_are_lines_or_json() {
    let seeded = ["scramble", "--kind", "333ni", "--count", "3", "--seed", "lesson 3", "--subset", "last_layer"];
    let text = on_tables(&seeded).output().unwrap();
    let json = on_tables(&[seeded.as_slice(), &["--json"]].concat()).output().unwrap();
    for output in [&text, &json] {
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let body: Value = serde_json::from_str(stdout(&json)).unwrap();
    let lines: Vec<&str> = stdout(&text).lines().collect();
    assert_eq!(body["scrambles"], Value::from(lines.clone()));
    let facelets: Vec<String> = lines.iter().map(|scramble| renamed(&apply(SOLVED, scramble))).collect();
    assert_eq!((facelets.len(), &body["facelets"]), (3, &Value::from(facelets.clone())));
    assert_eq!([&body["kind"], &body["subset"], &body["seed"]], ["333ni", "last_layer", "lesson 3"]);
    assert_eq!(body["random"], false);
    let random = [(); 2].map(|()| on_tables(&["scramble"]).output().unwrap());
    assert_ne!(stdout(&random[0]), stdout(&random[1]));
    assert!(random.iter().all(|output| stdout(output).lines().count() == 1));
}

#[test]
fn the_scramble_to_a_cube_and_long_ones_are_written() {
    for (arguments, scramble) in [
        (["--cube", "R U F"].as_slice(), "R U F\n"),
        (&["--cube", "GETVSBAH=ZFCXBAGLYTKE=A", "--cube-format", "b32"], "R U F\n"),
    ] {
        let output = on_tables(&[["scramble"].as_slice(), arguments].concat()).output().unwrap();
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), scramble), "{arguments:?}");
    }
    let long = on_tables(&["scramble", "--min-length", "20", "--max-length", "20", "--count", "5"]).output().unwrap();
    assert!(stdout(&long).lines().all(|line| line.split(' ').count() == 20), "{}", stdout(&long));
    assert_eq!(stdout(&long).lines().count(), 5);
    for arguments in [["--cube", "R U X"], ["--cube", ""], ["--cube-format", "reid"]] {
        let output = superflip(&[["scramble"].as_slice(), &arguments].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_wrong_flag_is_refused_with_what_is_expected() {
    for (arguments, words) in [
        (["--kind", "222"], "expected one of: 333, 333oh, 333ni, 333fm"),
        (["--count", "101"], "`count` is 101; it must be from 1 to 100"),
        (["--subset", "f2l"], "`f2l` is not a subset"),
        (["--seed", ""], "it must have 1 to 200"),
        (["--min_length", "21"], "`min_length` is 21; it must be from 0 to 20"),
    ] {
        let flag = arguments[0].replace('_', "-");
        let given = [flag.as_str(), arguments[1]];
        let output = superflip(&[["scramble"].as_slice(), &given].concat()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(words), "{arguments:?}: {message}");
        let output = superflip(&[["scramble", "--json"].as_slice(), &given].concat()).output().unwrap();
        let problem: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!((output.status.code(), problem["field"].as_str()), (Some(2), Some(&arguments[0][2..])));
    }
}
