//! `/steps`: chains replayed on the model of stickers, goals in every notation, and what is refused.

use superflip_coords::steps::Step;
use superflip_solver::coord::TWIST;

use crate::common::prelude::*;

const CHAIN: &str = "EO > DR > HTR > FIN";

const KEPT: &str = "R' U' F L2 D' B2 U R2 F' D2 L B' R U2";

/// Moves on the cube, then the inverse of those on the inverse cube: what a written solution is without its parentheses.
fn joined<'s>(steps: impl IntoIterator<Item = &'s Value>) -> String {
    let (mut normal, mut inverse) = (Vec::new(), Vec::new());
    for step in steps {
        normal.push(step["normal"].text().to_owned());
        inverse.push(step["inverse"].text().to_owned());
    }
    let back = inverse.join(" ").parse::<Moves>().expect("face moves").inverse();
    format!("{} {back}", normal.join(" "))
}

/// Number of moves in a text.
fn count(moves: &str) -> u64 {
    moves.split_whitespace().count() as u64
}

/// Checks the totals, the states and the solution of a chain that ends with the solved cube.
fn assert_solves(facelets: &str, solution: &Value) {
    let steps = solution["steps"].list();
    let mut total = 0;
    for (number, step) in steps.iter().enumerate() {
        total += count(step["normal"].text()) + count(step["inverse"].text());
        assert_eq!(step["length"], count(step["normal"].text()) + count(step["inverse"].text()), "{step}");
        assert_eq!(step["total"], total, "{step}");
        // Moves on both sides lead to a cube with these edges and corners.
        let sides = |side: &str| steps[..=number].iter().map(|step| step[side].text()).collect::<Vec<_>>().join(" ");
        let cube: Cube = facelets.parse().expect("a cube");
        let [normal, inverse] = [sides("normal"), sides("inverse")].map(|moves| moves.parse::<Moves>().expect("moves"));
        let cube = cube.after(&normal).after_on_inverse(&inverse);
        let axes = step["state"]["axes"].list();
        assert_eq!(axes.iter().map(|axis| axis["axis"].text()).collect::<Vec<_>>(), ["ud", "fb", "rl"]);
        let twisted = cube.twists().iter().filter(|twist| **twist != 0).count() as u64;
        assert_eq!(axes[0]["bad_corners"], twisted, "{step}");
        let name = step["state"]["name"].text();
        assert_eq!(name == "solved", cube.is_solved(), "{step}");
    }
    let moves = solution["solution"].text();
    assert_eq!(solution["length"], count(moves), "{solution}");
    assert!(solution["length"].number() <= total, "{solution}");
    assert!(stickers::solves(facelets, moves) && stickers::solves(facelets, &joined(steps)), "{solution}");
}

#[tokio::test]
async fn a_chain_solves_the_cube_in_its_steps() {
    let mut rng = rng(91);
    // Without `limit`, a chain is searched until the time ends.
    let limited = "EO[limit=5] > DR[limit=5] > HTR[limit=5] > FIN";
    for (chain, time) in [(limited, 20_000), (limited, 20_000), (CHAIN, 800)] {
        let facelets = letters(&scrambled(&mut rng));
        let request = json!({"facelets": facelets, "steps": chain, "solutions": 5, "time_limit_ms": time});
        let body = post(ready(), "/steps", request).await.ok();
        assert_eq!(body["facelets"], facelets);
        let solutions = body["solutions"].list();
        // A busy machine may have no time for the list.
        assert!((1..=5).contains(&solutions.len()), "{body}");
        assert!(solutions.is_sorted_by_key(|solution| solution["length"].number()), "{body}");
        for solution in solutions {
            assert_solves(&facelets, solution);
            let goals: Vec<&str> = solution["steps"].list().iter().map(|step| step["goal"].text()).collect();
            assert_eq!(goals, ["eo", "dr-eo", "htr", "htr-finish"], "{solution}");
        }
        assert!(solutions[0]["length"].number() <= 32, "{body}");
    }
}

