//! A job from its submission to its results.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Cubes, Queue, files, text, until};

#[test]
fn every_line_is_answered_once_in_order() {
    let (queue, cubes) = (Queue::start(), Cubes::new(95, 6));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "10"]);
    let queued = queue.status(&job);
    assert_eq!((&queued["state"], &queued["chunks_queued"]), (&"queued".into(), &10.into()), "{queued}");
    let worker = queue.worker(&[]);
    queue.check(&job, &cubes);
    assert!(worker.stop().status.success());

    // A job that is done needs no server, and its folder has nothing else.
    let (results, folder) = (queue.results().display().to_string(), queue.results().join(&job));
    let alone = queue.program(&["results", &job, "--results", &results, "--nats", "127.0.0.1:1"]).output().unwrap();
    cubes.check(&*alone.stdout);
    assert_eq!(files(&folder).len(), 11);
    // Damage is found.
    std::fs::write(folder.join("chunk-0000003.ndjson.zst"), "damage").unwrap();
    let damaged = queue.program(&["results", &job]).output().unwrap();
    assert!(text(&damaged.stderr).contains("chunk-0000003.ndjson.zst of job"), "{}", text(&damaged.stderr));
    assert_eq!(damaged.status.code(), Some(1));
}

#[test]
fn lines_are_those_of_a_batch() {
    let queue = Queue::start();
    let input = "\u{feff}# a comment\n\nR U\n{\"id\": \"x\", \"scramble\": \"F\", \"optimal\": false}\nR U Q\n  \nU D2\r\n{\"id\": 7}";
    let job = queue.submit(input, &["--chunk-lines", "2"]);
    assert_eq!(queue.status(&job)["lines"], 5);
    let _worker = queue.worker(&[]);
    queue.wait_until_done(&job);
    let answers: Vec<Value> =
        queue.run(&["results", &job]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<_> = answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5, 7, 8]);
    assert_eq!((&answers[0]["solution"], &answers[1]["id"]), (&"U' R'".into(), &"x".into()));
    assert_eq!((&answers[2]["problem"]["line"], &answers[4]["id"]), (&Value::Null, &7.into()), "{}", answers[2]);
    // The same lines, the same answers, but for times.
    let file = queue.folder.path().join("cubes.jsonl");
    let (solved, problems) = (queue.status(&job)["solved"].clone(), queue.status(&job)["problems"].clone());
    assert_eq!((solved, problems), (3.into(), 2.into()), "{}", file.display());
}

#[test]
fn submitting_again_gives_the_same_job_and_new_forces_another() {
    let (queue, cubes) = (Queue::start(), Cubes::new(20, 5));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    assert_eq!(job, queue.submit(&cubes.lines(), &["--chunk-lines", "5"]));
    assert_eq!(queue.status(&job)["chunks_queued"], 4);
    assert_ne!(job, queue.submit(&cubes.lines(), &["--chunk-lines", "5", "--target-length", "24"]));
    assert_ne!(job, queue.submit(&cubes.lines(), &["--chunk-lines", "5", "--new"]));
    let mut piped = queue.submission("", &[]).as_args().iter().map(|&a| a.to_owned()).collect::<Vec<_>>();
    "-".clone_into(&mut piped[1]);
    let mut command = queue.program(&piped.iter().map(String::as_str).collect::<Vec<_>>());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(cubes.lines().as_bytes()).unwrap();
    assert!(text(&child.wait_with_output().unwrap().stdout).contains(&job));
}

#[test]
fn a_full_queue_holds_the_submission_back() {
    let (queue, cubes) = (Queue::start(), Cubes::new(60, 5));
    let arguments = queue.submission(&cubes.lines(), &["--chunk-lines", "5", "--max-chunks", "3"]);
    let mut command = queue.program(&arguments.as_args());
    let mut submitting = crate::common::Process::start(command.env("SUPERFLIP_LOG__FILTER", "superflip_jobs=debug"));
    // It has tried more than once.
    submitting.until_log("the queue is full", 3);
    assert_eq!(status_of_first(&queue).unwrap()["chunks_queued"], 3);
    assert!(submitting.is_running());
    let _worker = queue.worker(&[]);
    assert!(submitting.wait().status.success());
    let job = status_of_first(&queue).unwrap()["job"].as_str().unwrap().to_owned();
    queue.check(&job, &cubes);
}

#[test]
fn a_cancelled_job_stops_and_resumes() {
    let (queue, cubes) = (Queue::start(), Cubes::new(40, 5));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    queue.run(&["cancel", &job]);
    let cancelled = queue.status(&job);
    assert_eq!((&cancelled["state"], &cancelled["chunks_queued"]), (&"cancelled".into(), &0.into()), "{cancelled}");
    assert_eq!(job, queue.submit(&cubes.lines(), &["--chunk-lines", "5"]));
    let _worker = queue.worker(&[]);
    queue.check(&job, &cubes);
    let again = queue.program(&["cancel", &job]).output().unwrap();
    assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
}

