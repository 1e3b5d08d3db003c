//! `superflip check-solution` and `superflip diagnose`.

use crate::common::prelude::*;

#[test]
fn a_solution_is_judged_by_its_exit_code() {
    assert_eq!(run(&["check-solution", "R U F", "x U' B' R'"], 0).out, "valid: 3 moves\n");
    assert_eq!(run(&["check-solution", "R", "R'"], 0).out, "valid: 1 move\n");
    // Moves of the inverse scramble are no broken rule, but they are not kept from the reader either.
    let said = run(&["check-solution", "R U F D", "D' F' U' R'"], 0).out;
    assert!(said.starts_with("valid: 4 moves\n  E2e: the inverse scramble begins with the same 4 moves"), "{said}");
    let said = run(&["check-solution", "R U F D", "D' F' U' R' L"], 1).out;
    assert!(said.starts_with("not valid; ") && said.contains("\n  E2e: the inverse scramble begins"), "{said}");
    let said = run(&["check-solution", "R2 U F", "F' U' R2'"], 1).out;
    assert!(said.starts_with("not valid; the moves solve the cube\n  E2c4, character 7: `R2'`"), "{said}");
    let said = run(&["check-solution", "R U F", "?"], 1).out;
    assert!(said.starts_with("not valid; the moves cannot be read\n"), "{said}");
    let said = run_with_input(&["check-solution", "-", "F' U' R' U"], "R U F\n", 1).out;
    assert!(said.contains("E2c5: ") && said.contains("solved after 3 moves"), "{said}");
    // The characters of a solution count from its start, wherever it comes from.
    let said = run_with_input(&["check-solution", "R2 U F", "-"], "F' U' R2'\r\n", 1).out;
    assert!(said.starts_with("not valid; the moves solve the cube\n  E2c4, character 7: `R2'`"), "{said}");
    let said = run_with_input(&["check-solution", "-", "-"], "R U F\n", 2).err;
    assert!(said.contains("CUBE and SOLUTION are both `-`"), "{said}");
    let body = run(&["check-solution", "R U F", "F' U' R'", "--json"], 0).json();
    assert_eq!(
        (&body["valid"], &body["length"], &body["inverse_scramble_moves"]),
        (&json!(true), &json!(3), &json!(3))
    );
    assert!(run(&["check-solution", "R U Q", "R"], 2).err.contains("at character 5"));
    assert_eq!(run(&["check-solution", "R Q", "R", "--json"], 2).json()["code"], "notation");
}

#[test]
fn slips_are_printed_with_a_solution() {
    let seen = stickers::apply(SOLVED, "F2 L D R U F'");
    let said = run(&["diagnose", "F2 L D", "--moves", "R U2 F'", "--seen", &seen], 0).out;
    let wanted = format!("move 2, U2, was half made: U\n  cube: {seen}\n  solution: F U' R' D' L' F2\n");
    assert_eq!(said, wanted);
    let seen = stickers::apply(SOLVED, "R L U");
    let said = run(&["diagnose", SOLVED, "--moves", "R L R U", "--seen", &seen], 0).out;
    assert!(said.starts_with("move 1, R, was missed\nor move 3, R, was missed\n"), "{said}");
    let said = run(&["diagnose", SOLVED, "--moves", "R R'", "--seen", SOLVED], 0).out;
    assert_eq!(said, format!("all moves were made\n  cube: {SOLVED}\n  solution: none, it is solved\n"));
    let misread = stickers::with(&stickers::apply(SOLVED, "F2 L D R U F'"), &[(0, 'D')]);
    let said = run(&["diagnose", "F2 L D", "--moves", "R U2 F'", "--seen", &misread], 0).out;
    assert!(said.starts_with("move 2, U2, was half made: U, if sticker U1 was misread\n"), "{said}");
    // Only the centres are known.
    let blank: String = SOLVED.chars().enumerate().map(|(at, c)| if at % 9 == 4 { c } else { '?' }).collect();
    let said = run(&["diagnose", SOLVED, "--moves", "R U", "--seen", &blank, "--max-explanations", "1"], 0).out;
    assert!(said.ends_with("more explanations exist; raise --max-explanations, or read more stickers\n"), "{said}");

    let seen = stickers::apply(SOLVED, "D L B2");
    let none = run(&["diagnose", SOLVED, "--moves", "R U F", "--seen", &seen], 1).out;
    assert!(none.contains("legal cubes with these stickers: 1\nit was reached in another way; "), "{none}");
    assert!(none.contains("solution: B2 L' D'"), "{none}");
    let twisted = stickers::cycled(SOLVED, &[8, 9, 20]);
    let upper_layer = |at: &usize| *at < 9 && *at != 4 || *at >= 9 && *at % 9 < 3 && !(27..36).contains(at);
    let hidden: Vec<_> = (0..54).filter(upper_layer).map(|at| (at, '?')).collect();
    let bottom = stickers::with(SOLVED, &hidden);
    for (seen, count, next) in [(twisted, "0", "superflip repair"), (bottom, "62208", "read more stickers")] {
        let none = run(&["diagnose", "R U F", "--moves", "R", "--seen", &seen], 1).out;
        assert!(none.contains(&format!("these stickers: {count}\n")) && none.contains(next), "{none}");
    }
    let body = run(&["diagnose", SOLVED, "--moves", "R U F", "--seen", &seen, "--json"], 1).json();
    assert_eq!((&body["explanations"], &body["now"]["length"]), (&json!([]), &json!(3)));
    let said = run(&["diagnose", SOLVED, "--moves", "D L B2", "--seen", &seen, "--max-length", "1"], 1).out;
    let wanted = "solution: none. No solution of at most 1 move was found; the shortest found has 3";
    assert!(said.starts_with("all moves were made\n") && said.contains(wanted), "{said}");
    let said = run(&["diagnose", "R", "--moves", "R", "--seen", SOLVED, "--time-limit-ms", "4294967296"], 2).err;
    assert!(said.contains("it must be from 1 to 4294967295.") && !said.contains("server"), "{said}");
    assert!(run(&["diagnose", "R", "--moves", "x", "--seen", SOLVED], 2).err.contains("`moves`"));
    assert!(run(&["diagnose", "R", "--moves", "R", "--seen", "U"], 2).err.contains("`seen`"));
}
