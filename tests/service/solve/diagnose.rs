//! `/diagnose`: slips made on the model of stickers, and the solutions from there.

use rand::RngExt;

use crate::common::maneuver;
use crate::common::prelude::*;

/// A slip as the answer names it, of each kind, and the maneuver that was made.
fn slipped(sent: &[Move], index: usize, kind: &str) -> (Value, String) {
    let mv = sent[index];
    let made = match kind {
        "missed" => None,
        "reversed" => Some(mv.inverse()),
        "doubled" => Move::of(mv.face(), 2),
        "half_made" => Move::of(mv.face(), 3),
        other => panic!("{other}"),
    };
    let mut moves: Vec<String> = sent.iter().map(Move::to_string).collect();
    moves[index] = made.map_or_else(String::new, |made| made.to_string());
    let made = made.map(|made| made.to_string());
    (json!({"index": index, "number": index + 1, "sent": mv.to_string(), "made": made, "kind": kind}), moves.join(" "))
}

fn hidden(facelets: &str, rng: &mut impl RngExt, count: usize) -> String {
    let places = (0..count).map(|_| rng.random_range(0..54)).filter(|at| at % 9 != 4);
    stickers::with(facelets, &places.map(|at| (at, '?')).collect::<Vec<_>>())
}

#[tokio::test]
async fn a_slip_is_named_and_solved_from_there() {
    let mut rng = rng(81);
    for round in 0..12 {
        let before = letters(&scrambled(&mut rng));
        let sent = maneuver(&mut rng, 15, &Move::ALL);
        let is_half = |mv: &Move| mv.quarters() == 2;
        let kind = ["missed", "reversed", "doubled", "half_made"][round % 4];
        let fits = |mv: &Move| kind == "missed" || is_half(mv) == (kind == "half_made");
        let Some(index) = sent.iter().position(fits) else { continue };
        let (slip, made) = slipped(&sent, index, kind);
        let now = stickers::apply(&before, &made);
        let request = json!({"facelets": before, "moves": sent.to_string(), "seen": now});
        let body = post(ready(), "/diagnose", request).await.ok();
        assert_eq!(body["expected"], stickers::apply(&before, &sent.to_string()));
        let [explanation] = body["explanations"].list().as_slice() else { panic!("{body}") };
        assert_eq!((&explanation["slips"], &explanation["facelets"]), (&json!(1), &json!(now)));
        assert!(explanation["ways"].list().contains(&json!([slip])), "{slip} {body}");
        let solution = explanation["solution"].text();
        assert!(stickers::solves(&now, solution), "{solution}");
        assert_eq!(explanation["length"], solution.split_whitespace().count());
        assert_eq!(
            (&body["truncated"], &body["now"], &body["completions"]),
            (&json!(false), &Value::Null, &Value::Null)
        );

        // With unknown stickers, every explanation has the known ones.
        let seen = hidden(&now, &mut rng, 40);
        let request = json!({"facelets": before, "moves": sent.to_string(), "seen": seen, "max_explanations": 10,
            "target_length": 30});
        let body = post(ready(), "/diagnose", request).await.ok();
        let found = body["explanations"].list();
        assert!(!found.is_empty() && found.len() <= 10);
        for explanation in found {
            let facelets = explanation["facelets"].text();
            assert!(facelets.chars().zip(seen.chars()).all(|(own, seen)| seen == '?' || seen == own), "{body}");
            assert!(stickers::solves(facelets, explanation["solution"].text()));
        }
    }
}

#[tokio::test]
async fn the_symbols_of_the_stickers_are_free() {
    // Moves without a slip, seen as colours.
    let seen = stickers::apply(SOLVED, "R U").replace('U', "w").replace('F', "g");
    let body = post(ready(), "/diagnose", json!({"scramble": "", "moves": "R U", "seen": seen})).await.ok();
    let explanation = &body["explanations"][0];
    assert_eq!((&explanation["slips"], &explanation["ways"]), (&json!(0), &json!([[]])));
    assert_eq!((&explanation["solution"], &explanation["total_ways"]), (&json!("U' R'"), &json!(1)));
}

/// As `moves` of a solution is.
#[tokio::test]
async fn the_moves_may_be_a_list() {
    let seen = stickers::apply(SOLVED, "R U' F2");
    let body = |moves: Value| post(ready(), "/diagnose", json!({"scramble": "", "moves": moves, "seen": seen}));
    let mut text = body(json!("R U' F2")).await.ok();
    let mut list = body(json!(["R", "U'", "F2"])).await.ok();
    for answer in [&mut text, &mut list] {
        assert_eq!((&answer["expected"], &answer["explanations"][0]["slips"]), (&json!(seen), &json!(0)));
    }
    body(json!(["R", "Q"])).await.problem_with(422, "notation", &["`moves`"]);
    body(json!([["R"]])).await.problem_with(400, "invalid_field", &["`moves`", "a text or a list of texts"]);
}

#[tokio::test]
async fn equal_moves_give_one_cube_and_several_ways() {
    let seen = stickers::apply(SOLVED, "R L U");
    let body = post(ready(), "/diagnose", json!({"scramble": "", "moves": "R L R U", "seen": seen})).await.ok();
    let [explanation] = body["explanations"].list().as_slice() else { panic!("{body}") };
    assert_eq!(explanation["total_ways"], 2);
    let numbers: Vec<_> = explanation["ways"].list().iter().map(|way| way[0]["number"].number()).collect();
    assert_eq!(numbers, [1, 3]);
}

