//! `/diagnose` with a machine: slips of actions made on the model of stickers, by the description alone, and schedules from there.

use rand::RngExt;
use rand::rngs::StdRng;

use super::machines::{action_of, example};
use crate::common::maneuver;
use crate::common::prelude::*;

/// What an action does, written as a maneuver.
fn written(action: &Value) -> String {
    [&action["turn"], &action["rotates"]].iter().filter_map(|part| part.as_str()).collect::<Vec<_>>().join(" ")
}

fn inverse(maneuver: &str) -> String {
    let word = |word: &str| match &word[1..] {
        "" => format!("{word}'"),
        "'" => word[..1].to_owned(),
        _ => word.to_owned(),
    };
    maneuver.split_whitespace().rev().map(word).collect::<Vec<_>>().join(" ")
}

/// Stickers that all differ, so that maneuvers are equal only if they do the same.
const DISTINCT: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR";

fn does(maneuver: &str) -> String {
    stickers::apply(DISTINCT, maneuver)
}

/// The maneuver of each action of a schedule, and the state after all.
fn followed(machine: &Value, start: &str, schedule: &Value) -> (Vec<String>, String) {
    let mut state = start.to_owned();
    let mut done = Vec::new();
    for step in schedule.list() {
        let action = action_of(machine, &state, step);
        done.push(written(action));
        step["state"].text().clone_into(&mut state);
    }
    (done, state)
}

/// The slips of an action by their definition: the kind, and the maneuver that is made instead.
fn slips_of(machine: &Value, sent: &str) -> Vec<(&'static str, String)> {
    if does(sent) == DISTINCT {
        return Vec::new();
    }
    let mut slips = vec![("missed", String::new())];
    let undone = inverse(sent);
    if does(&undone) != does(sent) {
        slips.push(("doubled", format!("{sent} {sent}")));
        if machine["actions"].list().iter().any(|action| does(&written(action)) == does(&undone)) {
            slips.push(("reversed", undone));
        }
    } else if let Some(quarter) = sent.strip_suffix('2').filter(|quarter| quarter.len() == 1) {
        slips.extend(["", "'"].map(|way| ("half_made", format!("{quarter}{way}"))));
    }
    slips
}

/// The schedule of the machine for a random cube near the solved one.
async fn scheduled(machine: &Value, rng: &mut StdRng) -> (String, Value) {
    let moves = maneuver(rng, 7, &Move::ALL);
    let before = stickers::apply(SOLVED, &moves.inverse().to_string());
    let request = json!({"facelets": before, "solution": moves.to_string(), "machine": machine});
    let body = post(ready(), "/explain", request).await.ok();
    (before, body["schedule"].clone())
}

/// Executes the schedule of an explanation on the stickers as the machine holds them.
fn check_solved(machine: &Value, now: &str, explanation: &Value) {
    assert_eq!(explanation["facelets"], stickers::renamed(now));
    let centres = stickers::centres(now);
    assert_eq!(explanation["holding"], format!("{}{}", &centres[..1], &centres[2..3]), "{explanation}");
    let (done, _) = followed(machine, explanation["state"].text(), &explanation["schedule"]);
    assert!(stickers::solves(now, &done.join(" ")), "{explanation}");
    let costs = explanation["schedule"].list().iter().map(|step| step["cost"].as_f64().unwrap());
    assert!((costs.sum::<f64>() - explanation["cost"].as_f64().unwrap()).abs() < 1e-9);
    assert!(explanation["cost_lower_bound"].as_f64() <= explanation["cost"].as_f64());
}

