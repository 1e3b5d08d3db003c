//! `/tables`: what is said of tables, against the cubies, the files, and damage.

use std::fs;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use rand::RngExt;
use serde_json::{Value, json};
use superflip::coord::{self, CORNER_PERM, FLIP_SLICE, TWIST, UD_EDGES};
use superflip::cube::{Cube, Move, Symmetry};
use superflip::http::{AppState, app};
use superflip::service::readiness::Readiness;
use superflip::tables::verify::{NEAR_DISTRIBUTION, PHASE_ONE_DISTRIBUTION};
use superflip::tables::{Effort, Profile, Quiet, Stopped, Tables, Watch, verify};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

mod common;
use common::service::{
    Answer, Server, config, eventually, get, post, ready, ready_state, send, starting, state, tables,
};
use common::{STANDARD, rng, scrambled, tables_folder, walk};

fn standard() -> AppState {
    state(config(), Readiness::ready(Arc::clone(&STANDARD)))
}

/// All entries of a row.
async fn row(state: &AppState, table: &str, row: u64) -> Vec<u64> {
    let body = get(app(state.clone()), &format!("/tables/{table}/rows/{row}")).await.ok();
    assert_eq!(body["left"], 0, "{body}");
    numbers(&body["entries"])
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// One entry, taken apart.
async fn decoded(state: &AppState, table: &str, row: u64, column: u64) -> Value {
    let uri = format!("/tables/{table}/rows/{row}?from={column}&count=1");
    get(app(state.clone()), &uri).await.ok()["decoded"][0].clone()
}

#[tokio::test]
async fn the_list_is_the_one_of_the_shell() {
    let body = get(ready(), "/tables").await.ok();
    let output = Command::new(env!("CARGO_BIN_EXE_superflip"))
        .args(["tables", "list", "--json", "--profile=small", "--tables-dir"])
        .arg(tables_folder())
        .output()
        .unwrap();
    let shell: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (mut listed, shell) = (body["tables"].as_array().unwrap().clone(), shell.as_array().unwrap());
    assert_eq!(body["profile"], "small");
    assert_eq!(listed.len(), shell.len());
    for (table, shell) in listed.iter_mut().zip(shell) {
        let links = table.as_object_mut().unwrap().remove("links").unwrap();
        let mut shell = shell.clone();
        let path = shell.as_object_mut().unwrap().remove("path").unwrap();
        assert_eq!(*table, shell);
        assert_eq!(fs::metadata(path.as_str().unwrap()).unwrap().len(), table["bytes"].as_u64().unwrap());
        let count = |index: &str| table[index]["count"].as_u64().unwrap();
        assert_eq!(count("rows") * count("columns"), table["entries"].as_u64().unwrap(), "{table}");
        for link in ["table", "first_row"] {
            get(ready(), links[link].as_str().unwrap()).await.ok();
        }
        let one = get(ready(), links["table"].as_str().unwrap()).await.ok();
        for (member, value) in table.as_object().unwrap() {
            assert_eq!(&one[member], value);
        }
        for member in [&one["encoding"], &one["file"]["entry"], &one["rows"]["meaning"], &one["columns"]["meaning"]] {
            assert!(member.as_str().is_some_and(|text| text.ends_with('.')), "{one}");
        }
    }
    let total: u64 = listed.iter().map(|table| table["bytes"].as_u64().unwrap()).sum();
    assert_eq!(body["bytes"], total);
}

#[tokio::test]
async fn published_distributions_are_reproduced() {
    for (state, name, published) in [
        (ready_state(config()), "phase_one_residues", PHASE_ONE_DISTRIBUTION.as_slice()),
        (standard(), "phase_one_masked", &PHASE_ONE_DISTRIBUTION),
        (standard(), "near", &NEAR_DISTRIBUTION),
    ] {
        let body = get(app(state), &format!("/tables/{name}")).await.ok();
        assert_eq!(numbers(&body["depth_histogram"]), published);
        assert_eq!(numbers(&body["published"]["depth_histogram"]), published);
        assert_eq!(body["published"]["agrees"], true);
    }
    let body = get(ready(), "/tables/twist_move").await.ok();
    assert_eq!((&body["published"], &body["depth_histogram"]), (&Value::Null, &json!([])));
    assert_eq!((&body["rows"]["count"], &body["rows"]["name"]), (&json!(2187), &json!("twist")));
    assert_eq!((&body["columns"]["count"], &body["columns"]["name"]), (&json!(18), &json!("turn")));
}

#[tokio::test]
async fn rows_of_move_and_conjugation_tables_follow_the_cubies() {
    let state = ready_state(config());
    let mut rng = rng(11);
    for coordinate in coord::ALL.into_iter().filter(|coordinate| coordinate.name != "flip_slice") {
        for _ in 0..20 {
            let x = rng.random_range(0..coordinate.size);
            let cube = (coordinate.representative)(x);
            let turned = coordinate.moves().iter().map(|turn| (coordinate.index)(&cube.then(turn.cube())));
            let expected: Vec<u64> = turned.map(|value| u64::from(value.unwrap())).collect();
            assert_eq!(row(&state, &format!("{}_move", coordinate.name), u64::from(x)).await, expected);
        }
    }
    for coordinate in [&TWIST, &UD_EDGES] {
        let x = rng.random_range(0..coordinate.size);
        let cube = (coordinate.representative)(x);
        let seen = Symmetry::all().take(16).map(|s| (coordinate.index)(&s.conjugate(&cube)));
        let expected: Vec<u64> = seen.map(|value| u64::from(value.unwrap())).collect();
        assert_eq!(row(&state, &format!("{}_conjugate", coordinate.name), u64::from(x)).await, expected);
    }
}

#[tokio::test]
async fn classes_lead_to_representatives_and_distances_to_g1() {
    let state = standard();
    let mut rng = rng(12);
    for _ in 0..20 {
        let cube = scrambled(&mut rng);
        let mut class = 0;
        for (coordinate, prefix) in [(&CORNER_PERM, "corner"), (&FLIP_SLICE, "flip_slice")] {
            let raw = (coordinate.index)(&cube).unwrap();
            let sym = decoded(&state, &format!("{prefix}_class"), u64::from(raw), 0).await;
            class = sym["class"].as_u64().unwrap();
            let symmetry = Symmetry::try_from_index(sym["symmetry"].as_u64().unwrap() as usize).unwrap();
            let representative = row(&state, &format!("{prefix}_representative"), class).await[0];
            assert_eq!((coordinate.index)(&symmetry.conjugate(&cube)), Some(representative as u32));
            if prefix == "flip_slice" {
                let twist = u64::from((TWIST.index)(&symmetry.conjugate(&cube)).unwrap());
                let masked = decoded(&state, "phase_one_masked", class, twist).await;
                let distance = STANDARD.inspect(&cube)[0].phase_one_distance;
                assert_eq!(masked["distance"], distance);
                // The turns as the table names them, played on the cube as the representative sees it.
                let seen = symmetry.conjugate(&cube);
                for turn in Move::ALL {
                    let after = STANDARD.inspect(&seen.then(turn.cube()))[0].phase_one_distance;
                    let lists = |list: &str| masked[list].as_array().unwrap().contains(&json!(turn.name()));
                    assert_eq!((lists("nearer"), lists("level")), (after < distance, after == distance), "{turn}");
                }
                let small = ready_state(config());
                let residue = decoded(&small, "phase_one_residues", class, twist).await;
                assert_eq!(residue["distance_modulo_3"], distance % 3);
            }
        }
        let inside = walk(&mut rng, 30, &Move::PHASE_TWO);
        let corners = u64::from((CORNER_PERM.index)(&inside).unwrap());
        let order = u64::from((coord::SLICE_SORTED.index)(&inside).unwrap());
        let bound = decoded(&state, "phase_two_corners", corners, order).await;
        let known = STANDARD.phase_two().corner_bound(corners as u16, order as u16);
        assert_eq!(bound, json!({"distance": known, "capped": false}));
        assert!(class < 64430);
    }
    let near: u64 = (0..200)
        .filter(|&slot| {
            let bytes = &STANDARD.opened().u64s(superflip::tables::Id::Near)[slot];
            *bytes != 0
        })
        .count() as u64;
    let mut counted = 0;
    for slot in 0..200 {
        counted += u64::from(!decoded(&state, "near", slot, 0).await["fingerprint"].is_null());
    }
    assert_eq!(counted, near);
}

#[tokio::test]
async fn a_long_row_is_read_in_pages() {
    let state = standard();
    let (mut uri, mut entries) = ("/tables/phase_two/rows/5".to_owned(), Vec::new());
    loop {
        let body = get(app(state.clone()), &uri).await.ok();
        let page = numbers(&body["entries"]);
        assert_eq!(
            (page.len() as u64, entries.len() as u64),
            (body["count"].as_u64().unwrap(), body["from"].as_u64().unwrap())
        );
        assert!(page.len() <= 4096 && body["decoded"].as_array().unwrap().len() == page.len());
        entries.extend(page);
        assert_eq!(entries.len() as u64 + body["left"].as_u64().unwrap(), 40320);
        let Some(next) = body["next"].as_str() else { break };
        next.clone_into(&mut uri);
    }
    // Nibbles, the first in the low bits, straight from the file.
    let file = fs::read(tables_folder().join("phase_two.tbl")).unwrap();
    for (column, entry) in entries.iter().enumerate() {
        let number = 5 * 40320 + column;
        assert_eq!(*entry, u64::from(file[4096 + number / 2] >> (4 * (number % 2)) & 15));
    }
}

#[tokio::test]
async fn what_is_not_there_is_told_with_what_is() {
    let document = get(ready(), "/tables/twist_moves").await.problem(404, "unknown_table");
    assert!(document["detail"].as_str().unwrap().contains("did you mean `twist_move`?"), "{document}");
    for path in ["rows/0", "raw"] {
        get(ready(), &format!("/tables/phase_three/{path}")).await.problem(404, "unknown_table");
    }
    post(ready(), "/tables/phase_three/verify", "").await.problem(404, "unknown_table");
    for (row, status, code) in [
        ("2187", 404, "unknown_row"),
        ("99999999999999999999999", 404, "unknown_row"),
        ("-1", 400, "invalid_path"),
        ("first", 400, "invalid_path"),
    ] {
        let document = get(ready(), &format!("/tables/twist_move/rows/{row}")).await.problem(status, code);
        assert!(document["detail"].as_str().unwrap().contains("from 0 to 2186"), "{document}");
    }
    for (query, status, code) in [
        ("from=18", 422, "option_out_of_range"),
        ("count=0", 422, "option_out_of_range"),
        ("count=4097", 422, "option_out_of_range"),
        ("from=18446744073709551615", 422, "option_out_of_range"),
        ("from=x", 400, "invalid_field"),
        ("to=3", 400, "unknown_field"),
    ] {
        get(ready(), &format!("/tables/twist_move/rows/0?{query}")).await.problem(status, code);
    }
    for path in ["", "/near", "/near/rows/0", "/near/raw"] {
        get(starting(), &format!("/tables{path}")).await.problem(503, "tables_not_ready");
    }
    post(starting(), "/tables/near/verify", "").await.problem(503, "tables_not_ready");
}

/// Asks for a file with further headers.
async fn raw(method: Method, name: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(format!("/tables/{name}/raw"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(ready(), request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_file_is_sent_as_it_lies_on_disk() {
    let _ = tables();
    for name in ["slice_move", "phase_one_residues"] {
        let file = fs::read(tables_folder().join(name).with_extension("tbl")).unwrap();
        for encoding in ["identity", "gzip, br"] {
            let answer = raw(Method::GET, name, &[("accept-encoding", encoding)]).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(answer.body == file, "{name}: {} of {} bytes", answer.body.len(), file.len());
            assert_eq!(answer.header("content-encoding"), "");
            assert_eq!(answer.header("content-type"), "application/octet-stream");
            assert_eq!(answer.header("content-length"), file.len().to_string());
            assert_eq!(answer.header("accept-ranges"), "bytes");
            assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{name}.tbl\""));
        }
        let head = raw(Method::HEAD, name, &[("range", "bytes=0-9")]).await;
        assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
        assert_eq!(head.header("content-length"), file.len().to_string());
        assert!(head.header("etag").starts_with('"'), "strong");
    }
}

#[tokio::test]
async fn ranges_are_heeded() {
    let _ = tables();
    let file = fs::read(tables_folder().join("slice_move.tbl")).unwrap();
    let end = file.len();
    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        ("bytes=4096-4131", 4096, 4132),
        ("bytes=4096-", 4096, end),
        ("bytes=-10", end - 10, end),
        ("bytes=100-99999999", 100, end),
    ] {
        let answer = raw(Method::GET, "slice_move", &[("range", range), ("accept-encoding", "gzip")]).await;
        assert_eq!(answer.status, StatusCode::PARTIAL_CONTENT, "{range}");
        assert!(answer.body == file[from..to], "{range}");
        assert_eq!(answer.header("content-range"), format!("bytes {from}-{}/{end}", to - 1));
    }
    let beyond = raw(Method::GET, "slice_move", &[("range", &format!("bytes={end}-"))]).await;
    beyond.problem(416, "range_not_satisfiable");
    assert_eq!(beyond.header("content-range"), format!("bytes */{end}"));
    let several = raw(Method::GET, "slice_move", &[("range", "bytes=0-1,5-6")]).await;
    assert!(several.status == StatusCode::OK && several.body == file);
}

#[tokio::test]
async fn conditions_are_heeded() {
    let whole = raw(Method::GET, "slice_move", &[]).await;
    let (tag, modified) = (whole.header("etag").to_owned(), whole.header("last-modified").to_owned());
    assert_ne!(raw(Method::GET, "flip_move", &[]).await.header("etag"), tag);
    let weak = format!("W/{tag}");
    let among = format!("\"other\", {tag}");
    for headers in [
        [("if-none-match", tag.as_str())].as_slice(),
        &[("if-none-match", &among)],
        &[("if-none-match", &weak)],
        &[("if-none-match", "*")],
        &[("if-modified-since", &modified)],
        &[("if-none-match", &tag), ("if-modified-since", "Sat, 01 Jan 2000 00:00:00 GMT")],
    ] {
        let answer = raw(Method::GET, "slice_move", headers).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::NOT_MODIFIED, 0), "{headers:?}");
        assert_eq!(answer.header("etag"), tag);
    }
    for headers in [
        [("if-none-match", "\"other\"")].as_slice(),
        &[("if-none-match", "\"other\""), ("if-modified-since", &modified)],
        &[("if-match", &tag), ("if-unmodified-since", "Sat, 01 Jan 2000 00:00:00 GMT")],
    ] {
        assert_eq!(raw(Method::GET, "slice_move", headers).await.status, StatusCode::OK, "{headers:?}");
    }
    for headers in
        [[("if-match", "\"other\"")], [("if-match", &weak)], [("if-unmodified-since", "Sat, 01 Jan 2000 00:00:00 GMT")]]
    {
        raw(Method::GET, "slice_move", &headers).await.problem(412, "precondition_failed");
    }
    for (known, status) in [
        (tag.as_str(), 206),
        (&weak, 200),
        ("\"other\"", 200),
        ("nonsense", 200),
        (&modified, 206),
        ("Sat, 01 Jan 2000 00:00:00 GMT", 200),
    ] {
        let answer = raw(Method::GET, "slice_move", &[("range", "bytes=0-9"), ("if-range", known)]).await;
        assert_eq!(answer.status.as_u16(), status, "{known}");
        assert_eq!(answer.body.len(), if status == 206 { 10 } else { whole.body.len() });
    }
}

