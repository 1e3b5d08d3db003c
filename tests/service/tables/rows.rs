//! `/tables`: what is listed, and rows against the cubies.

use rand::RngExt;
use superflip_solver::coord;
use superflip_solver::coord::{Descriptor, TWIST};
use superflip_solver::tables::verify::{NEAR_DISTRIBUTION, PHASE_ONE_DISTRIBUTION};

use crate::common::prelude::*;
use crate::common::tables::{decoded, row};

#[tokio::test]
async fn the_list_is_the_one_of_the_shell() {
    let body = get(small(), "/tables").await.ok();
    let output = on_small_tables(&["tables", "list", "--json"]).output().unwrap();
    let shell: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut listed = body["tables"].list().clone();
    // The shell lists every file of the folder, also the files of other profiles.
    let is_listed = |row: &&Value| listed.iter().any(|table| table["name"] == row["name"]);
    let shell: Vec<Value> = shell.list().iter().filter(is_listed).cloned().collect();
    assert_eq!(body["profile"], "small");
    assert_eq!(listed.len(), shell.len());
    for (table, mut shell) in listed.iter_mut().zip(shell) {
        let links = table.as_object_mut().unwrap().remove("links").unwrap();
        let path = shell["path"].clone();
        assert_eq!(shell["state"], "current");
        for of_the_file in ["path", "file", "recipe", "state", "in_use"] {
            shell.as_object_mut().unwrap().remove(of_the_file).unwrap();
        }
        assert_eq!(*table, shell);
        assert_eq!(fs::metadata(path.text()).unwrap().len(), table["bytes"].number());
        let count = |index: &str| table[index]["count"].number();
        assert_eq!(count("rows") * count("columns"), table["entries"].number(), "{table}");
        for link in ["table", "first_row"] {
            get(small(), links[link].text()).await.ok();
        }
        let one = get(small(), links["table"].text()).await.ok();
        for (member, value) in table.members() {
            assert_eq!(&one[member], value);
        }
        for member in [&one["encoding"], &one["file"]["entry"], &one["rows"]["meaning"], &one["columns"]["meaning"]] {
            assert!(member.as_str().is_some_and(|text| text.ends_with('.')), "{one}");
        }
    }
    let total: u64 = listed.iter().map(|table| table["bytes"].number()).sum();
    assert_eq!(body["bytes"], total);
}

#[tokio::test]
async fn published_distributions_are_reproduced() {
    for (state, name, published) in [
        (small_state(config()), "phase_one_residues", PHASE_ONE_DISTRIBUTION.as_slice()),
        (small_state(config()), "near", &NEAR_DISTRIBUTION),
    ] {
        let body = get(app(state), &format!("/tables/{name}")).await.ok();
        assert_eq!(list_of::<u64>(&body["depth_histogram"]), published);
        assert_eq!(list_of::<u64>(&body["published"]["depth_histogram"]), published);
        assert_eq!(body["published"]["agrees"], true);
    }
    let body = get(small(), "/tables/twist_move").await.ok();
    assert_eq!((&body["published"], &body["depth_histogram"]), (&Value::Null, &json!([])));
    assert_eq!((&body["rows"]["count"], &body["rows"]["name"]), (&json!(2187), &json!("twist")));
    assert_eq!((&body["columns"]["count"], &body["columns"]["name"]), (&json!(18), &json!("move")));
}

#[tokio::test]
async fn rows_of_move_and_conjugation_tables_follow_the_cubies() {
    let state = small_state(config());
    let mut rng = rng(11);
    let names: Vec<String> = small_tables().list().iter().map(|table| table.name.to_owned()).collect();
    let has_raw_moves = |coordinate: &&Descriptor| {
        coordinate.name != "flip_slice" && names.contains(&format!("{}_move", coordinate.name))
    };
    let tabled: Vec<_> = coord::all().filter(has_raw_moves).collect();
    assert_eq!(tabled.len(), 8);
    for coordinate in tabled {
        for _ in 0..20 {
            let x = rng.random_range(0..coordinate.size);
            let cube = (coordinate.representative)(x);
            let moved = coordinate.moves().iter().map(|mv| (coordinate.index)(&cube.then(mv.cube())));
            let expected: Vec<u64> = moved.map(|value| u64::from(value.unwrap())).collect();
            assert_eq!(row(&state, &format!("{}_move", coordinate.name), u64::from(x)).await, expected);
        }
    }
    let x = rng.random_range(0..TWIST.size);
    let cube = (TWIST.representative)(x);
    let seen = Symmetry::all().take(16).map(|s| (TWIST.index)(&s.conjugate(&cube)));
    let expected: Vec<u64> = seen.map(|value| u64::from(value.unwrap())).collect();
    assert_eq!(row(&state, "twist_conjugate", u64::from(x)).await, expected);
}

#[tokio::test]
async fn places_of_the_near_set_are_taken_apart() {
    let state = small_state(config());
    let words = small_tables();
    let words = words.opened().u32s(Id::Near);
    let mut taken = 0;
    for (slot, word) in words.iter().enumerate().take(200) {
        let place = decoded(&state, "near", slot as u64, 0).await;
        assert_eq!(row(&state, "near", slot as u64).await, [u64::from(*word)]);
        if *word == 0 {
            assert_eq!(place, json!({"fingerprint": null, "distance": null}));
        } else {
            assert_eq!(place["fingerprint"], format!("{:08x}", word & !7));
            assert!(
                place["distance"].as_u64().is_some_and(|distance| distance == u64::from(word & 7) - 1 && distance <= 5)
            );
            taken += 1;
        }
    }
    // Some six of ten places are taken.
    assert!((60..190).contains(&taken), "{taken}");
}

#[tokio::test]
async fn what_is_not_there_is_told_with_what_is() {
    get(small(), "/tables/twist_moves").await.problem_with(404, "unknown_table", &["did you mean `twist_move`?"]);
    for path in ["rows/0", "raw"] {
        get(small(), &format!("/tables/phase_three/{path}")).await.problem(404, "unknown_table");
    }
    post(small(), "/tables/phase_three/verify", "").await.problem(404, "unknown_table");
    for path in ["", "/near", "/near/rows/0", "/near/raw"] {
        get(starting(), &format!("/tables{path}")).await.problem(503, "tables_not_ready");
    }
    post(starting(), "/tables/near/verify", "").await.problem(503, "tables_not_ready");
}