#[tokio::test]
async fn each_slip_of_an_action_is_named_and_solved_from_its_state() {
    let mut rng = rng(91);
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    for name in ["cubotino", "four-grippers", "squidcuber"] {
        let machine = example(name);
        let (before, schedule) = scheduled(&machine, &mut rng).await;
        let (sent, state) = followed(&machine, machine["start"].text(), &schedule);
        for kind in ["missed", "doubled", "reversed", "half_made"] {
            // A random action that can slip so.
            let first = rng.random_range(0..sent.len());
            let all = (0..sent.len()).map(|index| (index + first) % sent.len());
            let mut slips =
                all.flat_map(|index| slips_of(&machine, &sent[index]).into_iter().map(move |slip| (index, slip)));
            let Some((index, (kind, way))) = slips.find(|(_, (other, _))| *other == kind) else { continue };
            let mut made = sent.clone();
            made[index].clone_from(&way);
            let now = stickers::apply(&before, &made.join(" "));
            // The names alone, or the steps as they were returned, which tell actions of one name apart.
            let names: Value = schedule.list().iter().map(|step| step["action"].clone()).collect();
            let executed = if name == "four-grippers" { schedule.clone() } else { names };
            let request = json!({"facelets": before, "machine": machine, "schedule": executed, "seen": now,
                "max_explanations": 10, "candidates": 2, "target_length": 25});
            let body = post(ready(), "/diagnose", request).await.ok();
            assert_eq!(body["expected"], stickers::renamed(&stickers::apply(&before, &sent.join(" "))));
            let centres = stickers::centres(&now);
            let holding = format!("{}{}", &centres[..1], &centres[2..3]);
            let is_now = |one: &&Value| one["facelets"] == stickers::renamed(&now) && one["holding"] == holding;
            let explanation = body["explanations"].list().iter().find(is_now).unwrap_or_else(|| panic!("{body}"));
            assert_eq!(explanation["state"], state);
            let is_it = |way_of: &Value| {
                let [slip] = way_of.list().as_slice() else { return false };
                let text = |field: &str| slip[field].as_str().unwrap_or("").to_owned();
                (&slip["index"], &slip["number"], &slip["kind"]) == (&json!(index), &json!(index + 1), &json!(kind))
                    && slip["action"] == schedule[index]["action"]
                    && does(&text("sent")) == does(&sent[index])
                    && does(&text("made")) == does(&way)
                    && slip["made"].is_null() == (kind == "missed")
            };
            assert!(explanation["ways"].list().iter().any(is_it), "{name} {index} {kind} {body}");
            check_solved(&machine, &now, explanation);
            *kinds.entry(kind).or_default() += 1;
        }
    }
    assert!(kinds.len() == 4 && kinds["missed"] == 3, "{kinds:?}");
}

/// Two slips of the robot that flips the cube and turns the bottom.
#[tokio::test]
async fn two_slips_of_actions_are_found() {
    let (mut rng, machine) = (rng(92), example("cubotino"));
    for _ in 0..3 {
        let (before, schedule) = scheduled(&machine, &mut rng).await;
        let (sent, state) = followed(&machine, machine["start"].text(), &schedule);
        let mut made = sent.clone();
        for half in [0, 1] {
            let index = rng.random_range(half * sent.len() / 2..(half + 1) * sent.len() / 2);
            let slips = slips_of(&machine, &sent[index]);
            made[index].clone_from(&slips[rng.random_range(0..slips.len())].1);
        }
        let now = stickers::apply(&before, &made.join(" "));
        let request = json!({"facelets": before, "machine": machine, "schedule": schedule, "seen": stickers::renamed(&now),
            "max_explanations": 10, "candidates": 1, "target_length": 25});
        let body = post(ready(), "/diagnose", request).await.ok();
        let centres = stickers::centres(&now);
        let holding = format!("{}{}", &centres[..1], &centres[2..3]);
        let is_now = |one: &&Value| one["holding"] == holding;
        let explanation = body["explanations"].list().iter().find(is_now).unwrap_or_else(|| panic!("{body}"));
        assert!(explanation["slips"].number() <= 2 && explanation["state"] == state, "{explanation}");
        check_solved(&machine, &now, explanation);
    }
}

