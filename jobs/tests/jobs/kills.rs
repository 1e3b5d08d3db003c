//! SIGKILL of each part, and SIGTERM of a worker.

use std::time::Instant;

use crate::common::{ACK_WAIT, Cubes, LONG_JOB, Process, Queue, files, text, until};

fn done(queue: &Queue, job: &str) -> u64 {
    queue.status(job)["chunks_done"].as_u64().unwrap()
}

#[test]
fn a_killed_worker_loses_nothing() {
    let (queue, cubes) = (Queue::start(), Cubes::long_job());
    let job = queue.submit(&cubes.lines(), LONG_JOB);
    for kills in 1..=3 {
        let worker = queue.worker(&[]);
        let before = done(&queue, &job);
        until("a chunk is done", 60, || done(&queue, &job) > before);
        worker.kill();
        assert!(done(&queue, &job) < 100, "the job ended before kill {kills}");
    }
    let _worker = queue.worker(&[]);
    queue.check(&job, &cubes);
}

/// An idle worker asks the queue every two seconds, and the chunks of a killed one come back after eight.
#[test]
fn a_worker_that_stops_when_idle_waits_for_the_chunks_of_a_killed_one() {
    let (queue, cubes) = (Queue::start(), Cubes::long_job());
    let job = queue.submit(&cubes.lines(), LONG_JOB);
    let mut command = queue.program(&["work", "--profile", "tiny", "--threads", "1", "--ack-wait-ms", "8000"]);
    let worker = Process::start(&mut command);
    until("most chunks are done", 150, || done(&queue, &job) > 70);
    worker.kill();
    assert!(done(&queue, &job) < 100, "the job ended before the kill");
    let last = Process::start(command.arg("--until-idle"));
    assert!(last.wait().status.success());
    assert_eq!(queue.status(&job)["state"], "done");
    queue.check(&job, &cubes);
}

#[test]
fn a_killed_server_loses_nothing() {
    let (mut queue, cubes) = (Queue::start(), Cubes::long_job());
    let job = queue.submit(&cubes.lines(), LONG_JOB);
    let mut workers = [queue.worker(&[]), queue.worker(&[])];
    for kills in 1..=2 {
        let before = done(&queue, &job);
        until("a chunk is done", 60, || done(&queue, &job) > before);
        queue.kill_server();
        for worker in &workers {
            worker.until_log("event: disconnected", kills);
        }
        queue.start_server();
    }
    queue.check(&job, &cubes);
    assert!(workers.iter_mut().all(Process::is_running));
}

#[test]
fn a_killed_submitter_is_continued_by_the_same_command() {
    let (queue, cubes) = (Queue::start(), Cubes::new(600, 6));
    // The queue has room for some chunks only, so the submission is under way when it is killed.
    let arguments = queue.submission(&cubes.lines(), &["--chunk-lines", "5", "--max-chunks", "25"]);
    let mut job = String::new();
    for expected in [25, 25] {
        let submitter = Process::start(&mut queue.program(&arguments.as_args()));
        until("the queue is full", 30, || {
            let status = queue.program(&["status", "--json"]).output().unwrap();
            let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap_or_default();
            job = status[0]["job"].as_str().unwrap_or_default().to_owned();
            status[0]["chunks_queued"] == expected
        });
        submitter.kill();
    }
    let worker = queue.worker(&[]);
    assert!(queue.program(&arguments.as_args()).output().unwrap().status.success());
    queue.check(&job, &cubes);
    // Each chunk was solved once, although some were submitted twice.
    assert_eq!(files(&queue.results().join(&job)).len(), 121);
    assert!(worker.stop().status.success());
}

