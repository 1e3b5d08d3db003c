//! Costs and machines over HTTP: what is answered, recomputed from the description, and what is refused.

use crate::common::prelude::*;

pub(super) fn example(name: &str) -> Value {
    let path = format!("{}/examples/machines/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn all_turns() -> impl Iterator<Item = String> {
    "URFDLB".chars().flat_map(|face| ["", "2", "'"].map(|suffix| format!("{face}{suffix}")))
}

/// A quarter turn costs 1, a half turn 1.5, and `U D'` 1.2.
fn costs() -> Value {
    let mut costs: Value =
        all_turns().map(|turn| (turn.clone(), json!(if turn.ends_with('2') { 1.5 } else { 1.0 }))).collect();
    costs["U D'"] = json!(1.2);
    costs
}

/// The centre at each place of a cube that is rotated, by letters of places.
fn rotated(centres: &HashMap<char, char>, rotation: &str) -> HashMap<char, char> {
    // Each place, and the place from which its centre comes, for a quarter turn.
    let cycle = match rotation.chars().next() {
        Some('x') => ["UF", "FD", "DB", "BU"],
        Some('y') => ["FR", "RB", "BL", "LF"],
        _ => ["UL", "RU", "DR", "LD"],
    };
    let times = match &rotation[1..] {
        "2" => 2,
        "'" => 3,
        _ => 1,
    };
    (0..times).fold(centres.clone(), |before, _| {
        let mut after = before.clone();
        for pair in cycle {
            let (to, from) = (pair.chars().next().unwrap(), pair.chars().nth(1).unwrap());
            after.insert(to, before[&from]);
        }
        after
    })
}

fn turns(text: &Value) -> HashSet<&str> {
    text.as_str().into_iter().flat_map(str::split_whitespace).collect()
}

/// The action of the step of a schedule from a state.
pub(super) fn action_of<'m>(machine: &'m Value, state: &str, step: &Value) -> &'m Value {
    let is_it = |action: &&Value| {
        let is_from = match &action["from"] {
            Value::Null => true,
            Value::String(from) => from == state,
            several => several.list().contains(&json!(state)),
        };
        is_from
            && (action["name"].is_null() || action["name"] == step["action"])
            && turns(&action["turn"]) == turns(&step["turn"])
            && action["to"].as_str().unwrap_or(state) == step["state"].text()
            && action["cost"] == step["cost"]
    };
    machine["actions"].list().iter().find(is_it).unwrap_or_else(|| panic!("no such action: {step}"))
}

/// Does what the schedule says, by the description of the machine alone. Checks states, turns and costs, and that it solves the cube.
fn check_schedule(machine: &Value, body: &Value) {
    let mut centres: HashMap<char, char> = "URFDLB".chars().map(|face| (face, face)).collect();
    let (mut state, mut total, mut made) = (machine["start"].text().to_owned(), 0.0, Vec::new());
    for step in body["schedule"].list() {
        let action = action_of(machine, &state, step);
        let moved = |turn: &&str| format!("{}{}", centres[&turn.chars().next().unwrap()], &turn[1..]);
        assert_eq!(
            turns(&step["turn"]).iter().map(moved).collect::<HashSet<_>>(),
            list_of(&step["moves"]).into_iter().collect()
        );
        made.extend(list_of::<String>(&step["moves"]));
        if let Some(rotation) = action["rotates"].as_str() {
            centres = rotated(&centres, rotation);
        }
        assert_eq!(step["holding"], format!("{}{}", centres[&'U'], centres[&'F']));
        total += step["cost"].as_f64().unwrap();
        assert!((step["total"].as_f64().unwrap() - total).abs() < 1e-9);
        step["state"].text().clone_into(&mut state);
    }
    assert!((body["cost"].as_f64().unwrap() - total).abs() < 1e-9, "{body}");
    assert!(stickers::solves(body["facelets"].text(), &made.join(" ")));
    let bound = body["cost_lower_bound"].as_f64().unwrap();
    assert!(bound > 0.0 && bound <= total, "{bound}");
}

