//! A full disk, and a network that is cut. Both need root.

use std::process::Command;

use crate::common::{Cubes, LONG_JOB, Process, Queue, text, until};

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?} (this test needs root): {}", text(&output.stderr));
}

/// A file system of a size, mounted on a folder.
struct SmallDisk(String);

impl SmallDisk {
    fn mount(folder: &std::path::Path, kilobytes: u32) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let folder = folder.display().to_string();
        run("mount", &["-t", "tmpfs", "-o", &format!("size={kilobytes}k"), "tmpfs", &folder]);
        Self(folder)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["--lazy", &self.0]).status();
    }
}

#[test]
fn a_full_disk_stops_the_work_until_there_is_room() {
    let (queue, cubes) = (Queue::start(), Cubes::new(100, 6));
    let disk = SmallDisk::mount(&queue.results(), 64);
    let filling = queue.results().join("filling");
    std::fs::write(&filling, vec![1; 48 << 10]).unwrap();
    let job = queue.submit(&cubes.lines(), &["--chunk-lines", "5"]);
    let mut worker = queue.worker(&[]);
    let stored = || queue.status(&job)["chunks_done"].as_u64().unwrap();
    let probe = queue.results().join("probe");
    until("the disk is full", 60, || {
        let is_full = std::fs::write(&probe, [1; 4096]).is_err();
        std::fs::remove_file(&probe).unwrap();
        is_full
    });
    worker.until_log("cannot store results; trying again", 1);
    let status = queue.status(&job);
    assert!(stored() < 20 && status["failed"] == serde_json::json!([]) && worker.is_running(), "{status}");
    run("mount", &["-o", "remount,size=4m", &disk.0]);
    queue.check(&job, &cubes);
    let log = text(&worker.stop().stderr);
    assert!(log.contains("cannot store results; trying again") && log.contains("No space left"), "{log}");
    drop(disk);
}

/// A network namespace that is connected by a cable which can be cut.
struct Namespace {
    name: String,
    outside: String,
    host: String,
}

impl Namespace {
    fn new() -> Self {
        let id = std::process::id() % 200 + 20;
        let (name, outside, inside) = (format!("superflip{id}"), format!("sfo{id}"), format!("sfi{id}"));
        let (host, guest) = (format!("10.231.{id}.1"), format!("10.231.{id}.2"));
        run("ip", &["netns", "add", &name]);
        run("ip", &["link", "add", &outside, "type", "veth", "peer", "name", &inside, "netns", &name]);
        run("ip", &["addr", "add", &format!("{host}/24"), "dev", &outside]);
        run("ip", &["link", "set", &outside, "up"]);
        run("ip", &["-n", &name, "addr", "add", &format!("{guest}/24"), "dev", &inside]);
        run("ip", &["-n", &name, "link", "set", &inside, "up"]);
        Self { name, outside, host }
    }

    fn set(&self, state: &str) {
        run("ip", &["link", "set", &self.outside, state]);
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = Command::new("ip").args(["netns", "del", &self.name]).status();
    }
}

#[test]
fn a_worker_that_is_cut_off_is_replaced_and_comes_back() {
    let network = Namespace::new();
    let (queue, cubes) = (Queue::start_at(&network.host), Cubes::long_job());
    let job = queue.submit(&cubes.lines(), LONG_JOB);
    let inside = queue.worker_command(&[]);
    let mut command = Command::new("ip");
    command.args(["netns", "exec", &network.name]).arg(inside.get_program()).args(inside.get_args());
    let mut worker = Process::start(command.env("SUPERFLIP_JOBS__URL", queue.url()));
    let done = || queue.status(&job)["chunks_done"].as_u64().unwrap();
    until("the worker has done a chunk", 60, || done() > 0);
    network.set("down");
    // Its chunks go to another worker. It stores its own results too, and the first count.
    let other = queue.worker(&[]);
    let before = done();
    until("the other worker goes on", 60, || done() > before + 2);
    other.kill();
    network.set("up");
    let before = done();
    until("the first worker is back", 90, || done() > before + 2);
    queue.check(&job, &cubes);
    assert!(worker.is_running());
}