/// The servo of the robot does not get its first command. At the next one, it turns from where it still is.
#[tokio::test]
async fn a_lost_command_of_a_motor_with_positions_is_two_slips() {
    let before = letters(&scrambled(&mut rng(93)));
    // As sent: D to the position `cw`, then D2 from there to `ccw`. From `home`, this is D'.
    let now = stickers::apply(&before, "x' D'");
    let request = json!({"facelets": before, "machine": example("cubotino"), "candidates": 1, "target_length": 25,
        "schedule": ["rotate to cw", "flip", "rotate to ccw"], "seen": stickers::renamed(&now)});
    let body = post(ready(), "/diagnose", request).await.ok();
    let [explanation] = body["explanations"].list().as_slice() else { panic!("{body}") };
    let slip = |index: usize, action: &str, sent: &str, made: Value, kind: &str| json!({"index": index, "number": index + 1, "action": action, "sent": sent, "made": made, "kind": kind});
    let ways = json!([[
        slip(0, "rotate to cw", "D", Value::Null, "missed"),
        slip(2, "rotate to ccw", "D2", json!("D'"), "half_made")
    ]]);
    assert_eq!((&explanation["ways"], &explanation["state"]), (&ways, &json!("ccw")));
    check_solved(&example("cubotino"), &now, explanation);
}

/// The robot of the documentation misses its second flip.
fn missed_flip() -> (String, String, Value) {
    let before = stickers::apply(SOLVED, "D' F'");
    let now = stickers::apply(&before, "x' D x' x' D");
    let actions = json!([
        {"turn": "D", "cost": 0.8}, {"turn": "D'", "cost": 0.8}, {"turn": "D2", "cost": 1.6},
        {"name": "flip", "rotates": "x'", "cost": 0.6},
        {"name": "spin", "rotates": "y", "cost": 0.7}, {"name": "spin back", "rotates": "y'", "cost": 0.7}
    ]);
    let request = json!({"scramble": "D' F'", "schedule": ["flip", "D", "flip", "flip", "flip", "D"],
        "seen": stickers::renamed(&now), "machine": {"start": "ready", "states": ["ready"], "actions": actions}});
    (before, now, request)
}

#[tokio::test]
async fn a_missed_flip_is_explained_from_stickers_and_from_colours() {
    let (_, now, mut request) = missed_flip();
    let machine = request["machine"].clone();
    let body = post(ready(), "/diagnose", request.clone()).await.ok();
    let [explanation] = body["explanations"].list().as_slice() else { panic!("{body}") };
    // Each of the three flips between the turns may be the one.
    let missed = |index: usize| json!([{"index": index, "number": index + 1, "action": "flip", "sent": "x'", "made": null, "kind": "missed"}]);
    assert_eq!(explanation["ways"], json!([missed(2), missed(3), missed(4)]));
    assert_eq!((&explanation["total_ways"], &explanation["slips"]), (&json!(3), &json!(1)));
    check_solved(&machine, &now, explanation);
    // What the answer says is what /solve says of this cube and this state.
    let solve = json!({"facelets": explanation["facelets"], "machine": machine});
    assert_eq!(post(ready(), "/solve", solve).await.ok()["schedule"], explanation["schedule"]);

    // The same cube, seen by a camera that sends blue first.
    let colour = |letter: char| match letter {
        'U' => json!([250, 250, 245]),
        'R' => json!([30, 20, 190]),
        'F' => json!([70, 150, 10]),
        'D' => json!([10, 210, 240]),
        'L' => json!([20, 110, 250]),
        _ => json!([180, 60, 20]),
    };
    let stickers_seen = request.as_object_mut().unwrap().remove("seen").unwrap();
    request["seen_colors"] = now.chars().map(colour).collect();
    request["channel_order"] = json!("bgr");
    let colours = post(ready(), "/diagnose", request.clone()).await.ok();
    assert_eq!((&colours["seen"], &colours["explanations"]), (&stickers_seen, &body["explanations"]));
    request["seen_colors"][7] = json!("#ff");
    let problem = post(ready(), "/diagnose", request).await.problem(422, "option_out_of_range");
    assert_eq!(problem["field"], "seen_colors[7]");
    assert!(problem["detail"].text().starts_with("`seen_colors[7]`"), "{problem}");
}