#[tokio::test]
async fn the_cheapest_candidate_is_answered_with_its_schedule() {
    for name in ["cubotino", "four-grippers", "squidcuber"] {
        let machine = example(name);
        let body = json!({
            "facelets": SUPERFLIP, "machine": machine, "candidates": 20, "target_length": 22, "solutions": 5, "time_limit_ms": 30_000
        });
        let answer = post(ready(), "/solve", body.to_string()).await.ok();
        check_schedule(&machine, &answer);
        let costs: Vec<f64> = answer["solutions"].list().iter().map(|one| one["cost"].as_f64().unwrap()).collect();
        assert!(costs.len() == 5 && costs.is_sorted(), "{costs:?}");
        assert_eq!(answer["cost"], answer["solutions"][0]["cost"]);
        assert!(stickers::solves(SUPERFLIP, answer["solution"].text()));
        let single = json!({"facelets": SUPERFLIP, "machine": machine, "candidates": 1, "target_length": 22});
        let first = post(ready(), "/solve", single.to_string()).await.ok();
        check_schedule(&machine, &first);
        assert!(first.get("solutions").is_none(), "{name}: {first}");
    }
}

#[tokio::test]
async fn costs_are_those_of_the_turns() {
    let body = json!({"scramble": "D U' F2 R", "costs": costs(), "candidates": 3});
    let answer = post(ready(), "/solve", body.to_string()).await.ok();
    assert_eq!((&answer["cost"], &answer["solution"]), (&json!(3.7), &json!("R' F2 U D'")), "{answer}");
    let names: Vec<String> = answer["schedule"].list().iter().map(|step| step["action"].text().to_owned()).collect();
    assert_eq!(names, ["R'", "F2", "U D'"]);
    // Three runs of at least 0.6 for each turn: the pair makes two turns for 1.2.
    assert_eq!(answer["cost_lower_bound"], 2.4);
    let without = post(ready(), "/solve", json!({"scramble": "D U' F2 R"}).to_string()).await.ok();
    for member in ["cost", "cost_lower_bound", "schedule"] {
        assert!(without.get(member).is_none(), "{member}");
    }
}

#[tokio::test]
async fn a_dear_half_turn_is_made_as_two_quarter_turns() {
    let mut costs = costs();
    costs["R2"] = json!(10);
    costs["R"] = json!(2);
    let solved = post(ready(), "/solve", json!({"scramble": "R2", "costs": costs}).to_string()).await.ok();
    let explained = json!({"scramble": "R2", "solution": "R2", "costs": costs}).to_string();
    let explained = post(ready(), "/explain", explained).await.ok();
    // Two counter-clockwise turns cost 2 in all.
    assert_eq!((&solved["solution"], &solved["cost"]), (&json!("R2"), &json!(2.0)), "{solved}");
    assert_eq!((&explained["cost"], &explained["steps"][1]["cost"]), (&json!(2.0), &json!(2.0)), "{explained}");
    let names: Vec<&Value> = solved["schedule"].list().iter().map(|step| &step["action"]).collect();
    assert_eq!(names, ["R'", "R'"]);
}

#[tokio::test]
async fn streams_batches_and_explanations_take_them_too() {
    let machine = example("cubotino");
    let body = json!({"facelets": SUPERFLIP, "machine": machine, "candidates": 5, "target_length": 24});
    let streamed = post(ready(), "/solve/stream", body.to_string()).await;
    check_schedule(&machine, &events(&streamed).last().unwrap().1);

    let line = |more: Value| {
        let mut line = json!({"scramble": "R U F", "target_length": 22, "candidates": 4});
        line.as_object_mut().unwrap().extend(more.members().clone());
        format!("{line}\n")
    };
    let lines =
        line(json!({"machine": machine})) + &line(json!({"costs": costs()})) + &line(json!({"candidates": null}));
    let answers = batch(ready(), "/solve/batch", lines).await;
    check_schedule(&machine, &answers[0]);
    assert!(answers[1]["cost"].as_f64().unwrap() > 0.0 && answers[2].get("cost").is_none(), "{answers:?}");

    let given = json!({"scramble": "L D R", "solution": "R' D' L'", "machine": machine});
    let explained = post(ready(), "/explain", given.to_string()).await.ok();
    check_schedule(&machine, &explained);
    let by_move: Vec<f64> = explained["steps"].list()[1..].iter().map(|step| step["cost"].as_f64().unwrap()).collect();
    assert!((by_move.iter().sum::<f64>() - explained["cost"].as_f64().unwrap()).abs() < 1e-9, "{by_move:?}");
    assert!(explained["steps"][0].get("cost").is_none());
    let searched = post(ready(), "/explain", json!({"scramble": "L D R", "costs": costs()}).to_string()).await.ok();
    assert_eq!((&searched["cost"], &searched["steps"][1]["cost"]), (&json!(3.0), &json!(1.0)));
}