#[test]
fn a_stopped_worker_gives_its_chunks_back_at_once() {
    let (queue, cubes) = (Queue::start(), Cubes::new(40, 25));
    // A chunk of hours: its target is out of reach.
    let options = ["--target-length", "14", "--max-length", "14", "--time-limit-ms", "3000000"];
    let job = queue.submit(&cubes.lines(), &[&["--chunk-lines", "40"][..], &options].concat());
    let wait = ["--ack-wait-ms", "3000000"];
    let worker = queue.program(&[&["work", "--profile", "tiny", "--threads", "1"][..], &wait].concat());
    let mut worker = worker;
    let first = Process::start(&mut worker);
    until("the chunk is taken", 60, || queue.status(&job)["state"] == "running");
    let start = Instant::now();
    let stopped = first.stop();
    assert!(stopped.status.success() && start.elapsed().as_secs() < 10, "{}", text(&stopped.stderr));
    // Another worker gets the chunk, long before the deadline. A cancellation ends its search.
    let second = Process::start(&mut worker);
    until("the chunk is taken again", 60, || deliveries(&queue) >= 2);
    queue.run(&["cancel", &job]);
    assert!(second.stop().status.success());
    assert_eq!(queue.status(&job)["state"], "cancelled");
}

#[test]
fn a_chunk_that_fails_too_often_is_listed_and_retried_on_request() {
    let (queue, cubes) = (Queue::start(), Cubes::new(40, 25));
    let slow = ["--target-length", "14", "--max-length", "14", "--time-limit-ms", "2000", "--chunk-lines", "40"];
    let job = queue.submit(&cubes.lines(), &slow);
    let attempts = ["--max-attempts", "2"];
    for attempt in 1..=2 {
        let worker = queue.worker(&attempts);
        until("the chunk is taken", 60, || deliveries(&queue) >= attempt);
        worker.kill();
    }
    let worker = queue.worker(&attempts);
    until("the chunk counts as failed", 60, || queue.status(&job)["state"] == "failed");
    let failed = queue.status(&job)["failed"].clone();
    assert_eq!((&failed[0]["chunk"], &failed[0]["first_line"]), (&0.into(), &1.into()), "{failed}");
    assert!(failed[0]["reason"].as_str().unwrap().contains("without a result"), "{failed}");
    assert_eq!(job, queue.submit(&cubes.lines(), &slow));
    assert_eq!(
        (&queue.status(&job)["failed"], &queue.status(&job)["chunks_queued"]),
        (&serde_json::json!([]), &1.into())
    );
    drop(worker);
}

/// The long form: `jobs/tests/long` runs it. `CUBES` sets the number of cubes.
#[test]
#[ignore = "takes minutes"]
fn a_million_cubes_are_answered_once_although_every_part_is_killed() {
    let count = std::env::var("CUBES").map_or(1_000_000, |count| count.parse().unwrap());
    let (mut queue, cubes) = (Queue::start(), Cubes::new(count, 25));
    queue.patience = 7200;
    let arguments = queue.submission(&cubes.lines(), &["--target-length", "22", "--max-chunks", "40"]);
    let profile = std::env::var("PROFILE").unwrap_or_else(|_| "small".to_owned());
    let start_worker = |queue: &Queue| {
        let mut command = queue.program(&["work", "--profile", &profile, "--threads", "1", "--ack-wait-ms", ACK_WAIT]);
        Process::start(&mut command)
    };
    let submit = |queue: &Queue| Process::start(&mut queue.program(&arguments.as_args()));
    let (mut workers, mut submitter) = ([start_worker(&queue), start_worker(&queue)], submit(&queue));
    let mut job = String::new();
    until("the job exists", 60, || {
        let status = queue.program(&["status", "--json"]).output().unwrap();
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap_or_default();
        job = status[0]["job"].as_str().unwrap_or_default().to_owned();
        !job.is_empty()
    });
    // Ten kills of each part, each after another twelfth of the job.
    let total = queue.status(&job)["chunks"].as_u64().unwrap();
    for round in 1..=10 {
        until("the job goes on", 3600, || done(&queue, &job) >= total * round / 12);
        let killed = std::mem::replace(&mut workers[usize::try_from(round % 2).unwrap()], start_worker(&queue));
        killed.kill();
        submitter.kill();
        queue.kill_server();
        queue.start_server();
        submitter = submit(&queue);
        println!("round {round}: {}", queue.status(&job));
    }
    assert!(submitter.wait().status.success());
    queue.check(&job, &cubes);
    println!("{}", queue.status(&job));
}

/// Returns the number of times that a chunk was given to a worker.
fn deliveries(queue: &Queue) -> u64 {
    queue.consumer_info()["delivered"]["consumer_seq"].as_u64().unwrap_or(0)
}
