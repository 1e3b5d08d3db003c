//! `--costs`, `--machine` and `--candidates`.

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
    assert!(refused(&["--machine", "a.json", "--costs", "{}"]).contains("cannot be used with"));
}