#[tokio::test]
async fn every_fault_is_listed_with_its_place() {
    let actions = json!([
        {"turn": "U R", "cost": 1}, {"turn": "D", "cost": 0, "from": "b"}, {"cost": 1, "to": "c", "rotates": "R"},
        {"cost": 1, "from": []},
    ]);
    let body = json!({"scramble": "R", "machine": {"start": "z", "states": ["a", "a"], "actions": actions}});
    let problem =
        post(ready(), "/solve", body.to_string()).await.problem_with(422, "invalid_machine", &["lists all 8 faults"]);
    let faults: Vec<(&str, &str)> =
        problem["faults"].list().iter().map(|fault| (fault["code"].text(), fault["field"].text())).collect();
    assert_eq!(
        faults,
        [
            ("repeated_state", "machine.states"),
            ("unknown_state", "machine.start"),
            ("unknown_turn", "machine.actions[0].turn"),
            ("unknown_state", "machine.actions[1].from"),
            ("cost_out_of_range", "machine.actions[1].cost"),
            ("unknown_state", "machine.actions[2].to"),
            ("unknown_rotation", "machine.actions[2].rotates"),
            ("no_states", "machine.actions[3].from"),
        ]
    );
    assert_eq!(problem["field"], "machine.states");

    let mut machine = example("cubotino");
    machine["states"].as_array_mut().unwrap().push(json!("stuck"));
    for action in machine["actions"].as_array_mut().unwrap() {
        if action["from"].is_null() {
            action["from"] = json!(["ccw", "home", "cw"]);
        }
    }
    let body = json!({"scramble": "R", "machine": machine});
    let words = ["No action is possible in the state `stuck`", "leave the state out"];
    let problem = post(ready(), "/solve", body.to_string()).await.problem_with(422, "invalid_machine", &words);
    assert_eq!(problem["faults"][0]["code"], "dead_end");

    let body = json!({"scramble": "R", "machine": example("five-faces")});
    let words = [
        "the state `ready`, with the cube held UF, make the turn B of the cube",
        "the option `faces`, which lists the faces that it can turn, such as `URFDL`",
    ];
    let problem = post(ready(), "/solve", body.to_string()).await.problem_with(422, "invalid_machine", &words);
    assert_eq!(problem["faults"][0]["code"], "missing_turn");

    let quarter_turns = all_turns().filter(|turn| !turn.ends_with('2'));
    let actions: Value = quarter_turns.map(|turn| json!({"turn": turn, "cost": 1})).collect();
    let body = json!({"scramble": "R", "machine": {"start": "a", "states": ["a"], "actions": actions}});
    let words =
        ["make the turn U2 of the cube", "or `moves`, which lists its turns, such as `U U' R R' F F' D D' L L' B B'`."];
    post(ready(), "/solve", body.to_string()).await.problem_with(422, "invalid_machine", &words);
    let body = json!({"scramble": "R", "costs": {"U": 1}});
    let words = ["U2 has no cost", "solve with the option `faces` or `moves`."];
    let problem = post(ready(), "/solve", body.to_string()).await.problem_with(422, "invalid_costs", &words);
    assert_eq!(problem["detail"].text().matches("solve with").count(), 1, "the advice stands once: {problem}");
    // The page shows the faults instead of the detail.
    assert!(problem["faults"][0]["message"].text().contains("solve with"), "{problem}");
    assert_eq!(problem["faults"][1]["message"], "U' has no cost. Give it one.");

    let mut given = costs();
    given.as_object_mut().unwrap().remove("F2");
    (given["R"], given["L R'"], given["U R"]) = (json!(-1), json!(2), json!(1));
    let body = json!({"scramble": "R", "costs": given}).to_string().replace("\"L R'\":2", "\"L R'\":2,\"R' L\":2");
    let problem = post(ready(), "/solve", body).await.problem(422, "invalid_costs");
    let mut faults: Vec<(&str, &str)> =
        problem["faults"].list().iter().map(|fault| (fault["code"].text(), fault["field"].text())).collect();
    faults.sort_unstable();
    assert_eq!(
        faults,
        [
            ("cost_out_of_range", "costs.R"),
            ("missing_turn", "costs.F2"),
            ("repeated_turn", "costs.R' L"),
            ("unknown_turn", "costs.U R"),
        ]
    );
}

