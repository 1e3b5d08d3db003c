//! The first start: an answer before the tables of the profile are there, while they are built and their progress is logged, after a kill, and without a folder.
#![cfg(target_os = "linux")]

use crate::common::prelude::*;
use crate::common::stickers::solves;
use crate::common::wire::blocking::{ask, fetch};
use crate::common::wire::post;

/// Starts the service with the profile `small` on a folder.
fn start(folder: &Path) -> Program {
    let mut command = serve();
    command
        .args(["--profile", "small", "--tables-dir"])
        .arg(folder)
        .env("SUPERFLIP_TABLES__SERVE_WHILE_BUILDING", "true");
    Program::start(command)
}

/// Solves a random cube, checks the answer, and returns the profile that it names.
fn solve_one(program: &Program, rng: &mut rand::rngs::StdRng) -> String {
    let cube = letters(&scrambled(rng));
    let reply = ask(program.address(), &post("/solve", "application/json", &json!({ "cube": cube }).to_string()));
    let answer = reply.json().expect("a document");
    assert_eq!(reply.status, 200, "{answer}");
    assert!(solves(&cube, answer["solution"].as_str().expect("moves")), "{answer}");
    answer["profile"].as_str().expect("a profile").to_owned()
}

fn readiness(program: &Program) -> Value {
    let reply = fetch(program.address(), "/readyz");
    assert_eq!(reply.status, 200);
    reply.json().expect("a document")
}

#[test]
fn every_request_is_answered_before_during_and_after_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = rng(1);
    let mut program = start(folder.path());
    assert_eq!(solve_one(&program, &mut random), "tiny");
    let ready = readiness(&program);
    assert_eq!((&ready["profile"], &ready["sets"][0]["profile"]), (&json!("tiny"), &json!("small")), "{ready}");
    assert_eq!(ready["sets"][0]["status"], "starting");
    // A kill in the middle of the build.
    for _ in 0..100 {
        solve_one(&program, &mut random);
    }
    program.kill();
    let program = start(folder.path());
    let (mut profiles, began) = (BTreeSet::new(), Instant::now());
    while !profiles.contains("small") && began.elapsed() < Duration::from_mins(3) {
        profiles.insert(solve_one(&program, &mut random));
        // The build needs the cores too.
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(profiles.into_iter().collect::<Vec<_>>(), ["small", "tiny"]);
    let ready = readiness(&program);
    assert!(ready["profile"] == "small" && ready["sets"][0]["status"] == "ready" && ready["tables"] != 0, "{ready}");
    let metrics = fetch(program.address(), "/metrics").body;
    for line in ["superflip_tables_info{profile=\"small\"} 1", "superflip_tables_info{profile=\"tiny\"} 0"] {
        assert!(metrics.contains(line), "{line}");
    }
    program.stopped();
}

#[test]
fn without_a_folder_it_goes_on_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let program = start(&file);
    program.until_log("the tables of the profile cannot be loaded");
    assert_eq!(solve_one(&program, &mut rng(2)), "tiny");
    let ready = readiness(&program);
    assert_eq!((&ready["profile"], &ready["sets"][0]["status"]), (&json!("tiny"), &json!("failed")), "{ready}");
    assert!(ready["sets"][0]["reason"].as_str().is_some_and(|reason| !reason.contains("/file")), "{ready}");
    // Their own routes say why they have no answer.
    assert_eq!(fetch(program.address(), "/tables").status, 503);
    program.stopped();
}

#[test]
fn a_disk_that_is_too_small_is_told_before_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let script = "exec \"$0\" serve --listen 127.0.0.1:0 --profile small --log-format json --tables-dir \"$1\"";
    let Some(mut command) = on_disk(folder.path(), "size=8m", script) else {
        eprintln!("no small disk can be mounted here");
        return;
    };
    command.env("SUPERFLIP_TABLES__SERVE_WHILE_BUILDING", "true");
    let program = Program::start(command);
    program.until_log("the tables of the profile cannot be loaded");
    assert_eq!(solve_one(&program, &mut rng(4)), "tiny");
    let ready = readiness(&program);
    assert_eq!((&ready["profile"], &ready["sets"][0]["status"]), (&json!("tiny"), &json!("failed")), "{ready}");
    let reason = ready["sets"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("the tables need ") && reason.ends_with(" free"), "{ready}");
    program.stopped();
}

#[test]
fn tiny_needs_no_folder() {
    let mut command = serve();
    command.args(["--profile", "tiny"]).env("HOME", "/nonexistent");
    let program = Program::start(command);
    assert_eq!(solve_one(&program, &mut rng(3)), "tiny");
    let ready = readiness(&program);
    assert!(ready["profile"] == "tiny" && ready["sets"][0]["status"] == "ready", "{ready}");
    program.stopped();
}

#[test]
fn while_tables_are_built_their_progress_is_logged() {
    let (_, log) = log_of_build(&["tables", "build", "--profile", "standard"], " building tables ");
    let number = |words: &str| log.lines().position(|line| line.contains(words));
    let (Some(begin), Some(first)) = (number("starting to build tables"), number(" building tables ")) else {
        panic!("{log}")
    };
    assert!(begin < first, "{log}");
    let line = log.lines().nth(first).unwrap();
    assert!(line.contains("percent=") && line.contains("table=") && line.contains(" INFO "), "{line}");
}