#[tokio::test]
async fn a_misread_sticker_beside_a_slip_is_named() {
    let (_, now, mut request) = missed_flip();
    let seen = stickers::renamed(&now);
    let wrong = if seen.starts_with('F') { 'B' } else { 'F' };
    request["seen"] = json!(stickers::with(&seen, &[(0, wrong)]));
    let body = post(ready(), "/diagnose", request).await.ok();
    let [explanation] = body["explanations"].list().as_slice() else { panic!("{body}") };
    assert_eq!((&explanation["misread"], &explanation["facelets"]), (&json!(0), &json!(seen)));
    // No legal cube has these stickers.
    assert_eq!((&body["completions"], &body["now"]), (&json!("0"), &Value::Null));
}

#[tokio::test]
async fn costs_and_candidates_choose_the_way_back() {
    let mut costs: Value = "URFDLB"
        .chars()
        .flat_map(|face| ["", "2", "'"].map(|way| format!("{face}{way}")))
        .map(|turn| (turn, json!(1.0)))
        .collect();
    (costs["U D'"], costs["U' D"]) = (json!(1.2), json!(1.2));
    let seen = stickers::apply(SOLVED, "R U D'");
    let request = |sent: Value| {
        let mut request = json!({"scramble": "", "costs": costs, "seen": seen, "candidates": 3});
        request.as_object_mut().unwrap().extend(sent.members().clone());
        request
    };
    for sent in [json!({"moves": "R U D' F2"}), json!({"schedule": ["R", "U D'", "F2"]})] {
        let body = post(ready(), "/diagnose", request(sent)).await.ok();
        let explanation = &body["explanations"][0];
        assert_eq!((&explanation["ways"][0][0]["sent"], &explanation["cost"]), (&json!("F2"), &json!(2.2)), "{body}");
        assert_eq!(explanation["schedule"].list().len(), 2);
    }
}