/// The small tables in a folder of their own, to be damaged.
fn copied() -> (TempDir, AppState) {
    let folder = tempfile::tempdir().unwrap();
    for table in tables().list() {
        fs::copy(&table.path, folder.path().join(table.file_name())).unwrap();
    }
    let tables = Tables::open_or_build(folder.path(), Profile::Small, &Quiet, &AtomicBool::new(false)).unwrap();
    let state = state(config(), Readiness::ready(Arc::new(tables)));
    (folder, state)
}

/// Changes one byte of a file in place, as a failing disk would.
fn damage(folder: &TempDir, name: &str, at: u64) {
    let path = folder.path().join(name).with_extension("tbl");
    let file = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).unwrap();
    file.write_all_at(&[byte[0] ^ 1], at).unwrap();
}

async fn verdict(state: &AppState, name: &str) -> Value {
    let body = post(app(state.clone()), &format!("/tables/{name}/verify"), "").await.ok();
    assert_eq!(body["name"], name);
    assert_eq!(body["sound"], body["problem"].is_null(), "{body}");
    assert!(body["elapsed_ms"].is_u64());
    body
}

#[tokio::test]
async fn sound_tables_are_sound() {
    let state = ready_state(config());
    for table in tables().list() {
        let body = verdict(&state, table.name).await;
        assert_eq!(body["sound"], true, "{body}");
        assert!(body["report"].as_array().unwrap().len() >= 3, "{body}");
    }
    let body = verdict(&state, "phase_one_residues").await;
    let report = body["report"].to_string();
    for words in ["checksum", "counted", "500 entries drawn at random (seed 20)", "published", "its file"] {
        assert!(report.contains(words), "{words}: {report}");
    }
    let report = verdict(&standard(), "phase_one_masked").await["report"].to_string();
    assert!(report.contains("10000 entries drawn at random"), "{report}");
}