#[tokio::test]
async fn options_that_contradict_each_other_are_refused() {
    for (body, field, part) in [
        (json!({"costs": costs(), "machine": example("cubotino")}), "costs", "cannot be combined with `machine`"),
        (json!({"candidates": 10}), "candidates", "needs `costs` or `machine`"),
        (json!({"candidates": 0, "costs": costs()}), "candidates", "from 1 to 1000"),
        (json!({"candidates": 1001, "costs": costs()}), "candidates", "from 1 to 1000"),
    ] {
        let mut request = json!({"scramble": "R"});
        request.as_object_mut().unwrap().extend(body.members().clone());
        let problem =
            post(ready(), "/solve", request.to_string()).await.problem_with(422, "option_out_of_range", &[part]);
        assert_eq!(problem["field"], field);
    }
    let body = json!({"scramble": "R", "solution": "R'", "costs": costs(), "candidates": 2}).to_string();
    post(ready(), "/explain", body).await.problem_with(
        422,
        "option_out_of_range",
        &["cannot be combined with `solution`"],
    );
}

#[tokio::test]
async fn a_robot_of_five_faces_turns_these_only() {
    let (machine, router) = (example("five-faces"), app(ready_state(config_with(|_| {}))));
    // Its costs are known without a search.
    let given = json!({"scramble": "R F2", "solution": "F2 R'", "machine": machine});
    let explained = post(&router, "/explain", given.to_string()).await.ok();
    check_schedule(&machine, &explained);
    // A machine, or costs, for this solution alone.
    let pair = json!({"start": "a", "states": ["a"], "actions": [{"turn": "U' D", "cost": 2}]});
    for (robot, code) in
        [(json!({"machine": pair}), "invalid_machine"), (json!({"costs": {"U' D": 2}}), "invalid_costs")]
    {
        let mut given = json!({"scramble": "U D'", "solution": "D U'"});
        given.as_object_mut().unwrap().extend(robot.members().clone());
        assert_eq!(post(&router, "/explain", given.to_string()).await.ok()["cost"].to_string(), "2.0");
        given["solution"] = json!("U' D2 D'");
        post(&router, "/explain", given.to_string()).await.problem_with(422, code, &["option `faces`"]);
    }
    let given = json!({"scramble": "B", "solution": "B'", "machine": machine});
    let words = ["make the turn B' of the cube", "solve with the option `faces`"];
    let problem = post(&router, "/explain", given.to_string()).await.problem_with(422, "invalid_machine", &words);
    assert_eq!(problem["faults"].list().len(), 1);
    let body = json!({"scramble": "B L2 U", "faces": "URFDL", "machine": machine, "candidates": 5, "target_length": 26, "time_limit_ms": 30000});
    let answer = post(&router, "/solve", body.to_string()).await.ok();
    check_schedule(&machine, &answer);
    let is_possible = |answer: &Value| answer["moves"].list().iter().all(|mv| !mv.text().starts_with('B'));
    assert!(is_possible(&answer), "{answer}");
    // Nor does it turn the sixth face after a slip: here the first action was missed.
    let names: Vec<&str> = answer["schedule"].list().iter().map(|step| step["action"].text()).collect();
    let seen = stickers::apply(answer["facelets"].text(), &names[1..].join(" "));
    let sent = json!({"scramble": "B L2 U", "faces": "URFDL", "machine": machine, "schedule": names, "seen": seen,
        "candidates": 1, "target_length": 28, "time_limit_ms": 30000});
    let body = post(&router, "/diagnose", sent).await.ok();
    let explanation = &body["explanations"][0];
    assert!(is_possible(explanation) && stickers::solves(&seen, explanation["solution"].text()), "{body}");
}

