//! `superflip steps`.

use crate::common::prelude::*;

const SCRAMBLE: &str = "R' U' F L2 D' B2 U R2 F' D2 L B' R U2";

#[test]
fn steps_are_printed_with_a_solution() {
    let facelets = stickers::apply(SOLVED, SCRAMBLE);
    let said = run(&["steps", SCRAMBLE, "--time-limit-ms", "700"], 0).out;
    let (rows, last) = said.trim_end().rsplit_once('\n').expect("steps and a solution");
    let heads: Vec<&str> = rows.lines().map(|row| row.split_whitespace().next().unwrap()).collect();
    assert_eq!(heads, ["step", "eo", "dr-eo", "htr", "htr-finish"], "{said}");
    assert!(rows.lines().last().unwrap().ends_with("solved"), "{said}");
    let moves = last.strip_prefix("solution: ").and_then(|rest| rest.split(" (").next()).expect("moves");
    assert!(stickers::solves(&facelets, moves), "{said}");

    let body = run(&["steps", SCRAMBLE, "--steps", "eo[ud]", "--solutions", "3", "--json"], 0).json();
    assert_eq!(body["solutions"].list().len(), 3, "{body}");
    let composed = run(&["steps", SCRAMBLE, "--steps", r#"[{"goal": "twist"}]"#, "--json"], 0).json();
    assert_eq!(composed["solutions"][0]["steps"][0]["goal"], "twist", "{composed}");

    let none = run(&["steps", "F", "--steps", "eo[max=0;fb]"], 1).out;
    assert!(none.starts_with("Step 1 (`eo`) has no solution of at most 0 moves. Raise its `max`"), "{none}");
    // Half turns do not reach it.
    let never = r#"[{"goal": "layer_1", "axis": "D", "moves": "U2 D2 R2 L2 F2 B2"}]"#;
    let late = run(&["steps", SCRAMBLE, "--steps", never, "--time-limit-ms", "50"], 1).out;
    assert!(
        late.starts_with("Step 1 (`layer_1`) found nothing within the time limit. All solutions of at most "),
        "{late}"
    );
    assert!(
        late.contains("Raise --time-limit-ms, or add smaller steps before it, such as `cross > layer_1`."),
        "{late}"
    );
    let goals = run(&["steps", "--goals"], 0).out;
    assert!(goals.contains("roux_first_block") && goals.contains("drud-eofb"), "{goals}");
}

#[test]
fn steps_that_cannot_be_are_named() {
    for (args, part) in [
        (&["steps", "R", "--steps", "EO > RZP > DR"][..], "the step `RZP` of cubelib is not supported"),
        (&["steps", "R", "--steps", ""], "such as `EO > DR > HTR > FIN`"),
        (&["steps", "R", "--steps", "[1]"], "cannot read --steps: "),
        (
            &["steps", "R", "--steps", "[{\"goal\": \"eo\", \"side\": \"both\"}]"],
            "`[0].side`: expected one of `normal`",
        ),
        (&["steps", "R", "--steps", "{\"goal\": \"eo\"}"], "put the step in a list"),
        (&["steps", "R", "--steps", "crosss"], "did you mean `cross`?"),
        (&["steps", "R U F", "--steps", "htr"], "reach that in a step before it"),
        (&["steps", "R U Q"], "at character 5"),
        (&["steps", "R", "--solutions", "0"], "from 1 to 100"),
        (&["steps", ""], "the cube is empty"),
        (&["steps"], "<CUBE>"),
    ] {
        let said = run(args, 2).err;
        assert!(said.contains(part), "{args:?}: {said}");
    }
    assert_eq!(run(&["steps", "R U F", "--steps", "htr", "--json"], 2).json()["code"], "unprepared_step");
}
