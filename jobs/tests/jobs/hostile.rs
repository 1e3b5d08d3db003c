//! Damaged records, foreign messages and streams, and places that cannot be written.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::Instant;

use async_nats::jetstream::stream::Config;
use async_nats::{HeaderMap, HeaderValue};
use serde_json::json;

use crate::common::{Cubes, LONG_JOB, Process, Queue, files, text, until};

fn refusal(queue: &Queue, arguments: &[&str], code: i32) -> String {
    let output = queue.program(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn servers_and_streams_that_do_not_fit_are_refused() {
    let (mut queue, cubes) = (Queue::start(), Cubes::new(5, 5));
    let submission = queue.submission(&cubes.lines(), &[]);
    queue.with_streams(async |context| {
        let foreign =
            Config { name: "SUPERFLIP_CHUNKS".to_owned(), subjects: vec!["other".to_owned()], ..Config::default() };
        context.create_stream(foreign).await.unwrap();
    });
    let foreign = refusal(&queue, &submission.as_args(), 1);
    assert!(
        foreign.contains("the stream SUPERFLIP_CHUNKS on") && foreign.contains("is not one of superflip-jobs"),
        "{foreign}"
    );
    queue.kill_server();
    queue.start_server_with(&[]);
    let without = refusal(&queue, &submission.as_args(), 1);
    assert!(without.contains("nats-server needs the option -js"), "{without}");
    queue.kill_server();
    let config = queue.folder.path().join("small.conf");
    std::fs::write(&config, "max_payload: 100KB").unwrap();
    queue.start_server_with(&["-js", "-c", config.to_str().unwrap()]);
    let small = refusal(&queue, &submission.as_args(), 1);
    assert!(small.contains("raise its `max_payload`"), "{small}");
}

#[test]
fn chunks_that_no_job_has_and_bombs_are_removed() {
    let (queue, cubes) = (Queue::start(), Cubes::new(10, 6));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    let other = queue.submit("R\n", &[]);
    queue.with_streams(async |context| {
        let stream = context.get_stream("SUPERFLIP_CHUNKS").await.unwrap();
        stream.purge().filter(format!("superflip.chunks.{other}")).await.unwrap();
        let good = zstd::bulk::compress(b"R U\n", 3).unwrap();
        // 16 MB of zeros, in a few hundred bytes.
        let bomb = frame_of(0, 1 << 24);
        assert!(bomb.len() < 10_000);
        let unknown = "0123456789abcdef0123456789abcdef";
        for (job, number, payload) in [(&*job, 7, &good), (&*job, 2, &good), (unknown, 0, &good), (&*other, 0, &bomb)] {
            let mut headers = HeaderMap::new();
            headers.insert("Superflip-Chunk", HeaderValue::from(number));
            headers.insert("Superflip-First-Line", "1");
            let subject = format!("superflip.chunks.{job}");
            context.publish_with_headers(subject, headers, payload.clone().into()).await.unwrap().await.unwrap();
        }
    });
    let worker = queue.worker(&["--until-idle"]).wait();
    assert!(worker.status.success(), "{}", text(&worker.stderr));
    assert_eq!(
        text(&worker.stderr).matches("removed a chunk that belongs to no job").count(),
        3,
        "{}",
        text(&worker.stderr)
    );
    queue.check(&job, &cubes);
    assert_eq!(files(&queue.results().join(&job)).len(), 3);
    let bombed = queue.status(&other);
    assert!(bombed["failed"][0]["reason"].as_str().unwrap().contains("its message is damaged"), "{bombed}");
}

/// Returns a zstd frame of so many equal bytes.
fn frame_of(byte: u8, count: u64) -> Vec<u8> {
    zstd::stream::encode_all(std::io::Read::take(std::io::repeat(byte), count), 3).unwrap()
}

#[test]
fn result_files_that_cannot_be_used_are_named_and_the_worker_goes_on() {
    let (queue, cubes) = (Queue::start(), Cubes::new(30, 6));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    let folder = queue.results().join(&job);
    let file = |number: u64| folder.join(format!("chunk-{number:07}.ndjson.zst"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(file(0), "damage").unwrap();
    std::fs::create_dir(file(1)).unwrap();
    std::fs::write(file(2), b"").unwrap();
    std::fs::set_permissions(file(2), Permissions::from_mode(0o0)).unwrap();
    std::fs::write(file(3), frame_of(0, 300 << 20)).unwrap();
    let bomb = frame_of(b'\n', 300 << 20);
    assert!(bomb.len() < 100_000);
    std::fs::write(file(4), bomb).unwrap();
    let other = queue.submit("R U\n", &[]);
    // Root reads every file, unless it gives up the right to.
    let (inside, limits) = (queue.worker_command(&["--max-attempts", "2"]), "-dac_override,-dac_read_search");
    let mut command = Command::new("setpriv");
    command.args(["--inh-caps", "-all", "--bounding-set", limits]).arg(inside.get_program()).args(inside.get_args());
    let worker = Process::start(command.env("SUPERFLIP_JOBS__URL", queue.url()));
    until("every chunk is done or failed", 120, || queue.status(&job)["state"] == "failed");
    queue.wait_until_done(&other);
    worker.until_log("an attempt to solve a chunk failed", 5);
    assert!(worker.stop().status.success());
    let status = queue.status(&job);
    assert_eq!((&status["state"], &status["chunks_done"]), (&"failed".into(), &1.into()), "{status}");
    let reasons =
        ["Unknown frame descriptor", "Is a directory", "Permission denied", "more than 256 MiB", "more than 256 MiB"];
    for (number, reason) in (0..).zip(reasons) {
        let failed = &status["failed"][usize::try_from(number).unwrap()];
        let said = failed["reason"].as_str().unwrap();
        assert!(said.contains(reason) && said.contains(&*file(number).to_string_lossy()), "{reason}: {failed}");
        assert_eq!((&failed["chunk"], &failed["attempts"]), (&number.into(), &2.into()), "{failed}");
    }
    // Without the files, the same submission solves the chunks.
    std::fs::remove_dir(file(1)).unwrap();
    for number in [0, 2, 3, 4] {
        std::fs::remove_file(file(number)).unwrap();
    }
    assert_eq!(job, queue.submit(&cubes.lines(), &["--chunk-lines", "5"]));
    assert!(queue.worker(&["--until-idle"]).wait().status.success());
    queue.check(&job, &cubes);
}

/// A machine with more routes than a machine may have. Half of its states rotate the cube and lead to the others, which alone turn it.
fn machine_of_too_much_work() -> serde_json::Value {
    let names = |letter: &str| (0..20).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
    let (first, second) = (names("a"), names("b"));
    let rotations = ["x", "y"].map(|by| json!({"rotates": by, "from": first, "cost": 1}));
    let ways = second.iter().map(|to| json!({"from": first, "to": to, "cost": 1}));
    let turns = "URFDLB".chars().flat_map(|face| ["", "2", "'"].map(|suffix| format!("{face}{suffix}")));
    let turns = turns.map(|turn| json!({"turn": turn, "from": second, "cost": 1}));
    let actions: serde_json::Value = rotations.into_iter().chain(ways).chain(turns).collect();
    let states = [first, second].concat();
    json!({"start": "a0", "states": states, "actions": actions})
}

#[test]
fn machines_of_too_much_work_are_problems_of_their_lines() {
    let queue = Queue::start();
    let line = |_| json!({"scramble": "R F2", "machine": machine_of_too_much_work(), "time_limit_ms": 50}).to_string();
    let lines: Vec<String> = (0..12).map(line).chain(["R U".to_owned()]).collect();
    let job = queue.submit(&lines.join("\n"), &[]);
    let inside = queue.worker_command(&["--until-idle"]);
    let mut command = Command::new("prlimit");
    // The tables of `tiny`, with room for the work of one line after the other.
    command.arg("--data=268435456").arg(inside.get_program()).args(inside.get_args());
    let worker = Process::start(command.env("SUPERFLIP_JOBS__URL", queue.url())).wait();
    assert!(worker.status.success(), "{}", text(&worker.stderr));
    let status = queue.status(&job);
    assert_eq!((&status["state"], &status["solved"]), (&"done".into(), &1.into()), "{status}");
    for answer in queue.run(&["results", &job]).lines().take(12) {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        let code = answer["problem"]["code"].as_str().unwrap();
        assert!(["invalid_machine", "deadline_unreachable"].contains(&code), "{answer}");
    }
}

#[test]
fn damaged_records_harm_no_other_job() {
    let (queue, cubes) = (Queue::start(), Cubes::new(10, 6));
    let damaged = queue.submit("R U\n", &[]);
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    let escape = json!({"job": "../../escape", "input": "-", "input_sha256": "", "options": {}, "lines": 0, "chunks": 0,
        "chunk_lines": 1, "results": queue.results(), "machine": null});
    queue.with_streams(async |context| {
        let unknown = "0123456789abcdef0123456789abcdef";
        for (job, record) in [(&*damaged, "{".to_owned()), (unknown, escape.to_string())] {
            context.publish(format!("superflip.jobs.{job}.spec"), record.into()).await.unwrap().await.unwrap();
        }
    });
    let refused = refusal(&queue, &["status", &damaged], 1);
    assert!(refused.contains(&format!("the record superflip.jobs.{damaged}.spec is damaged")), "{refused}");
    assert!(queue.run(&["status"]).contains(&job));
    assert!(queue.worker(&["--until-idle"]).wait().status.success());
    queue.check(&job, &cubes);
    assert_eq!(files(&queue.results()).len(), 1);
}

#[test]
fn a_manifest_of_another_job_is_refused() {
    let (queue, cubes) = (Queue::start(), Cubes::new(5, 5));
    let job = queue.submit(&cubes.lines(), &[]);
    assert!(queue.worker(&["--until-idle"]).wait().status.success());
    queue.wait_until_done(&job);
    let file = queue.results().join(&job).join("manifest.json");
    let manifest = std::fs::read_to_string(&file).unwrap();
    for (text, replacement) in
        [("chunk-0000000.ndjson.zst", "../../secret"), (&*job, "0123456789abcdef0123456789abcdef")]
    {
        std::fs::write(&file, manifest.replace(text, replacement)).unwrap();
        let refused = refusal(&queue, &["results", &job], 1);
        assert!(refused.contains("it is not the manifest of this job"), "{refused}");
    }
    std::fs::write(&file, &manifest[..manifest.len() / 2]).unwrap();
    let refused = refusal(&queue, &["results", &job], 1);
    assert!(refused.contains("cannot read manifest.json in"), "{refused}");
    std::fs::remove_file(&file).unwrap();
    let missing = refusal(&queue, &["results", &job], 1);
    assert!(missing.contains("manifest.json is missing"), "{missing}");
}

#[test]
fn places_that_cannot_be_written_and_other_places_of_a_job_are_refused() {
    let (queue, cubes) = (Queue::start(), Cubes::new(5, 5));
    let mut arguments =
        queue.submission(&cubes.lines(), &[]).as_args().iter().map(|&each| each.to_owned()).collect::<Vec<_>>();
    let place = arguments.iter().position(|each| each == "--results").unwrap() + 1;
    "/dev/null/results".clone_into(&mut arguments[place]);
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    queue.run(&arguments);
    let worker = queue.worker(&[]).wait();
    assert!(text(&worker.stderr).contains("cannot store results in /dev/null/results"), "{}", text(&worker.stderr));
    assert_eq!(worker.status.code(), Some(2));
    let elsewhere = refusal(&queue, &queue.submission(&cubes.lines(), &[]).as_args(), 2);
    assert!(
        elsewhere.contains("its results are in /dev/null/results; pass --results /dev/null/results, or --new"),
        "{elsewhere}"
    );
}

#[test]
fn a_second_worker_keeps_the_deadline_of_the_first() {
    let (queue, cubes) = (Queue::start(), Cubes::new(5, 5));
    queue.submit(&cubes.lines(), &[]);
    assert!(queue.worker(&["--until-idle"]).wait().status.success());
    let other =
        queue.program(&["work", "--profile", "tiny", "--until-idle", "--ack-wait-ms", "60000"]).output().unwrap();
    assert!(
        text(&other.stderr).contains("the first worker has set the acknowledgement deadline"),
        "{}",
        text(&other.stderr)
    );
    assert_eq!(queue.consumer_info()["config"]["ack_wait"], 3_000_000_000_u64);
}

#[test]
fn a_worker_stops_although_the_server_is_gone() {
    let (mut queue, cubes) = (Queue::start(), Cubes::long_job());
    let job = queue.submit(&cubes.lines(), LONG_JOB);
    let worker: Process = queue.worker(&[]);
    until("a chunk is done", 60, || queue.status(&job)["chunks_done"].as_u64().unwrap() > 0);
    queue.kill_server();
    worker.until_log("event: disconnected", 1);
    // Long enough for a chunk whose record cannot be stored.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let start = Instant::now();
    let stopped = worker.stop();
    assert!(stopped.status.success() && start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert!(text(&stopped.stderr).contains("unreachable"), "{}", text(&stopped.stderr));
}
