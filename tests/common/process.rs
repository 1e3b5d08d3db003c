//! The program as a process of its own, looked at from outside.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// `superflip serve` with the small tables.
pub struct Process {
    child: Child,
    pub address: SocketAddr,
    log: Option<JoinHandle<Vec<String>>>,
}

/// What a process takes up.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub resident_kib: u64,
    pub descriptors: usize,
    pub threads: usize,
}

impl Process {
    /// Starts it on `listen` with further arguments, and keeps those lines of its log that `keep` wants.
    pub fn start(listen: &str, arguments: &[&str], keep: fn(&str) -> bool) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_superflip"))
            .args(["serve", "--log-format=json", "--profile=small", "--listen", listen, "--tables-dir"])
            .arg(super::tables_folder())
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        let address = lines
            .find_map(|line| {
                let line: serde_json::Value = serde_json::from_str(&line).ok()?;
                (line["message"] == "listening").then(|| line["address"].as_str()?.parse().ok())?
            })
            .expect("it says where it listens");
        let log = std::thread::spawn(move || lines.filter(|line| keep(line)).collect());
        Self { child, address, log: Some(log) }
    }

    /// Waits until `/readyz` says what is wanted.
    pub fn until_ready(&self, wanted: &str) {
        let start = Instant::now();
        while !ask_readiness(self.address).is_some_and(|text| text.contains(wanted)) {
            assert!(start.elapsed() < Duration::from_mins(1), "it does not become ready");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn usage(&self) -> Usage {
        let folder = format!("/proc/{}", self.child.id());
        let entries = |name: &str| std::fs::read_dir(format!("{folder}/{name}")).expect("it lives").count();
        let status = std::fs::read_to_string(format!("{folder}/status")).expect("it lives");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let resident_kib = resident.and_then(|text| text.split_whitespace().next()?.parse().ok()).expect("kibibytes");
        Usage { resident_kib, descriptors: entries("fd"), threads: entries("task") }
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_none())
    }

    /// Asks it to stop, as a supervisor would.
    pub fn terminate(&self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process");
        kill_process(pid, Signal::TERM).expect("it lives");
    }

    /// Waits for its end; what is returned with its status are the lines of its log that were kept.
    pub fn ended(mut self) -> (ExitStatus, Vec<String>) {
        let status = self.child.wait().expect("a status");
        (status, self.log.take().and_then(|log| log.join().ok()).unwrap_or_default())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask_readiness(address: SocketAddr) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    text.starts_with("HTTP/1.1 200").then_some(text)
}