#[test]
fn metrics_have_the_numbers_of_status() {
    let (queue, cubes) = (Queue::start(), Cubes::new(20, 5));
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    let metrics = queue.run(&["status", "--metrics"]);
    assert!(metrics.contains(&format!("superflip_job_state{{job=\"{job}\",state=\"queued\"}} 1\n")), "{metrics}");
    assert!(metrics.contains(&format!("superflip_job_lines{{job=\"{job}\",outcome=\"open\"}} 20\n")), "{metrics}");
    let _worker = queue.worker(&[]);
    queue.wait_until_done(&job);
    let metrics = queue.run(&["status", "--metrics"]);
    assert!(metrics.contains(&format!("superflip_job_state{{job=\"{job}\",state=\"done\"}} 1\n")), "{metrics}");
    assert!(metrics.contains(&format!("superflip_job_lines{{job=\"{job}\",outcome=\"solved\"}} 20\n")), "{metrics}");
}

#[test]
fn metric_and_target_are_options_of_the_job() {
    let queue = Queue::start();
    let tables = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");
    let axial = queue.submit("R2 L2 U D' F\n", &["--metric", "axht", "--target-length", "3"]);
    let turned = queue.submit("R U R' F\n", &["--target", "R U R'", "--target-up-to-rotation"]);
    let _worker = queue.worker(&["--tables-dir", tables]);
    let answer = |job: &str| -> Value {
        // The worker may have to build the tables of the metric.
        until("the job is done", 300, || queue.status(job)["state"] == "done");
        serde_json::from_str(&queue.run(&["results", job])).unwrap()
    };
    let (axial, turned) = (answer(&axial), answer(&turned));
    assert_eq!((&axial["length"], axial["moves"].as_array().unwrap().len()), (&3.into(), 5), "{axial}");
    assert_eq!(turned["solution"], "F'", "{turned}");
    let refused = queue.program(&queue.submission("R\n", &["--metric", "etm"]).as_args()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("expected htm, qtm, stm, axht or axqt"), "{}", text(&refused.stderr));
}

#[test]
fn proofs_are_an_option_of_the_job() {
    let (queue, cubes) = (Queue::start(), Cubes::new(6, 4));
    let tables = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");
    let job = queue.submit(&cubes.lines(), &["--optimal"]);
    let without = queue.submit("R U F\n", &[]);
    let _worker = queue.worker(&["--tables-dir", tables]);
    queue.check(&job, &cubes);
    queue.wait_until_done(&without);
    let manifest = |job: &str| std::fs::read_to_string(queue.results().join(job).join("manifest.json")).unwrap();
    assert_eq!(queue.status(&job)["unproven"], 0);
    assert!(manifest(&job).contains("\"unproven\":0"), "{}", manifest(&job));
    // Nothing is said of proofs that no one asked for.
    assert_eq!((&queue.status(&without)["unproven"], &queue.status(&without)["solved"]), (&Value::Null, &1.into()));
    assert!(!manifest(&without).contains("unproven"), "{}", manifest(&without));
}

#[test]
fn a_worker_says_where_it_works_and_with_which_tables() {
    let queue = Queue::start();
    let job = queue.submit("R U\nF\n", &[]);
    let worker = queue.program(&["work", "--profile", "tiny", "--threads", "1", "--until-idle"]).output().unwrap();
    let log = text(&worker.stderr);
    let address = queue.url().replace("nats://", "");
    for words in ["working", &address, "tiny", "threads=1", "took the first chunk of a job", "a job is done", &job] {
        assert!(log.contains(words), "{words}: {log}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let queue = Queue::start();
    let unknown = "0123456789abcdef0123456789abcdef";
    let cases: [(&[&str], i32, &str); 5] = [
        (&["status"], 1, "it has no stream SUPERFLIP_JOBS; `superflip-jobs submit FILE` creates it"),
        (&["status", "--nats", "127.0.0.1:1"], 1, "cannot connect to 127.0.0.1:1"),
        (&["results", "x"], 2, "expected 32 hexadecimal digits"),
        (&["submit", "/nowhere"], 2, "cannot read /nowhere"),
        (&["submit", "/dev/null", "--target-length", "99"], 2, "target_length"),
    ];
    for (arguments, code, message) in cases {
        let output = queue.program(arguments).output().unwrap();
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("404"), "{arguments:?}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
    queue.submit("R\n", &[]);
    for command in ["status", "results", "cancel"] {
        let output = queue.program(&[command, unknown]).output().unwrap();
        assert!(text(&output.stderr).contains("there is no job"), "{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_worker_refuses_a_folder_of_another_machine() {
    let (queue, cubes) = (Queue::start(), Cubes::new(5, 5));
    let job = queue.submit(&cubes.lines(), &[]);
    let elsewhere = |shared: &[&str]| {
        let mut command = std::process::Command::new("unshare");
        let program = queue.worker_command(&[&["--until-idle"], shared].concat());
        command.args(["--uts", "sh", "-c", "hostname elsewhere && exec \"$@\"", "sh"]);
        command.arg(program.get_program()).args(program.get_args()).env("SUPERFLIP_JOBS__URL", queue.url());
        command.output().unwrap()
    };
    let refused = elsewhere(&[]);
    assert!(text(&refused.stderr).contains("pass --shared"), "{}", text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(2));
    assert!(elsewhere(&["--shared"]).status.success());
    queue.check(&job, &cubes);
}

fn status_of_first(queue: &Queue) -> Option<Value> {
    let output = queue.program(&["status", "--json"]).output().unwrap();
    let all: Value = serde_json::from_slice(&output.stdout).ok()?;
    all.get(0).cloned()
}