#[tokio::test]
async fn a_step_has_one_meaning_in_every_notation() {
    let scramble = "R' U' F L2 D' B2 U R2 F' D2 L B' R U2";
    let asked = |steps: Value| json!({"scramble": scramble, "steps": steps, "solutions": 20, "time_limit_ms": 20_000});
    let of = async |steps: Value| {
        let body = post(ready(), "/steps", asked(steps)).await.ok();
        assert_eq!(body["solutions"].list().len(), 20, "{body}");
        body["solutions"].clone()
    };
    let list = of(json!([{"goal": "eo", "axis": "ud", "side": "mixed"}])).await;
    for text in ["EO[ud;niss=always]", "eo[side=mixed;ud]", "eoud[ niss = always ]", "eoud"] {
        assert_eq!(of(json!(text)).await, list, "{text}");
    }
    assert!(list.list().is_sorted_by_key(|solution| solution["steps"][0]["total"].number()), "{list}");
    let distinct: BTreeSet<String> = list.list().iter().map(|solution| solution["steps"].to_string()).collect();
    assert_eq!(distinct.len(), 20);
    for solution in list.list() {
        let step = &solution["steps"][0];
        // Moves on both sides are no maneuver for a cube that they do not solve.
        assert_eq!(solution["solution"].is_null(), step["inverse"] != "", "{solution}");
        assert_eq!(solution["length"], step["length"], "{solution}");
        assert_eq!((&step["axis"], &step["state"]["axes"][0]["bad_edges"]), (&json!("ud"), &json!(0)), "{step}");
    }
    let query = "steps=EO[ud;niss=always]&solutions=20".replace('[', "%5B").replace(']', "%5D");
    let uri = format!("/steps?scramble={}&{query}", scramble.replace(' ', "+"));
    assert_eq!(get(ready(), &uri).await.ok()["solutions"], list);
    // Bounds, allowed moves and exclusions hold.
    let some = json!([{"goal": "eo", "min": 4, "max": 5, "moves": "R U F L B D", "axis": "fb,rl"}]);
    let some = post(ready(), "/steps", asked(some)).await.ok();
    assert_eq!(some["stopped_by"], "exhausted", "{some}");
    assert!(!some["solutions"].list().is_empty());
    for solution in some["solutions"].list() {
        let step = &solution["steps"][0];
        assert!((4..=5).contains(&step["length"].number()) && step["axis"] != "ud", "{step}");
        assert!(!step["normal"].text().contains(['2', '\'']) && step["inverse"] == "", "{step}");
    }
    let one = of(json!([{"goal": "eo", "axis": "ud", "side": "mixed", "one_ending": true}])).await;
    assert_eq!(of(json!("EO[ud;one_ending=true]")).await, one);
    assert_eq!(of(json!([{"goal": "eo", "axis": "ud", "side": "mixed", "one_ending": false}])).await, list);
    let counter =
        |solution: &Value| ["normal", "inverse"].map(|side| solution["steps"][0][side].text().ends_with('\''));
    assert!(list.list().iter().any(|solution| counter(solution) != [false; 2]), "{list}");
    assert!(one.list().iter().all(|solution| counter(solution) == [false; 2]), "{one}");
    let first = format!("{} ({})", list[0]["steps"][0]["normal"].text(), list[0]["steps"][0]["inverse"].text());
    let without = of(json!([{"goal": "eo", "axis": "ud", "side": "mixed", "exclude": [first]}])).await;
    assert_eq!(without[0], list[1], "{first}");
}