/// The routes of a machine with many states take seconds. Quick solves do not wait for them.
#[tokio::test]
async fn a_machine_with_many_states_is_checked_in_the_long_lane() {
    let state = ready_state(config_with(|_| {}));
    let explained = async |states: u32| {
        let states: Vec<String> = (0..states).map(|number| number.to_string()).collect();
        let actions: Value = all_turns().map(|turn| json!({"turn": turn, "cost": 1})).collect();
        let machine = json!({"start": "0", "states": states, "actions": actions});
        let given = json!({"scramble": "R F2", "solution": "F2 R'", "machine": machine});
        post(app(state.clone()), "/explain", given.to_string()).await
    };
    assert_eq!(explained(40).await.ok()["cost"], json!(2.0));
    state.lanes.long().close();
    assert_eq!(explained(10).await.ok()["cost"], json!(2.0));
    explained(40).await.problem(503, "shutting_down");
    let line = json!({"scramble": "R"});
    post(app(state.clone()), "/solve", line.to_string()).await.ok();
}

/// Half of the states rotate the cube and lead to the others, which alone turn it: none of many routes replaces another.
fn with_many_routes(count: usize) -> Value {
    let names = |letter: &str| (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
    let (first, second) = (names("a"), names("b"));
    let rotations = ["x", "y"].map(|by| json!({"rotates": by, "from": first, "cost": 1}));
    let ways = second.iter().map(|to| json!({"from": first, "to": to, "cost": 1}));
    let turns = all_turns().map(|turn| json!({"turn": turn, "from": second, "cost": 1}));
    let actions: Value = rotations.into_iter().chain(ways).chain(turns).collect();
    let states = [first, second].concat();
    json!({"start": "a0", "states": states, "actions": actions})
}

#[tokio::test]
async fn a_machine_with_too_many_routes_is_refused() {
    let asked =
        |count| json!({"scramble": "R F2", "machine": with_many_routes(count), "time_limit_ms": 30_000}).to_string();
    // 18 turns in 24 holdings and in 20 states, from each of 20 states.
    let problem = post(ready(), "/solve", asked(20)).await.problem(422, "invalid_machine");
    let fault = &problem["faults"][0];
    assert_eq!((fault["code"].text(), fault["field"].text()), ("route_count", "machine.actions"));
    assert!(fault["message"].text().starts_with("The first 6 of 40 states have 51840 routes"), "{fault}");
    let of_batch = lines_of(&send(ready(), post_request("/solve/batch", "application/x-ndjson", asked(20))).await);
    assert_eq!(of_batch[0]["problem"]["code"], "invalid_machine");
}

/// Routes count in the memory for searches while the machine is in use. A line of a batch waits for other machines.
#[tokio::test]
async fn a_machine_for_which_there_is_no_memory_is_refused() {
    let state = ready_state(config_with(|config| config.search.memory_bytes = 5 << 20));
    let asked =
        |limit: u32| json!({"scramble": "R F2", "machine": with_many_routes(10), "time_limit_ms": limit}).to_string();
    let batch = async |limit| {
        send(app(state.clone()), post_request("/solve/batch", "application/x-ndjson", asked(limit))).await
    };
    let others = state.memory.claim(4 << 20).unwrap();
    let problem = post(app(state.clone()), "/solve", asked(500)).await.problem(503, "overloaded");
    assert_eq!((&problem["field"], &problem["retry_after_s"]), (&json!("machine"), &json!(1)));
    assert!(problem["detail"].text().contains("search.memory_bytes"), "{problem}");
    assert_eq!(lines_of(&batch(100).await)[0]["problem"]["code"], "overloaded");
    let free = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(others);
    };
    let (answered, ()) = tokio::join!(batch(10_000), free);
    assert!(lines_of(&answered)[0]["cost"].is_number(), "{answered:?}");
    let answer = post(app(state.clone()), "/solve", asked(500)).await.ok();
    assert!(answer["cost"].is_number(), "{answer}");
    eventually("the memory is given back", || state.memory.used() == 0).await;
}

/// The search for routes is within the time limit.
#[tokio::test]
async fn a_machine_whose_routes_take_too_long_is_refused() {
    let asked = json!({"scramble": "R F2", "machine": with_many_routes(50), "time_limit_ms": 1}).to_string();
    let problem = post(ready(), "/solve", asked).await.problem(503, "deadline_unreachable");
    assert!(problem["retry_after_s"].is_u64(), "{problem}");
}
