//! From one cube to another: the field `target` on every route that solves, replayed on stickers.

use crate::common::prelude::*;

/// Checks that the moves lead from the cube to the target, and returns their number.
fn assert_leads(answer: &Value, from: &str, to: &str) -> u64 {
    let solution = answer["solution"].text();
    assert_eq!(stickers::apply(from, solution), to, "{answer}");
    assert_eq!(answer["length"].number(), solution.split_whitespace().count() as u64);
    answer["length"].number()
}

/// Checks a whole answer.
fn check(answer: &Value, from: &str, to: &str) -> u64 {
    assert_eq!((&answer["facelets"], &answer["target"]), (&json!(from), &json!(to)));
    let length = assert_leads(answer, from, to);
    assert!(answer["lower_bound"].number() <= length);
    length
}

#[tokio::test]
async fn every_route_leads_to_the_target() {
    let mut rng = rng(91);
    for _ in 0..4 {
        let (from, to) = (letters(&scrambled(&mut rng)), letters(&scrambled(&mut rng)));
        let request = json!({"facelets": from, "target": to, "target_length": 22});
        let query = format!("target={to}&target_length=22");
        for answer in [
            post(ready(), "/solve", &request).await.ok(),
            get(ready(), &format!("/solve?facelets={from}&{query}")).await.ok(),
            get(ready(), &format!("/solve/{from}?{query}")).await.ok(),
            batch(ready(), "/solve/batch", request.to_string()).await.remove(0),
            batch(ready(), &format!("/solve/batch?{query}"), from.clone()).await.remove(0),
        ] {
            assert!(check(&answer, &from, &to) <= 22);
        }
        for answer in [
            post(ready(), "/solve/stream", &request).await,
            get(ready(), &format!("/solve/stream?facelets={from}&{query}")).await,
        ] {
            let events = events(&answer);
            let (_, result) = events.last().unwrap();
            check(result, &from, &to);
            let found: Vec<_> = events.iter().filter(|(name, _)| *name == "solution").collect();
            assert!(!found.is_empty());
            for (_, found) in found {
                assert_leads(found, &from, &to);
            }
        }
    }
}

#[tokio::test]
async fn the_target_takes_every_form_of_a_cube() {
    let from = stickers::apply(SOLVED, "F2 L");
    let to = stickers::apply(SOLVED, "F2 L D' R2");
    let forms = post(ready(), "/convert", json!({"facelets": to})).await.ok()["forms"].clone();
    let forms = ["facelets", "ulfrbd", "reid", "b32", "kpattern", "cubies"].map(|form| forms[form].clone());
    for target in forms.into_iter().chain([json!("F2 L D' R2")]) {
        let answer = post(ready(), "/solve", json!({"scramble": "F2 L", "target": target})).await.ok();
        assert_eq!(check(&answer, &from, &to), 2, "{target}");
        assert_eq!((&answer["solution"], &answer["proven_optimal"]), (&json!("D' R2"), &json!(true)));
    }
    let named = json!({"scramble": "F2 L", "target": "F2 L D' R2", "target_format": "scramble", "optimal": true});
    assert_eq!(check(&post(ready(), "/solve", named).await.ok(), &from, &to), 2);
    // One sticker is unknown, and one legal cube has the others.
    let unknown = stickers::with(&to, &[(0, '?')]);
    let answer = post(ready(), "/solve", json!({"scramble": "F2 L", "target": unknown})).await.ok();
    assert_eq!(check(&answer, &from, &to), 2);
    // The default is the solved cube, and a line overrides the target of its batch.
    let solved = post(ready(), "/solve", json!({"scramble": "F2 L", "target": SOLVED})).await.ok();
    assert_eq!(check(&solved, &from, SOLVED), 2);
    let lines = format!("F2 L\n{}\n", json!({"scramble": "F2 L", "target": "R L"}));
    let lines = batch(ready(), "/solve/batch?target=F2%20L%20D%27%20R2", lines).await;
    assert_eq!(check(&lines[0], &from, &to), 2);
    check(&lines[1], &from, &stickers::apply(SOLVED, "R L"));
}

/// Two colourings of one cube, held in different ways: the colours count, and the answer is held as the start.
#[tokio::test]
async fn a_target_that_is_held_otherwise_is_turned_to_the_start() {
    for (rotated, target, length) in [("y R U", "R U", 4), ("y R U", "y R U F", 1), ("R U", "x y' R U F", 5)] {
        let answer = post(ready(), "/solve", json!({"scramble": rotated, "target": target})).await.ok();
        assert!(answer["length"].number() <= length, "{answer}");
        // Brought home by their centres, both are cubes of the same colours.
        let named = |text: &str| {
            let forms = json!({"cube": text, "holding": "UF", "to": ["facelets"]});
            async move { post(ready(), "/convert", forms).await.ok()["forms"]["facelets"].text().to_owned() }
        };
        let end = format!("{rotated} {}", answer["solution"].text());
        assert_eq!(named(&end).await, named(target).await, "{answer}");
    }
}