/// The problem of a robot without half turns says how to describe it, and that description is diagnosed.
#[tokio::test]
async fn a_robot_without_half_turns_is_diagnosed() {
    let seen = stickers::apply(SOLVED, "U2 F R");
    let turns = |ways: [&'static str; 2]| "URFDLB".chars().flat_map(move |face| ways.map(|way| format!("{face}{way}")));
    let action = |turn: String, cost: f64| json!({"turn": turn, "cost": cost});
    let mut actions: Vec<Value> = turns(["", "'"]).map(|turn| action(turn, 1.0)).collect();
    let machine = |actions: &[Value]| json!({"machine": {"start": "a", "states": ["a"], "actions": actions}});
    let quarters = machine(&actions);
    actions.extend("URFDLB".chars().map(|face| action(format!("{face}2"), 2.0)));
    let mut costs: Value = turns(["", "'"]).map(|turn| (turn, json!(1))).collect();
    let without = json!({"costs": costs});
    for face in "URFDLB".chars() {
        costs[format!("{face}2")] = json!(2.1);
    }
    for (refused, code, advice, mended) in [
        (quarters, "invalid_machine", "For `/diagnose`, list each half turn as an action", machine(&actions)),
        (
            without,
            "invalid_costs",
            "For `/diagnose`, give a half turn a greater cost than two",
            json!({"costs": costs}),
        ),
    ] {
        let request = |robot: &Value| {
            let mut request = json!({"scramble": "U2 F", "schedule": ["R'"], "seen": seen});
            request.as_object_mut().unwrap().extend(robot.members().clone());
            request
        };
        post(ready(), "/diagnose", request(&refused)).await.problem_with(422, code, &[advice]);
        let body = post(ready(), "/diagnose", request(&mended)).await.ok();
        let explanation = &body["explanations"][0];
        assert_eq!(explanation["ways"][0][0]["kind"], "reversed", "{body}");
        let turns: Vec<&str> = explanation["schedule"].list().iter().map(|step| step["turn"].text()).collect();
        assert!(stickers::solves(&seen, &turns.join(" ")), "{body}");
        assert_eq!(explanation["cost"], 4.0, "{body}");
    }
}

#[tokio::test]
async fn contradictions_and_impossible_schedules_are_refused() {
    let (_, _, request) = missed_flip();
    let with = |changes: Value| {
        let mut request = request.clone();
        for (field, value) in changes.members() {
            request[field] = value.clone();
        }
        request
    };
    let cubotino = example("cubotino");
    let several = json!({"start": "a", "states": ["a", "b"], "actions": [
        {"turn": "D", "cost": 1}, {"turn": "D2", "cost": 1}, {"turn": "D'", "cost": 1},
        {"name": "move", "from": "a", "to": "b", "cost": 1}, {"name": "move", "from": "a", "cost": 1}]});
    for (changes, field, parts) in [
        (json!({"moves": "R"}), "schedule", ["cannot be combined with `moves`", "Remove one"]),
        (json!({"machine": null}), "schedule", ["needs `machine`", "Add one of them"]),
        (json!({"schedule": null, "moves": "R"}), "machine", ["needs `schedule`", "instead of `moves`"]),
        (json!({"schedule": null}), "moves", ["`moves` is missing", "or `schedule`"]),
        (json!({"seen": null}), "seen", ["`seen` is missing", "`seen` or `seen_colors`"]),
        (json!({"seen_colors": []}), "seen_colors", ["cannot be combined with `seen`", "Remove one"]),
        (json!({"costs": {"U": 1}}), "costs", ["cannot be combined with `machine`", "Remove one"]),
        (json!({"schedule": vec!["flip"; 401]}), "schedule", ["401 actions", "at most 400"]),
        (json!({"schedule": ["flip", "jump"]}), "schedule[1]", ["Action 2 of `schedule`", "no action `jump`"]),
        (
            json!({"machine": cubotino, "schedule": ["flip", "spin to home"]}),
            "schedule[1]",
            ["Action 2", "not possible in the state `home`"],
        ),
        (
            json!({"machine": cubotino, "schedule": [{"action": "rotate to cw", "state": "ccw"}]}),
            "schedule[0]",
            ["Action 1", "does not lead from the state `home` to `ccw`"],
        ),
        (json!({"faces": "X"}), "faces", ["has the symbol `X`", "one or more of the letters"]),
        (json!({"candidates": 0}), "candidates", ["from 1 to 1000", "is 0"]),
    ] {
        let problem = post(ready(), "/diagnose", with(changes)).await.problem_with(422, "option_out_of_range", &parts);
        assert_eq!(problem["field"], field, "{problem}");
    }
    // Two actions of one name are told apart by the state after them.
    let machine = |schedule: Value| {
        with(json!({"machine": several, "schedule": schedule, "faces": "D", "seen": SOLVED, "scramble": ""}))
    };
    let words = ["several actions are named `move`", "with `action` and `state`"];
    post(ready(), "/diagnose", machine(json!(["move"]))).await.problem_with(422, "option_out_of_range", &words);
    post(ready(), "/diagnose", with(json!({"schedule": [1]}))).await.problem_with(
        400,
        "invalid_field",
        &["schedule[0]", "the name of an action"],
    );
    // As `superflip diagnose` prints it.
    post(ready(), "/diagnose", with(json!({"schedule": "flip, D"}))).await.problem_with(
        400,
        "invalid_field",
        &["`schedule`: expected a list of actions such as [\"flip\", \"D\"], found `\"flip, D\"`"],
    );
    post(ready(), "/diagnose", with(json!({"machine": example("five-faces")}))).await.problem_with(
        422,
        "invalid_machine",
        &["make the turn B"],
    );
}