#[tokio::test]
async fn damage_after_the_start_is_found() {
    let (folder, state) = copied();
    for (name, at) in [("twist_move", 5000), ("near", 9000), ("phase_one_residues", 30_000_000)] {
        damage(&folder, name, at);
        let body = verdict(&state, name).await;
        assert_eq!(body["sound"], false, "{body}");
        assert!(body["problem"].as_str().unwrap().contains("damaged: checksum"), "{body}");
        assert_eq!(body["report"].as_array().unwrap().last(), Some(&body["problem"]));
    }
    // What is made from a damaged table cannot be judged; what is not stays sound.
    let body = verdict(&state, "phase_two_corners").await;
    assert_eq!(body["sound"], true, "{body}");
    damage(&folder, "corner_class", 4096);
    let body = verdict(&state, "corner_move").await;
    assert!(body["problem"].as_str().unwrap().contains("corner_class, with which it is checked"), "{body}");
}

#[tokio::test]
async fn a_damaged_or_missing_header_is_found_though_the_entries_are_sound() {
    let (folder, state) = copied();
    damage(&folder, "flip_move", 100);
    let body = verdict(&state, "flip_move").await;
    assert!(body["problem"].as_str().unwrap().contains("its file: corrupted header"), "{body}");
    let file = fs::OpenOptions::new().write(true).open(folder.path().join("u_edges_move.tbl")).unwrap();
    file.set_len(4096).unwrap();
    let body = verdict(&state, "u_edges_move").await;
    assert!(body["problem"].as_str().unwrap().contains("its file: truncated"), "{body}");
    fs::remove_file(folder.path().join("slice_move.tbl")).unwrap();
    let body = verdict(&state, "slice_move").await;
    assert_eq!(body["problem"], "its file: missing");
    get(app(state.clone()), "/tables/slice_move/raw").await.problem(404, "not_found");
}