#[tokio::test]
async fn an_explanation_shows_the_way_to_the_target() {
    let (from, to) = (stickers::apply(SOLVED, "R U F2"), stickers::apply(SOLVED, "L D"));
    let solution = "F2 U' R' L D";
    let request = json!({"facelets": from, "target": to, "solution": solution});
    let given = post(ready(), "/explain", &request).await.ok();
    let found = get(ready(), &format!("/explain?facelets={from}&target={to}")).await.ok();
    assert_eq!(given["lengths"]["htm"], 5);
    assert!(found["lengths"]["htm"].number() <= 5);
    for body in [given, found] {
        assert_eq!((&body["facelets"], &body["target"]), (&json!(from), &json!(to)));
        let mut facelets = from.clone();
        for step in body["steps"].list() {
            facelets = stickers::apply(&facelets, step["move"].as_str().unwrap_or(""));
            assert_eq!(step["facelets"], facelets);
        }
        assert_eq!(facelets, to);
        assert_eq!(body["proven_optimal"], true);
    }
    for (solution, part) in [
        ("F2 U' R'", "does not lead to `target`; it leads to UUUUUUUUURR"),
        ("F2 U' R' L D B", "`target` is reached after 5 moves"),
        ("D' L' R U F2", "The inverse of `solution` leads to `target`"),
    ] {
        let request = json!({"facelets": from, "target": to, "solution": solution});
        post(ready(), "/explain", request).await.problem_with(422, "not_a_solution", &[part]);
    }
}

#[tokio::test]
async fn a_target_that_is_no_cube_is_refused_with_its_field() {
    let twisted = stickers::cycled(SOLVED, &[8, 9, 20]);
    for (target, status, code, part) in [
        (json!("Q"), 422, "notation", "`target`: "),
        (json!(twisted), 422, "impossible_cube", "`target`: "),
        (json!(20), 400, "invalid_field", "expected a string"),
        (json!({"cp": [0]}), 400, "invalid_field", "co"),
        (json!({}), 400, "invalid_field", "KPattern"),
    ] {
        for uri in ["/solve", "/solve/stream", "/explain"] {
            let request = json!({"scramble": "R", "target": target});
            let problem = post(ready(), uri, request).await.problem_with(status, code, &[part]);
            assert!(problem["field"].text().starts_with("target"), "{problem}");
        }
        let line = json!({"scramble": "R", "target": target}).to_string();
        let answer = batch(ready(), "/solve/batch", line).await.remove(0);
        assert_eq!(answer["problem"]["code"], code, "{answer}");
    }
    let format = json!({"scramble": "R", "target_format": "reid"});
    let problem = post(ready(), "/solve", format).await.problem(422, "option_out_of_range");
    assert_eq!(problem["field"], "target_format");
    let object = json!({"scramble": "R", "target": cubies(0, 0, 0), "target_format": "reid"});
    assert_eq!(post(ready(), "/solve", object).await.problem(422, "option_out_of_range")["field"], "target_format");
}

/// The rotations of the whole cube that lead from the holding `UF` to each of the 24, as wide moves and moves of the model of stickers.
fn rotated(facelets: &str, holding: &str) -> String {
    let rotations = ["", "x", "x x", "x x x", "z", "z z z"];
    let turns = ["", "y", "y y", "y y y"];
    let all = rotations.iter().flat_map(|rotation| turns.iter().map(move |turn| format!("{rotation} {turn}")));
    let turned = all.map(|rotation| {
        let wide: Vec<&str> = rotation
            .split_whitespace()
            .flat_map(|name| match name {
                "x" => ["Rw", "L'"],
                "y" => ["Uw", "D'"],
                _ => ["Fw", "B'"],
            })
            .collect();
        stickers::apply(facelets, &wide.join(" "))
    });
    let held = |text: &String| format!("{}{}", &text[4..5], &text[22..23]) == holding;
    turned.into_iter().find(held).expect("a holding")
}

