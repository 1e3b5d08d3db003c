//! `/check-solution`: answers and refusals. The rules themselves have their tests in the library.

use crate::common::maneuver;
use crate::common::prelude::*;

async fn check(body: Value) -> Value {
    // Without tables.
    post(starting(), "/check-solution", body).await.ok()
}

#[tokio::test]
async fn a_solution_counts_in_any_holding() {
    let mut rng = rng(80);
    for _ in 0..20 {
        let scramble = maneuver(&mut rng, 12, &Move::ALL);
        let solution = scramble.inverse();
        let body = check(json!({"scramble": scramble.to_string(), "solution": format!("{solution} x y2")})).await;
        assert_eq!((&body["valid"], &body["solves"]), (&json!(true), &json!(true)), "{body}");
        assert_eq!((&body["length"], &body["executed"]), (&json!(12), &json!(14)));
        assert_eq!((&body["facelets"], &body["broken_rules"]), (&json!(SOLVED), &json!([])));
        assert_eq!(body["inverse_scramble_moves"], 12);
        // The same cube as stickers has no scramble to compare with.
        let facelets = stickers::apply(SOLVED, &scramble.to_string());
        let body = check(json!({"facelets": facelets, "solution": solution.to_string()})).await;
        assert_eq!((&body["valid"], &body["inverse_scramble_moves"]), (&json!(true), &Value::Null));
    }
}

#[tokio::test]
async fn faults_of_the_solution_are_answers_with_their_place() {
    let body = check(json!({"scramble": "R U F", "solution": "F' U' M r2 (R')\nR2'"})).await;
    let rules = body["broken_rules"].list();
    let places: Vec<_> = rules.iter().map(|rule| (rule["rule"].text(), rule["character"].as_u64())).collect();
    let expected =
        [("slice_move", 7), ("lower_case", 9), ("grouping", 12), ("grouping", 15), ("half_turn_apostrophe", 17)];
    assert_eq!(places[..5], expected.map(|(rule, character)| (rule, Some(character))));
    assert_eq!(places[5], ("not_solved", None));
    assert_eq!(rules[0]["symbols"], "M");
    assert_eq!((&rules[0]["regulation"], &rules[5]["regulation"]), (&json!("E2c4"), &json!("E2c5")));
    assert_eq!((&body["valid"], &body["solves"], &body["length"]), (&json!(false), &json!(false), &Value::Null));

    let body = check(json!({"scramble": "R U F", "solution": "ich weiß nicht"})).await;
    assert_eq!((&body["valid"], &body["solves"], &body["facelets"]), (&json!(false), &Value::Null, &Value::Null));
    let body = check(json!({"scramble": "R U F", "solution": "U"})).await;
    assert_eq!((&body["solves"], &body["length"]), (&json!(false), &json!(1)));
    assert_eq!(body["facelets"], stickers::apply(SOLVED, "R U F U"));
}

#[tokio::test]
async fn only_the_cube_and_the_size_are_refused() {
    for (body, status, code, part) in [
        (json!({"scramble": "R U Q", "solution": "R"}), 422, "notation", "at character 5"),
        (json!({"facelets": SOLVED.replace('U', "R"), "solution": "R"}), 422, "impossible_cube", "R"),
        (json!({"solution": "R"}), 422, "cube_form", "scramble"),
        (json!({"scramble": "R"}), 400, "invalid_field", "`solution` is missing"),
        (json!({"scramble": "R", "solution": "R ".repeat(501)}), 422, "option_out_of_range", "1002 characters"),
    ] {
        post(starting(), "/check-solution", body).await.problem_with(status, code, &[part]);
    }
    // Up to the limit, whatever it is.
    for solution in ["R ".repeat(500), "((((R)99)99)99)99".to_owned(), "é".repeat(1000), "[".repeat(1000)] {
        check(json!({"scramble": "R", "solution": solution})).await;
    }
}