#[tokio::test]
async fn goals_of_teachers_and_composed_ones_are_reached() {
    let facelets = letters(&scrambled(&mut rng(92)));
    let ask = async |steps: &str| {
        let request = json!({"facelets": facelets, "steps": steps, "time_limit_ms": 20_000});
        post(ready(), "/steps", request).await.ok()["solutions"][0].clone()
    };
    let cross = ask("cross[D;niss=none]").await;
    let end = stickers::apply(&facelets, cross["solution"].text());
    let at = |facelet: usize| end.chars().nth(facelet).expect("54 stickers");
    assert!(cross["length"].number() <= 8, "{cross}");
    for (down, side, colour) in [(28, 25, 'F'), (32, 16, 'R'), (34, 52, 'B'), (30, 43, 'L')] {
        assert_eq!((at(down), at(side)), ('D', colour), "{cross}");
    }
    let request = json!({"facelets": facelets, "steps": [{"goal": "twist"}], "time_limit_ms": 20_000});
    let twist = post(ready(), "/steps", request).await.ok()["solutions"][0].clone();
    let cube: Cube = stickers::apply(&facelets, twist["solution"].text()).parse().expect("a cube");
    assert!(TWIST.index(&cube) == Some(0) || twist["steps"][0]["axis"] != "ud", "{twist}");
    assert!(twist["length"].number() <= 6, "every twist is within six moves: {twist}");
}

#[tokio::test]
async fn the_goals_are_listed() {
    let list = get(ready(), "/steps").await.ok();
    let refused = get(ready(), "/steps?time_limit_ms=99999999").await.problem(422, "option_out_of_range");
    assert_eq!(refused["field"], "time_limit_ms");
    let goals = list["goals"].list();
    let named = |name: &str| goals.iter().find(|goal| goal["name"] == name).expect("a goal");
    assert_eq!((&named("eo")["axes"], &named("eo")["needs"]), (&json!(["fb", "rl", "ud"]), &Value::Null));
    assert!(named("htr")["needs"].text().contains("domino reduction"), "{list}");
    assert!(list["aliases"].list().contains(&json!("drud-eofb")), "{list}");
    for goal in ["eo", "htr", "htr-finish", "cross", "eoline"] {
        let steps = json!([{"goal": goal}]);
        let answer = post(ready(), "/steps", json!({"scramble": "", "steps": steps})).await.ok();
        assert_eq!(answer["solutions"][0]["length"], 0, "{goal}: the solved cube has reached every goal");
    }
}

#[tokio::test]
async fn a_stream_sends_each_better_chain() {
    let facelets = letters(&scrambled(&mut rng(93)));
    let request = json!({"facelets": facelets, "steps": CHAIN, "time_limit_ms": 800});
    let answer = post(ready(), "/steps/stream", request).await;
    let events = events(&answer);
    let ((name, result), solutions) = events.split_last().expect("events");
    assert_eq!(*name, "result");
    assert!(!solutions.is_empty() && solutions.iter().all(|(name, _)| *name == "solution"), "{events:?}");
    let lengths: Vec<u64> = solutions.iter().map(|(_, event)| event["length"].number()).collect();
    assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
    for (_, event) in solutions {
        assert_solves(&facelets, event);
    }
    let (_, last) = solutions.last().expect("a solution");
    assert_eq!(
        (&last["steps"], &last["length"]),
        (&result["solutions"][0]["steps"], &result["solutions"][0]["length"])
    );
    assert_eq!(result["stopped_by"], "time_limit", "{result}");

    let query = "steps=cross&time_limit_ms=20000";
    let answer = get(ready(), &format!("/steps/stream?scramble=R+U+F&{query}")).await;
    let names: Vec<&str> = crate::common::in_process::events(&answer).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["solution", "result"]);
}