#[tokio::test]
async fn a_target_up_to_rotation_and_turn_is_seen_in_the_holding_after_the_turn() {
    let mut rng = rng(92);
    let mut turns = HashSet::new();
    for round in 0..24 {
        let to = walk(&mut rng, 4, &Move::ALL);
        // A cube that shows the target in another holding, a few moves away.
        let away = walk(&mut rng, round % 4, &Move::ALL);
        let seen = Holding::ALL[round].to_home(&to.then(Move::ALL[round % 6].cube()));
        let (from, target) = (letters(&seen.then(&away)), letters(&to));
        let face = &Move::ALL[round % 6].to_string()[..1];
        let request = json!({"facelets": from, "target": target, "target_up_to_rotation": true,
            "target_up_to_turn": face, "optimal": true});
        for uri in ["/solve", "/explain"] {
            let mut request = request.clone();
            if uri == "/explain" {
                request.as_object_mut().unwrap().remove("optimal");
            }
            let answer = post(ready(), uri, &request).await.ok();
            let end = stickers::apply(&from, answer["solution"].text());
            assert_eq!(answer["target"], end);
            if uri == "/solve" {
                assert!(answer["length"].number() <= round as u64 % 4, "{answer}");
                let held = rotated(&end, answer["target_holding"].text());
                let turned = stickers::apply(&held, answer["target_turn"].text());
                assert_eq!(stickers::renamed(&turned), target, "{answer}");
                turns.insert(answer["target_turn"].text().to_owned());
            }
        }
    }
    assert!(turns.len() > 3, "{turns:?}");
    // Without the options, the answer does not have them.
    let answer = post(ready(), "/solve", json!({"scramble": "R", "target": "U"})).await.ok();
    assert!(answer.get("target_holding").is_none() && answer.get("target_turn").is_none());
    // A layer that is turned is one turn away on every face.
    let query = "/solve?scramble=&target=R&target_up_to_rotation=true&optimal=true&all_solutions=true";
    let answer = get(ready(), query).await.ok();
    assert_eq!((&answer["length"], &answer["optimal_solutions"]), (&json!(1), &json!(6)));
}

/// Hides all stickers except the centres and the stickers of some pieces.
fn showing(facelets: &str, pieces: &[&str]) -> String {
    let (solved, all): (Vec<char>, Vec<char>) = (SOLVED.chars().collect(), facelets.chars().collect());
    let slots = superflip_cube::geometry::CORNER_FACELETS.iter().map(|slot| slot.to_vec());
    let slots = slots.chain(superflip_cube::geometry::EDGE_FACELETS.iter().map(|slot| slot.to_vec()));
    let is_shown = |slot: &Vec<usize>| {
        let letters: BTreeSet<char> = slot.iter().map(|&at| all[at]).collect();
        pieces.iter().any(|piece| piece.chars().collect::<BTreeSet<_>>() == letters)
    };
    let shown: HashSet<usize> = slots.filter(is_shown).flatten().collect();
    (0..54)
        .map(|at| {
            if at % 9 == 4 {
                solved[at]
            } else if shown.contains(&at) {
                all[at]
            } else {
                '?'
            }
        })
        .collect()
}