/// A wrong table with a right checksum, as a faulty build would leave it: each kind of check must find it.
#[test]
fn wrong_entries_under_a_right_checksum_are_found() {
    use superflip::tables::format::Header;
    use superflip::tables::sink::checksum;

    let _ = &*STANDARD;
    let watch = |stop| Watch { stop, progress: &|_, _, _| (), effort: Effort::Lean };
    let stop = AtomicBool::new(false);
    let folder = tempfile::tempdir().unwrap();
    for table in tables().list().into_iter().chain(STANDARD.list()) {
        let to = folder.path().join(table.file_name());
        if !to.exists() {
            std::os::unix::fs::symlink(fs::canonicalize(&table.path).unwrap(), to).unwrap();
        }
    }
    let spoil = |name: &str, change: &dyn Fn(&mut [u8])| {
        let path = folder.path().join(name).with_extension("tbl");
        let mut file = fs::read(&path).unwrap();
        let mut header = Header::decode(&file[..4096], file.len() as u64).unwrap();
        change(&mut file[4096..]);
        header.checksum = checksum(&file[4096..]);
        file[..4096].copy_from_slice(&header.encode());
        fs::remove_file(&path).unwrap();
        fs::write(&path, file).unwrap();
    };
    let problem =
        |profile, name| verify(folder.path(), profile, name, &watch(&stop)).unwrap().problem.expect("a problem");
    // Two entries exchanged keep every count: only making anew or a look at the cubies finds them.
    spoil("phase_two_corners", &|entries| entries.reverse());
    assert!(problem(Profile::Small, "phase_two_corners").contains("differ from those made anew"));
    spoil("phase_one_residues", &|entries| entries[7] ^= 1);
    assert!(problem(Profile::Small, "phase_one_residues").contains("counted anew"));
    // A mask bit of each entry that is far away: no distance and no count changes.
    spoil("phase_one_masked", &|entries| {
        for entry in entries.chunks_exact_mut(4).skip(1).step_by(2) {
            entry[0] ^= 1;
        }
    });
    assert!(problem(Profile::Standard, "phase_one_masked").contains("says of the turns"));
    // The columns of each row in the opposite order: every count is the same.
    spoil("phase_two", &|entries| {
        for row in entries.chunks_exact_mut(40320 / 2).skip(1) {
            row.reverse();
        }
    });
    assert!(problem(Profile::Standard, "phase_two").contains("judged from the cubies"));
}