#[tokio::test]
async fn the_step_that_found_nothing_is_named() {
    let ask = async |scramble: &str, steps: Value| {
        let body = json!({"scramble": scramble, "steps": steps, "time_limit_ms": 20_000});
        post(ready(), "/steps", body).await.ok()
    };
    let exhausted = ask("R U", json!([{"goal": "eo", "axis": "fb"}, {"goal": "cross", "axis": "D", "max": 0}])).await;
    assert_eq!((&exhausted["solutions"], &exhausted["unreached"]["step"]), (&json!([]), &json!(2)), "{exhausted}");
    assert_eq!(
        exhausted["unreached"]["detail"],
        "Step 2 (`cross`) has no solution of at most 0 moves after the branches that were kept. Raise its `max`, or allow more moves, \
         axes, sides or subsets, or raise `limit` (in a list `count`) of the steps before it."
    );
    assert_eq!(
        (&exhausted["unreached"]["searched_to"], &exhausted["unreached"]["reason"]),
        (&json!(0), &json!("exhausted"))
    );
    let unprepared = ask(KEPT, json!("222[limit=3] > FIN")).await["unreached"].clone();
    assert_eq!((&unprepared["goal"], &unprepared["reason"]), (&json!("finish"), &json!("unprepared")));
    assert!(unprepared["searched_to"].is_null(), "{unprepared}");
    assert!(unprepared["detail"].text().starts_with("Step 2 (`finish`) needs a cube with domino reduction"));
    assert_eq!(ask("R U", json!("EO")).await.get("unreached"), None);
}

#[tokio::test]
async fn steps_that_cannot_be_are_refused() {
    let step = |step: Value| json!([{"goal": "eo"}, step]);
    for (steps, code, field, part) in [
        (json!([]), "option_out_of_range", "steps", "from 1 to 10"),
        (json!(vec![json!({"goal": "eo"}); 11]), "option_out_of_range", "steps", "from 1 to 10"),
        (json!("x".repeat(2001)), "option_out_of_range", "steps", "more than 2000 characters"),
        (step(json!({"goal": "crosss"})), "option_out_of_range", "steps[1].goal", "did you mean `cross`?"),
        (step(json!({"goal": "comp(twist"})), "expression", "steps[1].goal", ""),
        (step(json!({"goal": "dr", "axis": "xy"})), "option_out_of_range", "steps[1].axis", "its axes are"),
        (step(json!({"goal": "dr", "min": 31})), "option_out_of_range", "steps[1].min", "from 0 to 30"),
        (step(json!({"goal": "dr", "max": 31})), "option_out_of_range", "steps[1].max", "from 0 to 30"),
        (step(json!({"goal": "dr", "min": 5, "max": 4})), "option_out_of_range", "steps[1].min", "exceeds"),
        (step(json!({"goal": "dr", "count": 0})), "option_out_of_range", "steps[1].count", "from 1 to 10000"),
        (step(json!({"goal": "dr", "over_best": 31})), "option_out_of_range", "steps[1].over_best", "from 0 to 30"),
        (step(json!({"goal": "dr", "moves": "R x"})), "notation", "steps[1].moves", ""),
        (
            step(json!({"goal": "htr", "axis": "ud", "moves": "R"})),
            "option_out_of_range",
            "steps[1].moves",
            "none of the allowed",
        ),
        (step(json!({"goal": "finish", "side": "mixed"})), "option_out_of_range", "steps[1].side", "inverse"),
        (
            step(json!({"goal": "dr", "exclude": ["F", "R (U"]})),
            "notation",
            "steps[1].exclude[1]",
            "in `R (U` a parenthesis has no partner",
        ),
        (step(json!({"goal": "dr", "exclude": ["R) U"]})), "notation", "steps[1].exclude[0]", "no partner"),
        (
            step(json!({"goal": "dr", "exclude": ["F", "R (U X) F"]})),
            "notation",
            "steps[1].exclude[1]",
            "at character 6",
        ),
        (json!(""), "option_out_of_range", "steps", "such as `EO > DR > HTR > FIN`"),
        (json!("EO > > DR"), "option_out_of_range", "steps", "step 2 is empty"),
        (json!("EO > RZP > DR"), "option_out_of_range", "steps", "the step `RZP` of cubelib is not supported"),
        (json!("EO[triggers=R] > DR"), "option_out_of_range", "steps", "`triggers=R` is no option"),
        (json!("EO | DR"), "option_out_of_range", "steps", "alternatives"),
        (json!("EO[max=4"), "option_out_of_range", "steps", "must end with `]`"),
        (json!(["EO"; 11].join(">")), "option_out_of_range", "steps", "from 1 to 10"),
        (
            step(json!({"goal": "eo", "subsets": ["4a1"]})),
            "option_out_of_range",
            "steps[1].subsets",
            "no domino reduction",
        ),
        (step(json!({"goal": "dr", "subsets": ["9z"]})), "option_out_of_range", "steps[1].subsets", "no subset"),
        (json!("EO[max=999]"), "option_out_of_range", "steps", "a number of moves"),
        (json!("htr"), "unprepared_step", "steps", "domino reduction"),
        (json!([{"goal": "finish"}]), "unprepared_step", "steps[0].goal", "reach that in a step before it"),
    ] {
        for uri in ["/steps", "/steps/stream"] {
            let problem = post(ready(), uri, json!({"scramble": "R U F", "steps": steps, "time_limit_ms": 20_000}))
                .await
                .problem(422, code);
            assert_eq!(problem["field"], field, "{problem}");
            assert!(problem["detail"].text().contains(part), "{problem}");
        }
    }
    for (body, status, code, field) in [
        (json!({"scramble": "R"}), 400, "invalid_field", "steps"),
        (json!({"scramble": "R", "steps": [{"axis": "ud"}]}), 400, "invalid_field", "steps[0].goal"),
        (json!({"scramble": "R", "steps": [{"goal": "eo", "depth": 3}]}), 400, "unknown_field", "steps[0].depth"),
        (
            json!({"scramble": "R", "steps": [{"goal": "eo", "side": "both"}]}),
            422,
            "option_out_of_range",
            "steps[0].side",
        ),
        (json!({"scramble": "R", "steps": [{"goal": "eo", "max": -1}]}), 422, "option_out_of_range", "steps[0].max"),
        (json!({"scramble": "R", "steps": "eo", "solutions": 101}), 422, "option_out_of_range", "solutions"),
        (json!({"scramble": "R", "steps": "eo", "time_limit_ms": 0}), 422, "option_out_of_range", "time_limit_ms"),
        (json!({"scramble": "R", "steps": "eo", "time_limit_ms": 30_001}), 422, "option_out_of_range", "time_limit_ms"),
    ] {
        let problem = post(starting(), "/steps", body).await.problem(status, code);
        assert_eq!(problem["field"], field, "{problem}");
    }
}