/// Everything but the last layer is known: its 8 pieces stand in one of 62208 ways. With its edges, 324 are left; with its corners, 96.
#[tokio::test]
async fn unknown_stickers_of_a_target_may_be_any() {
    let below = ["UF", "UR", "UB", "UL"].map(|piece| piece.replace('U', "D"));
    let middle = ["FR", "FL", "BL", "BR"];
    let corners = ["DFR", "DFL", "DBL", "DBR"];
    let mut known: Vec<&str> = below.iter().map(String::as_str).chain(middle).chain(corners).collect();
    known.extend(["UF", "UR", "UB", "UL"]);
    let mut rng = rng(93);
    for optimal in [true, false] {
        let to = letters(&walk(&mut rng, 3, &Move::ALL));
        let target = showing(&to, &known);
        let from = stickers::apply(&to, "L D' B");
        let request = json!({"facelets": from, "target": target, "optimal": optimal});
        let answer = post(ready(), "/solve", request).await.ok();
        let end = stickers::apply(&from, answer["solution"].text());
        assert_eq!(answer["target"], end);
        assert!(end.chars().zip(target.chars()).all(|(is, known)| known == '?' || is == known), "{end} {target}");
        assert!(answer["length"].number() <= 3 && answer["proven_optimal"] == true, "{answer}");
        assert_eq!(answer["lower_bound"], answer["length"]);
    }
    // In a batch, beside a line without a target; and in the stream.
    let target = showing(SOLVED, &known);
    let line = json!({"scramble": "R U", "target": target}).to_string();
    let lines = batch(ready(), "/solve/batch", format!("{line}\nR\n")).await;
    assert_eq!((&lines[0]["length"], &lines[1]["solution"]), (&json!(2), &json!("R'")));
    let answer = post(ready(), "/solve/stream", line).await;
    assert_eq!(events(&answer).last().unwrap().1["length"], 2);
    // Too open, in numbers.
    let open = showing(SOLVED, &known[..12]);
    let problem = post(ready(), "/solve", json!({"scramble": "R", "target": open})).await;
    let problem = problem.problem_with(422, "target_too_open", &["`target`: 62208 legal cubes", "at most 1000"]);
    assert_eq!((&problem["completions"], &problem["field"]), (&json!("62208"), &json!("target")));
    assert_eq!(problem["doubtful"].list().len(), 20);
    let request = json!({"scramble": "R", "target": target, "target_up_to_rotation": true});
    let problem = post(ready(), "/solve", request).await.problem(422, "target_too_open");
    // On the six faces: the solved cube is on all, and 24 twists of two corners of an edge are on two of them.
    assert!(problem["detail"].text().contains("with its options describes 1915 cubes"), "{problem}");
    // Contradictory stickers are of no cube.
    let wrong = target.replacen("DDD", "DUD", 1);
    post(ready(), "/solve", json!({"scramble": "R", "target": wrong})).await.problem(422, "impossible_cube");
    for face in ["X", "UF", ""] {
        let request = json!({"scramble": "R", "target": "U", "target_up_to_turn": face});
        let problem = post(ready(), "/solve", request).await.problem(422, "option_out_of_range");
        assert_eq!(problem["field"], "target_up_to_turn");
    }
    for (option, value) in [("target_up_to_turn", json!("U")), ("target_up_to_rotation", json!(true))] {
        let problem = post(ready(), "/solve", json!({"scramble": "R", option: value})).await;
        assert_eq!(problem.problem(422, "option_out_of_range")["field"], option);
    }
}

#[tokio::test]
async fn stickers_that_are_a_coordinate_are_reached_by_a_shortest_way() {
    let (target, mut rng) = (showing(SOLVED, &["DF", "DR", "DB", "DL"]), rng(85));
    let reached = |from: &str, answer: &Value| {
        let end = stickers::apply(from, answer["solution"].text());
        assert!(end.chars().zip(target.chars()).all(|(own, wanted)| wanted == '?' || own == wanted), "{answer}");
        assert_eq!(answer["target"], end);
        assert!(answer["length"].number() <= 8, "every cross has a solution of eight moves: {answer}");
    };
    for round in 0..6 {
        let from = letters(&scrambled(&mut rng));
        let request = json!({"facelets": from, "target": target, "time_limit_ms": 20_000});
        let answer = post(ready(), "/solve", request.clone()).await.ok();
        reached(&from, &answer);
        assert_eq!((&answer["proven_optimal"], &answer["lower_bound"]), (&json!(true), &answer["length"]));
        if round == 0 {
            let streamed = post(ready(), "/solve/stream", request.clone()).await;
            let names: Vec<_> =
                events(&streamed).into_iter().map(|(name, event)| (name, event["length"].clone())).collect();
            assert_eq!(names.last(), Some(&("result", answer["length"].clone())), "{names:?}");
            let lines = batch(ready(), "/solve/batch", format!("{request}\nR\n")).await;
            reached(&from, &lines[0]);
            assert_eq!((&lines[0]["length"], &lines[1]["solution"]), (&answer["length"], &json!("R'")));
            let explained = post(ready(), "/explain", request.clone()).await.ok();
            reached(&from, &json!({"solution": explained["solution"], "target": explained["target"], "length": 0}));
            let mut proof = request.clone();
            (proof["optimal"], proof["all_solutions"]) = (json!(true), json!(true));
            let proof = post(ready(), "/solve", proof).await.ok();
            assert_eq!(proof["length"], answer["length"]);
            assert!(proof["optimal_solutions"].number() >= proof["solutions"].list().len() as u64);
        }
    }
    // A wrong way is refused, and so are options that make it another set.
    let request = json!({"scramble": "R U", "target": target, "solution": "U"});
    post(ready(), "/explain", request).await.problem_with(422, "not_a_solution", &["does not lead to `target`"]);
    let request = json!({"scramble": "R U", "target": target, "target_up_to_turn": "U"});
    post(ready(), "/solve", request).await.problem(422, "target_too_open");
    let small = app(ready_state(config_with(|config| config.coords.max_space_values = 190_079)));
    let problem = post(small, "/solve", json!({"scramble": "R", "target": target})).await;
    problem.problem_with(422, "target_too_open", &["190080 values", "at most 190079", "coords.max_space_values"]);
}
