//! Checks of tables: sound ones, damage after the start, wrong entries under right checksums, and how a check ends early.

use superflip_solver::Cancelled;

use crate::common::prelude::*;
use crate::common::tables::{spoil, verdict};

/// The small tables in a folder of their own, to be damaged.
fn on_a_copy() -> (TempDir, AppState) {
    let folder = copied();
    let tables = Tables::open_or_build(folder.path(), Profile::Small, &Control::new()).unwrap();
    let state = state(config(), Readiness::ready(tables));
    (folder, state)
}

fn damage(folder: &TempDir, name: &str, at: u64) {
    flip(&file_of(folder.path(), name), at, 1);
}

#[tokio::test]
async fn sound_tables_are_sound() {
    let state = small_state(config());
    for table in small_tables().list() {
        let body = verdict(&state, table.name).await;
        assert_eq!(body["sound"], true, "{body}");
        assert!(body["report"].list().len() >= 3, "{body}");
    }
    let body = verdict(&state, "phase_one_residues").await;
    let report = body["report"].to_string();
    for words in ["checksum", "counted", "500 entries drawn at random (seed 20)", "published", "its file"] {
        assert!(report.contains(words), "{words}: {report}");
    }
}

#[tokio::test]
async fn damage_after_the_start_is_found() {
    let (folder, state) = on_a_copy();
    for (name, at) in [("phase_one_residues", 20_000_000), ("near", 9000), ("twist_move", 5000)] {
        damage(&folder, name, at);
        let body = verdict(&state, name).await;
        assert_eq!(body["sound"], false, "{body}");
        // Small tables are read from the mapped file, large ones from a copy of it.
        let problem = body["problem"].text();
        assert!(problem.contains("damaged: checksum") || problem.contains("its file: corrupted entries"), "{body}");
        assert_eq!(body["report"].list().last(), Some(&body["problem"]));
    }
    // What is made from a damaged table cannot be judged; what is not stays sound.
    let body = verdict(&state, "phase_two_corners").await;
    assert_eq!(body["sound"], true, "{body}");
    damage(&folder, "corner_class", 4096);
    let body = verdict(&state, "corner_move").await;
    assert!(body["problem"].text().contains("needs the table `corner_class`, which is damaged; rebuild"), "{body}");
}

#[tokio::test]
async fn a_damaged_header_is_found_though_the_entries_are_sound() {
    let (folder, state) = on_a_copy();
    damage(&folder, "flip_move", 100);
    let body = verdict(&state, "flip_move").await;
    assert!(body["problem"].text().contains("its file: corrupted header"), "{body}");
    let file = fs::OpenOptions::new().write(true).open(file_of(folder.path(), "u_edges_move")).unwrap();
    file.set_len(4096).unwrap();
    let body = verdict(&state, "u_edges_move").await;
    assert!(body["problem"].text().contains("its file: truncated"), "{body}");
}

/// A restart would not find the file either, and fails if the folder is read-only.
#[tokio::test]
async fn a_missing_file_of_an_intact_table_is_only_reported() {
    let (folder, state) = on_a_copy();
    // One table that is mapped from its file, and one that is copied to large pages.
    for name in ["slice_move", "phase_one_residues"] {
        fs::remove_file(file_of(folder.path(), name)).unwrap();
        let body = verdict(&state, name).await;
        assert_eq!((&body["sound"], &body["problem"]), (&json!(true), &Value::Null), "{body}");
        let last = body["report"].list().last().unwrap();
        assert!(last.text().starts_with("its file is missing"), "{body}");
        assert_eq!(get(app(state.clone()), &format!("/tables/{name}/raw")).await.status, 200, "it is sent from memory");
    }
}