#[test]
fn a_check_can_be_stopped_and_tells_its_progress() {
    let _ = tables();
    let stop = AtomicBool::new(true);
    let watch = Watch { stop: &stop, progress: &|_, _, _| (), effort: Effort::Lean };
    assert_eq!(
        verify(&tables_folder(), Profile::Small, "phase_one_residues", &watch).err().map(|Stopped| ()),
        Some(())
    );
    let (stop, heard) = (AtomicBool::new(false), std::sync::Mutex::new(Vec::new()));
    let tell = |stage: &'static str, done: u64, total: u64| {
        assert!(done <= total, "{stage}");
        heard.lock().unwrap().push(stage);
    };
    let watch = Watch { stop: &stop, progress: &tell, effort: Effort::Lean };
    assert!(verify(&tables_folder(), Profile::Small, "phase_one_residues", &watch).unwrap().is_sound());
    let mut stages = heard.into_inner().unwrap();
    stages.sort_unstable();
    stages.dedup();
    assert_eq!(stages, ["checksum", "count", "sample"]);
}

#[tokio::test]
async fn a_check_is_told_as_events() {
    let state = ready_state(config());
    let request = Request::post("/tables/phase_one_residues/verify").header("accept", "text/event-stream");
    let answer = send(app(state.clone()), request.body(Body::empty()).unwrap()).await;
    assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, "text/event-stream"));
    let events: Vec<(&str, Value)> = answer
        .text()
        .split("\n\n")
        .filter_map(|event| {
            let (name, data) = event.split_once('\n')?;
            let data = serde_json::from_str(data.strip_prefix("data: ")?).unwrap();
            Some((name.strip_prefix("event: ")?, data))
        })
        .collect();
    let (last, before) = events.split_last().unwrap();
    assert!(!before.is_empty());
    for (name, data) in before {
        assert_eq!(*name, "progress");
        assert!(data["stage"].is_string() && data["done"].as_u64() <= data["total"].as_u64(), "{data}");
    }
    assert_eq!((last.0, &last.1["sound"]), ("result", &json!(true)));
    assert_eq!(state.solver.long().in_flight(), 0);
}