#[tokio::test]
async fn a_query_without_steps_is_told_how_to_write_them() {
    for uri in ["/steps", "/steps/stream"] {
        let problem = get(ready(), &format!("{uri}?scramble=R")).await.problem(422, "option_out_of_range");
        assert_eq!(problem["field"], "steps", "{problem}");
        let detail = problem["detail"].text();
        assert!(detail.starts_with("`steps` is missing;"), "{detail}");
        let example = detail.split('`').nth(3).expect("an example");
        let answer = get(ready(), &format!("{uri}?scramble=R&{example}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        get(ready(), &format!("{uri}?scramble=R&steps=")).await.problem_with(
            422,
            "option_out_of_range",
            &["`steps`: the chain is empty", "such as `EO > DR > HTR > FIN`"],
        );
    }
}

#[tokio::test]
async fn long_lanes_limit_steps_as_they_limit_searches() {
    let mut config = config();
    (config.search.long_threads, config.search.queue_length) = (1, 0);
    let state = ready_state(config);
    // The tables of the goals are built by the first search.
    post(app(state.clone()), "/steps", json!({"scramble": "R U F", "steps": CHAIN})).await.ok();
    let busy = hold(&state, |state| state.lanes.long(), 1, 1).await;
    // The quick lane finds the first solutions, if it is given a core in time, and the long one would go on.
    let request = json!({"facelets": SUPERFLIP, "steps": CHAIN, "time_limit_ms": 2000});
    let answer = post(app(state.clone()), "/steps", request).await;
    assert!(answer.text().contains("overloaded"), "{}", answer.text());
    drop(busy);
    eventually("the lane is free", || state.lanes.long().in_flight() == 0).await;
    // A client that disconnects stops its search.
    let long = json!({"facelets": SUPERFLIP, "steps": CHAIN, "time_limit_ms": 30_000}).to_string();
    let router = app(state.clone());
    let asking = tokio::spawn(async move { post(router, "/steps", long).await.status });
    eventually("it is searched", || state.lanes.long().in_flight() == 1).await;
    asking.abort();
    eventually("the search has stopped", || state.lanes.long().in_flight() == 0).await;
}

#[tokio::test]
async fn the_time_limit_ends_the_build_of_a_composed_goal() {
    for limit in [1, 20] {
        let body = json!({"scramble": "R U F", "steps": [{"goal": "comp(slice,twist)"}], "time_limit_ms": limit});
        let answer = post(small(), "/steps", body).await.ok();
        assert_eq!((&answer["stopped_by"], &answer["solutions"]), (&json!("time_limit"), &json!([])), "{answer}");
        let unreached = &answer["unreached"];
        assert_eq!((&unreached["step"], &unreached["reason"]), (&json!(1), &json!("unbuilt")), "{answer}");
        assert!(unreached["detail"].text().contains("its tables were not built within the time limit"), "{answer}");
    }
}

/// The tables of this goal take longer, and no other test of this process asks for them.
#[tokio::test]
async fn the_tables_of_a_goal_are_built_although_the_request_has_ended() {
    let state = ready_state(config());
    let short = json!({"scramble": "R U F", "steps": "roux_blocks", "time_limit_ms": 20});
    let answer = post(app(state.clone()), "/steps", short).await.ok();
    assert_eq!((&answer["stopped_by"], &answer["solutions"]), (&json!("time_limit"), &json!([])), "{answer}");
    assert_eq!(answer["unreached"]["reason"], "unbuilt", "{answer}");
    assert_eq!(state.lanes.spaces().in_flight(), 1);
    eventually("the tables are built", || state.lanes.spaces().in_flight() == 0).await;
    assert!(Step::named("roux_blocks").unwrap().goal.is_prepared());
    let long = json!({"scramble": "R U F", "steps": "roux_blocks", "time_limit_ms": 30_000});
    let answer = post(app(state), "/steps", long).await.ok();
    assert!(answer["solutions"][0]["length"].as_u64().is_some_and(|length| length <= 3), "{answer}");
}

#[tokio::test]
async fn a_search_in_steps_keeps_no_more_than_its_memory_allows() {
    let state = ready_state(config_with(|config| config.search.memory_bytes = 1 << 20));
    let asked = json!({"scramble": KEPT, "steps": "EO[niss=none] > DR[niss=none] > HTR[niss=none] > FIN", "time_limit_ms": 20_000});
    let answer = post(app(state.clone()), "/steps", asked.to_string()).await.ok();
    assert_solves(answer["facelets"].text(), &answer["solutions"][0]);
    // A round takes 8 KiB for each branch.
    assert_eq!((&answer["stopped_by"], &answer["width"]), (&json!("memory"), &json!(128)));
    assert_eq!(state.memory.used(), 0);
    // Millions of solutions of the first step.
    let asked = json!({"scramble": KEPT, "steps": "EO[min=9] > cross", "time_limit_ms": 20_000}).to_string();
    let answer = post(app(state), "/steps", asked).await.ok();
    assert!(answer["solutions"][0]["steps"][0]["length"].number() >= 9, "{answer}");
}
