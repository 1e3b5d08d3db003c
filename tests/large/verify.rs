//! Checks of the tables of the profile `standard`.

use crate::common::prelude::*;
use crate::common::tables::{spoil, verdict};

#[tokio::test]
async fn sound_tables_are_sound() {
    let report = verdict(&standard(), "phase_one_masked").await["report"].to_string();
    assert!(report.contains("10000 entries drawn at random"), "{report}");
}

/// A wrong table with a right checksum, as a faulty build would leave it: each kind of check must find it.
#[test]
fn wrong_entries_under_a_right_checksum_are_found() {
    let _ = &*STANDARD;
    let folder = tempfile::tempdir().unwrap();
    for table in small_tables().list().into_iter().chain(STANDARD.list()) {
        let to = folder.path().join(table.file_name());
        if !to.exists() {
            std::os::unix::fs::symlink(fs::canonicalize(&table.path).unwrap(), to).unwrap();
        }
    }
    let spoil = |name: &str, change: &dyn Fn(&mut [u8])| spoil(&folder, name, change);
    let problem = |profile, name| {
        let verdict = verify(folder.path(), profile, name, CheckEffort::Lean, &Control::new());
        verdict.unwrap().problem.expect("a problem")
    };
    // Two entries exchanged keep every count: only a rebuild or a comparison at the cubie level finds them.
    spoil("phase_two_corners", &|entries| entries.reverse());
    assert!(problem(Profile::Small, "phase_two_corners").contains("differ from the rebuilt ones"));
    // The bytes of each row in the opposite order, but for the last three, which hold one twist less.
    spoil("phase_one_residues", &|entries| {
        for row in 1..64430 {
            entries[row * 438..row * 438 + 435].reverse();
        }
    });
    assert!(problem(Profile::Small, "phase_one_residues").contains("compared at the cubie level"));
    spoil("phase_one_residues", &|entries| entries[7] ^= 1);
    assert!(problem(Profile::Small, "phase_one_residues").contains("entry counts by value"));
    // One mask bit of every other entry: no distance and no count changes.
    spoil("phase_one_masked", &|entries| {
        for entry in entries.chunks_exact_mut(4).skip(1).step_by(2) {
            entry[0] ^= 1;
        }
    });
    assert!(problem(Profile::Standard, "phase_one_masked").contains("contradict the distances after these moves"));
    // The columns of each row in the opposite order: every count is the same.
    spoil("phase_two", &|entries| {
        for row in entries.chunks_exact_mut(40320 / 2).skip(1) {
            row.reverse();
        }
    });
    assert!(problem(Profile::Standard, "phase_two").contains("compared at the cubie level"));
}

#[tokio::test]
async fn a_check_that_is_stopped_ends_with_a_problem_of_its_request() {
    let state = standard();
    let headers = [("accept", "text/event-stream"), ("x-request-id", "check-1")];
    let request = request(&Method::POST, "/tables/phase_one_masked/verify", &headers);
    let answer = tokio::spawn(send(app(state.clone()), request));
    eventually("the check runs", || state.lanes.background().in_flight() == 1).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    state.lanes.stop();
    let answer = answer.await.unwrap();
    assert_eq!(answer.status, StatusCode::OK);
    let (_, problem) = answer.text().trim_end().rsplit_once("event: problem\ndata: ").unwrap();
    let problem: Value = serde_json::from_str(problem).unwrap();
    assert_eq!((&problem["code"], &problem["request_id"]), (&json!("shutting_down"), &json!("check-1")));
}

#[tokio::test]
async fn a_caller_that_goes_frees_the_long_lane() {
    let state = standard();
    let server = Server::start(state.clone()).await;
    for accept in ["application/json", "text/event-stream"] {
        let request = wire::post("/tables/phase_one_masked/verify", "application/json", "");
        let mut caller = wire::send(server.address, &wire::with(&request, &format!("accept: {accept}"))).await;
        eventually("the check runs", || state.lanes.background().in_flight() == 1).await;
        if accept == "text/event-stream" {
            assert_eq!(wire::status(&mut caller).await, 200);
        }
        drop(caller);
        eventually("the check stopped", || state.lanes.background().in_flight() == 0).await;
    }
    server.stopped().await;
}