#[tokio::test]
async fn what_slips_do_not_explain_is_solved_if_it_is_one_cube() {
    let request = |seen: String| json!({"scramble": "", "moves": "R U F", "seen": seen});
    let now = stickers::apply(SOLVED, "D L B2");
    let body = post(ready(), "/diagnose", request(now.clone())).await.ok();
    assert_eq!((&body["explanations"], &body["completions"]), (&json!([]), &json!("1")));
    assert_eq!((&body["now"]["facelets"], &body["now"]["solution"]), (&json!(now), &json!("B2 L' D'")));

    // One corner is twisted by hand: no moves lead there.
    let body = post(ready(), "/diagnose", request(stickers::cycled(SOLVED, &[8, 9, 20]))).await.ok();
    assert_eq!((&body["explanations"], &body["completions"]), (&json!([]), &json!("0")));
    assert!(body.get("now").is_none(), "{body}");
}

#[tokio::test]
async fn bad_input_is_refused_with_its_field() {
    let with = |field: &str, value: Value| {
        let mut body = json!({"scramble": "R", "moves": "R U", "seen": SOLVED});
        body[field] = value;
        body
    };
    for (field, value, code, part) in [
        ("moves", json!("R x U"), "notation", "rotation"),
        ("moves", json!("R U Q"), "notation", "at character 5"),
        ("moves", json!("(R U)101"), "option_out_of_range", "202 moves"),
        ("seen", json!("UUU"), "impossible_cube", "3 symbols"),
        ("seen", json!(SOLVED.replace("UUUUUUUUU", "UUUU?UUUU")), "impossible_cube", "centres"),
        ("max_explanations", json!(0), "option_out_of_range", "from 1 to 10"),
        ("max_explanations", json!(11), "option_out_of_range", "from 1 to 10"),
        ("max_length", json!(31), "option_out_of_range", "from 0 to 30"),
    ] {
        let problem = post(starting(), "/diagnose", with(field, value)).await.problem(422, code);
        assert_eq!(problem["field"], field, "{problem}");
        assert!(problem["detail"].text().contains(part), "{problem}");
    }
    post(starting(), "/diagnose", with("scramble", json!("Q"))).await.problem(422, "notation");
    let long = json!({"scramble": "R", "moves": "(R U)100", "seen": SOLVED});
    post(ready(), "/diagnose", long).await.ok();
}

#[tokio::test]
async fn a_cube_without_a_solution_keeps_its_explanation() {
    let (slipped, made) = (stickers::apply(SOLVED, "R U F2"), stickers::apply(SOLVED, "R U F"));
    let seen: String = slipped.chars().zip(made.chars()).map(|(a, b)| if a == b { a } else { '?' }).collect();
    let request = json!({"scramble": "F", "moves": "F' R U F2", "seen": seen, "max_explanations": 10, "max_length": 2});
    let body = post(ready(), "/diagnose", request.clone()).await.ok();
    let explanations = body["explanations"].list();
    assert!(explanations.len() > 1, "{body}");
    for explanation in explanations {
        let problem = &explanation["problem"];
        assert_eq!(problem["code"], "no_solution_within_limits", "{explanation}");
        assert_eq!((&problem["status"], &problem["max_length"]), (&json!(422), &json!(2)), "{explanation}");
        assert!(!problem["request_id"].text().is_empty() && explanation.get("solution").is_none(), "{explanation}");
    }
    // One that misses a move has a shorter solution.
    let (made, missed) = (stickers::apply(SOLVED, "R U F"), stickers::apply(SOLVED, "R U"));
    let seen: String = made.chars().zip(missed.chars()).map(|(a, b)| if a == b { a } else { '?' }).collect();
    let near = json!({"scramble": "", "moves": "R U F", "seen": seen, "max_explanations": 10, "max_length": 2});
    let body = post(ready(), "/diagnose", near).await.ok();
    let (with, without): (Vec<_>, Vec<_>) =
        body["explanations"].list().iter().partition(|explanation| explanation.get("problem").is_none());
    assert!(!with.is_empty() && !without.is_empty(), "{body}");
    for explanation in with {
        assert!(stickers::solves(explanation["facelets"].text(), explanation["solution"].text()), "{explanation}");
    }

    // Neither tables that are not loaded nor a full lane lose the explanations.
    let body = post(starting(), "/diagnose", request.clone()).await.ok();
    assert_eq!(body["explanations"].list().len(), explanations.len());
    for explanation in body["explanations"].list() {
        assert_eq!(explanation["problem"]["code"], "tables_not_ready", "{explanation}");
        assert!(explanation["problem"]["retry_after_s"].number() > 0, "{explanation}");
    }
    let unexplained = json!({"scramble": "", "moves": "R U F", "seen": stickers::apply(SOLVED, "D L B2")});
    let body = post(starting(), "/diagnose", unexplained).await.ok();
    assert_eq!((&body["completions"], &body["now"]["problem"]["code"]), (&json!("1"), &json!("tables_not_ready")));
}
