//! `--costs`, `--machine`, `--candidates` and `--schedule`.

use crate::common::prelude::*;

/// Path of an example machine, from the folder of the package.
fn example(name: &str) -> String {
    format!("{}/examples/machines/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// A cost of 1 for every quarter turn and of 1.5 for every half turn, as JSON.
fn costs() -> String {
    let turns = "URFDLB".chars().flat_map(|face| {
        [("", 1.0), ("2", 1.5), ("'", 1.0)].map(|(suffix, cost)| format!("\"{face}{suffix}\": {cost}"))
    });
    format!("{{{}}}", turns.collect::<Vec<_>>().join(", "))
}

#[test]
fn the_cheapest_solution_is_printed_with_its_cost() {
    let machine = example("cubotino");
    let solved = run_on_tables(&["solve", "L D R", "--machine", &machine], 0);
    let json = run_on_tables(&["solve", "L D R", "--machine", &machine, "--json"], 0).json();
    assert_eq!(solved.out.trim(), json["solution"].text());
    let inline = fs::read_to_string(&machine).unwrap();
    assert_eq!(run_on_tables(&["solve", "L D R", "--machine", &inline], 0).out, solved.out);
    assert!(
        solved.err.contains(&format!(
            "superflip: cost {}; no solution costs less than {}.",
            json["cost"], json["cost_lower_bound"]
        )),
        "{}",
        solved.err
    );
    let total: f64 = json["schedule"].list().iter().map(|step| step["cost"].as_f64().unwrap()).sum();
    assert!((total - json["cost"].as_f64().unwrap()).abs() < 1e-9, "{json}");

    let explained = run_on_tables(&["explain", "L D R", "--solution", "R' D' L'", "--machine", &machine], 0).out;
    assert!(explained.contains("\ncost: ") && explained.contains("\naction"), "{explained}");
    // A machine without B executes moves without B.
    let machine = example("five-faces");
    let explained = run_on_tables(&["explain", "R F2", "--solution", "F2 R'", "--machine", &machine], 0).out;
    assert!(explained.contains("\ncost: 2.5\n"), "{explained}");
    let refused = run_on_tables(&["explain", "B", "--solution", "B'", "--machine", &machine], 2).err;
    assert!(refused.contains("make the turn B' of the cube"), "{refused}");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("costs.json");
    fs::write(&file, costs()).unwrap();
    for given in [&costs(), file.to_str().unwrap()] {
        let json = run_on_tables(&["solve", "R2 F", "--costs", given, "--candidates", "2", "--json"], 0).json();
        assert_eq!((&json["cost"], &json["solution"]), (&json!(2.5), &json!("F' R2")));
    }
}

/// What each step of a schedule does from a state on, as a maneuver, by the description of the machine alone.
fn motions(machine: &Value, start: &str, schedule: &Value) -> Vec<String> {
    let steps = schedule.list();
    let motion = |(step, from): (&Value, &str)| {
        let is_it = |action: &&Value| {
            action["name"] == step["action"] && action["from"].as_str().is_none_or(|other| other == from)
        };
        let action = machine["actions"].list().iter().find(is_it).unwrap_or_else(|| panic!("no such action: {step}"));
        [&action["turn"], &action["rotates"]].map(|part| part.as_str().unwrap_or("")).join(" ")
    };
    let before = std::iter::once(start).chain(steps.iter().map(|step| step["state"].text()));
    steps.iter().zip(before).map(motion).collect()
}

/// The robot solves a cube with a schedule of `superflip solve`, in which the cube does not follow one flip.
#[test]
fn a_missed_action_is_named_with_a_schedule_from_there() {
    let (machine, folder) = (example("cubotino"), TempDir::new().unwrap());
    let before = stickers::apply(SOLVED, "L D R");
    let planned = run_on_tables(&["solve", &before, "--machine", &machine, "--json"], 0).json()["schedule"].clone();
    let description: Value = serde_json::from_str(&fs::read_to_string(&machine).unwrap()).unwrap();
    let index = planned.list().iter().position(|step| step["action"] == "flip").unwrap();
    let mut made = motions(&description, "home", &planned);
    assert!(stickers::solves(&before, &made.join(" ")), "{planned}");
    made[index] = String::new();
    let now = stickers::renamed(&stickers::apply(&before, &made.join(" ")));

    let file = folder.path().join("schedule.json");
    fs::write(&file, planned.to_string()).unwrap();
    let sent = ["diagnose", &before, "--machine", &machine, "--seen", &now];
    let with = |schedule: &str, more: &[&str], code: i32| {
        run_on_tables(&[&sent[..], &["--schedule", schedule], more].concat(), code)
    };
    let body = with(file.to_str().unwrap(), &["--json"], 0).json();
    assert_eq!(
        with(&planned.to_string(), &["--json"], 0).json()["explanations"][0]["ways"],
        body["explanations"][0]["ways"]
    );
    let missed =
        json!([{"index": index, "number": index + 1, "action": "flip", "sent": "x'", "made": null, "kind": "missed"}]);
    let is_it = |one: &&Value| one["ways"].list().contains(&missed);
    let explanation = body["explanations"].list().iter().find(is_it).unwrap_or_else(|| panic!("{body}"));
    assert_eq!((&explanation["facelets"], &explanation["slips"]), (&json!(now), &json!(1)), "{body}");
    assert_eq!(explanation["state"], planned.list().last().unwrap()["state"]);
    let way_back = motions(&description, explanation["state"].text(), &explanation["schedule"]);
    assert!(stickers::solves(&now, &way_back.join(" ")), "{explanation}");

    let said = with(file.to_str().unwrap(), &[], 0).out;
    assert!(said.contains(&format!("action {}, flip (x'), was missed\n", index + 1)), "{said}");
    assert!(said.contains(&format!("\n  state: {}\n  holding: ", explanation["state"].text())), "{said}");
    let solution = said.lines().find_map(|line| line.strip_prefix("  solution: ")).unwrap();
    assert!(stickers::solves(&now, solution), "{said}");
    assert!(said.contains("\n  schedule: ") && said.contains("; no solution costs less than "), "{said}");

    // A lone list of costs has turns as its actions.
    let (costs, seen) = (costs(), stickers::apply(SOLVED, "R F2"));
    let sent = ["diagnose", SOLVED, "--costs", &costs, "--seen", &seen, "--schedule"];
    let said = run_on_tables(&[&sent[..], &[r#"["R", "U", "F2"]"#]].concat(), 0).out;
    assert!(said.starts_with("action 2, U, was missed\n  state: ready\n  holding: UF\n"), "{said}");
    assert!(
        said.ends_with("  solution: F2 R'\n  schedule: F2, R'\n  cost: 2.5; no solution costs less than 2\n"),
        "{said}"
    );
    let said = run_on_tables(&[&sent[..], &[r#"["R", "F2"]"#, "--faces", "RF"]].concat(), 0).out;
    assert!(said.starts_with("all actions were made\n"), "{said}");
}

#[test]
fn schedules_that_cannot_be_executed_are_refused() {
    let machine = example("cubotino");
    let refused = |args: &[&str]| run(&[&["diagnose", "R", "--seen", SOLVED], args].concat(), 2).err;
    assert!(refused(&[]).contains("--moves"));
    assert!(refused(&["--moves", "R", "--schedule", "[]"]).contains("cannot be used with"));
    assert!(refused(&["--schedule", r#"["R"]"#]).contains("`schedule` needs `machine`"));
    assert!(refused(&["--moves", "R", "--machine", &machine]).contains("`machine` needs `schedule`"));
    let with = |schedule| refused(&["--machine", &machine, "--schedule", schedule]);
    assert!(with(r#"["flip", "jump"]"#).contains("Action 2 of `schedule`: "));
    assert!(with("[1]").contains("cannot read --schedule: "));
    assert!(with("nowhere.json").contains("cannot read nowhere.json: "));
    assert!(refused(&["--moves", "R", "--faces", "X"]).contains("`faces` has the symbol `X`"));
}

#[test]
fn machines_that_cannot_be_used_are_refused_by_name() {
    let refused = |args: &[&str]| run(&[&["solve", "R U F"], args].concat(), 2).err;
    assert!(refused(&["--costs", "{\"U\": 1}"]).contains("`costs.U2`: U2 has no cost"));
    assert!(refused(&["--costs", "{\"U\": 1"]).contains("cannot read --costs: "));
    assert!(refused(&["--machine", "{\"start\": 1}"]).contains("cannot read --machine: "));
    let wrong = "{\"start\": \"a\", \"states\": [\"a\"], \"actions\": [{\"turn\": \"U\", \"cost\": \"1.6\"}]}";
    assert!(refused(&["--machine", wrong]).contains("`actions[0].cost`: expected a number, found `\"1.6\"`."));
    assert!(refused(&["--machine", "nowhere.json"]).contains("cannot read nowhere.json: "));
    assert!(refused(&["--machine", &example("five-faces")]).contains("make the turn B of the cube"));
    let all = refused(&["--costs", "{\"U\": 1}"]);
    assert_eq!((all.lines().count(), all.contains("faults")), (17, false), "{all}");
    assert!(all.lines().last().is_some_and(|line| line.starts_with("  `costs.B'`: B' has no cost.")), "{all}");
    assert!(refused(&["--candidates", "5"]).contains("`candidates` needs `costs` or `machine`"));
    let both = refused(&["--machine", &example("cubotino"), "--costs", &costs()]);
    assert!(both.contains("cannot be used with"), "{both}");
}