#[tokio::test]
async fn a_caller_that_goes_frees_the_long_lane() {
    let state = standard();
    let server = Server::start(state.clone()).await;
    for accept in ["application/json", "text/event-stream"] {
        let mut caller = TcpStream::connect(server.address).await.unwrap();
        let head = format!(
            "POST /tables/phase_one_masked/verify HTTP/1.1\r\nhost: x\r\naccept: {accept}\r\ncontent-length: 0\r\n\r\n"
        );
        caller.write_all(head.as_bytes()).await.unwrap();
        eventually("the check runs", || state.solver.long().in_flight() == 1).await;
        if accept == "text/event-stream" {
            let mut head = [0; 12];
            caller.read_exact(&mut head).await.unwrap();
            assert_eq!(&head, b"HTTP/1.1 200");
        }
        let gone = Instant::now();
        drop(caller);
        eventually("the check stopped", || state.solver.long().in_flight() == 0).await;
        assert!(gone.elapsed() < Duration::from_millis(500), "{:?}", gone.elapsed());
    }
    server.stopped().await;
}

#[tokio::test]
async fn a_full_lane_refuses_by_status_events_or_not() {
    let mut config = config();
    (config.search.long_threads, config.search.long_queue_length) = (1, 0);
    let state = state(config, Readiness::ready(tables()));
    let busy = tokio::spawn({
        let state = state.clone();
        async move {
            let job = |stop: &superflip::search::Stop| {
                while !stop.is_stopped() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            };
            state.solver.long().run(Instant::now() + Duration::from_mins(1), job).await.map(|_| ())
        }
    });
    eventually("the lane is busy", || state.solver.long().in_flight() == 1).await;
    for accept in ["application/json", "text/event-stream"] {
        let request = Request::post("/tables/twist_move/verify").header("accept", accept);
        send(app(state.clone()), request.body(Body::empty()).unwrap()).await.problem(503, "overloaded");
    }
    // Searches have a lane of their own.
    get(app(state.clone()), "/solve?scramble=R").await.ok();
    busy.abort();
}