#[test]
fn the_tables_for_optimal_answers_are_checked_too() {
    let table = TableSet::open(SetKey::proofs(Metric::Htm, Size::S), &tables_folder(), &Control::new())
        .unwrap()
        .list()
        .remove(0);
    let folder = tempfile::tempdir().unwrap();
    let check = || verify(folder.path(), Profile::Small, "optimal_s", CheckEffort::Lean, &Control::new()).unwrap();
    assert_eq!(check().problem.as_deref(), Some("optimal_s: missing"));
    let anew = || {
        fs::copy(&table.path, folder.path().join(table.file_name())).unwrap();
    };
    anew();
    let verdict = check();
    assert!(verdict.is_sound(), "{verdict:?}");
    for words in ["checksum", "counted", "within 4 moves", "20000 entries drawn at random"] {
        assert!(verdict.report.iter().any(|line| line.contains(words)), "{words}: {verdict:?}");
    }
    damage(&folder, "optimal_s", 3_000_000);
    assert!(check().problem.unwrap().contains("corrupted entries"));
    let spoilt = |change: &dyn Fn(&mut [u8])| {
        anew();
        spoil(&folder, "optimal_s", change);
        check().problem.expect("a problem")
    };
    let counted = spoilt(&|entries| entries[10_000_000..11_000_000].fill(0));
    assert!(counted.contains("entry counts by value"), "{counted}");
    // The cache line of solved, and the smallest distance in it.
    let near = spoilt(&|entries| entries[0] = entries[0] & 0xf0 | 7);
    assert!(near.contains("but a maneuver of 0 moves leads there"), "{near}");
    // Cache lines in the opposite order, but for those near solved: every count is the same.
    let moved = spoilt(&|entries| {
        let far = &mut entries[34650 * 200..];
        let mut lines: Vec<Vec<u8>> = far.chunks_exact(64).map(<[u8]>::to_vec).collect();
        lines.reverse();
        for (to, line) in far.chunks_exact_mut(64).zip(lines) {
            to.copy_from_slice(&line);
        }
    });
    assert!(["moves leads there", "entry of cube"].iter().any(|words| moved.contains(words)), "{moved}");
    // The halves of each row exchanged: only a comparison with neighbours detects it.
    let swapped = spoilt(&|entries| {
        let row = 34650;
        for row in entries.chunks_exact_mut(row).skip(200) {
            let line = row.len() / 128 * 64;
            let (low, high) = row.split_at_mut(line);
            let length = low.len().min(high.len());
            low[..length].swap_with_slice(&mut high[..length]);
        }
    });
    assert!(swapped.contains("row") || swapped.contains("entry of cube"), "{swapped}");
}

#[test]
fn a_check_can_be_stopped_and_tells_its_progress() {
    let _ = small_tables();
    let control = Control::new();
    control.cancel();
    let check = |control| verify(&tables_folder(), Profile::Small, "phase_one_residues", CheckEffort::Lean, control);
    assert_eq!(check(&control).err(), Some(Cancelled::ByCaller));
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let stages = Arc::clone(&heard);
    let control = Control::new().reporting(move |stage, done, total| {
        assert!(done <= total, "{stage}");
        stages.lock().unwrap().push(stage);
    });
    assert!(check(&control).unwrap().is_sound());
    let mut stages = std::mem::take(&mut *heard.lock().unwrap());
    stages.sort_unstable();
    stages.dedup();
    assert_eq!(stages, ["checksum", "count", "sample"]);
}

#[tokio::test]
async fn a_check_is_told_as_events() {
    let state = small_state(config());
    let request = request(&Method::POST, "/tables/phase_one_residues/verify", &[("accept", "text/event-stream")]);
    let answer = send(app(state.clone()), request).await;
    let events = events(&answer);
    let (last, before) = events.split_last().unwrap();
    assert!(!before.is_empty());
    for (name, data) in before {
        assert_eq!(*name, "progress");
        assert!(data["stage"].is_string() && data["done"].as_u64() <= data["total"].as_u64(), "{data}");
    }
    assert_eq!((last.0, &last.1["sound"]), ("result", &json!(true)));
    assert_eq!(state.lanes.background().in_flight(), 0);
}

#[tokio::test]
async fn a_full_lane_refuses_by_status_events_or_not() {
    let state = small_state(config_with(|config| (config.search.long_threads, config.search.queue_length) = (1, 0)));
    let _busy = hold(&state, |state| state.lanes.background(), 4, 4).await;
    for accept in ["application/json", "text/event-stream"] {
        let request = request(&Method::POST, "/tables/twist_move/verify", &[("accept", accept)]);
        send(app(state.clone()), request).await.problem(503, "overloaded");
    }
    // Searches have a pool of their own.
    get(app(state.clone()), "/solve?scramble=R").await.ok();
}
