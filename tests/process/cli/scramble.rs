//! `superflip scramble` as a shell sees it.

use crate::common::prelude::*;
use crate::common::stickers::{apply, renamed};

#[test]
fn scrambles_are_lines_or_json() {
    let seeded = ["scramble", "--kind", "333ni", "--count", "3", "--seed", "lesson 3", "--subset", "last_layer"];
    let text = run_on_tables(&seeded, 0);
    let body = run_on_tables(&[seeded.as_slice(), &["--json"]].concat(), 0).json();
    let lines = text.lines();
    assert_eq!(body["scrambles"], Value::from(lines.clone()));
    let facelets: Vec<String> = lines.iter().map(|scramble| renamed(&apply(SOLVED, scramble))).collect();
    assert_eq!((facelets.len(), &body["facelets"]), (3, &Value::from(facelets.clone())));
    assert_eq!([&body["kind"], &body["subset"], &body["seed"]], ["333ni", "last_layer", "lesson 3"]);
    assert_eq!(body["random"], false);
    let random = [(); 2].map(|()| run_on_tables(&["scramble"], 0));
    assert_ne!(random[0].out, random[1].out);
    assert!(random.iter().all(|output| output.lines().len() == 1));
}

#[test]
fn the_scramble_to_a_cube_and_long_ones_are_written() {
    for (arguments, scramble) in [
        (["--cube", "R U F"].as_slice(), "R U F\n"),
        (&["--cube", "GETVSBAH=ZFCXBAGLYTKE=A", "--cube-format", "b32"], "R U F\n"),
    ] {
        assert_eq!(run_on_tables(&[["scramble"].as_slice(), arguments].concat(), 0).out, scramble, "{arguments:?}");
    }
    let long = run_on_tables(&["scramble", "--min-length", "20", "--max-length", "20", "--count", "5"], 0);
    assert!(long.lines().iter().all(|line| line.split(' ').count() == 20), "{}", long.out);
    assert_eq!(long.lines().len(), 5);
    for arguments in [["--cube", "R U Q"], ["--cube", ""], ["--cube-format", "reid"]] {
        run(&[["scramble"].as_slice(), &arguments].concat(), 2);
    }
}

#[test]
fn scrambles_of_some_faces_and_of_a_cross_are_written() {
    let two = run_on_tables(&["scramble", "--faces", "RU", "--count", "3"], 0);
    assert_eq!(two.lines().len(), 3);
    assert!(!two.out.contains(['F', 'D', 'L', 'B']), "{}", two.out);
    let several = run_on_tables(&["scramble", "--cube", "R U F", "--count", "3"], 0);
    let cubes: HashSet<String> = several.lines().iter().map(|scramble| renamed(&apply(SOLVED, scramble))).collect();
    assert_eq!((several.lines().len(), cubes.len()), (3, 1), "{}", several.out);
    let turned = ["scramble", "--target", "U", "--target-up-to-rotation", "--count", "6"];
    let cubes =
        run_on_tables(&turned, 0).lines().iter().map(|scramble| apply(SOLVED, scramble)).collect::<HashSet<_>>();
    assert_eq!(cubes, ["U", "R", "F", "D", "L", "B"].map(|mv| apply(SOLVED, mv)).into());
    let cross = ["scramble", "--cross-length", "1", "--cross-face", "U", "--json"];
    let body = run_on_tables(&cross, 0).json();
    // One move solves the four edges of U.
    let edges = ["UR", "UF", "UL", "UB"];
    let is_solved = |cube: &str| edges.iter().all(|slot| stickers::shown(cube, slot) == *slot);
    let cube = body["facelets"][0].text();
    assert!(!is_solved(cube) && Move::ALL.iter().any(|mv| is_solved(&apply(cube, mv.name()))), "{body}");
    run_on_tables(&["scramble", "--faces", "RU", "--cube", "F"], 1);
}

#[test]
fn a_wrong_flag_is_refused_with_what_is_expected() {
    for (arguments, words) in [
        (["--kind", "222"], "expected one of: 333, 333oh, 333ni, 333fm"),
        (["--count", "101"], "`count` is 101; it must be from 1 to 100"),
        (["--subset", "f2l"], "`f2l` is not a subset"),
        (["--faces", "X"], "has the symbol `X`"),
        (["--cross_length", "9"], "`cross_length` is 9; it must be from 1 to 8"),
        (["--cross_face", "U"], "give `cross_length`"),
        (["--seed", ""], "it must have 1 to 200"),
        (["--min_length", "21"], "`min_length` is 21; it must be from 0 to 20"),
    ] {
        let flag = arguments[0].replace('_', "-");
        let given = [flag.as_str(), arguments[1]];
        let message = run(&[["scramble"].as_slice(), &given].concat(), 2).err;
        assert!(message.contains(words), "{arguments:?}: {message}");
        let problem = run(&[["scramble", "--json"].as_slice(), &given].concat(), 2).json();
        assert_eq!(problem["field"], arguments[0][2..]);
    }
}