/// Reads a file as docs/tables.md describes it, with nothing of this crate.
#[test]
fn the_documented_layout_is_enough_to_read_a_file() {
    let _ = tables();
    let file = fs::read(tables_folder().join("twist_move.tbl")).unwrap();
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    assert_eq!(&file[..16], b"superflip table\n");
    assert_eq!(number(16, 4), 1);
    assert_eq!(&file[24..35], b"twist_move\0");
    assert_eq!((number(80, 8), number(88, 4), number(96, 8)), (2187 * 18, 16, 2187 * 18 * 2));
    let is_little = file[20..24] == [4, 3, 2, 1];
    let entry = |row: usize, column: usize| {
        let at = 4096 + 2 * (row * 18 + column);
        let pair = [file[at], file[at + 1]];
        if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    // Column 6 is the turn F; Kociemba's twist after it is 1236.
    assert_eq!(entry(0, 6), 1236);
    for turn in Move::ALL {
        assert_eq!(Some(u32::from(entry(0, turn.index()))), (TWIST.index)(&Cube::SOLVED.then(turn.cube())));
    }
    let distances = fs::read(tables_folder().join("phase_two_corners.tbl")).unwrap();
    let distance = |row: usize, column: usize| {
        let i = row * 24 + column;
        distances[4096 + i / 2] >> (4 * (i % 2)) & 15
    };
    assert_eq!(distance(0, 0), 0);
    let one = Move::PHASE_TWO.iter().filter(|turn| {
        let cube = turn.cube();
        let at = |c: &coord::Descriptor| (c.index)(cube).unwrap() as usize;
        distance(at(&CORNER_PERM), at(&coord::SLICE_SORTED)) == 1
    });
    assert_eq!(one.count(), 10);
}
